"""The lines of definitions, score tables and requirements, wherever they stand: in a declaration or in what a card adds."""

from __future__ import annotations

from rulelang import core
from rulelang.core.types import NUMBER, TRUTH, Type
from rulelang.elaborate.expressions import Expressions
from rulelang.elaborate.symbols import SymbolTable
from rulelang.elaborate.type_checker import Scope
from rulelang.ruleset import (
    Case,
    Line,
    Rule,
)
from rulelang.syntax.nodes import Node, plain


class Lines:
    """Compiles indented lines to records, each named as a clause."""

    def __init__(self, names: SymbolTable, exprs: Expressions) -> None:
        """Lines are named and typed as expressions are."""
        self.names, self.report, self.exprs = names, names.report, exprs

    def cases(
        self, nodes: list[Node], scope: Scope, owner: str, want: Type | None
    ) -> tuple[Case, ...]:
        """The lines of a definition by cases."""
        found: list[Case] = []
        for node in nodes:
            if node.kind == "open_slot":
                label = plain(node.part(0))
                found.append(Case(None, None, self.names.clause("open", owner, label, node), label))
                continue
            value = self.value(node.part(0), scope, want)
            cond = (
                self.exprs.conds(node.parts[1], scope)
                if node.kind == "case" and node.parts[1] is not None
                else None
            )
            found.append(Case(value, cond, self.names.clause("case", owner, "case", node)))
        return tuple(found)

    def value(self, conds: Node, scope: Scope, want: Type | None) -> core.Expr:
        """What stands after `=`: one expression, or conditions that must all hold."""
        parts = [p for p in conds.parts if p is not None]
        if len(parts) > 1 or want == TRUTH:
            return self.exprs.conds(conds, scope)
        return (
            self.exprs.wanted(parts[0], scope, want) if want else self.exprs.expr(parts[0], scope)
        )

    def table(self, nodes: list[Node], scope: Scope, owner: str) -> tuple[Line, ...]:
        """The lines of a score table; `total` is the running total."""
        inside = {**scope, "total": core.Var("total", type=NUMBER)}
        found: list[Line] = []
        labels: dict[str, Node] = {}
        for node in nodes:
            if node.kind == "open_slot":
                label = plain(node.part(0))
                found.append(
                    Line(
                        "slot",
                        None,
                        label,
                        None,
                        None,
                        self.names.clause("open", owner, label, node),
                        label,
                    )
                )
            elif node.kind == "one_of":
                inner = [p for p in node.parts if p is not None and p.kind not in ("OF", "CITE")]
                found.append(
                    Line("one", None, "", None, None, "", None, self.table(inner, scope, owner))
                )
            else:
                label = plain(node.part(2))
                if label in labels:
                    self.report.add(
                        "two-clauses",
                        node.part(2).span,
                        label=label,
                        owner=owner,
                        first=labels[label].span.line,
                    )
                labels[label] = node
                each, line_scope = None, inside
                if node.parts[3] is not None:
                    domain, item = self.exprs.collection(node.part(4), inside)
                    var, line_scope = self.exprs.bind(node.part(3), item, inside)
                    each = (var, domain)
                amount = self.exprs.wanted(node.part(1), line_scope, NUMBER)
                cond = (
                    self.exprs.conds(node.parts[5], line_scope)
                    if node.parts[5] is not None
                    else None
                )
                op = {
                    "start_op": "start",
                    "add_op": "+",
                    "sub_op": "-",
                    "mul_op": "times",
                    "exact_op": "exactly",
                    "floor_op": "floor",
                    "cap_op": "cap",
                }
                found.append(
                    Line(
                        op[node.part(0).kind],
                        amount,
                        label,
                        each,
                        cond,
                        self.names.clause("line", owner, label, node),
                    )
                )
        return tuple(found)

    def rules(
        self,
        nodes: list[Node],
        scope: Scope,
        owner: str,
        guard: core.Expr | None = None,
        cites: tuple[str, ...] = (),
    ) -> tuple[Rule, ...]:
        """The requirements of an event; citations on the head count for every line."""
        found: list[Rule] = []
        labels: dict[str, Node] = {}
        for node in nodes:
            label = plain(node.part(0))
            clause = self.names.clause("rule", owner, label, node, cites=(*node.cites, *cites))
            if node.kind == "open_slot":
                found.append(Rule(label, None, None, clause, label))
                continue
            if label in labels:
                self.report.add(
                    "two-clauses",
                    node.part(0).span,
                    label=label,
                    owner=owner,
                    first=labels[label].span.line,
                )
            labels[label] = node
            cond = self.exprs.conds(node.parts[2], scope) if node.parts[2] is not None else None
            if guard is not None:
                cond = guard if cond is None else core.All((guard, cond), type=TRUTH)
            found.append(Rule(label, self.exprs.conds(node.part(1), scope), cond, clause))
        return tuple(found)
