"""Boards as SVG pictures, for notebooks and pages: cells with labels, pieces with signs, a legend.

The signs, colours and marks are those of the boards drawn as text.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape

from interpreter.game.context import GameContext, PlayState
from interpreter.model.position import Position
from interpreter.model.setup import BoardInfo
from interpreter.render import tokens
from interpreter.render.glyphs import MARKS, Signs
from interpreter.render.look import Site
from rulelang.core.types import TRUTH, SiteT
from rulelang.diagnostics.english import spoken
from rulelang.geometry.grid import Grid, bounds

CELL = 54.0  # pixels from one square to the next
HEX = 32.0  # pixels from the middle of a hex to its corners
MARGIN = 14.0
LINE = 17.0  # pixels from one line of text to the next
LETTER = 6.6  # pixels of a letter of the legend
LEGEND = 200.0  # pixels the legend is wide at least
LARGE = 49  # cells of a board that is always drawn whole
AROUND = 2  # cells drawn around what lies on a larger one

# White letters are read on each of them: the contrast is 4.5 to 1 at least.
COLOURS = {
    "blue": "#1f5fbf",
    "red": "#c0392b",
    "green": "#237347",
    "yellow": "#8a6400",
    "magenta": "#8e44ad",
    "cyan": "#0f7477",
    "bright_blue": "#3a6fd8",
    "bright_red": "#c24141",
    "white": "#64727a",
    "bright_black": "#555555",
}
INK = "#333333"
MARK = "#8a6400"

Point = tuple[float, float]


@dataclass(frozen=True)
class Target:
    """A site that can be pointed at: a class, data for whoever asks what was pointed at, and a
    word to be shown there.
    """

    kind: str
    data: tuple[tuple[str, str], ...] = ()
    title: str = ""


Targets = Mapping[Site, Target]


@dataclass(frozen=True)
class Sign:
    """A line of the legend: a sign (or a mark in a corner), its colour, what it means."""

    sign: str
    colour: str
    meaning: str
    mark: bool = False


@dataclass(frozen=True)
class Group:
    """Elements of a picture that lie on one level, each under a name."""

    name: str
    parts: tuple[tuple[str, str], ...]

    @property
    def svg(self) -> str:
        """The elements, each in a `g` by whose id it can be renewed."""
        return "\n".join(f'<g id="{name}">{elements}</g>' for name, elements in self.parts)


@dataclass(frozen=True)
class Picture:
    """One board, drawn in groups from the lowest to the highest level."""

    size: Point
    groups: tuple[Group, ...]

    @property
    def svg(self) -> str:
        """The whole picture."""
        drawn = [f'<g id="{group.name}">{group.svg}</g>' for group in self.groups]
        return _svg(drawn, self.size)

    def since(self, before: Picture) -> Iterator[tuple[str, str]]:
        """What is drawn otherwise than before, in a picture of this size: the ids of elements and
        what is in them now.
        """
        for now, then in zip(self.groups, before.groups, strict=True):
            if [name for name, _ in now.parts] != [name for name, _ in then.parts]:
                yield now.name, now.svg
            else:
                for new, old in zip(now.parts, then.parts, strict=True):
                    if new != old:
                        yield new


@dataclass(frozen=True)
class Drawing:
    """Each board as a picture, and one legend for all."""

    boards: tuple[Picture, ...]
    legend: tuple[Sign, ...]

    @property
    def pictures(self) -> tuple[str, ...]:
        """The pictures as SVG."""
        return tuple(board.svg for board in self.boards)

    @property
    def sizes(self) -> tuple[Point, ...]:
        """How large the pictures are."""
        return tuple(board.size for board in self.boards)

    def since(self, before: Drawing) -> list[tuple[str, str]]:
        """What is drawn otherwise than before, in pictures of the same sizes."""
        pairs = zip(self.boards, before.boards, strict=True)
        return [change for now, then in pairs for change in now.since(then)]


def draw_svg(state: PlayState, viewer: int | None = None) -> str | None:
    """All boards of a state, one under the other, as an SVG picture; none where there is no board.

    `viewer` is the index of who looks: what a board shows of a player is shown of him.
    """
    pictures = _pictures(state, viewer, {})
    if not pictures:
        return None
    found: list[str] = []
    width = y = 0.0
    for picture in pictures:
        parts, size = picture.draw(titled=len(pictures) > 1)
        found += [f'<g transform="translate(0 {y:.0f})">', *parts, "</g>"]
        width, y = max(width, size[0]), y + size[1]
    return _svg(found, (width, y))


def draw_targets(state: PlayState, viewer: int | None, targets: Targets) -> Drawing | None:
    """The boards one by one, with an area of the class `target` over each of these sites."""
    pictures = _pictures(state, viewer, targets)
    if not pictures:
        return None
    boards = tuple(
        picture.grouped(f"b{number}", titled=len(pictures) > 1)
        for number, picture in enumerate(pictures)
    )
    signs = dict.fromkeys(sign for picture in pictures for sign in picture.legend())
    return Drawing(boards, tuple(signs))


def _pictures(state: PlayState, viewer: int | None, targets: Targets) -> list[_BoardPicture]:
    return [
        _BoardPicture(state.game, state.seen_by(viewer), info, copy, viewer, targets)
        for info in state.game.setup.boards.values()
        for copy in range(info.copies)
    ]


def _svg(elements: list[str], size: Point) -> str:
    """Elements on a white ground."""
    width, height = size
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="Helvetica, Arial, sans-serif">'
    )
    ground = '<rect width="100%" height="100%" fill="#ffffff"/>'
    return "\n".join([head, ground, *elements, "</svg>"])


@dataclass(frozen=True)
class Frame:
    """How cells lie in a picture, whatever lies on them."""

    size: Point
    left: float
    top: float
    corners: Mapping[int, tuple[Point, ...]]  # of each cell: side d runs from corner d to the next
    points: Mapping[int, str]  # the same, as a polygon takes them
    # Lines between two cells, or a cell and none: as they are drawn, and as within a tile.
    lines: tuple[tuple[int, int | None, str, str], ...]


@lru_cache(maxsize=64)
def _frame(grid: Grid, cells: tuple[int, ...], head: float) -> Frame:
    """The frame of a picture of these cells under a head."""
    around = {cell: _corners(grid, cell) for cell in cells}
    every = [point for corners in around.values() for point in corners]
    left = min(x for x, _ in every) - MARGIN
    top = min(y for _, y in every) - MARGIN - head
    size = (max(x for x, _ in every) - left + MARGIN, max(y for _, y in every) - top + MARGIN)
    corners = {
        cell: tuple((x - left, y - top) for x, y in points) for cell, points in around.items()
    }
    points = {cell: " ".join(f"{x:.1f},{y:.1f}" for x, y in at) for cell, at in corners.items()}
    return Frame(size, left, top, corners, points, tuple(_lines(grid, corners)))


def _lines(
    grid: Grid, corners: Mapping[int, tuple[Point, ...]]
) -> Iterator[tuple[int, int | None, str, str]]:
    """The lines round cells, each from one side only."""
    for cell, at in corners.items():
        for d, steps in enumerate(grid.step):
            other = steps[cell] if steps[cell] in corners else None
            if other is not None and other < cell:
                continue
            (x, y), (x2, y2) = at[d], at[(d + 1) % len(at)]
            line = f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
            thick, thin = (
                f'{line}stroke="{colour}" stroke-width="{width}" stroke-linecap="round"/>'
                for colour, width in (("#8a8677", 1.6), ("#cfcabc", 0.8))
            )
            yield cell, other, thick, thin


def _middle(grid: Grid, cell: int) -> Point:
    column, row = grid.position(cell)
    if grid.kind == "square":
        return (column + 0.5) * CELL, (row + 0.5) * CELL
    return math.sqrt(3) * HEX * (column + row / 2), 1.5 * HEX * row


def _corners(grid: Grid, cell: int) -> list[Point]:
    """The corners around a cell: side d runs from corner d to the next."""
    x, y = _middle(grid, cell)
    if grid.kind == "square":
        h = CELL / 2
        return [(x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h)]
    w, h = math.sqrt(3) * HEX / 2, HEX / 2
    return [
        (x, y - HEX),
        (x + w, y - h),
        (x + w, y + h),
        (x, y + HEX),
        (x - w, y + h),
        (x - w, y - h),
    ]


def _groups(name: str, levels: Mapping[str, list[tuple[str, Iterable[str]]]]) -> tuple[Group, ...]:
    """The levels of a picture as groups, all their names beginning with its own."""
    return tuple(
        Group(
            f"{name}-{level}",
            tuple((f"{name}-{level}-{part}", "".join(elements)) for part, elements in parts),
        )
        for level, parts in levels.items()
    )


@dataclass
class _BoardPicture:
    """One copy of one board."""

    game: GameContext
    s: Position
    info: BoardInfo
    copy: int
    viewer: int | None
    targets: Targets
    signs: Signs = field(default_factory=lambda: Signs(3))
    edges: Signs = field(default_factory=lambda: Signs(1))
    colours: dict[str, str] = field(default_factory=dict)  # sign -> colour
    marked: dict[str, str] = field(default_factory=dict)  # mark -> what it means
    frame: Frame = field(default_factory=lambda: Frame((0.0, 0.0), 0.0, 0.0, {}, {}, ()))

    def draw(self, titled: bool) -> tuple[list[str], Point]:
        """The elements of the picture with its legend, and its width and height."""
        picture = self.grouped("", titled)
        found = [elements for group in picture.groups for _, elements in group.parts]
        width, height = picture.size
        signs, head = self.legend(), LINE + 4 if titled else 0.0
        for number, sign in enumerate(signs):
            y = MARGIN + head + 10 + number * LINE
            found.append(_text(width, y, sign.sign, fill=sign.colour, bold=True, size=11))
            found.append(_text(width + 34, y, sign.meaning, size=11))
        if signs:
            width += max(LEGEND, 34 + LETTER * max(len(s.meaning) for s in signs)) + MARGIN
        return found, (width, max(height, head + 2 * MARGIN + LINE * len(signs)))

    def grouped(self, name: str, titled: bool) -> Picture:
        """The picture without its legend; the names of its elements begin with this one."""
        cells = self._cells()
        title = spoken(self.info.board.name)
        if self.info.board.per_player:
            title += f" of player {self.copy + 1}"
        head = LINE + 4 if titled else 0.0
        heading = [_text(MARGIN, MARGIN + 8, title, size=13, bold=True)] if titled else []
        if not cells:
            heading.append(
                _text(MARGIN, MARGIN + head + 8, "nothing lies there yet", fill="#888888")
            )
            size = (LEGEND, 2 * MARGIN + head + LINE)
            return Picture(size, _groups(name, {"ground": [("all", heading)]}))
        self.frame = _frame(self.info.grid, tuple(cells), head)
        levels: dict[str, list[tuple[str, Iterable[str]]]] = {
            "ground": [("all", [*heading, *map(self._ground, cells)])],
            "lines": [("all", self._lines(cells))],
            "cells": [(str(cell), self._content(cell)) for cell in cells],
            "edges": [("all", self._on_edges(cells))],
            "areas": [(where, [area]) for where, area in self._areas(cells)],
        }
        return Picture(self.frame.size, _groups(name, levels))

    # -------------------------------------------------------------------------- geometry
    def _cells(self) -> list[int]:
        """The cells that are drawn: of a large board those near to what lies there, and those that
        can be pointed at, also where no cell is yet.
        """
        base = self.copy * self.info.cells
        pointed = {
            site - base
            for board, role, site in self.targets
            if (board, role) == (self.info.board.name, "cell")
            and 0 <= site - base < self.info.cells
        }
        present = self.s.present(self.info.board.name, self.copy) | pointed
        grid = self.info.grid
        if len(present) <= LARGE or self.info.board.grown_from is not None:
            return sorted(present)
        taken = frozenset(c for c in present if self._signed(c) or self._target("cell", c))
        if not taken:
            return sorted(present)
        left, top, right, bottom = bounds(grid, taken)
        columns = range(left - AROUND, right + AROUND + 1)
        rows = range(top - AROUND, bottom + AROUND + 1)
        near = ((c, *grid.position(c)) for c in sorted(present))
        return [c for c, column, row in near if column in columns and row in rows]

    def _at(self, cell: int) -> Point:
        """The middle of a cell in the picture."""
        x, y = _middle(self.info.grid, cell)
        return x - self.frame.left, y - self.frame.top

    def _side(self, cell: int, d: int) -> tuple[Point, Point]:
        corners = self.frame.corners[cell]
        return corners[d], corners[(d + 1) % len(corners)]

    # ---------------------------------------------------------------------------------------- cells
    def _signed(self, cell: int) -> list[tuple[str, str]]:
        """The signs of what lies on a cell, with their colours."""
        base = self.copy * self.info.cells
        return tokens.on_cell(self.game, self.s, self.info, cell + base, self.signs, self.viewer)

    def _ground(self, cell: int) -> str:
        fill = "#eef3f8" if self._spanning(cell) else "#fbfaf6"
        return f'<polygon points="{self.frame.points[cell]}" fill="{fill}"/>'

    def _spanning(self, cell: int) -> set[int]:
        """The pieces on top of a cell, by which cells of one piece are drawn as one."""
        found = set()
        for layer in self.info.board.layers:
            if layer.role == "cell":
                here = self.s.on[layer.name].get(cell + self.copy * self.info.cells, ())
                found |= set(here[-1:])
        return found

    def _lines(self, cells: list[int]) -> Iterator[str]:
        """Lines round cells: none inside one piece, thin inside one tile."""
        grown = self.info.board.grown_from is not None
        spanning = {cell: self._spanning(cell) for cell in cells}
        for cell, other, thick, thin in self.frame.lines:
            if other is not None and spanning[cell] & spanning[other]:
                continue
            yield thin if grown and other is not None and self._one_tile(cell, other) else thick

    def _one_tile(self, cell: int, other: int) -> bool:
        tiles, base = self.s.tiles[self.info.board.name], self.copy * self.info.cells
        one, two = tiles.get(cell + base), tiles.get(other + base)
        return (one and one[0]) == (two and two[0])  # where there is no tile yet, as on one

    def _content(self, cell: int) -> Iterator[str]:
        """A cell's label, its marks, and the signs of what lies there."""
        t = SiteT(self.info.board.name, "cell", dict(self.info.board.roles).get("cell", "cell"))
        number = cell + self.copy * self.info.cells
        label = self.game.presenter.cell_label(number, t, self.s)
        x, y = self._at(cell)
        square = self.info.grid.kind == "square"
        if square:
            yield _text(x - CELL / 2 + 4, y - CELL / 2 + 12, label, size=9, fill="#8a8677")
        else:
            yield _text(x, y - HEX / 2 + 2, label, size=8, fill="#8a8677", anchor="middle")
        marks = "".join(self._marks(number))
        if marks:
            at = (x + CELL / 2 - 4, y - CELL / 2 + 13) if square else (x, y + HEX - 8)
            anchor = "end" if square else "middle"
            yield _text(*at, marks, size=12, bold=True, fill=MARK, anchor=anchor)
        yield from self._chips(x, y + 4, self._signed(cell))

    def _marks(self, site: int) -> Iterator[str]:
        """The marks of what the board shows to hold of a cell."""
        game = self.game
        definitions = game.rules_source.definitions
        truths = [name for name in self.info.board.shows if definitions[name].type == TRUTH]
        for number, name in enumerate(truths):
            if tokens.shown(game, self.s, name, site, self.viewer):
                mark = MARKS[number % len(MARKS)]
                self.marked[mark] = tokens.meaning(game, name, self.viewer)
                yield mark

    def _chips(self, x: float, y: float, signed: list[tuple[str, str]]) -> Iterator[str]:
        """The signs of what lies on a cell, as chips in a row, or in two where there are many."""
        rows = [signed] if len(signed) < 3 else [signed[::2], signed[1::2]]
        for index, row in enumerate(rows):
            widths = [8 + 7.2 * len(sign) for sign, _ in row]
            left = x - (sum(widths) + 3 * (len(row) - 1)) / 2
            middle = y + (index - (len(rows) - 1) / 2) * 19
            for (sign, style), width in zip(row, widths, strict=True):
                colour = _colour(style)
                self.colours.setdefault(sign.partition("+")[0], colour)
                yield (
                    f'<rect x="{left:.1f}" y="{middle - 8:.1f}" width="{width:.1f}" height="16" '
                    f'rx="4" fill="{colour}"/>'
                )
                yield _text(
                    left + width / 2,
                    middle + 4,
                    sign,
                    size=11,
                    bold=True,
                    fill="#ffffff",
                    anchor="middle",
                )
                left += width + 3

    # ----------------------------------------------------------------- sides and corners
    def _on_edges(self, cells: list[int]) -> Iterator[str]:
        """What lies on sides, as bars across them, and on corners, as discs."""
        done: set[tuple[str, int]] = set()
        grid, info = self.info.grid, self.info
        if not any(tokens.occupied(self.game, self.s, info, r) for r in ("side", "corner")):
            return
        for cell in cells:
            for d, side in enumerate(grid.sides_of[cell]):
                ends = set(grid.ends_of_side[side]) & set(
                    grid.ends_of_side[grid.sides_of[cell][d - 1]]
                )
                corner = next(iter(ends))
                first, last = self._side(cell, d)
                if ("side", side) not in done:
                    done.add(("side", side))
                    yield from self._bar(first, last, side + self.copy * info.sides)
                if ("corner", corner) not in done:
                    done.add(("corner", corner))
                    yield from self._disc(first, corner + self.copy * info.corners)

    def _edge(self, role: str, site: int) -> tuple[str, str]:
        sign, style = tokens.on_edge(self.game, self.s, self.info, role, site, self.edges)
        return sign, _colour(style)

    def _bar(self, first: Point, last: Point, site: int) -> Iterator[str]:
        sign, colour = self._edge("side", site)
        if sign:
            (x, y), (x2, y2) = first, last
            yield (
                f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
                'stroke-width="6" stroke-linecap="round"/>'
            )
            yield from self._sign_at((x + x2) / 2, (y + y2) / 2, sign, colour)

    def _disc(self, at: Point, site: int) -> Iterator[str]:
        sign, colour = self._edge("corner", site)
        if sign:
            yield from self._sign_at(*at, sign, colour)

    def _sign_at(self, x: float, y: float, sign: str, colour: str) -> Iterator[str]:
        self.colours.setdefault(sign, colour)
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="7.5" fill="{colour}" stroke="#ffffff"/>'
        yield _text(x, y + 3.5, sign, size=10, bold=True, fill="#ffffff", anchor="middle")

    # --------------------------------------------------------------------------- targets
    def _target(self, role: str, number: int) -> Target | None:
        """What a site of this copy is as a target, by its number within the copy."""
        site = number + self.copy * self.info.stride(role)
        return self.targets.get((self.info.board.name, role, site))

    def _areas(self, cells: list[int]) -> Iterator[tuple[str, str]]:
        """Areas over the targets with their names: cells first, for sides and corners lie over
        them.
        """
        if not self.targets:
            return
        for cell in cells:
            if (target := self._target("cell", cell)) is not None:
                shape = f'<polygon points="{self.frame.points[cell]}"'
                yield f"cell{cell}", _area(target, shape)
        if all(role == "cell" for _, role, _ in self.targets):
            return
        done: set[tuple[str, int]] = set()
        for cell in cells:
            for role, number, shape in self._edge_areas(cell):
                target = self._target(role, number)
                if target is not None and (role, number) not in done:
                    done.add((role, number))
                    yield f"{role}{number}", _area(target, shape)

    def _edge_areas(self, cell: int) -> Iterator[tuple[str, int, str]]:
        """The sides and corners round a cell, with the beginnings of elements that cover them."""
        grid = self.info.grid
        for d, side in enumerate(grid.sides_of[cell]):
            before = grid.sides_of[cell][d - 1]
            corner = next(iter(set(grid.ends_of_side[side]) & set(grid.ends_of_side[before])))
            (x, y), (x2, y2) = self._side(cell, d)
            line = f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke-width="14"'
            yield "side", side, line
            yield "corner", corner, f'<circle cx="{x:.1f}" cy="{y:.1f}" r="11"'

    def legend(self) -> list[Sign]:
        """Signs and marks with their colours and what they mean, once all is drawn."""
        found = [
            Sign(sign, self.colours.get(sign, INK), text)
            for signs in (self.signs, self.edges)
            for sign, text in signs.legend()
        ]
        return found + [Sign(mark, MARK, text, mark=True) for mark, text in self.marked.items()]


def _area(target: Target, shape: str) -> str:
    data = "".join(f' data-{name}="{escape(value)}"' for name, value in target.data)
    title = f"<title>{escape(target.title)}</title>" if target.title else ""
    return f'{shape} class="target {escape(target.kind)}"{data}>{title}</{shape[1:].split()[0]}>'


def _colour(style: str) -> str:
    """The colour of a style of the boards drawn as text."""
    return COLOURS.get(style.removeprefix("bold ").removeprefix("bold"), INK)


def _text(
    x: float,
    y: float,
    text: str,
    *,
    size: int = 12,
    fill: str = INK,
    bold: bool = False,
    anchor: str = "start",
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    at = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{fill}"{weight}{at}>'
        f"{escape(text, quote=False)}</text>"
    )
