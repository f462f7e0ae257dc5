"""A game told in the rules' own words: what happened and how players stand; nothing the reader may
not know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from interpreter.game.context import GameContext, PlayState
from interpreter.game.score_tree import event_text, line_text
from interpreter.model.position import Entry, Log
from interpreter.model.setup import Key
from interpreter.model.tally import Tally
from interpreter.model.visibility import ONLOOKER, score_readers, sees
from rulelang import core
from rulelang.core.types import PLAYER, UNKNOWN, Type, element
from rulelang.core.values import number
from rulelang.diagnostics.english import counted, spoken

MOST_NAMED = 12  # kinds of pieces that are named where many are moved


def since(log: Log, mark: Log) -> list[Entry] | None:
    """The entries of a position's log written after a mark (an earlier `log` of it), oldest first;
    none if the mark lies on no way back.
    """
    found: list[Entry] = []
    while log and log is not mark:
        found.append(log[0])
        log = log[1]
    return found[::-1] if log is mark or mark == () else None


def gathered(entries: Iterable[Entry]) -> list[Entry]:
    """Entries as they are told: draws and moves one after another from and to the same places as
    one, what shows nothing not at all.
    """
    found: list[Entry] = []
    for entry in entries:
        if entry.kind == "reveal" and not entry.pieces():
            continue
        last = found[-1] if found else None
        if (
            entry.kind in ("draw", "move", "put")
            and last is not None
            and (last.kind, last.name, last.args[:-1]) == (entry.kind, entry.name, entry.args[:-1])
        ):
            pieces = (*last.pieces(), *entry.pieces())
            found[-1] = replace(
                last,
                args=(*last.args[:-1], ("pieces", pieces)),
                secret=(*last.secret, *entry.secret),
            )
        else:
            found.append(entry)
    return found


def news(state: PlayState) -> str:
    """What the last choice showed somebody, told so that nobody learns more."""
    entries = (
        since(state.position.log, state.parent.position.log) if state.parent is not None else None
    ) or []
    telling = [e for e in entries if e.kind in ("draw", "reveal", "chance")] or [
        e for e in entries if e.kind == "event"
    ]
    return told(state, telling[0], None) if telling else "what was decided unseen"


def told(state: PlayState, entry: Entry, viewer: int | None) -> str:
    """An entry of the log in words, as the viewer may read it."""
    match entry.kind:
        case "event":
            return event_text(state, entry, viewer) + _scored_text(state, entry, viewer)
        case "draw":
            return _draw_text(state, entry, viewer)
        case "move":
            to = place_name(state, entry.place("to"))
            return f"{_moved_text(state, entry, viewer)} moved to {to}"
        case "put":
            on = f" on the {spoken(entry.name)}" if entry.name else ""
            return f"{_moved_text(state, entry, viewer)} put{on}"
        case "shuffle":
            return f"{place_name(state, entry.place('place'))} shuffled"
        case "reveal":
            return _revealed_text(state, entry, viewer)
        case "chance":
            return _chance_text(state, entry, viewer)
        case "end":
            return f"the game ends: {spoken(entry.name)}"
        case _:
            return f"{entry.kind}: {spoken(entry.name)}"


def _scored_text(state: PlayState, entry: Entry, viewer: int | None) -> str:
    """In brackets, what an event counted, as far as the viewer may know it."""
    tallies = entry.told_to(ONLOOKER if viewer is None else viewer)
    telling = [tally for tally in tallies if tally.total or tally.lines]
    return "".join(f" ({_tally(state, tally)})" for tally in telling)


def _revealed_text(state: PlayState, entry: Entry, viewer: int | None) -> str:
    seen, pieces = entry.seen, entry.pieces()
    shown = seen is None or viewer in seen or len(seen) >= state.game.players
    return f"shown: {_listed(state, pieces) if shown else len(pieces)}"


def _draw_text(state: PlayState, entry: Entry, viewer: int | None) -> str:
    s, places = state.position, state.game.rules_source.places
    source, target, pieces = entry.place("from"), entry.place("to"), entry.pieces()
    open_to = any(sees(s, viewer, key, places[key[0]]) for key in (target, source))
    what = _listed(state, pieces) if open_to else str(len(pieces))
    return f"{what} drawn from {place_name(state, source)} to {place_name(state, target)}"


def _moved_text(state: PlayState, entry: Entry, viewer: int | None) -> str:
    """The pieces that were moved or put: those the viewer knows by name, unless they are many."""
    who = ONLOOKER if viewer is None else viewer
    known = [piece for piece in entry.pieces() if entry.open_to(who, (piece,))]
    if len({state.game.presenter.piece(piece) for piece in known}) > MOST_NAMED:
        known = []
    others = len(entry.pieces()) - len(known)
    named = [_listed(state, known)] if known else []
    return " and ".join([*named, *([counted(others, "piece")] if others else [])])


def _chance_text(state: PlayState, entry: Entry, viewer: int | None) -> str:
    who = ONLOOKER if viewer is None else viewer
    if not entry.open_to(who, (p for p, _ in entry.secret)):
        return f"by chance, {spoken(entry.name)} is settled"
    outcome, t = dict(entry.args)["outcome"], _chance_type(state.game, entry.name)
    text = state.game.presenter.text(outcome, t, state.position)
    return f"by chance, {spoken(entry.name)} is {text}"


def actor(state: PlayState, entry: Entry) -> int | None:
    """The player an event is about: the first it names."""
    if entry.kind != "event":
        return entry.player
    types = dict(state.game.rules_source.events[entry.name].params)
    return next((number(value) for name, value in entry.args if types[name] == PLAYER), None)


def _tally(state: PlayState, tally: Tally) -> str:
    lines = ", ".join(line_text(state, tally, line) for line in tally.lines)
    return f"{spoken(tally.table)} {tally.total}" + (f": {lines}" if lines else "")


def _listed(state: PlayState, pieces: Iterable[int]) -> str:
    names = Counter(state.game.presenter.piece(p) for p in pieces)
    return (
        ", ".join(f"{count} × {name}" if count > 1 else name for name, count in names.items())
        or "nothing"
    )


def _chance_type(game: GameContext, name: str) -> Type:
    for body in game.machine.bodies:
        for stmt in body:
            if isinstance(stmt, core.Chance) and stmt.var.split("~")[0] == name:
                return element(stmt.of.type) or UNKNOWN
    return UNKNOWN


def place_name(state: PlayState, key: Key) -> str:
    """A place and whose it is."""
    of = state.game.rules_source.places[key[0]].of
    if key[1] is None or of is None:
        return f"the {spoken(key[0])}"
    return f"the {spoken(key[0])} of {state.game.presenter.text(key[1], of, state.position)}"


# ---------------------------------------------------------------------- how things stand
def scores(state: PlayState, viewer: int | None) -> str:
    """What the first line of the ranking comes to for each player, as far as the viewer may know it
    before the end.
    """
    known = (
        {*range(state.game.players)}
        if state.over
        else score_readers(state.game.rules_source, state.game.players, viewer)
    )
    return ", ".join(
        f"player {p + 1}: {value if p in known else 'hidden'}"
        for p, value in enumerate(state.scores())
    )


def ranking(state: PlayState) -> list[str]:
    """The players from first to last, ties on one line, with what the first line of the ranking
    gives them.
    """
    value = state.scores()
    found, place = [] if state.winners else ["nobody wins"], 1
    for tied in filter(None, state.ranking):
        found.append(
            f"{place}. " + " and ".join(f"player {p + 1}" for p in tied) + f" ({value[tied[0]]})"
        )
        place += len(tied)
    return found
