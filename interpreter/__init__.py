"""The interpreter: runs any compiled ruleset over boards, places and variables; it knows no game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpreter.game.game import Game


def load(name: str, **settings: Any) -> Game:
    """The game of this id or folder, for these players, variants, options and added files; raises `RulesError` with its diagnostics."""
    from interpreter.game.game import load as load_game

    return load_game(name, **settings)


__all__ = ["load"]
