"""What a score table came to: its total, and the lines that counted."""

from __future__ import annotations

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
