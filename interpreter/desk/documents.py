"""A text as an editor holds it, or a file as it is: its lines, and its declarations as parsed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from interpreter.desk.positions import Place, Range, column_at, index_at, range_of
from interpreter.game.loading import shown
from rulelang.diagnostics import Report
from rulelang.diagnostics.source import Block, Source, Span, decode_source
from rulelang.syntax.nodes import Node
from rulelang.syntax.parser import parse_source

_HEAD = re.compile(r"^(?:game|for)\s.*", re.MULTILINE)


@dataclass(frozen=True)
class Change:
    """A stretch of a text and what stands there now; without a stretch, the whole text."""

    text: str
    range: Range | None = None


@dataclass(frozen=True, eq=False)
class Document:
    """One text; what it says is worked out when it is first asked for."""

    path: Path
    text: str
    version: int | None = None

    def changed(self, changes: Sequence[Change], version: int | None) -> Document:
        """The text after these changes, one after another."""
        text = self.text
        for change in changes:
            if change.range is None:
                text = unix(change.text)
                continue
            lines = text.split("\n")
            start, end = index_at(lines, change.range.start), index_at(lines, change.range.end)
            text = text[:start] + unix(change.text) + text[max(start, end) :]
        return Document(self.path, text, version)

    @cached_property
    def name(self) -> str:
        """The name that spans quote it by."""
        return shown(self.path)

    @cached_property
    def head(self) -> tuple[str, ...]:
        """The lines that say of which game it is part."""
        return tuple(_HEAD.findall(self.text))

    @cached_property
    def lines(self) -> list[str]:
        """Its lines without their ends."""
        return self.text.split("\n")

    @cached_property
    def raw(self) -> bytes:
        """Its bytes, as they would be saved."""
        return self.text.encode("utf-8", "surrogatepass")

    @cached_property
    def source(self) -> Source | None:
        """It as a source; none if it is no acceptable text."""
        return decode_source(self.name, self.raw)[0]

    @cached_property
    def blocks(self) -> list[Block]:
        """Its top-level declarations as they are written, readable or not."""
        return list(self.source.blocks) if self.source is not None else []

    @cached_property
    def nodes(self) -> list[Node]:
        """Every declaration that could be parsed, without the lines that could not."""
        return parse_source(self.source, Report()) if self.source is not None else []

    def range(self, span: Span) -> Range:
        """The stretch of a span of this text."""
        return range_of(self.lines, span)

    def line(self, number: int) -> str:
        """The line of this number, from 0; an empty one beyond the end."""
        return self.lines[number] if 0 <= number < len(self.lines) else ""

    def column(self, place: Place) -> int:
        """The index of a place in its line."""
        return column_at(self.line(place.line), place.character)

    def node_at(self, place: Place) -> Node | None:
        """The declaration that a line is part of, if it could be parsed."""
        line = place.line + 1
        return next((n for n in self.nodes if n.span.line <= line <= n.span.end_line), None)

    def leaf_at(self, place: Place) -> Node | None:
        """The innermost word of the syntax at a place; of two that meet there, a name before a
        sign.
        """
        line, column = place.line + 1, self.column(place) + 1
        found = [
            leaf for node in self.nodes for leaf in leaves(node) if _touches(leaf, line, column)
        ]
        return max(found, key=lambda leaf: leaf.kind in ("NAME", "AT"), default=None)


def leaves(node: Node) -> Sequence[Node]:
    """The words of a declaration that its syntax keeps, in order."""
    return [part for part in node.walk() if not part.parts and part.text]


def _touches(leaf: Node, line: int, column: int) -> bool:
    span = leaf.span
    return span.line == line == span.end_line and span.column <= column <= span.end_column


def unix(text: str) -> str:
    """The text with each line end as one letter."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def of_source(path: Path, source: Source) -> Document:
    """A file that was read, as a document."""
    return Document(path, source.text)


def texts(documents: Mapping[Path, Document]) -> dict[Path, bytes]:
    """The bytes of these documents."""
    return {path: document.raw for path, document in documents.items()}
