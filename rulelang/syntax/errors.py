"""Why a line cannot be read, said in the author's words, and which line is left out so that the rest can be read."""

from __future__ import annotations

import functools
import re

from lark.exceptions import UnexpectedCharacters, UnexpectedToken
from lark.indenter import DedentError

from rulelang.diagnostics import Report, nearest
from rulelang.diagnostics.source import Block, Span
from rulelang.syntax.grammar import Blocks, parser

# Terminal names never reach an author: what may stand here is told in about twenty phrases.
_WORDS = {
    "NAME": "a name",
    "NUMBER": "a number",
    "STRING": "a text in quotes",
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
    "_DEDENT": "the end of the block",
    "CITE": "a citation like [XY-001]",
    "BAR": "a row that begins with |",
    "LPAR": '"("',
    "RPAR": '")"',
    "LBRACE": '"{"',
    "RBRACE": '"}"',
    "COLON": '":"',
    "COMMA": '","',
    "EQUAL": '"="',
    "CMP": "a comparison",
    "A": '"a" or "an"',
    "AT_LEAST": '"at least"',
    "AT_MOST": '"at most"',
    "AT_ONCE": '"at once"',
    "AT_ONCE_SEALED": '"at once sealed"',
    "IN_TURN": '"in turn"',
    "AS_PLAYED": '"as played"',
    "UNTIL_STABLE": '"until stable"',
    "ROUNDED": '"rounded down" or "rounded up"',
    "PLUS": '"+"',
    "MINUS": '"-"',
    "STAR": '"*"',
    "SLASH": '"/"',
    "__ANON_0": '"\'s"',
    "$END": "the end of the declaration",
}
_EXPRESSION = {"NAME", "NUMBER", "STRING", "LPAR", "LBRACE", "MINUS"}


def expected_words(names: set[str]) -> str:
    """What may stand at a place, in the author's words, never a grammar's names."""
    rest = set(names)
    said: list[str] = []
    if rest >= _EXPRESSION:
        said.append("a value or condition")
        rest -= _EXPRESSION | {"THE", "AT", "CAN", "NOT", "SOME", "NO", "EVERY", "IF", "SUPPOSING"}
    elif {"NAME", "NUMBER", "LPAR", "LBRACE"} <= rest:
        said.append("a value")
        rest -= _EXPRESSION | {"THE", "AT"}
    if {"PLUS", "MINUS", "STAR"} <= rest:
        rest -= {
            "PLUS",
            "MINUS",
            "STAR",
            "SLASH",
            "CMP",
            "EQUAL",
            "IS",
            "IN",
            "NOT",
            "AND",
            "OR",
            "__ANON_0",
            "NAME",
        }
        said.append("the rest of the condition")
    for name in sorted(rest):
        terminal = _WORDS.get(name)
        if terminal is None:
            terminal = f'"{_keyword(name)}"'
        said.append(terminal)
    if len(said) > 1:
        said = [
            word for word in said if word != _WORDS["__ANON_0"]
        ]  # that a value may go on with 's helps nobody
    if len(said) > 9:
        return ", ".join(said[:8]) + " and so on"
    return " or ".join([", ".join(said[:-1]), said[-1]]) if len(said) > 1 else "".join(said)


@functools.cache
def _keywords() -> dict[str, str]:
    return {t.name: t.pattern.value for t in parser().terminals if t.pattern.type == "str"}


def _keyword(name: str) -> str:
    return _keywords().get(name, name.lower().strip("_"))


_MEANT = {
    "&": "`and`, or a comma",
    ";": "a comma, or a new line",
    "“": 'the straight quote "',
    "”": 'the straight quote "',
    "„": 'the straight quote "',
    "«": 'the straight quote "',
    "»": 'the straight quote "',
    "'": "`'s` for what belongs to something, or \" for a text",
    "’": "the straight sign '",
    "–": "-",
    "—": "-",
    "×": "*",
    "·": "*",
    "÷": "/ and `rounded down`",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "!": "`not`, or != between two values",
    "∧": "`and`",
    "∨": "`or`",
    "¬": "`not`",
    "%": "/ 100",
    ".": "`'s` for what belongs to something; no full stop ends a line",
    "]": "citations in [ ], and everything else in ( ) or { }",
}


def complain(block: Block, lines: list[str], error: Exception, report: Report) -> int | None:
    """Report why the block stopped there; returns the index of the line to leave out."""
    file, shift = block.source.file, block.first - 1
    if isinstance(error, RecursionError):
        report.add("too-deep", Span(file, block.first, 1, block.first, 2), limit="40")
        return None
    if isinstance(error, DedentError):
        number = _bad_dedent(lines)
        report.add(
            "bad-indent",
            Span(file, number + shift + 1, 1, number + shift + 1, len(lines[number]) + 1),
        )
        return number
    if isinstance(error, UnexpectedCharacters):
        line, column = error.line, error.column
        span = Span(file, line + shift, column, line + shift, column + 1)
        char = lines[line - 1][column - 1 : column] if line - 1 < len(lines) else ""
        rest = lines[line - 1][column - 1 :] if line - 1 < len(lines) else ""
        if char == '"':
            report.add(
                "open-quote",
                span.to(Span(file, line + shift, 1, line + shift, len(lines[line - 1]) + 1)),
            )
        elif char == "[":
            report.add(
                "bad-citation", Span(file, line + shift, column, line + shift, column + len(rest))
            )
        else:
            meant = _MEANT.get(char)
            if char.isalpha() or char.isdigit():
                meant = (
                    "names with the letters a to z, digits and _; anything may stand in quotes"
                    if char.isalpha()
                    else "numbers with the digits 0 to 9"
                )
            report.add("odd-sign", span, char=char, fix=f"Write {meant}." if meant else None)
        return line - 1
    assert isinstance(error, UnexpectedToken)
    token = error.token
    expected = set(error.accepts or error.expected)
    line, column = token.line or 1, token.column or 1
    if token.type in ("_NL", "$END", "_DEDENT", "_INDENT"):
        # the newline token begins where the line it ends stops
        line = min(line, len(lines))
        if token.type in ("$END", "_DEDENT"):
            line = max((i + 1 for i, text in enumerate(lines) if text.strip()), default=1)
            column = len(lines[line - 1]) + 1
        if token.type == "_INDENT":
            later = next(
                (
                    i
                    for i in range(line, len(lines))
                    if lines[i].strip() and not lines[i].lstrip().startswith("#")
                ),
                line - 1,
            )
            line, column = later + 1, 1
            span = Span(file, line + shift, 1, line + shift, len(lines[later]) + 1)
            report.add("unexpected-block", span, expected=expected_words(expected))
            return later
        span = Span(file, line + shift, column, line + shift, column + 1)
        if "_INDENT" in expected:
            report.add("block-missing", span, expected=expected_words(expected))
        else:
            report.add("line-ends-early", span, expected=expected_words(expected))
        return line - 1
    span = Span(file, line + shift, column, line + shift, column + len(str(token)))
    word = str(token)
    if line == 1 and column == 1:
        heads = [_keyword(name) for name in expected if name.isalpha() and _keyword(name).isalpha()]
        near = nearest(word, heads, 1)
        report.add(
            "unknown-declaration",
            span,
            word=word,
            fix=f"Did you mean `{near[0]}`?" if near else None,
        )
        return None
    if token.type in ("AND", "OR") and re.search(r"\b(and|or)\b", lines[line - 1]):
        report.add("and-with-or", span, word=word)
    elif token.type == "EQUAL" and "IS" in expected:
        report.add("unexpected-word", span, word=word, expected=expected_words(expected))
    else:
        near = (
            nearest(
                word,
                [
                    _keyword(name)
                    for name in expected
                    if _keyword(name).isalpha() and name != "NAME"
                ],
                1,
            )
            if token.type == "NAME"
            else []
        )
        report.add(
            "unexpected-word",
            span,
            word=word,
            expected=expected_words(expected),
            fix=f"Did you mean `{near[0]}`?" if near else None,
        )
    return line - 1


def _bad_dedent(lines: list[str]) -> int:
    levels = [0]
    for number, text in enumerate(lines):
        if not text.strip() or text.lstrip().startswith("#"):
            continue
        margin = text[: len(text) - len(text.lstrip())]
        indent = len(margin) + (Blocks.tab_len - 1) * margin.count("\t")
        if indent > levels[-1]:
            levels.append(indent)
        else:
            while levels and indent < levels[-1]:
                levels.pop()
            if not levels or levels[-1] != indent:
                return number
    return max((number for number, text in enumerate(lines) if text.strip()), default=0)
