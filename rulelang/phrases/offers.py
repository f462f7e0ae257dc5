"""Offers: what would be read in place of a sentence that is not, the nearest first.

Slips of the pen are mended first. What can be read of the sentence, and of the other forms that it
may be said in, is put together again in the wordings of the game (`composition`), and said by the
grammar. Nearest is what keeps most of what the sentence says and adds least to it. Nothing is
offered that has not one meaning, that leaves out what denies, restricts or counts, or that keeps
too little.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from lark import Token, Tree

from rulelang.diagnostics import nearest
from rulelang.diagnostics.english import plural
from rulelang.phrases.chart import Chart, Stretch
from rulelang.phrases.composition import Composition, Frames, Part
from rulelang.phrases.earley import EarleyParser
from rulelang.phrases.lexicon import Lexicon
from rulelang.phrases.phrase import Derivation, Phrase, Reading
from rulelang.phrases.unparse import unparse
from rulelang.phrases.word_weights import WordWeights, counts_alike, denials, is_guarded
from rulelang.ruleset import Design

MAX_OFFERS = 3
MAX_WORDS_TRIED = 40  # longer sentences are not taken apart
MAX_FORMS_TRIED = 2  # of a sentence
MAX_JUDGED = 40  # candidates whose meaning is asked for
MAX_READ = 10  # texts that are read to find offers
MAX_LEFT_OUT = 5  # words in a row that are left out
MAX_SHORTER = 24  # texts with words left out that are tried
MAX_SHORTENED = 2  # of them are offered
LEAST_SHORTENED = 0.6  # of what a sentence says is kept in them
LEAST_KEPT = 0.8  # of what a sentence says
LEAST_VALUE = 0.6  # of that, what is brought in taken off
MOST_BEHIND = 0.15  # the best that another offer may be
_ASKS = frozenset(("if", "where", "provided", "while"))  # a condition is not left out
_PRONOUNS = frozenset(("it", "its", "this", "these"))
_TOKEN = re.compile(r"[$+−-]?\d+|[^\W\d_][\w'’-]*|[,;:]")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")


@dataclass(frozen=True)
class Offer:
    """A text that has one reading, and the words of the sentence that it leaves out."""

    text: str
    reading: Reading
    left_out: tuple[str, ...] = ()


class Reader(Protocol):
    """What reads sentences."""

    lexicon: Lexicon

    @property
    def parser(self) -> EarleyParser | None:
        """The parser of its sentences; none if there are none."""

    def phrase(self, name: str) -> Phrase:
        """The phrase of this id."""

    def read_as(self, tree: Tree[Token]) -> Derivation | None:
        """A derivation of what was parsed."""

    def meaning_of(self, derivation: Derivation, design: Design | None) -> Reading | None:
        """What a derivation means on a card; none if it means nothing there."""

    def ways_to_say(self, text: str, design: Design | None) -> Sequence[str]:
        """The text, with “it” for the card that bears it, and its other forms."""

    def readings_if_any(self, text: str, design: Design | None = None) -> list[Reading]:
        """All meanings of a sentence; none if it cannot be parsed."""


@dataclass(frozen=True)
class _Candidate:
    """A part of a composition, with the share of what the sentence says that it keeps."""

    made: Composition
    part: Part
    share: float
    value: float


@dataclass(eq=False)
class _Finding:
    """The offers for one text so far, and how much was tried to find them."""

    reader: Reader
    design: Design | None
    text: str
    found: list[Offer] = field(default_factory=list)
    best: float = 0.0  # value of an offer
    _said: set[str] = field(default_factory=set)
    _judged: int = 0
    _read: int = 0

    @property
    def is_over(self) -> bool:
        """Is there enough, or was enough tried?"""
        return len(self.found) == MAX_OFFERS or self._read == MAX_READ or self._judged == MAX_JUDGED

    def is_new(self, said: str) -> bool:
        """Was a text not tried yet, and does it deny and count as the sentence does?"""
        if _as_sentence(said) in self._said or (denials(said) - denials(self.text)) % 2:
            return False
        return counts_alike(said, self.text)

    def may_mean_another(self, derivation: Derivation) -> bool:
        """Is the meaning of a derivation not that of an offer, as far as it is known?"""
        self._judged += 1
        meant = self.reader.meaning_of(derivation, self.design)
        return meant is None or self._is_another(meant)

    def read(self, said: str, left_out: tuple[str, ...], value: float) -> None:
        """Offer a text if it has one reading, which no other offer has."""
        sentence = _as_sentence(said)
        self._said.add(sentence)
        self._read += 1
        readings = self.reader.readings_if_any(sentence, self.design)
        if len(readings) == 1 and self._is_another(readings[0]):
            self.found.append(Offer(sentence, readings[0], left_out))
            self.best = max(self.best, value)

    def begin_anew(self) -> None:
        """Let as much be tried again."""
        self._read = 0

    def _is_another(self, reading: Reading) -> bool:
        return not any(reading.means_as(one.reading) for one in self.found)


@dataclass(frozen=True, eq=False)
class Offers:
    """Finds readable texts near one that is not read."""

    reader: Reader

    @cached_property
    def _frames(self) -> Frames:
        parser = self.reader.parser
        assert parser is not None
        return Frames(parser, WordWeights(self.reader.lexicon))

    def near(self, text: str, design: Design | None = None) -> list[Offer]:
        """Up to three texts that are read, of different meaning, the nearest to this one first."""
        finding = _Finding(self.reader, design, text)
        slips = self._slips(text)
        mended = _with_words(text, slips)
        written = {word: slip for slip, word in slips.items()}
        for said in dict.fromkeys((mended, self.reader.ways_to_say(mended, design)[0])):
            if said != text:
                finding.read(" ".join(said.split()), (), 1.0)
        self._offer_shorter(finding, self.reader.ways_to_say(mended, design)[0], written)
        finding.begin_anew()
        for candidate in self._candidates(mended, design):
            if finding.is_over or candidate.value < finding.best - MOST_BEHIND:
                break
            derivation = candidate.made.derivation(candidate.part, self._derive)
            said = unparse(derivation)
            if finding.is_new(said) and finding.may_mean_another(derivation):
                left_out = candidate.made.left_out(candidate.part)
                in_own_words = tuple(_with_words(words, written) for words in left_out)
                finding.read(said, in_own_words, candidate.value)
        return finding.found

    def _derive(self, chart: Chart, stretch: Stretch) -> Derivation:
        found = self.reader.read_as(chart.tree(stretch))
        assert found is not None
        return found

    def _candidates(self, text: str, design: Design | None) -> list[_Candidate]:
        """What could be offered, the nearest first."""
        found: list[_Candidate] = []
        for form in self._forms(text, design):
            total = form.weigh((1 << len(form.words)) - 1)
            for part in form.sentences():
                share = form.weigh(part.kept) / total if total else 0
                value = part.value / total if total else 0
                if form.guarded & ~part.kept or share < LEAST_KEPT or value < LEAST_VALUE:
                    continue
                found.append(_Candidate(form, part, share, value))
        return sorted(found, key=lambda one: -one.value)

    def _forms(self, text: str, design: Design | None) -> Iterator[Composition]:
        parser = self.reader.parser
        assert parser is not None
        forms = []
        for said in self.reader.ways_to_say(text, design):
            made = Composition(Chart(parser, said), self._frames, self.reader.phrase)
            if 1 < len(made.words) <= MAX_WORDS_TRIED:
                forms.append(made)
        yield from forms[:1]
        yield from sorted(forms[1:], key=lambda one: -one.longest)[: MAX_FORMS_TRIED - 1]

    def _offer_shorter(self, finding: _Finding, text: str, written: Mapping[str, str]) -> None:
        """Offer a text without some of its words, which are told as they were written."""
        for value, said, without in self._shortened(text):
            if len(finding.found) == MAX_SHORTENED:
                break
            if finding.is_new(said):
                finding.read(said, (_with_words(without, written),), value)

    def _shortened(self, text: str) -> list[tuple[float, str, str]]:
        """The text without a clause, or a few words in a row that name nothing, if these count and
        deny nothing, the nearest first: what share of it that keeps, how it is said, and what is
        left out.
        """
        found = []
        tokens = list(_TOKEN.finditer(text))[:MAX_WORDS_TRIED]
        said = [token.group() for token in tokens]
        weights = list(map(self._frames.weights.of, said))
        for at, end in self._left_out(said):
            share = 1 - sum(weights[at:end]) / (sum(weights) or 1.0)
            start, stop = tokens[at].start(), tokens[end - 1].end()
            rest = _tidied(text[:start] + text[stop:])
            if share >= LEAST_SHORTENED and rest:
                found.append((share, rest, " ".join(text[start:stop].split())))
        return sorted(found, key=lambda one: (-one[0], len(one[2])))[:MAX_SHORTER]

    def _left_out(self, said: Sequence[str]) -> Iterator[tuple[int, int]]:
        """From where to where words may be left out."""
        marks = [place for place, token in enumerate(said) if token in ",;:"]
        clauses = [one for mark in marks for one in ((0, mark + 1), (mark, len(said)))]
        for at, end in clauses:
            if not any(is_guarded(one) or one.lower() in _ASKS for one in said[at:end]):
                yield at, end
        for at in range(len(said)):
            for end in range(at + 1, min(at + MAX_LEFT_OUT, len(said)) + 1):
                if self._names_or_asks(said[at:end]):
                    break
                if end - at > 2 or not _PRONOUNS.intersection(map(str.lower, said[at:end])):
                    yield at, end

    def _names_or_asks(self, said: Sequence[str]) -> bool:
        """Does the last of some words count, deny or name, or are they more of a condition?"""
        last = said[-1]
        if is_guarded(last) or last.lower() in self._named:
            return True
        return len(said) > 1 and bool(_ASKS.intersection(map(str.lower, said)))

    @cached_property
    def _named(self) -> frozenset[str]:
        """The single words of names, and their plurals."""
        names = self.reader.lexicon.names_of_things
        words = {word for name in names for word in _WORD.findall(name)}
        return frozenset(words.union(map(plural, words)))

    def _slips(self, text: str) -> dict[str, str]:
        """By each word that no wording uses the known one most like it in letters, if one is."""
        vocabulary = self.reader.lexicon.vocabulary
        unknown = (word for word in _WORD.findall(text) if word.lower() not in vocabulary)
        near = {word: nearest(word.lower(), vocabulary, 1) for word in unknown}
        return {word: to[0] for word, to in near.items() if to and _is_slip(word.lower(), to[0])}


def _with_words(text: str, others: Mapping[str, str]) -> str:
    """The text with other words for some."""
    return _WORD.sub(lambda match: others.get(match.group(), match.group()), text)


def _tidied(text: str) -> str:
    """The text without blanks before marks, and without marks at its ends or two in a row."""
    text = re.sub(r"\s+([,;:.!])", r"\1", " ".join(text.split()))
    return re.sub(r"([,;:])(?:\s*[,;:])+", r"\1", text).strip(" ,;:.")


def _as_sentence(text: str) -> str:
    text = text.strip().rstrip(".")
    return f"{text[:1].upper()}{text[1:]}."


def _is_slip(word: str, other: str) -> bool:
    """Is a word so like another that one letter or two were mistaken, or letters exchanged?"""
    alike = difflib.SequenceMatcher(None, word, other).ratio() >= 0.8
    return len(word) > 2 and (alike or sorted(word) == sorted(other))
