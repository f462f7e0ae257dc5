"""The formatter: a whole text laid out.

It sets blank lines and margins, and puts citations, labels and comments one under the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rulelang.diagnostics import Report
from rulelang.diagnostics.source import Source, decode_source
from rulelang.format.rows import format_rows
from rulelang.format.tokens import Line, Word, lines_of
from rulelang.format.wrap import STEP, flat, wrapped
from rulelang.syntax.parser import parse_source

INDENT = 2
CITED = 77  # letters before a citation, if the line has no more
APART = 3  # blanks before a citation or comment, at least
LABEL = 40  # a label wider than this moves no others


@dataclass(frozen=True)
class _Laid:
    """A line as it will stand: its rows, and what stands behind the last."""

    line: Line
    rows: tuple[str, ...]
    cites: str = ""
    comment: str = ""


def format_source(source: Source, report: Report) -> str | None:
    """The text as it should stand; none, with a report, if a line of it cannot be parsed.

    A text whose lines would then be too long to be read stays as it is.
    """
    before = len(report.found)
    parse_source(source, report, slips=False)
    if len(report.found) > before:
        return None
    text = "".join(_drawn(_laid(_spaced(lines_of(source)))))
    return text if decode_source(source.file, text.encode())[0] is not None else source.text


def _spaced(lines: Sequence[Line]) -> list[Line]:
    """The lines with their blank lines set.

    Round a declaration of several lines stands one. Elsewhere at most one stands where the author
    has put it, and none where a block begins or between rows of one table.
    """
    found: list[Line] = []
    large = False
    for index, line in enumerate(lines):
        last = found[-1] if found else None
        gap = line.gap and last is not None and not _continues(line, last)
        found.append(replace(line, gap=gap))
        if line.level or line.kind == "comment":
            continue
        before, large = large, _large(lines, index)
        first = _first_comment(lines, index)
        if first and (before or large) and not any(other.gap for other in found[first:]):
            found[first] = replace(found[first], gap=True)
    return found


def _continues(line: Line, last: Line) -> bool:
    """Does a line begin a block, or go on with the table of the one before?"""
    return line.level > last.level or (_row(line) and line.owner == last.owner)


def _large(lines: Sequence[Line], index: int) -> bool:
    """Has the declaration that begins here lines under it?"""
    after = (line for line in lines[index + 1 :] if line.kind != "comment")
    return next((line.level > 0 for line in after), False)


def _first_comment(lines: Sequence[Line], index: int) -> int:
    """The index of the first of the comments right above a declaration, or its own."""
    while index and lines[index - 1].kind == "comment" and not lines[index - 1].level:
        index -= 1
    return index


def _row(line: Line) -> bool:
    return not line.stretches and line.kind != "comment"


def _laid(lines: Sequence[Line]) -> list[_Laid]:
    """Every line with its words in rows, and tables in columns."""
    labels = _label_widths(lines)
    tables: dict[tuple[int, int], list[Line]] = {}
    for line in lines:
        if _row(line):
            tables.setdefault(line.owner, []).append(line)
    rows = {
        owner: iter(format_rows(table[-1].kind, [line.text for line in table]))
        for owner, table in tables.items()
    }
    found = []
    for line in lines:
        margin = " " * INDENT * line.level
        if line.kind == "comment":
            found.append(_Laid(line, (margin + line.text,)))
        elif _row(line):
            text, cites = next(rows[line.owner])
            found.append(_Laid(line, (f"{margin}| {text}".rstrip(),), cites))
        else:
            found.append(_worded(line, labels.get(line.owner, 0)))
    return found


def _label_widths(lines: Sequence[Line]) -> dict[tuple[int, int], int]:
    """The width of the column of labels in each list of rules."""
    widths: dict[tuple[int, int], int] = {}
    for line in lines:
        if line.kind == "must":
            width = len(line.stretches[0].words[0].text)
            widths[line.owner] = max(widths.get(line.owner, 0), width if width <= LABEL else 0)
    return widths


def _worded(line: Line, label: int) -> _Laid:
    """A line of words; those that a comment separates stay on lines of their own."""
    margin = INDENT * line.level
    *apart, last = line.stretches
    if apart:
        rows = [
            " " * (margin + STEP * (index > 0)) + flat(part.words)
            for index, part in enumerate(line.stretches)
        ]
        said = [_behind(row, part.comment) for row, part in zip(rows, apart, strict=False)]
        return _Laid(line, (*said, rows[-1]), line.cites, last.comment)
    words = last.words
    if line.kind == "must":
        blanks = max(label - len(words[0].text), 0) + words[1].blanks
        words = (words[0], Word(words[1].text, blanks, words[1].turn, words[1].firm), *words[2:])
    return _Laid(line, tuple(wrapped(words, margin)), line.cites, last.comment)


def _behind(row: str, text: str, column: int = 0) -> str:
    """A row with a text behind it, in this column or `APART` blanks on."""
    if not text:
        return row
    return (row.ljust(max(column, len(row) + APART)) if row.strip() else row) + text


def _drawn(found: Sequence[_Laid]) -> list[str]:
    """The rows of the text.

    Comments behind lines that follow each other and cite nothing stand one under the other.
    """
    rows: list[str] = []
    for run in _runs(found):
        column = max(len(laid.rows[-1]) for laid in run) + APART if len(run) > 1 else 0
        for laid in run:
            last = _behind(_behind(laid.rows[-1], laid.cites, CITED), laid.comment, column)
            rows += [*([""] if laid.line.gap else []), *laid.rows[:-1], last]
    return [f"{row}\n" for row in rows]


def _runs(found: Sequence[_Laid]) -> list[list[_Laid]]:
    """The lines in order, those together whose comments stand one under the other."""
    runs: list[list[_Laid]] = []
    for laid in found:
        if runs and _beside(runs[-1][-1]) and _beside(laid) and not laid.line.gap:
            runs[-1].append(laid)
        else:
            runs.append([laid])
    return runs


def _beside(laid: _Laid) -> bool:
    return bool(laid.comment) and not laid.cites and len(laid.rows) == 1
