"""The indented lines of definitions, score tables and events, each entered as a clause.

They are elaborated alike whether they stand in a declaration or in what a card adds to it.
"""

from __future__ import annotations

from rulelang import core
from rulelang.core.types import NUMBER, TRUTH, Type
from rulelang.elaborate.type_checker import Scope, TypeChecker
from rulelang.ruleset import Case, Line, Rule
from rulelang.syntax.nodes import Node, plain

OPERATORS = {
    "start_op": "start",
    "add_op": "+",
    "sub_op": "-",
    "mul_op": "times",
    "exact_op": "exactly",
    "floor_op": "floor",
    "cap_op": "cap",
}


def content(node: Node, start: int = 0) -> list[Node]:
    """The parts of a node from this place on that are there and no citation."""
    return [part for part in node.parts[start:] if part is not None and part.kind != "CITE"]


def cases(
    checker: TypeChecker, nodes: list[Node], scope: Scope, owner: str, want: Type | None
) -> tuple[Case, ...]:
    """The lines of a definition by cases."""
    found: list[Case] = []
    for node in nodes:
        if node.kind == "open_slot":
            label = plain(node.part(0))
            clause = checker.symbols.clause("open", owner, label, node)
            found.append(Case(None, None, clause, label))
            continue
        value = defined_value(checker, node.part(0), scope, want)
        cond = checker.optional_conds(node.parts[1], scope) if node.kind == "case" else None
        found.append(Case(value, cond, checker.symbols.clause("case", owner, "case", node)))
    return tuple(found)


def defined_value(checker: TypeChecker, conds: Node, scope: Scope, want: Type | None) -> core.Expr:
    """What stands after `=`: one expression, or conditions that must all hold."""
    parts = [p for p in conds.parts if p is not None]
    if len(parts) > 1 or want == TRUTH:
        return checker.conds(conds, scope)
    return checker.wanted(parts[0], scope, want) if want else checker.expr(parts[0], scope)


def score_lines(
    checker: TypeChecker, nodes: list[Node], scope: Scope, owner: str
) -> tuple[Line, ...]:
    """The lines of a score table; `total` is the running total."""
    inside = {**scope, "total": core.Var("total", type=NUMBER)}
    found: list[Line] = []
    labels: dict[str, Node] = {}
    for node in nodes:
        if node.kind == "open_slot":
            label = plain(node.part(0))
            clause = checker.symbols.clause("open", owner, label, node)
            found.append(Line("slot", None, label, None, None, clause, label))
        elif node.kind == "one_of":
            parts = [part for part in content(node) if part.kind != "OF"]
            inner = score_lines(checker, parts, scope, owner)
            found.append(Line("one", None, "", None, None, "", None, inner))
        else:
            _enter_label(checker, node.part(2), labels, owner)
            found.append(_score_line(checker, node, inside, owner))
    return tuple(found)


def _score_line(checker: TypeChecker, node: Node, scope: Scope, owner: str) -> Line:
    label, each = plain(node.part(2)), None
    if node.parts[3] is not None:
        domain, item = checker.collection(node.part(4), scope)
        var, scope = checker.bind(node.part(3), item, scope)
        each = (var, domain)
    amount = checker.wanted(node.part(1), scope, NUMBER)
    cond = checker.optional_conds(node.parts[5], scope)
    clause = checker.symbols.clause("line", owner, label, node)
    return Line(OPERATORS[node.part(0).kind], amount, label, each, cond, clause)


def requirements(
    checker: TypeChecker,
    nodes: list[Node],
    scope: Scope,
    owner: str,
    guard: core.Expr | None = None,
    cites: tuple[str, ...] = (),
) -> tuple[Rule, ...]:
    """The requirements of an event; the guard and citations of the head count for every line."""
    found: list[Rule] = []
    labels: dict[str, Node] = {}
    for node in nodes:
        label = plain(node.part(0))
        all_cites = (*node.cites, *cites)
        clause = checker.symbols.clause("rule", owner, label, node, cites=all_cites)
        if node.kind == "open_slot":
            found.append(Rule(label, None, None, clause, label))
            continue
        _enter_label(checker, node.part(0), labels, owner)
        cond = checker.optional_conds(node.parts[2], scope)
        if guard is not None:
            cond = guard if cond is None else core.All((guard, cond), type=TRUTH)
        found.append(Rule(label, checker.conds(node.part(1), scope), cond, clause))
    return tuple(found)


def _enter_label(checker: TypeChecker, word: Node, labels: dict[str, Node], owner: str) -> None:
    """Enter the label of a line; a second line with the same label is reported."""
    label = plain(word)
    if label in labels:
        first = labels[label].span.line
        checker.report.add("two-clauses", word.span, label=label, owner=owner, first=first)
    labels[label] = word
