"""The battery under many settings, in one process or in several."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from interpreter.conformance.battery import conform
from interpreter.conformance.laws import Ledger
from interpreter.simulation.processes import in_processes
from interpreter.simulation.settings import Setting, Settings

MOST = 3  # settings of the same variants that are handed out together

SettingsFactory = Callable[[], Settings]  # the same settings, made in each process


def surveyed(
    settings: Settings,
    chosen: Sequence[Setting],
    games: int,
    seed: int,
    processes: int = 1,
    make: SettingsFactory | None = None,
) -> Iterator[tuple[int, Ledger]]:
    """The ledgers of these settings in their order, each with how many settings it is about.

    With `make` in so many processes, which changes nothing in them. Raises WorkerLost.
    """
    if make is None or processes == 1:
        for setting in chosen:
            yield 1, conform(settings.game(setting), games, seed)
        return
    batches = list(_batches(chosen))
    begun = _Begun(make, games, seed)
    ledgers = in_processes(_Worker.conform, batches, processes, _Worker.begin, begun)
    yield from zip(map(len, batches), ledgers, strict=True)


def _batches(chosen: Sequence[Setting]) -> Iterator[tuple[Setting, ...]]:
    """Neighbours of the same variants together, so that few processes compile the same rules."""
    for _, alike in itertools.groupby(chosen, key=lambda setting: setting.variants):
        while batch := tuple(itertools.islice(alike, MOST)):
            yield batch


@dataclass(frozen=True)
class _Begun:
    """What a process needs to know."""

    make: SettingsFactory
    games: int
    seed: int


class _Worker:
    """The state of a worker process."""

    begun: _Begun
    settings: Settings

    @classmethod
    def begin(cls, begun: _Begun) -> None:
        cls.begun, cls.settings = begun, begun.make()

    @classmethod
    def conform(cls, batch: Sequence[Setting]) -> Ledger:
        ledger = Ledger()
        for setting in batch:
            game = cls.settings.game(setting)
            ledger.add(conform(game, cls.begun.games, cls.begun.seed))
        return ledger
