"""Sets of indices in registers: what is done with words of bits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

from interpreter.native import ir
from interpreter.native.builder import Builder
from interpreter.native.ir import Code, op
from interpreter.native.values import WORD, Bits, Scalar


def combined(operation: str, a: Bits, b: Bits) -> Bits:
    """Word by word: `and`, `or`, `xor`."""
    size = max(a.size, b.size)
    words = zip(a.words, b.words, strict=True)
    return Bits(tuple(op(f"i64.{operation}", x, y) for x, y in words), size)


def without(a: Bits, b: Bits) -> Bits:
    """What is in the first and not in the second."""
    words = zip(a.words, b.words, strict=True)
    found = tuple(op("i64.and", x, op("i64.xor", y, ir.i64(-1))) for x, y in words)
    return Bits(found, a.size)


def kept(b: Builder, bits: Bits) -> Bits:
    """The same set in a form that may be used many times, whatever is written meanwhile."""
    return Bits(tuple(b.keep(word) for word in bits.words), bits.size)


def some(bits: Bits) -> Code:
    """Is there a member?"""
    if len(bits.words) == 1:
        return op("i64.ne", bits.words[0], ir.i64(0))
    return op("i64.ne", reduce(lambda x, y: op("i64.or", x, y), bits.words), ir.i64(0))


def equal(a: Bits, b: Bits) -> Code:
    """Have both the same members?"""
    return op("i32.eqz", some(combined("xor", a, b)))


def count(bits: Bits) -> Code:
    """How many members there are."""
    return reduce(lambda x, y: op("i64.add", x, y), (op("i64.popcnt", word) for word in bits.words))


def one_bit(item: Code) -> Code:
    """The bit of a member in its word."""
    return op("i64.shl", ir.i64(1), op("i64.extend_i32_u", item))  # modulo 64


def single(item: Code, size: int, words: int) -> Bits:
    """The set of one member; of none the empty set."""
    bit = one_bit(item)
    if words == 1:
        return Bits((ir.Select(op("i32.lt_s", item, ir.i32(0)), ir.i64(0), bit),), size)
    which = op("i32.shr_s", item, ir.i32(6))  # -1 for none
    return Bits(
        tuple(ir.Select(op("i32.eq", which, ir.i32(at)), bit, ir.i64(0)) for at in range(words)),
        size,
    )


def insert(b: Builder, registers: Sequence[ir.Register], item: Code, size: int) -> None:
    """Put a member into a set that is gathered in registers; none adds nothing."""
    one = single(item, size, len(registers))
    for register, word in zip(registers, one.words, strict=True):
        b.set(register, op("i64.or", ir.Get(register), word))


def word_of(bits: Bits, item: Code) -> Code:
    """The word in which the bit of a member stands."""
    found = bits.words[-1]
    which = op("i32.shr_u", item, ir.i32(6))
    for at in range(len(bits.words) - 2, -1, -1):
        found = ir.Select(op("i32.eq", which, ir.i32(at)), bits.words[at], found)
    return found


def contains(bits: Bits, item: Scalar) -> Code:
    """Is it a member? None is not."""
    shifted = op("i64.shr_u", word_of(bits, item.code), op("i64.extend_i32_u", item.code))
    inside = op("i32.wrap_i64", op("i64.and", shifted, ir.i64(1)))
    if item.low < 0:
        inside = op("i32.and", inside, op("i32.ge_s", item.code, ir.i32(0)))
    return inside


def first(bits: Bits) -> Code:
    """The first member, -1 of an empty set."""
    found: Code = ir.i32(-1)
    for at in range(len(bits.words) - 1, -1, -1):
        word = bits.words[at]
        here = op("i32.add", op("i32.wrap_i64", op("i64.ctz", word)), ir.i32(WORD * at))
        found = ir.Select(op("i64.ne", word, ir.i64(0)), here, found)
    return found


def last(bits: Bits) -> Code:
    """The last member, -1 of an empty set."""
    found: Code = ir.i32(-1)
    for at, word in enumerate(bits.words):
        top = op("i32.wrap_i64", op("i64.clz", word))
        here = op("i32.sub", ir.i32(WORD * at + 63), top)
        found = ir.Select(op("i64.ne", word, ir.i64(0)), here, found)
    return found


def each_member(b: Builder, bits: Bits, body: Callable[[Scalar], None]) -> None:
    """A loop over the members, the smallest first."""
    left = [b.begin(word, "left") for word in bits.words]
    item = b.new(ir.Ty.I32, "item")
    with b.block() as done, b.loop() as again:
        with b.block() as found:
            for at, register in enumerate(left):
                with b.when(op("i64.ne", ir.Get(register), ir.i64(0))):
                    number = op("i32.wrap_i64", op("i64.ctz", ir.Get(register)))
                    b.set(item, op("i32.add", number, ir.i32(WORD * at)))
                    lower = op("i64.sub", ir.Get(register), ir.i64(1))
                    b.set(register, op("i64.and", ir.Get(register), lower))
                    b.jump(found)
            b.jump(done)
        body(Scalar(ir.Get(item), 0, bits.size - 1))
        b.jump(again)


def load(address: Code, words: int, size: int, offset: int = 0) -> Bits:
    """A set that stands in memory."""
    return Bits(tuple(ir.load("i64.load", address, offset + 8 * at) for at in range(words)), size)


def store(b: Builder, bits: Bits, address: Code, offset: int = 0) -> None:
    """Write a set into memory."""
    for at, word in enumerate(bits.words):
        b.store("i64.store", address, offset + 8 * at, word)
