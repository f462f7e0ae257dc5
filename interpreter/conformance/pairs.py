"""Pairs of states in one information set: a viewer cannot tell them apart.

They differ in which of the pieces unknown to him is which, or in variables he may not read.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from interpreter.conformance.exchange import Change, Exchange, chance_type, statements
from interpreter.game.game import Game, State
from interpreter.model.position import Entry, Position
from interpreter.model.visibility import ONLOOKER
from rulelang import core
from rulelang.core.types import NUMBER, PLAYER, TRUTH, KindT, OptionalT, PieceT, Type, element
from rulelang.core.values import Value
from rulelang.elaborate.hidden_information import NOBODY, hidden_reads
from rulelang.ruleset import Place


def seat(s: Position, viewer: int | None) -> Position:
    """What a viewer looks at: in simultaneous play his own branch."""
    return s.branches.get(viewer, s) if viewer is not None else s


def unknown(s: Position, viewer: int | None) -> set[int]:
    """The pieces a viewer does not know, by the declared visibility of places and by reveals.

    It is worked out here anew, so that a mistake in `interpreter.model.visibility` shows.
    """
    found = set()
    for piece, at in enumerate(s.where):
        if at is None or len(at) == 3:
            continue
        place, shown = s.setup.rules.places[at[0]], s.known.get(piece, frozenset())
        open_ = _looks(place, at[1], viewer) or viewer in shown
        if not open_ and len(shown) < s.setup.players:
            found.add(piece)
    return found


def new_entries(state: State, viewer: int | None) -> list[Entry]:
    """The lines of the viewer's log written by the last choice; before any choice, all."""
    entries = seat(state.position, viewer).entries()
    earlier = seat(state.parent.position, viewer).entries() if state.parent is not None else []
    kept = next(
        (n for n, (a, b) in enumerate(zip(entries, earlier, strict=False)) if a is not b),
        min(len(entries), len(earlier)),
    )
    return entries[kept:]


def exchanged(state: State, viewer: int | None, rng: random.Random) -> State | None:
    """The state with pieces the viewer never saw exchanged; none if none can be.

    Of pieces that look alike from behind each takes the place of another, in a circle drawn at
    random, so that what he cannot know differs whenever it can.
    """
    s = seat(state.position, viewer)
    strangers = (
        unknown(s, viewer) - _met(state, viewer) - (_counted(state) if state.over else set())
    )
    for branch in (state.position, *state.position.branches.values()):
        strangers &= unknown(branch, viewer)
    alike: dict[object, list[int]] = {}
    for piece in sorted(strangers):
        alike.setdefault(_back(state.game, piece), []).append(piece)
    change: Change = {}
    for pieces in alike.values():
        circle = rng.sample(pieces, len(pieces))
        if len(circle) > 1:
            change |= dict(zip(circle, (*circle[1:], circle[0]), strict=True))
    if not change:
        return None
    made = Exchange(state, change, ONLOOKER if viewer is None else viewer)
    return State(state.game, made.position(state.position), state.parent, state.choice)


def _counted(state: State) -> set[int]:
    """The pieces in places that the ranking reads: who won has made them known."""
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
    """The state with other values for variables the viewer may not read; none if there are none.

    None too when the game is over, for its ranking may have made them known.
    """
    if state.over:
        return None
    later, varied_any = state.position.copy(), False
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
                    varied_any = True
        s.dirty, s.memos = False, {}
    return State(state.game, later, state.parent, state.choice) if varied_any else None


def _other(s: Position, value: Value, t: Type, rng: random.Random) -> Value:
    """Another value of the type; the same if there is none."""
    if isinstance(t, OptionalT):
        t = t.of
    if t == TRUTH:
        return not value
    if t == NUMBER:
        return (value if isinstance(value, int) else 0) + rng.randint(1, 3)
    if t == PLAYER or isinstance(t, KindT):
        return rng.choice([m for m in s.setup.members(t) if m != value] or [value])
    return value


def _back(game: Game, piece: int) -> tuple[str, int | None, tuple[str, ...]]:
    """What can be seen of a hidden piece: component, owner, and the fields that a place shows."""
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
    """The pieces that new lines of the log may name to the viewer, though he may not know them.

    When all have decided, what they chose is played again from where they began: so what he knew
    there counts, whatever he did with it since in a branch of his own.
    """
    parent = state.parent
    before = set[int]()
    if parent is not None:
        began = unknown(parent.position, viewer)
        before = began & unknown(seat(parent.position, viewer), viewer)
    found = set[int]()
    for entry in new_entries(state, viewer):
        found |= _named(state, viewer, entry, before)
    return found


def _named(state: State, viewer: int | None, entry: Entry, before: set[int]) -> set[int]:
    """The pieces that a line may name to the viewer; `before` are those he did not know."""
    rules = state.game.rules_source
    match entry.kind:
        case "draw":
            ends = (entry.place("from"), entry.place("to"))
            seen = any(_looks(rules.places[name], whose, viewer) for name, whose in ends)
            return set(entry.pieces()) if seen else set()
        case "move" | "put":
            places = (entry.place(name) for name, _ in entry.args if name == "to")
            hidden = any(not _looks(rules.places[name], whose, viewer) for name, whose in places)
            return set(entry.pieces()) - before if hidden else set(entry.pieces())
        case "reveal":
            return set(entry.pieces()) if _is_shown(state, entry, viewer) else set()
        case "event":
            return _named_by_event(state, entry, before)
        case "chance":
            outcome = _pieces(dict(entry.args)["outcome"], chance_type(state.game, entry.name))
            return set(outcome) - before
    return set()


def _is_shown(state: State, entry: Entry, viewer: int | None) -> bool:
    """Whether what was revealed was shown to the viewer; an onlooker sees what all see."""
    to_all = entry.seen is None or len(entry.seen) == state.game.players
    return to_all or viewer in (entry.seen or ())


def _named_by_event(state: State, entry: Entry, before: set[int]) -> set[int]:
    """The pieces in an event's values; those its viewer did not know only if it may show them."""
    types = dict(state.game.rules_source.events[entry.name].params)
    named = {p for name, value in entry.args for p in _pieces(value, types[name])}
    shows = state.parent is None or _may_show(state.game, entry.name)
    return named if shows else named - before


def _looks(place: Place, whose: int | None, viewer: int | None) -> bool:
    """Whether the viewer may look into a place by its declared visibility."""
    if place.visibility == "public":
        return True
    own = place.of == PLAYER and viewer is not None and whose == viewer
    return place.visibility == "private" and own


def _may_show(game: Game, event: str) -> bool:
    """Whether an event's effects may show a piece on its way."""
    places = game.rules_source.places
    for stmt in statements(game.rules_source.events[event].body):
        if isinstance(stmt, core.Put | core.Reveal) or (
            isinstance(stmt, core.Move | core.Draw) and places[stmt.place].visibility == "public"
        ):
            return True
    return False


def _pieces(value: Value, t: Type) -> Iterator[int]:
    """The pieces in a value of this type."""
    t = t.of if isinstance(t, OptionalT) else t
    inner = element(t)
    if inner is not None and isinstance(value, frozenset | tuple):
        for item in value:
            yield from _pieces(item, inner)
    elif isinstance(t, PieceT) and isinstance(value, int):
        yield value
