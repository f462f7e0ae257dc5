"""Games by bots under every setting: which finish, and what stops those that do not."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from interpreter.game.game import Game
from interpreter.simulation.settings import Setting
from interpreter.simulation.simulate import simulate


@dataclass(frozen=True)
class Result:
    """What came of one setting."""

    setting: Setting
    games: int
    finished: int
    moves: int
    faults: tuple[str, ...]
    hash: str

    def as_json(self) -> dict[str, Any]:
        """The result as plain data."""
        return {
            **self.setting.as_json(),
            "games": self.games,
            "finished": self.finished,
            "moves": self.moves,
            "faults": list(self.faults),
            "hash": self.hash,
        }


@dataclass
class Survey:
    """What came of all settings."""

    results: list[Result] = field(default_factory=list)

    @property
    def games(self) -> int:
        """How many games were played."""
        return sum(result.games for result in self.results)

    @property
    def finished(self) -> int:
        """How many of them came to an end of their rules."""
        return sum(result.finished for result in self.results)

    @property
    def unfinished(self) -> list[Result]:
        """The settings under which not all games finished."""
        return [result for result in self.results if result.finished < result.games]

    def of(self, players: int) -> list[Result]:
        """The settings for a number of players."""
        return [result for result in self.results if result.setting.players == players]

    @property
    def hash(self) -> str:
        """A hash over all games: the same settings and seed give the same on any machine."""
        return hashlib.sha256("".join(result.hash for result in self.results).encode()).hexdigest()


def survey(
    settings: Iterable[Setting],
    game_of: Callable[[Setting], Game],
    games: int,
    seed: int,
    bot: str,
    told: Callable[[int], None],
) -> Survey:
    """Play so many games under each setting, each setting with seeds of its own."""
    found = Survey()
    for number, setting in enumerate(settings):
        made = simulate([game_of(setting)], games, seed * 1_000 + number, bot)
        found.results.append(
            Result(setting, games, made.finished, made.moves, tuple(made.faults), made.hash)
        )
        told(number + 1)
    return found
