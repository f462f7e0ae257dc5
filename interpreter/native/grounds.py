"""How the sites of a board are numbered in a module: of one that grows, those near the middle.

A board that grows has a canvas on which all its tiles could lie in a row. Tiles lie together, so a
module keeps a window around the middle, in which numbers follow each other as on the canvas. Who
lays a tile so near to the edge of the window that the next might not fit is left to the reference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from math import isqrt

from interpreter.model.setup import BoardInfo
from rulelang.geometry.grid import Grid, hexes, square
from rulelang.geometry.shapes import Shape, orientations, turned

MOST_SITES = 24 * 64  # cells of all copies of a board that grows together
MOST_SIDES = 40 * 64
Table = Sequence[Sequence[int]]


class Ground:
    """The sites of a board, numbered for a module; each copy has its own stretch."""

    def __init__(self, grid: Grid, copies: int, tiles: tuple[Shape, ...], by_sides: bool) -> None:
        """`tiles` are the shapes a board grows from; none of a board that does not grow.

        Are its sides or corners spoken of, too?
        """
        self.grid, self.copies, self.tiles, self.by_sides = grid, copies, tiles, by_sides
        ways = [way for tile in set(tiles) for way in orientations(tile, grid.kind)]
        self.span = max((max(max(c, r) + 1 for c, r in way) for way in ways), default=0)
        self.width, self.height = self._size() if tiles else (grid.width, grid.height)
        self.whole = self.width == grid.width and self.height == grid.height
        self.margin = 0 if self.whole else self.span
        """How many cells at each edge of the window stay free of tiles."""

    def _size(self) -> tuple[int, int]:
        """A square of twice the side of one that all tiles would fill, and room around it."""
        if self.grid.width * self.grid.height * self.copies <= MOST_SITES // 2:
            return self.grid.width, self.grid.height
        cells = sum(map(len, self.tiles))
        wanted = 2 * (isqrt(cells - 1) + 1) + 4 * self.span + 1
        wanted = min(wanted, isqrt(MOST_SITES // self.copies))
        wanted = min(wanted, self.grid.width)
        wanted -= (self.grid.width - wanted) % 2  # so that the middle is the same
        made = square if self.grid.kind == "square" else hexes
        while self.by_sides and wanted > 2:
            if len(made(wanted, wanted).cells_of_side) * self.copies <= MOST_SIDES:
                break
            wanted -= 2
        return wanted, wanted

    @property
    def _first(self) -> tuple[int, int]:
        """The column and row of the canvas where the window begins."""
        return (self.grid.width - self.width) // 2, (self.grid.height - self.height) // 2

    # -------------------------------------------------------------------------------- numbers
    @cached_property
    def _sites(self) -> Mapping[str, Sequence[int]]:
        """For each role the sites of the canvas that are kept, in order."""
        if self.whole:
            grid = self.grid
            counts = len(grid.neighbors), len(grid.cells_of_side), len(grid.sides_of_corner)
            return dict(zip(("cell", "side", "corner"), map(range, counts), strict=True))
        left, top = self._first
        cells = [
            self.grid.cell(left + column, top + row)
            for row in range(self.height)
            for column in range(self.width)
        ]
        sides = sorted({side for cell in cells for side in self.grid.sides_of[cell]})
        corners = sorted({end for side in sides for end in self.grid.ends_of_side[side]})
        return {"cell": cells, "side": sides, "corner": corners}

    @cached_property
    def _numbers(self) -> Mapping[str, Mapping[int, int]]:
        return {
            role: {site: number for number, site in enumerate(sites)}
            for role, sites in self._sites.items()
        }

    def stride(self, role: str) -> int:
        """How many sites of a role one copy has."""
        return len(self._sites[role])

    def size(self, role: str) -> int:
        """How many all copies have together."""
        return self.copies * self.stride(role)

    def number(self, role: str, site: int) -> int | None:
        """The number of a site of the board, of any copy; none if it is not kept."""
        if self.whole:
            return site
        copy, local = divmod(site, self._whole_stride(role))
        found = self._numbers[role].get(local)
        return None if found is None else found + copy * self.stride(role)

    def site(self, role: str, number: int) -> int:
        """The site of a number."""
        if self.whole:
            return number
        copy, local = divmod(number, self.stride(role))
        return self._sites[role][local] + copy * self._whole_stride(role)

    def _whole_stride(self, role: str) -> int:
        grid = self.grid
        tables = {
            "cell": grid.neighbors,
            "side": grid.cells_of_side,
            "corner": grid.sides_of_corner,
        }
        return len(tables[role])

    def within(self, table: Table, of: str, role: str) -> Table:
        """A table of the canvas, from sites of one role to those of another, for one copy."""
        if self.whole:
            return table
        known = self._numbers[role]
        return [[known[n] for n in table[site] if n in known] for site in self._sites[of]]

    def steps(self) -> Table:
        """For each direction and cell of one copy the next cell, or -1."""
        known = {**self._numbers["cell"], -1: -1}
        return [
            [known.get(row[site], -1) for site in self._sites["cell"]] for row in self.grid.step
        ]

    # -------------------------------------------------------------------------------- layings
    @cached_property
    def turns(self) -> tuple[Shape, ...]:
        """Every way a tile can be turned: its cells in its own order, from the first one.

        Ways from the same first cell stand in the stable order of the lists of their cells.
        """
        found = {
            tuple((c - way[0][0], r - way[0][1]) for c, r in way)
            for tile in set(self.tiles)
            for way in orientations(tile, self.grid.kind, ordered=True)
        }
        return tuple(sorted(found, key=lambda way: [(r, c) for c, r in way]))

    def turns_of(self, tile: Shape) -> tuple[int, ...]:
        """The numbers of the ways to turn a tile."""
        ways = orientations(tile, self.grid.kind, ordered=True)
        from_first = (tuple((c - way[0][0], r - way[0][1]) for c, r in way) for way in ways)
        return tuple(sorted(map(self.turns.index, from_first)))

    def turned(self, way: int, times: int) -> tuple[int, int, int]:
        """The way after so many turns, and how many columns and rows away its first cell is."""
        far = self.span
        grid = (square if self.grid.kind == "square" else hexes)(3 * far, 3 * far)
        before = tuple(grid.cell(far + c, far + r) for c, r in self.turns[way])
        after = [grid.position(cell) for cell in turned(grid, before, times)]
        (column, row), cells = after[0], tuple(after)
        found = self.turns.index(tuple((c - column, r - row) for c, r in cells))
        return found, column - far, row - far

    def covered(self, way: int, columns: int, rows: int) -> frozenset[tuple[int, int]]:
        """The cells that a way covers whose first cell is so many columns and rows away."""
        return frozenset((columns + c, rows + r) for c, r in self.turns[way])

    def turnable(self, way: int, times: int) -> frozenset[int]:
        """The first cells of one copy from which it can be turned so on what is kept."""
        after, columns, rows = self.turned(way, times)
        moved = self.fits(self.turns[after])
        found = set[int]()
        for cell in self.fits(self.turns[way]):
            row, column = divmod(cell, self.width)
            row, column = row + rows, column + columns
            inside = 0 <= row < self.height and 0 <= column < self.width
            if inside and row * self.width + column in moved:
                found.add(cell)
        return frozenset(found)

    def deltas(self, turn: Shape) -> tuple[int, ...]:
        """How far the cells of a shape are from the one that it begins at, as numbers."""
        return tuple(r * self.width + c for c, r in turn)

    def fits(self, turn: Shape, margin: int = 0) -> frozenset[int]:
        """The cells of one copy from which a shape stays so far from the edge of what is kept."""
        columns, rows = zip(*turn, strict=True)
        return frozenset(
            row * self.width + column
            for row in range(margin - min(rows), self.height - margin - max(rows))
            for column in range(margin - min(columns), self.width - margin - max(columns))
        )

    # -------------------------------------------------------------------------------- around
    def around_cells(self, corners: bool) -> Table:
        """For each cell of one copy those beside it, or also at its corners, in order."""
        table = self.grid.surround if corners else self.grid.neighbors
        return [sorted(row) for row in self.within(table, "cell", "cell")]

    def around_layings(self, corners: bool) -> Table:
        """The same for each way to lay a tile on one copy; where it does not fit there are none."""
        return self._around_layings_and_corners if corners else self._around_layings

    @cached_property
    def _around_layings(self) -> Table:
        return self._around(self.around_cells(False))

    @cached_property
    def _around_layings_and_corners(self) -> Table:
        return self._around(self.around_cells(True))

    def _around(self, near: Table) -> Table:
        fits, found = [(self.deltas(turn), self.fits(turn)) for turn in self.turns], []
        for first in range(self.stride("cell")):
            for deltas, firsts in fits:
                cells = {first + delta for delta in deltas} if first in firsts else set()
                found.append(sorted({n for cell in cells for n in near[cell]} - cells))
        return found

    @property
    def roomy(self) -> bool:
        """Is there room for tiles around the first one?"""
        return self.whole or self.width > 2 * (self.margin + self.span)

    @property
    def middle(self) -> int:
        """Where the top left of the first tile lies, in one copy."""
        return (self.height // 2 - 1) * self.width + self.width // 2 - 1

    def layings(self) -> Iterator[int]:
        """All numbers of ways to lie on what is kept."""
        ways, stride = len(self.turns), self.stride("cell")
        for copy in range(self.copies):
            for way, turn in enumerate(self.turns):
                for cell in self.fits(turn):
                    yield (cell + copy * stride) * ways + way

    def cells_of(self, laying: int) -> tuple[int, ...]:
        """The cells of the board that a laying is: the number of its first cell and of its way."""
        first, way = divmod(laying, len(self.turns))
        return tuple(self.site("cell", first + delta) for delta in self.deltas(self.turns[way]))

    def laying(self, cells: Sequence[int]) -> int | None:
        """The laying that lies on these cells of the board; none if there is no such."""
        numbers = [self.number("cell", cell) for cell in cells]
        first = numbers[0] if numbers else None
        if first is None:
            return None
        for way in range(len(self.turns)):
            if numbers == [first + delta for delta in self.deltas(self.turns[way])]:
                return first * len(self.turns) + way
        return None


@lru_cache(maxsize=64)
def _ground(grid: Grid, copies: int, tiles: tuple[Shape, ...], by_sides: bool) -> Ground:
    return Ground(grid, copies, tiles, by_sides)


def ground_of(info: BoardInfo) -> Ground:
    """The ground of a board; of equal boards the same."""
    by_sides = any(role != "cell" for role, *_ in info.board.roles)
    return _ground(info.grid, info.copies, info.tiles, by_sides)
