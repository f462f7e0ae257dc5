"""What each player may know: state, log and options written out with everything hidden left out
from the start, never crossed out afterwards.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.engine.decisions import Spec
from interpreter.engine.simultaneous import seen_by
from interpreter.game.context import GameContext, PlayState
from interpreter.game.prompts import asked
from interpreter.model.position import Entry, Index, Position, frozen
from interpreter.model.setup import Key
from interpreter.model.visibility import ONLOOKER, may_know, pieces_in, sees
from rulelang.core.types import PLAYER, PieceT, SiteT
from rulelang.core.values import Json, Value, numbers
from rulelang.ruleset import State as Variable


def view(state: PlayState, viewer: int | None) -> dict[str, Json]:
    """The state as one viewer knows it.

    In simultaneous play that is his own branch, and what is open to him of others.
    """
    s, game = state.position, state.game
    own = seen_by(game.machine, s, viewer)
    places = sorted(own.places.items(), key=lambda item: (item[0][0], _first_none(item[0][1])))
    log = (entry_data(state, own, entry, viewer) for entry in own.entries())
    return {
        "game": game.id,
        "viewer": None if viewer is None else f"p{viewer + 1}",
        "places": {
            place_name(game, s, key): _contents(state, own, viewer, key, pieces)
            for key, pieces in places
        },
        "boards": {name: _board(state, own, name) for name in game.rules_source.boards},
        "state": {
            name: _variable(game, own, viewer, variable)
            for name, variable in game.rules_source.states.items()
        },
        # while players decide at once nobody sees what another does, how far he is, or whether he
        # could take it back
        "decisions": [
            _decision(state, spec, viewer)
            for spec in state.specs
            if spec.seat is None or spec.player == viewer
        ],
        "log": [line for line in log if line is not None],
        "ended": s.ended,
        "undo": state.parent is not None and not s.learned and not s.branches,
    }


def _first_none(index: Index) -> tuple[int, ...]:
    """The order of indices: none first."""
    if index is None:
        return ()
    return (index,) if isinstance(index, int) else tuple(numbers(index))


def _variable(
    game: GameContext, s: Position, viewer: int | None, variable: Variable
) -> dict[str, Json]:
    """The members of a variable that are not what they began with, as far as the viewer knows."""
    shown: dict[str, Json] = {}
    of, data = variable.of, game.presenter.data
    for index, value in sorted(s.changed(variable.name), key=lambda item: _first_none(item[0])):
        if not knows_variable(game, s, viewer, variable.name, index):
            continue
        label = "" if index is None or of is None else str(data(index, of, s))
        open_to_him = may_know(s, viewer, value, variable.type)
        shown[label] = data(value, variable.type, s) if open_to_him else "hidden"
    return shown


def knows_variable(
    game: GameContext, s: Position, viewer: int | None, name: str, index: Index
) -> bool:
    """May the viewer know what a variable holds? Not one that is hidden, another's private one, or
    that of a piece he may not look at.
    """
    variable = game.rules_source.states[name]
    own = variable.of == PLAYER and index == viewer
    if variable.visibility == "hidden" or (variable.visibility == "private" and not own):
        return False
    return index is None or variable.of is None or may_know(s, viewer, index, variable.of)


def place_name(game: GameContext, s: Position, key: Key) -> str:
    """A place and whose it is, as `game.position` reads it."""
    of = game.rules_source.places[key[0]].of
    if key[1] is None or of is None:
        return key[0]
    return f"{key[0]} of {game.presenter.data(key[1], of, s)}"


def _contents(
    state: PlayState,
    s: Position,
    viewer: int | None,
    key: Key,
    pieces: tuple[int, ...],
) -> list[Json]:
    """The pieces of a place: those the viewer knows in full, of others what their backs show."""
    place = state.game.rules_source.places[key[0]]
    open_to = sees(s, viewer, key, place)
    found: list[Json] = []
    for piece in pieces:
        if (
            open_to
            or (viewer is not None and viewer in s.known.get(piece, ()))
            or len(s.known.get(piece, ())) == s.setup.players
        ):
            found.append(state.game.presenter.data(piece, PieceT(place.holds), s))
        else:
            found.append({name: _field(state, s, place.holds, name, piece) for name in place.shows})
    return found if place.ordered else sorted(found, key=repr)


def _field(state: PlayState, s: Position, component: str, name: str, piece: int) -> Json:
    t = state.game.rules_source.components[component].field(name)
    assert t is not None
    return state.game.presenter.data(s.setup.fields[name][piece], t, s)


def _board(state: PlayState, s: Position, name: str) -> dict[str, Json]:
    info = s.setup.boards[name]
    presenter = state.game.presenter
    layers: dict[str, Json] = {}
    found: dict[str, Json] = {"layers": layers}
    if info.board.grown_from is not None:
        tiles: dict[str, list[int]] = {}
        for cell, (tile, _) in sorted(s.tiles[name].items(), key=lambda item: item[1]):
            tiles.setdefault(presenter.exact(tile), []).append(cell)
        found["tiles"] = tiles
    for layer in info.board.layers:
        t = SiteT(name, layer.role, dict(info.board.roles).get(layer.role, layer.role))
        lying = {
            presenter.label(site, t, s): [
                presenter.data(p, PieceT(layer.component), s) for p in here
            ]
            for site, here in sorted(s.on[layer.name].items())
        }
        layers[layer.name] = lying
    return found


def _decision(state: PlayState, spec: Spec, viewer: int | None) -> dict[str, Json]:
    shown: dict[str, Json] = {"player": f"p{spec.player + 1}"}
    shown |= {"prompt": asked(state, spec, viewer), "name": spec.name}
    if spec.player == viewer and spec.mode in ("some", "order"):
        shown |= {
            "low": spec.low,
            "high": spec.high,
            "options": [option_data(state, spec, x) for x in spec.domain],
        }
    elif spec.player == viewer:
        shown["options"] = [
            option_data(state, spec, value)
            for value in state.game.decider.options(state.position, spec)
        ]
    return shown


def option_data(state: PlayState, spec: Spec, value: Value) -> Json:
    """An option as plain data that `state.option` takes back."""
    if spec.mode in ("action", "may"):
        return value if isinstance(value, str) else bool(value)
    s = state.position.branches[spec.seat] if spec.seat is not None else state.position
    if isinstance(value, frozenset) and spec.mode == "some":
        return sorted((state.game.presenter.data(v, spec.item, s) for v in value), key=repr)
    if isinstance(value, tuple) and spec.mode == "order":
        return [state.game.presenter.data(v, spec.item, s) for v in value]
    return state.game.presenter.data(value, spec.item, s)


def entry_data(
    state: PlayState, s: Position, entry: Entry, viewer: int | None
) -> dict[str, Json] | None:
    """A line of the log as the viewer may read it; none if it is not for him."""
    read = _ENTRIES.get(entry.kind)
    return read(state, s, entry, viewer) if read is not None else {entry.kind: entry.name}


def _event(state: PlayState, s: Position, entry: Entry, viewer: int | None) -> dict[str, Json]:
    game, who = state.game, ONLOOKER if viewer is None else viewer
    types = dict(game.rules_source.events[entry.name].params)
    args = {
        n: game.presenter.data(v, types[n], s)
        if entry.open_to(who, pieces_in(v, types[n]))
        else "hidden"
        for n, v in entry.args
    }
    totals: list[Json] = [
        {
            "table": t.table,
            "total": t.total,
            "lines": [
                {"op": c.op, "label": c.label, "amount": c.amount, "clause": c.clause}
                for c in t.lines
            ],
        }
        for t in entry.told_to(who)
    ]
    return {"event": entry.name, "args": args, "totals": totals}


def _draw(state: PlayState, s: Position, entry: Entry, viewer: int | None) -> dict[str, Json]:
    game = state.game
    source, target, pieces = entry.place("from"), entry.place("to"), entry.pieces()
    places = game.rules_source.places
    open_to = any(sees(s, viewer, key, places[key[0]]) for key in (target, source))
    return {
        "draw": [game.presenter.piece(p) for p in pieces] if open_to else len(pieces),
        "from": place_name(game, s, source),
        "to": place_name(game, s, target),
    }


def _move(state: PlayState, s: Position, entry: Entry, viewer: int | None) -> dict[str, Json]:
    who, pieces = ONLOOKER if viewer is None else viewer, entry.pieces()
    known = [state.game.presenter.piece(p) for p in pieces if entry.open_to(who, (p,))]
    # Hidden ones come last: where they stood between the others would tell of what they are.
    named: list[Json] = [*known, *["hidden"] * (len(pieces) - len(known))]
    if entry.kind == "put":
        return {"put": named, "on": entry.name}
    return {"move": named, "to": place_name(state.game, s, entry.place("to"))}


def _shuffle(state: PlayState, s: Position, entry: Entry, viewer: int | None) -> dict[str, Json]:
    return {"shuffle": place_name(state.game, s, entry.place("place"))}


def _reveal(state: PlayState, s: Position, entry: Entry, viewer: int | None) -> dict[str, Json]:
    pieces, seen = entry.pieces(), entry.seen
    if seen is not None and viewer not in seen and len(seen) < state.game.players:
        return {"reveal": len(pieces)}
    return {"reveal": [state.game.presenter.piece(p) for p in pieces]}


def _chance(state: PlayState, s: Position, entry: Entry, viewer: int | None) -> dict[str, Json]:
    who = ONLOOKER if viewer is None else viewer
    open_to = entry.open_to(who, (p for p, _ in entry.secret))
    outcome = str(frozen(dict(entry.args)["outcome"])) if open_to else "hidden"
    return {"chance": entry.name, "outcome": outcome}


# the lines of the log of which more is told than their kind and name
_ENTRIES: dict[str, Callable[[PlayState, Position, Entry, int | None], dict[str, Json]]] = {
    "event": _event,
    "draw": _draw,
    "move": _move,
    "put": _move,
    "shuffle": _shuffle,
    "reveal": _reveal,
    "chance": _chance,
}
