"""The native engine beside the generated Python of an earlier revision: random playouts a second.

    python tests/benchmarks/against.py [REV] [--quick] [--json] [--game NAME] [--build FOLDER]

The revision (986ebf7 unless another is named) is taken from this repository's history and installed
in an environment of its own, which pip fills; with `--build` it is kept in a folder and found there
again. Both sides are processes that play in turns, so that a busy machine slows both alike, each by
its own rules of that time. Rates are per second of processor time; a game that the module leaves to
the reference counts for nothing, for all its time.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import IO

ROOT = Path(__file__).resolve().parents[2]
FIRST = "986ebf7"  # by which the speed of games was last told before there was a native engine
REQUIRED = ("lark>=1.2,<2", "networkx>=3.2,<4", "pydantic>=2.7,<3", "rich>=13.7")
BATCH_SECONDS = 0.01  # that a module plays at a time, about
Play = Callable[[int], int]  # plays by a seed and says how many games those were


@dataclass(frozen=True)
class Subject:
    """A game to be measured, how it is set up, and how many times as fast it is to be."""

    name: str
    players: int
    asked: float
    options: dict[str, str] = field(default_factory=dict)


SUBJECTS = (
    Subject("big_city", 3, 20),
    Subject("the_city", 3, 40),
    Subject("card_city_xl", 3, 150),
    Subject("cities", 3, 250),
    Subject("simcity", 2, 15, {"deck": "city_of_two"}),
)


# ------------------------------------------------------------------------------------- one side
def _module(now: str, before: str) -> ModuleType:
    """A module of the interpreter, by its name now or before the packages were taken apart."""
    try:
        return importlib.import_module(f"interpreter.{now}")
    except ModuleNotFoundError:
        return importlib.import_module(f"interpreter.{before}")


def generated(subject: Subject) -> Play:
    """Playouts by generated Python, in a revision that has any."""
    load_rules = _module("game.loading", "loading").load_rules
    game_of = _module("game.game", "game").game_of
    loaded = load_rules(subject.name, (), [], tests=False)
    game = game_of(loaded, subject.players, (), dict(subject.options))
    playouts = _module("bots.playouts", "playouts").Playouts(game)
    draw = random.Random(1).random

    def play(seed: int) -> int:
        playouts.playout(seed, draw)
        return 1

    return play


def native(subject: Subject) -> Play:
    """Playouts inside a module."""
    from interpreter.game.game import game_of
    from interpreter.game.loading import load_rules
    from interpreter.native.lowering import lowered
    from interpreter.native.runtime import AskReference, Instance

    loaded = load_rules(subject.name, (), [], tests=False)
    options = dict(subject.options)
    made = Instance(lowered(game_of(loaded, subject.players, (), options).engine))

    def play(seed: int, count: int) -> int:
        """So many games; one that is left to the reference counts as none, for all its time."""
        made.seed(seed)
        try:
            made.playouts(count)
        except AskReference:
            return sum(play(seed * count + n, 1) for n in range(count)) if count > 1 else 0
        return count

    games, began = 1, time.process_time()
    while time.process_time() - began < BATCH_SECONDS:
        games *= 2
        began = time.process_time()
        play(1, games)
    return lambda seed: play(seed, games)


def serve(engine: str) -> None:
    """Answer lines of a game and seconds: so many games were played in so many seconds."""
    ready: dict[str, Play] = {}
    seeds: dict[str, int] = {}
    for line in sys.stdin:
        name, seconds = line.split()
        if name not in ready:
            subject = next(s for s in SUBJECTS if s.name == name)
            ready[name] = native(subject) if engine == "native" else generated(subject)
            ready[name](0)
        played, began = 0, time.process_time()
        while (spent := time.process_time() - began) < float(seconds) or not spent:
            seeds[name] = seeds.get(name, 0) + 1
            played += ready[name](seeds[name])
        print(json.dumps([played, spent]), flush=True)


# ------------------------------------------------------------------------------------- both sides
class Side:
    """A process that plays when it is asked."""

    def __init__(self, engine: str, python: Path, home: Path | None) -> None:
        """By this interpreter; with a home, by the packages there."""
        paths = {"PYTHONPATH": str(home)} if home is not None else {}
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | paths
        self.process = subprocess.Popen(
            [str(python), "-P", __file__, "--serve", engine],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        self.played = dict.fromkeys((s.name for s in SUBJECTS), 0)
        self.spent = dict.fromkeys((s.name for s in SUBJECTS), 0.0)

    def turn(self, name: str, seconds: float) -> None:
        """Play a game for so long."""
        asked, told = _pipe(self.process.stdin), _pipe(self.process.stdout)
        asked.write(f"{name} {seconds}\n")
        asked.flush()
        played, spent = json.loads(told.readline())
        self.played[name] += played
        self.spent[name] += spent

    def rate(self, name: str) -> float:
        """Games in a second of processor time."""
        return self.played[name] / self.spent[name]

    def close(self) -> None:
        """Let the process end."""
        _pipe(self.process.stdin).close()
        self.process.wait()


def _pipe(found: IO[str] | None) -> IO[str]:
    assert found is not None
    return found


def built(revision: str, folder: Path) -> Path:
    """The interpreter of an environment of its own in which a revision is installed."""
    python = folder / "environment/bin/python"
    if python.exists():
        return python
    tree = folder / "tree"
    tree.mkdir(parents=True, exist_ok=True)
    archive = subprocess.run(
        ["git", "-C", str(ROOT), "archive", revision], check=True, capture_output=True
    )
    subprocess.run(["tar", "-x", "-C", str(tree)], input=archive.stdout, check=True)
    venv.create(folder / "environment", with_pip=True)
    install = [str(python), "-m", "pip", "install", "--quiet"]
    subprocess.run([*install, *REQUIRED], check=True)
    packages = subprocess.run(
        [str(python), "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    (Path(packages) / "revision.pth").write_text(f"{tree}\n", "utf-8")
    return python


def compare(
    names: list[str], python: Path, rounds: int, seconds: float
) -> list[dict[str, str | float]]:
    """A row for each game: both rates, their ratio, and the ratio that is asked."""
    then, now = Side("generated", python, None), Side("native", Path(sys.executable), ROOT)
    rows: list[dict[str, str | float]] = []
    for subject in (s for s in SUBJECTS if s.name in names):
        for _ in range(rounds):
            for side in (then, now):
                side.turn(subject.name, seconds)
        before, after = then.rate(subject.name), now.rate(subject.name)
        rows.append(
            {
                "game": subject.name,
                "players": subject.players,
                "generated_then": round(before, 3),
                "native_now": round(after, 2),
                "ratio": round(after / before, 1) if before else 0.0,
                "asked": subject.asked,
            }
        )
        if sys.stderr.isatty():
            print(rows[-1], file=sys.stderr)
    then.close()
    now.close()
    return rows


def main() -> int:
    """Build, measure and print."""
    parser = argparse.ArgumentParser(description="The native engine beside an earlier revision.")
    parser.add_argument("revision", nargs="?", default=FIRST, metavar="REV")
    parser.add_argument("--quick", action="store_true", help="a fifth of the time")
    parser.add_argument("--json", action="store_true", help="rows as JSON")
    parser.add_argument("--game", action="append", choices=[s.name for s in SUBJECTS])
    parser.add_argument("--build", type=Path, metavar="FOLDER", help="where the revision is kept")
    parser.add_argument("--serve", choices=("generated", "native"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve(given.serve)
        return 0
    rounds, seconds = (3, 1.0) if given.quick else (6, 3.0)
    names = given.game or [s.name for s in SUBJECTS]
    with tempfile.TemporaryDirectory() as temporary:
        python = built(given.revision, (given.build or Path(temporary)).resolve())
        rows = compare(names, python, rounds, seconds)
    if given.json:
        print(json.dumps(rows))
        return 0
    print(f"{'game':14} {given.revision:>12} {'native now':>12} {'times':>8} {'asked':>8}")
    for row in rows:
        print(
            f"{row['game']:14} {row['generated_then']:12} {row['native_now']:12} "
            f"{row['ratio']:8} {row['asked']:8}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
