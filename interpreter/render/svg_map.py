"""Maps that are no grid, as pictures: points with names, what is there, and links as lines."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from interpreter.game.game import Game
from interpreter.model.position import Position
from interpreter.render.glyphs import Signs
from interpreter.render.points import ROLE, AtPoints, links, places
from interpreter.render.svg_elements import (
    LETTER,
    MARGIN,
    MARK,
    TITLE,
    Picture,
    Point,
    Sign,
    Signed,
    Targets,
    area,
    chip_rows,
    chips,
    groups,
    heading,
    legend,
    row_width,
    text,
)
from rulelang.diagnostics.english import spoken

HIGH = 46.0  # pixels of a point from top to bottom
NARROW = 56.0  # pixels a point is wide at least
WIDER = 24.0  # steps in which points become wider, so that few changes move them
ASIDE, BELOW = 36.0, 38.0  # pixels between points, at least, where they are 1 apart
BOW = 46.0  # pixels by which a link that would pass through a point bends around it
ARROW = 7.0


@dataclass
class MapPicture:
    """The map of one kind."""

    game: Game
    s: Position
    kind: str
    targets: Targets
    signs: Signs = field(default_factory=lambda: Signs(3))
    colours: dict[str, str] = field(default_factory=dict)  # sign -> colour

    def __post_init__(self) -> None:
        self.there = AtPoints(self.game, self.s, self.kind, self.signs)

    def grouped(self, name: str, titled: bool) -> Picture:
        """The picture without its legend; the names of its elements begin with this one."""
        count = len(places(self.game, self.kind))
        at = {point: self.there.at(point) for point in range(count)}
        width = max(self._width(point, *there) for point, there in at.items())
        spots, lines, size = self._laid_out(width, TITLE if titled else 0.0)
        levels: dict[str, list[tuple[str, Iterable[str]]]] = {
            "ground": [("all", [heading(spoken(self.kind))] if titled else [])],
            "lines": [("all", [line.svg for line in lines])],
            "points": [(str(point), self._point(point, spots[point], width)) for point in at],
            "areas": [
                (f"point{point}", [area(target, _pill(spots[point], width))])
                for point in at
                if (target := self.targets.get((self.kind, ROLE, point))) is not None
            ],
        }
        return Picture(size, groups(name, levels))

    def legend(self) -> list[Sign]:
        """Signs and marks with their colours and what they mean, once all is drawn."""
        marks = [Sign(mark, MARK, meaning, mark=True) for mark, meaning in self.there.meanings()]
        return [*legend(self.signs.legend(), self.colours), *marks]

    def _width(self, point: int, marks: str, signed: list[Signed]) -> float:
        """How wide a point is drawn, for its name and for what is there."""
        named = LETTER * (len(self.there.label(point)) + len(marks) + bool(marks)) + 24
        rows = max((row_width(row) for row in chip_rows(signed)), default=0.0) + 16
        more = max(named, rows, NARROW) - NARROW
        return NARROW + math.ceil(more / WIDER) * WIDER

    def _laid_out(self, width: float, head: float) -> tuple[list[Point], list[_Line], Point]:
        """The middles of all points in the picture, its lines, and its size."""
        spots = [(x * (width + ASIDE), y * (HIGH + BELOW)) for x, y in places(self.game, self.kind)]
        lines = list(self._lines(spots, width))
        ends = [
            (x + dx, y + dy)
            for x, y in spots
            for dx in (-width / 2, width / 2)
            for dy in (-HIGH / 2, HIGH / 2)
        ]
        ends += [line.middle for line in lines]
        left, top = min(x for x, _ in ends) - MARGIN, min(y for _, y in ends) - MARGIN - head
        size = max(x for x, _ in ends) - left + MARGIN, max(y for _, y in ends) - top + MARGIN
        moved = [line.moved(-left, -top) for line in lines]
        return [(x - left, y - top) for x, y in spots], moved, size

    # --------------------------------------------------------------------------------------- points
    def _point(self, point: int, at: Point, width: float) -> Iterator[str]:
        """A point with its name, its marks, and the signs of what is there."""
        (x, y), (marks, signed) = at, self.there.at(point)
        fill = "#eef3f8" if signed else "#fbfaf6"
        yield f'{_pill(at, width)} fill="{fill}" stroke="#8a8677" stroke-width="1.6"/>'
        name = self.there.label(point)
        shift = LETTER * (len(marks) + 1) / 2 if marks else 0.0
        line = y - 9 if signed else y + 4
        yield text(x - shift, line, name, size=11, fill="#8a8677", anchor="middle")
        if marks:
            beside = x - shift + LETTER * len(name) / 2 + 4
            yield text(beside, line + 1, marks, size=12, bold=True, fill=MARK)
        yield from chips((x, y + 7), signed, self.colours)

    def _lines(self, spots: list[Point], width: float) -> Iterator[_Line]:
        """Links as lines, with an arrow where a link leads one way only."""
        for one, other, both in links(self.game, self.s, self.kind):
            a, b = spots[one], spots[other]
            others = (spot for point, spot in enumerate(spots) if point not in (one, other))
            passes = any(_touches(a, b, spot, width) for spot in others)
            yield _Line(a, _middle(a, b, BOW if passes else 0.0), b, not both)


@dataclass(frozen=True)
class _Line:
    """A link: a curve from one point to another by way of its middle."""

    start: Point
    middle: Point
    end: Point
    one_way: bool

    def moved(self, dx: float, dy: float) -> _Line:
        """The same elsewhere."""
        start, middle, end = ((x + dx, y + dy) for x, y in (self.start, self.middle, self.end))
        return _Line(start, middle, end, self.one_way)

    @property
    def svg(self) -> str:
        """The line, with an arrow in its middle if it leads one way."""
        (ax, ay), (mx, my), (bx, by) = self.start, self.middle, self.end
        # The point that bends a curve lies twice as far out as its middle.
        bend = 2 * mx - (ax + bx) / 2, 2 * my - (ay + by) / 2
        line = (
            f'<path d="M {ax:.1f} {ay:.1f} Q {bend[0]:.1f} {bend[1]:.1f} {bx:.1f} {by:.1f}" '
            'fill="none" stroke="#8a8677" stroke-width="2"/>'
        )
        length = math.hypot(bx - ax, by - ay)
        way = (bx - ax) / length, (by - ay) / length
        return line + (_arrow(self.middle, way) if self.one_way else "")


def _arrow(at: Point, way: Point) -> str:
    """The head of an arrow around a place."""
    (x, y), (dx, dy) = at, way
    corners = ((dx, dy), (-dx - dy, dx - dy), (dy - dx, -dx - dy))
    points = " ".join(f"{x + ARROW * cx:.1f},{y + ARROW * cy:.1f}" for cx, cy in corners)
    return f'<polygon points="{points}" fill="#8a8677"/>'


def _pill(at: Point, width: float) -> str:
    """The beginning of an element that covers a point."""
    x, y = at[0] - width / 2, at[1] - HIGH / 2
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{HIGH:.0f}" rx="{HIGH / 2:.0f}"'
    )


def _middle(a: Point, b: Point, bow: float) -> Point:
    """The middle of a line that bows out so far."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    out = bow / math.hypot(dx, dy)
    return (a[0] + b[0]) / 2 + dy * out, (a[1] + b[1]) / 2 - dx * out


def _touches(a: Point, b: Point, spot: Point, width: float) -> bool:
    """Does a straight line between two points pass through a third?"""
    dx, dy = b[0] - a[0], b[1] - a[1]
    along = ((spot[0] - a[0]) * dx + (spot[1] - a[1]) * dy) / (dx * dx + dy * dy)
    x, y = a[0] + along * dx, a[1] + along * dy
    near = abs(x - spot[0]) < width / 2 and abs(y - spot[1]) < HIGH / 2
    return 0 < along < 1 and near
