"""Memos of later passes: what each analysis keeps between compilations of one frame."""

from __future__ import annotations

from typing import TypeVar

M = TypeVar("M")


class Memos:
    """One memo of each class that is asked for: an analysis declares its own class of memo."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._memos: dict[type, object] = {}

    def of(self, kind: type[M]) -> M:
        """The memo of this class, empty when it is asked for the first time."""
        found = self._memos.get(kind)
        if not isinstance(found, kind):
            found = self._memos[kind] = kind()
        return found
