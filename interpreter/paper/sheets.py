"""Sheets to print and cut: pieces side by side with bleed and cut marks, their backs behind them,
and boards."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

from interpreter.paper.faces import FONT, GREY, INK, Face

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
MARGIN = 5.0  # millimetres that printers at home leave white
_MARK = 2.6


@dataclass(frozen=True)
class Preset:
    """How pieces are laid out: several on a sheet or one on a page, and how far color runs over."""

    bleed: float
    single: bool


INCH = 25.4
PRESETS = {
    "home": Preset(0.8, False),
    "single": Preset(3.0, True),
    "inch": Preset(INCH / 8, True),
}


@dataclass(frozen=True)
class Sheet:
    """A page: its name, its size in millimetres, and its picture."""

    name: str
    width: float
    height: float
    svg: str


@dataclass(frozen=True)
class Piece:
    """A piece to print: its faces, and how many of it."""

    title: str
    front: Face
    back: Face | None
    copies: int


def sheets(
    pieces: Sequence[Piece], paper: str, preset: Preset, name: str
) -> tuple[list[Sheet], list[str]]:
    """The sheets of these pieces, those of one size together; and what no paper holds."""
    page = PAPERS[paper]
    made: list[Sheet] = []
    too_large: dict[str, None] = {}
    sizes = dict.fromkeys((p.front.width, p.front.height) for p in pieces)
    for size in sizes:
        alike = [p for p in pieces if (p.front.width, p.front.height) == size]
        across, down = _grid(size, page, preset)
        if not across or not down:
            too_large |= dict.fromkeys(p.title for p in alike)
            continue
        single = [p for p in alike for _ in range(p.copies)]
        for start in range(0, len(single), across * down):
            batch = single[start : start + across * down]
            number = len(made) // (2 if any(p.back for p in pieces) else 1) + 1
            made += _pages(batch, (across, down), page, preset, f"{name} {number}")
    return made, list(too_large)


def _grid(size: tuple[float, float], page: tuple[float, float], preset: Preset) -> tuple[int, int]:
    """How many fit side by side and one under the other."""
    if preset.single:
        return 1, 1
    gap = 2 * preset.bleed
    across = int((page[0] - 2 * MARGIN) // (size[0] + gap))
    down = int((page[1] - 2 * MARGIN) // (size[1] + gap))
    return across, down


def _pages(
    batch: list[Piece],
    grid: tuple[int, int],
    page: tuple[float, float],
    preset: Preset,
    name: str,
) -> Iterator[Sheet]:
    """The page of these pieces, and behind it the one of their backs, in mirrored order."""
    width, height = batch[0].front.width, batch[0].front.height
    step = (width + 2 * preset.bleed, height + 2 * preset.bleed)
    if preset.single:
        page = (step[0] + 2 * _MARK, step[1] + 2 * _MARK)
    left = (page[0] - grid[0] * step[0]) / 2 + preset.bleed
    top = (page[1] - grid[1] * step[1]) / 2 + preset.bleed
    places = [
        (left + (n % grid[0]) * step[0], top + (n // grid[0]) * step[1]) for n in range(len(batch))
    ]
    fronts = [(p.front, place) for p, place in zip(batch, places, strict=True)]
    yield _sheet(name, page, fronts, preset)
    backs = [
        (p.back, (page[0] - x - width, y))
        for p, (x, y) in zip(batch, places, strict=True)
        if p.back is not None
    ]
    if backs:
        yield _sheet(f"{name} backs", page, backs, preset)


def _sheet(
    name: str,
    page: tuple[float, float],
    faces: list[tuple[Face, tuple[float, float]]],
    preset: Preset,
) -> Sheet:
    parts = []
    for number, (face, (x, y)) in enumerate(faces):
        b = preset.bleed
        clip = f"c{number}"
        parts.append(
            f'<rect x="{x - b:.2f}" y="{y - b:.2f}" width="{face.width + 2 * b:.2f}" '
            f'height="{face.height + 2 * b:.2f}" fill="{face.ground}"/>'
            f'<clipPath id="{clip}"><rect width="{face.width:.2f}" height="{face.height:.2f}"/>'
            f'</clipPath><g transform="translate({x:.2f} {y:.2f})" clip-path="url(#{clip})">'
            f"{face.svg}</g>"
        )
    marks = "".join(_marks(face, place, preset.bleed) for face, place in faces)
    parts.append(f'<g stroke="{INK}" stroke-width="0.15">{marks}</g>')
    if not preset.single:
        parts.append(
            f'<text x="{page[0] / 2:.2f}" y="{page[1] - 1.8:.2f}" font-size="2.2" fill="{GREY}" '
            f'text-anchor="middle">{escape(name, quote=False)}</text>'
        )
    return Sheet(name, *page, picture("".join(parts), *page))


def _marks(face: Face, place: tuple[float, float], bleed: float) -> str:
    """Short lines beside the corners, where to cut."""
    (x, y), w, h = place, face.width, face.height
    lines = []
    for cx, side in ((x, -1), (x + w, 1)):
        for cy, way in ((y, -1), (y + h, 1)):
            a, b = (0.6, 0.6 + _MARK) if bleed >= _MARK else (0.0, bleed)
            lines.append((cx, cy + way * a, cx, cy + way * b))
            lines.append((cx + side * a, cy, cx + side * b, cy))
    return "".join(
        f'<line x1="{a:.2f}" y1="{b:.2f}" x2="{c:.2f}" y2="{d:.2f}"/>' for a, b, c, d in lines
    )


def picture(inner: str, width: float, height: float) -> str:
    """Elements as a whole SVG of this size in millimetres."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="{FONT}">'
        f'<rect width="{width:g}" height="{height:g}" fill="#ffffff"/>{inner}</svg>\n'
    )


# ------------------------------------------------------------------------------------- boards
def board_sheet(
    name: str, grid: str, size: tuple[int, int], paper: str, labels: Iterable[str]
) -> Sheet:
    """A board that does not grow, as large as the paper lets it be."""
    page = PAPERS[paper]
    wide, high = size
    if wide > high:
        page = (page[1], page[0])
    room = (page[0] - 2 * MARGIN, page[1] - 2 * MARGIN - 8)
    said = iter(labels)
    cells = _hexes(wide, high, room) if grid == "hex" else _squares(wide, high, room)
    parts = [
        f'<text x="{page[0] / 2:.2f}" y="{MARGIN + 4:.2f}" font-size="6" font-weight="bold" '
        f'fill="{INK}" text-anchor="middle">{escape(name, quote=False)}</text>'
    ]
    for corners, (x, y), unit in cells:
        points = " ".join(f"{MARGIN + a:.2f},{MARGIN + 8 + b:.2f}" for a, b in corners)
        parts.append(
            f'<polygon points="{points}" fill="#faf8f1" stroke="{GREY}" stroke-width="0.4"/>'
            f'<text x="{MARGIN + x:.2f}" y="{MARGIN + 8 + y - unit * 0.28:.2f}" '
            f'font-size="{min(3.2, unit * 0.22):.2f}" fill="{GREY}" text-anchor="middle">'
            f"{escape(next(said, ''), quote=False)}</text>"
        )
    return Sheet(name, *page, picture("".join(parts), *page))


Cell = tuple[list[tuple[float, float]], tuple[float, float], float]


def _squares(wide: int, high: int, room: tuple[float, float]) -> Iterator[Cell]:
    size = min(room[0] / wide, room[1] / high)
    left, top = (room[0] - size * wide) / 2, (room[1] - size * high) / 2
    for row in range(high):
        for column in range(wide):
            x, y = left + column * size, top + row * size
            corners = [(x, y), (x + size, y), (x + size, y + size), (x, y + size)]
            yield corners, (x + size / 2, y + size / 2), size


def _hexes(wide: int, high: int, room: tuple[float, float]) -> Iterator[Cell]:
    """Hexes with a corner on top, each row half a hex further to the right."""
    step = math.sqrt(3)
    radius = min(room[0] / (step * (wide + (high - 1) / 2)), room[1] / (1.5 * high + 0.5))
    for row in range(high):
        for column in range(wide):
            x = radius * step * (column + row / 2 + 0.5)
            y = radius * (1.5 * row + 1)
            corners = [
                (x + radius * math.sin(math.pi * k / 3), y - radius * math.cos(math.pi * k / 3))
                for k in range(6)
            ]
            yield corners, (x, y), radius * 1.6
