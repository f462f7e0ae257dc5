"""How results are kept: within a position, while nothing that they read changes."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Protocol, TypeVar

from interpreter.model.position import Position

G = TypeVar("G")
V = TypeVar("V")
_MISSING = object()


class Keep(Protocol):
    """Gives a function that keeps the results of another."""

    def __call__(self, find: Callable[[Position, G], V], /) -> Callable[[Position, G], V]: ...


def settled(find: Callable[[Position, G], V]) -> Callable[[Position, G], V]:
    """The same function, of what no change can touch and of few values: it is kept for ever."""
    known: dict[G, V] = {}

    def recalled(s: Position, given: G) -> V:
        found = known.get(given, _MISSING)
        if found is _MISSING:
            found = known[given] = find(s, given)
        return found  # type: ignore[return-value]  # it is not what stands for nothing

    return recalled


def kept(
    key: int, find: Callable[[Position, G], V], of: Callable[[G], Hashable] | None = None
) -> Callable[[Position, G], V]:
    """The same function; what it found is looked up until something it reads changes.

    The key is one of `MemoKeys` for this function alone. `of` says what of the given value counts,
    if that is not all of it.
    """

    def recalled(s: Position, given: G) -> V:
        memo = s.memos.get(key)
        if memo is None:
            memo = s.memos[key] = {}
        asked = given if of is None else of(given)
        found = memo.get(asked, _MISSING)
        if found is _MISSING:
            found = memo[asked] = find(s, given)  # type: ignore[assignment]  # all under its key
        return found  # type: ignore[return-value]  # are what this function has found

    return recalled
