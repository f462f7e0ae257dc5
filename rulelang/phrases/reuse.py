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
from rulelang.phrases.wordings import MAX_TEXTS, Wordings
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


class OtherWordings:
    """The wordings that are said otherwise in one lexicon than in another."""

    def __init__(self, one: Wordings, other: Wordings) -> None:
        """They are compared by what the grammar has of them, one after another."""
        self.one, self.other = one, other
        self.differing: list[Phrase] = []
        self.same_order = True
        if one is not other:
            here, there = one.said, other.said
            lacking = _lacking(one.phrases, here, there), _lacking(other.phrases, there, here)
            self.differing = [*lacking[0], *lacking[1]]
            names = {phrase.id for phrase in self.differing}
            self.same_order = _but(here, names) == _but(there, names)

    def of(self, one: Lexicon, other: Lexicon) -> bool:
        """Are these the wordings of two lexicons?"""
        return self.one is one.wordings and self.other is other.wordings


class SaidOtherwise:
    """Which texts may be parsed otherwise by the phrases of another lexicon."""

    def __init__(self, one: Lexicon, other: Lexicon, wordings: OtherWordings | None = None) -> None:
        """Whatever is looked up by more than the words of a text must be the same in both.

        What ends with a period of its own is not: a text that ends so has the words of it.
        `wordings` is how their wordings differ, where that is known.
        """
        if wordings is None or not wordings.of(one, other):
            wordings = OtherWordings(one.wordings, other.wordings)
        self.wordings = wordings
        here, there = one.said_of_words, other.said_of_words
        words = [*_lacking(one.words, here, there), *_lacking(other.words, there, here)]
        differing = [*wordings.differing, *words]
        names = {phrase.id for phrase in words}
        self._is_bounded = (
            (one.synonyms, one.rephrasings) == (other.synonyms, other.rephrasings)
            and one.filled == other.filled
            and all(phrase.category != f"p_{EPITHET}" for phrase in differing)
            and wordings.same_order
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
        if self._ways.keys().isdisjoint(words):
            return not self._words.isdisjoint(tokens)
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

    def __init__(self, one: Lexicon, other: Lexicon, before: Reuse | None = None) -> None:
        """What phrases stand for is compared when it is asked for; what was compared `before`, of
        these frames beside other titles, is known.
        """
        self.one, self.other = one, other
        is_known = before is not None and _same_frame(before.one, one)
        is_known = is_known and before is not None and _same_frame(before.other, other)
        known = before if is_known else None
        wordings = known.said.wordings if known is not None else None
        self.said: SaidOtherwise = SaidOtherwise(one, other, wordings)
        # Two lexicons of one symbol table differ in the words for titles alone.
        self._same_frame = _same_frame(one, other)
        self._known: dict[str, bool] = {}  # by phrase
        self._alike: set[str] = set()  # the phrases that are the same
        self._touched: dict[str, bool] = {}  # by text
        self._untouched: set[str] = set()  # the texts that are parsed alike
        if self._same_frame:
            there = other.by_id
            self._alike.update(n for n, phrase in one.by_id.items() if there.get(n) is phrase)
        if known is not None:
            self._take_over(known)

    def _take_over(self, before: Reuse) -> None:
        """Take over what was compared of phrases that are the very same in both lexicons."""
        mine, mine_before = self.one.by_id, before.one.by_id
        theirs, theirs_before = self.other.by_id, before.other.by_id
        for name, is_same in before._known.items():
            if mine.get(name) is mine_before.get(name) and (
                theirs.get(name) is theirs_before.get(name)
            ):
                self._known[name] = is_same
        self._alike.update(name for name, is_same in self._known.items() if is_same)
        if "_other_definitions" in vars(before):
            self.__dict__["_other_definitions"] = before._other_definitions

    def serves(self, rests: Rests) -> bool:
        """Is what rests on this the same in both?"""
        return (rests.texts <= self._untouched or not any(map(self.touches, rests.texts))) and (
            rests.phrases <= self._alike or all(map(self._same, rests.phrases))
        )

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
            if not self._touched[text]:
                self._untouched.add(text)
        return self._touched[text]

    def _same(self, phrase: str) -> bool:
        if phrase in self._alike:
            return True
        if phrase not in self._known:
            self._known[phrase] = self._compared(phrase)
            if self._known[phrase]:
                self._alike.add(phrase)
        return self._known[phrase]

    def _compared(self, phrase: str) -> bool:
        """Is a phrase the same in both, with what it was made of and all that this calls?"""
        if phrase not in self.other.by_id:
            return False
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


def _same_frame(one: Lexicon, other: Lexicon) -> bool:
    """Are two lexicons of one symbol table, perhaps beside other titles?"""
    return one.symbols is other.symbols and one.made is other.made


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
