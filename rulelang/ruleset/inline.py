"""Inlining: calls of definitions replaced by their bodies, and names by expressions.

Equal meanings then compare equal, whatever definitions they were written with.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from rulelang import core
from rulelang.ruleset.clauses import Definition
from rulelang.ruleset.ruleset import Ruleset

_LIMIT = 1_200  # nodes; an expression that grows past this keeps the calls that are left in it

Nested = TypeVar("Nested")


class Inliner:
    """Substitutes expressions for names and inlines calls; every name bound inside is renamed."""

    def __init__(self, rules: Ruleset, which: Callable[[str], bool]) -> None:
        """Fresh names are unique in all that one inliner makes; `which` says what is inlined."""
        self.rules, self.which, self.fresh, self.size = rules, which, 0, 0

    def tree(self, item: Nested, bound: dict[str, core.Expr]) -> Nested:
        """A node, or nested tuples of nodes, with these expressions in place of names."""
        if isinstance(item, tuple) and any(isinstance(part, core.Stmt) for part in item):
            return self._body(item, bound)  # type: ignore[return-value]  # a body gives a body
        return core.mapped(item, lambda node: self._node(node, bound))

    def _node(self, node: core.Node, bound: dict[str, core.Expr]) -> core.Node:
        self.size += 1
        if isinstance(node, core.Var):
            found = bound.get(node.name, node)
            if not isinstance(found, core.Var):
                return found
            return node if found.name == node.name else core.copied(node, name=found.name)
        if isinstance(node, core.Apply):
            return self._call(node, bound)
        names: dict[str, str] = {}
        for name in core.bound_names(node):
            self.fresh += 1
            names[name] = f"{name.split('~')[0]}~i{self.fresh}"
        inner = bound | {old: core.Var(new) for old, new in names.items()} if names else bound
        return core.rebuild(
            node,
            inner=lambda child: self._node(child, inner),
            outer=lambda child: self._node(child, bound),
            body=lambda body: self._body(body, inner),
            names=names,
        )

    def _call(self, call: core.Apply, bound: dict[str, core.Expr]) -> core.Expr:
        args = self.tree(call.args, bound)
        known = self.rules.definitions.get(call.define)
        body = _plain_body(known)
        if known is None or body is None or self.size > _LIMIT or not self.which(call.define):
            return call if args is call.args else core.copied(call, args=args)
        return self.tree(body, dict(zip([p for p, _ in known.params], args, strict=True)))

    def _body(
        self, body: tuple[core.Node, ...], bound: dict[str, core.Expr]
    ) -> tuple[core.Node, ...]:
        """Statements one after the other: the names that one binds are in scope after it."""
        found, known = [], dict(bound)
        for stmt in body:
            made = self._node(stmt, known)
            found.append(made)
            renamed = zip(core.bound_names(stmt), core.bound_names(made), strict=True)
            known |= {old: core.Var(new) for old, new in renamed}
        return tuple(found)


def _plain_body(known: Definition | None) -> core.Expr | None:
    """What a definition always is, if it has one case without a condition."""
    if known is None or len(known.cases) != 1 or known.cases[0].cond is not None:
        return None
    return known.cases[0].value


def written_out(
    item: Nested, rules: Ruleset, which: Callable[[str], bool] = lambda name: True
) -> Nested:
    """Nodes with every call of a definition of one case inlined, or only calls of those named."""
    return Inliner(rules, which).tree(item, {})


def substituted(expr: core.Expr, given: dict[str, core.Expr], rules: Ruleset) -> core.Expr:
    """The expression with expressions in place of names; calls of definitions stay."""
    return Inliner(rules, lambda name: False).tree(expr, given)
