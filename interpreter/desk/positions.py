"""Places in a text as editors count them: lines from 0, and units of UTF-16 within a line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulelang.diagnostics.source import Span


@dataclass(frozen=True, order=True)
class Place:
    """A place between two letters of a text."""

    line: int
    character: int


@dataclass(frozen=True, order=True)
class Range:
    """A half-open stretch of a text."""

    start: Place
    end: Place

    def holds(self, place: Place) -> bool:
        """Is the place in it, or at one of its ends?"""
        return self.start <= place <= self.end

    def meets(self, other: Range) -> bool:
        """Have the two a place in common?"""
        return self.start <= other.end and other.start <= self.end


def units(text: str) -> int:
    """How many units of UTF-16 a text has."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def column_at(line: str, character: int) -> int:
    """The index of the letter at so many units; within a pair of surrogates, that of the pair."""
    if line.isascii():
        return max(0, min(character, len(line)))
    left = character
    for index, letter in enumerate(line):
        left -= 1 if ord(letter) < 0x10000 else 2
        if left < 0:
            return index
    return len(line)


def place_of(lines: Sequence[str], line: int, column: int) -> Place:
    """The place of a line and column that count from 1; the end of the text for those beyond it."""
    if not lines or line > len(lines):
        return Place(max(0, len(lines) - 1), units(lines[-1]) if lines else 0)
    line = max(line, 1)
    return Place(line - 1, units(lines[line - 1][: max(0, column - 1)]))


def range_of(lines: Sequence[str], span: Span) -> Range:
    """The stretch of a span; a span without a place is the start of the text."""
    if not span.line:
        return Range(Place(0, 0), Place(0, 0))
    start = place_of(lines, span.line, span.column)
    return Range(start, max(start, place_of(lines, span.end_line, span.end_column)))


def index_at(lines: Sequence[str], place: Place) -> int:
    """The index of a place in the text of these lines; places beyond it are its end."""
    if place.line >= len(lines):
        return sum(map(len, lines)) + max(0, len(lines) - 1)
    before = sum(len(line) + 1 for line in lines[: place.line])
    return before + column_at(lines[place.line], place.character)
