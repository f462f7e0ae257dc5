"""Checked arithmetic, and the fault of rules that come to a point they do not provide for."""

from __future__ import annotations

from interpreter.model.errors import RulelangError

MAX_SPAN = 100_000  # how far apart the ends of a range may lie


class Fault(RulelangError):
    """The rules came to a point they do not provide for; says which clause and why."""


def absent(player: int, players: int) -> Fault:
    """The fault of rules that ask for what belongs to somebody who does not play."""
    return Fault(
        f"what is player {player + 1}'s is asked for, and {players} play; "
        "ask for `count of players` first"
    )


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
