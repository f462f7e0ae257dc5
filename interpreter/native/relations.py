"""What hangs together by a relation, where each thing has few partners in it.

A relation is not tested for all pairs: from its definition follow a few candidates for each thing.
The partners that are found are kept until the state changes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from interpreter.native import bits, ir, wide
from interpreter.native.builder import Builder
from interpreter.native.ir import Code, Ty, op
from interpreter.native.program import Program, Scope, Stop
from interpreter.native.values import Bits, Lowered, Scalar, words_of
from rulelang.core.bounds import LARGEST

MOST_CANDIDATES = 256  # of one thing, some of them perhaps more than once
MOST_PARTNERS = 60
_COUNT, _FIRST = 8, 12  # where a row of partners has their number, and the first of them
_STRIDE = 16 + 2 * MOST_PARTNERS
Add = Callable[[Code], None]
Candidates = Callable[[Builder, Scalar, Add], None]
Test = Callable[[Builder, Scalar, Scalar, ir.Label], None]


@dataclass(frozen=True)
class Side:
    """One side of a relation: what may stand in it to a thing, and whether it does."""

    candidates: Candidates
    test: Test  # goes to the label if it does not


class Relation:
    """The functions of one relation between so many things."""

    def __init__(self, program: Program, name: str, size: int, sides: list[Side]) -> None:
        """Things are related either way round."""
        self.program, self.size, self.words = program, size, words_of(size)
        self._found, self._left = (program.buffer(8 * self.words) for _ in range(2))
        self._queue = program.buffer(4 * size)
        self._rows = program.buffer(2 * _STRIDE * size)
        self._listed = program.buffer(4 * MOST_CANDIDATES)
        self._near = self._written(name, sides)
        self._spread = self._spreading(name)

    # -------------------------------------------------------------------------------- partners
    def _written(self, name: str, sides: list[Side]) -> ir.Function:
        """A function of a thing: writes its row of partners, unless that is still known."""
        param = ir.Register(Ty.I32, "one")
        b = Builder(self.program.function(f"near_by_{name}", [param], [Ty.I32]), asking=True)
        one = Scalar(ir.Get(param), 0, self.size - 1)
        half = op("i32.mul", ir.Get(self.program.half), ir.i32(_STRIDE * self.size))
        row = b.keep(op("i32.add", half, op("i32.mul", one.code, ir.i32(_STRIDE))))
        epoch = ir.Get(self.program.epoch)
        with b.when(op("i64.eq", ir.load("i64.load", row, self._rows), epoch)):
            b.leave(row)
        b.store("i32.store", row, self._rows + _COUNT, ir.i32(0))
        for side in sides:
            self._side(b, one, row, side)
        b.store("i64.store", row, self._rows, epoch)
        b.leave(row)
        return b.function

    def _side(self, b: Builder, one: Scalar, row: Code, side: Side) -> None:
        end = b.begin(ir.i32(0), "end")

        def add(other: Code) -> None:
            with b.when(op("i32.ge_u", ir.Get(end), ir.i32(4 * MOST_CANDIDATES))):
                self.program.stop(b, Stop.ELSEWHERE, Scope())
            b.store("i32.store", ir.Get(end), self._listed, other)
            b.set(end, op("i32.add", ir.Get(end), ir.i32(4)))

        def add_some(other: Code) -> None:
            with b.when(op("i32.ge_s", other, ir.i32(0))):
                add(other)

        side.candidates(b, one, add_some)
        with b.block() as done, b.loop() as again:
            b.jump(done, op("i32.eqz", ir.Get(end)))
            b.set(end, op("i32.sub", ir.Get(end), ir.i32(4)))
            other = b.keep(ir.load("i32.load", ir.Get(end), self._listed))
            b.jump(again, op("i32.eq", other, one.code))
            self._each(b, row, lambda known: b.jump(again, op("i32.eq", known, other)))
            self.program.visit(b, ir.i64(1))
            side.test(b, one, Scalar(other, 0, self.size - 1), again)
            count = b.keep(ir.load("i32.load", row, self._rows + _COUNT))
            with b.when(op("i32.ge_u", count, ir.i32(MOST_PARTNERS))):
                self.program.stop(b, Stop.ELSEWHERE, Scope())
            place = op("i32.add", row, op("i32.mul", count, ir.i32(2)))
            b.store("i32.store16", place, self._rows + _FIRST, other)
            more = op("i32.add", count, ir.i32(1))
            b.store("i32.store", row, self._rows + _COUNT, more)
            b.jump(again)

    def _each(self, b: Builder, row: Code, body: Callable[[Code], None]) -> None:
        """What is done with each partner in a row."""
        at = b.begin(row, "at")
        count = ir.load("i32.load", row, self._rows + _COUNT)
        end = b.keep(op("i32.add", row, op("i32.mul", count, ir.i32(2))))
        with b.block() as done, b.loop() as again:
            b.jump(done, op("i32.ge_u", ir.Get(at), end))
            other = b.keep(ir.load("i32.load16_u", ir.Get(at), self._rows + _FIRST))
            b.set(at, op("i32.add", ir.Get(at), ir.i32(2)))
            body(other)
            b.jump(again)

    # -------------------------------------------------------------------------------- spreading
    def _spreading(self, name: str) -> ir.Function:
        """Go on from what is found through what is left, so many steps."""
        steps = ir.Register(Ty.I64, "steps")
        b = Builder(self.program.function(f"spread_by_{name}", [steps], []))
        end = b.begin(ir.i32(0), "end")

        def push(thing: Code) -> None:
            b.store("i32.store", ir.Get(end), self._queue, thing)
            b.set(end, op("i32.add", ir.Get(end), ir.i32(4)))

        def begin(thing: Lowered) -> None:
            assert isinstance(thing, Scalar)
            push(thing.code)

        wide.in_memory(b, self._found, self.size).each(begin)
        at, level = b.begin(ir.i32(0), "at"), b.begin(ir.Get(end), "level")
        with b.block() as done, b.loop() as again:
            b.jump(done, op("i32.ge_u", ir.Get(at), ir.Get(end)))
            with b.when(op("i32.ge_u", ir.Get(at), ir.Get(level))):
                b.set(level, ir.Get(end))
                b.set(steps, op("i64.sub", ir.Get(steps), ir.i64(1)))
            b.jump(done, op("i64.le_s", ir.Get(steps), ir.i64(0)))
            thing = b.keep(ir.load("i32.load", ir.Get(at), self._queue))
            b.set(at, op("i32.add", ir.Get(at), ir.i32(4)))
            (row,) = b.call(self._near, thing)

            def take(other: Code) -> None:
                with b.block() as not_this:
                    word = op("i32.mul", op("i32.shr_u", other, ir.i32(6)), ir.i32(8))
                    place, bit = b.keep(word), b.keep(bits.one_bit(other))
                    free = b.keep(ir.load("i64.load", place, self._left))
                    b.jump(not_this, op("i64.eqz", op("i64.and", free, bit)))
                    b.store("i64.store", place, self._left, op("i64.xor", free, bit))
                    held = ir.load("i64.load", place, self._found)
                    b.store("i64.store", place, self._found, op("i64.or", held, bit))
                    push(other)

            self._each(b, row, take)
            b.jump(again)
        return b.function

    def reached(self, b: Builder, seeds: Bits, space: Bits, steps: Code | None) -> Bits:
        """The seeds, and what is reached from them within a space, perhaps in so many steps."""
        bits.store(b, bits.without(space, seeds), ir.i32(0), self._left)
        bits.store(b, seeds, ir.i32(0), self._found)
        b.add(ir.Call(self._spread, (steps or ir.i64(LARGEST),), ()))
        return bits.kept(b, self._all(self._found))

    def groups(self, b: Builder, space: Bits, body: Callable[[Bits], None]) -> None:
        """What is done with each part of a set that hangs together."""
        bits.store(b, space, ir.i32(0), self._left)
        with b.block() as done, b.loop() as again:
            first = b.keep(bits.first(self._all(self._left)))
            b.jump(done, op("i32.lt_s", first, ir.i32(0)))
            b.add(ir.Fill(ir.i32(self._found), ir.i32(0), ir.i32(8 * self.words)))
            place = b.keep(op("i32.mul", op("i32.shr_u", first, ir.i32(6)), ir.i32(8)))
            bit = b.keep(bits.one_bit(first))
            b.store("i64.store", place, self._found, bit)
            free = ir.load("i64.load", place, self._left)
            b.store("i64.store", place, self._left, op("i64.xor", free, bit))
            b.add(ir.Call(self._spread, (ir.i64(LARGEST),), ()))
            body(bits.kept(b, self._all(self._found)))
            b.jump(again)

    def _all(self, at: int) -> Bits:
        return bits.load(ir.i32(0), self.words, self.size, at)
