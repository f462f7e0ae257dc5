"""Near misses: why a sentence cannot be read, with suggestions of what would mend it.

Unknown words and names get the nearest known ones (by spelling), or a wording that can be read in
their place; a sentence of known words is told where it fails and which phrases are most like it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from lark.exceptions import UnexpectedInput

from rulelang.diagnostics import Report, nearest
from rulelang.diagnostics.source import Span
from rulelang.phrases.earley import EarleyParser
from rulelang.phrases.grammar import JOINING
from rulelang.phrases.lexicon import Lexicon
from rulelang.phrases.offers import Offer, Offers
from rulelang.phrases.phrase import (
    SLOT,
    Phrase,
    canonical_wording,
    expand_optional,
    regex_of,
    required_words,
    words_of_regex,
)
from rulelang.ruleset import Design

MAX_BETWEEN = 2  # words between an unknown one and the noun that a wording is to stand before
MAX_WORDINGS = 3  # suggested in place of an unknown word
_SLOT_BEFORE_SLOT = re.compile(r"\{(\w+)\} \{\w+\}")
MAX_EXPECTED = 8  # of what could stand where a sentence fails
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_NAME = re.compile(  # words written as titles are; the first word of a sentence is none
    r"(?<=\s)(?:“[^”]+”|[A-Z][\w'’-]*(?: (?:of |the )*[A-Z][\w'’-]*)*)"
)

Place = tuple[int, int]  # where a stretch of the sentence begins and ends


@dataclass(frozen=True, eq=False)
class NearMisses:
    """Diagnoses sentences that a lexicon's parser cannot read."""

    lexicon: Lexicon
    parser: EarleyParser
    offers: Offers
    _readable: set[str] = field(default_factory=set)  # memo: texts without unknown words

    # --------------------------------------------------------------------------- unknown words
    def report_unknown(self, text: str, span: Span, design: Design | None, report: Report) -> bool:
        """Report the first word or name of a text that no phrase uses, with the others; was there
        any?
        """
        if text in self._readable:
            return False
        names = self._unknown_names(text)
        words = [
            match.span()
            for match in _WORD.finditer(text)
            if not self._is_known(match.group(0).lower())
            and not any(at <= match.start() < end for at, end in names)
        ]
        found = sorted([*names, *words])
        if not found:
            self._readable.add(text)
            return False
        others = [f"“{text[slice(*place)].strip('“”')}”" for place in found[1:]]
        notes = [f"nor is this known: {', '.join(others)}"] if others else []
        if found[0] in names:
            self._report_name(text, found[0], span, notes, report)
        else:
            wordings = self._wordings_in_place(text, found[0])
            if wordings:  # the sentence is read with them, so no other is told
                fix: str | None = f"Write {' or '.join(f'“{wording}”' for wording in wordings)}"
            else:
                fix = self._nearest_word(text, found[0])
                notes += self.nearest_phrases(text, design)
            word = text[slice(*found[0])]
            report.add("unknown-word", _within(span, found[0]), word=word, fix=fix, notes=notes)
        return True

    def _is_known(self, word: str) -> bool:
        """Is this a word of some phrase, or made of such words by hyphens?"""
        vocabulary = self.lexicon.vocabulary
        return word in vocabulary or all(part in vocabulary for part in re.split(r"(?<=-)", word))

    def _report_name(
        self, text: str, place: Place, span: Span, notes: list[str], report: Report
    ) -> None:
        name = text[slice(*place)].strip("“”")
        words = {phrase.text for phrase in self.lexicon.phrases if phrase.word is not None}
        near = nearest(name, words)
        fix = "Did you mean " + " or ".join(f"“{w}”" for w in near) + "?" if near else None
        report.add("unknown-noun", _within(span, place), name=name, fix=fix, notes=notes)

    def _wordings_in_place(self, text: str, place: Place) -> list[str]:
        """Wordings with which the whole sentence is read in place of an unknown word; none if it is
        read with a word that is near in spelling.
        """
        rest = len(text) - place[1]
        if any(reached >= rest for reached in self._reached_with(text, place).values()):
            return []
        return self._wordings_for(text, place)

    def _nearest_word(self, text: str, place: Place) -> str | None:
        """Words near in spelling to an unknown one; if there are some with which the sentence is
        read beyond its place, these alone.
        """
        reach = self._reached_with(text, place)
        options = [word for word, reached in reach.items() if reached >= 0] or list(reach)
        return f"Did you mean {' or '.join(f'“{word}”' for word in options)}?" if options else None

    def _reached_with(self, text: str, place: Place) -> dict[str, int]:
        """How far behind an unknown word the sentence is read with each word near in spelling."""
        at, end = place
        near = nearest(text[at:end].lower(), self.lexicon.vocabulary)
        said = {word: self._read_up_to(text[:at] + word + text[end:]) for word in near}
        return {word: reached - at - len(word) for word, reached in said.items()}

    def _unknown_names(self, text: str) -> list[Place]:
        """Where something unknown is named: words written as titles are, where a noun is read."""
        found = [
            match.span()
            for match in _NAME.finditer(text)
            if any(
                word.lower() not in self.lexicon.vocabulary
                for word in _WORD.findall(match.group(0))
            )
        ]
        samples = {phrase.category: phrase.text for phrase in self.lexicon.nouns} if found else {}
        for sample in samples.values():
            made, ends, last = "", list[int](), 0
            for at, end in found:
                made += text[last:at] + sample
                ends.append(len(made))
                last = end
            read = self._read_up_to(made + text[last:])
            taken = [place for place, end in zip(found, ends, strict=True) if end <= read]
            if taken:
                return taken
        return []

    def _read_up_to(self, text: str) -> int:
        """How many characters of a sentence can be read."""
        try:
            self.parser.parse(text)
        except UnexpectedInput:
            failed = self.parser.failure(text)
            if failed is not None and failed.at is not None:
                return failed.at
        return len(text)

    def _is_read(self, text: str) -> bool:
        """Can a whole sentence be parsed? That is found out far sooner than how far it can be."""
        try:
            self.parser.parse(text.rstrip(" .") + ".")
        except UnexpectedInput:
            return False
        return True

    # ---------------------------------------------------------- wordings in place of unknown words
    def _wordings_for(self, text: str, place: Place) -> list[str]:
        """The sentence with a readable wording in place of unknown words before a noun.

        Each definition is suggested in one wording.
        """
        noun = self._first_noun(text[place[1] :])
        if noun is None:
            return []
        at, (first, last) = place[1], noun
        name, between = text[at + first : at + last], text[at : at + first].split()
        if len(between) > MAX_BETWEEN:
            return []
        fillings = dict.fromkeys([" ".join([*between[-1:], name]), name])  # article or none
        start, end = text[: place[0]], text[at + last :]
        found: dict[str | None, str] = {}
        for phrase, ends in self._wordings_before_nouns(start):
            if phrase.define in found:
                continue
            for filling in fillings:
                made = start + _shortest(phrase, filling) + (end if ends else f" {filling}{end}")
                if made not in found.values() and self._is_read(made):
                    found[phrase.define] = made
                    break
            if len(found) == MAX_WORDINGS:
                break
        return list(found.values())

    def _wordings_before_nouns(self, start: str) -> Iterator[tuple[Phrase, bool]]:
        """Wordings that may stand between these words and a noun, and whether they take it in.

        First come those that say how things lie to one another, as a word before a noun mostly
        does.
        """
        relations = {
            dict(phrase.slots)[match.group(1)]
            for phrase in self.lexicon.phrases
            if (match := _SLOT_BEFORE_SLOT.fullmatch(phrase.text)) is not None
        }
        for phrase in self.lexicon.phrases:
            only_numbers = all(category == "number" for _, category in phrase.slots)
            if phrase.category in relations and phrase.word is None and only_numbers:
                yield phrase, False
        categories = self._categories_after(start)
        for phrase in self.lexicon.phrases:
            if _takes_one_noun_at_end(phrase, categories):
                yield phrase, True

    def _first_noun(self, text: str) -> Place | None:
        """Where the first noun of a text stands, the longest of several there."""
        places = [
            (match.start(), -match.end())
            for phrase in self.lexicon.phrases
            if phrase.word is not None
            for match in re.finditer(
                "|".join(regex_of(form) for form in phrase.word_forms), text, re.IGNORECASE
            )
        ]
        if not places:
            return None
        start, end = min(places)
        return start, -end

    def _categories_after(self, start: str) -> set[str]:
        """The categories of phrases that can follow the first words of a sentence."""
        start = re.sub(r"\d+", "0", start.strip())
        found = set(self._slots_after(start))
        inner = found
        while inner:  # a phrase that is only a slot lets in what fills it
            inner = {
                category
                for phrase in self.lexicon.phrases
                if phrase.category in inner and phrase.is_bare_slot
                for _, category in phrase.slots
            } - found
            found |= inner
        return found

    def _slots_after(self, start: str) -> Iterator[str]:
        """The categories of the slots before which a sentence has exactly these words."""
        for phrase in self.lexicon.sentences:
            for text in expand_optional(phrase.text):
                for match in SLOT.finditer(text):
                    before = regex_of(SLOT.sub("0", text[: match.start()]))
                    if re.fullmatch(before, start, re.IGNORECASE):
                        yield dict(phrase.slots).get(match.group(1), "")

    # ------------------------------------------------------------------- sentences of known words
    def nearest_phrases(self, text: str, design: Design | None) -> list[str]:
        """What would be read in place of a text, as notes; else up to two sentences of the lexicon
        that share most words with it.
        """
        return [_offered(one) for one in self.offers.near(text, design)] or self._sentences_like(
            text
        )

    def _sentences_like(self, text: str) -> list[str]:
        wanted = set(re.findall(r"[a-z'’-]+", text.lower()))
        scored = []
        for phrase, own in self._required:
            found = len(own) - sum(map(wanted.isdisjoint, own))
            scored.append((-found / (len(own) or 1), -found, phrase.text, phrase))
        scored.sort(key=lambda item: item[:3])
        near = [phrase for score, _, _, phrase in scored[:2] if score < -0.2]
        texts = (self.lexicon.examples.of(phrase) for phrase in near)
        return [f"a sentence like it: “{text}”" for text in dict.fromkeys(texts)]

    def report_no_reading(
        self, text: str, span: Span, design: Design | None, report: Report
    ) -> None:
        """Report where a sentence of known words fails, and what could stand there."""
        at, failed = len(text), self.parser.failure(text)
        if failed is not None and failed.at is not None:
            at = failed.at
            at += len(text[at:]) - len(text[at:].lstrip(" "))
        end = max(at + 1, len(text))
        read = text[:at].strip()
        expected = self._expected(failed.terminals if failed is not None else frozenset())
        notes = [f"read so far: “{read}”"] if read else []
        notes += [f"here could stand: {expected}"] if expected else []
        report.add(
            "no-reading",
            _within(span, (at, end)),
            notes=notes + self.nearest_phrases(text, design),
            failed=text[at:] or "the end of the sentence",
            fix=self._without_quotes(text),
        )

    def _without_quotes(self, text: str) -> str | None:
        """Advice to leave the quotes out, if the sentence is read without them."""
        bare = re.sub("[\"'“”‘’](?!\\w)|(?<!\\w)[\"'“”‘’]", " ", text)
        if bare == text or not self._is_read(bare):
            return None
        return "Leave the quotes out: a name stands by itself."

    @cached_property
    def _called(self) -> frozenset[str]:
        """The names of things as they are matched, in words."""
        forms = {form for phrase in self.lexicon.nouns for form in phrase.word_forms}
        return frozenset(words_of_regex(regex_of(form)) for form in forms)

    @cached_property
    def _required(self) -> Sequence[tuple[Phrase, Sequence[frozenset[str]]]]:
        """The sentences, each with the words that it needs in their forms."""
        found = ((phrase, required_words(phrase.text)) for phrase in self.lexicon.sentences)
        return [(phrase, tuple(map(frozenset, own))) for phrase, own in found]

    def _expected(self, terminals: frozenset[str]) -> str:
        """What these terminals match, in words; of several names only one is given."""
        table = self.parser.terminals
        told = {words_of_regex(table.get(name, "")) for name in terminals - JOINING}
        words = sorted(word for word in told if word[:1].isalnum())
        called = self._called
        names = [f"“{word}”" for word in words if word in called]
        if len(names) > 1:
            names = [f"a name such as {names[0]}"]
        others = [w if w == "a number" else f"“{w}”" for w in words if w not in called]
        more = " …" if len(others) + len(names) > MAX_EXPECTED else ""
        return ", ".join(others[: MAX_EXPECTED - len(names)] + names) + more


def _offered(offer: Offer) -> str:
    """An offer as a note, with the words that it leaves out."""
    left = ", ".join(f"“{words}”" for words in offer.left_out)
    return f"this would be read: “{offer.text}”" + (f" – without {left}" if left else "")


def _takes_one_noun_at_end(phrase: Phrase, categories: set[str]) -> bool:
    """Is it a wording of one of these categories with one slot that is no number, at its end?"""
    return (
        phrase.category.startswith("p_")
        and phrase.category in categories
        and not phrase.is_bare_slot
        and phrase.text.endswith("}")
        and len([category for _, category in phrase.slots if category != "number"]) == 1
    )


def _shortest(phrase: Phrase, noun: str) -> str:
    """The phrase without its optional words, with 2 for each number and this noun."""
    fillings = {name: "2" if category == "number" else noun for name, category in phrase.slots}
    text = canonical_wording(min(expand_optional(phrase.text), key=len))
    return " ".join(SLOT.sub(lambda match: fillings[match.group(1)], text).split())


def _within(span: Span, place: Place) -> Span:
    """The span of a stretch of a sentence that stands on one line."""
    at, end = place
    return Span(span.file, span.line, span.column + at, span.line, span.column + end)
