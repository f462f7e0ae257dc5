"""Invariants: what must hold after every event; with words of its own, what is said of the cards and lists a game is set up with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulelang import core
from rulelang.core.types import TRUTH, UNKNOWN, Type
from rulelang.diagnostics import nearest
from rulelang.diagnostics.source import Span
from rulelang.elaborate.symbols import SymbolTable
from rulelang.elaborate.type_checker import Scope, TypeChecker
from rulelang.ruleset import Advice, Rule, Said
from rulelang.syntax.nodes import Node, plain
from rulelang.syntax.parser import parse_value

SEVERITIES = ("error", "warning", "note")


class Invariants:
    """Compiles invariants to rules or, where one says how grave it is, to advice."""

    def __init__(self, names: SymbolTable, exprs: TypeChecker) -> None:
        """Conditions and values are typed as everywhere."""
        self.names, self.report, self.exprs = names, names.report, exprs

    def invariant(self, node: Node) -> None:
        """Enter an invariant."""
        label = plain(node.part(0))
        clause = self.names.clause("invariant", "invariant", label, node)
        scope: Scope = {}
        each: tuple[str, core.Expr, Type] | None = None
        if node.parts[1] is not None:
            domain, item = self.exprs.collection(node.part(1).part(1), scope)
            var, scope = self.exprs.bind(node.part(1).part(0), item, scope)
            each = (var, domain, item)
        need = self.exprs.conds(node.part(2), scope)
        cond = self.exprs.conds(node.parts[3], scope) if node.parts[3] is not None else None
        told = node.words("told")
        if told:
            self._advice(told, Advice(label, "error", each, need, cond, (), (), clause), scope)
        elif each is None:
            self.names.rules.invariants.append(Rule(label, need, cond, clause))
        else:
            held = (
                need if cond is None else core.Any((core.Not(cond, type=TRUTH), need), type=TRUTH)
            )
            self.names.rules.invariants.append(
                Rule(label, core.Forall(each[0], each[1], held, type=TRUTH), None, clause)
            )

    def _advice(self, told: list[Node], found: Advice, scope: Scope) -> None:
        severity, says, fixes = "", tuple[Said, ...](), list[tuple[Said, ...]]()
        for node in told:
            word = node.part(0)
            made = tuple(self._said(node.part(1), scope))
            self.names.check_node_citations(node)
            if word.text == "fix":
                fixes.append(made)
            elif word.text in SEVERITIES and not severity:
                severity, says = word.text, made
            else:
                expected = '"fix"' if severity else '"error", "warning" or "note"'
                near = nearest(word.text, ["fix"] if severity else [*SEVERITIES, "fix"], 1)
                fix = f"Did you mean `{near[0]}`?" if near and near[0] != word.text else None
                self.report.add(
                    "unexpected-word", word.span, word=word.text, expected=expected, fix=fix
                )
        if not severity and all(node.part(0).text == "fix" for node in told):
            self.report.add(
                "unexpected-word",
                told[0].part(0).span,
                word=told[0].part(0).text,
                expected='"error", "warning" or "note" first',
            )
        advice = replace(found, severity=severity or "error", says=says, fixes=tuple(fixes))
        self.names.rules.advice.append(advice)

    def _said(self, word: Node, scope: Scope) -> Iterator[Said]:
        """The parts of a text in quotes: words, and the values that stand in braces between them."""
        text, start = plain(word), 0
        while (opened := text.find("{", start)) >= 0:
            closed = _closing(text, opened)
            if closed < 0:
                break
            if text[start:opened]:
                yield text[start:opened]
            value = self._value(word.span, opened + 1, text[opened + 1 : closed], scope)
            if value is not None:
                yield value
            start = closed + 1
        rest = text[start:]
        if "{" in rest or "}" in text[start:]:
            self.report.add(
                "bad-pattern",
                word.span,
                text=text,
                fix="A value stands in braces, as in {count of players}.",
            )
        if rest:
            yield rest

    def _value(self, where: Span, offset: int, text: str, scope: Scope) -> core.Expr | None:
        column = where.column + 1 + offset  # after the quote
        span = Span(where.file, where.line, column, where.line, column + len(text))
        node = parse_value(text, span, self.report)
        found = self.exprs.expr(node, scope) if node is not None else None
        return found if found is not None and found.type != UNKNOWN else None


def _closing(text: str, opened: int) -> int:
    """Where the brace that is opened there is closed; -1 if nowhere."""
    depth = 0
    for index in range(opened, len(text)):
        depth += (text[index] == "{") - (text[index] == "}")
        if not depth:
            return index
    return -1
