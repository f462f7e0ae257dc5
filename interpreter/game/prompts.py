"""What a player is asked, in words: prompts with the values that stand in them."""

from __future__ import annotations

import re

from interpreter.engine.decisions import Spec
from interpreter.evaluator.expressions import Env
from interpreter.game.context import GameContext, PlayState
from interpreter.game.wording import agreeing
from interpreter.model.position import Position
from interpreter.model.values import Fault
from rulelang import core
from rulelang.core.types import OptionalT, PieceT
from rulelang.diagnostics.english import spoken

_VALUE = re.compile(r"\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}")


def asked(state: PlayState, spec: Spec, viewer: int | None) -> str:
    """What an open decision asks, as a viewer may read it: only who decides sees its values."""
    stmt = spec.stmt
    if not isinstance(stmt, core.Choose | core.May):
        return spec.prompt
    s = state.seat(spec)
    if viewer != spec.player or not s.stack:
        return without_values(spec.prompt)
    return prompt(state.game, stmt, s, s.stack[-1].env)


def prompt(game: GameContext, stmt: core.Choose | core.May, s: Position, env: Env) -> str:
    """The prompt of a choice with its values; without them where the rules break off."""
    if not stmt.asks:
        return stmt.prompt
    try:
        return with_values(game, stmt.asks, s, env)
    except Fault:
        return without_values(stmt.prompt)


def with_values(game: GameContext, parts: tuple[core.Said, ...], s: Position, env: Env) -> str:
    """A text with the values that stand in it."""

    def said(part: core.Expr) -> str:
        value = game.rules.value(part, s, env)
        if value is None and isinstance(part.type, OptionalT) and isinstance(part.type.of, PieceT):
            return spoken(part.type.of.name)  # the piece there would be
        return game.presenter.named(value, part.type, s)

    return agreeing("".join(p if isinstance(p, str) else said(p) for p in parts))


def without_values(text: str) -> str:
    """A text with dots in place of its values."""
    return _VALUE.sub("…", text)
