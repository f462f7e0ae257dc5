"""Is memory flat while a study plays many games into a file?

    python tests/benchmarks/study_memory.py [GAME] [--games N] [--form sqlite|parquet]

Plays them in one process, looks at its size after each tenth of the games, and ends with status 1
where the last size is more than 5 % above that after the first tenth.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from interpreter.game.game import load
from interpreter.simulation.engines import Manner
from interpreter.simulation.results import Configuration, results_at
from interpreter.simulation.study import BATCH, Batch, Where, study, tasks

GROWTH = 1.05
MEGABYTE = 2**20


def size() -> float:
    """The megabytes of this process that lie in memory."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * 4096 / MEGABYTE


def sizes(name: str, games: int, form: str) -> list[float]:
    """The size after each tenth of the games of a study, told as it goes."""
    game = load(name, players=2)
    configuration = Configuration(game.id, game.loaded.rules_hash, {"seed": 0})
    found: list[float] = []

    def look(done: int) -> None:
        while done >= games * (len(found) + 1) / 10 - BATCH:
            found.append(size())
            print(f"{done:>7} games, {found[-1]:.1f} MB", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        into = results_at(Path(folder) / f"games.{form}", configuration)
        batch = Batch(lambda players: game, Manner())
        study(tasks([2], games, 0), batch, into, configuration, Where(), look)
        into.close()
        assert into.totals().games == games if form == "parquet" else True
    return found[:10]


def main() -> int:
    """Print the sizes; 0 where memory is flat."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("game", nargs="?", default="examples/classics/tic_tac_toe")
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--form", choices=("sqlite", "parquet"), default="sqlite")
    args = parser.parse_args()
    found = sizes(args.game, args.games, args.form)
    flat = found[-1] <= GROWTH * found[0]
    print("memory is flat" if flat else "memory grows")
    return 0 if flat else 1


if __name__ == "__main__":
    sys.exit(main())
