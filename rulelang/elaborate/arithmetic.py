"""Rules of the type checker for numbers and sets: arithmetic, literals, filters and images."""

from __future__ import annotations

from rulelang import core
from rulelang.core.types import (
    NONE,
    NUMBER,
    UNKNOWN,
    ListT,
    OptionalT,
    SetT,
    Type,
    element,
    fits,
    non_optional,
)
from rulelang.elaborate.type_checker import Scope, TypeChecker
from rulelang.syntax.nodes import Node


# ------------------------------------------------------------------------ arithmetic
def plus(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """`a + b`: a sum, or the union of sets."""
    return _sum(checker, "+", node, scope, want)


def minus(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """`a - b`: a difference of numbers or of sets."""
    return _sum(checker, "-", node, scope, want)


def _sum(checker: TypeChecker, op: str, node: Node, scope: Scope, want: Type) -> core.Expr:
    left = checker.expr(node.part(0), scope, want)
    right = checker.expr(node.part(1), scope, left.type)
    if element(left.type) is not None and left.type != UNKNOWN:
        right = checker.check(right, left.type, node.part(1).span)
        t = left.type if left.type != SetT(UNKNOWN) else right.type
        return core.SetOp(op, left, right, type=t)
    for side, part in ((left, node.part(0)), (right, node.part(1))):
        checker.check(side, NUMBER, part.span)
    return core.Arith(op, left, right, type=NUMBER)


def _product(checker: TypeChecker, op: str, node: Node, scope: Scope) -> core.Expr:
    left = checker.wanted(node.part(0), scope, NUMBER)
    return core.Arith(op, left, checker.wanted(node.part(1), scope, NUMBER), type=NUMBER)


def times(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """`a * b`."""
    return _product(checker, "*", node, scope)


def divide(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """`a / b rounded down` or `up`."""
    down = node.part(2).text.endswith("down")
    return _product(checker, "/down" if down else "/up", node, scope)


def negative(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """`-a`."""
    zero = core.Const(0, type=NUMBER)
    return core.Arith("-", zero, checker.wanted(node.part(0), scope, NUMBER), type=NUMBER)


# ------------------------------------------------------------------------ sets
def empty(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """`{}`."""
    return core.SetOf((), type=want if isinstance(want, SetT | ListT) else SetT(UNKNOWN))


def set_lit(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """`{a, b}`: a set, or where a list is wanted, a list with order and repeats."""
    inner = element(want) or UNKNOWN
    parts = [part for part in node.parts if part is not None]
    items = [checker.expr(part, scope, inner) for part in parts]
    if inner != UNKNOWN and all(_is_set_of(item, inner) for item in items):
        # {"a title", "another"} where pieces are wanted: the union of what each stands for
        joined = items[0]
        for item in items[1:]:
            joined = core.SetOp("+", joined, item, type=want)
        return joined
    t = next((item.type for item in items if item.type not in (UNKNOWN, NONE)), inner)
    for item, part in zip(items, parts, strict=True):
        checker.check(item, t, part.span)
    return core.SetOf(tuple(items), type=ListT(t) if isinstance(want, ListT) else SetT(t))


def _is_set_of(item: core.Expr, inner: Type) -> bool:
    return fits(item.type, SetT(inner)) and not fits(item.type, inner)


def span(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """`{a to b}`."""
    low = checker.wanted(node.part(0), scope, NUMBER)
    return core.Range(low, checker.wanted(node.part(1), scope, NUMBER), type=SetT(NUMBER))


def filter_(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """`{x in S where a}`, `… with largest k` and `{x in S as rest where a until stable}`."""
    domain, item = checker.collection(node.part(1), scope, want)
    var, inner = checker.bind(node.part(0), item, scope)
    as_name, cond, stable, extreme = node.parts[2], node.parts[3], node.parts[4], node.parts[5]
    if as_name is not None:
        so_far, inner = checker.bind(as_name, SetT(item), inner)
        if stable is None:
            checker.report.add("stable-missing", node.span)
        return core.Stable(var, so_far, domain, checker.conds(cond, inner), type=domain.type)
    found: core.Expr = domain
    if cond is not None:
        found = core.Filter(var, domain, checker.conds(cond, inner), type=domain.type)
    if extreme is not None:
        word = extreme.part(0)
        if word.text not in ("largest", "smallest"):
            expected = '"largest" or "smallest"'
            checker.report.add("unexpected-word", word.span, word=word.text, expected=expected)
        key = checker.wanted(extreme.part(1), inner, NUMBER)
        found = core.Best(var, found, key, word.text == "largest", type=domain.type)
    return found


def image(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """`{e for x in S where a}`: a set."""
    return _image(checker, node, scope, want, repeats=False)


def each_of(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """`(e for x in S where a)`: a list with repeats."""
    return _image(checker, node, scope, want, repeats=True)


def _image(checker: TypeChecker, node: Node, scope: Scope, want: Type, repeats: bool) -> core.Expr:
    domain, item = checker.collection(node.part(2), scope)
    var, inner = checker.bind(node.part(1), item, scope)
    cond = checker.conds(node.parts[3], inner)
    body = checker.expr(node.part(0), inner, element(want) or UNKNOWN)
    t: Type = ListT(body.type) if repeats else SetT(non_optional(body.type))
    return core.Image(var, domain, cond, body, repeats, type=t)


def the(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """`the {…}`: the first member, or none."""
    found, item = checker.collection(node.part(0), scope)
    return core.Pick(found, type=OptionalT(item) if item != UNKNOWN else UNKNOWN)
