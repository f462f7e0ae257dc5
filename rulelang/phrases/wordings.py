"""Wordings: the phrases of a lexicon that are no words, and all that follows from these alone.

Words for titles come and go with cards; that is the same beside any of them.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rulelang.english import FOLDER
from rulelang.phrases.grammar import Said, said_of
from rulelang.phrases.phrase import OPTIONAL, SLOT, Phrase, forms_of
from rulelang.phrases.unparse import Examples, shortest_of

MAX_TEXTS = 1 << 15  # whose words are kept: more than a game has wordings
_SORTS_OF_PLACES = (
    "nearby relation region spot contact moment duration happening event_place adjective deed "
    "whereabouts quantity"
)
_TELLING = frozenset(f"p_{sort}" for sort in _SORTS_OF_PLACES.split())


@dataclass(frozen=True, eq=False)
class Wordings:
    """The sentences and wordings of a ruleset, in their order."""

    phrases: Sequence[Phrase]

    @cached_property
    def sentences(self) -> list[Phrase]:
        """The phrases that are whole sentences, and that something in the game is open to."""
        return list(filter(_is_open_sentence, self.phrases))

    @cached_property
    def has_sentences(self) -> bool:
        """Is there such a phrase? Phrases are made up to the first one only."""
        return any(map(_is_open_sentence, self.phrases))

    @cached_property
    def said(self) -> Mapping[str, Said]:
        """What the grammar has of each phrase, by their identifiers and in their order."""
        return {phrase.id: said_of(phrase) for phrase in self.phrases}

    @cached_property
    def filled(self) -> frozenset[str]:
        """The categories that some phrase is of."""
        return frozenset(phrase.category for phrase in self.phrases)

    @cached_property
    def asked(self) -> frozenset[str]:
        """The categories of the slots that some phrase has."""
        return frozenset(category for phrase in self.phrases for _, category in phrase.slots)

    @cached_property
    def dotted(self) -> frozenset[str]:
        """What ends with a period of its own, without it and in lower case."""
        phrases = (one for one in self.phrases if one.category != "sentence")
        return without_periods(one.text for one in phrases)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Every single word that stands in some phrase, in all its forms and in lower case."""
        return frozenset[str]().union(*(_words_of(phrase.text) for phrase in self.phrases))

    @cached_property
    def telling(self) -> frozenset[str]:
        """The words of phrases that are the game's own, or say where, when or how many."""
        placed = (
            phrase.text
            for phrase in self.phrases
            if phrase.category in _TELLING or not phrase.span.file.startswith(FOLDER)
        )
        return frozenset[str]().union(*map(told_in, placed))

    @cached_property
    def of_one_slot(self) -> Mapping[str, Sequence[Phrase]]:
        """The wordings of definitions that are one slot and nothing else, by its category."""
        found: dict[str, list[Phrase]] = {}
        for phrase in self.phrases:
            categories = {category for _, category in phrase.slots}
            if phrase.define and len(phrase.slots) == 1 and SLOT.fullmatch(phrase.text):
                found.setdefault(categories.pop(), []).append(phrase)
        return found

    @cached_property
    def _examples(self) -> list[Examples]:
        return []

    def examples(self, words: Mapping[str, Phrase]) -> Examples:
        """Texts that its phrases read, with the first word of each category that has one; those
        that were given last, where the words say the same.
        """
        if not self._examples or not self._examples[0].serves(words):
            self._examples[:] = [Examples(words, shortest_of(self.phrases, words))]
        return self._examples[0]


def without_periods(texts: Iterable[str]) -> frozenset[str]:
    """Those of some texts that end with a period, without it and in lower case."""
    return frozenset(text[:-1].lower() for text in texts if text.endswith("."))


@functools.lru_cache(maxsize=MAX_TEXTS)
def _words_of(text: str) -> frozenset[str]:
    """The single words of a text with slots, in all their forms and in lower case."""
    return words_in(SLOT.sub(" ", OPTIONAL.sub(r"\1", text)))


@functools.lru_cache(maxsize=MAX_TEXTS)
def words_in(text: str) -> frozenset[str]:
    """The single words of a wording, in all their forms and in lower case."""
    words = re.findall(r"[^\W\d_][\w'’()-]*(?:/[\w()]+)*", text)
    parts = (part for word in words for part in word.split("/"))
    return frozenset(form.lower() for part in parts for form in forms_of(part))


@functools.lru_cache(maxsize=MAX_TEXTS)
def told_in(text: str) -> frozenset[str]:
    """The words and digits of a text in lower case."""
    return frozenset(re.findall(r"[a-z'’-]+|\d", text.lower()))


def _is_open_sentence(phrase: Phrase) -> bool:
    """Is it a whole sentence that something in the game is open to?"""
    return phrase.pattern is not None and bool(phrase.pattern.extensions)
