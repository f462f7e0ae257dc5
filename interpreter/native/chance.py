"""The chance of a game in a module: the same numbers as in every engine, from seed and counters.

A number is a hash (BLAKE2b, 8 bytes) of the seed, the stream and how many were drawn, written
in decimal; see `Position.random`.
"""

from __future__ import annotations

import hashlib

from interpreter.native import ir
from interpreter.native.builder import Builder
from interpreter.native.ir import Code, Ty, op
from interpreter.native.program import Program

# BLAKE2b as RFC 7693 has it.
_START = (
    0x6A09E667F3BCC908,
    0xBB67AE8584CAA73B,
    0x3C6EF372FE94F82B,
    0xA54FF53A5F1D36F1,
    0x510E527FADE682D1,
    0x9B05688C2B3E6C1F,
    0x1F83D9ABFB41BD6B,
    0x5BE0CD19137E2179,
)
_ORDER = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
    (14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3),
    (11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4),
    (7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8),
    (9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13),
    (2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9),
    (12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11),
    (13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10),
    (6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5),
    (10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0),
)
_MIXED = (
    (0, 4, 8, 12),
    (1, 5, 9, 13),
    (2, 6, 10, 14),
    (3, 7, 11, 15),
    (0, 5, 10, 15),
    (1, 6, 11, 12),
    (2, 7, 8, 13),
    (3, 4, 9, 14),
)
_ROUNDS = 12
_BLOCK = 128  # bytes; the text is always shorter
_MOST_DIGITS = 24  # of a number, its sign among them, in whole words
_MOST_WORDS = 8  # of the text: three numbers of 20 letters at most, and what stands between them
_DIGEST = len(hashlib.blake2b(digest_size=8).digest())


class Chance:
    """The functions of one program that draw numbers; they are written when first asked for."""

    def __init__(self, program: Program) -> None:
        """Nothing is written yet."""
        self.program, self.layout = program, program.layout
        self._random: ir.Function | None = None
        self._text = 0

    @property
    def used(self) -> bool:
        """Does anything draw a number?"""
        return self._random is not None

    def below(self, b: Builder, count: Code) -> Code:
        """The next number of the game, below a count."""
        if self._random is None:
            self._random = self._written()
        return b.call(self._random, count)[0]

    def _written(self) -> ir.Function:
        count = ir.Register(Ty.I32, "count")
        function = self.program.function("random", [count], [Ty.I32])
        b = Builder(function)
        self._text = self.program.buffer(_BLOCK)
        drawn = ir.load("i64.load", ir.i32(0), self.layout.drawn)
        b.store("i64.store", ir.i32(0), self.layout.drawn, op("i64.add", drawn, ir.i64(1)))
        digits = self._decimal()
        begun = self._beginning(b, digits)
        for at in range(0, _MOST_DIGITS, 8):  # the number drawn before may have had more digits
            b.store("i64.store", begun, at, ir.i64(0))
        (end,) = b.call(digits, begun, drawn)
        length = op("i64.extend_i32_u", op("i32.sub", end, ir.i32(self._text)))
        value = b.keep(self._hashed(b, length))
        wide = op("i64.rem_u", _turned(value), op("i64.extend_i32_u", ir.Get(count)))
        b.leave(op("i32.wrap_i64", wide))
        return function

    def _beginning(self, b: Builder, digits: ir.Function) -> Code:
        """Write the seed and the stream before the number, unless they stand there from the last
        time; gives where they end.
        """
        known, parts = self.program.buffer(24), (self.layout.seed, self.layout.stream)
        same = op("i32.ne", ir.load("i32.load", ir.i32(0), known + 16), ir.i32(0))
        for number, offset in enumerate(parts):
            here, there = (ir.load("i64.load", ir.i32(0), x) for x in (offset, known + 8 * number))
            same = op("i32.and", same, op("i64.eq", here, there))
        with b.when(op("i32.eqz", same)):
            b.add(ir.Fill(ir.i32(self._text), ir.i32(0), ir.i32(_BLOCK)))
            end: Code = ir.i32(self._text)
            for number, offset in enumerate(parts):
                value = b.keep(ir.load("i64.load", ir.i32(0), offset))
                b.store("i64.store", ir.i32(0), known + 8 * number, value)
                (end,) = b.call(digits, end, value)
                b.store("i32.store8", end, 0, ir.i32(ord("|")))
                end = b.keep(op("i32.add", end, ir.i32(1)))
            b.store("i32.store", ir.i32(0), known + 16, end)
        return b.keep(ir.load("i32.load", ir.i32(0), known + 16))

    def _decimal(self) -> ir.Function:
        """A function that writes a number in decimal at an address, and gives where it ends."""
        at, value = ir.Register(Ty.I32, "at"), ir.Register(Ty.I64, "value")
        function = self.program.function("decimal", [at, value], [Ty.I32])
        b = Builder(function)
        with b.when(op("i64.lt_s", ir.Get(value), ir.i64(0))):
            b.store("i32.store8", ir.Get(at), 0, ir.i32(ord("-")))
            b.set(at, op("i32.add", ir.Get(at), ir.i32(1)))
            b.set(value, op("i64.sub", ir.i64(0), ir.Get(value)))
        scale = b.begin(ir.i64(1), "scale")
        with b.block() as done, b.loop() as again:  # how many digits there are
            b.jump(done, op("i64.lt_u", op("i64.div_u", ir.Get(value), ir.Get(scale)), ir.i64(10)))
            b.set(scale, op("i64.mul", ir.Get(scale), ir.i64(10)))
            b.jump(again)
        with b.block() as done, b.loop() as again:
            digit = op("i64.rem_u", op("i64.div_u", ir.Get(value), ir.Get(scale)), ir.i64(10))
            letter = op("i32.add", op("i32.wrap_i64", digit), ir.i32(ord("0")))
            b.store("i32.store8", ir.Get(at), 0, letter)
            b.set(at, op("i32.add", ir.Get(at), ir.i32(1)))
            b.set(scale, op("i64.div_u", ir.Get(scale), ir.i64(10)))
            b.jump(done, op("i64.eqz", ir.Get(scale)))
            b.jump(again)
        b.leave(ir.Get(at))
        return function

    def _hashed(self, b: Builder, length: Code) -> Code:
        """The first word of the hash of the text, which is one block."""
        first = _START[0] ^ (0x01010000 | _DIGEST)
        v = [b.begin(ir.i64(word)) for word in (first, *_START[1:], *_START)]
        b.set(v[12], op("i64.xor", ir.Get(v[12]), length))
        b.set(v[14], op("i64.xor", ir.Get(v[14]), ir.i64(-1)))  # the last block
        words = (ir.load("i64.load", ir.i32(0), self._text + 8 * at) for at in range(_MOST_WORDS))
        text = [*map(b.keep, words), *[ir.i64(0)] * (16 - _MOST_WORDS)]
        for number in range(_ROUNDS):
            order = _ORDER[number % len(_ORDER)]
            for at, places in enumerate(_MIXED):
                pair = text[order[2 * at]], text[order[2 * at + 1]]
                _mix(b, [v[place] for place in places], pair)
        return op("i64.xor", ir.i64(first), op("i64.xor", ir.Get(v[0]), ir.Get(v[8])))


def _mix(b: Builder, registers: list[ir.Register], pair: tuple[Code, Code]) -> None:
    """One step of a round on four words."""
    one, two, three, four = registers
    for word, by_four, by_two in zip(pair, (32, 16), (24, 63), strict=True):
        both = op("i64.add", ir.Get(one), ir.Get(two))
        b.set(one, both if word == ir.i64(0) else op("i64.add", both, word))
        turned = op("i64.xor", ir.Get(four), ir.Get(one))
        b.set(four, op("i64.rotr", turned, ir.i64(by_four)))
        b.set(three, op("i64.add", ir.Get(three), ir.Get(four)))
        b.set(two, op("i64.rotr", op("i64.xor", ir.Get(two), ir.Get(three)), ir.i64(by_two)))


def _turned(word: Code) -> Code:
    """The bytes of a word the other way round."""
    for width, mask in ((8, 0x00FF00FF00FF00FF), (16, 0x0000FFFF0000FFFF)):
        low = op("i64.and", word, ir.i64(mask))
        high = op("i64.and", op("i64.shr_u", word, ir.i64(width)), ir.i64(mask))
        word = op("i64.or", op("i64.shl", low, ir.i64(width)), high)
    return op("i64.rotl", word, ir.i64(32))
