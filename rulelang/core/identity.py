"""A mapping by identity: for core objects, which may be equal and yet differ in type and span."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class IdentityMap(Generic[K, V]):
    """Values kept by which object the key is; keys are held, so that no identity is used twice."""

    def __init__(self) -> None:
        """Empty at first."""
        self._kept: dict[int, tuple[K, V]] = {}

    def __iter__(self) -> Iterator[V]:
        """The values, in the order in which they were kept."""
        return (value for _, value in self._kept.values())

    def get(self, key: K) -> V | None:
        """The value kept for this very object, if there is one."""
        found = self._kept.get(id(key))
        return None if found is None else found[1]

    def setdefault(self, key: K, value: V) -> V:
        """The value kept for this object, which is this one if there is none yet."""
        return self._kept.setdefault(id(key), (key, value))[1]

    def keep(self, key: K, value: V) -> V:
        """Keep a value for this object; returns the value."""
        self._kept[id(key)] = (key, value)
        return value
