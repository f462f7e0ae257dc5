"""Score tables worked out: the running total, and the lines that counted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rulelang.core.values import Value


@dataclass(frozen=True)
class Counted:
    """A line of a table that counted.

    `total` is the running total after it, `member` the one it counted for in a line `for each`.
    """

    op: str
    label: str
    amount: int
    clause: str
    total: int
    member: Value = None


@dataclass(frozen=True)
class Tally:
    """A table worked out with these values: its total, and the lines that counted, in order."""

    table: str
    args: tuple[Value, ...]
    total: int
    lines: tuple[Counted, ...]


OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "start": lambda total, n: n,
    "+": lambda total, n: total + n,
    "-": lambda total, n: total - n,
    "times": lambda total, n: total * n,
    "exactly": lambda total, n: n,
    "floor": max,
    "cap": min,
}


class RunningTotal:
    """A table being worked out line by line."""

    def __init__(self) -> None:
        """Begins at 0 with no line counted."""
        self.total = 0
        self.lines: list[Counted] = []

    def count(self, op: str, label: str, amount: int, clause: str, member: Value) -> bool:
        """Apply a line; a floor or cap that changes nothing does not count. Returns whether."""
        before, self.total = self.total, OPERATIONS[op](self.total, amount)
        if op in ("floor", "cap") and self.total == before:
            return False
        self.lines.append(Counted(op, label, amount, clause, self.total, member))
        return True
