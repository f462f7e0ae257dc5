"""Texts in quotes in which values stand in braces, checked like any expression."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang import core
from rulelang.core.types import UNKNOWN
from rulelang.diagnostics.source import Span
from rulelang.elaborate.type_checker import Scope, TypeChecker
from rulelang.syntax.nodes import Node, plain
from rulelang.syntax.parser import parse_value


def text_with_values(checker: TypeChecker, word: Node, scope: Scope) -> tuple[core.Said, ...]:
    """The parts of a text in quotes: words, and the values in braces between them."""
    return tuple(_parts(checker, word, scope))


def _parts(checker: TypeChecker, word: Node, scope: Scope) -> Iterator[core.Said]:
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
