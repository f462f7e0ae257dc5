"""Sets of numbers: in memory in ascending order, each once, and in a state where they are few.

A set that has too many for its place, or in a state too large a number, is left to the reference.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from interpreter.native import bits, ir
from interpreter.native.builder import Builder
from interpreter.native.ir import Code, Ty, op
from interpreter.native.layout import MOST_NUMBERS, Cell
from interpreter.native.program import Program, Scope, Stop
from interpreter.native.values import WORD, Bits, Lowered, Members, Scalar
from rulelang.core.bounds import LARGEST, SMALLEST

MOST = 64  # numbers of a set that is worked out
BYTES = 8 * (1 + MOST)  # of its place: how many there are, and they
_LOW, _HIGH = -(1 << 15), (1 << 15) - 1  # of a number that stands in a state


@dataclass(frozen=True)
class NumberSet:
    """The place of one set that is worked out."""

    at: int


def _of_bits(b: Builder, word: Code) -> Members:
    """The numbers of the bits that are set."""
    whole = Bits((word,), WORD)

    def each(body: Callable[[Lowered], None]) -> None:
        bits.each_member(b, whole, lambda n: body(_wide(b, n)))

    return Members(each, MOST, ascending=True)


def _wide(b: Builder, number: Scalar) -> Scalar:
    """The same in 64 bits."""
    return Scalar(b.keep(op("i64.extend_i32_u", number.code)), number.low, number.high)


@dataclass
class NumberSets:
    """What one program does with sets of numbers."""

    program: Program
    _adding: list[ir.Function] = field(default_factory=list)

    def empty(self, b: Builder) -> NumberSet:
        """A place for a set, which has no numbers yet."""
        at = self.program.buffer(BYTES)
        b.store("i64.store", ir.i32(0), at, ir.i64(0))
        return NumberSet(at)

    def gathered(self, b: Builder, members: Members) -> int:
        """Where the numbers that are given one by one now stand."""
        at = self.program.buffer(BYTES)
        self.gather(b, members, at)
        return at

    def gather(self, b: Builder, members: Members, at: int | Code) -> None:
        """Write the numbers that are given one by one into a place."""
        place = ir.i32(at) if isinstance(at, int) else at
        if members.ascending:
            self._gather_in_order(b, members, place)
            return
        b.store("i64.store", place, 0, ir.i64(0))
        small = b.begin(ir.i64(0), "small")  # those of 0 to 63, as bits
        adding = list[bool]()

        def call(number: Lowered) -> None:
            assert isinstance(number, Scalar)
            b.add(ir.Call(self._add, (place, number.code), ()))

        def add(number: Lowered) -> None:
            assert isinstance(number, Scalar)
            adding.append(number.low < 0 or number.high >= WORD)
            if adding[-1]:
                call(number)
            else:
                one = op("i64.shl", ir.i64(1), number.code)
                b.set(small, op("i64.or", ir.Get(small), one))

        members.each(add)
        if not any(adding):
            self._gather_in_order(b, _of_bits(b, ir.Get(small)), place)
        elif not all(adding):
            _of_bits(b, ir.Get(small)).each(call)

    def _gather_in_order(self, b: Builder, members: Members, place: Code) -> None:
        """Write numbers one behind the other, as they are given."""
        count = b.begin(ir.i32(0), "count")

        def append(number: Lowered) -> None:
            assert isinstance(number, Scalar)
            with b.when(op("i32.ge_s", ir.Get(count), ir.i32(MOST))):
                self.program.stop(b, Stop.ELSEWHERE, Scope())
            at = b.keep(op("i32.add", place, op("i32.shl", ir.Get(count), ir.i32(3))))
            b.store("i64.store", at, 8, number.code)
            b.set(count, op("i32.add", ir.Get(count), ir.i32(1)))

        members.each(append)
        b.store("i64.store", place, 0, op("i64.extend_i32_u", ir.Get(count)))

    def copied(self, b: Builder, place: Code) -> Members:
        """The numbers that stand in a place, whatever is written there later."""
        at, size = self.program.buffer(BYTES), ir.load("i64.load", place)
        whole = op("i32.shl", op("i32.add", op("i32.wrap_i64", size), ir.i32(1)), ir.i32(3))
        b.add(ir.Copy(ir.i32(at), place, whole))
        return self.members(b, at)

    @property
    def _add(self) -> ir.Function:
        """Put a number where it belongs, unless it is there."""
        if not self._adding:
            self._adding.append(self._added())
        return self._adding[0]

    def _added(self) -> ir.Function:
        params = ir.Register(Ty.I32, "set"), ir.Register(Ty.I64, "number")
        function = self.program.function("add_number", params, [])
        b = Builder(function)
        base, number = map(ir.Get, params)
        count = b.keep(op("i32.wrap_i64", ir.load("i64.load", base)))
        end = b.keep(op("i32.add", base, op("i32.mul", count, ir.i32(8))))
        at = b.begin(end, "at")  # that of the last number, whose place is 8 bytes on
        with b.block() as here, b.loop() as again:
            b.jump(here, op("i32.le_u", ir.Get(at), base))
            held = b.keep(ir.load("i64.load", ir.Get(at)))
            b.jump(here, op("i64.lt_s", held, number))
            with b.when(op("i64.eq", held, number)):
                b.leave()
            b.set(at, op("i32.sub", ir.Get(at), ir.i32(8)))
            b.jump(again)
        with b.when(op("i32.ge_s", count, ir.i32(MOST))):
            self.program.stop(b, Stop.ELSEWHERE, Scope())
        place = b.keep(op("i32.add", ir.Get(at), ir.i32(8)))
        rest = op("i32.sub", end, ir.Get(at))
        b.add(ir.Copy(op("i32.add", place, ir.i32(8)), place, rest))
        b.store("i64.store", place, 0, number)
        more = op("i64.add", ir.load("i64.load", base), ir.i64(1))
        b.store("i64.store", base, 0, more)
        return function

    def members(self, b: Builder, at: int) -> Members:
        """The numbers that stand in a place."""

        def each(body: Callable[[Lowered], None]) -> None:
            here = b.begin(ir.i32(0), "here")
            count = op("i32.wrap_i64", ir.load("i64.load", ir.i32(0), at))
            end = b.keep(op("i32.mul", count, ir.i32(8)))
            with b.block() as done, b.loop() as again:
                b.jump(done, op("i32.ge_u", ir.Get(here), end))
                b.set(here, op("i32.add", ir.Get(here), ir.i32(8)))
                number = b.keep(ir.load("i64.load", ir.Get(here), at))
                body(Scalar(number, SMALLEST, LARGEST))
                b.jump(again)

        count = ir.load("i64.load", ir.i32(0), at)
        return Members(each, MOST, frozen=True, count=lambda: count, ascending=True)

    # -------------------------------------------------------------------------------- in a state
    def stored(self, b: Builder, address: Code, offset: int) -> Members:
        """The numbers in a cell of a state: in two bytes each, how many there are first."""

        def each(body: Callable[[Lowered], None]) -> None:
            here = b.begin(address, "here")
            count = op("i32.mul", ir.load("i32.load16_u", address, offset), ir.i32(2))
            end = b.keep(op("i32.add", address, count))
            with b.block() as done, b.loop() as again:
                b.jump(done, op("i32.ge_u", ir.Get(here), end))
                b.set(here, op("i32.add", ir.Get(here), ir.i32(2)))
                number = ir.load("i32.load16_s", ir.Get(here), offset)
                body(Scalar(b.keep(op("i64.extend_i32_s", number)), _LOW, _HIGH))
                b.jump(again)

        def count() -> Code:
            return op("i64.extend_i32_u", ir.load("i32.load16_u", address, offset))

        return Members(each, MOST_NUMBERS, bounds=(_LOW, _HIGH), count=count)

    def store(
        self, b: Builder, members: Members, address: Code, offset: int, cell: Cell, scope: Scope
    ) -> None:
        """Write numbers into a cell of a state."""
        at = self.gathered(b, members)
        count = b.keep(ir.load("i64.load", ir.i32(0), at))
        with b.when(op("i64.gt_s", count, ir.i64(MOST_NUMBERS))):
            self.program.stop(b, Stop.ELSEWHERE, scope)
        first = b.keep(address)
        b.add(ir.Fill(op("i32.add", first, ir.i32(offset)), ir.i32(0), ir.i32(cell.bytes)))
        b.store("i32.store16", first, offset, op("i32.wrap_i64", count))
        here = b.begin(first, "here")

        def one(number: Lowered) -> None:
            assert isinstance(number, Scalar)
            for outside in ("lt_s", _LOW), ("gt_s", _HIGH):
                with b.when(op(f"i64.{outside[0]}", number.code, ir.i64(outside[1]))):
                    self.program.stop(b, Stop.ELSEWHERE, scope)
            b.set(here, op("i32.add", ir.Get(here), ir.i32(2)))
            b.store("i32.store16", ir.Get(here), offset, op("i32.wrap_i64", number.code))

        self.members(b, at).each(one)
