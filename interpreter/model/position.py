"""The changing side of a game: a position, as numbers in small containers.

The interpreter edits a position in place; at the border it is a value.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from interpreter.model.setup import Key, Setup
from interpreter.model.tally import Tally
from interpreter.model.values import absent
from rulelang.builtins.world import Whereabouts
from rulelang.core.types import PLAYER
from rulelang.core.values import Value, members, number, number_or_none, text
from rulelang.ruleset import Place, State

# Whose value of a variable: a player, site, piece or member of a kind, or a pair of these; or none.
Index: TypeAlias = "int | tuple[Value, ...] | None"
# The log: the last line, and the log before it.
Log: TypeAlias = "tuple[Entry, Log] | tuple[()]"


class OfPlayers(dict[Index, Value]):
    """A variable's value for each player; raises Fault if asked for one who does not play."""

    def __missing__(self, player: Index) -> Value:
        assert isinstance(player, int), "a variable of players has no value of none"
        raise absent(player, len(self))

    def copy(self) -> OfPlayers:
        """An independent copy."""
        return OfPlayers(self)


class Dice(Protocol):
    """Chance that comes from outside the position."""

    def throw(self, n: int) -> int:
        """A number below n."""


@dataclass
class Block:
    """An open block of statements: which body, how far, and what its loop still has to do."""

    body: int
    pc: int = 0
    kind: str = ""  # "" | "each" | "while" | "times" | "forever" | "maximize"
    data: tuple[Value, ...] = ()


@dataclass
class Activation:
    """A running procedure: its values by name and its open blocks.

    `result` is the name its caller gives its result.
    """

    name: str
    env: dict[str, Value]
    blocks: list[Block]
    result: str | None = None
    given: Value = None

    def copy(self) -> Activation:
        """An independent copy."""
        blocks = [Block(b.body, b.pc, b.kind, b.data) for b in self.blocks]
        return Activation(self.name, dict(self.env), blocks, self.result, self.given)


@dataclass(frozen=True)
class Entry:
    """A line of the log: what happened, with values, and the score tables that were worked out.

    `seen` is who may know of it (none: all). What a line tells is settled when it is written: a
    piece shown or hidden later does not change what was said of it.
    """

    kind: str
    name: str
    args: tuple[tuple[str, Value], ...] = ()
    totals: tuple[Tally, ...] = ()
    seen: frozenset[int] | None = None
    player: int | None = None
    secret: tuple[tuple[int, frozenset[int]], ...] = ()
    """Pieces that not everybody knew then, with those who did."""
    readers: tuple[frozenset[int] | None, ...] = ()
    """For each table who may be told of it (none: all)."""

    def pieces(self) -> tuple[int, ...]:
        """The pieces that were drawn or shown."""
        return tuple(map(number, members(dict(self.args)["pieces"])))

    def place(self, name: str) -> Key:
        """The place that pieces were drawn "from" or "to"."""
        place, whose = members(dict(self.args)[name])
        return text(place), number_or_none(whose)

    def open_to(self, viewer: int, pieces: Iterable[int]) -> bool:
        """Did the viewer know all these pieces when this was written?"""
        closed = dict(self.secret)
        return all(viewer in closed.get(piece, (viewer,)) for piece in pieces)

    def told_to(self, viewer: int) -> tuple[Tally, ...]:
        """The tables the viewer may be told of."""
        who = self.readers or (None,) * len(self.totals)
        return tuple(
            t
            for t, readers in zip(self.totals, who, strict=True)
            if readers is None or viewer in readers
        )


@dataclass
class Position:
    """What a game has come to; `copy` shares nothing that can change."""

    setup: Setup
    vars: dict[str, dict[Index, Value]] = field(default_factory=dict)
    places: dict[Key, tuple[int, ...]] = field(default_factory=dict)
    where: list[Whereabouts] = field(
        default_factory=list
    )  # piece -> place key, ("on", layer, sites), or none
    on: dict[str, dict[int, tuple[int, ...]]] = field(default_factory=dict)
    tiles: dict[str, dict[int, tuple[int, int]]] = field(
        default_factory=dict
    )  # board -> cell -> tile and its cell's number
    known: dict[int, frozenset[int]] = field(
        default_factory=dict
    )  # hidden pieces somebody has been shown
    seed: int = 0
    stream: int = 0
    drawn: int = 0
    stack: list[Activation] = field(default_factory=list)
    branches: dict[int, Position] = field(default_factory=dict)
    commits: dict[int, tuple[Value, ...]] = field(default_factory=dict)
    ever: frozenset[str] = frozenset()
    ended: str | None = None
    moves: int = 0
    rounds: int = 0  # how many rounds were finished
    log: Log = ()  # linked list: (entry, rest)
    learned: bool = False  # has this step shown anybody something new
    dirty: bool = False
    memos: dict[int, dict[Hashable, Value]] = field(
        default_factory=dict
    )  # results by what they read; shared by copies until it changes
    geometry: dict[Hashable, object] = field(
        default_factory=dict
    )  # what follows from the tiles alone; shared by copies until one changes
    before: Position | None = None  # before the event that is being answered
    actor: int | None = None  # who made the choice that is being carried out
    dice: Dice | None = None  # whence chance comes, if not from the seed

    def copy(self) -> Position:
        """An independent copy; the log is shared, being a linked list of frozen entries."""
        return Position(
            self.setup,
            {k: v.copy() for k, v in self.vars.items()},
            dict(self.places),
            list(self.where),
            {k: dict(v) for k, v in self.on.items()},
            {k: dict(v) for k, v in self.tiles.items()},
            dict(self.known),
            self.seed,
            self.stream,
            self.drawn,
            [a.copy() for a in self.stack],
            {k: v.copy() for k, v in self.branches.items()},
            dict(self.commits),
            self.ever,
            self.ended,
            self.moves,
            self.rounds,
            self.log,
            self.learned,
            self.dirty,
            dict(self.memos),
            self.geometry,
            None,
            self.actor,
            self.dice,
        )

    # -------------------------------------------------------------------------------- changing
    def touch(self, *sources: str) -> None:
        """Drop the results that were worked out from these sources, or, if none is named, all.

        Sources are named as `MemoKeys` says.
        """
        self.dirty = True
        if not sources:
            self.memos = {}
            return
        memos = self.memos
        for key in memos.keys() & self.setup.memo_keys.readers(sources):
            del memos[key]

    def memo(self, key: int) -> dict[Hashable, Value]:
        """The results memoised under a key of `Setup.memo_keys`."""
        found = self.memos.get(key)
        if found is None:
            found = self.memos[key] = {}
        return found

    def assign(self, state: str, index: Index, value: Value) -> None:
        """Give a variable a value; raises Fault if it is that of a player who does not play."""
        table = self.vars[state]
        if isinstance(table, OfPlayers) and index not in table:
            table.__missing__(index)
        if value == self.setup.defaults[state] and state not in self.setup.whole:
            table.pop(index, None)  # one way to write each position: equal ones are equal
        else:
            table[index] = value
        self.touch(f"state:{state}")

    def lift(self, piece: int) -> None:
        """Take a piece from where it is."""
        at = self.where[piece]
        if at is None:
            return
        if len(at) == 2:
            self.touch("where", f"place:{at[0]}")
            self.places[at] = tuple(p for p in self.places[at] if p != piece)
        elif at[0] == "on":
            self.touch("where", f"layer:{at[1]}")
            layer = self.on[at[1]]
            for site in at[2]:
                rest = tuple(p for p in layer[site] if p != piece)
                if rest:
                    layer[site] = rest
                else:
                    del layer[site]
        else:
            self.touch("where", "tiles")
            self.geometry = {}
            cells = self.tiles[at[1]]
            for cell in at[2]:
                cells.pop(cell, None)
        self.where[piece] = None
        self.known.pop(piece, None)

    def move(self, piece: int, key: Key, bottom: bool = False) -> None:
        """Put a piece in a place: on top of an ordered one, or at its bottom; elsewhere last."""
        self.lift(piece)
        place = self.setup.rules.places[key[0]]
        old = self.places.get(key, ())
        self.places[key] = (*old, piece) if bottom or not place.ordered else (piece, *old)
        self.where[piece] = key
        self.touch("where", f"place:{key[0]}")

    def put(self, piece: int, layer: str, sites: tuple[int, ...]) -> None:
        """Put a piece on sites of a layer, on top of what lies there."""
        self.lift(piece)
        cells = self.on[layer]
        for site in sites:
            cells[site] = (*cells.get(site, ()), piece)
        self.where[piece] = ("on", layer, sites)
        self.touch("where", f"layer:{layer}")

    def lay(self, piece: int, board: str, cells: tuple[int, ...]) -> None:
        """Lay a tile: its cells, in its own order, become cells of the board."""
        self.lift(piece)
        for index, cell in enumerate(cells, 1):
            self.tiles[board][cell] = (piece, index)
        self.where[piece] = ("tile", board, cells)
        self.geometry = {}
        self.touch("where", "tiles")

    def random(self, n: int) -> int:
        """A number below n from (seed, stream, counter): the same wherever it is drawn."""
        self.drawn += 1
        if self.dice is not None:
            return self.dice.throw(n)
        raw = hashlib.blake2b(
            f"{self.seed}|{self.stream}|{self.drawn}".encode(), digest_size=8
        ).digest()
        return int.from_bytes(raw, "big") % n

    def note(self, entry: Entry) -> None:
        """Write a line of the log."""
        self.log = (entry, self.log)

    # -------------------------------------------------------------------------------- looking
    def entries(self) -> list[Entry]:
        """The log, oldest first."""
        found: list[Entry] = []
        rest = self.log
        while rest:
            found.append(rest[0])
            rest = rest[1]
        return found[::-1]

    def present(self, board: str, copy: int = 0) -> frozenset[int]:
        """The cells a board has now, numbered within one copy of it.

        Raises Fault if the copy is that of a player who does not play.
        """
        info = self.setup.boards[board]
        key = ("present", board, copy)
        found = self.geometry.get(key)
        if not isinstance(found, frozenset):
            low = info.seated(copy) * info.cells
            if info.board.grown_from is None:
                found = frozenset(range(info.cells))
            else:
                found = frozenset(c - low for c in self.tiles[board] if low <= c < low + info.cells)
            self.geometry[key] = found
        return found

    def changed(self, name: str) -> list[tuple[Index, Value]]:
        """The members of a variable whose value is not the one it began with."""
        default = self.setup.defaults[name]
        return [(index, value) for index, value in self.vars[name].items() if value != default]

    def canonical(self) -> tuple[object, ...]:
        """Everything that matters for what can happen next, as nested tuples in a fixed order."""
        stack = tuple(
            (
                a.name,
                tuple(sorted((k, frozen(v)) for k, v in a.env.items())),
                tuple((b.body, b.pc, b.kind, frozen(b.data)) for b in a.blocks),
                a.result,
                frozen(a.given),
            )
            for a in self.stack
        )
        return (
            tuple(
                sorted(
                    (name, tuple(sorted(((_index(i), frozen(v)) for i, v in values))))
                    for name, values in ((n, self.changed(n)) for n in self.vars)
                )
            ),
            tuple(sorted(((k[0], _index(k[1])), v) for k, v in self.places.items() if v)),
            tuple(
                sorted((layer, tuple(sorted(cells.items()))) for layer, cells in self.on.items())
            ),
            tuple(
                sorted((board, tuple(sorted(cells.items()))) for board, cells in self.tiles.items())
            ),
            tuple(sorted((p, tuple(sorted(who))) for p, who in self.known.items())),
            (self.seed, self.stream, self.drawn),
            stack,
            tuple(sorted((p, b.canonical()) for p, b in self.branches.items())),
            tuple(sorted((p, frozen(c)) for p, c in self.commits.items())),
            tuple(sorted(self.ever)),
            self.ended or "",
        )

    def digest(self) -> str:
        """A hash of the canonical position: equal positions, equal digests, on any machine."""
        return hashlib.sha256(repr(self.canonical()).encode()).hexdigest()


def index_of(value: Value) -> Index:
    """A value that says whose value of a variable is meant."""
    return value if isinstance(value, tuple) else number_or_none(value)


def _index(index: Index) -> int | tuple[Value, ...]:
    return -1 if index is None else index


def frozen(value: object) -> object:
    """A value whose text is the same whatever order its sets were built in."""
    if isinstance(value, frozenset):
        return ("set", *sorted((frozen(v) for v in value), key=repr))
    if isinstance(value, tuple):
        return tuple(frozen(v) for v in value)
    return value


def exact(value: Value, members: Iterable[Value]) -> Value:
    """The member that a value is, alike all through (1 is not true); none if there is none."""
    found = next((member for member in members if member == value), None)
    return found if found is not None and repr(frozen(found)) == repr(frozen(value)) else None


def empty_position(setup: Setup, seed: int) -> Position:
    """A position with every piece where it starts and nothing else done."""
    rules = setup.rules
    s = Position(setup, seed=seed, where=[None] * len(setup.pieces))
    s.vars = {state.name: _first_values(setup, state) for state in rules.states.values()}
    for board in rules.boards.values():
        for layer in board.layers:
            s.on[layer.name] = {}
        if board.grown_from is not None:
            s.tiles[board.name] = {}
    for place in rules.places.values():
        indices: list[int | None] = [None] if place.of is None else list(setup.members(place.of))
        for index in indices:
            s.places[(place.name, index)] = ()
    for place in rules.places.values():
        for piece in setup.by_component.get(place.holds, ()):
            key = _begins_at(setup, place, piece)
            if key in s.places and s.where[piece] is None:
                s.places[key] += (piece,)
                s.where[piece] = key
    return s


def _first_values(setup: Setup, state: State) -> dict[Index, Value]:
    whose, default = setup.whole.get(state.name, ()), setup.defaults[state.name]
    values: dict[Index, Value] = dict.fromkeys(whose, default)
    return OfPlayers(values) if state.of == PLAYER else values


def _begins_at(setup: Setup, place: Place, piece: int) -> Key | None:
    """Where a piece lies at first if this place holds it then; none if it begins elsewhere."""
    if place.full:
        return place.name, None if place.of is None else setup.pieces[piece].owner
    if place.full_by is not None:
        return place.name, number_or_none(setup.fields[place.full_by][piece])
    return None
