"""How long a choice takes while many play at once, and whether a killed server loses one.

    python tests/benchmarks/studio_load.py [--games 500] [--minutes 30] [--kill-every 60]
        [--pause 10] [--game NAME]... [--bot greedy] [--database sqlite|postgresql|URL]
        [--processes 2] [--json]

`rulelang serve` runs in a process of its own. Each person plays against one bot, holds the socket
of his page, and chooses every `--pause` seconds. Told are the milliseconds from a request to its
whole answer, over the wire (`milliseconds`), and until the page is told how it stands then
(`until shown`). Every `--kill-every` seconds the server is killed as by a loss of power, and
started again; requests that are cut off by that are counted, and made again. In the end every
acknowledged choice is sought among the rows of the database, and every game is played again from
its rows. Ends with 1 where a choice was lost.

The load of the machine stands beside: whoever else works there slows all. PostgreSQL is started
from the system's binaries (Debian: apt-get install postgresql), with fsync.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "tools")]

import load  # noqa: E402
import studios  # noqa: E402
from serving import Server, serving  # noqa: E402

from interpreter.studio.serve import offered  # noqa: E402
from interpreter.studio.storage.database import database  # noqa: E402
from interpreter.studio.storage.store import Store  # noqa: E402

STEP = 5  # seconds


@contextmanager
def database_of(said: str) -> Iterator[str]:
    """The URL of the database that is wanted; empty, a file beside the server."""
    if said == "postgresql":
        with studios.postgresql(lasting=True) as new:
            yield new()
    else:
        yield "" if said == "sqlite" else said


async def kill(server: Server, every: float, kills: list[float]) -> None:
    """Kill the server every so often, and start it again."""
    while every:
        await asyncio.sleep(every)
        server.kill()
        await asyncio.to_thread(server.start)
        kills.append(time.monotonic())


async def run(server: Server, given: argparse.Namespace) -> tuple[load.Course, list[float]]:
    """What came of a run, and when the server was started again after it was killed."""
    offers = offered([Path(path) for path in given.game if os.path.isdir(path)])
    wanted = [one for one in offers if one.entry.id in given.game or one.rules in _paths(given)]
    seats = [(one.number, ["person", given.bot]) for one in wanted]
    kills: list[float] = []
    killing = asyncio.ensure_future(kill(server, given.kill_every, kills))
    course = await load.crowd(
        server.url, given.games, given.minutes, given.pause, seats, load.Course()
    )
    killing.cancel()
    with suppress(asyncio.CancelledError):
        await killing
    return course, kills


def spending(server: Server) -> dict[str, float]:
    """The seconds of processor time that the server has used since it was started last, its bots
    among it, and those of the people who play.
    """
    assert server.process is not None
    group, used = server.process.pid, 0.0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            if int(fields[2]) == group:
                used += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return {"server": round(used, 1), "people": round(time.process_time(), 1)}


def since_started(course: load.Course, starts: list[float]) -> dict[str, float]:
    """The 95th percentile in milliseconds of choices made so long after the server was started
    again, in steps of some seconds.
    """
    steps: dict[int, list[float]] = {}
    for at, took in zip(course.at, course.times, strict=True):
        last = max((start for start in starts if start <= at), default=None)
        if last is not None:
            steps.setdefault(int((at - last) // STEP), []).append(took)
    enough = {step: times for step, times in steps.items() if len(times) > 1}
    return {f"{STEP * step}": quantiles(enough[step])["p95"] for step in sorted(enough)}


def quantiles(seconds: list[float]) -> dict[str, float]:
    """Of times in seconds, in milliseconds."""
    cuts = statistics.quantiles(seconds, n=100, method="inclusive")
    return {f"p{p}": round(1000 * cuts[p - 1], 1) for p in (50, 75, 90, 95, 99)}


def _paths(given: argparse.Namespace) -> set[str]:
    return {str(Path(path).resolve()) for path in given.game}


def main() -> int:
    """Run, look for what was lost, and print what came of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--kill-every", type=float, default=60, help="seconds; 0: never")
    parser.add_argument("--pause", type=float, default=10, help="seconds between two choices")
    parser.add_argument("--game", action="append", help="an id or a folder; by turns if several")
    parser.add_argument("--bot", default="greedy")
    parser.add_argument("--database", default="sqlite")
    parser.add_argument("--processes", type=int, default=2, help="of the server")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    given.game = given.game or ["cities"]
    paths = [path for path in given.game if os.path.isdir(path)]
    with (
        tempfile.TemporaryDirectory() as folder,
        database_of(given.database) as url,
        serving(Path(folder), *paths, database=url, processes=given.processes) as server,
    ):
        course, kills = asyncio.run(run(server, given))
        busy = os.getloadavg()
        spent = spending(server)
        server.kill()
        missing, broken = load.lost(Store(database(server.database)), course.acknowledged)
    told = {
        "database": given.database,
        "games": given.games,
        "processes": given.processes,
        "rules": given.game,
        "minutes": given.minutes,
        "kills": len(kills),
        "choices": len(course.times),
        "acknowledged": len(course.acknowledged),
        "refused": dict(Counter(course.refused)),
        "cut off": course.cut,
        "begun": course.begun,
        "over": course.over,
        "milliseconds": quantiles(course.times),
        "p95 by seconds after a start": since_started(course, kills),
        "until shown": quantiles(course.shown),
        "processor seconds": spent,
        "lost": len(missing),
        "not played again": broken[:5],
        "load of the machine": [round(one, 1) for one in busy],
    }
    print(json.dumps(told, indent=2 if given.json else None))
    return 1 if missing or broken else 0


if __name__ == "__main__":
    sys.exit(main())
