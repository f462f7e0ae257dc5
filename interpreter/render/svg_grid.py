"""Boards that are grids, as pictures: cells with labels, pieces with signs, sides and corners."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from interpreter.game.context import GameContext
from interpreter.model.position import Position
from interpreter.model.setup import BoardInfo
from interpreter.render import tokens
from interpreter.render.glyphs import MARKS, Signs
from interpreter.render.svg_elements import (
    LEGEND,
    LINE,
    MARGIN,
    MARK,
    TITLE,
    Picture,
    Point,
    Sign,
    Target,
    Targets,
    area,
    chips,
    fill_of,
    groups,
    heading,
    legend,
    text,
)
from rulelang.core.types import TRUTH, SiteT
from rulelang.diagnostics.english import spoken
from rulelang.geometry.grid import Grid, bounds

CELL = 54.0  # pixels from one square to the next
HEX = 32.0  # pixels from the middle of a hex to its corners
LARGE = 49  # cells of a board that is always drawn whole
AROUND = 2  # cells drawn around what lies on a larger one


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


@dataclass
class GridPicture:
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

    def grouped(self, name: str, titled: bool) -> Picture:
        """The picture without its legend; the names of its elements begin with this one."""
        cells = self._cells()
        title = spoken(self.info.board.name)
        if self.info.board.per_player:
            title += f" of player {self.copy + 1}"
        head, named = (TITLE, [heading(title)]) if titled else (0.0, [])
        if not cells:
            named.append(text(MARGIN, MARGIN + head + 8, "nothing lies there yet", fill="#888888"))
            size = (LEGEND, 2 * MARGIN + head + LINE)
            return Picture(size, groups(name, {"ground": [("all", named)]}))
        self.frame = _frame(self.info.grid, tuple(cells), head)
        levels: dict[str, list[tuple[str, Iterable[str]]]] = {
            "ground": [("all", [*named, *map(self._ground, cells)])],
            "lines": [("all", self._lines(cells))],
            "cells": [(str(cell), self._content(cell)) for cell in cells],
            "edges": [("all", self._on_edges(cells))],
            "areas": [(where, [drawn]) for where, drawn in self._areas(cells)],
        }
        return Picture(self.frame.size, groups(name, levels))

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
            yield text(x - CELL / 2 + 4, y - CELL / 2 + 12, label, size=9, fill="#8a8677")
        else:
            yield text(x, y - HEX / 2 + 2, label, size=8, fill="#8a8677", anchor="middle")
        marks = "".join(self._marks(number))
        if marks:
            at = (x + CELL / 2 - 4, y - CELL / 2 + 13) if square else (x, y + HEX - 8)
            anchor = "end" if square else "middle"
            yield text(*at, marks, size=12, bold=True, fill=MARK, anchor=anchor)
        yield from chips((x, y + 4), self._signed(cell), self.colours)

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
        return sign, fill_of(style)

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
        yield text(x, y + 3.5, sign, size=10, bold=True, fill="#ffffff", anchor="middle")

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
                yield f"cell{cell}", area(target, shape)
        if all(role == "cell" for _, role, _ in self.targets):
            return
        done: set[tuple[str, int]] = set()
        for cell in cells:
            for role, number, shape in self._edge_areas(cell):
                target = self._target(role, number)
                if target is not None and (role, number) not in done:
                    done.add((role, number))
                    yield f"{role}{number}", area(target, shape)

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
        found = [pair for signs in (self.signs, self.edges) for pair in signs.legend()]
        marks = [Sign(mark, MARK, meaning, mark=True) for mark, meaning in self.marked.items()]
        return [*legend(found, self.colours), *marks]
