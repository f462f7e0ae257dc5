"""What changed of the table itself between two states, in the words of its variables.

Numbers and players, as whose turn it is, change all the time and are shown, not told.
"""

from __future__ import annotations

from interpreter.game.context import PlayState
from interpreter.game.views import knows_variable
from interpreter.game.wording import agreeing, filled
from interpreter.model.visibility import may_know
from rulelang.core.types import TRUTH, KindT, PieceT, non_optional
from rulelang.core.values import Value
from rulelang.ruleset import State as Variable


def changes(before: PlayState, after: PlayState, viewer: int | None) -> list[str]:
    """What holds now and did not before, and what holds no longer, as far as the viewer knows."""
    found: list[str] = []
    for variable in after.game.rules_source.states.values():
        held = non_optional(variable.type)
        lasting = held == TRUTH or isinstance(held, KindT | PieceT)
        if variable.of is not None or not variable.reads or not lasting:
            continue
        was, now = _told(before, variable, viewer), _told(after, variable, viewer)
        if was != now:
            found.append(now or f"no longer: {was}")
    return found


def _told(state: PlayState, variable: Variable, viewer: int | None) -> str:
    """A variable in its own words; nothing where it holds nothing, or is not known."""
    game, s = state.game, state.seen_by(viewer)
    if not knows_variable(game, s, viewer, variable.name, None):
        return ""
    value: Value = dict(s.changed(variable.name)).get(None, game.setup.defaults[variable.name])
    if value is None or value is False or not may_know(s, viewer, value, variable.type):
        return ""
    text = game.presenter.named(value, variable.type, s)
    return agreeing(filled(variable.reads, {variable.name: text}))
