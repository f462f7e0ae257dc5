"""Sentences on pieces that change their place: drawn, moved, put, shuffled or shown.

Verbs agree with what they are said of, and no piece is named that the reader may not know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from interpreter.game.context import PlayState
from interpreter.model.position import Entry
from interpreter.model.setup import Key
from interpreter.model.visibility import ONLOOKER, sees
from rulelang.core.types import PLAYER
from rulelang.core.values import members, number_or_none, text
from rulelang.diagnostics.english import spoken

MOST_NAMED = 12  # kinds of pieces that are named where many are moved


@dataclass(frozen=True)
class Subject:
    """What a sentence is about, and whether it is one thing."""

    said: str
    one: bool

    def does(self, one: str, many: str) -> str:
        """The subject with its verb."""
        return f"{self.said} {one if self.one else many}"


def moved(state: PlayState, entry: Entry, viewer: int | None) -> str:
    """Pieces that went somewhere."""
    subject = _moving(state, entry, viewer)
    return f"{subject.does('goes', 'go')} to {place_name(state, entry.place('to'))}"


def put(state: PlayState, entry: Entry, viewer: int | None) -> str:
    """Pieces that were put on a board, or tiles that were laid."""
    subject = _moving(state, entry, viewer)
    on = f" on the {_layer(state, entry.name)}" if entry.name else ""
    return f"{subject.does('is', 'are')} {'put' if on else 'laid'}{on}"


def _layer(state: PlayState, name: str) -> str:
    """The board, or the layer where several take such pieces."""
    boards = state.game.rules_source.boards.values()
    layers = [layer for board in boards for layer in board.layers]
    taken = next(layer.component for layer in layers if layer.name == name)
    alike = [layer for layer in layers if layer.component == taken]
    return spoken(name) if len(alike) > 1 else "board"


def drawn(state: PlayState, entry: Entry, viewer: int | None) -> str:
    """Pieces that were drawn, by a player if they came to a place of his."""
    s, places = state.position, state.game.rules_source.places
    source, target, pieces = entry.place("from"), entry.place("to"), entry.pieces()
    open_to = any(sees(s, viewer, key, places[key[0]]) for key in (target, source))
    what = pieces_named(state, pieces if open_to else (), () if open_to else pieces)
    origin = f"from {place_name(state, source)}"
    if places[target[0]].of != PLAYER or target[1] is None:
        return f"{what.does('is', 'are')} drawn {origin} to {place_name(state, target)}"
    whither = "" if _is_usual(state, target[0]) else f" to the {places[target[0]].called}"
    return f"player {target[1] + 1} draws {what.said} {origin}{whither}"


def _is_usual(state: PlayState, name: str) -> bool:
    """Is it the one place of each player's own that holds such pieces unseen by others?"""
    places = state.game.rules_source.places
    place = places[name]
    others = [
        p.name
        for p in places.values()
        if p.of == PLAYER and p.holds == place.holds and p.visibility != "public"
    ]
    return others == [name]


def shuffled(state: PlayState, entry: Entry) -> str:
    """Places that were shuffled, one or several of one name."""
    keys = [(text(k), number_or_none(whose)) for k, whose in (members(v) for _, v in entry.args)]
    name, place = keys[0][0], state.game.rules_source.places[keys[0][0]]
    of, called = place.of, place.called
    if len(keys) == 1 or of is None:
        return f"{place_name(state, keys[0])} is shuffled"
    if len(keys) == sum(place == name for place, _ in state.position.places):
        return f"the {called} of each {of} is shuffled"
    whose = [state.game.presenter.text(key[1], of, state.position) for key in keys]
    return f"the {called} of {_enumerated(whose)} is shuffled"


def shown(state: PlayState, entry: Entry, viewer: int | None) -> str:
    """Pieces that were shown, to everybody or to some."""
    seen, pieces = entry.seen, entry.pieces()
    open_to = seen is None or viewer in seen or len(seen) >= state.game.players
    what = pieces_named(state, pieces if open_to else (), () if open_to else pieces)
    to = ""
    if seen is not None and len(seen) < state.game.players:
        to = f" to {_enumerated([f'player {p + 1}' for p in sorted(seen)])}" if seen else ""
    return f"{what.does('is', 'are')} shown{to}"


def _moving(state: PlayState, entry: Entry, viewer: int | None) -> Subject:
    """The pieces that were moved or put: those the viewer knows by name, unless they are many."""
    who = ONLOOKER if viewer is None else viewer
    pieces = entry.pieces()
    known = [piece for piece in pieces if entry.open_to(who, (piece,))]
    if len({state.game.presenter.called(piece) for piece in known}) > MOST_NAMED:
        known = []
    return pieces_named(state, known, [piece for piece in pieces if piece not in known])


def pieces_named(state: PlayState, known: Iterable[int], hidden: Sequence[int]) -> Subject:
    """Pieces by name, equal ones counted; of others how many there are of what."""
    game = state.game
    named = Counter(game.presenter.called(piece) for piece in known)
    parts = [f"{count} × {name}" if count > 1 else name for name, count in named.items()]
    components = Counter(game.setup.pieces[piece].design.component for piece in hidden)
    for component, count in components.items():
        one, many = game.rules_source.components[component].words
        parts.append(f"{count} {one if count == 1 else many}")
    total = sum(named.values()) + len(hidden)
    return Subject(_enumerated(parts) or "nothing", total <= 1)


def _enumerated(parts: Sequence[str]) -> str:
    """Several things, with `and` before the last."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def place_name(state: PlayState, key: Key) -> str:
    """A place and whose it is."""
    place = state.game.rules_source.places[key[0]]
    if key[1] is None or place.of is None:
        return f"the {place.called}"
    return f"the {place.called} of {state.game.presenter.text(key[1], place.of, state.position)}"
