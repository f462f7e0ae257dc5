"""What is worked out once of a game by those who play it, and goes with the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar, cast

from interpreter.game.game import Game

T = TypeVar("T")


class WorkedOut(Generic[T]):
    """A function of a game whose results lie in the game itself.

    A table beside it, even one with weak keys, would hold every game whose result speaks of it.
    """

    def __init__(self, work_out: Callable[[Game], T]) -> None:
        """`work_out` is called once for each game."""
        self._work_out = work_out

    def __call__(self, game: Game) -> T:
        """The result for a game."""
        if self not in game.worked_out:
            game.worked_out[self] = self._work_out(game)
        return cast("T", game.worked_out[self])
