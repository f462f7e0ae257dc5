"""Positions from pictures and plain data: where pieces lie and what variables hold, checked whole
as they are read.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from interpreter.engine.clauses import Rules
from interpreter.engine.entry import enter
from interpreter.game.context import GameContext
from interpreter.game.given import given
from interpreter.game.position_checks import impossible
from interpreter.model.errors import InputError
from interpreter.model.position import Position, empty_position
from interpreter.model.setup import BoardInfo, Setup
from interpreter.model.visibility import ONLOOKER, knowers
from rulelang.core.types import PLAYER, PieceT, SiteT, Type
from rulelang.core.values import Value
from rulelang.diagnostics import nearest
from rulelang.geometry.shapes import orientations
from rulelang.ruleset import Layer

if TYPE_CHECKING:  # pydantic takes long to load
    from interpreter.game.position_data import (
        Name,
        Owned,
        Picture,
        PositionData,
        Put,
        Tile,
        Turn,
    )


def position_from(game: GameContext, data: Mapping[str, object], led_to: bool = False) -> Position:
    """A position from plain data, in the form that `position_data` tells.

    Raises InputError that names every entry that is wrong, and everything that cannot be so, before
    anything is run. `led_to` says that play led to it.
    """
    from interpreter.game.position_data import checked

    form = checked(data)
    reader = _Reader(game, empty_position(game.setup, form.seed))
    reader.read_all(form)
    s = reader.s
    if not reader.wrong and not led_to:
        reader.wrong += impossible(game, s)
    if reader.wrong:
        raise InputError("; ".join(dict.fromkeys(reader.wrong)))
    if form.turn is not None:
        reader.begin(form.turn, form.flow)
    elif form.flow:
        game.machine.begin(s)
        game.machine.run(s)
    s.dirty = False
    return s


def _meant(name: object, known: Iterable[str]) -> str:
    """What was probably meant, as the end of a message."""
    found = nearest(str(name), known, 1)
    return f"; did you mean {found[0]!r}?" if found else ""


@dataclass
class _Reader:
    """Reads one position, entry by entry; a piece is placed once. `wrong` is what is wrong."""

    game: GameContext
    s: Position
    taken: set[int] = field(default_factory=set)
    wrong: list[str] = field(default_factory=list)

    def read_all(self, form: PositionData) -> None:
        """Everything but what is done next."""
        for name, picture_ in form.boards.items():
            with self.entry():
                self.board(name, picture_)
        for tile in form.tiles:
            with self.entry():
                self.tile(tile)
        for put in form.put:
            with self.entry():
                self.put(put)
        for name, titles in form.places.items():
            with self.entry():
                self.place(name, titles)
        for name, values in form.state.items():
            with self.entry():
                self.variable(name, values)
        for name, who in form.known.items():
            with self.entry():
                self.shown(name, who)

    @contextmanager
    def entry(self) -> Iterator[None]:
        """Notes what is wrong with an entry, and goes on with the next."""
        try:
            yield
        except InputError as error:
            self.wrong.append(str(error))

    def read(self, data: object, t: Type) -> Value:
        """A value; a player's number is as texts have it, from 1."""
        found: Value = self.game.presenter.read(given(self.game.setup, data, t), t, self.s)
        return found

    # ---------------------------------------------------------------------------------------- names
    def piece(self, name: object, component: str | None = None, owner: int | None = None) -> int:
        """A piece that is not placed yet: of this number, or any of this title."""
        wanted = [component] if component is not None else list(self.game.rules_source.components)
        pieces = self.game.setup.pieces
        free = {
            p
            for c in wanted
            for p in self._pieces(c)
            if self._free(p) and owner in (None, pieces[p].owner)
        }
        for known in wanted:
            try:
                found = self.game.presenter.read(name, PieceT(known), self.s, free)
            except ValueError:
                continue
            assert isinstance(found, int)
            if found in self.taken or found not in free:
                raise InputError(
                    f"there is no {name!r} left to place: each piece is placed once"
                    f"{self._copies(found)}"
                )
            self.taken.add(found)
            return found
        titles = {self.game.presenter.piece(p) for c in wanted for p in self._pieces(c)}
        raise InputError(f"there is no piece {name!r}{_meant(name, titles)}")

    def _copies(self, piece: int) -> str:
        """How many pieces of a title there are, as the end of a message."""
        title = self.game.presenter.piece(piece)
        component = self.game.setup.pieces[piece].design.component
        count = sum(self.game.presenter.piece(p) == title for p in self._pieces(component))
        return f" (of {title} there {'is' if count == 1 else 'are'} {count})"

    def _pieces(self, component: str) -> tuple[int, ...]:
        return self.game.setup.by_component[component]

    def _free(self, piece: int) -> bool:
        """Is it neither on a board nor placed by this data?"""
        at = self.s.where[piece]
        return piece not in self.taken and (at is None or at[0] not in ("on", "tile"))

    def board_called(self, name: object) -> tuple[BoardInfo, int]:
        """A board, and which copy of it: its name, or `NAME of p2` where each player has one."""
        boards = self.game.setup.boards
        board, _, whose = str(name).partition(" of ")
        if board not in boards:
            raise InputError(f"there is no board {name!r}{_meant(name, boards)}")
        info = boards[board]
        if not whose and info.copies > 1:
            raise InputError(f"say whose board it is, as in '{board} of p1'")
        if not whose:
            return info, 0
        copy = self.read(whose, PLAYER)
        if not info.board.per_player or not isinstance(copy, int):
            raise InputError(f"there is no board {name!r}: {board} is nobody's own")
        return info, copy

    # --------------------------------------------------------------------------- boards
    def board(self, name: str, drawn: list[str] | Picture) -> None:
        """A picture of a board: tiles by the labels of their cells, all else by its legend."""
        info, copy = self.board_called(name)
        rows = drawn if isinstance(drawn, list) else drawn.rows
        legend = {} if isinstance(drawn, list) else drawn.legend
        board, s = info.board.name, self.s
        signs = picture(self.game.setup, s, board, rows, self.game.rules, copy, legend)
        for sign, cells in signs.items():
            if sign not in legend:
                raise InputError(
                    f"boards, {name}: the sign {sign} is explained by no legend, as in "
                    f'{{"rows": [...], "legend": {{"{sign}": "title"}}}}'
                )
            for cell in cells:
                with self.entry():
                    self._lay(info, cell, legend[sign])

    def _lay(self, info: BoardInfo, cell: int, what: Name | bool | Owned) -> None:
        """Put on a cell what a sign stands for: a piece, or the value of the cells' variable."""
        owner, name = None, what
        if not isinstance(what, str | int):
            read = self.read(what.of, PLAYER)
            owner, name = read if isinstance(read, int) else None, what.piece
        layers = [layer for layer in info.board.layers if layer.role == "cell"]
        for layer in layers:
            if self._is_titled(name, layer.component):
                self.s.put(self.piece(name, layer.component, owner), layer.name, (cell,))
                return
        grown = info.board.grown_from
        if grown is not None and self._is_titled(name, grown):
            self.s.lay(self.piece(name, grown, owner), info.board.name, (cell,))
            return
        variables = [
            known
            for known in self.game.rules_source.states.values()
            if isinstance(known.of, SiteT)
            and (known.of.board, known.of.role) == (info.board.name, "cell")
        ]
        if len(variables) != 1:
            titles = {
                self.game.presenter.piece(p) for x in layers for p in self._pieces(x.component)
            }
            raise InputError(
                f"there is no piece {name!r} for {info.board.name}{_meant(name, titles)}"
            )
        self.s.assign(variables[0].name, cell, self.read(name, variables[0].type))

    def _is_titled(self, name: object, component: str) -> bool:
        """Has a component a piece of this title, or is this the number of one?"""
        try:
            self.game.presenter.read(name, PieceT(component), self.s)
        except InputError:
            return False
        return True

    def tile(self, item: Tile) -> None:
        """A tile on the places of its cells."""
        info, copy = self.board_called(item.board)
        if info.board.grown_from is None:
            raise InputError(f"{item.board} does not grow from tiles")
        places = item.cells if item.cells is not None else item.at
        cells = tuple(self._place(info, copy, place, item.cells is not None) for place in places)
        name = self.game.presenter.piece
        piece = self.piece(item.piece, info.board.grown_from)
        under = {self.s.tiles[info.board.name][c][0] for c in cells if c in self._present(info)}
        if under:
            raise InputError(f"{name(piece)} lies on {', '.join(map(name, sorted(under)))}")
        self.s.lay(piece, info.board.name, cells)

    def _present(self, info: BoardInfo) -> Collection[int]:
        return self.s.tiles[info.board.name]

    def _place(self, info: BoardInfo, copy: int, place: Name, numbered: bool) -> int:
        """The cell of a board that has perhaps not grown there yet."""
        role = dict(info.board.roles).get("cell", "cell")
        limit = info.cells * info.copies
        exact = re.fullmatch(rf"{role}#(\d+)", str(place))
        if exact is not None or (numbered and isinstance(place, int)):
            number = int(exact.group(1)) if exact is not None else int(place)
            if 0 <= number < limit:
                return number
        found = self.game.presenter.ground(str(place), info)
        if found is None:
            raise InputError(f"there is no {role} {place!r}; a place is told as in 'ad25'")
        return found + copy * info.cells

    def put(self, item: Put) -> None:
        """A piece on sites."""
        info, layer = self._layer(item)
        sites = self._sites(item, info, layer)
        said = f"{item.piece!r} at {item.at if item.sites is None else item.sites}"
        if not layer.stacked and any(site in self.s.on[layer.name] for site in sites):
            raise InputError(f"two pieces on one site: {said}")
        if len(set(sites)) != len(sites):
            raise InputError(f"a site is named twice: {said}")
        piece = self.piece(item.piece, layer.component)
        self.s.put(piece, layer.name, tuple(sorted(sites)))

    def _layer(self, item: Put) -> tuple[BoardInfo, Layer]:
        """The layer a piece goes to: the one named, or the one that takes such pieces."""
        layers = [(i, x) for i in self.game.setup.boards.values() for x in i.board.layers]
        if item.layer is not None:
            known = [x.name for _, x in layers]
            for info, layer in layers:
                if item.layer == layer.name:
                    return info, layer
            raise InputError(f"there is no layer {item.layer!r}{_meant(item.layer, known)}")
        for info, layer in layers:
            if self._is_titled(item.piece, layer.component):
                return info, layer
        titles = {
            self.game.presenter.piece(p) for _, x in layers for p in self._pieces(x.component)
        }
        raise InputError(f"no layer takes {item.piece!r}{_meant(item.piece, titles)}")

    def _sites(self, item: Put, info: BoardInfo, layer: Layer) -> list[int]:
        """The sites of an item of `put`."""
        t = SiteT(info.board.name, layer.role, dict(info.board.roles).get(layer.role, layer.role))
        limit = info.copies * info.stride(layer.role)
        named = item.at if item.sites is None else item.sites
        made = []
        for site in named if isinstance(named, list) else [named]:
            numbered = item.sites is not None and isinstance(site, int) and 0 <= site < limit
            read = site if numbered else self.read(site, t)
            assert isinstance(read, int)
            made.append(read)
        if not made:
            raise InputError(f"it says not where: {item.piece!r}")
        return made

    # --------------------------------------------------------------------------- places, variables
    def place(self, label: str, titles: list[Name]) -> None:
        """The pieces of a place, first to last; what else was there from the start is taken out of
        play.
        """
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
        made = []
        for title in titles:
            with self.entry():
                made.append(self.piece(title, place.holds))
        if place.full is False and place.full_by is None:
            for piece in set(self.s.places[key]) - set(made):
                self.s.lift(piece)
        for piece in made:
            self.s.move(piece, key, bottom=True)

    def variable(self, name: str, values: object) -> None:
        """A variable: one value, or values by whose they are."""
        states = self.game.rules_source.states
        if name not in states:
            raise InputError(f"there is no state {name!r}{_meant(name, states)}")
        variable = states[name]
        for whose, value in _pairs(name, values, variable.of is not None):
            with self.entry():
                at = None if variable.of is None else self.read(whose, variable.of)
                found = self.read(value, variable.type)
                # whose it is, is a number, or a pair of them
                self.s.assign(name, at, found)  # type: ignore[arg-type]

    def shown(self, name: str, who: list[Name]) -> None:
        """Who was shown a hidden piece: that of this title which lies hidden."""
        piece = self._hidden(name)
        players = [self.read(p, PLAYER) for p in who]
        self.s.known[piece] = frozenset(p for p in players if isinstance(p, int))

    def _hidden(self, said: str) -> int:
        """A piece by its title and number, or by its title where it lies hidden; `in PLACE` says
        where.
        """
        s, (name, place) = self.s, self._title_and_place(said)
        there = [p for p in self._called(name) if p not in s.known]
        if place:
            there = [p for p in there if self._place_said(s.where[p]) == place]
        if "#" in name and there:
            return there[0]
        hidden = [p for p in there if ONLOOKER not in knowers(s, p)]
        if not hidden:
            none = f"there is none in {place}" if place else "it is told already"
            raise InputError(f"known, {said}: {'it lies open' if there else none}")
        where = sorted({self._place_said(s.where[p]) for p in hidden})
        if len(where) > 1:
            listed = ", ".join(where)
            raise InputError(f"known, {said}: it lies in {listed}; say which, as in '{name} in …'")
        return hidden[0]

    def _title_and_place(self, said: str) -> tuple[str, str]:
        """The title of a piece, and the place after `in`; a title may have an `in` of its own."""
        if self._called(said):
            return said, ""
        name, _, place = said.rpartition(" in ")
        if not self._called(name):
            titles = {self.game.presenter.piece(p) for p in range(len(self.game.setup.pieces))}
            raise InputError(f"there is no piece {said!r}{_meant(said, titles)}")
        return name, place

    def _called(self, name: str) -> list[int]:
        """The pieces of this title, or the one of this title and number."""
        pieces, title = range(len(self.game.setup.pieces)), self.game.presenter.piece
        return [p for p in pieces if name.lower() in (title(p).lower(), f"{title(p).lower()}#{p}")]

    def _place_said(self, at: tuple[object, ...] | None) -> str:
        """A place as data names it; empty for what lies in none."""
        if at is None or len(at) != 2:
            return ""
        name, index = str(at[0]), at[1]
        of = self.game.rules_source.places[name].of
        if index is None or of is None:
            return name
        assert isinstance(index, int | tuple)  # whose it is, is a number, or a pair of them
        return f"{name} of {self.game.presenter.data(index, of, self.s)}"

    # --------------------------------------------------------------------------- what is next
    def begin(self, turn: Turn, flow: bool) -> None:
        """Begin a procedure with its player and the values it asks for besides; or enter the flow
        where it does so.
        """
        name, s = turn.procedure, self.s
        procedures = self.game.rules_source.procedures
        if name not in procedures:
            raise InputError(f"there is no procedure {name!r}{_meant(name, procedures)}")
        more = dict(turn.values)
        values: list[Value] = []
        for param, t in procedures[name].params:
            if param in more:
                values.append(self.read(more.pop(param), t))
            elif t == PLAYER and turn.player is not None:
                values.append(self.read(turn.player, t))
            else:
                raise InputError(f"turn: {name} needs a value for {param}: {t}")
        if more:
            raise InputError(f"turn: {name} takes no {', '.join(more)}")
        s.stack = []
        if flow:
            enter(self.game.machine, s, name, tuple(values))
        else:
            self.game.machine.call(s, name, tuple(values))
        self.game.machine.run(s)


def _pairs(name: str, given: object, many: bool) -> list[tuple[object, object]]:
    """The values of a variable, each with whose it is."""
    if not many:
        match given:
            case [[None, value]]:  # as states write it
                return [(None, value)]
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
