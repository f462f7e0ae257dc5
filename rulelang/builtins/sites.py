"""Built-in words about cells, sides and corners: adjacency, distance, boundaries, lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from rulelang import core
from rulelang.builtins.boards import all_sites, board_at
from rulelang.builtins.record import STEP, TILES, WIDE, Builtin, Function, OneOrMore, TypeRule, each
from rulelang.builtins.type_rules import cell_in, cell_of, in_role, same_cells, single_cell
from rulelang.builtins.world import Declarations, Game, NumberedBoard, Position
from rulelang.core.types import (
    DIRECTION,
    NUMBER,
    TRUTH,
    UNKNOWN,
    BoardT,
    ListT,
    OptionalT,
    SetT,
    SiteT,
    Type,
    element,
    fits,
    site_type,
)
from rulelang.core.values import FAR, Value
from rulelang.geometry.grid import distance, distances, outer_sides, ray
from rulelang.geometry.shapes import lines

Cells: TypeAlias = frozenset[int]
# For cells, and sets of cells that count as one: how far every cell is, by copy of the board.
Walks: TypeAlias = Callable[[OneOrMore, frozenset[Cells]], dict[int, tuple[int, ...]]]


# ------------------------------------------------------------------------------------------- types
def _around(rules: Declarations, args: tuple[Type, ...]) -> Type | None:
    cell = cell_in(args[0])
    return SetT(cell) if cell else None


def _sides_of(rules: Declarations, args: tuple[Type, ...]) -> Type | None:
    cell = cell_in(args[0])
    if cell:
        return SetT(in_role(rules, cell, "side"))
    if isinstance(args[0], SiteT) and args[0].role == "corner":
        return SetT(in_role(rules, args[0], "side"))
    return None


def _from_side(role: str) -> TypeRule:
    def rule(rules: Declarations, args: tuple[Type, ...]) -> Type | None:
        side = args[0]
        is_side = isinstance(side, SiteT) and side.role == "side"
        return SetT(in_role(rules, side, role)) if isinstance(side, SiteT) and is_side else None

    return rule


def _truth_of_side(rules: Declarations, args: tuple[Type, ...]) -> Type | None:
    return TRUTH if isinstance(args[0], SiteT) and args[0].role == "side" else None


def _across(rules: Declarations, args: tuple[Type, ...]) -> Type | None:
    cell = cell_in(args[0])
    same = cell is not None and cell == cell_in(args[1])
    return NUMBER if cell and same and fits(args[2], SetT(SetT(cell))) else None


def _within(rules: Declarations, args: tuple[Type, ...]) -> Type | None:
    cell = cell_in(args[0])
    return SetT(cell) if cell and args[1] == NUMBER and fits(args[2], SetT(SetT(cell))) else None


def _next_cell(rules: Declarations, args: tuple[Type, ...]) -> Type | None:
    cell = single_cell(args[0])
    return OptionalT(cell) if cell and args[1] == DIRECTION else None


def _cells_ahead(rules: Declarations, args: tuple[Type, ...]) -> Type | None:
    cell = single_cell(args[0])
    return ListT(cell) if cell and args[1] == DIRECTION and fits(args[2], SetT(cell)) else None


def _side_ahead(rules: Declarations, args: tuple[Type, ...]) -> Type | None:
    cell = single_cell(args[0])
    return in_role(rules, cell, "side") if cell and args[1] == DIRECTION else None


def _coordinate(rules: Declarations, args: tuple[Type, ...]) -> Type | None:
    return NUMBER if single_cell(args[0]) else None


def _runs(rules: Declarations, args: tuple[Type, ...]) -> Type | None:
    board, length = args
    return (
        SetT(SetT(cell_of(rules, board)))
        if isinstance(board, BoardT) and length == NUMBER
        else None
    )


# --------------------------------------------------------------------------------------- adjacency
def _neighbors(node: core.Builtin, game: Game) -> Function:
    board = board_at(node, game)
    return _cells_by(node, board, board.grid.neighbors)


def _surroundings(node: core.Builtin, game: Game) -> Function:
    board = board_at(node, game)
    return _cells_by(node, board, board.grid.surround)


def _cells_by(node: core.Builtin, board: NumberedBoard, table: Sequence[Sequence[int]]) -> Function:
    """The present cells that a table gives for a cell, or for a set of cells less the set."""
    name, size, grown = board.board.name, board.cells, board.board.grown_from is not None

    def of_cell(s: Position, cell: int) -> set[int]:
        copy, local = divmod(cell, size)
        found: Iterable[int] = table[local]
        if grown:
            present = s.present(name, copy)
            found = [c for c in found if c in present]
        return {c + copy * size for c in found}

    if element(node.args[0].type) is None:
        return lambda s, cell: frozenset(of_cell(s, cell))

    def of_cells(s: Position, cells: OneOrMore) -> Cells:
        made: set[int] = set()
        members = each(cells)
        for cell in members:
            made |= of_cell(s, cell)
        return frozenset(made.difference(members))

    return of_cells


def _adjacent(node: core.Builtin, game: Game) -> Function:
    board = board_at(node, game)
    neighbors, size = board.grid.neighbors, board.cells

    def adjacent(s: Position, a: int | None, b: int | None) -> bool:
        if a is None or b is None:
            return False
        copy, local = divmod(a, size)
        return b - copy * size in neighbors[local]

    return _of_some_pair(node, adjacent)


def _touches_corner(node: core.Builtin, game: Game) -> Function:
    board = board_at(node, game)
    neighbors, surround, size = board.grid.neighbors, board.grid.surround, board.cells

    def touches(s: Position, a: int | None, b: int | None) -> bool:
        if a is None or b is None:
            return False
        copy, local = divmod(a, size)
        other = b - copy * size
        return other in surround[local] and other not in neighbors[local]

    return _of_some_pair(node, touches)


def _of_some_pair(
    node: core.Builtin, test: Callable[[Position, int | None, int | None], bool]
) -> Function:
    """A relation of cells; of sets of cells, it holds of some pair of them."""
    a_many, b_many = (element(arg.type) is not None for arg in node.args)
    if a_many and b_many:
        return lambda s, a, b: any(test(s, x, y) for x in a for y in b)
    if a_many:
        return lambda s, a, b: any(test(s, x, b) for x in a)
    if b_many:
        return lambda s, a, b: any(test(s, a, y) for y in b)
    return test


# ---------------------------------------------------------------------------------------- distance
def _distance(node: core.Builtin, game: Game) -> Function:
    board = board_at(node, game)
    grid, size = board.grid, board.cells

    def steps(s: Position, a: int | None, b: int | None) -> int:
        if a is None or b is None or a // size != b // size:
            return FAR
        return distance(grid, a % size, b % size, None)

    if all(element(arg.type) is None for arg in node.args):
        return steps
    return lambda s, a, b: min((steps(s, x, y) for x in each(a) for y in each(b)), default=FAR)


def _distance_across(node: core.Builtin, game: Game) -> Function:
    size, walks_from = board_at(node, game).cells, _walks_from(node, game)

    def steps(s: Position, a: OneOrMore, b: OneOrMore, joined: frozenset[Cells]) -> int:
        walks = walks_from(a, joined)
        found = (walks[x // size][x % size] for x in each(b) if x // size in walks)
        return min(found, default=FAR)

    return steps


def _cells_within(node: core.Builtin, game: Game) -> Function:
    board, walks_from = board_at(node, game), _walks_from(node, game)
    size = board.cells

    def near(s: Position, a: OneOrMore, n: int, joined: frozenset[Cells]) -> Cells:
        walks = walks_from(a, joined)
        return frozenset(
            x
            for x in all_sites(s, board, "cell")
            if x // size in walks and walks[x // size][x % size] <= n
        )

    return near


def _walks_from(node: core.Builtin, game: Game) -> Walks:
    """How far every cell is from the nearest of some: cells of a joined set count as one."""
    board = board_at(node, game)
    grid, size = board.grid, board.cells

    def walks(a: OneOrMore, joined: frozenset[Cells]) -> dict[int, tuple[int, ...]]:
        found: dict[int, tuple[int, ...]] = {}
        ones = each(a)
        for copy in {x // size for x in ones}:
            first = copy * size
            here = (
                frozenset(
                    frozenset(x - first for x in cells)
                    for cells in joined
                    if cells and min(cells) // size == copy
                )
                if first
                else joined
            )
            seeds = frozenset(x - first for x in ones if x // size == copy)
            found[copy] = distances(grid, seeds, here)
        return found

    return walks


# ------------------------------------------------------------------------------- sides and corners
def _sides(node: core.Builtin, game: Game) -> Function:
    of_one = _sides_of_one(node, game)
    return of_one if element(node.args[0].type) is None else _of_each(of_one)


def _sides_of_one(node: core.Builtin, game: Game) -> Callable[[Position, int], frozenset[int]]:
    """The sides of a cell or corner."""
    board, site = board_at(node, game), site_type(node.args[0].type)
    if site is not None and site.role == "corner":
        return _by_table(board.grid.sides_of_corner, board.corners, board.sides)
    return _by_table(board.grid.sides_of, board.cells, board.sides)


def _of_each(
    of_one: Callable[[Position, int], frozenset[int]],
) -> Callable[[Position, OneOrMore], frozenset[int]]:
    """What a function gives for one or more sites, together."""

    def of_sites(s: Position, sites: OneOrMore) -> frozenset[int]:
        made: set[int] = set()
        for site in each(sites):
            made |= of_one(s, site)
        return frozenset(made)

    return of_sites


def _by_table(
    table: Sequence[Sequence[int]], stride: int, stride_of_found: int
) -> Callable[[Position, int], frozenset[int]]:
    """What a table over the sites of one copy of a board gives for a site of any copy."""

    def of_site(s: Position, site: int) -> frozenset[int]:
        copy, local = divmod(site, stride)
        return frozenset(x + copy * stride_of_found for x in table[local])

    return of_site


def _inner_sides(node: core.Builtin, game: Game) -> Callable[[Position, OneOrMore], frozenset[int]]:
    board = board_at(node, game)
    grid = board.grid

    def inner(s: Position, cells: OneOrMore) -> frozenset[int]:
        members = set(each(cells))
        made: set[int] = set()
        for cell in members:
            copy, local = divmod(cell, board.cells)
            first = copy * board.cells
            for side in grid.sides_of[local]:
                both = grid.cells_of_side[side]
                if len(both) == 2 and all(c + first in members for c in both):
                    made.add(side + copy * board.sides)
        return frozenset(made)

    return inner


def _outer_sides(node: core.Builtin, game: Game) -> Function:
    sides, inner = _of_each(_sides_of_one(node, game)), _inner_sides(node, game)

    def outer(s: Position, cells: OneOrMore) -> frozenset[int]:
        return sides(s, cells) - inner(s, cells)

    return outer


def _ends(node: core.Builtin, game: Game) -> Function:
    board = board_at(node, game)
    return _by_table(board.grid.ends_of_side, board.sides, board.corners)


def _cells(node: core.Builtin, game: Game) -> Function:
    board = board_at(node, game)

    def cells(s: Position, side: int) -> Cells:
        copy, local = divmod(side, board.sides)
        present = s.present(board.board.name, copy)
        both = board.grid.cells_of_side[local]
        return frozenset(c + copy * board.cells for c in both if c in present)

    return cells


def _outer(node: core.Builtin, game: Game) -> Function:
    board = board_at(node, game)
    name = board.board.name

    def outer(s: Position, side: int) -> bool:
        copy, local = divmod(side, board.sides)
        key = ("outer", name, copy)
        found = s.geometry.get(key)
        if not isinstance(found, frozenset):
            found = s.geometry[key] = outer_sides(board.grid, s.present(name, copy))
        return local in found

    return outer


# ---------------------------------------------------------------------------------- straight lines
def _step(node: core.Builtin, game: Game) -> Function:
    board = board_at(node, game)
    ahead, size, name = board.grid.step, board.cells, board.board.name

    def step(s: Position, cell: int, direction: int) -> int | None:
        copy, local = divmod(cell, size)
        found = ahead[direction][local]
        return found + copy * size if found in s.present(name, copy) else None

    return step


def _run(node: core.Builtin, game: Game) -> Function:
    board = board_at(node, game)
    grid, size = board.grid, board.cells

    def run(s: Position, cell: int, direction: int, within: Cells) -> tuple[int, ...]:
        copy, local = divmod(cell, size)
        first = copy * size
        here = frozenset(x - first for x in within if x // size == copy)
        return tuple(c + first for c in ray(grid, local, direction, here))

    return run


def _side_to(node: core.Builtin, game: Game) -> Function:
    board = board_at(node, game)

    def side(s: Position, cell: int, direction: int) -> int:
        copy, local = divmod(cell, board.cells)
        return board.grid.sides_of[local][direction] + copy * board.sides

    return side


def _column(node: core.Builtin, game: Game) -> Function:
    board = board_at(node, game)
    cells, width = board.cells, board.grid.width
    return lambda s, cell: cell % cells % width + 1


def _row(node: core.Builtin, game: Game) -> Function:
    board = board_at(node, game)
    cells, width = board.cells, board.grid.width
    return lambda s, cell: cell % cells // width + 1


def _lines_of(node: core.Builtin, game: Game) -> Function:
    board = board_at(node, game)
    name = board.board.name

    def runs(s: Position, copy: int, n: int) -> Value:
        key = ("lines", name, copy, n)
        found = s.geometry.get(key)
        if isinstance(found, frozenset):
            return found
        first = copy * board.cells
        local = lines(board.grid, n, s.present(name, copy)) if n > 0 else ()
        made = s.geometry[key] = frozenset(frozenset(c + first for c in run) for run in local)
        return made

    return runs


RECORDS = (
    Builtin(
        name="neighbors",
        arity=1,
        result=_around,
        implement=_neighbors,
        reads=TILES,
        cost=STEP,
        written="x's neighbors",
        meaning=(
            "the cells that share a side with a cell, or with a set of cells and are not in it"
        ),
        wording="{0}'s neighbors",
        inverse="neighbors",
        never_none=True,
    ),
    Builtin(
        name="surroundings",
        arity=1,
        result=_around,
        implement=_surroundings,
        reads=TILES,
        cost=STEP,
        written="x's surroundings",
        meaning="the cells that share a side or a corner with a cell or set of cells",
        wording="{0}'s surroundings",
        told="the places all around {0}, corners included",
        inverse="surroundings",
        never_none=True,
    ),
    Builtin(
        name="sides",
        arity=1,
        result=_sides_of,
        implement=_sides,
        reads=TILES,
        cost=STEP,
        written="x's sides",
        meaning="the sides of a cell, of a set of cells, or that meet at a corner",
        wording="{0}'s sides",
        told="the sides of {0}",
    ),
    Builtin(
        name="inner_sides",
        arity=1,
        result=_sides_of,
        implement=_inner_sides,
        reads=TILES,
        cost=STEP,
        written="x's inner_sides",
        meaning="the sides that two cells of a set share",
        wording="{0}'s inner sides",
        told="the sides between places of {0}",
    ),
    Builtin(
        name="outer_sides",
        arity=1,
        result=_sides_of,
        implement=_outer_sides,
        reads=TILES,
        cost=STEP,
        written="x's outer_sides",
        meaning="the sides of a set of cells that face a cell outside the set, or nothing",
        wording="{0}'s outer sides",
        told="the sides around {0}",
    ),
    Builtin(
        name="ends",
        arity=1,
        result=_from_side("corner"),
        implement=_ends,
        reads=TILES,
        cost=STEP,
        written="x's ends",
        meaning="the two corners a side runs between",
        wording="{0}'s ends",
        told="the two ends of {0}",
    ),
    Builtin(
        name="cells",
        arity=1,
        result=_from_side("cell"),
        implement=_cells,
        reads=TILES,
        cost=STEP,
        written="x's cells",
        meaning="the cells on both hands of a side",
        wording="{0}'s cells",
        told="the places on both hands of {0}",
    ),
    Builtin(
        name="outer",
        arity=1,
        result=_truth_of_side,
        implement=_outer,
        reads=TILES,
        cost=STEP,
        written="x is outer",
        meaning=(
            "a side is outer when the outside of the board lies beyond it; "
            "a hole inside is not outside"
        ),
        wording="{0} is outer",
        told="{0} lies on the outer edge",
        negated="{0} is not outer",
    ),
    Builtin(
        name="adjacent",
        arity=2,
        result=same_cells(TRUTH),
        implement=_adjacent,
        reads=TILES,
        cost=STEP,
        written="x adjacent y",
        meaning="two cells share a side",
        wording="{0} and {1} share a side",
        told="{0} and {1} share a side",
        relation=True,
        partners="neighbors",
    ),
    Builtin(
        name="touches_corner",
        arity=2,
        result=same_cells(TRUTH),
        implement=_touches_corner,
        reads=TILES,
        cost=STEP,
        written="x touches_corner y",
        meaning="two cells share a corner but no side",
        wording="touches corner of {0} and {1}",
        told="{0} and {1} meet at a corner only",
        relation=True,
        partners="surroundings",
    ),
    Builtin(
        name="distance",
        arity=2,
        result=same_cells(NUMBER),
        implement=_distance,
        reads=TILES,
        cost=STEP,
        written="distance(x, y)",
        meaning="steps from side to side between two cells over the whole board",
        wording="distance of {0} and {1}",
        told="the number of steps between {0} and {1}",
        of_none=lambda t: FAR,
    ),
    Builtin(
        name="distance_across",
        arity=3,
        result=_across,
        implement=_distance_across,
        reads=TILES,
        cost=STEP,
        written="distance_across(x, y, z)",
        meaning=(
            "steps between two cells or sets of cells, where the cells of each set of a set of "
            "sets count as one cell"
        ),
        wording="distance across of {0} and {1} and {2}",
        told="the number of steps between {0} and {1}, each of {2} counted as one place",
        of_none=lambda t: FAR,
    ),
    Builtin(
        name="cells_within",
        arity=3,
        result=_within,
        implement=_cells_within,
        reads=TILES,
        cost=STEP,
        written="cells_within(x, y, z)",
        meaning=(
            "the cells so few steps or fewer from a cell or set of cells, "
            "counted as by distance_across"
        ),
        wording="cells within of {0} and {1} and {2}",
        told="the places within {1} steps of {0}",
    ),
    Builtin(
        name="lines_of",
        arity=2,
        result=_runs,
        implement=_lines_of,
        reads=TILES,
        cost=WIDE,
        written="lines_of(x, y)",
        meaning="every straight run of so many cells of a board",
        wording="lines of of {0} and {1}",
        told="the straight lines of {1} places on {0}",
    ),
    Builtin(
        name="step",
        arity=2,
        result=_next_cell,
        implement=_step,
        reads=TILES,
        cost=STEP,
        written="step(x, y)",
        meaning="the next cell in a direction, or none",
        wording="step of {0} and {1}",
        told="the next place from {0} to the {1}",
        wanted=(UNKNOWN, DIRECTION),
    ),
    Builtin(
        name="run",
        arity=3,
        result=_cells_ahead,
        implement=_run,
        reads=TILES,
        cost=STEP,
        written="run(x, y, z)",
        meaning=("the cells from a cell straight on in a direction, as long as they are in a set"),
        wording="run of {0} and {1} and {2}",
        told="the places straight on from {0} to the {1}, as far as they are among {2}",
        wanted=(UNKNOWN, DIRECTION),
    ),
    Builtin(
        name="side_to",
        arity=2,
        result=_side_ahead,
        implement=_side_to,
        reads=TILES,
        cost=STEP,
        written="side_to(x, y)",
        meaning="the side of a cell in a direction",
        wording="side to of {0} and {1}",
        told="the {1} side of {0}",
        wanted=(UNKNOWN, DIRECTION),
    ),
    Builtin(
        name="column",
        arity=1,
        result=_coordinate,
        implement=_column,
        reads=TILES,
        cost=STEP,
        written="x's column",
        meaning="the column of a cell, from 1",
        wording="{0}'s column",
        told="the column of {0}",
    ),
    Builtin(
        name="row",
        arity=1,
        result=_coordinate,
        implement=_row,
        reads=TILES,
        cost=STEP,
        written="x's row",
        meaning="the row of a cell, from 1",
        wording="{0}'s row",
        told="the row of {0}",
    ),
)
