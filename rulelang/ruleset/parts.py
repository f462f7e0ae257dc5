"""The parts of a ruleset as queries, and a ruleset that records which of them are read.

A part that was compiled again is what it was if nothing differs but the numbers of fresh names and
where it stands in its text.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import TYPE_CHECKING, SupportsIndex, TypeAlias, TypeVar, overload

from rulelang.core.renaming import same_but_fresh_names
from rulelang.queries.database import Database, Query
from rulelang.ruleset.ruleset import Ruleset

if TYPE_CHECKING:
    from _collections_abc import dict_items, dict_keys, dict_values

V = TypeVar("V")
Place: TypeAlias = "SupportsIndex | None"
Stretch: TypeAlias = "slice[Place, Place, Place]"
D = TypeVar("D")
PartName = tuple[str, str]  # a field of a ruleset and a name there; without a name, all of it


class Parts(Query[PartName, object]):
    """The parts of the ruleset of this revision, by their names; None of what is not there."""

    def __init__(self, database: Database) -> None:
        """There is nothing yet."""
        super().__init__(database)
        self.rules = Ruleset()

    def note(self, field: str, name: str) -> None:
        """Record that a part is read."""
        part = (field, name)
        if self.database.is_new(part):
            self(part)

    def work(self, key: PartName) -> object:
        """The part as it is."""
        field, name = key
        if not field:
            return tuple(v for v in vars(self.rules).values() if not isinstance(v, dict | list))
        held = vars(self.rules)[field]
        if isinstance(held, dict):
            return held.get(name) if name else tuple(held.items())
        return tuple(held)

    def same(self, one: object, other: object) -> bool:
        """Do two parts mean the same?

        Of a whole field its members are compared each by itself: nothing is bound in one of them
        that stands in another.
        """
        return is_same_part(one, other)


def is_same_part(one: object, other: object) -> bool:
    """Do two parts mean the same, even of two rulesets?"""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_is_same_member, one, other))
    return _is_same(one, other)


def _is_same_member(one: object, other: object) -> bool:
    match one, other:
        case (str(name), held), (str(same), there):  # of a mapping
            return name == same and _is_same(held, there)
        case _:
            return _is_same(one, other)


def _is_same(one: object, other: object) -> bool:
    return one is other or same_but_fresh_names(one, other, spans=False)


SETTING: PartName = ("", "")  # all that is neither by name nor in a list


def recording(parts: Parts) -> Ruleset:
    """The ruleset of this revision, where whatever reads a part of it is known to rest on that.

    What reads none of its mappings and lists has to ask for `SETTING`.
    """
    made = copy(parts.rules)
    for field, held in vars(parts.rules).items():
        if isinstance(held, dict):
            made.__dict__[field] = _Mapping(held, field, parts)
        elif isinstance(held, list):
            made.__dict__[field] = _List(held, field, parts)
    return made


class _Mapping(dict[str, V]):
    """A mapping by names that notes what is read."""

    def __init__(self, held: dict[str, V], field: str, parts: Parts) -> None:
        super().__init__(held)
        self._field, self._parts = field, parts

    def _all(self) -> None:
        self._parts.note(self._field, "")

    def __getitem__(self, name: str) -> V:
        self._parts.note(self._field, name)
        return super().__getitem__(name)

    @overload
    def get(self, name: str, default: None = None, /) -> V | None: ...
    @overload
    def get(self, name: str, default: V, /) -> V: ...
    @overload
    def get(self, name: str, default: D, /) -> V | D: ...
    def get(self, name: str, default: V | D | None = None, /) -> V | D | None:
        self._parts.note(self._field, name)
        return super().get(name, default)

    def __contains__(self, name: object) -> bool:
        self._parts.note(self._field, str(name))
        return super().__contains__(name)

    def __iter__(self) -> Iterator[str]:
        self._all()
        return super().__iter__()

    def __len__(self) -> int:
        self._all()
        return super().__len__()

    def keys(self) -> dict_keys[str, V]:
        self._all()
        return super().keys()

    def values(self) -> dict_values[str, V]:
        self._all()
        return super().values()

    def items(self) -> dict_items[str, V]:
        self._all()
        return super().items()


class _List(list[V]):
    """A list that notes that it is read."""

    def __init__(self, held: list[V], field: str, parts: Parts) -> None:
        super().__init__(held)
        self._field, self._parts = field, parts

    def _all(self) -> None:
        self._parts.note(self._field, "")

    def __iter__(self) -> Iterator[V]:
        self._all()
        return super().__iter__()

    def __len__(self) -> int:
        self._all()
        return super().__len__()

    def __contains__(self, item: object) -> bool:
        self._all()
        return super().__contains__(item)

    @overload
    def __getitem__(self, at: SupportsIndex) -> V: ...
    @overload
    def __getitem__(self, at: Stretch) -> list[V]: ...
    def __getitem__(self, at: SupportsIndex | Stretch) -> V | list[V]:
        self._all()
        return super().__getitem__(at)
