"""The chance of bots: the generator of Python's `random.Random`, one for each player.

Its state is filled in from outside, so that a bot draws here what it would draw there.
"""

from __future__ import annotations

import random
import struct
from functools import cached_property

from interpreter.native import ir
from interpreter.native.builder import Builder
from interpreter.native.ir import Code, Ty, op
from interpreter.native.program import Program

WORDS, _MIDDLE = 624, 397
_UPPER, _LOWER, _MATRIX = 0x80000000, 0x7FFFFFFF, 0x9908B0DF
STRIDE = 4 * (WORDS + 1)  # bytes of one generator: its words, and how many were used


def seeded(seed: int) -> bytes:
    """The state of a generator that begins with this seed."""
    _, words, _ = random.Random(seed).getstate()
    return struct.pack(f"<{WORDS + 1}I", *words)


class Mersenne:
    """The functions that draw; they are written when first asked for."""

    def __init__(self, program: Program) -> None:
        """There is one generator for each player, from `start` on."""
        self.program = program
        self.start = program.buffer(STRIDE * program.setup.players)
        self.stride = program.shared(Ty.I32, "dice_stride")
        """From one player's generator to the next; 0 where all draw from the first."""
        program.beginnings[self.stride] = STRIDE

    @cached_property
    def below(self) -> ir.Function:
        """A number below a count of at least 1, drawn for a player."""
        word = self._word
        player, count = ir.Register(Ty.I32, "player"), ir.Register(Ty.I32, "count")
        function = self.program.function("drawn_below", [player, count], [Ty.I32])
        b = Builder(function)
        at = op("i32.add", op("i32.mul", ir.Get(player), ir.Get(self.stride)), ir.i32(self.start))
        base, unused = b.keep(at), b.keep(op("i32.clz", ir.Get(count)))
        with b.loop() as again:
            (bits,) = b.call(word, base)
            drawn = b.keep(op("i32.shr_u", bits, unused))
            b.jump(again, op("i32.ge_u", drawn, ir.Get(count)))
            b.leave(drawn)
        return function

    @cached_property
    def _word(self) -> ir.Function:
        """The next 32 bits of the generator at an address."""
        twist = self._twist
        base = ir.Register(Ty.I32, "base")
        function = self.program.function("drawn_word", [base], [Ty.I32])
        b, here = Builder(function), ir.Get(base)
        with b.when(op("i32.ge_u", ir.load("i32.load", here, 4 * WORDS), ir.i32(WORDS))):
            b.add(ir.Call(twist, (here,), ()))
        used = b.keep(ir.load("i32.load", here, 4 * WORDS))
        b.store("i32.store", here, 4 * WORDS, op("i32.add", used, ir.i32(1)))
        y = b.begin(ir.load("i32.load", op("i32.add", here, op("i32.mul", used, ir.i32(4)))))
        for turn, by, mask in (
            ("i32.shr_u", 11, -1),
            ("i32.shl", 7, 0x9D2C5680),
            ("i32.shl", 15, 0xEFC60000),
            ("i32.shr_u", 18, -1),
        ):
            moved = op("i32.and", op(turn, ir.Get(y), ir.i32(by)), ir.i32(mask))
            b.set(y, op("i32.xor", ir.Get(y), moved))
        b.leave(ir.Get(y))
        return function

    @cached_property
    def _twist(self) -> ir.Function:
        """Make the next words of the generator at an address."""
        base = ir.Register(Ty.I32, "base")
        function = self.program.function("twist", [base], [])
        b, at = Builder(function), ir.Register(Ty.I32, "at")

        def held(ahead: int) -> Code:
            place = op("i32.rem_u", op("i32.add", ir.Get(at), ir.i32(ahead)), ir.i32(WORDS))
            return ir.load("i32.load", op("i32.add", ir.Get(base), op("i32.shl", place, ir.i32(2))))

        b.set(at, ir.i32(0))
        with b.loop() as again:
            high = op("i32.and", held(0), ir.i32(_UPPER))
            y = b.keep(op("i32.or", high, op("i32.and", held(1), ir.i32(_LOWER))))
            odd = ir.Select(op("i32.and", y, ir.i32(1)), ir.i32(_MATRIX), ir.i32(0))
            turned = op("i32.xor", op("i32.shr_u", y, ir.i32(1)), odd)
            place = op("i32.add", ir.Get(base), op("i32.shl", ir.Get(at), ir.i32(2)))
            b.store("i32.store", place, 0, op("i32.xor", held(_MIDDLE), turned))
            b.set(at, op("i32.add", ir.Get(at), ir.i32(1)))
            b.jump(again, op("i32.lt_u", ir.Get(at), ir.i32(WORDS)))
        b.store("i32.store", ir.Get(base), 4 * WORDS, ir.i32(0))
        return function
