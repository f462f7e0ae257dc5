"""Laws of records, saved states and undo."""

from __future__ import annotations

import json
import random

from interpreter.conformance.laws import Case
from interpreter.game.game import Game, Illegal, State
from interpreter.game.views import view
from rulelang.core.values import Json

_STEPS = 3  # choices made side by side after a state was read back


def record(case: Case, state: State) -> None:
    """Check that a record, through JSON, replays to the same state, log and record."""
    kept = json.loads(json.dumps(case.game.record(state)))
    again = Game(case.game.loaded, case.game.players, case.game.options, case.game.variants).replay(
        kept
    )
    case.same("history", again.digest(), state.digest(), "the hash")
    case.check("history", again == state, "the state replayed is not equal")
    case.same("history", view(again, None)["log"], view(state, None)["log"], "the log")
    case.same("history", case.game.record(again), kept, "the record")


def resume(case: Case, state: State) -> None:
    """Check that a state read back is equal, and that play goes on from it in the same way."""
    again = case.game.position(json.loads(json.dumps(state.to_json())))
    equal = again == state and hash(again) == hash(state)
    case.check("resume", equal, "the state read back is not equal")
    for viewer in (*range(case.game.players), None):
        case.same("resume", _told(again, viewer), _told(state, viewer), "read back, the view")
    seed = case.rng.random()
    one, other = random.Random(seed), random.Random(seed)
    for _ in range(_STEPS):
        if state.over:
            break
        number = case.rng.randrange(len(state.decisions))
        option, alike = state.decisions[number].sample(one), again.decisions[number].sample(other)
        told = f"read back, {alike} is drawn where {option} was"
        case.check("resume", option == alike, told)
        state, again = state.choose(option), again.choose(option)
        case.same("resume", again.digest(), state.digest(), f"read back, after {option}")
        if again != state:
            break


def _told(state: State, viewer: int | None) -> dict[str, Json]:
    """A view without its `undo`: a state read back has no state before it."""
    return {name: part for name, part in view(state, viewer).items() if name != "undo"}


def undo(case: Case, before: State, later: State, closely: bool) -> None:
    """Check that undo gives the state before, with the same views, or says why it is refused."""
    try:
        taken = later.undo()
    except Illegal as error:
        case.check("undo", bool(str(error)), "a choice stands without a reason")
        return
    same = taken == before and taken.moves == before.moves
    case.check("undo", same, "the state taken back to is not the one before")
    for viewer in (*range(case.game.players), None) if closely else ():
        case.same("undo", view(taken, viewer), view(before, viewer), "taken back, the view")
