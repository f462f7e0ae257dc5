"""The words of a file of rules as the parser sees them, to hold others against."""

from __future__ import annotations

from pathlib import Path

from rulelang.diagnostics import Report
from rulelang.diagnostics.source import decode_source
from rulelang.syntax.lexemes import Lexeme
from rulelang.syntax.parser import parse_source

SORTS = {"BAR": "row", "STRING": "string", "CITE": "cite", "NUMBER": "number", "NAME": "name"}


def parsed_words(path: Path) -> set[Lexeme]:
    """The words of a file that its syntax keeps, as the parser sees them."""
    source, _ = decode_source(str(path), path.read_bytes())
    assert source is not None
    report = Report()
    nodes = parse_source(source, report)
    assert not report.found
    leaves = (part for node in nodes for part in node.walk() if part.kind in SORTS)
    return {
        Lexeme(
            SORTS[n.kind], n.span.line, n.span.column, f"|{n.text}" if n.kind == "BAR" else n.text
        )
        for n in leaves
    }
