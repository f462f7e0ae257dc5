"""The fixed side of a game: pieces, sites and members, numbered for its players and options."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from interpreter.model.memo import MemoKeys
from interpreter.model.values import absent
from interpreter.model.work import Work
from rulelang import core
from rulelang.analysis.partial_eval import AtAGlance, Certain
from rulelang.analysis.unknowns import Copy
from rulelang.core.types import PLAYER, TRUTH, KindT, PairT, PieceT, SiteT, Type
from rulelang.core.values import Value
from rulelang.diagnostics.english import unmarked
from rulelang.geometry.grid import MAX_GROWN, Grid, hexes, square
from rulelang.geometry.shapes import Shape, parse_shape
from rulelang.ruleset import Board, Design, Noun, Ruleset, State

# a place, and whose it is (a player, a member of a kind, a piece) or none
Key = tuple[str, int | None]


@dataclass(frozen=True)
class Piece:
    """One physical thing: its number among all pieces, its design, and its owner if it has one."""

    id: int
    design: Design
    owner: int | None


@dataclass(frozen=True)
class BoardInfo:
    """A board's grid and how its sites are numbered.

    A player's board has its own stretch of numbers in every role.
    """

    board: Board
    grid: Grid
    copies: int
    cells: int
    sides: int
    corners: int
    tiles: tuple[Shape, ...] = ()
    """Of a board that grows: the shapes of all tiles that one copy may grow from."""

    def stride(self, role: str) -> int:
        """How many sites of a role one copy of the board has."""
        return {"cell": self.cells, "side": self.sides, "corner": self.corners}[role]

    def seated(self, copy: int) -> int:
        """The number of a copy; raises Fault if it is that of a player who does not play."""
        if copy >= self.copies:
            raise absent(copy, self.copies)
        return copy


@dataclass(frozen=True)
class Setup:
    """Everything about a game that never changes while it is played."""

    rules: Ruleset
    players: int
    options: Mapping[str, int]
    pieces: tuple[Piece, ...]
    by_component: Mapping[str, tuple[int, ...]]
    by_title: Mapping[tuple[str, str], tuple[int, ...]]
    called: Mapping[tuple[str, str], tuple[int, ...]]  # by titles, whole and without their marks
    fields: Mapping[str, tuple[Value, ...]]  # field -> its value for every piece
    twin: tuple[int, ...]  # piece -> number of its class of equal pieces
    boards: Mapping[str, BoardInfo]
    layer_board: Mapping[str, str]
    whole: Mapping[str, tuple[int | None, ...]] = field(default_factory=dict)
    """State -> its members, where positions hold every one's value."""
    defaults: Mapping[str, Value] = field(default_factory=dict)
    """State -> its value before anything happened."""
    memo_keys: MemoKeys = field(default_factory=MemoKeys)
    """Interned keys of memoised results: the only part that grows."""
    named: dict[Noun, bool] = field(default_factory=dict)
    """Memo: is some piece what a text names so, or may it be?"""
    likely: dict[Noun, str] = field(default_factory=dict)
    """Designs, by their clauses, that were or might be what a text names: they are tried first."""
    work: Work = field(default_factory=Work)
    """What the question that is being answered has cost so far."""

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
        return parse_shape(text)

    def tile_shape(self, piece: int) -> Shape:
        """The shape of a tile: the field of the type shape printed on it."""
        return parse_shape(_form(self.pieces[piece]))

    def has(self, noun: Noun) -> bool:
        """Is some piece of the game what a text names so, or may it be?"""
        if noun not in self.named:
            self.named[noun] = self._has(noun)
        return self.named[noun]

    def _has(self, noun: Noun) -> bool:
        if noun.title:
            return (noun.component, noun.title.lower()) in self.called
        if noun.define:
            return self._may_be(noun)
        values = self.fields[noun.field]
        printed = (values[piece] for piece in self.by_component[noun.component])
        return any(
            value in noun.members
            if isinstance(value, int)
            else not noun.members.isdisjoint(value or ())
            for value in printed
        )

    @cached_property
    def _certain(self) -> Certain:
        """What is certain of its pieces before play."""
        return Certain(self.rules)

    def _may_be(self, noun: Noun) -> bool:
        """Is some piece, or may it be, what a definition says of a member of a kind?"""
        certain, known = self._certain, self.rules.definitions[noun.define]
        (kind,) = (t for _, t in known.params)
        members = tuple(core.Const(member, type=kind) for member in noun.members)
        it = core.Var("it", type=PieceT(noun.component))
        among = core.Member(it, core.Apply(noun.define, members, type=known.type), type=TRUTH)
        shown = self._shown.get(noun.component, AtAGlance(()))
        first = shown.by_clause.get(self.likely.get(noun, ""))
        before = (first,) if first is not None else ()
        for design in itertools.chain(before, shown.likely_first((noun,))):
            if certain.truth(among, {"it": Copy(design)}) is not False:
                self.likely[noun] = design.clause
                return True
        return False

    @cached_property
    def _shown(self) -> Mapping[str, AtAGlance]:
        """What the designs of its pieces show at a glance, by component."""
        designs: dict[str, dict[str, Design]] = {}
        for piece in self.pieces:
            own = designs.setdefault(piece.design.component, {})
            own[piece.design.clause] = piece.design
        return {component: AtAGlance(own.values()) for component, own in designs.items()}


def is_whole(rules: Ruleset, state: State) -> bool:
    """Does a position keep a value for every member of a variable, changed or not?

    Not where a board may grow to thousands of sites.
    """
    t = state.of
    return not isinstance(t, PairT) and not (
        isinstance(t, SiteT) and rules.boards[t.board].grown_from is not None
    )


def make_setup(rules: Ruleset, players: int, options: Mapping[str, int]) -> Setup:
    """Number all pieces and sites for this many players under these options.

    The values that variables begin with are not worked out yet: see `Setup.defaults`.
    """
    pieces, classes = _pieces(rules, players)
    component = {
        name: tuple(piece.id for piece in pieces if piece.design.component == name)
        for name in rules.components
    }
    boards = {
        board.name: _board_info(rules, players, options, pieces, board)
        for board in rules.boards.values()
    }
    names = {name for known in rules.components.values() for name, _ in known.fields}
    printed = [dict(piece.design.values) for piece in pieces]
    made = Setup(
        rules=rules,
        players=players,
        options=options,
        pieces=pieces,
        by_component=component,
        by_title=_by_title(pieces, lambda title: (title.lower(),)),
        called=_by_title(pieces, lambda title: {title.lower(), unmarked(title).lower()}),
        fields={name: tuple(values.get(name) for values in printed) for name in names},
        twin=classes,
        boards=boards,
        layer_board={
            layer.name: board.name for board in rules.boards.values() for layer in board.layers
        },
    )
    whole = {
        state.name: (None,) if state.of is None else tuple(made.members(state.of))
        for state in rules.states.values()
        if is_whole(rules, state)
    }
    return replace(made, whole=whole)


def _pieces(rules: Ruleset, players: int) -> tuple[tuple[Piece, ...], tuple[int, ...]]:
    """All pieces in the order of their designs, and for each the number of its class of equals."""
    pieces: list[Piece] = []
    twin: list[int] = []
    classes = 0
    for design in rules.designs:
        per_player = rules.components[design.component].per_player
        owners: list[int | None] = list(range(players)) if per_player else [None]
        for owner in owners:
            for _ in range(design.copies):
                pieces.append(Piece(len(pieces), design, owner))
                twin.append(classes)
            classes += design.copies > 0
    return tuple(pieces), tuple(twin)


def _by_title(
    pieces: Iterable[Piece], names: Callable[[str], Iterable[str]]
) -> dict[tuple[str, str], tuple[int, ...]]:
    found: dict[tuple[str, str], list[int]] = {}
    for piece in pieces:
        for name in names(piece.design.title):
            found.setdefault((piece.design.component, name), []).append(piece.id)
    return {key: tuple(ids) for key, ids in found.items()}


def _board_info(
    rules: Ruleset,
    players: int,
    options: Mapping[str, int],
    pieces: tuple[Piece, ...],
    board: Board,
) -> BoardInfo:
    tiles = _tiles(pieces, board)
    grid = _grid(rules, players, options, board, tiles)
    return BoardInfo(
        board,
        grid,
        players if board.per_player else 1,
        grid.width * grid.height,
        len(grid.cells_of_side),
        len(grid.sides_of_corner),
        tiles,
    )


def _tiles(pieces: tuple[Piece, ...], board: Board) -> tuple[Shape, ...]:
    """The shapes of the tiles a board grows from.

    Of equal sets one is enough: each player's board grows from his own.
    """
    return tuple(
        parse_shape(_form(piece))
        for piece in pieces
        if piece.design.component == board.grown_from and not piece.owner
    )


def _grid(
    rules: Ruleset,
    players: int,
    options: Mapping[str, int],
    board: Board,
    tiles: tuple[Shape, ...],
) -> Grid:
    ground = board.ground(players)
    if board.grown_from is None:
        width, height = (_size(rules, options, value) for value in (ground.width, ground.height))
    else:
        # No tile can leave the canvas if it has room for the first in the middle and all others
        # in a row on one side of it; but it is no wider than the bound on boards that grow.
        reach = sum(max(max(c, r) + 1 for c, r in shape) for shape in tiles)
        width = height = min(max(3, 2 * reach + 3), MAX_GROWN)
    return square(width, height) if ground.grid == "square" else hexes(width, height)


def _size(rules: Ruleset, options: Mapping[str, int], value: int | str) -> int:
    if isinstance(value, int):
        return max(1, value)
    return int(rules.options[value][options[value]])


def _form(piece: Piece) -> str:
    for value in dict(piece.design.values).values():
        if isinstance(value, str) and value and set(value) <= set("X./"):
            return value
    return "X"
