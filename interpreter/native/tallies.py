"""The operations of score tables on a running total."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from interpreter.native import arithmetic, ir
from interpreter.native.builder import Builder
from interpreter.native.ir import op
from interpreter.native.program import Program, Scope
from interpreter.native.values import Scalar

Operation: TypeAlias = Callable[[Program, Builder, Scalar, Scalar, Scope], Scalar]


def _replace(p: Program, b: Builder, total: Scalar, amount: Scalar, scope: Scope) -> Scalar:
    return amount


def _floor(p: Program, b: Builder, total: Scalar, amount: Scalar, scope: Scope) -> Scalar:
    least = b.keep(amount.code)
    larger = ir.Select(op("i64.gt_s", least, total.code), least, total.code)
    return Scalar(larger, max(total.low, amount.low), max(total.high, amount.high))


def _cap(p: Program, b: Builder, total: Scalar, amount: Scalar, scope: Scope) -> Scalar:
    most = b.keep(amount.code)
    smaller = ir.Select(op("i64.lt_s", most, total.code), most, total.code)
    return Scalar(smaller, min(total.low, amount.low), min(total.high, amount.high))


OPERATIONS: dict[str, Operation] = {
    "start": _replace,
    "+": arithmetic.add,
    "-": arithmetic.subtract,
    "times": arithmetic.multiply,
    "exactly": _replace,
    "floor": _floor,
    "cap": _cap,
}
