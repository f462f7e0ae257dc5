"""Reuse: which readings of one lexicon are those of another, as of a game and one of its variants.

What a sentence means follows from the phrases it was parsed by, from what they stand for, and from
the definitions these call. Where all of that is the same in both, but for the numbers of fresh
names, the sentence need not be read again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from rulelang import core
from rulelang.core.renaming import same_but_fresh_names
from rulelang.phrases.lexicon import Lexicon
from rulelang.phrases.phrase import Phrase


class Reuse:
    """Compares what phrases stand for in two lexicons; both have the same grammar."""

    def __init__(self, one: Lexicon, other: Lexicon) -> None:
        """Nothing is compared yet."""
        self.one, self.other = one, other
        self._known: dict[str, bool] = {}  # by phrase

    @cached_property
    def is_possible(self) -> bool:
        """Do the phrases differ in nothing but what they stand for?"""
        one, other = self.one.phrases, self.other.phrases
        return (
            len(one) == len(other)
            and self.one.synonyms == self.other.synonyms
            and self.one.rephrasings == self.other.rephrasings
            and all(map(_are_said_alike, one, other))
        )

    def serves(self, phrases: Iterable[str]) -> bool:
        """Do all these phrases stand for the same in both, through all that they call?"""
        return all(map(self._same, phrases))

    def _same(self, phrase: str) -> bool:
        if phrase not in self._known:
            self._known[phrase] = self._compared(phrase)
        return self._known[phrase]

    def _compared(self, phrase: str) -> bool:
        """Is a phrase the same in both, with what it was made of and all that this calls?"""
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
        found = {
            name
            for name in one.keys() | other.keys()
            if not same_but_fresh_names(one.get(name), other.get(name))
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


def _are_said_alike(one: Phrase, other: Phrase) -> bool:
    """Are two phrases parsed alike, and do they name the same if they are members of kinds?"""
    return (
        (one.id, one.category, one.text, one.slots, one.define)
        == (other.id, other.category, other.text, other.slots, other.define)
        and (one.word_forms, one.first) == (other.word_forms, other.first)
        and (one.pattern is None, one.word is None) == (other.pattern is None, other.word is None)
        and (not isinstance(one.word, core.Const) or same_but_fresh_names(one, other))
    )


def _parts(lexicon: Lexicon, phrase: str) -> tuple[object, ...]:
    """All that is read of a phrase but for the definitions it calls."""
    known = lexicon.by_id[phrase]
    head = lexicon.symbols.heads.get(known.define or "")
    template = lexicon.made.templates.get(known.define or "")
    return known, template, head and (head.params, head.type)


def _called(item: object) -> Iterator[str]:
    """The definitions that core objects call, those whose relation they follow among them."""
    for node in core.walk(item):
        for field, role in node.layout.roles.items():
            if role is core.Role.DEFINITION and getattr(node, field) is not None:
                yield getattr(node, field)
