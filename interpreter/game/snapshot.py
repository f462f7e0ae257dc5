"""A state written whole, as plain data, and read back: what lies where, variables, and the control
by which play goes on as if it had never stopped.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from graphlib import TopologicalSorter
from itertools import pairwise
from typing import Any

from interpreter.game.context import GameContext, PlayState
from interpreter.game.position_io import position_from
from interpreter.game.version import made_by, version
from interpreter.game.views import place_name
from interpreter.model.errors import InputError
from interpreter.model.position import Activation, Block, Entry, Position
from interpreter.model.tally import Counted, Tally
from rulelang.core.types import PieceT
from rulelang.ruleset import State as Variable

_RECORDS: dict[str, Any] = {"entry": Entry, "tally": Tally, "counted": Counted}
_PLAIN = ("stream", "drawn", "ended", "moves", "learned")


def whole(state: PlayState) -> dict[str, Any]:
    """Everything, as plain data `resumed` takes back; what stands under `control` is sealed, the
    rest may be written by hand.
    """
    found = _position(state.game, state.position)
    found["control"] |= {**_of(state.game), "version": version()}
    found["control"]["seal"] = seal(found)
    return found


def seal(data: dict[str, Any]) -> str:
    """A hash of a written state, by which a cut or edited one is told."""
    control = {name: value for name, value in data["control"].items() if name != "seal"}
    return hashlib.sha256(
        json.dumps({**data, "control": control}, sort_keys=True).encode()
    ).hexdigest()


def resumed(game: GameContext, data: dict[str, Any]) -> Position:
    """The position of plain data; raises ValueError naming what is wrong, or that it is not as it
    was written.
    """
    if "control" not in data:
        return position_from(game, data)
    control = data["control"]
    if not isinstance(control, dict) or control.get("seal") != seal(data):
        raise InputError(
            "it is not as it was written; without its `control` it can be used as a bare position"
        )
    for name, here in _of(game).items():
        if control.get(name) != here:
            raise InputError(f"it was written with other {name}{made_by(control.get('version'))}")
    try:
        return _resumed(game, data)
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise InputError(f"its control is not that of this game: {error}") from error


def _of(game: GameContext) -> dict[str, Any]:
    """What must be the same where a state is read: the rules, the number of players, the
    options.
    """
    from interpreter.game.records import rules_hash

    setup = game.setup
    return {
        "rules": rules_hash(game),
        "players": setup.players,
        "options": {
            name: setup.rules.options[name][index] for name, index in setup.options.items()
        },
    }


# ------------------------------------------------------------------------------- writing
def bare(game: GameContext, s: Position) -> dict[str, Any]:
    """What lies where, variables and the seed, as plain data `position_from` takes: no log,
    nobody's turn.
    """
    presenter, rules = game.presenter, game.rules_source
    places = {
        place_name(game, s, key): [
            presenter.data(p, PieceT(rules.places[key[0]].holds), s) for p in pieces
        ]
        for key, pieces in s.places.items()
        if pieces
    }
    found: dict[str, Any] = {"places": places, "put": [], "tiles": [], "state": {}}
    for piece in _in_order(s):
        at, name = s.where[piece], _named(game, s, piece)
        assert at is not None and len(at) == 3
        if at[0] == "on":
            found["put"].append({"piece": name, "layer": at[1], "sites": list(at[2])})
        else:
            found["tiles"].append({"piece": name, "board": at[1], "cells": list(at[2])})
    for name in s.vars:
        pairs = _changed(game, s, rules.states[name])
        if pairs:
            found["state"][name] = sorted(pairs, key=repr)
    known = {
        _named(game, s, piece): [f"p{p + 1}" for p in sorted(who)] for piece, who in s.known.items()
    }
    return {**found, "known": known, "seed": s.seed}


def _position(game: GameContext, s: Position) -> dict[str, Any]:
    """A position with the control by which play goes on, and its branches with theirs."""
    found = bare(game, s)
    found["control"] = {
        **{name: getattr(s, name) for name in _PLAIN},
        "ever": sorted(s.ever),
        "stack": [_frame(act) for act in s.stack],
        "branches": {str(p): _position(game, branch) for p, branch in s.branches.items()},
        "commits": {str(p): coded(made) for p, made in s.commits.items()},
        "log": [coded(entry) for entry in s.entries()],
    }
    return found


def _named(game: GameContext, s: Position, piece: int) -> Any:
    """A piece in its exact form."""
    return game.presenter.data(piece, PieceT(s.setup.pieces[piece].design.component), s)


def _changed(game: GameContext, s: Position, variable: Variable) -> list[list[Any]]:
    """The members of a variable that are not what they began with, as pairs of whose and what."""
    data, of = game.presenter.data, variable.of
    return [
        [None if index is None or of is None else data(index, of, s), data(value, variable.type, s)]
        for index, value in s.changed(variable.name)
    ]


def _in_order(s: Position) -> list[int]:
    """The pieces on boards: whatever lies under another comes before it."""
    below: TopologicalSorter[int] = TopologicalSorter()
    for piece, at in enumerate(s.where):
        if at is not None and at[0] in ("on", "tile"):
            below.add(piece)
    for cells in s.on.values():
        for pile in cells.values():
            for under, over in pairwise(pile):
                below.add(over, under)
    return list(below.static_order())


def _frame(act: Activation) -> dict[str, Any]:
    blocks = [[b.body, b.pc, b.kind, coded(b.data)] for b in act.blocks]
    values = {name: coded(value) for name, value in act.env.items()}
    return {
        "name": act.name,
        "values": values,
        "blocks": blocks,
        "result": act.result,
        "given": coded(act.given),
    }


def coded(value: Any) -> Any:
    """Any value of a position as plain data."""
    if isinstance(value, frozenset):
        return {"set": sorted((coded(v) for v in value), key=repr)}
    if isinstance(value, tuple):
        return {"list": [coded(v) for v in value]}
    for name, record in _RECORDS.items():
        if isinstance(value, record):
            return {name: [coded(getattr(value, f.name)) for f in dataclasses.fields(record)]}
    return value


# ------------------------------------------------------------------------------- reading
def _resumed(game: GameContext, data: dict[str, Any]) -> Position:
    control = data["control"]
    s = position_from(game, {name: value for name, value in data.items() if name != "control"})
    for name in _PLAIN:
        setattr(s, name, control[name])
    s.ever = frozenset(control["ever"])
    s.stack = [_activation(game, frame) for frame in control["stack"]]
    s.branches = {int(p): _resumed(game, branch) for p, branch in control["branches"].items()}
    s.commits = {int(p): decoded(made) for p, made in control["commits"].items()}
    for entry in control["log"]:
        s.note(decoded(entry))
    return s


def _activation(game: GameContext, frame: dict[str, Any]) -> Activation:
    if frame["name"] != "flow" and frame["name"] not in game.rules_source.procedures:
        raise KeyError(f"no procedure {frame['name']}")
    blocks = []
    for body, pc, kind, values in frame["blocks"]:
        if not 0 <= pc <= len(game.machine.bodies[body]):
            raise IndexError(f"no step {pc} in {frame['name']}")
        blocks.append(Block(body, pc, kind, decoded(values)))
    values = {name: decoded(value) for name, value in frame["values"].items()}
    return Activation(frame["name"], values, blocks, frame["result"], decoded(frame["given"]))


def decoded(data: Any) -> Any:
    """The value that `coded` wrote."""
    if not isinstance(data, dict):
        return data
    ((kind, inner),) = data.items()
    values = [decoded(item) for item in inner]
    if kind in _RECORDS:
        return _RECORDS[kind](*values)
    return frozenset(values) if kind == "set" else tuple(values)
