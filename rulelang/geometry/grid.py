"""Cells, sides and corners of a bounded canvas, and the questions of adjacency asked of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, TypeAlias, TypeVar

if TYPE_CHECKING:
    # With and without its stubs installed.
    import networkx as nx  # type: ignore[import-untyped, unused-ignore]

Graph: TypeAlias = "nx.Graph[int, dict[str, object], dict[str, object]]"  # its nodes are cells
T = TypeVar("T")
Neighbors: TypeAlias = Callable[[T], Iterable[T]]
Offset = tuple[int, int]

MAX_GROWN = 315
"""How many cells a board that grows is wide and high at most, its first tile in the middle."""

# Directions run clockwise with rows growing downwards: opposite ones are half a list apart.
# Hexes are pointy-top in axial coordinates: the column is q, the row is r.
DIRECTIONS: dict[str, tuple[tuple[str, Offset], ...]] = {
    "square": (("north", (0, -1)), ("east", (1, 0)), ("south", (0, 1)), ("west", (-1, 0))),
    "hex": (
        ("northeast", (1, -1)),
        ("east", (1, 0)),
        ("southeast", (0, 1)),
        ("southwest", (-1, 1)),
        ("west", (-1, 0)),
        ("northwest", (0, -1)),
    ),
}

# Corners as points around the cell's centre, clockwise: side d runs from point d to the next one.
_POINTS: dict[str, tuple[Offset, ...]] = {
    "square": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    "hex": ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)),
}


@dataclass(frozen=True, eq=False)
class Grid:
    """A bounded canvas whose cells are numbered row by row and whose tables never change."""

    kind: str
    width: int
    height: int
    directions: tuple[str, ...]
    step: tuple[tuple[int, ...], ...]
    neighbors: tuple[tuple[int, ...], ...]
    surround: tuple[tuple[int, ...], ...]
    sides_of: tuple[tuple[int, ...], ...]
    cells_of_side: tuple[tuple[int, ...], ...]
    ends_of_side: tuple[tuple[int, int], ...]
    sides_of_corner: tuple[tuple[int, ...], ...]

    def position(self, cell: int) -> tuple[int, int]:
        """The zero-based column and row of a cell, so that `cell(*position(c)) == c`."""
        row, column = divmod(cell, self.width)
        return column, row

    def cell(self, column: int, row: int) -> int:
        """The cell at a column and row, or -1 off the canvas."""
        if 0 <= column < self.width and 0 <= row < self.height:
            return row * self.width + column
        return -1

    def ground(self, column: int, row: int) -> int:
        """The cell in a column and row of a picture, on a canvas on which a board grows: there the
        top left of a picture stands near the middle. -1 off the canvas.
        """
        return self.cell(column + self.width // 2 - 2, row + self.height // 2 - 2)

    def opposite(self, d: int) -> int:
        """The direction that undoes `d`, and is undone by it."""
        count = len(self.directions)
        return (d + count // 2) % count


@cache
def square(width: int, height: int) -> Grid:
    """The one grid of squares of this size: the same arguments give the same object."""
    return _build("square", width, height)


@cache
def hexes(width: int, height: int) -> Grid:
    """The one rhombus of pointy-top hexes of this size: the same arguments give the same object."""
    return _build("hex", width, height)


def _build(kind: str, width: int, height: int) -> Grid:
    if width < 1 or height < 1:
        raise ValueError(f"a grid needs at least one column and one row, not {width} by {height}")
    spots = [(column, row) for row in range(height) for column in range(width)]
    step = _steps(kind, width, height)
    outlines, corners = _corners(kind, spots)
    sides_of, ends_of_side = _sides(outlines)
    cells_of_side = _inverse(sides_of, len(ends_of_side))
    cells_of_corner = _inverse(outlines, corners)
    return Grid(
        kind=kind,
        width=width,
        height=height,
        directions=tuple(name for name, _ in DIRECTIONS[kind]),
        step=step,
        neighbors=tuple(
            tuple(sorted(row[cell] for row in step if row[cell] >= 0)) for cell in range(len(spots))
        ),
        surround=tuple(
            tuple(
                sorted({other for corner in around for other in cells_of_corner[corner]} - {cell})
            )
            for cell, around in enumerate(outlines)
        ),
        sides_of=sides_of,
        cells_of_side=cells_of_side,
        ends_of_side=ends_of_side,
        sides_of_corner=_inverse(ends_of_side, corners),
    )


def _steps(kind: str, width: int, height: int) -> tuple[tuple[int, ...], ...]:
    """For each direction the cell one step away from every cell, or -1 off the canvas."""

    def at(column: int, row: int) -> int:
        return row * width + column if 0 <= column < width and 0 <= row < height else -1

    return tuple(
        tuple(at(column + dc, row + dr) for row in range(height) for column in range(width))
        for _, (dc, dr) in DIRECTIONS[kind]
    )


def _corners(kind: str, spots: list[Offset]) -> tuple[tuple[tuple[int, ...], ...], int]:
    """The corners around every cell, clockwise, and how many there are in all."""
    outlines = [_outline(kind, column, row) for column, row in spots]
    # Sorted by height first, the corners of a square grid come out row by row like its cells.
    points = sorted({point for around in outlines for point in around}, key=lambda p: (p[1], p[0]))
    corner = {point: index for index, point in enumerate(points)}
    return tuple(tuple(corner[point] for point in around) for around in outlines), len(points)


def _sides(
    outlines: tuple[tuple[int, ...], ...],
) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, int], ...]]:
    """The sides of every cell, and the two ends of every side.

    A side is known by its two ends, so that both its cells find the same one.
    """
    numbers: dict[tuple[int, int], int] = {}
    sides_of = tuple(
        tuple(
            numbers.setdefault((min(first, second), max(first, second)), len(numbers))
            for first, second in zip(around, around[1:] + around[:1], strict=True)
        )
        for around in outlines
    )
    return sides_of, tuple(numbers)


def _inverse(table: Sequence[Sequence[int]], size: int) -> tuple[tuple[int, ...], ...]:
    """For each of `size` values the rows of the table that hold it, in order."""
    rows: list[list[int]] = [[] for _ in range(size)]
    for row, values in enumerate(table):
        for value in values:
            rows[value].append(row)
    return tuple(tuple(found) for found in rows)


def _outline(kind: str, column: int, row: int) -> tuple[Offset, ...]:
    # Coordinates are scaled until every centre and corner is whole, so a corner has one name.
    x, y = (2 * column, 2 * row) if kind == "square" else (2 * column + row, 3 * row)
    return tuple((x + dx, y + dy) for dx, dy in _POINTS[kind])


def bounds(grid: Grid, present: frozenset[int]) -> tuple[int, int, int, int]:
    """The least and greatest columns and rows in use, as (min_col, min_row, max_col, max_row)."""
    if not present:
        raise ValueError("no cell is present, so nothing has bounds")
    width = grid.width
    columns = [cell % width for cell in present]
    # Cells are numbered row by row, so the extreme ids lie in the extreme rows.
    return min(columns), min(present) // width, max(columns), max(present) // width


def enclosed(grid: Grid, present: frozenset[int]) -> frozenset[int]:
    """The absent cells from which no walk over sides of absent cells leaves the canvas."""
    if not present:
        return frozenset()
    # Whatever lies beyond the bounds can walk straight out: only the box within is searched.
    left, top, right, bottom = bounds(grid, present)
    width = grid.width
    box = {
        row * width + column for row in range(top, bottom + 1) for column in range(left, right + 1)
    }
    holes = box - present
    rim = [
        cell for cell in holes if cell % width in (left, right) or cell // width in (top, bottom)
    ]
    outside = _spread(rim, lambda cell: grid.neighbors[cell], holes)
    return frozenset(holes - outside)


def outside(grid: Grid, present: frozenset[int]) -> frozenset[int]:
    """The absent cells from which a walk over sides of absent cells leaves the canvas."""
    return frozenset(range(grid.width * grid.height)) - present - enclosed(grid, present)


def outer_sides(grid: Grid, present: frozenset[int]) -> frozenset[int]:
    """The sides between a present cell and the outside, never those facing an enclosed hole."""
    inner = present | enclosed(grid, present)
    found: set[int] = set()
    for cell in present:
        for side, row in zip(grid.sides_of[cell], grid.step, strict=True):
            if row[cell] not in inner:  # off the canvas is -1, which is in no set of cells
                found.add(side)
    return frozenset(found)


def components(items: frozenset[T], neighbors: Neighbors[T]) -> tuple[frozenset[T], ...]:
    """The connected parts of `items`, each item in exactly one, ordered by smallest member.

    None, if it is an item, comes first.
    """
    left = set(items)
    found: list[frozenset[T]] = []
    for item in sorted(items, key=lambda x: (x is not None, x)):
        if item in left:
            part = _spread((item,), neighbors, left)
            left -= part
            found.append(frozenset(part))
    return tuple(found)


def reach(seeds: Iterable[T], neighbors: Neighbors[T], within: frozenset[T] | None) -> frozenset[T]:
    """The seeds and all that is connected to them without leaving `within`.

    A seed outside `within` counts for none.
    """
    return frozenset(_spread(seeds, neighbors, within))


def reach_in(
    steps: int, seeds: Iterable[T], neighbors: Neighbors[T], within: frozenset[T] | None
) -> frozenset[T]:
    """What of `reach` is at most so many steps away from the nearest seed."""
    edge = {seed for seed in seeds if within is None or seed in within}
    seen = set(edge)
    for _ in range(steps):
        edge = {
            other
            for one in edge
            for other in neighbors(one)
            if other not in seen and (within is None or other in within)
        }
        if not edge:
            break
        seen |= edge
    return frozenset(seen)


def _spread(seeds: Iterable[T], neighbors: Neighbors[T], within: AbstractSet[T] | None) -> set[T]:
    seen = {seed for seed in seeds if within is None or seed in within}
    stack = list(seen)
    while stack:
        for other in neighbors(stack.pop()):
            if other not in seen and (within is None or other in within):
                seen.add(other)
                stack.append(other)
    return seen


def distance(grid: Grid, a: int, b: int, within: frozenset[int] | None) -> int:
    """The fewest steps over sides from `a` to `b`, or -1 when there is no way.

    Both ends and every step lie in `within`.
    """
    if within is None:
        (a_column, a_row), (b_column, b_row) = grid.position(a), grid.position(b)
        columns, rows = b_column - a_column, b_row - a_row
        # One axial step can gain a column while losing a row: on hexes unlike signs share steps.
        if grid.kind == "hex" and (columns < 0) != (rows < 0):
            return max(abs(columns), abs(rows))
        return abs(columns) + abs(rows)
    if a not in within or b not in within:
        return -1
    seen, edge, steps = {a}, [a], 0
    while edge:
        if b in seen:
            return steps
        ahead: list[int] = []
        for cell in edge:
            for other in grid.neighbors[cell]:
                if other in within and other not in seen:
                    seen.add(other)
                    ahead.append(other)
        edge, steps = ahead, steps + 1
    return -1


@lru_cache(maxsize=8192)
def distances(
    grid: Grid, seeds: frozenset[int], joined: frozenset[frozenset[int]]
) -> tuple[int, ...]:
    """The fewest steps over sides from the nearest seed to every cell, or -1 where there is no way.

    The cells of each joined set count as one.
    """
    one_with: dict[int, set[int]] = {}
    for cells in joined:
        for cell in cells:
            one_with.setdefault(cell, set()).update(cells)
    found = [-1] * (grid.width * grid.height)
    edge, steps = set(seeds), 0
    while edge:
        here = edge
        if joined:
            together = reach(edge, lambda cell: one_with.get(cell, ()), None)
            here = {cell for cell in together if found[cell] < 0}
        for cell in here:
            found[cell] = steps
        edge = {other for cell in here for other in grid.neighbors[cell] if found[other] < 0}
        steps += 1
    return tuple(found)


def ray(grid: Grid, cell: int, d: int, within: frozenset[int]) -> tuple[int, ...]:
    """The cells met going straight in direction `d` from beyond `cell`, as far as `within` goes."""
    row = grid.step[d]
    found: list[int] = []
    cell = row[cell]
    while cell in within:
        found.append(cell)
        cell = row[cell]
    return tuple(found)


def to_networkx(grid: Grid, present: frozenset[int]) -> Graph:
    """The present cells as a graph, each with its position, an edge for each side two share."""
    import networkx as nx  # only here, as it is slow to load

    graph: Graph = nx.Graph()
    for cell in sorted(present):
        graph.add_node(cell, position=grid.position(cell))
    for cell in sorted(present):
        for side, row in zip(grid.sides_of[cell], grid.step, strict=True):
            if row[cell] > cell and row[cell] in present:
                graph.add_edge(cell, row[cell], side=side)
    return graph
