"""Conditions: chains, quantifiers, comparisons and relations."""

from __future__ import annotations

from collections.abc import Callable

from rulelang import core
from rulelang.core.types import (
    NONE,
    NUMBER,
    TRUTH,
    UNKNOWN,
    KindT,
    OptionalT,
    PieceT,
    SetT,
    Type,
    element,
    fits,
    non_optional,
)
from rulelang.diagnostics import nearest
from rulelang.elaborate.attributes import Features
from rulelang.elaborate.builtins import WORDS
from rulelang.elaborate.type_checker import Scope, flat, said
from rulelang.syntax.nodes import Node


class Conditions(Features):
    """What can be so or not."""

    def _or_(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return self._chain(node.part(0), scope, want, core.Any)

    def _and_(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return self._chain(node.part(0), scope, want, core.All)

    def _chain(
        self, node: Node, scope: Scope, want: Type, make: type[core.All] | type[core.Any]
    ) -> core.Expr:
        parts = flat(node)
        pairs = zip([None, *parts], parts, strict=False)
        items = [
            self._bare_part(part, before, scope) if part.kind == "name" else self.truth(part, scope)
            for before, part in pairs
        ]
        return make(tuple(items), type=TRUTH, span=node.span)

    def _bare_part(self, part: Node, before: Node | None, scope: Scope) -> core.Expr:
        """A part of a chain that is one word: after `x is a`, it may be meant as one more thing that x is."""
        found = self.expr(part, scope, TRUTH)
        if (
            before is None
            or before.kind not in ("is_", "is_not")
            or not isinstance(found.type, KindT | PieceT)
        ):
            return self.check(found, TRUTH, part.span)
        word = part.part(0).text
        fix = f"Say `is {word}` as well, each side being a whole condition, or put what it may be in brackets: `is (… or {word})`."
        self.report.add(
            "wrong-type", part.span, found=said(found.type), wanted=said(TRUTH), fix=fix
        )
        return core.Const(None, type=UNKNOWN, span=part.span)

    def _not_(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return core.Not(self.truth(node.part(0), scope), type=TRUTH)

    def _if_expr(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        cond = self.truth(node.part(0), scope)
        then, other = self.expr(node.part(1), scope, want), self.expr(node.part(2), scope, want)
        t = then.type if fits(other.type, then.type) else other.type
        if t == NONE or not fits(then.type, t):
            if other.type == NONE or then.type == NONE:
                t = OptionalT(non_optional(then.type if other.type == NONE else other.type))
            else:
                self.report.add(
                    "wrong-type", node.part(2).span, found=said(other.type), wanted=said(then.type)
                )
        return core.IfElse(cond, then, other, type=t)

    def _some(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return self._quantified(node, scope, lambda v, d, c: core.Exists(v, d, c, type=TRUTH))

    def _none_of(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return self._quantified(
            node, scope, lambda v, d, c: core.Not(core.Exists(v, d, c, type=TRUTH), type=TRUTH)
        )

    def _every(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        domain, item = self.collection(node.part(1), scope)
        var, inner = self.bind(node.part(0), item, scope)
        if node.parts[2] is not None:
            domain = core.Filter(var, domain, self.truth(node.part(2), inner), type=domain.type)
        return core.Forall(var, domain, self.truth(node.part(3), inner), type=TRUTH)

    def _quantified(
        self, node: Node, scope: Scope, make: Callable[[str, core.Expr, core.Expr], core.Expr]
    ) -> core.Expr:
        domain, item = self.collection(node.part(1), scope)
        var, inner = self.bind(node.part(0), item, scope)
        return make(var, domain, self.truth(node.part(2), inner))

    def _supposing(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        event, args = self.event_args(node, scope)
        body = self.expr(node.part(2), scope, want)
        return core.At("supposing", event, args, body, type=body.type)

    def _can(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        event, args = self.event_args(node, scope)
        return core.Accepts(event or "", args, type=TRUTH)

    def _equal(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return self._comparison("=", node.part(0), node.part(1), scope)

    def _compare(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return self._comparison(node.part(1).text, node.part(0), node.part(2), scope)

    def _comparison(self, op: str, a: Node, b: Node, scope: Scope) -> core.Expr:
        left = self.expr(a, scope)
        right = self.expr(b, scope, left.type)
        if left.type == UNKNOWN or (
            isinstance(a.kind, str) and a.kind == "name" and not fits(left.type, right.type)
        ):
            left = self.expr(a, scope, right.type)
        if not (fits(left.type, right.type) or fits(right.type, left.type)):
            self.report.add("wrong-type", b.span, found=said(right.type), wanted=said(left.type))
        elif op not in ("=", "!="):
            t = non_optional(left.type)
            ordered = t in (NUMBER, UNKNOWN) or (
                isinstance(t, KindT)
                and t.name in self.names.rules.kinds
                and self.names.rules.kinds[t.name].ordered
            )
            if not ordered:
                self.report.add("no-order", a.span.to(b.span), type=said(t))
        return core.Compare(op, left, right, type=TRUTH)

    def _is_(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return self.is_what(self.expr(node.part(0), scope), node.part(2), scope)

    def _is_not(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return core.Not(
            self.is_what(self.expr(node.part(0), scope), node.part(2), scope), type=TRUTH
        )

    def _in_(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        left = self.expr(node.part(0), scope)
        right, item = self.collection(node.part(1), scope, SetT(left.type))
        if not fits(left.type, item):
            left = self.expr(node.part(0), scope, item)
            if not fits(left.type, item) and not fits(item, left.type):
                self.report.add(
                    "wrong-type", node.part(0).span, found=said(left.type), wanted=said(item)
                )
        return core.Member(left, right, type=TRUTH)

    def _not_in(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return core.Not(self._in_(node, scope, want), type=TRUTH)

    def _relation(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return self.related(
            node.part(1),
            self.expr(node.part(0), scope),
            lambda t: self.wanted(node.part(2), scope, t),
        )

    def _relation_noun(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        left, word, noun = self.expr(node.part(0), scope), node.part(1), node.part(2)
        params = self.relation_params(word, left)
        if params is None:
            return core.Const(None, type=UNKNOWN)
        what = noun.part(-1)
        domain = self.noun(what, params[1], scope)
        self.fresh += 1
        var = f"it~{self.fresh}"
        test = self.related(word, left, lambda t: core.Var(var, type=t))
        if noun.kind == "some_noun":
            return core.Exists(var, domain, test, type=TRUTH)
        if noun.kind == "no_noun":
            return core.Not(core.Exists(var, domain, test, type=TRUTH), type=TRUTH)
        if noun.kind == "every_noun":
            return core.Forall(var, domain, test, type=TRUTH)
        count = core.Builtin(
            "count",
            (core.Filter(var, domain, test, type=domain.type),),
            type=NUMBER,
            span=node.span,
        )
        amount = self.wanted(noun.part(-2), scope, NUMBER)
        op = {"at_least": ">=", "at_most": "<=", "exactly": "="}[noun.kind]
        return core.Compare(op, count, amount, type=TRUTH)

    def relation_params(self, word: Node, left: core.Expr) -> tuple[Type, Type] | None:
        """The two types a relation holds between."""
        head = self.names.heads.get(word.text)
        if head and len(head.params) == 2:
            return head.params[0][1], head.params[1][1]
        if word.text in WORDS and WORDS[word.text].relation:
            item = element(left.type)
            return left.type, SetT(item) if item is not None else non_optional(left.type)
        relations = [n for n, h in self.names.heads.items() if len(h.params) == 2] + [
            n for n, w in WORDS.items() if w.relation
        ]
        near = nearest(word.text, relations)
        self.report.add(
            "unknown-relation",
            word.span,
            name=word.text,
            fix=f"Did you mean `{near[0]}`?" if near else None,
        )
        return None

    def related(self, word: Node, left: core.Expr, right: Callable[[Type], core.Expr]) -> core.Expr:
        """`a relation b`."""
        params = self.relation_params(word, left)
        if params is None:
            return core.Const(None, type=UNKNOWN)
        if word.text in WORDS:
            return core.Builtin(word.text, (left, right(params[1])), type=TRUTH)
        left = self.check(left, params[0], left.span)
        t = self.define(word.text)
        if not fits(t, TRUTH):
            self.report.add("wrong-type", word.span, found=said(t), wanted="truth")
        return core.Apply(word.text, (left, right(params[1])), type=TRUTH)
