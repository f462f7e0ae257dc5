"""Laws of what is written down: a record plays again, a state read back goes on, a choice taken back leaves the state before it."""

from __future__ import annotations

import json
import random
from typing import Any

from interpreter.conformance.laws import Case
from interpreter.game.game import Game, Illegal, State
from interpreter.game.views import view

_STEPS = 3  # choices made side by side after a state was read back


def record(case: Case, state: State) -> None:
    """A record, through JSON, plays to the same state with the same log, in a game made anew; written again it is the same."""
    kept = json.loads(json.dumps(case.game.record(state)))
    again = Game(case.game.loaded, case.game.players, case.game.options, case.game.variants).replay(
        kept
    )
    case.same("history", again.digest(), state.digest(), "the hash")
    case.note("history", None if again == state else "the state replayed is not equal")
    case.same("history", view(again, None)["log"], view(state, None)["log"], "the log")
    case.same("history", case.game.record(again), kept, "the record")


def resume(case: Case, state: State) -> None:
    """Read back it is equal, tells every viewer the same, and the same choices lead to the same states."""
    again = case.game.position(json.loads(json.dumps(state.to_json())))
    case.note(
        "resume",
        None
        if again == state and hash(again) == hash(state)
        else "the state read back is not equal",
    )
    for viewer in (*range(case.game.players), None):
        case.same("resume", _told(again, viewer), _told(state, viewer), "read back, the view")
    seed = case.rng.random()
    one, other = random.Random(seed), random.Random(seed)
    for _ in range(_STEPS):
        if state.over:
            break
        number = case.rng.randrange(len(state.decisions))
        option, alike = state.decisions[number].sample(one), again.decisions[number].sample(other)
        case.note(
            "resume", None if option == alike else f"read back, {alike} is drawn where {option} was"
        )
        state, again = state.choose(option), again.choose(option)
        case.same("resume", again.digest(), state.digest(), f"read back, after {option}")
        if again != state:
            break


def _told(state: State, viewer: int | None) -> dict[str, Any]:
    """A view without whether the last choice may be taken back: a state read back has no state before it."""
    return {name: part for name, part in view(state, viewer).items() if name != "undo"}


def undo(case: Case, before: State, later: State, closely: bool) -> None:
    """Taken back, the state before is there again, and (looked at closely) everybody sees what he saw; or the choice stands and it is said why."""
    try:
        taken = later.undo()
    except Illegal as error:
        case.note("undo", None if str(error) else "a choice stands without a reason")
        return
    case.note(
        "undo",
        None
        if taken == before and taken.moves == before.moves
        else "the state taken back to is not the one before",
    )
    for viewer in (*range(case.game.players), None) if closely else ():
        case.same("undo", view(taken, viewer), view(before, viewer), "taken back, the view")
