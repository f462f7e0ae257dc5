"""Checked arithmetic, and the fault of rules that come to a point they do not provide for."""

from __future__ import annotations

from interpreter.model.errors import RulelangError
from rulelang.core.bounds import LARGEST, MAX_SPAN, SMALLEST


class Fault(RulelangError):
    """The rules came to a point they do not provide for; says which clause and why.

    The game ends there and is not decided; the state before stays as it was.
    """

    def __init__(self, why: str, clause: str = "", line: int = 0) -> None:
        """The clause and its line are often known only further out: see `within`."""
        super().__init__(why)
        self.why, self.clause, self.line = why, clause, line

    def within(self, clause: str, line: int) -> Fault:
        """The same fault; of the clauses it is said to be in, the innermost is kept."""
        if not self.clause:
            self.clause, self.line = clause, self.line or line
        return self

    def __str__(self) -> str:
        where = f", line {self.line}" if self.line else ""
        return f"{self.why}, in {self.clause}{where}" if self.clause else self.why

    def __reduce__(self) -> tuple[type[Fault], tuple[str, str, int]]:
        return Fault, (self.why, self.clause, self.line)


def absent(player: int, players: int) -> Fault:
    """The fault of rules that ask for what belongs to somebody who does not play."""
    return Fault(
        f"what is player {player + 1}'s is asked for, and {players} play; "
        "ask for `count of players` first"
    )


def bounded(number: int) -> int:
    """The number; raises Fault if it does not fit into 64 bits."""
    if SMALLEST <= number <= LARGEST:
        return number
    raise Fault("a number that 64 bits cannot hold")


def quotient(top: int, bottom: int, up: bool) -> int:
    """A division rounded up or down; raises Fault if it is one by 0."""
    if bottom == 0:
        raise Fault("a division by 0")
    return bounded(-(-top // bottom) if up else top // bottom)


def span(low: int, high: int) -> frozenset[int]:
    """The whole numbers from one to another; raises Fault if they are very many."""
    if high - low > MAX_SPAN:
        raise Fault(f"a range of {high - low + 1} numbers")
    return frozenset(range(low, high + 1))
