"""What tables of a board give for sites: rows of bits where sets are of few words, else lists.

A list is short where a row would be long: its members are put into a set in memory one by one.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.native import bits, ir, wide
from interpreter.native.builder import Builder
from interpreter.native.grounds import Ground
from interpreter.native.ir import Code, Ty, op
from interpreter.native.program import Program
from interpreter.native.values import Bits, Lowered, Scalar, words_of
from interpreter.native.wide import FEW_WORDS

Table = Sequence[Sequence[int]]


class Nearby:
    """A table of a board, from sites of one role to those of another."""

    def __init__(self, program: Program, ground: Ground, table: Table, of: str, role: str) -> None:
        """The table is that of one copy on the canvas."""
        self.program, self.size = program, ground.size(role)
        self.words = words_of(self.size)
        self.whole = self.words <= FEW_WORDS
        stride = ground.stride(role)
        rows = [
            [n + copy * stride for n in row]
            for copy in range(ground.copies)
            for row in ground.within(table, of, role)
        ]
        self.width = max(map(len, rows), default=0)
        if self.whole:
            raw = b"".join(
                sum(1 << n for n in row).to_bytes(8 * self.words, "little") for row in rows
            )
        else:
            listed = ([n + 1 for n in row] + [0] * (self.width - len(row)) for row in rows)
            raw = b"".join(n.to_bytes(2, "little") for row in listed for n in row)
        self.start = program.table(raw)

    def of_one(self, b: Builder, site: Code) -> Bits:
        """What is in the row of a site."""
        if self.whole:
            row = b.keep(op("i32.mul", site, ir.i32(8 * self.words)))
            return bits.load(row, self.words, self.size, self.start)
        once = self._empty(b)
        self._into(b, site, once, None)
        return bits.kept(b, bits.load(ir.i32(0), self.words, self.size, once))

    def of_all(self, b: Builder, sites: Bits) -> Bits:
        """What is in the row of some site."""
        return self.of_some(b, sites, False)[0]

    def of_some(self, b: Builder, sites: Bits, twice: bool = True) -> tuple[Bits, Bits]:
        """The same, and beside it what is in the rows of two; that is empty if it is not asked."""
        if self.whole:
            return self._joined(b, sites, twice)
        once, again = self._empty(b), self._empty(b) if twice else None
        members = wide.stored(self.program, b, sites)

        def join(site: Lowered) -> None:
            assert isinstance(site, Scalar)
            self._into(b, site.code, once, again)

        members.each(join)
        found = bits.kept(b, bits.load(ir.i32(0), self.words, self.size, once))
        if again is None:
            return found, bits.without(found, found)
        return found, bits.kept(b, bits.load(ir.i32(0), self.words, self.size, again))

    def _joined(self, b: Builder, sites: Bits, twice: bool) -> tuple[Bits, Bits]:
        once = [b.begin(ir.i64(0), "once") for _ in range(self.words)]
        again = [b.begin(ir.i64(0), "twice") for _ in range(self.words)]

        def join(site: Scalar) -> None:
            found = self.of_one(b, site.code)
            if twice:
                found = bits.kept(b, found)
            for at, word in enumerate(found.words):
                if twice:
                    both = op("i64.and", ir.Get(once[at]), word)
                    b.set(again[at], op("i64.or", ir.Get(again[at]), both))
                b.set(once[at], op("i64.or", ir.Get(once[at]), word))

        bits.each_member(b, sites, join)
        found = (Bits(tuple(map(ir.Get, one)), self.size) for one in (once, again))
        return next(found), next(found)

    def _empty(self, b: Builder) -> int:
        """Where a new empty set stands."""
        at = self.program.buffer(8 * self.words)
        b.add(ir.Fill(ir.i32(at), ir.i32(0), ir.i32(8 * self.words)))
        return at

    def _listed(self, b: Builder, site: Code, number: int, past: ir.Label) -> tuple[Code, Code]:
        """Where the word of a member of a list stands, and its bit; behind the last go past."""
        row = op("i32.mul", site, ir.i32(2 * self.width))
        held = b.keep(ir.load("i32.load16_u", row, self.start + 2 * number))
        b.jump(past, op("i32.eqz", held))
        member = b.keep(op("i32.sub", held, ir.i32(1)))
        place = op("i32.mul", op("i32.shr_u", member, ir.i32(6)), ir.i32(8))
        return b.keep(place), b.keep(bits.one_bit(member))

    def _into(self, b: Builder, site: Code, once: int, again: int | None) -> None:
        """Put the members of a list into a set, and those that are there already into another."""
        with b.block() as end:
            for number in range(self.width):
                place, bit = self._listed(b, site, number, end)
                held = b.keep(ir.load("i64.load", place, once))
                if again is not None:
                    more = ir.load("i64.load", place, again)
                    both = op("i64.or", more, op("i64.and", held, bit))
                    b.store("i64.store", place, again, both)
                b.store("i64.store", place, once, op("i64.or", held, bit))

    # -------------------------------------------------------------------------------- connection
    def connected(self) -> ir.Function:
        """A function of the words of seeds and of a set: what is connected to the seeds in it."""
        params = [ir.Register(Ty.I64, name) for name in ("seed", "set") for _ in range(self.words)]
        function = self.program.function("connected", params, [Ty.I64] * self.words)
        b, size = Builder(function), self.size
        seeds, space = (
            Bits(tuple(map(ir.Get, one)), size)
            for one in (params[: self.words], params[self.words :])
        )
        left, found = (self.program.buffer(8 * self.words) for _ in range(2))
        pile = self.program.buffer(4 * size)
        bits.store(b, bits.without(space, seeds), ir.i32(0), left)
        bits.store(b, seeds, ir.i32(0), found)
        end = b.begin(ir.i32(0), "end")

        def push(site: Code) -> None:
            b.store("i32.store", ir.Get(end), pile, site)
            b.set(end, op("i32.add", ir.Get(end), ir.i32(4)))

        def begin(site: Lowered) -> None:
            assert isinstance(site, Scalar)
            push(site.code)

        wide.in_memory(b, found, size).each(begin)
        with b.block() as done, b.loop() as again:
            b.jump(done, op("i32.eqz", ir.Get(end)))
            b.set(end, op("i32.sub", ir.Get(end), ir.i32(4)))
            site = b.keep(ir.load("i32.load", ir.Get(end), pile))
            for number in range(self.width):
                with b.block() as not_this:
                    place, bit = self._listed(b, site, number, again)
                    free = b.keep(ir.load("i64.load", place, left))
                    b.jump(not_this, op("i64.eqz", op("i64.and", free, bit)))
                    b.store("i64.store", place, left, op("i64.xor", free, bit))
                    held = ir.load("i64.load", place, found)
                    b.store("i64.store", place, found, op("i64.or", held, bit))
                    row = op("i32.mul", site, ir.i32(2 * self.width))
                    member = ir.load("i32.load16_u", row, self.start + 2 * number)
                    push(op("i32.sub", member, ir.i32(1)))
            b.jump(again)
        b.leave(*bits.load(ir.i32(0), self.words, size, found).words)
        return function
