"""Parse errors in the author's words.

Each is reported with what could stand there, and the line to leave out is returned, so that the
parser can go on with the rest of the block.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from lark import Token
from lark.exceptions import UnexpectedCharacters, UnexpectedToken
from lark.indenter import DedentError

from rulelang.diagnostics import Report, nearest
from rulelang.diagnostics.source import MAX_DEPTH, Block, Span
from rulelang.syntax.grammar import Blocks, parser
from rulelang.syntax.lark_adapter import keywords

# Terminal names never reach an author: what may stand here is told in about twenty phrases.
_TERMINALS = {
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
_VALUE = {"NAME", "NUMBER", "LPAR", "LBRACE"}
_EXPRESSION = _VALUE | {"STRING", "MINUS"}
_CONDITION = {"THE", "AT", "CAN", "NOT", "SOME", "NO", "EVERY", "IF", "SUPPOSING"}
_OPERATORS = {
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
_MOST_TOLD = 8  # phrases of what is expected, before "and so on"


def describe_expected(names: set[str]) -> str:
    """What may stand at a place, in the author's words, from the names of the terminals."""
    rest, said = set(names), list[str]()
    if rest >= _EXPRESSION:
        said.append("a value or condition")
        rest -= _EXPRESSION | _CONDITION
    elif rest >= _VALUE:
        said.append("a value")
        rest -= _EXPRESSION | {"THE", "AT"}
    if rest >= {"PLUS", "MINUS", "STAR"}:
        said.append("the rest of the condition")
        rest -= _OPERATORS
    said += [_TERMINALS.get(name) or f'"{_keyword(name)}"' for name in sorted(rest)]
    if len(said) > 1:  # that a value may go on with 's helps nobody
        said = [word for word in said if word != _TERMINALS["__ANON_0"]]
    if len(said) > _MOST_TOLD + 1:
        return ", ".join(said[:_MOST_TOLD]) + " and so on"
    return " or ".join([", ".join(said[:-1]), said[-1]]) if len(said) > 1 else "".join(said)


@functools.cache
def _keywords() -> dict[str, str]:
    return keywords(parser())


def _keyword(name: str) -> str:
    return _keywords().get(name, name.lower().strip("_"))


# what an author may have meant by a sign that the grammar does not know
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


@dataclass(frozen=True)
class _Failure:
    """A block that could not be parsed: its lines as they were parsed, and where to report."""

    block: Block
    lines: list[str]
    report: Report

    def span(self, line: int, column: int, end_column: int) -> Span:
        """A stretch of a line of the block, which counts from 1, as a span of the file."""
        number = line + self.block.first - 1
        return Span(self.block.source.file, number, column, number, end_column)

    def end_of(self, line: int) -> int:
        """The column after the last character of a line."""
        return len(self.lines[line - 1]) + 1


def report_parse_error(
    block: Block, lines: list[str], error: Exception, report: Report
) -> int | None:
    """Report why a block could not be parsed; returns the index of the line to leave out.

    None if leaving a line out would not help.
    """
    failure = _Failure(block, lines, report)
    match error:
        case RecursionError():
            report.add("too-deep", failure.span(1, 1, 2), limit=str(MAX_DEPTH))
            return None
        case DedentError():
            line = _bad_dedent(lines) + 1
            report.add("bad-indent", failure.span(line, 1, failure.end_of(line)))
            return line - 1
        case UnexpectedCharacters():
            return _odd_character(failure, error)
        case UnexpectedToken():
            return _unexpected_token(failure, error)
        case _:
            raise AssertionError(error)


def _odd_character(failure: _Failure, error: UnexpectedCharacters) -> int:
    """A character with which no token begins."""
    line, column, report = error.line, error.column, failure.report
    rest = failure.lines[line - 1][column - 1 :] if line <= len(failure.lines) else ""
    char = rest[:1]
    if char == '"':
        report.add("open-quote", failure.span(line, column, failure.end_of(line)))
    elif char == "[":
        report.add("bad-citation", failure.span(line, column, column + len(rest)))
    else:
        meant = _meant_by(char)
        fix = f"Write {meant}." if meant else None
        report.add("odd-sign", failure.span(line, column, column + 1), char=char, fix=fix)
    return line - 1


def _meant_by(char: str) -> str | None:
    if char.isalpha():
        return "names with the letters a to z, digits and _; anything may stand in quotes"
    if char.isdigit():
        return "numbers with the digits 0 to 9"
    return _MEANT.get(char)


def _unexpected_token(failure: _Failure, error: UnexpectedToken) -> int | None:
    """A token that cannot stand where it stands."""
    token, expected = error.token, set(error.accepts or error.expected)
    explain = _AT_LINE_ENDS.get(token.type)
    if explain is not None:
        return explain(failure, token, expected)
    line, column = token.line or 1, token.column or 1
    word = str(token)
    span = failure.span(line, column, column + len(word))
    if line == 1 and column == 1:
        heads = [_keyword(name) for name in expected if name.isalpha()]
        fix = _did_you_mean(word, filter(str.isalpha, heads))
        failure.report.add("unknown-declaration", span, word=word, fix=fix)
        return None
    if token.type in ("AND", "OR") and re.search(r"\b(and|or)\b", failure.lines[line - 1]):
        failure.report.add("and-with-or", span, word=word)
        return line - 1
    fix = None
    if token.type == "NAME":
        known = [_keyword(name) for name in expected if name != "NAME"]
        fix = _did_you_mean(word, filter(str.isalpha, known))
    failure.report.add(
        "unexpected-word", span, word=word, expected=describe_expected(expected), fix=fix
    )
    return line - 1


def _did_you_mean(word: str, known: Iterable[str]) -> str | None:
    near = nearest(word, known, 1)
    return f"Did you mean `{near[0]}`?" if near else None


def _line_ends(failure: _Failure, token: Token, expected: set[str]) -> int:
    """A line ends; the newline token begins where the line it ends stops."""
    return _too_early(
        failure, min(token.line or 1, len(failure.lines)), token.column or 1, expected
    )


def _block_ends(failure: _Failure, token: Token, expected: set[str]) -> int:
    """The block ends after its last line that is not blank."""
    line = max((i for i, text in enumerate(failure.lines, 1) if text.strip()), default=1)
    return _too_early(failure, line, failure.end_of(line), expected)


def _too_early(failure: _Failure, line: int, column: int, expected: set[str]) -> int:
    key = "block-missing" if "_INDENT" in expected else "line-ends-early"
    span = failure.span(line, column, column + 1)
    failure.report.add(key, span, expected=describe_expected(expected))
    return line - 1


def _block_begins(failure: _Failure, token: Token, expected: set[str]) -> int:
    """The next line with words is indented; a newline token with its comments stands before it."""
    lines, before = failure.lines, min(token.line or 1, len(failure.lines))
    line = next((i + 1 for i in range(before, len(lines)) if not _empty(lines[i])), before)
    span = failure.span(line, 1, failure.end_of(line))
    failure.report.add("unexpected-block", span, expected=describe_expected(expected))
    return line - 1


_AT_LINE_ENDS: dict[str, Callable[[_Failure, Token, set[str]], int]] = {
    "_NL": _line_ends,
    "$END": _block_ends,
    "_DEDENT": _block_ends,
    "_INDENT": _block_begins,
}


def _empty(text: str) -> bool:
    """Does the line hold nothing but a comment?"""
    return not text.strip() or text.lstrip().startswith("#")


def _bad_dedent(lines: list[str]) -> int:
    """The index of the first line that is indented like no line above it."""
    levels = [0]
    for number, text in enumerate(lines):
        if _empty(text):
            continue
        indent = _indent(text)
        if indent > levels[-1]:
            levels.append(indent)
            continue
        while levels and indent < levels[-1]:
            levels.pop()
        if not levels or levels[-1] != indent:
            return number
    return max((number for number, text in enumerate(lines) if text.strip()), default=0)


def _indent(text: str) -> int:
    """How far a line is indented, as the grammar counts it."""
    margin = text[: len(text) - len(text.lstrip())]
    return len(margin) + (Blocks.tab_len - 1) * margin.count("\t")
