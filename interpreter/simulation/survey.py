"""Simulation under every setting: which games finish, and what stops those that do not."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from interpreter.game.game import Game
from interpreter.simulation.settings import Setting
from interpreter.simulation.simulate import INTERRUPTED, simulate
from rulelang.core.values import Json


@dataclass(frozen=True)
class Result:
    """The result of the games under one setting."""

    setting: Setting
    games: int
    finished: int
    moves: int
    faults: tuple[str, ...]
    hash: str

    def as_json(self) -> dict[str, Json]:
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
    """The results of all settings."""

    results: list[Result] = field(default_factory=list)
    stopped: str = ""  # why not all settings were played under, if they were not

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
        """A hash over all games: equal for equal settings and seed, on any machine."""
        return hashlib.sha256("".join(result.hash for result in self.results).encode()).hexdigest()


def survey(
    settings: Iterable[Setting],
    game_of: Callable[[Setting], Game],
    games: int,
    seed: int,
    bot: str,
    progress: Callable[[int], None],
) -> Survey:
    """The results of so many games under each setting, each setting with seeds of its own.

    Where it is interrupted, they are those of the settings before.
    """
    found = Survey()
    for number, setting in enumerate(settings):
        try:
            made = simulate([game_of(setting)], games, seed * 1_000 + number, bot)
        except KeyboardInterrupt:
            found.stopped = INTERRUPTED
            break
        if made.stopped:  # what was played under this setting would be told as all of it
            found.stopped = made.stopped
            break
        found.results.append(
            Result(setting, games, made.finished, made.moves, tuple(made.faults), made.hash)
        )
        progress(number + 1)
    return found
