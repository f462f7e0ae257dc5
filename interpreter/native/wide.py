"""Large sets of indices in memory: a bit for each, at a place that belongs to where it is made.

Nothing runs within itself, so a set is done with before its place is used again.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.native import bits, ir
from interpreter.native.builder import Builder
from interpreter.native.ir import op
from interpreter.native.layout import MOST_LISTED
from interpreter.native.program import Program
from interpreter.native.values import NONE, Bits, Lowered, Members, Scalar, words_of

FEW_WORDS = 4  # of a set that is worked on as a whole


class Gathering:
    """A set to which members are added one by one: in registers, or if it is large in memory."""

    def __init__(self, program: Program, b: Builder, size: int) -> None:
        """No member has been added."""
        self.b, self.size, self.words = b, size, words_of(size)
        self._registers: list[ir.Register] = []
        self._at = 0
        if self.words <= FEW_WORDS:
            self._registers = [b.begin(ir.i64(0), "set") for _ in range(self.words)]
        else:
            self._at = program.buffer(8 * self.words)
            self.clear()

    def clear(self) -> None:
        """No member has been added any more."""
        for register in self._registers:
            self.b.set(register, ir.i64(0))
        if not self._registers:
            size = ir.i32(8 * self.words)
            self.b.add(ir.Fill(ir.i32(self._at), ir.i32(0), size))

    def add(self, item: ir.Code) -> None:
        """Add a member; none adds nothing."""
        b = self.b
        if self._registers:
            bits.insert(b, self._registers, item, self.size)
            return
        item = b.keep(item)
        with b.when(op("i32.ge_s", item, ir.i32(0))):
            place = b.keep(op("i32.and", op("i32.shr_u", item, ir.i32(3)), ir.i32(-8)))
            held = ir.load("i64.load", place, self._at)
            b.store("i64.store", place, self._at, op("i64.or", held, bits.one_bit(item)))

    def add_all(self, found: Bits) -> None:
        """Add all members of a set."""
        for at, word in enumerate(found.words):
            if self._registers:
                register = self._registers[at]
                self.b.set(register, op("i64.or", ir.Get(register), word))
            else:
                held = ir.load("i64.load", ir.i32(0), self._at + 8 * at)
                self.b.store("i64.store", ir.i32(0), self._at + 8 * at, op("i64.or", held, word))

    def found(self) -> Bits:
        """The set, whatever changes from now on."""
        if self._registers:
            return Bits(tuple(map(ir.Get, self._registers)), self.size)
        return bits.kept(self.b, bits.load(ir.i32(0), self.words, self.size, self._at))


def collected(program: Program, b: Builder, members: Members, size: int) -> Members:
    """The set of the indices that are given one by one, in memory."""
    words = words_of(size)
    at = program.buffer(8 * words)
    b.add(ir.Fill(ir.i32(at), ir.i32(0), ir.i32(8 * words)))

    def add(member: Lowered) -> None:
        assert isinstance(member, Scalar)
        item = b.keep(member.code)
        place = b.keep(op("i32.and", op("i32.shr_u", item, ir.i32(3)), ir.i32(-8)))
        bit = op("i64.shl", ir.i64(1), op("i64.extend_i32_u", item))
        b.store("i64.store", place, at, op("i64.or", ir.load("i64.load", place, at), bit))

    members.each(add)
    return in_memory(b, at, size)


def stored(program: Program, b: Builder, found: Bits) -> Members:
    """The members of a set in registers, which is written into memory to look through them."""
    at = program.buffer(8 * len(found.words))
    bits.store(b, found, ir.i32(0), at)
    return in_memory(b, at, found.size)


def in_memory(b: Builder, at: int, size: int) -> Members:
    """The members of a set in memory, in their order."""

    def each(body: Callable[[Lowered], None]) -> None:
        word = b.begin(ir.i32(0), "word")
        left = b.new(ir.Ty.I64, "left")
        with b.block() as done, b.loop() as next_word:
            b.jump(done, op("i32.ge_u", ir.Get(word), ir.i32(8 * words_of(size))))
            b.set(left, ir.load("i64.load", ir.Get(word), at))
            with b.block() as empty, b.loop() as again:
                b.jump(empty, op("i64.eqz", ir.Get(left)))
                number = op("i32.wrap_i64", op("i64.ctz", ir.Get(left)))
                first = op("i32.shl", ir.Get(word), ir.i32(3))
                item = b.keep(op("i32.add", number, first))
                lower = op("i64.sub", ir.Get(left), ir.i64(1))
                b.set(left, op("i64.and", ir.Get(left), lower))
                body(Scalar(item, 0, size - 1))
                b.jump(again)
            b.set(word, op("i32.add", ir.Get(word), ir.i32(8)))
            b.jump(next_word)

    return Members(each, size, frozen=True)


def listed(b: Builder, at: int, size: int) -> Members:
    """The indices of a list that stands in the state: how many there are, and each in two bytes."""

    def each(body: Callable[[Lowered], None]) -> None:
        here = b.begin(ir.i32(0), "here")
        end = b.keep(op("i32.shl", ir.load("i32.load16_u", ir.i32(0), at), ir.i32(1)))
        with b.block() as done, b.loop() as again:
            b.jump(done, op("i32.ge_u", ir.Get(here), end))
            item = b.keep(ir.load("i32.load16_u", ir.Get(here), at + 2))
            b.set(here, op("i32.add", ir.Get(here), ir.i32(2)))
            body(Scalar(item, 0, size - 1))
            b.jump(again)

    return Members(each, MOST_LISTED)


def copied(program: Program, b: Builder, members: Members, size: int) -> Members:
    """The same indices, with their repeats and in their order, as they are now."""
    at = program.buffer(4 * members.most)
    end = b.begin(ir.i32(0), "end")

    def add(member: Lowered) -> None:
        assert isinstance(member, Scalar)
        b.store("i32.store", ir.Get(end), at, member.code)
        b.set(end, op("i32.add", ir.Get(end), ir.i32(4)))

    members.each(add)
    last = b.keep(ir.Get(end))

    def each(body: Callable[[Lowered], None]) -> None:
        here = b.begin(ir.i32(0), "here")
        with b.block() as done, b.loop() as again:
            b.jump(done, op("i32.ge_u", ir.Get(here), last))
            item = b.keep(ir.load("i32.load", ir.Get(here), at))
            b.set(here, op("i32.add", ir.Get(here), ir.i32(4)))
            body(Scalar(item, NONE, size - 1))
            b.jump(again)

    return Members(each, members.most, frozen=True)
