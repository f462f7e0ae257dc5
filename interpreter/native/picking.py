"""What all that draws options does alike: the so-many-th member, a set in the output, limits."""

from __future__ import annotations

from interpreter.native import bits, ir
from interpreter.native.builder import Builder
from interpreter.native.control import Decision
from interpreter.native.expressions import Expressions
from interpreter.native.ir import Code, op
from interpreter.native.layout import MOST_LISTED, OUTPUT
from interpreter.native.program import Program, Scope, Stop
from interpreter.native.shared import Shared
from interpreter.native.values import MAX_WORDS, WORD
from rulelang import core


def stop_without(program: Program, b: Builder, count: Code, scope: Scope) -> None:
    """Stop where there is nothing to choose from."""
    with b.when(op("i32.eqz", count)):
        program.stop(b, Stop.NO_OPTION, scope)


def limits(shared: Shared, b: Builder, d: Decision, size: Code) -> tuple[Code, Code]:
    """The least and the largest number that may be chosen of so many members."""
    stmt = d.stmt
    if not isinstance(stmt, core.Choose) or stmt.mode == "one":
        return ir.i64(1), ir.i64(1)
    if stmt.mode == "order":
        return size, size
    say = Expressions(shared, b)
    low: Code = ir.i64(0)
    if stmt.low is not None:
        least = b.keep(say.number(stmt.low, d.scope).code)
        least = b.keep(ir.Select(op("i64.gt_s", least, ir.i64(0)), least, ir.i64(0)))
        low = b.keep(ir.Select(op("i64.lt_s", least, size), least, size))
    high = size
    if stmt.high is not None:
        most = b.keep(say.number(stmt.high, d.scope).code)
        most = b.keep(ir.Select(op("i64.lt_s", most, size), most, size))
        high = b.keep(ir.Select(op("i64.gt_s", most, low), most, low))
    return low, high


def put_in(b: Builder, member: Code) -> None:
    """Put a member, given with 64 bits, into the set in the output."""
    item = b.keep(op("i32.wrap_i64", member))
    at = b.keep(op("i32.mul", op("i32.shr_u", item, ir.i32(6)), ir.i32(8)))
    held = ir.load("i64.load", at, OUTPUT)
    b.store("i64.store", at, OUTPUT, op("i64.or", held, bits.one_bit(item)))


def put_next(b: Builder, member: Code, place: Code) -> None:
    """Put a member, given with 64 bits, into this place of the list in the output, from 0 on."""
    at = b.keep(op("i32.shl", place, ir.i32(1)))
    b.store("i32.store16", at, OUTPUT + 2, op("i32.wrap_i64", member))


def begin_list(program: Program, b: Builder, count: Code, scope: Scope) -> None:
    """A list of so many members in the output, which are still to be put there."""
    with b.when(op("i32.gt_u", count, ir.i32(MOST_LISTED))):
        program.stop(b, Stop.ELSEWHERE, scope)
    b.add(ir.Fill(ir.i32(OUTPUT), ir.i32(0), ir.i32(8 * MAX_WORDS)))
    b.store("i32.store16", ir.i32(0), OUTPUT, count)


def leave_nth(b: Builder, words: tuple[Code, ...], left: ir.Register) -> None:
    """Leave with the so-many-th member of a set; that many there are."""
    for number, word in enumerate(words):
        if number < len(words) - 1:
            count = b.keep(op("i64.popcnt", word))
            with b.when(op("i64.lt_u", ir.Get(left), count)):
                _leave_nth_of(b, word, left, number)
            b.set(left, op("i64.sub", ir.Get(left), count))
        else:
            _leave_nth_of(b, word, left, number)


def _leave_nth_of(b: Builder, word: Code, number: ir.Register, at: int) -> None:
    """Leave with the member whose bit is the so-many-th of a word."""
    here, below = b.begin(word, "word"), b.begin(ir.Get(number), "below")
    base = b.begin(ir.i64(WORD * at), "base")
    for width in (32, 16, 8):
        low = op("i64.and", ir.Get(here), ir.i64((1 << width) - 1))
        count = b.keep(op("i64.popcnt", low))
        with b.when(op("i64.ge_u", ir.Get(below), count)):
            b.set(below, op("i64.sub", ir.Get(below), count))
            b.set(here, op("i64.shr_u", ir.Get(here), ir.i64(width)))
            b.set(base, op("i64.add", ir.Get(base), ir.i64(width)))
    with b.block() as out, b.loop() as again:
        b.jump(out, op("i64.eqz", ir.Get(below)))
        lower = op("i64.sub", ir.Get(here), ir.i64(1))
        b.set(here, op("i64.and", ir.Get(here), lower))
        b.set(below, op("i64.sub", ir.Get(below), ir.i64(1)))
        b.jump(again)
    b.leave(op("i64.add", ir.Get(base), op("i64.ctz", ir.Get(here))))
