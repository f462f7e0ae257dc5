"""A position of the reference written as the bytes of a state: the contrary of `standing`.

Where it stands in the flow is found by its open blocks, each decision and each way back having its
own. What cannot be written so is `NotLowered`.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import TypeAlias, assert_never

from interpreter.engine.machine import AT_ONCE
from interpreter.model.position import Activation, Block, Position
from interpreter.native.layout import STATE, Grown, Laid, Layout, Slot
from interpreter.native.lowering import Lowered
from interpreter.native.standing import (
    FLOW,
    Best,
    Counted,
    Listed,
    LoopMembers,
    OpenBlock,
    Rest,
    Standing,
    Turns,
    While,
)
from interpreter.native.values import WORD, NotLowered, encoded
from rulelang.core.types import NUMBER
from rulelang.core.values import Value, members

_Blocks: TypeAlias = "tuple[tuple[int, int], ...]"


class Entering:
    """Writes positions of one lowered game."""

    def __init__(self, made: Lowered) -> None:
        """What stands where is known from the decisions and the ways back."""
        self.made, self.layout = made, made.layout
        self._decisions = {_key(d.standing): d.number for d in made.decisions}
        self._returns = {_key(at): part for part, at in made.stacks.returns.items()}
        self._partings = {_key(p.at): n for n, p in enumerate(made.partings, 1)}

    def common(self, s: Position) -> tuple[bytes, int]:
        """The bytes of a position, and the number of the statement by which its players decide at
        once, 0 if one decides alone; that each has a branch is not among them.

        Raises NotLowered.
        """
        raw = bytearray(self.layout.size)
        try:
            self.layout.encode_into(raw, s)
            _Board(self.layout, raw).written(s)
            self._latched(raw, s)
            fork = self._stack(raw, s)
        except (struct.error, AssertionError) as error:
            raise NotLowered(f"a position with a value out of bounds: {error}") from None
        return bytes(raw), fork

    def _latched(self, raw: bytearray, s: Position) -> None:
        """Write what has ever held, and the rounds."""
        struct.pack_into("<q", raw, self.layout.rounds - STATE, s.rounds)
        for at, latch in enumerate(self.layout.setup.rules.latches):
            if latch.name in s.ever:
                _set_bit(raw, self.layout.ever, at)

    # -------------------------------------------------------------------------------- the stack
    def _stack(self, raw: bytearray, s: Position) -> int:
        """Write where play stands; gives the number of the statement by which all decide."""
        if s.ended is not None or not s.stack:
            raise NotLowered("a position in which nobody decides")
        made, layout, last = self.made, self.layout, s.stack[-1]
        fork, name = 0, last.name
        if AT_ONCE in last.env:
            fork = self._partings.get((name, _blocks(last), ""), 0)
            if not fork:
                raise NotLowered("a place where players decide at once")
            at = made.partings[fork - 1].at
        else:
            point = self._decisions.get((name, _blocks(last), ""), 0)
            if not point:
                raise NotLowered("a decision that a module does not know")
            struct.pack_into("<i", raw, layout.point - STATE, point)
            at = made.decisions[point - 1].standing
        self._activation(raw, last, at)
        inner = last
        for act in reversed(s.stack[:-1]):
            part = self._returns.get((act.name, _blocks(act), inner.result or ""))
            if part is None:
                raise NotLowered("a place to go back to that a module does not know")
            struct.pack_into("<i", raw, made.stacks.backs[inner.name] - STATE, part)
            self._activation(raw, act, made.stacks.returns[part])
            inner = act
        if inner.name != FLOW:
            raise NotLowered("a procedure that nothing called")
        return fork

    def _activation(self, raw: bytearray, act: Activation, at: Standing) -> None:
        for known in at.members:
            self._members(raw, act, known)
        for name, slot in at.names.items():
            if name not in act.env:
                raise NotLowered(f"a position in which {name} has no value")
            self._put(raw, slot, act.env[name])
        for block, known_block in zip(act.blocks, at.blocks, strict=True):
            self._block(raw, act, block, known_block)

    def _members(self, raw: bytearray, act: Activation, known: LoopMembers) -> None:
        for name, member in known.known.items():
            if name in act.env:
                self._put(raw, member.slot, act.env[name])
                struct.pack_into("<i", raw, member.given - STATE, 1)

    def _put(self, raw: bytearray, slot: Slot, value: Value) -> None:
        at = slot.offset - STATE
        raw[at : at + slot.cell.bytes] = self.layout.packed(slot.type, slot.cell, value)

    def _block(self, raw: bytearray, act: Activation, block: Block, known: OpenBlock) -> None:
        match known.loop:
            case None | While():
                pass
            case Rest(left=slot):
                self._put(raw, slot, frozenset(members(block.data[1])))
            case Turns(var=var, player=player, left=left):
                self._put(raw, player, act.env[var])
                self._put(raw, left, 1 + len(members(block.data[1])))
            case Listed():
                self._listed(raw, known.loop, tuple(members(block.data[1])))
            case Counted(left=left):
                self._put(raw, left, block.data[0])
            case Best(number=region, at=at):
                struct.pack_into("<i", raw, at - STATE, region)
            case _:
                assert_never(known.loop)

    def _listed(self, raw: bytearray, loop: Listed, rest: Sequence[Value]) -> None:
        """Write the members that are left of a loop over a list, from the first place on."""
        setup, form = self.layout.setup, "<q" if loop.item == NUMBER else "<i"
        for at, value in enumerate(rest):
            held = encoded(setup, loop.item, value)
            struct.pack_into(form, raw, loop.at - STATE + 8 * at, held)
        self._put(raw, loop.place, 0)
        self._put(raw, loop.end, 8 * len(rest))


class _Board:
    """Writes what lies on boards, and all that follows from it."""

    def __init__(self, layout: Layout, raw: bytearray) -> None:
        """Into these bytes of a state."""
        self.layout, self.raw = layout, raw

    def written(self, s: Position) -> None:
        """Write the layers and tiles of a position."""
        for layer in self.layout.layers.values():
            self._layer(s, layer)
        for board in self.layout.grown.values():
            self._tiles(s, board)

    def _held(self, piece: int, place: int) -> None:
        """A piece is in the place, layer or board of this number."""
        layout = self.layout
        struct.pack_into("<H", self.raw, layout.where - STATE + 2 * piece, place)
        _set_bit(self.raw, layout.held, 64 * layout.piece_words * place + piece)

    def _layer(self, s: Position, layer: Laid) -> None:
        numbers: dict[int, int] = {}
        lying: dict[int, list[int]] = {}
        for site, pieces in s.on[layer.name].items():
            found = layer.ground.number(layer.role, site)
            if found is None:
                raise NotLowered("a piece far from the middle of a board that grows")
            numbers[site] = found
            struct.pack_into("<H", self.raw, layer.at - STATE + 2 * found, 1 + pieces[-1])
            if layer.occupied:
                _set_bit(self.raw, layer.occupied, found)
            for piece in pieces:
                lying.setdefault(piece, []).append(found)
        for piece, sites in lying.items():
            sites.sort()
            self._held(piece, layer.number + sites[0] // layer.stride)
            struct.pack_into("<H", self.raw, self.layout.spot - STATE + 2 * piece, sites[0])
            self._spread(layer, piece, sites)
        for site, pieces in s.on[layer.name].items():
            for below, piece in zip((None, *pieces), pieces, strict=False):
                self._on_top(layer, piece, below, lying[piece].index(numbers[site]))

    def _spread(self, layer: Laid, piece: int, sites: list[int]) -> None:
        """Write the sites of a piece that may lie on several."""
        rows, piled = self.layout.spread(layer.component), layer.piled
        if piled is not None:
            if len(sites) > piled.most:
                raise NotLowered("a piece on so many sites")
            for at, site in enumerate(sites if piled.lain else ()):
                row = piled.lain - STATE + 2 * (piled.most * (piece - piled.first) + at)
                struct.pack_into("<H", self.raw, row, 1 + site)
        elif rows is not None:
            for site in sites:
                _set_bit(self.raw, rows.at, WORD * rows.words * (piece - rows.first) + site)

    def _on_top(self, layer: Laid, piece: int, below: int | None, at: int) -> None:
        """Write what lies below a piece on one of its sites."""
        piled = layer.piled
        if piled is not None and below is not None:
            row = piled.below - STATE + 2 * (piled.most * (piece - piled.first) + at)
            struct.pack_into("<H", self.raw, row, 1 + below)

    def _tiles(self, s: Position, board: Grown) -> None:
        ground = board.ground
        for piece in self.layout.setup.by_component.get(board.component, ()):
            where = s.where[piece]
            if where is None or len(where) != 3 or where[:2] != ("tile", board.name):
                continue
            laying = ground.laying(where[2])
            if laying is None:
                raise NotLowered("a tile far from the middle of a board that grows")
            first, way = divmod(laying, len(ground.turns))
            copy, local = divmod(first, ground.stride("cell"))
            if local not in ground.fits(ground.turns[way], ground.margin):
                raise NotLowered("a tile near the edge of what is kept of a board that grows")
            struct.pack_into(
                "<i", self.raw, board.laid - STATE + 4 * (piece - board.first), 1 + laying
            )
            self._held(piece, board.number + copy)
            rows = {copy, ground.copies if ground.copies > 1 else copy}
            for order, delta in enumerate(ground.deltas(ground.turns[way]), 1):
                cell = first + delta
                struct.pack_into("<H", self.raw, board.tiles - STATE + 2 * cell, 1 + piece)
                self.raw[board.order - STATE + cell] = order
                for row in rows:
                    _set_bit(self.raw, board.present, WORD * board.words * row + cell)


def dealt(layout: Layout, raw: bytearray, places: Mapping[int, Sequence[int]]) -> None:
    """Write other pieces into places, by their numbers; all that lay there must lie there again,
    or in another of them.
    """
    row = 8 * layout.piece_words
    for place, pieces in places.items():
        spot = layout.places[place - 1]
        ordered = layout.setup.rules.places[spot.key[0]].ordered
        listed = pieces[::-1] if ordered else pieces
        struct.pack_into(f"<{len(listed)}H", raw, spot.offset - STATE + 4, *listed)
        held = 0
        for piece in pieces:
            held |= 1 << piece
            struct.pack_into("<H", raw, layout.where - STATE + 2 * piece, place)
        at = layout.held - STATE + row * place
        raw[at : at + row] = held.to_bytes(row, "little")


def _key(at: Standing) -> tuple[str, _Blocks, str]:
    """What tells a place of the flow from all others."""
    return at.procedure, tuple((b.body, b.pc) for b in at.blocks), at.result


def _blocks(act: Activation) -> _Blocks:
    return tuple((block.body, block.pc) for block in act.blocks)


def _set_bit(raw: bytearray, offset: int, bit: int) -> None:
    raw[offset - STATE + bit // 8] |= 1 << bit % 8
