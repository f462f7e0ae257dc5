"""Memos of later passes: what each analysis keeps between compilations of one frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

M = TypeVar("M")


@dataclass(frozen=True)
class MemoKind:
    """A class of memo that may be written down as data: a dict, with the types of its keys and
    values, and the dataclasses that these are made of.
    """

    memo: type
    key: type
    value: type
    records: tuple[type, ...] = ()


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
