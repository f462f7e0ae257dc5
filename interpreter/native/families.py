"""Families of sets in memory: sets of indices, each once and in the stable order.

A family stands at a place that belongs to where it is made. First comes how many sets there are,
then each set: how many members it has, and its words.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.native import bits, ir
from interpreter.native.builder import Builder
from interpreter.native.ir import Code, Ty, op
from interpreter.native.program import Program, Scope, Stop
from interpreter.native.values import Bits, Lowered, Members, words_of

MOST_SETS = 384  # of one family, or as many as there are indices: past that the reference is asked
MOST_BYTES = 1 << 18  # of a family of as many sets as there are indices
MOST_KEPT = 40  # sets of a family that a definition gives and that is kept
_FIRST = 8  # where the first set stands


class Family:
    """The place of one family."""

    def __init__(self, program: Program, size: int) -> None:
        """Its sets are of indices below the size."""
        self.size, self.words = size, words_of(size)
        self.stride = 8 * (1 + self.words)
        self.most = max(MOST_SETS, min(size + 64, MOST_BYTES // self.stride))
        self.start = program.buffer(_FIRST + self.stride * self.most)
        self.first = self.start + _FIRST + 8
        """Where the words of the first set stand."""

    @property
    def count(self) -> Code:
        """How many sets there are."""
        return ir.load("i32.load", ir.i32(0), self.start)

    def row(self, number: Code) -> Bits:
        """The set of a number, from 0 on."""
        at = op("i32.mul", number, ir.i32(self.stride))
        return bits.load(at, self.words, self.size, self.first)

    def members(self, b: Builder) -> Members:
        """The sets."""

        def each(body: Callable[[Lowered], None]) -> None:
            at = b.begin(ir.i32(0), "set")
            end = b.keep(op("i32.mul", self.count, ir.i32(self.stride)))
            with b.block() as done, b.loop() as again:
                b.jump(done, op("i32.ge_u", ir.Get(at), end))
                here = b.keep(ir.Get(at))
                b.set(at, op("i32.add", here, ir.i32(self.stride)))
                found = bits.load(here, self.words, self.size, self.first)
                body(bits.kept(b, found))
                b.jump(again)

        count = op("i64.extend_i32_u", self.count)
        return Members(each, self.most, frozen=True, count=lambda: count)


class Families:
    """What one program does with families."""

    def __init__(self, program: Program) -> None:
        """The function that adds a set is written when it is first asked for."""
        self.program = program
        self._adding: dict[tuple[int, int], ir.Function] = {}

    def empty(self, b: Builder, size: int) -> Family:
        """A new family without sets."""
        made = Family(self.program, size)
        self.clear(b, made)
        return made

    def clear(self, b: Builder, family: Family) -> None:
        """A family has no sets any more."""
        b.store("i64.store", ir.i32(0), family.start, ir.i64(0))

    def keep(self, b: Builder, family: Family, to: Code) -> Code:
        """Where a family stands that is to be kept there; where it is now if it is too large."""
        place = b.begin(ir.i32(family.start), "place")
        with b.when(self.is_kept(ir.i32(family.start))):
            b.set(place, to)
            b.add(ir.Copy(ir.Get(place), ir.i32(family.start), self._bytes(family, family.count)))
        return ir.Get(place)

    @staticmethod
    def is_kept(place: Code) -> Code:
        """Is a family that was to be kept?"""
        return op("i32.le_s", ir.load("i32.load", place), ir.i32(MOST_KEPT))

    def room(self, size: int) -> int:
        """The bytes of a place for a family that is kept."""
        return _FIRST + 8 * (1 + words_of(size)) * MOST_KEPT

    def copied(self, b: Builder, place: Code, size: int) -> Members:
        """The sets of the family in a place, whatever is written there later."""
        made = Family(self.program, size)
        count = ir.load("i32.load", place)
        b.add(ir.Copy(ir.i32(made.start), place, self._bytes(made, count)))
        return made.members(b)

    @staticmethod
    def _bytes(family: Family, count: Code) -> Code:
        """How many bytes so many sets take, with their number."""
        return op("i32.add", op("i32.mul", count, ir.i32(family.stride)), ir.i32(_FIRST))

    def add(self, b: Builder, family: Family, found: Bits) -> None:
        """One more set, unless it is there already."""
        add = self._add(family.words, family.most)
        b.add(ir.Call(add, (ir.i32(family.start), *found.words), ()))

    def _add(self, words: int, most: int) -> ir.Function:
        known = self._adding.get((words, most))
        if known is None:
            known = self._adding[words, most] = self._added(words, most)
        return known

    def _added(self, words: int, most: int) -> ir.Function:
        """Put a set where it belongs: by its size, then by its members."""
        start = ir.Register(Ty.I32, "family")
        new = [ir.Register(Ty.I64, "word") for _ in range(words)]
        function = self.program.function(f"add_set_{words}", [start, *new], [])
        b, base, stride = Builder(function), ir.Get(start), 8 * (1 + words)
        size = b.keep(bits.count(Bits(tuple(map(ir.Get, new)), 64 * words)))
        count = b.keep(ir.load("i32.load", base))
        first = b.keep(op("i32.add", base, ir.i32(_FIRST)))
        end = b.keep(op("i32.add", first, op("i32.mul", count, ir.i32(stride))))
        at = b.begin(end, "at")
        with b.block() as here, b.loop() as again:
            b.jump(here, op("i32.le_u", ir.Get(at), first))
            before = b.keep(op("i32.sub", ir.Get(at), ir.i32(stride)))
            with b.block() as larger:
                held = b.keep(ir.load("i64.load", before))
                b.jump(larger, op("i64.gt_s", held, size))
                b.jump(here, op("i64.lt_s", held, size))
                for number, word in enumerate(new):
                    there = b.keep(ir.load("i64.load", before, 8 * (1 + number)))
                    unlike = b.keep(op("i64.xor", there, ir.Get(word)))
                    with b.when(op("i64.ne", unlike, ir.i64(0))):
                        # The lowest bit in which they differ is of the smaller set.
                        lowest = op("i64.and", unlike, op("i64.sub", ir.i64(0), unlike))
                        mine = op("i64.ne", op("i64.and", there, lowest), ir.i64(0))
                        b.jump(here, mine)
                        b.jump(larger)
                b.leave()
            b.set(at, before)
            b.jump(again)
        with b.when(op("i32.ge_s", count, ir.i32(most))):
            self.program.stop(b, Stop.ELSEWHERE, Scope())
        after = op("i32.add", ir.Get(at), ir.i32(stride))
        b.add(ir.Copy(after, ir.Get(at), op("i32.sub", end, ir.Get(at))))
        b.store("i64.store", ir.Get(at), 0, size)
        for number, word in enumerate(new):
            b.store("i64.store", ir.Get(at), 8 * (1 + number), ir.Get(word))
        b.store("i32.store", base, 0, op("i32.add", count, ir.i32(1)))
        return function
