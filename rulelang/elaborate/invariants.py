"""Invariants, and advice: invariants over cards and lists, with words and fixes of their own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulelang import core
from rulelang.core.types import TRUTH, UNKNOWN, Type
from rulelang.diagnostics import nearest
from rulelang.diagnostics.source import Span
from rulelang.elaborate.type_checker import Scope, TypeChecker
from rulelang.ruleset import Advice, Rule, Said
from rulelang.syntax.nodes import Node, plain
from rulelang.syntax.parser import parse_value

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
    severity, says, fixes = "", tuple[Said, ...](), list[tuple[Said, ...]]()
    for node in told:
        word = node.part(0)
        text = tuple(_text(checker, node.part(1), scope))
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


def _text(checker: TypeChecker, word: Node, scope: Scope) -> Iterator[Said]:
    """The parts of a text in quotes: words, and the values in braces between them."""
    text, start = plain(word), 0
    while (opened := text.find("{", start)) >= 0:
        closed = _closing_brace(text, opened)
        if closed < 0:
            break
        if text[start:opened]:
            yield text[start:opened]
        value = _value(checker, word.span, opened + 1, text[opened + 1 : closed], scope)
        if value is not None:
            yield value
        start = closed + 1
    rest = text[start:]
    if "{" in rest or "}" in rest:
        fix = "A value stands in braces, as in {count of players}."
        checker.report.add("bad-pattern", word.span, text=text, fix=fix)
    if rest:
        yield rest


def _value(
    checker: TypeChecker, where: Span, offset: int, text: str, scope: Scope
) -> core.Expr | None:
    """The value that stands in braces at this offset of a text; None if it has a mistake."""
    column = where.column + 1 + offset  # after the quote
    span = Span(where.file, where.line, column, where.line, column + len(text))
    node = parse_value(text, span, checker.report)
    found = checker.expr(node, scope) if node is not None else None
    return found if found is not None and found.type != UNKNOWN else None


def _closing_brace(text: str, opened: int) -> int:
    """Where the brace opened there is closed; -1 if nowhere."""
    depth = 0
    for index in range(opened, len(text)):
        depth += (text[index] == "{") - (text[index] == "}")
        if not depth:
            return index
    return -1
