"""A state written whole, as plain data, and read back: what lies where, variables, and the control
by which play goes on as if it had never stopped.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from graphlib import TopologicalSorter
from itertools import pairwise
from typing import cast

from interpreter.game.context import GameContext, PlayState
from interpreter.game.position_io import position_from
from interpreter.game.version import made_by, version
from interpreter.game.views import place_name
from interpreter.model.errors import InputError
from interpreter.model.position import Activation, Block, Entry, Position
from interpreter.model.tally import Counted, Tally
from rulelang.core.types import PieceT, SiteT
from rulelang.core.values import Json, Value, number, text
from rulelang.ruleset import State as Variable

_RECORDS: dict[str, type[Entry | Tally | Counted]] = {
    "entry": Entry,
    "tally": Tally,
    "counted": Counted,
}
_PLAIN = ("stream", "drawn", "ended", "moves", "learned")


def whole(state: PlayState) -> dict[str, Json]:
    """Everything, as plain data `resumed` takes back; what stands under `control` is sealed, the
    rest may be written by hand.
    """
    control = {**_control(state.game, state.position), **_of(state.game), "version": version()}
    found = {**bare(state.game, state.position), "control": control}
    control["seal"] = seal(found)
    return found


def seal(data: Mapping[str, Json]) -> str:
    """A hash of a written state, by which a cut or edited one is told."""
    control = {name: value for name, value in _object(data["control"]).items() if name != "seal"}
    return hashlib.sha256(
        json.dumps({**data, "control": control}, sort_keys=True).encode()
    ).hexdigest()


def resumed(game: GameContext, data: Mapping[str, Json]) -> Position:
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


def _of(game: GameContext) -> dict[str, Json]:
    """What must be the same where a state is read: the rules, the number of players, the
    options.
    """
    setup = game.setup
    return {
        "rules": game.loaded.rules_hash,
        "players": setup.players,
        "options": {
            name: setup.rules.options[name][index] for name, index in setup.options.items()
        },
    }


# ------------------------------------------------------------------------------- writing
def bare(game: GameContext, s: Position) -> dict[str, Json]:
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
    put: list[Json] = []
    tiles: list[Json] = []
    values: dict[str, Json] = {}
    for piece in _in_order(s):
        at, name = s.where[piece], game.presenter.exact(piece)
        assert at is not None and len(at) == 3
        sites: list[Json] = [_site(game, s, at[0] == "on", at[1], site) for site in at[2]]
        if at[0] == "on":
            put.append({"piece": name, "layer": at[1], "at": sites})
        else:
            info = game.setup.boards[at[1]]
            whose = f" of p{at[2][0] // info.cells + 1}" if info.copies > 1 else ""
            tiles.append({"piece": name, "board": f"{at[1]}{whose}", "at": sites})
    for name in s.vars:
        pairs = _changed(game, s, rules.states[name])
        if pairs:
            values[name] = sorted(pairs, key=repr)
    exact = game.presenter.exact
    known = {exact(piece): [f"p{p + 1}" for p in sorted(who)] for piece, who in s.known.items()}
    return {
        "places": places,
        "put": put,
        "tiles": tiles,
        "state": values,
        "known": known,
        "seed": s.seed,
    }


def _site(game: GameContext, s: Position, on: bool, name: str, site: int) -> Json:
    """A site of a layer, or of a board that a tile brings, in its exact form."""
    board = game.setup.layer_board[name] if on else name
    info = game.setup.boards[board].board
    role = next(x.role for x in info.layers if x.name == name) if on else "cell"
    return game.presenter.data(site, SiteT(board, role, dict(info.roles).get(role, role)), s)


def _position(game: GameContext, s: Position) -> dict[str, Json]:
    """A position with the control by which play goes on, and its branches with theirs."""
    return {**bare(game, s), "control": _control(game, s)}


def _control(game: GameContext, s: Position) -> dict[str, Json]:
    """By which play goes on: what runs, what was decided unseen, and what was told."""
    return {
        **{name: getattr(s, name) for name in _PLAIN},
        "ever": sorted(s.ever),
        "stack": [_frame(act) for act in s.stack],
        "branches": {str(p): _position(game, branch) for p, branch in s.branches.items()},
        "commits": {str(p): coded(made) for p, made in s.commits.items()},
        "log": [coded(entry) for entry in s.entries()],
    }


def _changed(game: GameContext, s: Position, variable: Variable) -> list[Json]:
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


def _frame(act: Activation) -> dict[str, Json]:
    blocks = [[b.body, b.pc, b.kind, coded(b.data)] for b in act.blocks]
    values = {name: coded(value) for name, value in act.env.items()}
    return {
        "name": act.name,
        "values": values,
        "blocks": blocks,
        "result": act.result,
        "given": coded(act.given),
    }


def coded(value: object) -> Json:
    """Any value of a position as plain data."""
    if isinstance(value, frozenset):
        return {"set": sorted((coded(v) for v in value), key=repr)}
    if isinstance(value, tuple):
        return {"list": [coded(v) for v in value]}
    for name, record in _RECORDS.items():
        if isinstance(value, record):
            return {name: [coded(getattr(value, f.name)) for f in dataclasses.fields(record)]}
    assert isinstance(value, int | str | None)
    return value


# ------------------------------------------------------------------------------- reading
# What is not of the right shape raises TypeError or KeyError, which `resumed` tells.
def _object(data: object) -> Mapping[str, object]:
    if not isinstance(data, dict):
        raise TypeError(f"{data!r} is no object")
    return data


def _list(data: object) -> list[object]:
    if not isinstance(data, list):
        raise TypeError(f"{data!r} is no list")
    return data


def _resumed(game: GameContext, data: Mapping[str, object]) -> Position:
    control = _object(data["control"])
    bare_data = {name: value for name, value in data.items() if name != "control"}
    s = position_from(game, bare_data, led_to=True)
    for name in _PLAIN:
        setattr(s, name, control[name])
    s.ever = frozenset(map(text, _list(control["ever"])))
    s.stack = [_activation(game, _object(frame)) for frame in _list(control["stack"])]
    branches, commits = _object(control["branches"]), _object(control["commits"])
    s.branches = {int(p): _resumed(game, _object(branch)) for p, branch in branches.items()}
    s.commits = {int(p): _values(made) for p, made in commits.items()}
    for entry in _list(control["log"]):
        line = decoded(entry)
        if not isinstance(line, Entry):
            raise TypeError(f"{entry!r} is no line of a log")
        s.note(line)
    return s


def _activation(game: GameContext, frame: Mapping[str, object]) -> Activation:
    name, result = text(frame["name"]), frame["result"]
    if name != "flow" and name not in game.rules_source.procedures:
        raise KeyError(f"no procedure {name}")
    blocks = []
    for block in _list(frame["blocks"]):
        body, pc, kind, values = _list(block)
        if not 0 <= number(pc) <= len(game.machine.bodies[number(body)]):
            raise IndexError(f"no step {pc} in {name}")
        blocks.append(Block(number(body), number(pc), text(kind), _values(values)))
    env = {var: _value(value) for var, value in _object(frame["values"]).items()}
    given = _value(frame["given"])
    return Activation(name, env, blocks, None if result is None else text(result), given)


def _value(data: object) -> Value:
    found = decoded(data)
    if isinstance(found, Entry | Tally | Counted):
        raise TypeError(f"{data!r} is no value")
    return found


def _values(data: object) -> tuple[Value, ...]:
    found = _value(data)
    if not isinstance(found, tuple):
        raise TypeError(f"{data!r} is no list of values")
    return found


def decoded(data: object) -> Value | Entry | Tally | Counted:
    """The value, or the record, that `coded` wrote."""
    if not isinstance(data, dict):
        return data if data is None or isinstance(data, str) else number(data)
    ((kind, inner),) = data.items()
    if kind in _RECORDS:
        return _RECORDS[kind](*map(decoded, inner))  # type: ignore[arg-type]  # sealed, so as coded
    # Among the members may be records: the results of score tables, in a line of the log.
    made = [cast("Value", decoded(item)) for item in inner]
    return frozenset(made) if kind == "set" else tuple(made)
