"""Where everything that changes stands in memory: the state of play is one block of bytes.

What follows from a state alone (for which members a variable has which value) is kept behind it,
so that it is copied along; the canonical bytes are those before.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, replace

from interpreter.model.position import Index, Position, empty_position
from interpreter.model.setup import BoardInfo, Key, Setup
from interpreter.native.grounds import Ground, ground_of
from interpreter.native.ir import Ty
from interpreter.native.values import (
    MAX_WORDS,
    TEXTS,
    WORD,
    NotLowered,
    decoded,
    encoded,
    is_index,
    laying_ground,
    scalar_type,
    set_element,
    size_of,
    words_of,
)
from rulelang import core
from rulelang.core.types import (
    NUMBER,
    TRUTH,
    ListT,
    PairT,
    SetT,
    SiteT,
    Type,
    element,
    non_optional,
)
from rulelang.core.values import Value, members
from rulelang.core.values import number as as_number
from rulelang.ruleset import Layer, Place, Ruleset, State

STATUS = 0  # why a module stopped: the kind of fault, where it was, and a number
OUTPUT = 64  # what a question gives: up to so many values
MOST_OUTPUT = 4096
STATE = OUTPUT + 8 * MOST_OUTPUT
SHOWN = 1 << 15  # somebody has been shown this piece
MOST_LISTED = 4 * MAX_WORDS - 1  # members of a list that stands in a state
MOST_INDEXED = 16  # values of a variable, none among them, for which members are kept
MOST_NUMBERS = 7  # of a set of numbers that stands in a state
MOST_SPREAD = 4  # sites that a piece of a stacked layer may lie on


@dataclass(frozen=True)
class Cell:
    """How one value stands in memory: its bytes, and its words if it is a set."""

    bytes: int
    words: int = 0  # of a set
    listed: bool = False  # two bytes for how many there are, and two for each, in as many words
    numbers: bool = False  # the same of a set of numbers

    @property
    def ty(self) -> Ty:
        """The register that a value is held in, or each word of a set."""
        return Ty.I64 if self.bytes >= 8 else Ty.I32

    @property
    def load(self) -> str:
        """The operation that reads a scalar."""
        return {1: "i32.load8_s", 2: "i32.load16_s", 4: "i32.load", 8: "i64.load"}[self.bytes]

    @property
    def store(self) -> str:
        """The operation that writes a scalar."""
        return {1: "i32.store8", 2: "i32.store16", 4: "i32.store", 8: "i64.store"}[self.bytes]

    @property
    def format(self) -> str:
        """The same for `struct`."""
        return {1: "<b", 2: "<h", 4: "<i", 8: "<q"}[self.bytes]


@dataclass(frozen=True)
class Table:
    """A variable: its first byte, how each value stands there, and how many there are.

    `keyed` is the bytes of the sets that are kept for its values, from that of none on, if any.
    """

    offset: int
    cell: Cell
    count: int
    keyed: int = 0

    @property
    def key_words(self) -> int:
        """The words of the set that is kept for one value."""
        return words_of(self.count)


@dataclass(frozen=True)
class Slot:
    """A place in the state for a value that is in scope across parts."""

    offset: int
    type: Type
    cell: Cell


@dataclass(frozen=True)
class Spot:
    """A place: its name and whose it is, and where it stands."""

    key: Key
    offset: int


@dataclass(frozen=True)
class Piled:
    """What lies below each piece of a stacked layer, on each of the sites that it lies on.

    From `below` on there are two bytes for each piece from `first` on and each of its sites: 1 and
    the piece below it there. From `lain` on stand these sites, in order, as 1 and the site; that is
    0 where a piece lies on one site alone, `most` 1.
    """

    below: int
    lain: int
    first: int
    most: int


@dataclass(frozen=True)
class Laid:
    """A layer of a board.

    `at` is two bytes for each site: 1 and the piece there, the topmost of a stack; before the first
    site stands 0. Each copy of the board has a number of its own, as a place has, from `number` on.
    """

    name: str
    component: str
    number: int
    copies: int
    stride: int
    at: int
    ground: Ground
    role: str
    occupied: int = 0
    """Where the set of the sites that bear a piece is kept, if they are few enough."""
    piled: Piled | None = None
    """Of a layer of stacks, how they lie."""

    @property
    def sites(self) -> int:
        """How many sites all copies have together."""
        return self.copies * self.stride


@dataclass(frozen=True)
class Grown:
    """A board that grows: which cells lie there, and of which tiles they are.

    `tiles` is two bytes for each cell, 1 and the tile there, `order` one, the number of the cell on
    its tile, and `laid` four for each tile from `first` on, 1 and how it is laid; before the first
    cell stands 0. Each copy has a number of its own, as a place has, from `number` on.
    """

    name: str
    component: str
    ground: Ground
    number: int
    tiles: int
    order: int
    laid: int
    first: int
    present: int = 0
    """Where the sets of the cells of each copy are kept, and behind them that of all."""

    @property
    def words(self) -> int:
        """The words of a set of its cells."""
        return words_of(self.ground.size("cell"))


@dataclass(frozen=True)
class Rows:
    """For each piece of a component the set of the sites it lies on."""

    at: int
    first: int  # the piece of the first row
    words: int


def numbers_of(part: bytes) -> tuple[int, ...]:
    """The numbers of a list, from its bytes."""
    count = int.from_bytes(part[:2], "little")
    return struct.unpack_from(f"<{count}H", part, 2)


def _few_numbers(numbers: list[int]) -> bytes:
    """The bytes of a set of numbers; raises NotLowered where they are too many or too large."""
    if len(numbers) > MOST_NUMBERS or any(not -(1 << 15) <= one < 1 << 15 for one in numbers):
        raise NotLowered("so many numbers, or so large ones, in one value")
    return struct.pack(f"<h{len(numbers)}h", len(numbers), *numbers)


def spread_layers(rules: Ruleset) -> frozenset[str]:
    """The layers on which a piece may be put on several sites at once."""
    bodies: list[object] = [
        list(rules.events.values()),
        list(rules.procedures.values()),
        rules.flow,
        rules.latches,
        [r.body for r in rules.reactions],
        rules.extensions,
    ]
    puts = (node for node in core.walk(bodies) if isinstance(node, core.Put))
    return frozenset(p.layer for p in puts if element(non_optional(p.sites.type)) is not None)


class Layout:
    """The places of all that changes in the games of one setup."""

    def __init__(self, setup: Setup) -> None:
        """Variables come first; slots are added while control is lowered."""
        self.setup = setup
        self.end = STATE
        self.point = self.take(4)  # which decision is open
        self.ended = self.take(4)  # 0, or 1 and the number of the end
        self.dirty = self.take(4)
        self.seed, self.stream, self.drawn = (self.take(8) for _ in range(3))
        self.fork = self.take(4)  # 0, or by which statement players decide at once
        self.rounds = self.take(8)
        self.moves = self.take(8)
        self.ever = self.take(8 * words_of(len(setup.rules.latches)))
        self.tables = {state.name: self._table(state) for state in setup.rules.states.values()}
        self._places()
        self._layers()
        self._keys()

    def take(self, size: int) -> int:
        """The first byte of so many that nothing else uses, at a multiple of their size up to 8."""
        align = min(8, size)
        self.end = -(-self.end // align) * align
        at, self.end = self.end, self.end + size
        return at

    def cell(self, t: Type) -> Cell:
        """How a value of a type stands in memory."""
        if t == NUMBER:
            return Cell(8)
        if non_optional(t) in TEXTS:
            raise NotLowered(f"a variable of the type {t}")
        if scalar_type(t) is not None or laying_ground(self.setup, non_optional(t)) is not None:
            size = 2 if non_optional(t) == TRUTH else size_of(self.setup, non_optional(t))
            return Cell(1 if size < 1 << 7 else 2 if size < 1 << 15 else 4)
        item = set_element(t)
        if item is not None:
            words = words_of(size_of(self.setup, item))
            return Cell(8 * words, words)
        if t == SetT(NUMBER):
            return Cell(2 * (1 + MOST_NUMBERS), numbers=True)
        if isinstance(t, ListT) and is_index(t.of) and size_of(self.setup, t.of) < 1 << 16:
            return Cell(8 * MAX_WORDS, MAX_WORDS, listed=True)
        raise NotLowered(f"a variable of the type {t}")

    def _table(self, state: State) -> Table:
        if isinstance(state.of, PairT):
            raise NotLowered("a variable of pairs", state.clause)
        count = 1 if state.of is None else size_of(self.setup, state.of)
        try:
            cell = self.cell(state.type)
        except NotLowered as found:
            raise NotLowered(found.construct, state.clause) from None
        if cell.listed:
            raise NotLowered(f"a variable of the type {state.type}", state.clause)
        return Table(self.take(max(8, count * cell.bytes)), cell, count)

    def _places(self) -> None:
        """An array for each place, and for each piece where it is and who was shown it."""
        self.places: list[Spot] = []
        self.first_place: dict[str, int] = {}
        for key in empty_position(self.setup, 0).places:
            self.first_place.setdefault(key[0], len(self.places) + 1)
            size = 4 + 2 * self.capacity(self.setup.rules.places[key[0]])
            self.places.append(Spot(key, self.take(-(-size // 8) * 8)))
        pieces = len(self.setup.pieces)
        self.where, self.known = (self.take(8 * (1 + pieces // 4)) for _ in range(2))
        self.piece_words = words_of(pieces)

    def _layers(self) -> None:
        """What lies on each site of a layer, and for each piece where it lies."""
        self.layers: dict[str, Laid] = {}
        self.rows: dict[str, Rows] = {}
        self.grown: dict[str, Grown] = {}
        self.spot = 0
        self.numbers = len(self.places) + 1  # of places and layers, that of nowhere among them
        spread = spread_layers(self.setup.rules)
        for info in self.setup.boards.values():
            if info.board.grown_from is not None:
                self._growing(info, info.board.grown_from)
            for layer in info.board.layers:
                self._layer(ground_of(info), layer, layer.name in spread)

    def _layer(self, ground: Ground, layer: Layer, spread: bool) -> None:
        count = ground.size(layer.role)
        if max(count, len(self.setup.pieces)) >= 1 << 16:
            return
        first, stride = self.numbers, ground.stride(layer.role)
        self.numbers += ground.copies
        if not self.spot:
            self.spot = self.take(8 * (1 + len(self.setup.pieces) // 4))
        at = 8 + self.take(8 * (2 + count // 4))
        made = Laid(
            layer.name, layer.component, first, ground.copies, stride, at, ground, layer.role
        )
        if layer.stacked:
            made = replace(made, piled=self._piled(layer, spread))
        self.layers[layer.name] = made
        pieces = self.setup.by_component.get(layer.component, ())
        if spread and pieces and not layer.stacked and layer.component not in self.rows:
            words = words_of(count)
            rows = self.take(8 * words * (1 + max(pieces) - min(pieces)))
            self.rows[layer.component] = Rows(rows, min(pieces), words)

    def _piled(self, layer: Layer, spread: bool) -> Piled:
        """Where it stands how the stacks of a layer lie."""
        pieces = self.setup.by_component.get(layer.component, ()) or (0,)
        most = MOST_SPREAD if spread else 1
        size = 8 * (1 + most * (1 + max(pieces) - min(pieces)) // 4)
        return Piled(self.take(size), self.take(size) if spread else 0, min(pieces), most)

    def _growing(self, info: BoardInfo, component: str) -> None:
        """A board that grows, where there is room for it."""
        ground, pieces = ground_of(info), self.setup.by_component.get(component, ())
        if not ground.roomy:
            raise NotLowered("a board that grows for so many players", info.board.clause)
        count, first = ground.size("cell"), min(pieces, default=0)
        self.grown[info.board.name] = Grown(
            info.board.name,
            component,
            ground,
            self.numbers,
            8 + self.take(8 * (2 + count // 4)),
            8 + self.take(8 * (2 + count // 8)),
            self.take(8 * (1 + (max(pieces, default=0) - first) // 2)),
            first,
        )
        self.numbers += ground.copies

    def layers_of(self, component: str) -> list[Laid]:
        """The layers that may bear pieces of a component; raises NotLowered if one is not kept."""
        found = []
        for board in self.setup.rules.boards.values():
            for layer in board.layers:
                if layer.component == component:
                    found.append(self.layer(layer.name))
        return found

    def layer(self, name: str) -> Laid:
        """A layer; raises NotLowered if it is not kept."""
        if name not in self.layers:
            board = self.setup.boards[self.setup.layer_board[name]].board
            raise NotLowered("a layer of so many sites", board.clause)
        return self.layers[name]

    def spread(self, component: str) -> Rows | None:
        """Where the sites of a component's pieces stand; none if each lies on one at most."""
        if component in self.rows and len(self.layers_of(component)) > 1:
            raise NotLowered(f"pieces that lie on several sites of several layers: {component}")
        return self.rows.get(component)

    def capacity(self, place: Place) -> int:
        """How many pieces can lie in a place."""
        return len(self.setup.by_component.get(place.holds, ()))

    def _keys(self) -> None:
        """Keep the members for each value of small variables; behind all that is canonical."""
        self.canonical = self.end
        self.held = self.take(8 * self.piece_words * self.numbers)
        for name, layer in self.layers.items():
            if words_of(layer.sites) <= MAX_WORDS:
                occupied = self.take(8 * words_of(layer.sites))
                self.layers[name] = replace(layer, occupied=occupied)
        for name, board in self.grown.items():
            present = self.take(8 * board.words * (1 + board.ground.copies))
            self.grown[name] = replace(board, present=present)
        for name, table in self.tables.items():
            state = self.setup.rules.states[name]
            inner = non_optional(state.type)
            if state.of is None or table.cell.words or not (inner == TRUTH or is_index(inner)):
                continue
            values = self.values_of(name)
            if values <= MOST_INDEXED and table.key_words <= MAX_WORDS:
                at = self.take(8 * (values + 1) * table.key_words)  # the last is always empty
                self.tables[name] = Table(table.offset, table.cell, table.count, at)

    def values_of(self, name: str) -> int:
        """How many values a variable of indices or truths may have, none among them."""
        inner = non_optional(self.setup.rules.states[name].type)
        return 3 if inner == TRUTH else 1 + size_of(self.setup, inner)

    @property
    def size(self) -> int:
        """The bytes of a state, with what follows from it."""
        return self.end - STATE

    # -------------------------------------------------------------------------------- positions
    def encode(self, s: Position, size: int) -> bytes:
        """The bytes of a position in which nobody has decided anything yet."""
        raw = bytearray(size)
        self.encode_into(raw, s)
        return bytes(raw)

    def encode_into(self, raw: bytearray, s: Position) -> None:
        """Write what variables are, what lies in places and who knows what."""
        for offset, number in ((self.seed, s.seed), (self.stream, s.stream), (self.drawn, s.drawn)):
            struct.pack_into("<q", raw, offset - STATE, number)
        for name, table in self.tables.items():
            self._encode_table(raw, s, name, table)
        for number, spot in enumerate(self.places, 1):
            self._encode_place(raw, s, number, spot)
        for piece, who in s.known.items():
            mask = SHOWN | sum(1 << player for player in who)
            struct.pack_into("<H", raw, self.known - STATE + 2 * piece, mask)

    def seeded(self, raw: bytearray, seed: int) -> None:
        """Give a state's bytes a seed."""
        struct.pack_into("<q", raw, self.seed - STATE, seed)

    def _encode_place(self, raw: bytearray, s: Position, number: int, spot: Spot) -> None:
        pieces = s.places[spot.key]
        if self.setup.rules.places[spot.key[0]].ordered:
            pieces = pieces[::-1]
        at = spot.offset - STATE
        struct.pack_into(f"<i{len(pieces)}H", raw, at, len(pieces), *pieces)
        for piece in pieces:
            struct.pack_into("<H", raw, self.where - STATE + 2 * piece, number)
            byte = self.held - STATE + 8 * self.piece_words * number + piece // 8
            raw[byte] |= 1 << piece % 8

    def _decode_places(self, raw: bytes, s: Position) -> None:
        s.where = [None] * len(self.setup.pieces)
        for spot in self.places:
            at = spot.offset - STATE
            (count,) = struct.unpack_from("<i", raw, at)
            pieces = struct.unpack_from(f"<{count}H", raw, at + 4)
            ordered = self.setup.rules.places[spot.key[0]].ordered
            s.places[spot.key] = pieces[::-1] if ordered else pieces
            for piece in pieces:
                s.where[piece] = spot.key
        for layer in self.layers.values():
            self._decode_layer(raw, s, layer)
        for board in self.grown.values():
            self._decode_grown(raw, s, board)
        for piece in range(len(self.setup.pieces)):
            (mask,) = struct.unpack_from("<H", raw, self.known - STATE + 2 * piece)
            if mask:
                players = range(self.setup.players)
                s.known[piece] = frozenset(p for p in players if mask >> p & 1)

    def _decode_layer(self, raw: bytes, s: Position, layer: Laid) -> None:
        there = struct.unpack_from(f"<{layer.sites}H", raw, layer.at - STATE)
        lying: dict[int, tuple[int, ...]] = {}
        for number, held in enumerate(there):
            site = layer.ground.site(layer.role, number) if held else -1
            while held:
                s.on[layer.name][site] = (held - 1, *s.on[layer.name].get(site, ()))
                lying[held - 1] = (*lying.get(held - 1, ()), site)
                held = self._below(raw, layer.piled, held - 1, number)
        for piece, sites in lying.items():
            s.where[piece] = ("on", layer.name, sites)

    def _below(self, raw: bytes, piled: Piled | None, piece: int, site: int) -> int:
        """1 and the piece below another on a site, 0 if there is none."""
        if piled is None:
            return 0
        row = 2 * piled.most * (piece - piled.first)
        for at in range(row, row + 2 * piled.most, 2):
            if not piled.lain or self.number(raw, piled.lain + at, 2) == site + 1:
                return self.number(raw, piled.below + at, 2)
        return 0

    def _decode_grown(self, raw: bytes, s: Position, board: Grown) -> None:
        for piece in self.setup.by_component.get(board.component, ()):
            held = self.number(raw, board.laid + 4 * (piece - board.first))
            if held:
                cells = board.ground.cells_of(held - 1)
                s.where[piece] = ("tile", board.name, cells)
                for number, cell in enumerate(cells, 1):
                    s.tiles[board.name][cell] = (piece, number)

    def _encode_table(self, raw: bytearray, s: Position, name: str, table: Table) -> None:
        state = self.setup.rules.states[name]
        for number in range(table.count):
            value = self._value(s, name, number)
            at = table.offset - STATE + number * table.cell.bytes
            raw[at : at + table.cell.bytes] = self.packed(state.type, table.cell, value)
            if table.keyed:
                known = encoded(self.setup, state.type, value)
                word = (known + 1) * table.key_words + number // WORD
                place = table.keyed - STATE + 8 * word
                kept = int.from_bytes(raw[place : place + 8], "little") | 1 << number % WORD
                raw[place : place + 8] = kept.to_bytes(8, "little")

    def packed(self, t: Type, cell: Cell, value: Value) -> bytes:
        """The bytes of a value; raises NotLowered where there is no room for it."""
        if not (cell.numbers or cell.listed or cell.words):
            return struct.pack(cell.format, encoded(self.setup, t, value))
        held = members(value)
        if cell.numbers:
            return _few_numbers(sorted(map(as_number, held))).ljust(cell.bytes, b"\0")
        item = element(t)
        assert item is not None
        numbers = [encoded(self.setup, item, member) for member in held]
        if not cell.listed:
            return sum(1 << one for one in numbers).to_bytes(cell.bytes, "little")
        if len(numbers) > MOST_LISTED:
            raise NotLowered("a list of so many members")
        return struct.pack(f"<H{len(numbers)}H", len(numbers), *numbers).ljust(cell.bytes, b"\0")

    def _value(self, s: Position, name: str, number: int) -> Value:
        index = self._index(self.setup.rules.states[name], number)
        return s.vars[name].get(index, self.setup.defaults[name])

    def _index(self, state: State, number: int) -> Index:
        """Whose value of a variable stands in a row of it."""
        if isinstance(state.of, SiteT):
            found = decoded(self.setup, state.of, number)
            return found if isinstance(found, int) else None
        return None if state.of is None else number

    def variables(self, raw: bytes) -> Iterator[tuple[str, Index, Value]]:
        """The variables of a state's bytes: name, whose, and the value."""
        for name, table in self.tables.items():
            state = self.setup.rules.states[name]
            for number in range(table.count):
                at = table.offset - STATE + number * table.cell.bytes
                part = raw[at : at + table.cell.bytes]
                index = self._index(state, number)
                yield name, index, self._decoded(state.type, table.cell, part)

    def _decoded(self, t: Type, cell: Cell, part: bytes) -> Value:
        if cell.listed and isinstance(t, ListT):
            numbers = numbers_of(part)
            return tuple(decoded(self.setup, t.of, number) for number in numbers)
        if cell.numbers:
            (count,) = struct.unpack_from("<h", part)
            return frozenset(struct.unpack_from(f"<{count}h", part, 2))
        if cell.words:
            whole = int.from_bytes(part, "little")
            item = set_element(t)
            assert item is not None
            members = (n for n in range(cell.bytes * 8) if whole >> n & 1)
            return frozenset(decoded(self.setup, item, n) for n in members)
        (number,) = struct.unpack(cell.format, part)
        return decoded(self.setup, t, number)

    def in_slot(self, raw: bytes, slot: Slot) -> Value:
        """The value in a slot of a state's bytes."""
        at = slot.offset - STATE
        return self._decoded(slot.type, slot.cell, raw[at : at + slot.cell.bytes])

    def decode(self, raw: bytes) -> Position:
        """The position of a state's bytes, without what is still to be done."""
        s = empty_position(self.setup, self.number(raw, self.seed, 8))
        s.stream, s.drawn = self.number(raw, self.stream, 8), self.number(raw, self.drawn, 8)
        self._decode_places(raw, s)
        for name, index, value in self.variables(raw):
            s.assign(name, index, value)
        s.rounds = self.number(raw, self.rounds, 8)
        ever = self.number(raw, self.ever, 8 * words_of(len(self.setup.rules.latches)))
        names = (latch.name for latch in self.setup.rules.latches)
        s.ever = frozenset(name for at, name in enumerate(names) if ever >> at & 1)
        return s

    def number(self, raw: bytes, offset: int, size: int = 4) -> int:
        """A number of a state's bytes."""
        return int.from_bytes(raw[offset - STATE : offset - STATE + size], "little", signed=True)
