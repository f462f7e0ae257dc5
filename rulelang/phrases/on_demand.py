"""Sequences whose members have names, and are made when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias, TypeVar, overload

T_co = TypeVar("T_co", covariant=True)
Slice: TypeAlias = "slice[int | None, int | None, int | None]"


class OnDemand(Sequence[T_co]):
    """Members in the order of their names, which are all different."""

    def __init__(self, names: Sequence[str], make: Callable[[int], T_co]) -> None:
        """`make` gives the member at a place."""
        self._names, self._make = tuple(names), make
        self._made: dict[int, T_co] = {}

    @overload
    def __getitem__(self, index: int) -> T_co: ...
    @overload
    def __getitem__(self, index: Slice) -> Sequence[T_co]: ...
    def __getitem__(self, index: int | Slice) -> T_co | Sequence[T_co]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        place = range(len(self))[index]
        if place not in self._made:
            self._made[place] = self._make(place)
        return self._made[place]

    def __len__(self) -> int:
        return len(self._names)

    @property
    def by_name(self) -> Mapping[str, T_co]:
        """The members by their names."""
        return _ByName(self, {name: place for place, name in enumerate(self._names)})


class _ByName(Mapping[str, T_co]):
    def __init__(self, members: Sequence[T_co], places: Mapping[str, int]) -> None:
        self._members, self._places = members, places

    def __getitem__(self, name: str) -> T_co:
        return self._members[self._places[name]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
