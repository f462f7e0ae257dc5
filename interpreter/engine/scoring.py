"""Score tables worked out line by line: the running total."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.model.tally import Counted
from interpreter.model.values import bounded
from rulelang.core.values import Value

OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "start": lambda total, n: n,
    "+": lambda total, n: bounded(total + n),
    "-": lambda total, n: bounded(total - n),
    "times": lambda total, n: bounded(total * n),
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
