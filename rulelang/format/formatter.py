"""A whole text laid out: blank lines, margins, and citations, labels and comments one under the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rulelang.diagnostics import Report
from rulelang.diagnostics.source import Source, decode_source
from rulelang.format.rows import laid_rows
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


def laid_out(source: Source, report: Report) -> str | None:
    """The text as it should stand; none, with findings in the report, if a line of it cannot be read.

    A text whose lines would then be too long to be read stays as it is.
    """
    before = len(report.found)
    parse_source(source, report)
    if len(report.found) > before:
        return None
    text = "".join(_drawn(_laid(_spaced(lines_of(source)))))
    return text if decode_source(source.file, text.encode())[0] is not None else source.text


def _spaced(lines: Sequence[Line]) -> list[Line]:
    """A blank line round each declaration of several lines; elsewhere at most one, where its author likes, and none where a block begins."""
    found: list[Line] = []
    large = False
    for index, line in enumerate(lines):
        last = found[-1] if found else None
        within = last is not None and (
            line.level > last.level or (_row(line) and line.owner == last.owner)
        )
        found.append(replace(line, gap=line.gap and last is not None and not within))
        if line.level or line.kind == "comment":
            continue
        after = next(
            (lines[i] for i in range(index + 1, len(lines)) if lines[i].kind != "comment"), line
        )
        before, large = large, after.level > 0
        told = index  # where what is said of the declaration begins
        while told and lines[told - 1].kind == "comment" and not lines[told - 1].level:
            told -= 1
        if told and (before or large) and not any(other.gap for other in found[told:]):
            found[told] = replace(found[told], gap=True)
    return found


def _row(line: Line) -> bool:
    return not line.stretches and line.kind != "comment"


def _laid(lines: Sequence[Line]) -> list[_Laid]:
    """Every line with its words in rows, and tables as tables."""
    labels: dict[tuple[int, int], int] = {}
    tables: dict[tuple[int, int], list[str]] = {}
    for line in lines:
        if line.kind == "must":
            width = len(line.stretches[0].words[0].text)
            labels[line.owner] = max(labels.get(line.owner, 0), width if width <= LABEL else 0)
        elif _row(line):
            tables.setdefault(line.owner, []).append(line.text)
    kinds = {line.owner: line.kind for line in lines if _row(line)}
    rows = {owner: iter(laid_rows(kinds[owner], texts)) for owner, texts in tables.items()}
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


def _worded(line: Line, label: int) -> _Laid:
    """A line of words; those that comments keep apart stay apart."""
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
    """A row with something behind it."""
    if not text:
        return row
    return (row.ljust(max(column, len(row) + APART)) if row.strip() else row) + text


def _drawn(found: Sequence[_Laid]) -> list[str]:
    """The rows of the text; comments behind lines that follow each other and cite nothing stand one under the other."""
    rows: list[str] = []
    index = 0
    while index < len(found):
        run = index + 1
        while (
            _beside(found[index])
            and run < len(found)
            and _beside(found[run])
            and not found[run].line.gap
        ):
            run += 1
        column = (
            max(len(laid.rows[-1]) for laid in found[index:run]) + APART if run > index + 1 else 0
        )
        for laid in found[index:run]:
            last = _behind(_behind(laid.rows[-1], laid.cites, CITED), laid.comment, column)
            rows += [*([""] if laid.line.gap else []), *laid.rows[:-1], last]
        index = run
    return [f"{row}\n" for row in rows]


def _beside(laid: _Laid) -> bool:
    return bool(laid.comment) and not laid.cites and len(laid.rows) == 1
