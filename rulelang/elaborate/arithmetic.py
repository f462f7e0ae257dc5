"""Amounts and sets: arithmetic, literals, filters, images and what is applied with `of`."""

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
from rulelang.elaborate.conditions import Conditions
from rulelang.elaborate.type_checker import Scope
from rulelang.syntax.nodes import Node


class Amounts(Conditions):
    """Numbers and sets."""

    def _plus(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return self._binary("+", node, scope, want)

    def _minus(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return self._binary("-", node, scope, want)

    def _binary(self, op: str, node: Node, scope: Scope, want: Type) -> core.Expr:
        left = self.expr(node.part(0), scope, want)
        right = self.expr(node.part(1), scope, left.type)
        if element(left.type) is not None and left.type != UNKNOWN:
            right = self.check(right, left.type, node.part(1).span)
            t = left.type if left.type != SetT(UNKNOWN) else right.type
            return core.SetOp(op, left, right, type=t)
        for side, part in ((left, node.part(0)), (right, node.part(1))):
            self.check(side, NUMBER, part.span)
        return core.Arith(op, left, right, type=NUMBER)

    def _times(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return core.Arith(
            "*",
            self.wanted(node.part(0), scope, NUMBER),
            self.wanted(node.part(1), scope, NUMBER),
            type=NUMBER,
        )

    def _divide(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        op = "/down" if node.part(2).text.endswith("down") else "/up"
        return core.Arith(
            op,
            self.wanted(node.part(0), scope, NUMBER),
            self.wanted(node.part(1), scope, NUMBER),
            type=NUMBER,
        )

    def _negative(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return core.Arith(
            "-", core.Const(0, type=NUMBER), self.wanted(node.part(0), scope, NUMBER), type=NUMBER
        )

    def _empty(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return core.SetOf((), type=want if isinstance(want, SetT | ListT) else SetT(UNKNOWN))

    def _set_lit(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        inner = element(want) or UNKNOWN
        items = [self.expr(part, scope, inner) for part in node.parts if part is not None]
        t = next((item.type for item in items if item.type not in (UNKNOWN, NONE)), inner)
        if (
            all(fits(item.type, SetT(inner)) and not fits(item.type, inner) for item in items)
            and inner != UNKNOWN
        ):
            joined = items[
                0
            ]  # {"a title", "another"} where pieces are wanted: the union of what each stands for
            for item in items[1:]:
                joined = core.SetOp("+", joined, item, type=want)
            return joined
        for item, part in zip(items, (p for p in node.parts if p is not None), strict=True):
            self.check(item, t, part.span)
        return core.SetOf(
            tuple(items), type=ListT(t) if isinstance(want, ListT) else SetT(t)
        )  # where a list is asked for, order and repeats count

    def _span(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return core.Range(
            self.wanted(node.part(0), scope, NUMBER),
            self.wanted(node.part(1), scope, NUMBER),
            type=SetT(NUMBER),
        )

    def _filter(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        domain, item = self.collection(node.part(1), scope, want)
        var, inner = self.bind(node.part(0), item, scope)
        as_name, cond, stable, extreme = node.parts[2], node.parts[3], node.parts[4], node.parts[5]
        if as_name is not None:
            so_far, inner = self.bind(as_name, SetT(item), inner)
            if stable is None:
                self.report.add("stable-missing", node.span)
            return core.Stable(var, so_far, domain, self.conds(cond, inner), type=domain.type)
        found: core.Expr = domain
        if cond is not None:
            found = core.Filter(var, domain, self.conds(cond, inner), type=domain.type)
        if extreme is not None:
            word = extreme.part(0)
            if word.text not in ("largest", "smallest"):
                self.report.add(
                    "unexpected-word", word.span, word=word.text, expected='"largest" or "smallest"'
                )
            key = self.wanted(extreme.part(1), inner, NUMBER)
            found = core.Best(var, found, key, word.text == "largest", type=domain.type)
        return found

    def _image(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return self._for_in(node, scope, repeats=False, want=want)

    def _each_of(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return self._for_in(node, scope, repeats=True, want=want)

    def _for_in(self, node: Node, scope: Scope, repeats: bool, want: Type) -> core.Expr:
        domain, item = self.collection(node.part(2), scope)
        var, inner = self.bind(node.part(1), item, scope)
        cond = self.conds(node.parts[3], inner)
        body = self.expr(node.part(0), inner, element(want) or UNKNOWN)
        t: Type = ListT(body.type) if repeats else SetT(non_optional(body.type))
        return core.Image(var, domain, cond, body, repeats, type=t)

    def _the(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        found, item = self.collection(node.part(0), scope)
        return core.Pick(found, type=OptionalT(item) if item != UNKNOWN else UNKNOWN)

    def _of_(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        word = node.part(0)
        inner = (
            SetT(NUMBER)
            if word.text in ("sum", "largest", "smallest")
            else SetT(UNKNOWN)
            if word.text in ("count", "first", "last")
            else UNKNOWN
        )
        return self.feature(word, self.expr(node.part(1), scope, inner), scope)

    def _field_of(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return self.feature(node.part(1), self.expr(node.part(0), scope), scope)
