"""Checked arithmetic of whole numbers: past 64 bits is a fault, as is a division by 0."""

from __future__ import annotations

from interpreter.native import ir
from interpreter.native.builder import Builder
from interpreter.native.ir import Code, op
from interpreter.native.program import Program, Scope, Stop
from interpreter.native.values import Scalar
from rulelang.core.bounds import LARGEST, MAX_SPAN, SMALLEST

Interval = tuple[int, int]


def _fits(interval: Interval) -> bool:
    return interval[0] >= SMALLEST and interval[1] <= LARGEST


def _bounded(code: Code, interval: Interval) -> Scalar:
    return Scalar(code, max(interval[0], SMALLEST), min(interval[1], LARGEST))


def add_or_ask(p: Program, b: Builder, x: Scalar, y: Scalar, scope: Scope) -> Scalar:
    """The sum so far; where it passes 64 bits on the way the reference is to say what it is."""
    return _added(p, b, (x, y), Stop.ELSEWHERE, scope)


def add(p: Program, b: Builder, x: Scalar, y: Scalar, scope: Scope) -> Scalar:
    """The sum."""
    return _added(p, b, (x, y), Stop.OVERFLOW, scope)


def _added(
    p: Program, b: Builder, operands: tuple[Scalar, Scalar], why: Stop, scope: Scope
) -> Scalar:
    x, y = operands
    interval = x.low + y.low, x.high + y.high
    if _fits(interval):
        return Scalar(op("i64.add", x.code, y.code), *interval)
    left, right = b.keep(x.code), b.keep(y.code)
    made = b.keep(op("i64.add", left, right))
    wrong = op("i64.and", op("i64.xor", left, made), op("i64.xor", right, made))
    _stop_where_negative(p, b, wrong, why, scope)
    return _bounded(made, interval)


def _stop_where_negative(p: Program, b: Builder, sign: Code, why: Stop, scope: Scope) -> None:
    """Stop where the sign of a result cannot come of those of its operands."""
    with b.when(op("i64.lt_s", sign, ir.i64(0))):
        p.stop(b, why, scope)


def subtract(p: Program, b: Builder, x: Scalar, y: Scalar, scope: Scope) -> Scalar:
    """The difference."""
    interval = x.low - y.high, x.high - y.low
    if _fits(interval):
        return Scalar(op("i64.sub", x.code, y.code), *interval)
    left, right = b.keep(x.code), b.keep(y.code)
    made = b.keep(op("i64.sub", left, right))
    wrong = op("i64.and", op("i64.xor", left, right), op("i64.xor", left, made))
    _stop_where_negative(p, b, wrong, Stop.OVERFLOW, scope)
    return _bounded(made, interval)


def multiply(p: Program, b: Builder, x: Scalar, y: Scalar, scope: Scope) -> Scalar:
    """The product."""
    corners = [i * j for i in (x.low, x.high) for j in (y.low, y.high)]
    interval = min(corners), max(corners)
    if _fits(interval):
        return Scalar(op("i64.mul", x.code, y.code), *interval)
    left, right = b.keep(x.code), b.keep(y.code)
    made = b.keep(op("i64.mul", left, right))
    with b.block() as fine:
        # Where both have 31 bits nothing can pass 64; else the product is divided again.
        small = (op("i64.add", side, ir.i64(1 << 31)) for side in (left, right))
        either = op("i64.or", *(op("i64.shr_u", side, ir.i64(32)) for side in small))
        b.jump(fine, op("i64.eqz", either))
        b.jump(fine, op("i64.eqz", left))
        with b.block() as wrong:
            lowest = op("i64.eq", right, ir.i64(SMALLEST))
            b.jump(wrong, op("i32.and", op("i64.eq", left, ir.i64(-1)), lowest))
            # A division of the lowest number by -1 would stop the module.
            minus = op("i64.eq", left, ir.i64(-1))
            b.jump(fine, minus)
            b.jump(fine, op("i64.eq", op("i64.div_s", made, left), right))
        p.stop(b, Stop.OVERFLOW, scope)
    return _bounded(made, interval)


def divide(p: Program, b: Builder, x: Scalar, y: Scalar, scope: Scope) -> Scalar:
    """The quotient, rounded down."""
    return _divided(p, b, (x, y), False, scope)


def divide_up(p: Program, b: Builder, x: Scalar, y: Scalar, scope: Scope) -> Scalar:
    """The quotient, rounded up."""
    return _divided(p, b, (x, y), True, scope)


def _divided(
    p: Program, b: Builder, operands: tuple[Scalar, Scalar], up: bool, scope: Scope
) -> Scalar:
    x, y = operands
    top, bottom = b.keep(x.code), b.keep(y.code)
    if y.low <= 0 <= y.high:
        with b.when(op("i64.eqz", bottom)):
            p.stop(b, Stop.DIVISION, scope)
    if x.low == SMALLEST and y.low <= -1 <= y.high:
        lowest, minus = op("i64.eq", top, ir.i64(SMALLEST)), op("i64.eq", bottom, ir.i64(-1))
        with b.when(op("i32.and", lowest, minus)):
            p.stop(b, Stop.OVERFLOW, scope)
    made = b.keep(op("i64.div_s", top, bottom))
    rest = b.keep(op("i64.rem_s", top, bottom))
    # The machine rounds towards 0: that is down if the true quotient is positive, and up if not.
    unlike = op("i64.lt_s", op("i64.xor", top, bottom), ir.i64(0))
    moved = op("i32.eqz", unlike) if up else unlike
    off = op("i32.and", op("i64.ne", rest, ir.i64(0)), moved)
    change = op("i64.extend_i32_u", off)
    largest = max(abs(x.low), abs(x.high))
    low = 0 if x.low >= 0 and y.low >= 0 else -largest
    name = "i64.add" if up else "i64.sub"
    return _bounded(op(name, made, change), (low, largest))


def span(p: Program, b: Builder, low: Code, high: Code, scope: Scope) -> None:
    """Stop if two numbers are too far apart for a range; count the numbers of the range."""
    with b.when(op("i64.gt_s", high, low)):
        width = b.keep(op("i64.sub", high, low))  # as a number without sign it is exact
        with b.when(op("i64.gt_u", width, ir.i64(MAX_SPAN))):
            p.stop(b, Stop.SPAN, scope, op("i64.add", width, ir.i64(1)))
        p.visit(b, width)
    p.visit(b, ir.i64(1))


def widest(low: Scalar, high: Scalar) -> int:
    """How many numbers a range has at most."""
    return max(0, min(MAX_SPAN, high.high - low.low) + 1)
