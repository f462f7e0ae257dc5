"""A game to ask questions in: the fewest players that the rules allow, and all cards of the box."""

from __future__ import annotations

from interpreter.game.game import Game, game_of
from interpreter.game.loading import Loaded, Unlawful
from rulelang.ruleset import OPTION, WHOLE

MOST_PLAYERS = 8  # tried


def playable(loaded: Loaded, variants: tuple[str, ...] = (), whole: bool = True) -> Game:
    """The game of the fewest players; raises RulesError if no number up to `MOST_PLAYERS` is
    allowed."""
    rules = loaded.compiled.rules
    low, high = rules.players
    options = {OPTION: WHOLE} if whole and WHOLE in rules.options.get(OPTION, ()) else {}
    refused: Unlawful | None = None
    for players in range(low, min(high or MOST_PLAYERS, MOST_PLAYERS) + 1):
        try:
            return game_of(loaded, players, variants, options)
        except Unlawful as error:
            refused = error
    assert refused is not None
    raise refused
