"""Pairs of states that a viewer cannot tell apart: among the pieces he does not know, which is which is changed; so are variables he may not read."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Any

from interpreter.conformance.exchange import Change, Exchange, chance_type, statements
from interpreter.game.game import Game, State
from interpreter.model.position import Entry, Position
from interpreter.model.visibility import ONLOOKER
from rulelang import core
from rulelang.analysis.hidden_information import NOBODY, hidden_reads
from rulelang.core.types import NUMBER, PLAYER, TRUTH, KindT, OptionalT, PieceT, Type, element


def seat(s: Position, viewer: int | None) -> Position:
    """What a viewer looks at: in simultaneous play his own branch."""
    return s.branches.get(viewer, s) if viewer is not None else s


def unknown(s: Position, viewer: int | None) -> set[int]:
    """The pieces a viewer does not know, by what the rules declare of the places they lie in and by what was revealed; of nothing else."""
    found = set()
    for piece, at in enumerate(s.where):
        if at is None or at[0] in ("on", "tile"):
            continue
        place, shown = s.setup.rules.places[at[0]], s.known.get(piece, frozenset())
        own = (
            place.visibility == "private"
            and place.of == PLAYER
            and viewer is not None
            and at[1] == viewer
        )
        if (
            place.visibility != "public"
            and not own
            and viewer not in shown
            and len(shown) < s.setup.players
        ):
            found.add(piece)
    return found


def new_entries(state: State, viewer: int | None) -> list[Entry]:
    """What was written in the viewer's log by the last choice; before any choice, all there is."""
    entries = seat(state.position, viewer).entries()
    earlier = seat(state.parent.position, viewer).entries() if state.parent is not None else []
    kept = next(
        (n for n, (a, b) in enumerate(zip(entries, earlier, strict=False)) if a is not b),
        min(len(entries), len(earlier)),
    )
    return entries[kept:]


def exchanged(state: State, viewer: int | None, rng: random.Random) -> State | None:
    """The state with pieces the viewer never saw exchanged for others of their sort; none if there are no two to exchange."""
    s = seat(state.position, viewer)
    strangers = (
        unknown(s, viewer) - _met(state, viewer) - (_counted(state) if state.over else set())
    )
    for branch in (state.position, *state.position.branches.values()):
        strangers &= unknown(branch, viewer)
    alike: dict[Any, list[int]] = {}
    for piece in sorted(strangers):
        alike.setdefault(_back(state.game, piece), []).append(piece)
    change: Change = {}
    for pieces in alike.values():
        order = rng.sample(pieces, len(pieces))
        change |= {one: other for one, other in zip(pieces, order, strict=True) if one != other}
    if not change:
        return None
    return State(
        state.game,
        Exchange(state, change, ONLOOKER if viewer is None else viewer).position(state.position),
        state.parent,
        state.choice,
    )


def _counted(state: State) -> set[int]:
    """The pieces in the places the ranking reads, which the end has made known by who won."""
    rules = state.game.rules_source
    read = {
        name
        for line in (*rules.ranks, *rules.hurdles)
        for name, _ in hidden_reads(rules, (line.key, line.cond), NOBODY)
    }
    return {
        piece for piece, at in enumerate(state.position.where) if at is not None and at[0] in read
    }


def varied(state: State, viewer: int | None, rng: random.Random) -> State | None:
    """The state with other values for the variables the viewer may not read; none if there are no such variables, or the end has made them known."""
    if state.over:
        return None
    later, any_ = state.position.copy(), False
    for s in (later, *later.branches.values()):
        for variable in state.game.rules_source.states.values():
            indices: Iterable[int | None] = (
                [None] if variable.of is None else s.setup.members(variable.of)
            )
            for index in indices:
                own = variable.visibility == "private" and variable.of == PLAYER and index == viewer
                if variable.visibility == "public" or own:
                    continue
                value = s.vars[variable.name].get(index, s.setup.defaults[variable.name])
                other = _other(s, value, variable.type, rng)
                if other != value:
                    s.assign(variable.name, index, other)
                    any_ = True
        s.dirty, s.memos = False, {}
    return State(state.game, later, state.parent, state.choice) if any_ else None


def _other(s: Position, value: Any, t: Type, rng: random.Random) -> Any:
    """Another value of the type; the same if there is none."""
    if isinstance(t, OptionalT):
        t = t.of
    if t == TRUTH:
        return not value
    if t == NUMBER:
        return (value or 0) + rng.randint(1, 3)
    if t == PLAYER or isinstance(t, KindT):
        return rng.choice([m for m in s.setup.members(t) if m != value] or [value])
    return value


def _back(game: Game, piece: int) -> Any:
    """What can be seen of a hidden piece: its sort, whose it is, and the fields that any place shows."""
    known = game.setup.pieces[piece]
    fields = {
        name
        for place in game.rules_source.places.values()
        if place.holds == known.design.component
        for name in place.shows
    }
    return (
        known.design.component,
        known.owner,
        tuple(repr(game.setup.fields[name][piece]) for name in sorted(fields)),
    )


def _met(state: State, viewer: int | None) -> set[int]:
    """Pieces that what was newly written may rightly name to the viewer, though he does not know them now."""
    rules, found = state.game.rules_source, set[int]()
    before = (
        unknown(seat(state.parent.position, viewer), viewer)
        if state.parent is not None
        else set[int]()
    )
    for entry in new_entries(state, viewer):
        values = dict(entry.args)
        if entry.kind == "draw":
            if any(
                _looks(rules.places[name], whose, viewer)
                for name, whose in (values["from"], values["to"])
            ):
                found |= set(values["pieces"])
        elif entry.kind == "reveal":
            if entry.seen is None or viewer in entry.seen or len(entry.seen) == state.game.players:
                found |= set(values["pieces"])
        elif entry.kind == "event":
            types = dict(rules.events[entry.name].params)
            named = {p for name, value in entry.args for p in _pieces(value, types[name])}
            found |= (
                named
                if _may_show(state.game, entry.name) or state.parent is None
                else named - before
            )
        elif entry.kind == "chance":
            t = chance_type(state.game, entry.name)
            found |= set(_pieces(values["outcome"], t)) - (
                before if state.parent is not None else set()
            )
    return found


def _looks(place: Any, whose: int | None, viewer: int | None) -> bool:
    return place.visibility == "public" or (
        place.visibility == "private"
        and place.of == PLAYER
        and viewer is not None
        and whose == viewer
    )


def _may_show(game: Game, event: str) -> bool:
    """May carrying out the event show a piece on its way?"""
    places = game.rules_source.places
    for stmt in statements(game.rules_source.events[event].body):
        if isinstance(stmt, core.Put | core.Reveal) or (
            isinstance(stmt, core.Move | core.Draw) and places[stmt.place].visibility == "public"
        ):
            return True
    return False


def _pieces(value: Any, t: Type) -> Iterator[int]:
    t = t.of if isinstance(t, OptionalT) else t
    inner = element(t)
    if inner is not None:
        for item in value or ():
            yield from _pieces(item, inner)
    elif isinstance(t, PieceT) and value is not None:
        yield value
