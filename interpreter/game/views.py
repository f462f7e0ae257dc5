"""What each player may know: state, log and options written out with everything hidden left out from the start, never crossed out afterwards."""

from __future__ import annotations

from typing import Any

from interpreter.engine.simultaneous import seen_by
from interpreter.game.context import GameContext, PlayState
from interpreter.model.position import Entry, Position, frozen
from interpreter.model.setup import Key
from interpreter.model.visibility import ONLOOKER, may_know, pieces_in, sees
from rulelang.core.types import PLAYER, PieceT, SiteT
from rulelang.ruleset import Place


def view(state: PlayState, viewer: int | None) -> dict[str, Any]:
    """The state as one viewer knows it; in simultaneous play his own branch, and what is open to him of others."""
    s = state.position
    game = state.game
    own = seen_by(game.machine, s, viewer)
    found: dict[str, Any] = {
        "game": game.id,
        "viewer": None if viewer is None else f"p{viewer + 1}",
        "places": {},
        "boards": {},
        "state": {},
    }
    for key, pieces in sorted(
        own.places.items(), key=lambda item: (item[0][0], -1 if item[0][1] is None else item[0][1])
    ):
        place = game.rules_source.places[key[0]]
        found["places"][place_name(game, s, key)] = _contents(
            state, own, viewer, key, place, pieces
        )
    for board in game.rules_source.boards.values():
        found["boards"][board.name] = _board(state, own, board.name)
    for name, variable in game.rules_source.states.items():
        shown: dict[str, Any] = {}
        for index, value in sorted(
            own.changed(name), key=lambda item: -1 if item[0] is None else item[0]
        ):
            if variable.visibility == "hidden" or (
                variable.visibility == "private" and (variable.of != PLAYER or index != viewer)
            ):
                continue
            if (
                index is not None
                and variable.of is not None
                and not may_know(own, viewer, index, variable.of)
            ):
                continue
            label = "" if index is None else str(game.presenter.data(index, variable.of, own))  # type: ignore[arg-type]
            open_to_him = may_know(own, viewer, value, variable.type)
            shown[label] = (
                game.presenter.data(value, variable.type, own) if open_to_him else "hidden"
            )
        found["state"][name] = shown
    # while players decide at once nobody sees what another does, how far he is, or whether he could take it back
    found["decisions"] = [
        _decision(state, spec, viewer)
        for spec in state.specs
        if spec.seat is None or spec.player == viewer
    ]
    found["log"] = [
        line
        for line in (entry_data(state, own, e, viewer) for e in own.entries())
        if line is not None
    ]
    found["ended"] = s.ended
    found["undo"] = state.parent is not None and not s.learned and not s.branches
    return found


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
    place: Place,
    pieces: tuple[int, ...],
) -> list[Any]:
    open_to = sees(s, viewer, key, place)
    found: list[Any] = []
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


def _field(state: PlayState, s: Position, component: str, name: str, piece: int) -> Any:
    t = state.game.rules_source.components[component].field(name)
    assert t is not None
    return state.game.presenter.data(s.setup.fields[name][piece], t, s)


def _board(state: PlayState, s: Position, name: str) -> dict[str, Any]:
    info = s.setup.boards[name]
    presenter = state.game.presenter
    found: dict[str, Any] = {"layers": {}}
    if info.board.grown_from is not None:
        tiles: dict[str, list[int]] = {}
        for cell, (tile, index) in sorted(s.tiles[name].items(), key=lambda item: item[1]):
            tiles.setdefault(presenter.data(tile, PieceT(info.board.grown_from), s), []).append(
                cell
            )
            assert index
        found["tiles"] = tiles
    for layer in info.board.layers:
        t = SiteT(name, layer.role, dict(info.board.roles).get(layer.role, layer.role))
        lying = {
            presenter.label(site, t, s): [
                presenter.data(p, PieceT(layer.component), s) for p in here
            ]
            for site, here in sorted(s.on[layer.name].items())
        }
        found["layers"][layer.name] = lying
    return found


def _decision(state: PlayState, spec: Any, viewer: int | None) -> dict[str, Any]:
    shown: dict[str, Any] = {"player": f"p{spec.player + 1}"}
    shown |= {"prompt": spec.prompt, "name": spec.name}
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


def option_data(state: PlayState, spec: Any, value: Any) -> Any:
    """An option as plain data that `state.option` takes back."""
    if spec.mode in ("action", "may"):
        return value
    s = state.position.branches[spec.seat] if spec.seat is not None else state.position
    if isinstance(value, frozenset) and spec.mode == "some":
        return sorted((state.game.presenter.data(v, spec.item, s) for v in value), key=repr)
    if isinstance(value, tuple) and spec.mode == "order":
        return [state.game.presenter.data(v, spec.item, s) for v in value]
    return state.game.presenter.data(value, spec.item, s)


def entry_data(
    state: PlayState, s: Position, entry: Entry, viewer: int | None
) -> dict[str, Any] | None:
    """A line of the log as the viewer may read it; none if it is not for him."""
    game = state.game
    who = ONLOOKER if viewer is None else viewer
    if entry.kind == "event":
        types = dict(game.rules_source.events[entry.name].params)
        args = {
            n: game.presenter.data(v, types[n], s)
            if entry.open_to(who, pieces_in(v, types[n]))
            else "hidden"
            for n, v in entry.args
        }
        totals = []
        for t in entry.told_to(who):
            lines = [
                {"op": c.op, "label": c.label, "amount": c.amount, "clause": c.clause}
                for c in t.lines
            ]
            totals.append({"table": t.table, "total": t.total, "lines": lines})
        return {"event": entry.name, "args": args, "totals": totals}
    if entry.kind == "draw":
        values = dict(entry.args)
        target, source = values["to"], values["from"]
        pieces = values["pieces"]
        place, came = game.rules_source.places[target[0]], game.rules_source.places[source[0]]
        open_to = sees(s, viewer, target, place) or sees(s, viewer, source, came)
        shown: Any = [game.presenter.piece(p) for p in pieces] if open_to else len(pieces)
        return {
            "draw": shown,
            "from": place_name(game, s, source),
            "to": place_name(game, s, target),
        }
    if entry.kind == "reveal":
        if entry.seen is not None and viewer not in entry.seen and len(entry.seen) < game.players:
            return {"reveal": len(dict(entry.args)["pieces"])}
        return {"reveal": [game.presenter.piece(p) for p in dict(entry.args)["pieces"]]}
    if entry.kind == "chance":
        outcome = dict(entry.args)["outcome"]
        return {
            "chance": entry.name,
            "outcome": str(frozen(outcome))
            if entry.open_to(who, (p for p, _ in entry.secret))
            else "hidden",
        }
    return {entry.kind: entry.name}
