"""Texts fitted into boxes, by the widths of the letters of the font that cards are set in.

The widths were measured once (tests/tools/measure_font.py), so that whether a text fits is known
without what prints it.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import resources

POINT = 25.4 / 72  # millimetres
LEADING = 1.18  # from one line to the next, in sizes of the letters
GAP = 0.35  # between paragraphs, in lines
SLACK = 0.98  # of a width is used: letters stand a little apart where no kerning is
_STEP = 0.1  # millimetres by which letters grow smaller until a text fits
_UNKNOWN = 1000  # thousandths: the widest a letter that was not measured is taken to be


@functools.cache
def _widths(bold: bool) -> dict[str, int]:
    table = resources.files("interpreter.paper").joinpath("data/widths.json").read_text("utf-8")
    found: dict[str, int] = json.loads(table)["bold" if bold else "regular"]
    return found


def width(text: str, size: float, bold: bool = False) -> float:
    """How wide a text is in letters of this size, in the same unit."""
    known = _widths(bold)
    return sum(known.get(letter, _UNKNOWN) for letter in text) * size / 1000


def unknown_letters(texts: Iterable[str]) -> str:
    """The letters that the font has not, once each, in order."""
    known = _widths(False)
    return "".join(dict.fromkeys(c for text in texts for c in text if c not in known))


@dataclass(frozen=True)
class Fitted:
    """Lines of a text in letters of one size, with their height above each other; does it all fit?

    A line that begins a paragraph after the first is marked.
    """

    size: float
    lines: tuple[tuple[str, bool], ...]
    fits: bool

    @property
    def height(self) -> float:
        """How high all lines are together."""
        gaps = sum(first for _, first in self.lines)
        return (len(self.lines) + GAP * gaps) * self.size * LEADING


def fitted(
    paragraphs: Sequence[str],
    room: tuple[float, float],
    largest: float,
    smallest: float,
    bold: bool = False,
) -> Fitted:
    """The text in the largest letters in which it fits a room of this width and height.

    Where it fits in none, it is set in the smallest, cut, and ends with an ellipsis.
    """
    size = largest
    while True:
        made = Fitted(size, tuple(_wrapped(paragraphs, room[0] * SLACK, size, bold)), True)
        whole = all(width(line, size, bold) <= room[0] * SLACK for line, _ in made.lines)
        if whole and made.height <= room[1] + 1e-6:
            return made
        if size - _STEP < smallest - 1e-9:
            return _cut(made, room, bold)
        size = round(size - _STEP, 3)


def _cut(made: Fitted, room: tuple[float, float], bold: bool) -> Fitted:
    """As many lines as there is room for, the last with an ellipsis."""
    lines = list(made.lines)
    while len(lines) > 1 and Fitted(made.size, tuple(lines), False).height > room[1]:
        lines.pop()
    whole = [(_short(line, room[0] * SLACK, made.size, bold), first) for line, first in lines]
    if len(lines) < len(made.lines):
        last, first = whole[-1]
        whole[-1] = (_short(last + " …", room[0] * SLACK, made.size, bold), first)
    return Fitted(made.size, tuple(whole), False)


def _short(line: str, room: float, size: float, bold: bool) -> str:
    """As much of a line as fits, with an ellipsis if that is not all of it."""
    if width(line, size, bold) <= room:
        return line
    while line and width(line + "…", size, bold) > room:
        line = line[:-1]
    return line.rstrip() + "…"


def _wrapped(
    paragraphs: Sequence[str], room: float, size: float, bold: bool
) -> list[tuple[str, bool]]:
    lines: list[tuple[str, bool]] = []
    for number, paragraph in enumerate(paragraphs):
        line, first = "", number > 0
        for word in paragraph.split():
            longer = f"{line} {word}".strip()
            if line and width(longer, size, bold) > room:
                lines.append((line, first))
                line, first = word, False
            else:
                line = longer
        lines.append((line, first))
    return lines
