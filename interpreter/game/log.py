"""A game told in the rules' own words: what happened and how players stand; nothing the reader may
not know.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from interpreter.game import movements
from interpreter.game.context import GameContext, PlayState
from interpreter.game.score_tree import event_text, line_text
from interpreter.model.position import Entry, Log
from interpreter.model.tally import Tally
from interpreter.model.visibility import ONLOOKER, score_readers
from rulelang import core
from rulelang.core.types import PLAYER, UNKNOWN, Type, element
from rulelang.core.values import number
from rulelang.diagnostics.english import spoken


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
    one, and shuffles of places of one name; what shows nothing not at all.
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
        elif (
            last is not None
            and entry.kind == "shuffle"
            and (last.kind, last.name) == (entry.kind, entry.name)
            and entry.args[0] not in last.args
        ):
            found[-1] = replace(last, args=(*last.args, *entry.args))
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
            return movements.drawn(state, entry, viewer)
        case "move":
            return movements.moved(state, entry, viewer)
        case "put":
            return movements.put(state, entry, viewer)
        case "shuffle":
            return movements.shuffled(state, entry)
        case "reveal":
            return movements.shown(state, entry, viewer)
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
    if tallies and not telling and _is_of_players(state, entry):
        return " (nothing)"
    return "".join(f" ({_tally(state, tally)})" for tally in telling)


def _is_of_players(state: PlayState, entry: Entry) -> bool:
    """Does an event name players alone, so that what it counts is all there is to it?"""
    return all(t == PLAYER for _, t in state.game.rules_source.events[entry.name].params)


def _chance_text(state: PlayState, entry: Entry, viewer: int | None) -> str:
    who = ONLOOKER if viewer is None else viewer
    if not entry.open_to(who, (p for p, _ in entry.secret)):
        return f"by chance, the {spoken(entry.name)} is settled"
    outcome, t = dict(entry.args)["outcome"], _chance_type(state.game, entry.name)
    text = state.game.presenter.text(outcome, t, state.position)
    if t == PLAYER:
        return f"by chance, {text} is the {spoken(entry.name)}"
    return f"by chance, the {spoken(entry.name)} is {text}"


def actor(state: PlayState, entry: Entry) -> int | None:
    """The player an event is about: the first it names."""
    if entry.kind != "event":
        return entry.player
    types = dict(state.game.rules_source.events[entry.name].params)
    return next((number(value) for name, value in entry.args if types[name] == PLAYER), None)


def _tally(state: PlayState, tally: Tally) -> str:
    lines = ", ".join(line_text(state, tally, line) for line in tally.lines)
    return f"{spoken(tally.table)} {tally.total}" + (f": {lines}" if lines else "")


def _chance_type(game: GameContext, name: str) -> Type:
    for body in game.machine.bodies:
        for stmt in body:
            if isinstance(stmt, core.Chance) and stmt.var.split("~")[0] == name:
                return element(stmt.of.type) or UNKNOWN
    return UNKNOWN


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
