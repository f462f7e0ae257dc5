"""Built-in words about where shapes and tiles fit on a board, and how they are turned."""

from __future__ import annotations

from rulelang import core
from rulelang.builtins.boards import board_at
from rulelang.builtins.record import NOTHING_READ, STEP, TILES, WIDE, Builtin, Function
from rulelang.builtins.type_rules import cell_in, cell_of
from rulelang.builtins.world import Declarations, Game, NumberedBoard, Position
from rulelang.core.types import (
    DIRECTION,
    NUMBER,
    SHAPE,
    BoardT,
    ListT,
    PieceT,
    SetT,
    Type,
    non_optional,
)
from rulelang.core.values import Value
from rulelang.geometry.shapes import Shape, footprints, orientations, tile_spots, turned


# ------------------------------------------------------------------------------------------- types
def _sets_of_cells(rules: Declarations, args: tuple[Type, ...]) -> Type | None:
    shape, board = args
    if shape == SHAPE and isinstance(board, BoardT):
        return SetT(SetT(cell_of(rules, board)))
    return None


def _ways_to_lay(rules: Declarations, args: tuple[Type, ...]) -> Type | None:
    tile, board = non_optional(args[0]), args[1]
    if not isinstance(board, BoardT) or not isinstance(tile, PieceT):
        return None
    if rules.boards[board.name].grown_from != tile.name:
        return None
    return SetT(ListT(cell_of(rules, board)))


def _turned_type(rules: Declarations, args: tuple[Type, ...]) -> Type | None:
    if args[1] != NUMBER:
        return None
    if args[0] == DIRECTION:
        return DIRECTION
    cells = non_optional(args[0])
    cell = cell_in(cells) if isinstance(cells, ListT) else None
    return ListT(cell) if cell else None


# ---------------------------------------------------------------------------------- implementations
def _footprints(node: core.Builtin, game: Game) -> Function:
    board = board_at(node, game, 1)
    name = board.board.name

    def covers(s: Position, shape: str, copy: int) -> Value:
        key = ("footprints", name, shape, copy)
        found = s.geometry.get(key)
        if isinstance(found, frozenset):
            return found
        first = copy * board.cells
        local = footprints(board.grid, game.shape(shape), s.present(name, copy))
        made = s.geometry[key] = frozenset(frozenset(c + first for c in cells) for cells in local)
        return made

    return covers


def _spots(node: core.Builtin, game: Game) -> Function:
    return _ways_beside(node, game, corners=False)


def _spots_around(node: core.Builtin, game: Game) -> Function:
    return _ways_beside(node, game, corners=True)


def _ways_beside(node: core.Builtin, game: Game, corners: bool) -> Function:
    """Every way to lay a tile beside what there is, by a side, or also by a corner."""
    board = board_at(node, game, 1)
    name = board.board.name

    def ways(s: Position, tile: int, copy: int) -> Value:
        shape = game.tile_shape(tile)
        key = ("spots", name, shape, copy, corners)
        found = s.geometry.get(key)
        if isinstance(found, frozenset):
            return found
        present = s.present(name, copy)
        if present:
            local = tile_spots(board.grid, shape, present, corners)
        else:
            local = _first_ways(board, shape, corners)
        first = copy * board.cells
        made = s.geometry[key] = frozenset(tuple(c + first for c in cells) for cells in local)
        return made

    return ways


def _first_ways(board: NumberedBoard, shape: Shape, any_turn: bool) -> tuple[tuple[int, ...], ...]:
    """Where the first tile may lie: in the middle, as it is or turned any way."""
    grid = board.grid
    column, row = grid.width // 2 - 1, grid.height // 2 - 1
    turns = orientations(shape, grid.kind, ordered=True) if any_turn else (shape,)
    return tuple(tuple(grid.cell(column + c, row + r) for c, r in turn) for turn in turns)


def _turned(node: core.Builtin, game: Game) -> Function:
    if node.type == DIRECTION:
        directions = game.kind_size("direction")
        return lambda s, direction, times: (direction + times) % directions
    board = board_at(node, game)

    def turn(s: Position, cells: tuple[int, ...], times: int) -> tuple[int, ...]:
        first = cells[0] // board.cells * board.cells if cells else 0
        local = tuple(c - first for c in cells)
        return tuple(c + first for c in turned(board.grid, local, times))

    return turn


RECORDS = (
    Builtin(
        name="footprints",
        arity=2,
        result=_sets_of_cells,
        implement=_footprints,
        reads=TILES,
        cost=WIDE,
        written="footprints(x, y)",
        meaning="every set of cells of a board that a shape can cover, turned any way",
        wording="footprints of {0} and {1}",
        told="the ways to lay {0} on {1}",
        wanted=(SHAPE,),
    ),
    Builtin(
        name="spots",
        arity=2,
        result=_ways_to_lay,
        implement=_spots,
        reads=TILES,
        cost=WIDE,
        written="spots(x, y)",
        meaning=(
            "every way to lay a tile beside what a board has grown to, cell by cell of the tile"
        ),
        wording="spots of {0} and {1}",
        told="the ways to lay {0} beside what lies on {1} already",
    ),
    Builtin(
        name="spots_around",
        arity=2,
        result=_ways_to_lay,
        implement=_spots_around,
        reads=TILES,
        cost=STEP,
        written="spots_around(x, y)",
        meaning=(
            "like spots, but a corner in common is enough; on a board without cells, "
            "every way to turn the first tile"
        ),
        wording="spots around of {0} and {1}",
        told="the ways to lay {0} at a side or corner of what lies on {1} already",
    ),
    Builtin(
        name="turned",
        arity=2,
        result=_turned_type,
        implement=_turned,
        reads=NOTHING_READ,
        cost=STEP,
        written="turned(x, y)",
        meaning=(
            "a direction after so many turns clockwise, from one direction to the next; "
            "where the cells of a tile that lies so come to lie after so many turns in its place"
        ),
        wording="turned of {0} and {1}",
        told="{0} after {1} turns clockwise",
    ),
)
