"""What a choice may be made from, before any look at where it leads: listed outside the state."""

from __future__ import annotations

from interpreter.native import ir
from interpreter.native.builder import Builder
from interpreter.native.ir import Code, op
from interpreter.native.layout import MOST_OUTPUT
from interpreter.native.program import Program
from interpreter.native.values import MAX_WORDS


class Candidates:
    """One list of members, each with a note whether it leads to no dead end."""

    def __init__(self, program: Program) -> None:
        """It stands in memory of its own."""
        self.words = program.buffer(8 * MAX_WORDS)  # the same as a set
        self._values, self._flags = program.buffer(8 * MOST_OUTPUT), program.buffer(MOST_OUTPUT)
        self._count = program.buffer(8)
        self.noted: set[int] = set()
        """The decisions whose candidates are noted: at the others all may be chosen."""

    def put(self, b: Builder, at: Code, value: Code, viable: Code) -> None:
        """A candidate in this place."""
        b.store("i64.store", op("i32.shl", at, ir.i32(3)), self._values, value)
        b.store("i32.store8", at, self._flags, viable)

    def value(self, at: Code) -> Code:
        """The candidate in this place."""
        return ir.load("i64.load", op("i32.shl", at, ir.i32(3)), self._values)

    def viable(self, at: Code) -> Code:
        """Does it lead to no dead end?"""
        return ir.load("i32.load8_u", at, self._flags)

    def judge(self, b: Builder, at: Code, viable: Code) -> None:
        """Say of the candidate in this place whether it leads to no dead end."""
        b.store("i32.store8", at, self._flags, viable)

    @property
    def count(self) -> Code:
        """How many candidates were listed one by one."""
        return ir.load("i32.load", ir.i32(0), self._count)

    def counted(self, b: Builder, count: Code) -> None:
        """So many candidates were listed one by one."""
        b.store("i32.store", ir.i32(0), self._count, count)
