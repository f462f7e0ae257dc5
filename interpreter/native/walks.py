"""How far cells of a board are from each other, where the cells of some sets count as one.

All cells that are so many steps away are found at once, by shifting sets.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.native import bits, ir
from interpreter.native.builder import Builder
from interpreter.native.families import Family
from interpreter.native.grounds import Ground
from interpreter.native.ir import Code, Ty, op
from interpreter.native.program import Program
from interpreter.native.spots import spread
from interpreter.native.values import Bits, Lowered
from rulelang.core.values import FAR


class Walks:
    """Walks on the boards of one program, whose functions are written when first asked for."""

    def __init__(self, program: Program) -> None:
        """Nobody walks yet."""
        self.program = program
        self._made: dict[tuple[object, ...], ir.Function] = {}
        self._ones: dict[Ground, Family] = {}

    def one(self, b: Builder, ground: Ground) -> Family:
        """Where the sets stand whose cells count as one, for walks of a board."""
        if ground not in self._ones:
            self._ones[ground] = Family(self.program, ground.size("cell"))
        return self._ones[ground]

    def across(self, b: Builder, ground: Ground, ends: tuple[Bits, Bits], one: Family) -> Code:
        """The fewest steps from some cell of a set to some of another, in 64 bits."""
        key = ("across", ground, one.start)
        if key not in self._made:
            self._made[key] = self._across(ground, one)
        return b.call(self._made[key], *ends[0].words, *ends[1].words)[0]

    def within(self, b: Builder, ground: Ground, here: Bits, steps: Code, one: Family) -> Bits:
        """The cells that are so many steps or fewer from some cell of a set."""
        key = ("within", ground, one.start)
        if key not in self._made:
            self._made[key] = self._within(ground, one)
        return Bits(b.call(self._made[key], *here.words, steps), here.size)

    def _begun(
        self, name: str, words: int, more: Sequence[ir.Register], gives: list[Ty]
    ) -> tuple[Builder, list[ir.Register], list[ir.Register]]:
        """A function that begins with a set, with registers for what is found and for its edge."""
        params = [ir.Register(Ty.I64, "here") for _ in range(words)]
        b = Builder(self.program.function(name, [*params, *more], gives))
        found = [b.begin(ir.i64(0), "found") for _ in range(words)]
        edge = [b.begin(ir.Get(param), "edge") for param in params]
        return b, found, edge

    def _across(self, ground: Ground, one: Family) -> ir.Function:
        size, words = ground.size("cell"), one.words
        there = [ir.Register(Ty.I64, "there") for _ in range(words)]
        b, found, edge = self._begun("across", words, there, [Ty.I64])
        goal = Bits(tuple(map(ir.Get, there)), size)
        steps = b.begin(ir.i64(0), "steps")
        with b.block() as nowhere, b.loop() as again:
            here = self._level(b, found, edge, one)
            with b.when(bits.some(bits.combined("and", here, goal))):
                b.leave(ir.Get(steps))
            b.jump(nowhere, ir.negated(self._on(b, ground, here, found, edge)))
            b.set(steps, op("i64.add", ir.Get(steps), ir.i64(1)))
            b.jump(again)
        b.leave(ir.i64(FAR))
        return b.function

    def _within(self, ground: Ground, one: Family) -> ir.Function:
        words = one.words
        left = ir.Register(Ty.I64, "left")
        b, found, edge = self._begun("within", words, [left], [Ty.I64] * words)
        with b.block() as done, b.loop() as again:
            b.jump(done, op("i64.lt_s", ir.Get(left), ir.i64(0)))
            here = self._level(b, found, edge, one)
            b.jump(done, ir.negated(self._on(b, ground, here, found, edge)))
            b.set(left, op("i64.sub", ir.Get(left), ir.i64(1)))
            b.jump(again)
        b.leave(*map(ir.Get, found))
        return b.function

    def _level(
        self, b: Builder, found: list[ir.Register], edge: list[ir.Register], one: Family
    ) -> Bits:
        """The cells of the edge, and those that count as one with them; now they are found."""
        size = one.size
        with b.when(one.count), b.loop() as again:
            before = bits.kept(b, Bits(tuple(map(ir.Get, edge)), size))

            def join(cells: Lowered) -> None:
                assert isinstance(cells, Bits)
                here = Bits(tuple(map(ir.Get, edge)), size)
                with b.when(bits.some(bits.combined("and", here, cells))):
                    for register, word in zip(edge, cells.words, strict=True):
                        b.set(register, op("i64.or", ir.Get(register), word))

            one.members(b).each(join)
            after = Bits(tuple(map(ir.Get, edge)), size)
            b.jump(again, ir.negated(bits.equal(before, after)))
        now = Bits(tuple(map(ir.Get, edge)), size)
        here = bits.kept(b, bits.without(now, Bits(tuple(map(ir.Get, found)), size)))
        for register, word in zip(found, here.words, strict=True):
            b.set(register, op("i64.or", ir.Get(register), word))
        self.program.visit(b, ir.i64(1))
        return here

    @staticmethod
    def _on(
        b: Builder, ground: Ground, here: Bits, found: list[ir.Register], edge: list[ir.Register]
    ) -> Code:
        """One step on from these cells; is there any cell that is not yet found?"""
        near = spread(ground, ground.grid.neighbors, here)
        fresh = bits.kept(b, bits.without(near, Bits(tuple(map(ir.Get, found)), here.size)))
        for register, word in zip(edge, fresh.words, strict=True):
            b.set(register, word)
        return bits.some(fresh)
