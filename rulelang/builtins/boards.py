"""Built-in words about whole boards: their sites and pieces, directions and extents."""

from __future__ import annotations

from rulelang import core
from rulelang.builtins.record import (
    NOTHING_READ,
    STEP,
    TILES,
    WIDE,
    Builtin,
    Function,
    OneOrMore,
    each,
)
from rulelang.builtins.type_rules import cell_in, cell_of
from rulelang.builtins.world import Declarations, Game, NumberedBoard, Position
from rulelang.core.types import (
    NUMBER,
    BoardT,
    OptionalT,
    PieceT,
    SetT,
    Type,
    element,
    site_type,
)
from rulelang.diagnostics.english import spoken
from rulelang.geometry.grid import bounds


# ---------------------------------------------------------------------------- shared by other words
def board_at(node: core.Builtin, game: Game, index: int = 0) -> NumberedBoard:
    """The board that an argument is, or whose sites it is made of."""
    t = node.args[index].type
    site = site_type(t)
    if site is not None:
        return game.boards[site.board]
    return game.boards[t.name if isinstance(t, BoardT) else next(iter(game.boards))]


def text_at(node: core.Builtin, index: int) -> str:
    """The text that an argument of an internal word always is."""
    arg = node.args[index]
    assert isinstance(arg, core.Const) and isinstance(arg.value, str)
    return arg.value


def all_sites(
    s: Position, board: NumberedBoard, role: str, copy: int | None = None
) -> frozenset[int]:
    """The sites of a role that one copy of a board, or all copies, have now."""
    key = ("sites", board.board.name, role, copy)
    found = s.geometry.get(key)
    if isinstance(found, frozenset):
        return found
    made: set[int] = set()
    for c in range(board.copies) if copy is None else (copy,):
        first = c * board.stride(role)
        made.update(
            site + first for site in _local_sites(board, role, s.present(board.board.name, c))
        )
    sites = s.geometry[key] = frozenset(made)
    return sites


def _local_sites(board: NumberedBoard, role: str, cells: frozenset[int]) -> frozenset[int]:
    """The sites of a role at these cells, numbered within one copy."""
    if role == "cell":
        return cells
    grid = board.grid
    sides = frozenset(side for cell in cells for side in grid.sides_of[cell])
    if role == "side":
        return sides
    return frozenset(corner for side in sides for corner in grid.ends_of_side[side])


# ------------------------------------------------------------------------------------------- types
def _cells(rules: Declarations, args: tuple[Type, ...]) -> Type | None:
    return SetT(cell_of(rules, args[0])) if isinstance(args[0], BoardT) else None


def _extent(rules: Declarations, args: tuple[Type, ...]) -> Type | None:
    return NUMBER if isinstance(args[0], BoardT) or cell_in(args[0]) else None


def _cell_at(rules: Declarations, args: tuple[Type, ...]) -> Type | None:
    board, column, row = args
    if isinstance(board, BoardT) and column == NUMBER and row == NUMBER:
        return OptionalT(cell_of(rules, board))
    return None


# ---------------------------------------------------------------------------------- implementations
def _board(node: core.Builtin, game: Game) -> Function:
    return lambda s, name: 0


def _board_of(node: core.Builtin, game: Game) -> Function:
    return lambda s, player, name: player


def _board_sites(node: core.Builtin, game: Game) -> Function:
    site = site_type(node.type)
    assert site is not None
    board, role = game.boards[site.board], site.role
    return lambda s, copy, name: all_sites(s, board, role, copy)


def _spaces(node: core.Builtin, game: Game) -> Function:
    board = board_at(node, game)
    return lambda s, copy: all_sites(s, board, "cell", copy)


def _board_pieces(node: core.Builtin, game: Game) -> Function:
    board, component = board_at(node, game), text_at(node, 1)
    layers = [
        (layer.name, board.stride(layer.role))
        for layer in board.board.layers
        if layer.component == component
    ]
    name, grown = board.board.name, board.board.grown_from == component

    def pieces(s: Position, copy: int, component: str) -> frozenset[int]:
        made: set[int] = set()
        for layer, stride in layers:
            for site, here in s.on[layer].items():
                if site // stride == copy:
                    made.update(here)
        if grown:
            tiles = s.tiles[name].items()
            made.update(tile for cell, (tile, _) in tiles if cell // board.cells == copy)
        return frozenset(made)

    return pieces


def _reads_of_board_pieces(node: core.Builtin, rules: Declarations) -> frozenset[str]:
    return TILES | layers_that_bear(element(node.type), rules)


def layers_that_bear(t: Type | None, rules: Declarations) -> frozenset[str]:
    """The layers, as read, that may bear pieces of a type; all layers, if it is no piece's."""
    return frozenset(
        f"layer:{layer.name}"
        for board in rules.boards.values()
        for layer in board.layers
        if not isinstance(t, PieceT) or layer.component == t.name
    )


def _compass(node: core.Builtin, game: Game) -> Function:
    name = text_at(node, 0)
    directions = [board.grid.directions for board in game.boards.values()]
    found = next((names.index(name) for names in directions if name in names), 0)
    return lambda s, name: found


def _site_at(node: core.Builtin, game: Game) -> Function:
    board = board_at(node, game)
    grid, name = board.grid, board.board.name

    def at(s: Position, copy: int, column: int, row: int) -> int | None:
        cell = grid.cell(column - 1, row - 1)
        return cell + copy * board.cells if cell in s.present(name, copy) else None

    return at


def _ground_at(node: core.Builtin, game: Game) -> Function:
    board = board_at(node, game)
    find = board.grid.cell if board.board.grown_from is None else board.grid.ground

    def at(s: Position, copy: int, column: int, row: int) -> int | None:
        cell = find(column - 1, row - 1)
        return cell + copy * board.cells if cell >= 0 else None

    return at


def _width(node: core.Builtin, game: Game) -> Function:
    return _extent_along(node, game, 0)


def _height(node: core.Builtin, game: Game) -> Function:
    return _extent_along(node, game, 1)


def _extent_along(node: core.Builtin, game: Game, axis: int) -> Function:
    board, whole = board_at(node, game), isinstance(node.args[0].type, BoardT)

    def extent(s: Position, what: OneOrMore) -> int:
        if whole and isinstance(what, int):
            cells = s.present(board.board.name, what)
        else:
            cells = frozenset(site % board.cells for site in each(what))
        if not cells:
            return 0
        box = bounds(board.grid, cells)
        return box[axis + 2] - box[axis] + 1

    return extent


RECORDS = (
    Builtin(
        name="spaces",
        arity=1,
        result=_cells,
        implement=_spaces,
        reads=TILES,
        cost=WIDE,
        written="x's spaces",
        meaning="the cells a board has now",
        wording="{0}'s spaces",
        told="the places of {0}",
    ),
    Builtin(
        name="site_at",
        arity=3,
        result=_cell_at,
        implement=_site_at,
        reads=TILES,
        cost=STEP,
        written="site_at(x, y, z)",
        meaning="the cell of a board in a column and row, counted from 1 at the top left",
        wording="site at of {0} and {1} and {2}",
        told="the place of {0} in column {1} and row {2}",
    ),
    Builtin(
        name="ground_at",
        arity=3,
        result=_cell_at,
        implement=_ground_at,
        reads=NOTHING_READ,
        cost=STEP,
        written="ground_at(x, y, z)",
        meaning="the place of a cell in a column and row of a board's picture, counted from 1 at "
        "the top left, even where a board that grows has no cell yet",
        wording="the ground of {0} in column {1} and row {2}",
    ),
    Builtin(
        name="width",
        arity=1,
        result=_extent,
        implement=_width,
        reads=TILES,
        cost=STEP,
        written="x's width",
        meaning="how many columns a board or a set of cells spans",
        wording="{0}'s width",
        told="the number of columns that {0} spans",
    ),
    Builtin(
        name="height",
        arity=1,
        result=_extent,
        implement=_height,
        reads=TILES,
        cost=STEP,
        written="x's height",
        meaning="how many rows a board or a set of cells spans",
        wording="{0}'s height",
        told="the number of rows that {0} spans",
    ),
    Builtin(
        name="board",
        arity=1,
        result=None,
        implement=_board,
        reads=NOTHING_READ,
        cost=STEP,
        written="",
        meaning="the one board of a name",
        wording=lambda node, args, rules: f"the {spoken(args[0])}",
    ),
    Builtin(
        name="board_of",
        arity=2,
        result=None,
        implement=_board_of,
        reads=NOTHING_READ,
        cost=STEP,
        written="",
        meaning="a player's board of a name",
        wording=lambda node, args, rules: f"the {spoken(args[1])}",
    ),
    Builtin(
        name="board_sites",
        arity=2,
        result=None,
        implement=_board_sites,
        reads=TILES,
        cost=WIDE,
        written="",
        meaning="the sites of a role that a board has now",
        wording="{0}'s {1}s",
    ),
    Builtin(
        name="board_pieces",
        arity=2,
        result=None,
        implement=_board_pieces,
        reads=_reads_of_board_pieces,
        cost=STEP,
        written="",
        meaning="the pieces of a component that lie on a board",
        wording="{0}'s {1}s",
    ),
    Builtin(
        name="compass",
        arity=1,
        result=None,
        implement=_compass,
        reads=NOTHING_READ,
        cost=STEP,
        written="",
        meaning="the direction of a name",
        wording="{0}",
    ),
)
