"""Positions from pictures and plain data: where pieces lie and what variables hold, checked as they
are read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field

from interpreter.engine.clauses import Rules
from interpreter.game.context import GameContext
from interpreter.game.given import given
from interpreter.model.errors import InputError
from interpreter.model.position import Position, empty_position
from interpreter.model.setup import BoardInfo, Setup
from rulelang.core.types import PLAYER, PieceT, SiteT, Type
from rulelang.core.values import Value
from rulelang.diagnostics import nearest
from rulelang.geometry.shapes import orientations
from rulelang.ruleset import Layer


def position_from(game: GameContext, data: Mapping[str, object]) -> Position:
    """A position from plain data; raises InputError naming the entry that is wrong.

    `boards` are pictures by board (or `board of p2`); `tiles` and `put` lay pieces on sites;
    `places` holds titles by place (or `hand of p1`); `state` holds variables; `known` says who was
    shown which hidden piece; `seed` is that of chance; `turn` is the procedure to run next, with
    its `player` and other `values`, and `flow` begins the flow of the game instead.
    """
    known = [*_ENTRIES, "seed", "turn", "flow"]
    for name in data:
        if name not in known:
            raise InputError(f"unknown entries: {name}{_meant(name, known)}")
    seed = data.get("seed", 0)
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise InputError(f"seed: {seed!r} is no whole number")
    reader = _Reader(game, empty_position(game.setup, seed))
    for name, read in _ENTRIES.items():
        if name in data:
            read(reader, data[name])
    s = reader.s
    if data.get("turn") is not None:
        reader.turn(data["turn"])
    elif data.get("flow"):
        game.machine.begin(s)
        game.machine.run(s)
    s.dirty = False
    return s


def _meant(name: object, known: Iterable[str]) -> str:
    """What was probably meant, as the end of a message."""
    found = nearest(str(name), known, 1)
    return f"; did you mean {found[0]!r}?" if found else ""


def _entries(data: object, entry: str) -> Mapping[str, object]:
    """What should be an object with names."""
    if not isinstance(data, Mapping):
        raise InputError(f"{entry}: {data!r} is no dict")
    return data


def _items(data: object, entry: str) -> list[object]:
    """What should be a list."""
    if not isinstance(data, list | tuple):
        raise InputError(f"{entry}: {data!r} is no list")
    return list(data)


@dataclass
class _Reader:
    """Reads one position, entry by entry; a piece is placed once."""

    game: GameContext
    s: Position
    taken: set[int] = field(default_factory=set)

    def read(self, data: object, t: Type) -> Value:
        """A value; a player's number is as texts have it, from 1."""
        found: Value = self.game.presenter.read(given(self.game.setup, data, t), t, self.s)
        return found

    # ---------------------------------------------------------------------------------------- names
    def piece(self, name: object, component: str | None = None) -> int:
        """A piece that is not placed yet: of this number, or any of this title."""
        wanted = [component] if component is not None else list(self.game.rules_source.components)
        free = {p for c in wanted for p in self.game.setup.by_component[c] if self._free(p)}
        for known in wanted:
            try:
                found = self.game.presenter.read(name, PieceT(known), self.s, free)
            except ValueError:
                continue
            assert isinstance(found, int)
            if found in self.taken or found not in free:
                raise InputError(f"there is no {name!r} left to place: each piece is placed once")
            self.taken.add(found)
            return found
        titles = {self.game.presenter.piece(p) for c in wanted for p in self._pieces(c)}
        raise InputError(f"there is no piece {name!r}{_meant(name, titles)}")

    def _pieces(self, component: str) -> tuple[int, ...]:
        return self.game.setup.by_component[component]

    def _free(self, piece: int) -> bool:
        """Is it neither on a board nor placed by this data?"""
        at = self.s.where[piece]
        return piece not in self.taken and (at is None or at[0] not in ("on", "tile"))

    def board(self, name: object) -> tuple[BoardInfo, int]:
        """A board, and which copy of it: its name, or `NAME of p2` where each player has one."""
        boards = self.game.setup.boards
        board, _, whose = str(name).partition(" of ")
        if board not in boards:
            raise InputError(f"there is no board {name!r}{_meant(name, boards)}")
        info = boards[board]
        if not whose:
            return info, 0
        copy = self.read(whose, PLAYER)
        if not info.board.per_player or not isinstance(copy, int):
            raise InputError(f"there is no board {name!r}: {board} is nobody's own")
        return info, copy

    # --------------------------------------------------------------------------- entries
    def boards(self, data: object) -> None:
        """Pictures by board."""
        for name, rows in _entries(data, "boards").items():
            info, copy = self.board(name)
            lines = [str(row) for row in _items(rows, f"boards, {name}")]
            picture(self.game.setup, self.s, info.board.name, lines, self.game.rules, copy)

    def tiles(self, data: object) -> None:
        """Tiles, each with the numbers of its cells in its own order."""
        for item in (_entries(x, "tiles") for x in _items(data, "tiles")):
            info, _ = self.board(item.get("board"))
            cells = _items(item.get("cells"), "tiles, cells")
            limit = info.cells * info.copies
            numbers = tuple(c for c in cells if isinstance(c, int) and 0 <= c < limit)
            if info.board.grown_from is None or len(numbers) != len(cells):
                raise InputError(f"no such cells: {dict(item)}")
            piece = self.piece(item.get("piece"), info.board.grown_from)
            self.s.lay(piece, info.board.name, numbers)

    def put(self, data: object) -> None:
        """Pieces on sites: `at` by labels, `sites` by numbers."""
        for item in (_entries(x, "put") for x in _items(data, "put")):
            info, layer = self._layer(item)
            sites = self._sites(item, info, layer)
            if not layer.stacked and any(site in self.s.on[layer.name] for site in sites):
                raise InputError(f"two pieces on one site: {dict(item)}")
            if len(set(sites)) != len(sites):
                raise InputError(f"a site is named twice: {dict(item)}")
            piece = self.piece(item.get("piece"), layer.component)
            self.s.put(piece, layer.name, tuple(sorted(sites)))

    def _layer(self, item: Mapping[str, object]) -> tuple[BoardInfo, Layer]:
        """The layer a piece goes to: the one named, or the one that takes such pieces."""
        title = str(item.get("piece")).partition("#")[0].lower()
        layers = [(i, x) for i in self.game.setup.boards.values() for x in i.board.layers]
        wanted = item.get("layer")
        for info, layer in layers:
            if wanted == layer.name:
                return info, layer
            titles = (self.game.presenter.piece(p).lower() for p in self._pieces(layer.component))
            if not wanted and title in titles:
                return info, layer
        if wanted:
            raise InputError(
                f"there is no layer {wanted!r}{_meant(wanted, [x.name for _, x in layers])}"
            )
        raise InputError(f"no layer takes {item.get('piece')!r}")

    def _sites(self, item: Mapping[str, object], info: BoardInfo, layer: Layer) -> list[int]:
        """The sites of an item of `put`."""
        t = SiteT(info.board.name, layer.role, dict(info.board.roles).get(layer.role, layer.role))
        limit = info.copies * info.stride(layer.role)
        given = item.get("sites", item.get("at", ()))
        made = []
        for site in given if isinstance(given, list | tuple) else [given]:
            numbered = "sites" in item and isinstance(site, int) and 0 <= site < limit
            read = site if numbered else self.read(site, t)
            assert isinstance(read, int)
            made.append(read)
        if not made:
            raise InputError(f"it says not where: {dict(item)}")
        return made

    def places(self, data: object) -> None:
        """The pieces of places, first to last; what else was there from the start is taken out of
        play.
        """
        for label, titles in _entries(data, "places").items():
            name, _, whose = label.partition(" of ")
            places = self.game.rules_source.places
            if name not in places:
                raise InputError(f"there is no place {name!r}{_meant(name, places)}")
            place = places[name]
            if (place.of is not None) is not bool(whose):
                want = f"whose: {name} of {place.of}" if place.of is not None else f"{name} alone"
                raise InputError(f"there is no place {label!r}; say {want}")
            index = self.read(whose, place.of) if place.of is not None else None
            key = (name, index if isinstance(index, int) else None)
            if key not in self.s.places:
                raise InputError(f"there is no place {label!r}")
            made = [self.piece(p, place.holds) for p in _items(titles, f"places, {label}")]
            if place.full is False and place.full_by is None:
                for piece in set(self.s.places[key]) - set(made):
                    self.s.lift(piece)
            for piece in made:
                self.s.move(piece, key, bottom=True)

    def state(self, data: object) -> None:
        """Variables: one value, or values by whose they are."""
        states = self.game.rules_source.states
        for name, values in _entries(data, "state").items():
            if name not in states:
                raise InputError(f"there is no state {name!r}{_meant(name, states)}")
            variable = states[name]
            pairs = _pairs(name, values, variable.of is not None)
            for whose, value in pairs:
                at = None if variable.of is None else self.read(whose, variable.of)
                found = self.read(value, variable.type)
                # whose it is, is a number, or a pair of them
                self.s.assign(name, at, found)  # type: ignore[arg-type]

    def known(self, data: object) -> None:
        """Who was shown which hidden piece."""
        for name, who in _entries(data, "known").items():
            taken, self.taken = self.taken, set()
            piece = self.piece(name)
            self.taken = taken
            players = [self.read(p, PLAYER) for p in _items(who, f"known, {name}")]
            self.s.known[piece] = frozenset(p for p in players if isinstance(p, int))

    def turn(self, data: object) -> None:
        """Begin a procedure: its player, and the values it asks for besides."""
        turn = _entries(data, "turn")
        name, s = turn.get("procedure"), self.s
        procedures = self.game.rules_source.procedures
        if name not in procedures:
            raise InputError(f"there is no procedure {name!r}{_meant(name, procedures)}")
        more = dict(_entries(turn.get("values", {}), "turn, values"))
        values: list[Value] = []
        for param, t in procedures[str(name)].params:
            if param in more:
                values.append(self.read(more.pop(param), t))
            elif t == PLAYER and "player" in turn:
                values.append(self.read(turn["player"], t))
            else:
                raise InputError(f"turn: {name} needs a value for {param}: {t}")
        if more:
            raise InputError(f"turn: {name} takes no {', '.join(more)}")
        s.stack = []
        self.game.machine.call(s, str(name), tuple(values))
        self.game.machine.run(s)


def _pairs(name: str, given: object, many: bool) -> list[tuple[object, object]]:
    """The values of a variable, each with whose it is."""
    if not many:
        if isinstance(given, list) and given and isinstance(given[0], list):
            given = given[0][1]  # as saves write it
        return [(None, given)]
    if isinstance(given, Mapping):
        return list(given.items())
    pairs = (
        [pair for pair in given if isinstance(pair, list | tuple) and len(pair) == 2]
        if (isinstance(given, list))
        else []
    )
    if not isinstance(given, list) or len(pairs) != len(given):
        raise InputError(f"state: {name} has a value for each of several: say whose")
    return [(whose, value) for whose, value in pairs]


# what a position is made of, in the order it is read
_ENTRIES: dict[str, Callable[[_Reader, object], None]] = {
    "boards": _Reader.boards,
    "tiles": _Reader.tiles,
    "put": _Reader.put,
    "places": _Reader.places,
    "state": _Reader.state,
    "known": _Reader.known,
}


# ------------------------------------------------------------------------------ pictures
def picture(
    setup: Setup,
    s: Position,
    board: str,
    rows: list[str],
    rules: Rules,
    copy: int = 0,
    explained: Collection[str] = (),
) -> dict[str, list[int]]:
    """Read a board picture: signs in columns, `.` for nothing.

    On a board that grows, the labels of cells place the tiles, where a sign is not explained.
    Returns the cells of every sign, as numbers of the board; raises InputError if a row does not
    fit.
    """
    if board not in setup.boards:
        raise InputError(f"there is no board {board!r}{_meant(board, setup.boards)}")
    info = setup.boards[board]
    grid = [row.replace("|", " ").split() for row in rows]
    if info.board.grown_from is not None:
        return _Tiling(setup, s, info, rules, copy).read(grid, explained)
    found: dict[str, list[int]] = {}
    for r, signs in enumerate(grid):
        for c, sign in enumerate(signs):
            cell = info.grid.cell(c, r)
            if cell < 0:
                raise InputError(
                    f"the picture is larger than the board at column {c + 1}, row {r + 1}"
                )
            if sign != ".":
                found.setdefault(sign, []).append(cell + copy * info.cells)
    return found


@dataclass
class _Tiling:
    """Places tiles on one copy of a board that grows, so that their cells' labels stand as
    drawn.
    """

    setup: Setup
    s: Position
    info: BoardInfo
    rules: Rules
    copy: int

    def read(self, grid: list[list[str]], explained: Collection[str]) -> dict[str, list[int]]:
        """Lay the tiles of a picture; returns the cells of the signs that are explained."""
        where: dict[str, tuple[int, int]] = {}
        found: dict[str, list[int]] = {}
        for r, signs in enumerate(grid):
            for c, sign in enumerate(signs):
                if sign in explained:
                    found.setdefault(sign, []).append(self.cell(c, r))
                elif sign in where:
                    raise InputError(f"{sign} stands twice in the picture")
                elif sign != ".":
                    where[sign] = (c, r)
        component = self.info.board.grown_from
        assert component is not None
        for tile in self.setup.by_component[component]:
            if where and self.setup.pieces[tile].owner in (None, self.copy):
                self.lay(tile, where)
        if where:
            raise InputError(
                f"no tile has the cells {', '.join(sorted(where))}, and no line below the picture "
                "says what they are"
            )
        return found

    def cell(self, column: int, row: int) -> int:
        """The number of a cell of the picture, which stands in the middle of the canvas."""
        local = self.info.grid.ground(column, row)
        if local < 0:
            raise InputError(f"the picture is too large at column {column + 1}, row {row + 1}")
        return local + self.copy * self.info.cells

    def lay(self, tile: int, free: dict[str, tuple[int, int]]) -> None:
        """Lay a tile in the one way, turned as needed, in which its labels stand as drawn."""
        labels = self.labels(tile)
        if not all(label in free for label in labels):
            return
        spots = [free.pop(label) for label in labels]
        left, top = min(c for c, _ in spots), min(r for _, r in spots)
        turned = tuple((c - left, r - top) for c, r in spots)
        shape = self.setup.tile_shape(tile)
        if turned not in orientations(shape, self.info.grid.kind, ordered=True):
            raise InputError(f"{', '.join(labels)} do not stand as on their tile")
        self.s.lay(tile, self.info.board.name, tuple(self.cell(c, r) for c, r in spots))

    def labels(self, tile: int) -> list[str]:
        """The labels a tile's cells would have if it lay somewhere."""
        info = self.info
        trial = self.s.copy()
        trial.memos = {}
        base = self.copy * info.cells
        shape = self.setup.tile_shape(tile)
        cells = tuple(info.grid.cell(1 + c, 1 + r) + base for c, r in shape)
        trial.lay(tile, info.board.name, cells)
        if info.board.labels is None:
            return [f"{tile}.{i}" for i in range(1, len(cells) + 1)]
        label = self.rules.definition(info.board.labels)
        return [str(label(trial, (cell,))) for cell in cells]
