"""Reuse: which readings of one lexicon are those of another, as of a game and one of its variants,
or of a game before and after an edit.

What a sentence means follows from what it can be parsed by, from what the phrases it was parsed by
stand for, and from the definitions these call. While it is read it is noted which phrases those
are, and all texts of which it was asked how they are parsed. Where no phrase that one of the two
lexicons lacks has its words in these, and all else is the same but for the numbers of fresh names,
the sentence need not be read again.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from rulelang import core
from rulelang.core.renaming import same_but_fresh_names
from rulelang.english import EPITHET
from rulelang.phrases.grammar import Said, needed_by
from rulelang.phrases.lexicon import Lexicon, title_of
from rulelang.phrases.phrase import Phrase
from rulelang.phrases.wordings import MAX_TEXTS
from rulelang.ruleset import Definition

# What is looked up in the words of a lexicon, beside words without any signs.
_TOKENS = (re.compile(r"[\w'’-]+"), re.compile(r"[^\W\d_][\w'’-]*"))


@dataclass(frozen=True)
class Rests:
    """What a reading rests on: the phrases in any parse of a text, and all texts tried for it."""

    phrases: frozenset[str] = frozenset()
    texts: frozenset[str] = frozenset()


@dataclass
class Notes:
    """What is noted while a text is read; not `whole` if it rests on what is not known."""

    phrases: set[str] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)
    whole: bool = True

    def add(self, rests: Rests | None) -> None:
        """Note what something rests on that is asked for; None if that is not known."""
        if rests is None:
            self.whole = False
        else:
            self.phrases |= rests.phrases
            self.texts |= rests.texts

    def join(self, other: Notes) -> None:
        """Note what was noted there."""
        self.phrases |= other.phrases
        self.texts |= other.texts
        self.whole = self.whole and other.whole

    def rests(self) -> Rests | None:
        """All that was noted, if it is whole."""
        return Rests(frozenset(self.phrases), frozenset(self.texts)) if self.whole else None


class SaidOtherwise:
    """Which texts may be parsed otherwise by the phrases of another lexicon."""

    def __init__(self, one: Lexicon, other: Lexicon) -> None:
        """Whatever is looked up by more than the words of a text must be the same in both."""
        if one.wordings is other.wordings:
            here, there = one.said_of_words, other.said_of_words
            mine, theirs = one.words, other.words
        else:
            here, there = one.said, other.said
            mine, theirs = tuple(one.phrases), tuple(other.phrases)
        differing = [*_lacking(mine, here, there), *_lacking(theirs, there, here)]
        names = {phrase.id for phrase in differing}
        self._is_bounded = (
            (one.synonyms, one.rephrasings) == (other.synonyms, other.rephrasings)
            and (one.filled, one.dotted) == (other.filled, other.dotted)
            and all(phrase.category != f"p_{EPITHET}" for phrase in differing)
            and _but(here, names) == _but(there, names)
        )
        self._words = one.vocabulary ^ other.vocabulary | one.telling ^ other.telling
        self.is_none = self._is_bounded and not differing and not self._words
        ways = needed_by(differing, one.synonyms) if self._is_bounded else []
        self._any = not all(ways)  # such a phrase has no words of its own
        self._ways: dict[str, list[Sequence[frozenset[str]]]] = {}  # by words of one needed set
        if not self._any:
            for way in ways:
                self._file(way)

    def _file(self, way: Sequence[frozenset[str]]) -> None:
        for word in way[0]:
            self._ways.setdefault(word, []).append(way)

    @property
    def is_bounded(self) -> bool:
        """Is there any text that is surely parsed alike?"""
        return self._is_bounded and not self._any

    def may_touch(self, text: str) -> bool:
        """May this text be parsed otherwise?"""
        if not self.is_bounded:
            return True
        if not self._ways and not self._words:
            return False
        words, tokens = _words_in(text)
        if words is None:
            return True
        ways = (way for word in words for way in self._ways.get(word, ()))
        if any(not any(map(words.isdisjoint, way)) for way in ways):
            return True
        return not self._words.isdisjoint(tokens)


@functools.lru_cache(maxsize=MAX_TEXTS)
def _words_in(text: str) -> tuple[frozenset[str] | None, frozenset[str]]:
    """The words of a text and its pairs of words, and these with all that is looked up in the words
    of a lexicon, in lower case; None in place of the words if not all of them can be told so.
    """
    if any(char.isalnum() and not char.isascii() for char in text):  # “ſ” matches “s”, too
        return None, frozenset()
    low = text.lower()
    said = re.findall(r"\w+", low)
    words = frozenset((*said, *map(" ".join, pairwise(said))))
    return words, words.union(*(token.findall(low) for token in _TOKENS))


def _lacking(
    phrases: Iterable[Phrase], said: Mapping[str, Said], others: Mapping[str, Said]
) -> list[Phrase]:
    """The phrases that are not said so elsewhere."""
    return [one for one in phrases if others.get(one.id) != said[one.id]]


def _but(said: Iterable[str], names: Iterable[str]) -> list[str]:
    """What is said without these, in its order."""
    return [name for name in said if name not in names]


class Reuse:
    """Compares how texts are parsed by two lexicons, and what their phrases stand for."""

    def __init__(self, one: Lexicon, other: Lexicon) -> None:
        """Nothing that phrases stand for is compared yet."""
        self.one, self.other = one, other
        self.said = SaidOtherwise(one, other)
        # Two lexicons of one symbol table differ in the words for titles alone.
        self._same_frame = one.symbols is other.symbols and one.made is other.made
        self._known: dict[str, bool] = {}  # by phrase
        self._touched: dict[str, bool] = {}  # by text

    def serves(self, rests: Rests) -> bool:
        """Is what rests on this the same in both?"""
        return not any(map(self.touches, rests.texts)) and all(map(self._same, rests.phrases))

    @cached_property
    def parses_alike(self) -> bool:
        """Is every text parsed alike, by sentences that are open in both, with the same names?"""
        one, other = self.one, self.other
        return (
            self.said.is_none
            and [p.id for p in one.sentences] == [p.id for p in other.sentences]
            and [title_of(p.word) for p in one.nouns] == [title_of(p.word) for p in other.nouns]
        )

    def touches(self, text: str) -> bool:
        """May this text be parsed otherwise?"""
        if text not in self._touched:
            self._touched[text] = self.said.may_touch(text)
        return self._touched[text]

    def _same(self, phrase: str) -> bool:
        if phrase not in self._known:
            self._known[phrase] = self._compared(phrase)
        return self._known[phrase]

    def _compared(self, phrase: str) -> bool:
        """Is a phrase the same in both, with what it was made of and all that this calls?"""
        if phrase not in self.other.by_id:
            return False
        if self._same_frame and self.one.by_id[phrase] is self.other.by_id[phrase]:
            return True
        mine, theirs = _parts(self.one, phrase), _parts(self.other, phrase)
        if not same_but_fresh_names(mine, theirs):
            return False
        one = self.one.by_id[phrase]
        in_pattern = (one.pattern.extensions, one.pattern.told) if one.pattern is not None else ()
        called = {one.define, *_called((one.word, in_pattern, mine))}
        return called.isdisjoint(self._other_definitions)

    @cached_property
    def _other_definitions(self) -> frozenset[str]:
        """The definitions that are not the same in both, and all that call one of them."""
        one, other = self.one.symbols.rules.definitions, self.other.symbols.rules.definitions
        if one is other:
            return frozenset()
        found = {
            name
            for name in one.keys() | other.keys()
            if one.get(name) is not other.get(name)
            and not same_but_fresh_names(_meaning(one.get(name)), _meaning(other.get(name)))
        }
        callers: dict[str, set[str]] = {}
        for name, known in one.items():
            for callee in _called(known.cases):
                callers.setdefault(callee, set()).add(name)
        fresh = list(found)
        while fresh:
            more = callers.get(fresh.pop(), set()) - found
            found |= more
            fresh += more
        return frozenset(found)


def _meaning(definition: Definition | None) -> tuple[object, ...]:
    """All of a definition that a reading may rest on which calls it: not how it reads."""
    if definition is None:
        return ()
    return definition.params, definition.type, definition.cases, definition.clause


def _parts(lexicon: Lexicon, phrase: str) -> tuple[object, ...]:
    """All that is read of a phrase but for the definitions it calls."""
    known = lexicon.by_id[phrase]
    head = lexicon.symbols.heads.get(known.define or "")
    template = lexicon.made.templates.get(known.define or "")
    return known, template, head and (head.params, head.type)


def _called(item: object) -> Iterator[str]:
    """The definitions that core objects call, those whose relation they follow among them."""
    for node in core.walk(item):
        for name, role in node.layout.roles.items():
            if role is core.Role.DEFINITION and getattr(node, name) is not None:
                yield getattr(node, name)
