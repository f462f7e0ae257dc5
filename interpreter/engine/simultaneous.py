"""Simultaneous play: whom a player may watch while all decide, and what he then knows."""

from __future__ import annotations

from typing import TypeVar

from interpreter.engine.machine import Machine
from interpreter.model.position import Index, Position
from rulelang.builtins.world import Whereabouts
from rulelang.core.types import PLAYER, PieceT, SiteT, Type

T = TypeVar("T")


def watched(machine: Machine, s: Position, viewer: int) -> list[int]:
    """The players whose choices are open to the viewer, though not all have decided yet.

    Judged by what he knows himself.
    """
    if viewer not in s.branches:
        return []
    env = s.stack[-1].env
    loop = machine.at_once(s)
    if loop.watcher is None or loop.open is None:
        return []
    own = s.branches[viewer]
    return [
        p
        for p in s.branches
        if p != viewer
        and machine.rules.holds(own, loop.open, {**env, loop.var: p, loop.watcher: viewer})
    ]


def shown(machine: Machine, before: Position, after: Position, seat: int) -> bool:
    """Did a choice made in a seat show somebody something?

    Others what this player did, or him what others had done already.
    """
    if _differ(before.branches[seat], after.branches[seat]) and any(
        seat in watched(machine, after, p) for p in after.branches if p != seat
    ):
        return True
    fresh = set(watched(machine, after, seat)) - set(watched(machine, before, seat))
    return any(_differ(after, after.branches[p]) for p in fresh)


def _differ(one: Position, two: Position) -> bool:
    """Do two positions differ in what lies or stands where, or in what is told?

    How far a player has come is not compared.
    """
    return len(one.entries()) != len(two.entries()) or any(
        getattr(one, name) != getattr(two, name)
        for name in ("places", "on", "tiles", "vars", "known")
    )


def seen_by(machine: Machine, s: Position, viewer: int | None) -> Position:
    """The position a viewer knows while all decide at once.

    His own branch, and in it what belongs to those he may watch.
    """
    if viewer is None or viewer not in s.branches:
        return s
    own = s.branches[viewer]
    others = watched(machine, s, viewer)
    if not others:
        return own
    made = own.copy()
    made.memos, made.geometry = {}, {}
    for p in others:
        _overlay(made, s.branches[p], p)
    made.log = s.log
    told = len(s.entries())  # the common log stands still meanwhile
    for p in sorted({viewer, *others}):  # in the order of seats, as it will be when all are done
        for entry in s.branches[p].entries()[told:]:
            made.note(entry)
    return made


def _overlay(made: Position, theirs: Position, p: int) -> None:
    """Take over from a player's branch what is his: places, boards, pieces and variables."""
    _take_pieces(made, theirs, p)
    _take_boards(made, theirs, p)
    for name, variable in made.setup.rules.states.items():
        mine, others = made.vars[name], theirs.vars[name]
        for index in {*mine, *others}:
            if _index_of(made, variable.of, index) == p:
                mine.pop(index, None)
                if index in others:
                    mine[index] = others[index]


def _take_pieces(made: Position, theirs: Position, p: int) -> None:
    moved = [
        piece
        for piece, at in enumerate(theirs.where)
        if at != made.where[piece] and p in (_whose(made, at), _whose(made, made.where[piece]))
    ]
    for piece in moved:
        at = made.where[piece]
        if at in made.places:
            made.places[at] = tuple(x for x in made.places[at] if x != piece)
        made.where[piece] = theirs.where[piece]
    for key in made.places:
        if key[1] == p and made.setup.rules.places[key[0]].of == PLAYER:
            made.places[key] = theirs.places[key]


def _take_boards(made: Position, theirs: Position, p: int) -> None:
    for name, info in made.setup.boards.items():
        if not info.board.per_player:
            continue
        for layer in info.board.layers:
            mine, others = made.on[layer.name], theirs.on[layer.name]
            made.on[layer.name] = _spliced(mine, others, info.stride(layer.role), p)
        if name in made.tiles:
            made.tiles[name] = _spliced(made.tiles[name], theirs.tiles[name], info.cells, p)


def _spliced(mine: dict[int, T], theirs: dict[int, T], stride: int, p: int) -> dict[int, T]:
    """What stands on a player's own sites as in his branch, all else as it is."""
    return {site: x for site, x in mine.items() if site // stride != p} | {
        site: x for site, x in theirs.items() if site // stride == p
    }


def _whose(s: Position, at: Whereabouts) -> int | None:
    """The player in whose place or on whose board something is."""
    if at is None:
        return None
    if len(at) == 2:
        return at[1] if s.setup.rules.places[at[0]].of == PLAYER else None
    name = s.setup.layer_board[at[1]] if at[0] == "on" else at[1]
    info = s.setup.boards[name]
    if not info.board.per_player:
        return None
    layer = info.board.layer(at[1]) if at[0] == "on" else None
    return at[2][0] // info.stride(layer.role if layer is not None else "cell")


def _index_of(s: Position, of: Type | None, index: Index) -> int | None:
    """The player a variable's member belongs to."""
    if not isinstance(index, int) or of == PLAYER:
        return index if isinstance(index, int) else None
    if isinstance(of, PieceT):
        return s.setup.pieces[index].owner
    if isinstance(of, SiteT) and s.setup.boards[of.board].board.per_player:
        return index // s.setup.boards[of.board].stride(of.role)
    return None
