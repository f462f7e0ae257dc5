"""Offers: what would be read in place of a sentence that is not, the nearest first.

Slips of the pen are mended first. Tried are the sentence without a few of its words, and the
wordings most like it with what of the sentence can be read in their slots. Nearest is what keeps
most of what the sentence says and adds least to it; among equals, what is most alike in letters.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, product

from rulelang.diagnostics import nearest
from rulelang.diagnostics.english import NUMERALS, with_articles
from rulelang.phrases.lexicon import Lexicon
from rulelang.phrases.phrase import (
    SLOT,
    Phrase,
    Reading,
    canonical_wording,
    required_words,
)

MAX_OFFERS = 3
MAX_READ = 40  # texts that are read to find them
MAX_WORDS_TRIED = 24  # longer sentences are not taken apart
MAX_LEFT_OUT = 4  # words in a row
MAX_FRAMES = 16  # wordings that are filled
MAX_FILLINGS = 3  # stretches tried in one slot
MOST_CHANGED = 0.5  # of what a sentence says may be another in an offer
_TOKEN = re.compile(r"\$?\d+|[^\W\d_][\w'’-]*|[^\w\s]")
_DENIALS = frozenset(("no", "not", "never", "without", "unless", "except", "only", "nothing"))
_WEIGHTY, _USUAL, _SLIGHT = 3.0, 1.0, 0.25  # what a word says
_SLIGHT_SHARE = 0.04  # of all wordings have a word that says little


@dataclass(frozen=True)
class Offer:
    """A text that has one reading."""

    text: str
    reading: Reading


@dataclass(frozen=True)
class _Stretch:
    """Words of a sentence in a row, from one place to another, that can fill some slots."""

    first: int
    end: int
    text: str

    def is_apart(self, others: Iterable[_Stretch]) -> bool:
        """Has it no word of the others?"""
        return all(self.end <= other.first or other.end <= self.first for other in others)


@dataclass(frozen=True, eq=False)
class Offers:
    """Finds readable texts near one that is not read."""

    lexicon: Lexicon
    read: Callable[[str], Sequence[Reading]]  # no reading of what cannot be parsed
    categories: Callable[[str], frozenset[str]]  # which slots a stretch of text fills

    def near(self, text: str) -> list[Offer]:
        """Up to three texts that are read, of different meaning, the nearest to this one first."""
        words = [self._spelled(word) for word in _TOKEN.findall(text)]
        if not 1 < len(words) <= MAX_WORDS_TRIED:
            return []
        most = MOST_CHANGED * sum(map(self._weight, words))
        costs: dict[str, float] = {}
        tried = (_joined(words), *self._shortened(words), *self._filled_frames(words))
        for made in tried:
            if made not in costs:
                others = _TOKEN.findall(made)
                cost = self._distance(words, others)
                if cost <= most and _keeps_its_sense(words, others):
                    costs[made] = cost
        found: list[Offer] = []

        def order(made: str) -> tuple[float, float, str]:
            return costs[made], -difflib.SequenceMatcher(None, text, made).ratio(), made

        for made in sorted(costs, key=order)[:MAX_READ]:
            readings = self.read(made)
            if len(readings) == 1 and all(
                readings[0].meaning != offer.reading.meaning for offer in found
            ):
                found.append(Offer(f"{made[:1].upper()}{made[1:].rstrip('.')}.", readings[0]))
                if len(found) == MAX_OFFERS:
                    break
        return found

    # --------------------------------------------------------------------------- what words say
    def _spelled(self, token: str) -> str:
        """The word, or the known one most like it in letters if no wording uses it."""
        word = token.lower()
        if not word.isalpha() or word in self.lexicon.vocabulary:
            return token
        near = nearest(word, self.lexicon.vocabulary, 1)
        return near[0] if near and _is_slip(word, near[0]) else token

    @cached_property
    def _shares(self) -> dict[str, float]:
        """How large a share of the wordings has each word."""
        texts = [p.text.lower() for p in self.lexicon.phrases if p.word is None]
        counted = Counter(word for text in texts for word in set(re.findall(r"[a-z’']+", text)))
        return {word: count / len(texts) for word, count in counted.items()}

    @cached_property
    def _names(self) -> frozenset[str]:
        """The single words of names."""
        return frozenset(
            word for name in self.lexicon.names_of_things for word in re.findall(r"\w+", name)
        )

    def _weight(self, token: str) -> float:
        """How much a word says: names, numbers and denials most, what stands everywhere least."""
        word = token.lower()
        if not word[:1].isalnum() and not word.startswith("$"):
            return 0.0
        if _denies(word) or _number(word):
            return _WEIGHTY
        if self._shares.get(word, 0) >= _SLIGHT_SHARE or len(word) == 1:
            return _SLIGHT
        return _WEIGHTY if word in self._names else _USUAL

    @cached_property
    def _alike(self) -> dict[str, int]:
        """Words that stand in one list of synonyms by themselves, as one number."""
        found: dict[str, int] = {}
        for number, said in enumerate(self.lexicon.synonyms):
            for one in said:
                found.setdefault(one, number)
        return found

    def _sense(self, token: str) -> str:
        """What a word is compared by: numbers as digits, synonyms alike, plurals as singulars."""
        word = token.lower()
        if word in NUMERALS:
            return str(NUMERALS.index(word) + 1)
        if word in self._alike:
            return f"={self._alike[word]}"
        return re.sub(r"(?<=\w\w)(?:ies|y|e?s)$", "", word)

    def _distance(self, words: Sequence[str], others: Sequence[str]) -> float:
        """How much of what the first say the others do not, and how much they say besides."""
        one, other = ({self._sense(w): self._weight(w) for w in said} for said in (words, others))
        lost = sum(weight for sense, weight in one.items() if sense not in other)
        added = sum(weight for sense, weight in other.items() if sense not in one)
        return lost + added

    # --------------------------------------------------------------------------- texts to try
    def _shortened(self, words: Sequence[str]) -> Iterator[str]:
        """The sentence without up to so many words in a row, or without one of its clauses."""
        for length in range(1, MAX_LEFT_OUT + 1):
            for at in range(len(words) - length + 1):
                yield _joined((*words[:at], *words[at + length :]))
        ends = [at for at, word in enumerate(words) if word in (",", ";", ":", "(", ")", "–")]
        for at in ends:
            yield _joined(words[:at])
            yield _joined(words[at + 1 :])

    def _filled_frames(self, words: Sequence[str]) -> Iterator[str]:
        """The wordings most like a sentence, filled with what can be read of it."""
        stretches = self._stretches(words)
        senses = {self._sense(word): self._weight(word) for word in words}
        frames = sorted(
            (phrase for phrase in self.lexicon.sentences if phrase.slots),
            key=lambda phrase: self._likeness(phrase, senses, stretches),
            reverse=True,
        )
        for phrase in frames[:MAX_FRAMES]:
            yield from _fillings(phrase, stretches)

    def _likeness(
        self, phrase: Phrase, senses: dict[str, float], stretches: dict[str, list[_Stretch]]
    ) -> tuple[float, int]:
        """How much of a sentence a wording may keep, less what it says besides."""
        if any(category not in stretches for _, category in phrase.slots):
            return -1000.0, 0
        own = {
            self._sense(min(forms, key=len)): max(map(self._weight, forms))
            for forms in required_words(canonical_wording(phrase.text))
        }
        kept = sum(senses[sense] for sense in own if sense in senses)
        added = sum(weight for sense, weight in own.items() if sense not in senses)
        filled = sum(
            max(stretch.end - stretch.first for stretch in stretches[category])
            for category in {category for _, category in phrase.slots}
        )
        return kept - added + filled / 2, -len(phrase.text)

    def _stretches(self, words: Sequence[str]) -> dict[str, list[_Stretch]]:
        """For each category of slots the stretches of a sentence that fill it, longest first."""
        found: dict[str, list[_Stretch]] = {}
        for length in range(len(words) - 1, 0, -1):
            for first in range(len(words) - length + 1):
                inner = words[first : first + length]
                if not inner[0][:1].isalnum() and inner[0][:1] != "$":
                    continue
                stretch = _Stretch(first, first + length, _joined(inner))
                for category in self.categories(stretch.text):
                    found.setdefault(category, []).append(stretch)
        return found


def _is_slip(word: str, other: str) -> bool:
    """Is a word so like another that one letter or two were mistaken?"""
    return len(word) > 2 and difflib.SequenceMatcher(None, word, other).ratio() >= 0.8


def _denies(word: str) -> bool:
    return word in _DENIALS or word.endswith(("n't", "n’t"))


def _keeps_its_sense(words: Sequence[str], others: Sequence[str]) -> bool:
    """Do the others deny as often as the first, and have no number that these have not so far?"""
    low, low_others = ([word.lower() for word in said] for said in (words, others))
    if sum(map(_denies, low)) != sum(map(_denies, low_others)):
        return False
    if sum(word in "-−" for word in low) != sum(word in "-−" for word in low_others):
        return False
    left = iter(word.lstrip("$") for word in low if _number(word))
    return all(word.lstrip("$") in left for word in low_others if _number(word))


def _number(word: str) -> bool:
    return word.lstrip("$").isdigit() or word in NUMERALS


def _joined(words: Sequence[str]) -> str:
    """Words as a text, with no blank before a mark of punctuation."""
    text = " ".join(words)
    text = re.sub(r"\s+([,.;:!?%)])", r"\1", text)
    text = re.sub(r"([(+–-])\s+", r"\1", text)
    return re.sub(r"^[,;:\s]+|[,;:\s]+$", "", text)


def _fillings(phrase: Phrase, stretches: dict[str, list[_Stretch]]) -> Iterator[str]:
    """A wording with each of its slots filled with a stretch, none of which overlap."""
    text = canonical_wording(phrase.text)
    slots = dict(phrase.slots)
    names = list(dict.fromkeys(match.group(1) for match in SLOT.finditer(text)))
    options = [stretches.get(slots.get(name, "number"), [])[:MAX_FILLINGS] for name in names]
    sorts = [slots.get(name, "number") for name in names]
    for chosen in islice(product(*options), MAX_FILLINGS**2):
        apart = all(one.is_apart(chosen[:at]) for at, one in enumerate(chosen))
        if apart and _in_order(sorts, chosen):
            yield _filled(text, dict(zip(names, chosen, strict=True)))


def _filled(text: str, chosen: dict[str, _Stretch]) -> str:
    """A wording's text with these stretches in its slots, without its period."""
    return with_articles(SLOT.sub(lambda match: chosen[match.group(1)].text, text)).rstrip(".")


def _in_order(sorts: Sequence[str], chosen: Sequence[_Stretch]) -> bool:
    """Do stretches that fill slots of one sort come in the order they have in the sentence?"""
    last: dict[str, int] = {}
    for sort, stretch in zip(sorts, chosen, strict=True):
        if last.get(sort, -1) > stretch.first:
            return False
        last[sort] = stretch.first
    return True
