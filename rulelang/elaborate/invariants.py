"""Invariants, and advice: invariants over cards and lists, with words and fixes of their own."""

from __future__ import annotations

from dataclasses import replace

from rulelang import core
from rulelang.core.types import TRUTH, Type
from rulelang.diagnostics import nearest
from rulelang.elaborate.texts import text_with_values
from rulelang.elaborate.type_checker import Scope, TypeChecker
from rulelang.ruleset import Advice, Rule
from rulelang.syntax.nodes import Node, plain

SEVERITIES = ("error", "warning", "note")


def compile_invariant(checker: TypeChecker, node: Node) -> None:
    """Enter an invariant, as advice if it says how severe it is."""
    symbols, label = checker.symbols, plain(node.part(0))
    clause = symbols.clause("invariant", "invariant", label, node)
    scope: Scope = {}
    each: tuple[str, core.Expr, Type] | None = None
    if node.parts[1] is not None:
        domain, item = checker.collection(node.part(1).part(1), scope)
        var, scope = checker.bind(node.part(1).part(0), item, scope)
        each = (var, domain, item)
    need = checker.conds(node.part(2), scope)
    cond = checker.optional_conds(node.parts[3], scope)
    told = node.words("told")
    if told:
        advice = Advice(label, "error", each, need, cond, (), (), clause)
        symbols.rules.advice.append(_with_texts(checker, advice, told, scope))
    elif each is None:
        symbols.rules.invariants.append(Rule(label, need, cond, clause))
    else:
        if cond is not None:
            need = core.Any((core.Not(cond, type=TRUTH), need), type=TRUTH)
        for_all = core.Forall(each[0], each[1], need, type=TRUTH)
        symbols.rules.invariants.append(Rule(label, for_all, None, clause))


def _with_texts(checker: TypeChecker, advice: Advice, told: list[Node], scope: Scope) -> Advice:
    """The advice with its severity, what it says and its fixes."""
    severity, says, fixes = "", tuple[core.Said, ...](), list[tuple[core.Said, ...]]()
    for node in told:
        word = node.part(0)
        text = text_with_values(checker, node.part(1), scope)
        checker.symbols.check_node_citations(node)
        if word.text == "fix":
            fixes.append(text)
        elif word.text in SEVERITIES and not severity:
            severity, says = word.text, text
        else:
            _unexpected(checker, word, severity)
    if not severity and all(node.part(0).text == "fix" for node in told):
        word, expected = told[0].part(0), '"error", "warning" or "note" first'
        checker.report.add("unexpected-word", word.span, word=word.text, expected=expected)
    return replace(advice, severity=severity or "error", says=says, fixes=tuple(fixes))


def _unexpected(checker: TypeChecker, word: Node, severity: str) -> None:
    """Report a line that is neither the severity nor, after it, a fix."""
    expected = '"fix"' if severity else '"error", "warning" or "note"'
    near = nearest(word.text, ["fix"] if severity else [*SEVERITIES, "fix"], 1)
    fix = f"Did you mean `{near[0]}`?" if near and near[0] != word.text else None
    checker.report.add("unexpected-word", word.span, word=word.text, expected=expected, fix=fix)
