"""Shapes drawn as pictures, the places they fit on a grid, and straight runs of cells."""

from __future__ import annotations

from functools import lru_cache

from rulelang.geometry.grid import DIRECTIONS, Grid, Offset, components

Shape = tuple[Offset, ...]

# The axes along which a run may lie, each in one sense only: no run is met from both its ends;
# each leads to a higher cell id, so that a run is filed under its smallest cell.
_AXES: dict[str, tuple[Offset, ...]] = {
    "square": ((1, 0), (0, 1), (1, 1), (-1, 1)),
    "hex": ((1, 0), (0, 1), (-1, 1)),
}

# Tables depend on the rules alone and are few; the limit guards against endless shapes.
_TABLES = 1024
_TURNED = 4096  # ways to lie that are asked for again and again


@lru_cache(maxsize=_TABLES)
def parse_shape(text: str, grid_kind: str = "square") -> Shape:
    """The cells of a picture, row by row.

    Raises ValueError, saying why, if it draws no single connected shape.
    """
    rows = text.split("/")
    if len({len(row) for row in rows}) > 1:
        raise ValueError(
            f"shape {text!r}: its rows have unequal numbers of letters; fill them up with '.'"
        )
    letters = sorted(set(text) - {"/", "."})
    if not letters:
        raise ValueError(
            f"shape {text!r} is empty: mark each of its cells with a letter, as in XX/X."
        )
    if not all(letter.isalpha() for letter in letters):
        raise ValueError(
            f"shape {text!r}: only one letter, '.' for a gap and '/' between rows may be used"
        )
    if len(letters) > 1:
        raise ValueError(
            f"shape {text!r}: its letters are unequal ({', '.join(letters)}); "
            "use one for all its cells"
        )
    cells = [(c, r) for r, row in enumerate(rows) for c, letter in enumerate(row) if letter != "."]
    number = {cell: index for index, cell in enumerate(cells)}
    ways = [offset for _, offset in DIRECTIONS[grid_kind]]

    def beside(index: int) -> list[int]:
        column, row = cells[index]
        return [
            number[c, r]
            for c, r in ((column + dc, row + dr) for dc, dr in ways)
            if (c, r) in number
        ]

    parts = len(components(frozenset(range(len(cells))), beside))
    if parts > 1:
        raise ValueError(
            f"shape {text!r} is disconnected: it falls into {parts} parts that share no side"
        )
    return _normal(cells)


def _normal(cells: list[Offset] | Shape) -> Shape:
    left, top = min(column for column, _ in cells), min(row for _, row in cells)
    return tuple((column - left, row - top) for column, row in cells)


def _clockwise(cells: Shape, grid_kind: str) -> Shape:
    # by one direction: east turns to south on squares, to southeast on hexes
    return tuple((-r, c) if grid_kind == "square" else (-r, c + r) for c, r in cells)


@lru_cache(maxsize=_TABLES)
def orientations(shape: Shape, grid_kind: str, ordered: bool = False) -> tuple[Shape, ...]:
    """The distinct rotations; the i-th offset is always the picture's i-th cell.

    `ordered` tells the cells apart.
    """
    found: dict[tuple[Offset, ...], Shape] = {}
    way = shape
    for _ in DIRECTIONS[grid_kind]:
        normal = _normal(way)
        found.setdefault(normal if ordered else tuple(sorted(normal)), normal)
        way = _clockwise(way, grid_kind)
    return tuple(found.values())


@lru_cache(maxsize=_TABLES)
def _placements(grid: Grid, shape: Shape, ordered: bool) -> tuple[tuple[int, ...], ...]:
    found: list[tuple[int, ...]] = []
    for turned in orientations(shape, grid.kind, ordered):
        columns, rows = 1 + max(c for c, _ in turned), 1 + max(r for _, r in turned)
        ids = [r * grid.width + c for c, r in turned]
        for row in range(grid.height - rows + 1):
            for column in range(grid.width - columns + 1):
                start = row * grid.width + column
                found.append(tuple(start + offset for offset in ids))
    return tuple(sorted(found))


@lru_cache(maxsize=_TABLES)
def _footprints_by_least(grid: Grid, shape: Shape) -> tuple[tuple[frozenset[int], ...], ...]:
    filed: list[list[frozenset[int]]] = [[] for _ in grid.neighbors]
    for cells in sorted(tuple(sorted(cells)) for cells in _placements(grid, shape, ordered=False)):
        filed[cells[0]].append(frozenset(cells))
    return tuple(tuple(row) for row in filed)


@lru_cache(maxsize=_TABLES)
def _placements_over(grid: Grid, shape: Shape) -> tuple[tuple[tuple[int, ...], ...], ...]:
    filed: list[list[tuple[int, ...]]] = [[] for _ in grid.neighbors]
    for cells in _placements(grid, shape, ordered=True):
        for cell in cells:
            filed[cell].append(cells)
    return tuple(tuple(row) for row in filed)


def footprints(grid: Grid, shape: Shape, within: frozenset[int]) -> tuple[frozenset[int], ...]:
    """Every set of cells in `within` that the shape can cover, once each, by sorted cells."""
    table = _footprints_by_least(grid, shape)
    return tuple(cells for least in sorted(within) for cells in table[least] if cells <= within)


def tile_spots(
    grid: Grid, shape: Shape, present: frozenset[int], corners: bool = False
) -> tuple[tuple[int, ...], ...]:
    """Every placement on absent cells beside a present one, its cells in the picture's order.

    Beside is by a side or, if corners count, by a corner.
    """
    table = _placements_over(grid, shape)
    around = grid.surround if corners else grid.neighbors
    edge = {other for cell in present for other in around[cell]} - present
    return tuple(
        sorted({cells for cell in edge for cells in table[cell] if present.isdisjoint(cells)})
    )


@lru_cache(maxsize=_TURNED)
def turned(grid: Grid, cells: tuple[int, ...], times: int) -> tuple[int, ...]:
    """The same shape turned clockwise so many times, its least column and row kept.

    Empty where it would leave the canvas.
    """
    offsets = tuple(grid.position(cell) for cell in cells)
    if not offsets:
        return ()
    left, top = min(c for c, _ in offsets), min(r for _, r in offsets)
    for _ in range(times % len(grid.directions)):
        offsets = _clockwise(offsets, grid.kind)
    found = tuple(grid.cell(c + left, r + top) for c, r in _normal(offsets))
    return () if -1 in found else found


@lru_cache(maxsize=_TABLES)
def _runs_by_least(grid: Grid, n: int) -> tuple[tuple[frozenset[int], ...], ...]:
    if n < 1:
        raise ValueError(f"a line has at least one cell, not {n}")
    axes = (
        _AXES[grid.kind] if n > 1 else ((1, 0),)
    )  # a single cell lies on every axis and is one run all the same
    filed: list[tuple[frozenset[int], ...]] = []
    for cell in range(len(grid.neighbors)):
        column, row = grid.position(cell)
        runs = ([grid.cell(column + i * dc, row + i * dr) for i in range(n)] for dc, dr in axes)
        filed.append(tuple(frozenset(run) for run in runs if run[-1] >= 0))
    return tuple(filed)


def lines(grid: Grid, n: int, within: frozenset[int]) -> tuple[frozenset[int], ...]:
    """Every straight run of `n` cells in `within`, diagonals of squares too, in a fixed order."""
    table = _runs_by_least(grid, n)
    return tuple(run for least in sorted(within) for run in table[least] if run <= within)


def straight(cells: frozenset[int], grid: Grid) -> bool:
    """Whether the cells are together one line without a gap, diagonals of squares included."""
    return bool(cells) and cells in _runs_by_least(grid, len(cells))[min(cells)]
