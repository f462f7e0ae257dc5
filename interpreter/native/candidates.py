"""What a choice may be made from, before any look at where it leads: listed outside the state."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.native import bits, ir
from interpreter.native.builder import Builder
from interpreter.native.ir import Code, op
from interpreter.native.layout import MOST_OUTPUT
from interpreter.native.program import Program
from interpreter.native.values import MAX_WORDS, Bits, Scalar


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

    def filled(self, b: Builder, members: Bits) -> None:
        """List the members of a set, none of them noted to lead anywhere."""
        at = b.begin(ir.i32(0), "at")

        def one(member: Scalar) -> None:
            self.put(b, ir.Get(at), op("i64.extend_i32_u", member.code), ir.i32(0))
            b.set(at, op("i32.add", ir.Get(at), ir.i32(1)))

        bits.each_member(b, members, one)

    def emptied(
        self,
        b: Builder,
        total: Code,
        draw: Callable[[Code], Code],
        take: Callable[[Code, Code], None],
    ) -> None:
        """Take so many as are listed one after the other, of those that are left the one drawn.

        The last takes the place of each; `take` is given its number among those taken, too.
        """
        done = b.begin(ir.i32(0), "done")
        with b.block() as out, b.loop() as again:
            b.jump(out, op("i32.ge_u", ir.Get(done), total))
            left = b.keep(op("i32.sub", total, ir.Get(done)))
            at = b.keep(draw(left))
            take(self.value(at), ir.Get(done))
            last = b.keep(op("i32.sub", left, ir.i32(1)))
            self.put(b, at, self.value(last), ir.i32(0))
            b.set(done, op("i32.add", ir.Get(done), ir.i32(1)))
            b.jump(again)

    @property
    def count(self) -> Code:
        """How many candidates were listed one by one."""
        return ir.load("i32.load", ir.i32(0), self._count)

    def counted(self, b: Builder, count: Code) -> None:
        """So many candidates were listed one by one."""
        b.store("i32.store", ir.i32(0), self._count, count)
