"""Games at scale: played in batches wherever there is room, each written down as it is done.

One seam hands batches out: joblib, to processes here or to a cluster it knows by name.
"""

from __future__ import annotations

import itertools
import logging
import socket
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from interpreter.game.game import Game
from interpreter.model.errors import InputError
from interpreter.simulation.engines import Manner, Plays
from interpreter.simulation.outcome import Outcome
from interpreter.simulation.processes import LOST, WorkerLost
from interpreter.simulation.results import Configuration, Results

if TYPE_CHECKING:
    import joblib

BATCH = 20  # games handed out together
BACKENDS = ("loky", "threading", "dask", "ray")
AT_ONCE = ("ray",)  # backends that cannot give an answer before the others are there
WINDOW = 4  # batches for each worker of such a backend at a time
WAIT = 10  # seconds in which a cluster must answer

Task = tuple[int, int, int]  # players, number, seed
Done = tuple[Task, Outcome]


@dataclass(frozen=True)
class Where:
    """Where games are played: in so many processes here, or by a cluster at an address."""

    processes: int = 1
    backend: str = "loky"
    address: str | None = None


@dataclass(frozen=True)
class Batch:
    """Plays games wherever it is sent; the game is made there once."""

    make: Callable[[int], Game]
    manner: Manner

    def __call__(self, tasks: tuple[Task, ...]) -> list[Done]:
        """What came of each task."""
        plays = {p: _plays(self.make, self.manner, p) for p in {players for players, *_ in tasks}}
        return [(task, plays[task[0]].outcome(task[2])) for task in tasks]


_made: dict[tuple[object, ...], Plays] = {}


def _plays(make: Callable[[int], Game], manner: Manner, players: int) -> Plays:
    """What plays with so many players, made once in each process."""
    key = (repr(make), manner, players)
    if key not in _made:
        _made[key] = Plays(make(players), manner)
    return _made[key]


def tasks(players: Iterable[int], games: int, seed: int) -> Iterator[Task]:
    """All games of a study in their order; the seeds are those of `simulate`."""
    for count in players:
        for number in range(games):
            yield count, number, seed * 1_000_003 + number


def study(
    wanted: Iterable[Task],
    batch: Batch,
    into: Results,
    configuration: Configuration,
    where: Where,
    progress: Callable[[int], None] = lambda done: None,
) -> int:
    """Play what is wanted and not yet in the results, and write each batch down as it comes.

    Gives how many games were added. Raises InputError for a backend that is not there or does not
    answer, and WorkerLost where processes were ended from outside and no other took over.
    """
    done = into.done()
    before = len(done)
    left = (task for task in wanted if task[:2] not in done)
    batches = iter(lambda: tuple(itertools.islice(left, BATCH)), ())
    added = 0
    for played in _handed_out(batches, batch, where):
        into.add(configuration.row(number, seed, made) for (_, number, seed), made in played)
        added += len(played)
        progress(before + added)
    return added


def _handed_out(
    batches: Iterator[tuple[Task, ...]], batch: Batch, where: Where
) -> Iterator[list[Done]]:
    """What came of each batch, as it comes."""
    if where.backend not in BACKENDS:
        raise InputError(f"there is no backend {where.backend!r}: there is {', '.join(BACKENDS)}")
    cluster = where.backend in ("dask", "ray")
    if where.address is not None and not cluster:
        raise InputError("an address is that of a cluster: say --backend dask or ray")
    if where.processes == 1 and not cluster:
        yield from map(batch, batches)
        _made.clear()
        return
    try:
        import joblib
    except ImportError:
        raise InputError(
            "joblib is not installed: pip install 'rulelang[study]' brings it"
        ) from None
    n_jobs = -1 if cluster else where.processes  # all that a cluster has
    with (
        _joined(where) if cluster else nullcontext(),
        joblib.parallel_config(backend=where.backend, n_jobs=n_jobs),
    ):
        calls = (joblib.delayed(batch)(tasks) for tasks in batches)
        try:
            if where.backend in AT_ONCE:
                with joblib.Parallel(batch_size=1) as hand_out:
                    yield from _by_the_window(hand_out, calls)
            else:
                hand_out = joblib.Parallel(
                    return_as="generator_unordered", batch_size=1, pre_dispatch="2*n_jobs"
                )
                yield from hand_out(calls)
        except _lost(where) as error:
            raise WorkerLost(LOST) from error
        finally:
            _made.clear()  # where there is one worker joblib plays here


def _by_the_window(hand_out: joblib.Parallel, calls: Iterator[object]) -> Iterator[list[Done]]:
    """What comes of calls by a backend that gives answers only once it has all that it was given:
    it is given some for each worker at a time.
    """
    import joblib

    window = WINDOW * max(1, joblib.effective_n_jobs(-1))
    while some := list(itertools.islice(calls, window)):
        yield from hand_out(some)


def _lost(where: Where) -> tuple[type[BaseException], ...]:
    """What a backend raises when processes were ended and no other takes over."""
    if where.backend == "ray":
        from ray.exceptions import RayError

        return BrokenExecutor, CancelledError, RayError
    if where.backend != "dask":
        return BrokenExecutor, CancelledError
    from distributed.scheduler import KilledWorker

    return BrokenExecutor, CancelledError, KilledWorker


@contextmanager
def _joined(where: Where) -> Iterator[None]:
    """Join a cluster, and leave it afterwards.

    Raises InputError where its library is missing or nobody answers.
    """
    library = {"dask": "distributed", "ray": "ray"}[where.backend]
    try:
        leave = _reached(where)
    except ImportError:
        raise InputError(
            f"{library} is not installed: pip install 'rulelang[study-{where.backend}]'"
        ) from None
    except (OSError, ConnectionError, ValueError) as error:
        raise InputError(
            f"no {where.backend} cluster answers at {where.address}: {error}"
        ) from None
    try:
        yield
    finally:
        leave()


def _reached(where: Where) -> Callable[[], object]:
    """Join a cluster; gives what leaves it."""
    if where.backend == "dask":
        from distributed import Client

        client = Client(where.address, timeout=WAIT)
        return partial(client.close)
    import ray
    from ray.util.joblib import register_ray

    _knock(where.address or "")
    ray.init(address=where.address, log_to_driver=False, logging_level=logging.ERROR)
    register: Callable[[], object] = register_ray  # it has no types
    register()
    return partial(ray.shutdown)


def _knock(address: str) -> None:
    """Raises OSError if nobody listens at a port; Ray itself takes a minute to find that out."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if port.isdigit():
        socket.create_connection((host, int(port)), WAIT).close()
