"""How fast games are stepped: many in one native call, one at a time, and by OpenSpiel.

    python tests/benchmarks/batched.py [--games N] [--seconds S] [--json]

Each row is a classic, its actions taken at random among the legal ones: by a batch of N games, by
the environment of PettingZoo, which is one game, and by OpenSpiel's own game where it is installed,
asked from Python. All are measured in turn in one run, in actions per second of processor time.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.util import find_spec

import numpy as np

from rulelang import environments

PEERS = {  # the classics that OpenSpiel has with the same rules, and what it calls them
    "tic_tac_toe": "tic_tac_toe",
    "connect_four": "connect_four",
    "breakthrough": "breakthrough",
    "hex": "hex",
    "reversi": "othello",
}


@dataclass(frozen=True)
class Row:
    """Actions per second of one classic."""

    game: str
    batch: float
    one: float
    openspiel: float | None  # none where it is not installed

    @property
    def ratio_to_one(self) -> float:
        """How many times as many actions a batch takes as one game."""
        return self.batch / self.one


def rate(seconds: float, some: Callable[[], int]) -> float:
    """Actions per second of processor time, taken by calls that give how many they took."""
    taken, begun = 0, time.process_time()
    while (spent := time.process_time() - begun) < seconds:
        taken += some()
    return taken / spent


def batch_of(path: str, games: int) -> Callable[[], int]:
    """Plays so many games at once to their end."""
    batch = environments.batch_env(path, games=games)
    rng = np.random.default_rng(1)

    def play() -> int:
        batch.reset(range(games))
        taken = 0
        while not batch.over.all():
            taken += int((~batch.over).sum())
            batch.step((rng.random(batch.legal.shape) * batch.legal).argmax(1))
        return taken

    return play


def one_of(path: str) -> Callable[[], int]:
    """Plays one game of PettingZoo to its end."""
    env = environments.pettingzoo_env(path)
    rng = random.Random(1)

    def play() -> int:
        env.reset(seed=rng.randrange(2**31))
        taken = 0
        for _ in env.agent_iter():
            seen, _, terminated, truncated, _ = env.last()
            over = terminated or truncated
            assert isinstance(seen, dict)
            env.step(None if over else int(rng.choice(seen["action_mask"].nonzero()[0])))
            taken += not over
        return taken

    return play


def openspiel_of(name: str) -> Callable[[], int]:
    """Plays one game of OpenSpiel to its end."""
    import pyspiel

    game, rng = pyspiel.load_game(name), random.Random(1)

    def play() -> int:
        state, taken = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            taken += 1
        return taken

    return play


def measured(name: str, games: int, seconds: float) -> Row:
    """One classic."""
    path = f"examples/classics/{name}"
    batch, one = batch_of(path, games), one_of(path)
    batch(), one()
    peer = rate(seconds, openspiel_of(PEERS[name])) if find_spec("pyspiel") else None
    return Row(name, rate(seconds, batch), rate(seconds, one), peer)


def main() -> int:
    """Print the table."""
    words = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    words.add_argument("--games", type=int, default=1024, metavar="N")
    words.add_argument("--seconds", type=float, default=2.0, metavar="S", help="for each figure")
    words.add_argument("--json", action="store_true", help="write plain data")
    args = words.parse_args()
    rows = [measured(name, args.games, args.seconds) for name in PEERS]
    if args.json:
        print(json.dumps([asdict(row) | {"ratio_to_one": row.ratio_to_one} for row in rows]))
        return 0
    print(
        f"{'actions per second':<20}{'batch':>12}{'one game':>12}{'OpenSpiel':>12}{'batch/one':>12}"
    )
    for row in rows:
        peer = f"{row.openspiel:,.0f}" if row.openspiel is not None else "not there"
        print(
            f"{row.game:<20}{row.batch:>12,.0f}{row.one:>12,.0f}{peer:>12}{row.ratio_to_one:>12,.0f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
