"""What a player may know as a tensor of fixed shape, in named parts bounded by the pieces.

A tensor is given as the numbers in it that are not 0, by their places, so that it costs what lies
on the table, and needs no library.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from interpreter.environments.bounds import MOST_NUMBERS, Unbounded
from interpreter.environments.numbering import Numbering
from interpreter.game.game import Game, State
from interpreter.game.views import knows_variable
from interpreter.model.position import Index, Position
from interpreter.model.setup import Key
from interpreter.model.visibility import knowers, may_know, score_readers
from rulelang.core.types import NUMBER, PLAYER, TRUTH, KindT, OptionalT, PairT, PieceT, SiteT, Type
from rulelang.core.types import element as element_of
from rulelang.core.values import Value, number, numbers
from rulelang.ruleset import Place

Sparse = dict[int, float]


@dataclass(frozen=True)
class Part:
    """A named part of a tensor: its shape, where it begins, and what its numbers say."""

    name: str
    shape: tuple[int, ...]
    first: int
    says: str

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return math.prod(self.shape)


class Layout:
    """The parts of the tensors of one game, and the tensor of what a player knows in a state."""

    def __init__(self, game: Game, numbering: Numbering | None = None) -> None:
        """Without a numbering nothing is told of what a player has just chosen.

        Raises Unbounded naming what has no bound.
        """
        self.game, self.setup = game, game.setup
        self.parts: list[Part] = []
        self._classes = {
            name: {
                c: n for n, c in enumerate(dict.fromkeys(self.setup.twin[piece] for piece in held))
            }
            for name, held in self.setup.by_component.items()
        }
        held = self.setup.by_component.values()
        self._ranks = {piece: rank for pieces in held for rank, piece in enumerate(pieces)}
        self._backs = {place.name: self._backs_of(place) for place in self._places()}
        self._decisions = numbering.decisions if numbering is not None else ()
        self._add_parts(numbering)
        self._by_name = {part.name: part for part in self.parts}
        self.size = sum(part.size for part in self.parts)
        if self.size > MOST_NUMBERS:
            largest = max(self.parts, key=lambda part: part.size)
            raise Unbounded(
                f"{game.id} has no tensors: {largest.name} alone takes {largest.size} numbers of "
                f"{self.size}, and {MOST_NUMBERS} are the most"
            )

    # ------------------------------------------------------------------------------- the layout
    def _add_parts(self, numbering: Numbering | None) -> None:
        game, players = self.game, self.game.players
        self._part("player", (players,), "who looks on: 1 at the player")
        self._part("deciding", (players,), "who is to decide, as far as the player may know")
        if numbering is not None:
            self._part("decision", (len(self._decisions),), "which decision is open to the player")
            self._part("chosen", (numbering.count,), "the actions of his move under way")
        self._part("scores", (players,), "the first line of the ranking, where it is open to him")
        for place in self._places():
            self._add_place(place)
        for board in game.rules_source.boards.values():
            self._add_board(board.name)
        for state in game.rules_source.states.values():
            width = self._width(state.type, f"the variable {state.name}")
            if state.visibility != "hidden":
                told = "its value for each it is of; 0 where the player may not know it"
                self._part(f"state {state.name}", (*self._members(state.of), width), told)

    def _part(self, name: str, shape: tuple[int, ...], says: str) -> None:
        last = self.parts[-1] if self.parts else None
        self.parts.append(Part(name, shape, last.first + last.size if last else 0, says))

    def _places(self) -> Iterable[Place]:
        return self.game.rules_source.places.values()

    def _backs_of(self, place: Place) -> dict[tuple[str, ...], int]:
        """The backs that pieces in a place may show, numbered."""
        held = self.setup.by_component.get(place.holds, ())
        return {b: n for n, b in enumerate(dict.fromkeys(self._back(place, p) for p in held))}

    def _back(self, place: Place, piece: int) -> tuple[str, ...]:
        return tuple(repr(self.setup.fields[name][piece]) for name in place.shows)

    def _add_place(self, place: Place) -> None:
        whose = self._members(place.of)
        known, backs = len(self._classes[place.holds]), len(self._backs[place.name])
        if place.ordered:
            told = "for each design the sum of 1 / depth over the pieces known there, 1 on top"
        else:
            told = "for each design how many pieces are known there"
        self._part(f"place {place.name}", (*whose, known), told)
        unknown = "how many pieces lie there that are not known, for each back"
        self._part(f"backs in {place.name}", (*whose, backs), unknown)

    def _add_board(self, name: str) -> None:
        info = self.setup.boards[name]
        for layer in info.board.layers:
            shape = (info.copies * info.stride(layer.role), len(self._classes[layer.component]))
            told = "for each site and design the sum of 1 / depth, 1 on top"
            self._part(f"layer {layer.name}", shape, told)
        if info.board.grown_from is not None:
            shape = (info.copies * info.cells, len(self._classes[info.board.grown_from]))
            told = "for each cell and tile the number of the tile's cell that is there"
            self._part(f"tiles of {name}", shape, told)

    def _members(self, t: Type | None) -> tuple[int, ...]:
        """The shape of the members of a type; of a pair both sizes."""
        if t is None:
            return ()
        if isinstance(t, PairT):
            parts = self.setup.rules.pairs[t.name].parts
            return tuple(size for _, part in parts for size in self._members(part))
        return (len(self.setup.members(t)),)

    def _width(self, t: Type, what: str) -> int:
        """How many numbers a value of a type takes."""
        if isinstance(t, OptionalT):
            t = t.of
        inner = element_of(t)
        if inner is not None and inner != t:
            return self._width_of_set(inner, what)
        if isinstance(t, PairT):
            return sum(self._width(part, what) for _, part in self.setup.rules.pairs[t.name].parts)
        if t == PLAYER or isinstance(t, KindT):
            return len(self.setup.members(t))
        if t in (NUMBER, TRUTH) or isinstance(t, PieceT | SiteT):
            return 1
        raise Unbounded(f"{self.game.id} has no tensors: {what} is a {t}")

    def _width_of_set(self, inner: Type, what: str) -> int:
        if inner == PLAYER or isinstance(inner, KindT | PieceT | SiteT):
            return len(self.setup.members(inner))
        if inner == NUMBER:
            return 2
        raise Unbounded(f"{self.game.id} has no tensors: {what} is a set of {inner}")

    # ------------------------------------------------------------------------------- the numbers
    def observation(self, state: State, viewer: int, chosen: Iterable[int] = ()) -> Sparse:
        """What a player knows in a state; `chosen` are the actions of his move under way."""
        s = state.seen_by(viewer)
        found: Sparse = {self._first("player") + viewer: 1.0}
        for spec in state.specs:
            if spec.seat is None or spec.player == viewer:
                found[self._first("deciding") + spec.player] = 1.0
            if self._decisions and spec.player == viewer:
                found[self._first("decision") + self._decisions.index((spec.mode, spec.name))] = 1.0
        for action in chosen:
            found[self._first("chosen") + action] = 1.0
        self._scores(found, state, s, viewer)
        for key, pieces in s.places.items():
            self._place(found, s, viewer, key, pieces)
        for name in self.setup.boards:
            self._board(found, s, name)
        for name, variable in self.game.rules_source.states.items():
            if variable.visibility != "hidden":
                self._variable(found, s, viewer, name)
        return {at: value for at, value in found.items() if value}

    def _first(self, name: str) -> int:
        return self._by_name[name].first

    def _scores(self, found: Sparse, state: State, s: Position, viewer: int) -> None:
        rules = self.game.rules_source
        told = score_readers(rules, self.game.players, viewer)
        for player in range(self.game.players) if rules.ranks and state.over else told:
            if rules.ranks:
                value = self.game.rules.number(rules.ranks[0].key, s, {"player": player})
                found[self._first("scores") + player] = float(value)

    def _place(
        self, found: Sparse, s: Position, viewer: int, key: Key, pieces: tuple[int, ...]
    ) -> None:
        place = self.setup.rules.places[key[0]]
        known = self._by_name[f"place {place.name}"]
        backs = self._by_name[f"backs in {place.name}"]
        row = self._row(place.of, key[1])
        for depth, piece in enumerate(pieces, 1):
            if viewer in knowers(s, piece):
                at = known.first + row * known.shape[-1] + self._class(place.holds, piece)
                found[at] = found.get(at, 0.0) + (1 / depth if place.ordered else 1.0)
            else:
                back = self._backs[place.name][self._back(place, piece)]
                at = backs.first + row * backs.shape[-1] + back
                found[at] = found.get(at, 0.0) + 1.0

    def _class(self, component: str, piece: int) -> int:
        return self._classes[component][self.setup.twin[piece]]

    def _board(self, found: Sparse, s: Position, name: str) -> None:
        board = self.setup.boards[name].board
        for layer in board.layers:
            part = self._by_name[f"layer {layer.name}"]
            for site, pieces in s.on[layer.name].items():
                for depth, piece in enumerate(reversed(pieces), 1):
                    rank = self._class(layer.component, piece)
                    at = part.first + site * part.shape[-1] + rank
                    found[at] = found.get(at, 0.0) + 1 / depth
        if board.grown_from is not None:
            part = self._by_name[f"tiles of {name}"]
            for cell, (tile, index) in s.tiles[name].items():
                at = part.first + cell * part.shape[-1] + self._class(board.grown_from, tile)
                found[at] = float(index)

    def _row(self, of: Type | None, index: Index) -> int:
        """The row of a member in a part for each of its type."""
        if of is None or index is None:
            return 0
        if isinstance(of, PairT) and isinstance(index, tuple):
            row = 0
            for (_, part), value in zip(self.setup.rules.pairs[of.name].parts, index, strict=True):
                row = row * math.prod(self._members(part)) + self._row(part, number(value))
            return row
        at = number(index)
        return self._ranks[at] if isinstance(of, PieceT) else at

    def _variable(self, found: Sparse, s: Position, viewer: int, name: str) -> None:
        variable = self.game.rules_source.states[name]
        part = self._by_name[f"state {name}"]
        whole = self.setup.whole.get(name)
        values = s.vars[name].items() if whole is None else ((i, s.vars[name][i]) for i in whole)
        for index, value in values:
            if not knows_variable(self.game, s, viewer, name, index):
                continue
            if may_know(s, viewer, value, variable.type):
                first = part.first + self._row(variable.of, index) * part.shape[-1]
                for at, amount in self._numbers(value, variable.type):
                    found[first + at] = amount

    def _numbers(self, value: Value, t: Type) -> Iterator[tuple[int, float]]:
        """The numbers that stand for a value, by their places."""
        if isinstance(t, OptionalT):
            t = t.of
        inner = element_of(t)
        if value is None:
            return
        if inner is not None and inner != t:
            yield from self._numbers_of_set(value, inner)
        elif isinstance(t, PairT) and isinstance(value, tuple):
            first = 0
            for (_, part), item in zip(self.setup.rules.pairs[t.name].parts, value, strict=True):
                yield from ((first + at, n) for at, n in self._numbers(item, part))
                first += self._width(part, "")
        elif t == PLAYER or isinstance(t, KindT):
            yield number(value), 1.0
        elif isinstance(t, PieceT):
            yield 0, 1.0 + self._class(t.name, number(value))
        else:
            yield 0, float(number(value)) + isinstance(t, SiteT)

    def _numbers_of_set(self, value: Value, inner: Type) -> Iterator[tuple[int, float]]:
        held = numbers(value)
        if inner == NUMBER:
            yield from ((0, float(len(held))), (1, float(sum(held))))
            return
        for item in held:
            yield self._row(inner, item), 1.0
