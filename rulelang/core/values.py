"""The values that expressions have: one closed union, their stable order and what is asked of none.

Also plain data as JSON has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias, TypeVar

from rulelang.core.types import NUMBER, TRUTH, ListT, SetT, Type

# A number (also the index of a piece, site, player or member of a kind), a truth, a text or shape,
# none, a set, or a list (also a pair and the ordered cells of a tile).
Value: TypeAlias = "int | str | frozenset[Value] | tuple[Value, ...] | None"

# What a set or list holds is asked for in the same way.
Members: TypeAlias = "frozenset[Value] | tuple[Value, ...]"

# Data that is written as JSON; read only, so that a list of texts is one too.
Json: TypeAlias = "Mapping[str, Json] | Sequence[Json] | str | int | float | None"

T = TypeVar("T")
_Key: TypeAlias = "int | str | tuple[int, int, list[_Key]]"
FAR = 999_999  # the distance to what cannot be reached


def number(value: object) -> int:
    """A value that is a number (also an index, or a truth); any other raises TypeError."""
    if isinstance(value, int):
        return value
    raise TypeError(f"{value!r} is no number")


def number_or_none(value: object) -> int | None:
    """A value that is a number or none; any other raises TypeError."""
    return None if value is None else number(value)


def text(value: object) -> str:
    """A value that is a text; any other raises TypeError."""
    if isinstance(value, str):
        return value
    raise TypeError(f"{value!r} is no text")


def members(value: object) -> Members:
    """A value that is a set or a list; any other raises TypeError."""
    if isinstance(value, frozenset | tuple):
        return value
    raise TypeError(f"{value!r} has no members")


def numbers(value: object) -> list[int]:
    """The numbers in a set or list in the stable order, none aside; else raises TypeError."""
    return [x for x in ordered(members(value)) if isinstance(x, int)]


def nothing_of(t: Type) -> Value:
    """What is asked of none: false, 0, the empty set or list, none."""
    if t == TRUTH:
        return False
    if t == NUMBER:
        return 0
    if isinstance(t, SetT):
        return frozenset()
    if isinstance(t, ListT):
        return ()
    return None


def ordered(values: Iterable[T]) -> list[T]:
    """The members of a set or list in the stable order: a list as it is, numbers by size, sets of
    sets by their sizes and members."""
    if isinstance(values, tuple):
        return list(values)
    # Sets have an order of their own, by inclusion, that is no order of a list.
    if any(isinstance(value, frozenset) for value in values):
        if (
            isinstance(values, frozenset)
            and {*map(type, values)} == {frozenset}
            and {*map(type, frozenset().union(*values))} <= {int}
        ):
            return list(_sets_in_order(values))  # type: ignore[arg-type]  # its members are T
        return sorted(values, key=_key)
    try:
        # Members without an order among them, such as a number and none, raise the TypeError below.
        return sorted(values)  # type: ignore[type-var]
    except TypeError:
        return sorted(values, key=_key)


@lru_cache(maxsize=64)  # the ways to lie on a board are asked for again and again
def _sets_in_order(values: frozenset[frozenset[int]]) -> tuple[frozenset[int], ...]:
    """Sets of numbers in the order that `_key` gives them."""
    return tuple(sorted(values, key=lambda value: (len(value), sorted(value))))


def _key(value: object) -> tuple[int, int, list[_Key]]:
    """What values are put in order by: none first, then numbers and texts, sets and lists."""
    if isinstance(value, frozenset):
        return (2, len(value), sorted(_key(v) for v in value))
    if isinstance(value, tuple):
        return (3, len(value), [_key(v) for v in value])
    if value is None:
        return (0, 0, [])
    return (1, 0, [value])  # type: ignore[list-item]  # a number or text
