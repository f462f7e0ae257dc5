"""The fixed side of a game: its pieces, sites, places and members, numbered once for a number of players and a set of options."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rulelang.core.types import PLAYER, KindT, PairT, PieceT, SiteT, Type
from rulelang.diagnostics.english import unmarked
from rulelang.geometry.grid import Grid, hexes, square
from rulelang.geometry.shapes import Shape, parse_shape
from rulelang.ruleset import Board, Design, Ruleset, State

Key = tuple[str, int | None]  # a place, and whose (a player, a member of a kind, a piece) or none


@dataclass(frozen=True)
class Piece:
    """One physical thing: its design, the player it belongs to if it is a player's, and its number among all pieces."""

    id: int
    design: Design
    owner: int | None


@dataclass
class BoardInfo:
    """A board's grid and how its sites are numbered: a player's board has its own stretch of numbers in every role."""

    board: Board
    grid: Grid
    copies: int
    cells: int
    sides: int
    corners: int

    def stride(self, role: str) -> int:
        """How many sites of a role one copy of the board has."""
        return {"cell": self.cells, "side": self.sides, "corner": self.corners}[role]


@dataclass
class Setup:
    """Everything about a game that never changes while it is played."""

    rules: Ruleset
    players: int
    options: dict[str, int]
    pieces: list[Piece] = field(default_factory=list)
    by_component: dict[str, tuple[int, ...]] = field(default_factory=dict)
    by_title: dict[tuple[str, str], tuple[int, ...]] = field(default_factory=dict)
    called: dict[tuple[str, str], tuple[int, ...]] = field(
        default_factory=dict
    )  # by whole titles, and by titles without their marks
    fields: dict[str, list[Any]] = field(default_factory=dict)
    boards: dict[str, BoardInfo] = field(default_factory=dict)
    shapes: dict[str, Shape] = field(default_factory=dict)
    layer_board: dict[str, str] = field(default_factory=dict)
    defaults: dict[str, Any] = field(
        default_factory=dict
    )  # state -> its value before anything happened
    whole: dict[str, tuple[int | None, ...]] = field(
        default_factory=dict
    )  # state -> its members, where positions hold every one's value
    touching: dict[str, set[int]] = field(
        default_factory=dict
    )  # what is changed -> numbers of the results that read it
    twin: list[int] = field(default_factory=list)  # piece -> number of its class of equal pieces

    def kind_size(self, name: str) -> int:
        """How many members a kind (or an option) has."""
        if name == "direction":
            return max((len(info.grid.directions) for info in self.boards.values()), default=4)
        if name in self.rules.kinds:
            return len(self.rules.kinds[name].members)
        return len(self.rules.options[name])

    def members(self, t: Type) -> list[int]:
        """All members of a finite type, as numbers."""
        if t == PLAYER:
            return list(range(self.players))
        if isinstance(t, KindT):
            return list(range(self.kind_size(t.name)))
        if isinstance(t, PieceT):
            return list(self.by_component.get(t.name, ()))
        if isinstance(t, SiteT):
            info = self.boards[t.board]
            return list(range(info.copies * info.stride(t.role)))
        raise ValueError(f"{t} has no members to number")

    def shape(self, text: str) -> Shape:
        """The cells of a shape's picture."""
        found = self.shapes.get(text)
        if found is None:
            found = self.shapes[text] = parse_shape(text)
        return found


def is_whole(rules: Ruleset, state: State) -> bool:
    """Does a variable have a value for every member, kept whether it was changed or not? Not where a board may grow to thousands of sites."""
    t = state.of
    return not isinstance(t, PairT) and not (
        isinstance(t, SiteT) and rules.boards[t.board].grown_from is not None
    )


def make_setup(rules: Ruleset, players: int, options: dict[str, int]) -> Setup:
    """Number all pieces and sites for this many players under these options."""
    made = Setup(rules, players, options)
    _pieces(made)
    for board in rules.boards.values():
        grid = _grid(made, board)
        copies = players if board.per_player else 1
        cells = grid.width * grid.height
        made.boards[board.name] = BoardInfo(
            board, grid, copies, cells, len(grid.cells_of_side), len(grid.sides_of_corner)
        )
        for layer in board.layers:
            made.layer_board[layer.name] = board.name
    for state in rules.states.values():
        if is_whole(rules, state):
            made.whole[state.name] = (None,) if state.of is None else tuple(made.members(state.of))
    return made


def _pieces(made: Setup) -> None:
    by_component: dict[str, list[int]] = {name: [] for name in made.rules.components}
    by_title: dict[tuple[str, str], list[int]] = {}
    called: dict[tuple[str, str], list[int]] = {}
    classes: dict[tuple[int, int | None], int] = {}
    names = {name for component in made.rules.components.values() for name, _ in component.fields}
    made.fields = {name: [] for name in names}
    for number, design in enumerate(made.rules.designs):
        component = made.rules.components[design.component]
        owners: list[int | None] = list(range(made.players)) if component.per_player else [None]
        values = dict(design.values)
        for owner in owners:
            for _ in range(design.copies):
                piece = Piece(len(made.pieces), design, owner)
                made.pieces.append(piece)
                by_component[design.component].append(piece.id)
                by_title.setdefault((design.component, design.title.lower()), []).append(piece.id)
                for name in {design.title.lower(), unmarked(design.title).lower()}:
                    called.setdefault((design.component, name), []).append(piece.id)
                made.twin.append(classes.setdefault((number, owner), len(classes)))
                for name in names:
                    made.fields[name].append(values.get(name))
    made.by_component = {name: tuple(ids) for name, ids in by_component.items()}
    made.by_title = {key: tuple(ids) for key, ids in by_title.items()}
    made.called = {key: tuple(ids) for key, ids in called.items()}


def _grid(made: Setup, board: Board) -> Grid:
    ground = board.ground(made.players)
    if board.grown_from is None:
        width, height = (_size(made, value) for value in (ground.width, ground.height))
    else:
        # a canvas no lay can leave: the first tile in the middle, all others on one side of it
        spans = []
        for piece in made.by_component.get(board.grown_from, ()):
            if made.pieces[
                piece
            ].owner:  # of equal sets one is enough: each player's board grows from his own
                continue
            spans.append(max(max(c, r) + 1 for c, r in made.shape(_form(made, piece))))
        reach = sum(spans)
        width = height = max(3, 2 * reach + 3)
    return square(width, height) if ground.grid == "square" else hexes(width, height)


def _form(made: Setup, piece: int) -> str:
    for value in dict(made.pieces[piece].design.values).values():
        if isinstance(value, str) and value and set(value) <= set("X./"):
            return value
    return "X"


def tile_shape(made: Setup, piece: int) -> Shape:
    """The shape of a tile: the field of the type shape printed on it."""
    return made.shape(_form(made, piece))


def _size(made: Setup, value: int | str) -> int:
    if isinstance(value, int):
        return max(1, value)
    chosen = made.rules.options[value][made.options[value]]
    return int(chosen)
