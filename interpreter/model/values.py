"""Values and what holds for all of them: the stable order, the value of nothing, checked arithmetic, and the fault of rules."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from rulelang.core.types import NUMBER, TRUTH, ListT, SetT, Type

Value = Any
FAR = 999_999  # the distance to what cannot be reached
MAX_SPAN = 100_000  # how far apart the ends of a range may lie


class Fault(Exception):
    """The rules came to a point they do not provide for; says which clause and why."""


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


def quotient(top: int, bottom: int, up: bool) -> int:
    """A division rounded up or down; raises Fault if it is one by 0."""
    if bottom == 0:
        raise Fault("a division by 0")
    return -(-top // bottom) if up else top // bottom


def span(low: int, high: int) -> frozenset[int]:
    """The whole numbers from one to another; raises Fault if they are very many."""
    if high - low > MAX_SPAN:
        raise Fault(f"a range of {high - low + 1} numbers")
    return frozenset(range(low, high + 1))


def ordered(values: Value) -> list[Value]:
    """The members of a set or list in the stable order: lists as they are, numbers by size, sets of sets by their members."""
    if isinstance(values, tuple):
        return list(values)
    if any(
        isinstance(value, frozenset) for value in values
    ):  # sets have an order of their own, by inclusion, that is no order of a list
        if (
            isinstance(values, frozenset)
            and {*map(type, values)} == {frozenset}
            and {*map(type, frozenset().union(*values))} <= {int}
        ):
            return list(_sets_in_order(values))
        return sorted(values, key=_key)
    try:
        return sorted(values)
    except TypeError:
        return sorted(values, key=_key)


@lru_cache(maxsize=64)  # the ways to lie on a board are asked for again and again
def _sets_in_order(values: frozenset[frozenset[int]]) -> tuple[frozenset[int], ...]:
    """Sets of numbers in the order that `_key` gives them."""
    return tuple(sorted(values, key=lambda value: (len(value), sorted(value))))


def _key(value: Value) -> Any:
    if isinstance(value, frozenset):
        return (2, len(value), sorted(_key(v) for v in value))
    if isinstance(value, tuple):
        return (3, len(value), [_key(v) for v in value])
    if value is None:
        return (0, 0, [])
    return (1, 0, [value])
