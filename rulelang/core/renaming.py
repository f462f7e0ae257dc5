"""Renaming: are two trees one but for the numbers of the fresh names they bind?

A fresh name is a name, "~" and a number. Everything else is compared, what stands outside equality
too: types, spans and the names of clauses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import is_dataclass

from rulelang.core.visit import Node, Role
from rulelang.diagnostics.source import Span

_NAMES = frozenset({Role.BINDER, Role.NAME, Role.BINDING})


def same_but_fresh_names(one: object, other: object, spans: bool = True) -> bool:
    """Does one tree become the other if its fresh names get other numbers, each name another one?

    Values of records that are no nodes are compared field by field, all else by equality; without
    `spans` it does not matter where in a text they stand.
    """
    if one is other:
        return True
    renaming = _Renaming(spans, skips=True)
    is_same = renaming.same(one, other)
    if is_same and renaming.may_have_missed:
        return _Renaming(spans).same(one, other)
    return is_same


def but_fresh_names(item: object) -> str:
    """A tree as text, the same of two trees if they are one but for the numbers of the fresh names
    and for where in a text they stand.
    """
    return "".join(_Written().of(item))


class _Written:
    """Which number a fresh name has in the text: how many others came before it."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def of(self, item: object) -> Iterator[str]:
        """What is written of something."""
        if isinstance(item, Span):
            return
        if isinstance(item, Node):
            roles = item.layout.roles.items()
            fields = [(vars(item)[name], role in _NAMES) for name, role in roles]
        elif isinstance(item, tuple):
            fields = [(part, False) for part in item]
        elif is_dataclass(item):
            fields = [(part, False) for part in _values(item)]
        else:
            said = sorted(map(repr, item)) if isinstance(item, frozenset) else item
            yield f"{type(item).__name__} {said!r}"
            return
        yield f"{type(item).__name__}("
        for part, is_name in fields:
            yield from self._names(part) if is_name else self.of(part)
            yield ","
        yield ")"

    def _names(self, item: object) -> Iterator[str]:
        """What is written of a field in which names stand, perhaps beside expressions."""
        if isinstance(item, str):
            said, mark, _ = item.partition("~")
            number = self.numbers.setdefault(item, len(self.numbers)) if mark else ""
            yield repr(f"{said}{mark}{number}")
        elif isinstance(item, tuple):
            yield "("
            for part in item:
                yield from self._names(part)
                yield ","
            yield ")"
        else:
            yield from self.of(item)


class _Renaming:
    """Which fresh name of one tree is which of the other.

    Nodes that are one and the same are skipped if told so: names in them keep their numbers, so
    that nothing is missed as long as all others do.
    """

    def __init__(self, spans: bool, skips: bool = False) -> None:
        self.spans, self.skips = spans, skips
        self.has_skipped = False
        self.there: dict[str, str] = {}
        self.back: dict[str, str] = {}

    @property
    def may_have_missed(self) -> bool:
        """Was something skipped, though names have other numbers elsewhere?"""
        return self.has_skipped and any(a != b for a, b in self.there.items())

    def same(self, one: object, other: object) -> bool:
        """Is this stretch of the two trees the same?"""
        if type(one) is not type(other):
            return False
        if isinstance(one, Node):
            if one is other and self.skips:
                self.has_skipped = True
                return True
            return self._same_fields(one, other)
        if self._is_span(one):
            return True
        if isinstance(one, tuple) and isinstance(other, tuple):
            return len(one) == len(other) and all(map(self.same, one, other))
        if is_dataclass(one):
            return one is other or all(map(self.same, _values(one), _values(other)))
        return one == other

    def _same_fields(self, one: Node, other: object) -> bool:
        """Are the fields of two nodes of one class the same?"""
        mine, theirs = vars(one), vars(other)
        for name, role in one.layout.roles.items():
            a, b = mine[name], theirs[name]
            if role is Role.DATA:
                same = a is b or (type(a) is type(b) and (self._is_span(a) or a == b))
            elif role in _NAMES:
                same = self._same_names(a, b)
            else:
                same = a is b is None or self.same(a, b)
            if not same:
                return False
        return True

    def _is_span(self, a: object) -> bool:
        """Is it where something stands, which is not compared?"""
        return isinstance(a, Span) and not self.spans

    def _same_names(self, one: object, other: object) -> bool:
        """Is what a field says the same, in which names stand, perhaps beside expressions?"""
        if isinstance(one, str) and isinstance(other, str):
            return self._same_name(one, other)
        if isinstance(one, tuple) and isinstance(other, tuple):
            return len(one) == len(other) and all(map(self._same_names, one, other))
        return self.same(one, other)

    def _same_name(self, one: str, other: str) -> bool:
        """Is it the same name, or are these fresh ones that stand for each other throughout?"""
        (said, mark, _), (said_there, mark_there, _) = one.partition("~"), other.partition("~")
        if (said, mark) != (said_there, mark_there):
            return False
        return not mark or (
            self.there.setdefault(one, other) == other and self.back.setdefault(other, one) == one
        )


def _values(record: object) -> tuple[object, ...]:
    """What stands in the fields of a record that is no node."""
    return tuple(vars(record).values())
