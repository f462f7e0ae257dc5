"""The first screen of a game: what it is, what wins, what may be done and asked."""

from __future__ import annotations

from interpreter.game.game import State
from interpreter.game.introduction import introduce

_ASKED = "Ask any time: `why not WORDS`, `explain`, `look WORDS`, `show`, `try 1`, `map`, `rules`."


def opening(state: State, width: int | None = None) -> list[str]:
    """What is told to somebody who sits down to a game that begins."""
    told = introduce(state)
    found = [f"Played with: {', '.join(told.settings)}."] if told.settings else []
    if told.aims:
        found.append(f"You want {told.aims[0]}.")
    if told.ends:
        found.append(f"It ends by: {', '.join(told.ends)}.")
    if told.actions:
        found.append(f"What can be done: {'; '.join(told.actions)}.")
    return [*found, _ASKED]
