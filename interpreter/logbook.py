"""A game told in the rules' own words: what happened, how players stand, what one holds; nothing he may not know."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from interpreter.game import Game, State
from interpreter.knowledge import ONLOOKER, may_know, pieces_in, sees
from interpreter.setup import Key
from interpreter.state import Entry, Position
from interpreter.tables import Tally
from rulelang import core
from rulelang.names import spoken
from rulelang.types import PLAYER, UNKNOWN, PieceT, Type, element

_SLOT = re.compile(r"\{([a-z_]\w*)(?: [^}]*)?\}")
_SIGNS = {
    "start": "",
    "+": "+ ",
    "-": "- ",
    "times": "times ",
    "exactly": "exactly ",
    "floor": "at least ",
    "cap": "at most ",
}


def since(state: State, mark: Any) -> list[Entry]:
    """The entries written after a mark (a state's `position.log`), oldest first."""
    found: list[Entry] = []
    rest = state.position.log
    while rest and rest is not mark:
        found.append(rest[0])
        rest = rest[1]
    return found[::-1]


def told(state: State, entry: Entry, viewer: int | None) -> str:
    """An entry of the log in words, as the viewer may read it."""
    s = state.position
    if entry.kind == "event":
        return _event(state, entry, viewer)
    values = dict(entry.args)
    if entry.kind == "draw":
        source, target = values["from"], values["to"]
        places = state.game.rules_source.places
        open_to = sees(s, viewer, target, places[target[0]]) or sees(s, viewer, source, places[source[0]])
        what = _listed(state, values["pieces"]) if open_to else str(len(values["pieces"]))
        return f"{what} drawn from {place_name(state, source)} to {place_name(state, target)}"
    if entry.kind == "reveal":
        shown = entry.seen is None or viewer in entry.seen or len(entry.seen) >= state.game.players
        return f"shown: {_listed(state, values['pieces']) if shown else len(values['pieces'])}"
    if entry.kind == "chance":
        if not entry.open_to(ONLOOKER if viewer is None else viewer, (p for p, _ in entry.secret)):
            return f"by chance, {spoken(entry.name)} is settled"
        outcome = state.game.presenter.text(values["outcome"], _chance_type(state.game, entry.name), s)
        return f"by chance, {spoken(entry.name)} is {outcome}"
    return f"the game ends: {spoken(entry.name)}" if entry.kind == "end" else f"{entry.kind}: {spoken(entry.name)}"


def _event(state: State, entry: Entry, viewer: int | None) -> str:
    known = state.game.rules_source.events[entry.name]
    types = dict(known.params)
    s, who = state.position, ONLOOKER if viewer is None else viewer
    said = {}
    for name, value in entry.args:
        open_to_him = entry.open_to(who, pieces_in(value, types[name]))
        said[name] = state.game.presenter.text(value, types[name], s) if open_to_him else "something"
    if known.reads:
        text = _SLOT.sub(lambda m: said.get(m.group(1), m.group(1)), known.reads[0])
    else:
        text = f"{spoken(entry.name)}: " + ", ".join(f"{spoken(name)} {value}" for name, value in said.items())
    return text + "".join(f" ({_tally(tally)})" for tally in entry.told_to(who))


def _tally(tally: Tally) -> str:
    lines = ", ".join(f"{_SIGNS[line.op]}{line.amount} {line.label}" for line in tally.lines)
    return f"{spoken(tally.table)} {tally.total}" + (f": {lines}" if lines else "")


def _listed(state: State, pieces: Any) -> str:
    names = Counter(state.game.presenter.piece(p) for p in pieces)
    return ", ".join(f"{count} × {name}" if count > 1 else name for name, count in names.items()) or "nothing"


def _chance_type(game: Game, name: str) -> Type:
    for body in game.machine.bodies:
        for stmt in body:
            if isinstance(stmt, core.Chance) and stmt.var.split("~")[0] == name:
                return element(stmt.of.type) or UNKNOWN
    return UNKNOWN


def place_name(state: State, key: Key) -> str:
    """A place and whose it is."""
    of = state.game.rules_source.places[key[0]].of
    if key[1] is None or of is None:
        return f"the {spoken(key[0])}"
    return f"the {spoken(key[0])} of {state.game.presenter.text(key[1], of, state.position)}"


# ------------------------------------------------------------------------------------------------ how things stand
def scores(state: State) -> str:
    """What the first line of the ranking comes to for each player."""
    return ", ".join(f"player {p + 1}: {value}" for p, value in enumerate(state.scores()))


def ranking(state: State) -> list[str]:
    """The players from first to last, ties on one line, with what the first line of the ranking gives them."""
    value = state.scores()
    found, place = [], 1
    for tied in state.ranking:
        found.append(f"{place}. " + " and ".join(f"player {p + 1}" for p in tied) + f" ({value[tied[0]]})")
        place += len(tied)
    return found


def holdings(state: State, viewer: int | None) -> list[str]:
    """What lies in the places a viewer may look into, his own first; of the others how much lies there."""
    s = state.position.branches.get(viewer, state.position) if viewer is not None else state.position
    own: list[str] = []
    others: list[str] = []
    closed: dict[str, list[str]] = {}  # places of which only the number is known, by name
    for key, pieces in sorted(s.places.items(), key=lambda item: (item[0][0], -1 if item[0][1] is None else item[0][1])):
        place = state.game.rules_source.places[key[0]]
        if not pieces:
            continue
        mine = viewer is not None and place.of == PLAYER and key[1] == viewer
        visible = [p for p in pieces if may_know(s, viewer, p, PieceT(place.holds))]
        hidden = len(pieces) - len(visible)
        text = _listed(state, visible) if visible else ""
        if len(text) > 200 and not mine:
            text, hidden = "", len(pieces)
        if not visible and key[1] is not None and place.of is not None and not mine:
            closed.setdefault(key[0], []).append(f"{hidden} of {state.game.presenter.text(key[1], place.of, s)}")
            continue
        if hidden:
            text += (" and " if text else "") + f"{hidden} {_words(state, place.holds)[0 if hidden == 1 else 1]}"
        (own if mine else others).append(f"{'your ' + spoken(key[0]) if mine else place_name(state, key)}: {text}")
    others += [f"{spoken(name)}: {', '.join(counts)}" for name, counts in closed.items()]
    return own + _variables(state, s, viewer) + others


def _words(state: State, component: str) -> tuple[str, str]:
    return state.game.rules_source.components[component].words


def _variables(state: State, s: Position, viewer: int | None) -> list[str]:
    """The variables of the table and of the players that a viewer may know, where they are not what they began with."""
    common: list[str] = []
    of_players: dict[int, list[str]] = {}
    for name, variable in state.game.rules_source.states.items():
        for index, value in s.vars[name].items():
            mine = variable.of == PLAYER and index == viewer
            if variable.visibility == "hidden" or (variable.visibility == "private" and not mine):
                continue
            shown = state.game.presenter.text(value, variable.type, s) if may_know(s, viewer, value, variable.type) else "hidden"
            text = f"{spoken(name)} {shown}"
            if index is None:
                common.append(text)
            elif variable.of == PLAYER:
                of_players.setdefault(index, []).append(text)
    found = [f"player {p + 1}: {', '.join(texts)}" for p, texts in sorted(of_players.items())]
    return [*found, *(["the table: " + ", ".join(common)] if common else [])]
