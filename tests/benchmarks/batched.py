"""How fast games are stepped: many in one native call, one at a time, and by OpenSpiel.

    python tests/benchmarks/batched.py [--games N] [--cities N] [--seconds S] [--only NAME ...]

Each row is a game, its actions taken at random among the legal ones: by a batch, by the environment
of PettingZoo, which is one game and observed at each action, by one game that is asked for nothing
but what is legal, as the batch is, and by OpenSpiel's own game, where it has that and is installed,
asked from Python. Games that are over begin anew. All are measured in turn, a quarter of the time
each and then again, in actions per second of processor time.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from importlib.util import find_spec

import numpy as np

from interpreter.environments.table import Table
from rulelang import environments

PEERS = {  # the classics that OpenSpiel has with the same rules, and what it calls them
    "tic_tac_toe": "tic_tac_toe",
    "connect_four": "connect_four",
    "breakthrough": "breakthrough",
    "hex": "hex",
    "reversi": "othello",
}
CITIES: Mapping[str, Mapping[str, int]] = {  # for two players, with a bound on numbers if need be
    "big_city": {},
    "cities": {},
    "the_city": {},
    "card_city_xl": {"numbers": 60},
    "simcity": {"numbers": 60},
}
ROUNDS = 4
AT_ONCE = 16  # actions that one game takes before the clock is looked at

Some = Callable[[], int]
"""Takes some actions, and gives how many."""


@dataclass(frozen=True)
class Row:
    """Actions per second of one game."""

    game: str
    batch: float
    one: float
    masks: float
    openspiel: float | None  # none where it is not there

    @property
    def ratio_to_one(self) -> float:
        """How many times as many actions a batch takes as one game of PettingZoo."""
        return self.batch / self.one

    @property
    def ratio_to_masks(self) -> float:
        """How many times as many as one game that is not observed."""
        return self.batch / self.masks


def rates(seconds: float, ways: Mapping[str, Some]) -> dict[str, float]:
    """Actions per second of processor time by each of some ways, so long each, in turn."""
    taken, spent = dict.fromkeys(ways, 0), dict.fromkeys(ways, 0.0)
    for part in range(1, ROUNDS + 1):
        for name, some in ways.items():
            while spent[name] < seconds * part / ROUNDS:
                begun = time.process_time()
                taken[name] += some()
                spent[name] += time.process_time() - begun
    return {name: taken[name] / spent[name] for name in ways}


def batch_of(path: str, games: int, settings: Mapping[str, int]) -> Some:
    """Takes an action in each of so many games."""
    batch = environments.batch_env(path, games=games, **settings)  # type: ignore[arg-type]  # players, numbers
    rng = np.random.default_rng(1)

    def step() -> int:
        if batch.over.any():
            batch.reset(np.flatnonzero(batch.over), int(rng.integers(2**31)))
        batch.step((rng.random(batch.legal.shape) * batch.legal).argmax(1))
        return games

    return step


def one_of(path: str, settings: Mapping[str, int]) -> Some:
    """Takes actions in one game of PettingZoo."""
    env = environments.pettingzoo_env(path, **settings)  # type: ignore[arg-type]  # players, numbers
    rng = random.Random(1)
    env.reset(seed=1)

    def play() -> int:
        for _ in range(AT_ONCE):
            seen, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset(seed=rng.randrange(2**31))
                seen, *_ = env.last()
            assert isinstance(seen, dict)
            env.step(int(rng.choice(seen["action_mask"].nonzero()[0])))
        return AT_ONCE

    return play


def masks_of(path: str, settings: Mapping[str, int]) -> Some:
    """Takes actions in one game that is asked for nothing but what is legal."""
    rules = environments.numbers_of(path, **settings)._rules  # type: ignore[arg-type]  # players, numbers
    rng, tables = random.Random(1), [Table.start(rules)]

    def play() -> int:
        for _ in range(AT_ONCE):
            table = tables.pop()
            if table.over or table.at_bound:
                table = Table.start(rules, rng.randrange(2**31))
            player = table.deciding[0]
            tables.append(table.after(player, rng.choice(table.legal(player))))
        return AT_ONCE

    return play


def openspiel_of(name: str) -> Some:
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
    """One game: a classic, or a city game for two players."""
    peer = PEERS.get(name)
    path = name if peer is None else f"examples/classics/{name}"
    settings = {"players": 2, **CITIES.get(name, {})}
    ways = {
        "batch": batch_of(path, games, settings),
        "one": one_of(path, settings),
        "masks": masks_of(path, settings),
    }
    for some in ways.values():
        some()
    if peer is not None and find_spec("pyspiel"):
        ways["openspiel"] = openspiel_of(peer)
    found = rates(seconds, ways)
    return Row(name, found["batch"], found["one"], found["masks"], found.get("openspiel"))


def main() -> int:
    """Print the table."""
    words = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    words.add_argument("--games", type=int, default=1024, metavar="N", help="of each classic")
    words.add_argument("--cities", type=int, default=64, metavar="N", help="of each city game")
    words.add_argument("--seconds", type=float, default=2.0, metavar="S", help="for each figure")
    words.add_argument("--only", nargs="*", choices=[*PEERS, *CITIES], metavar="NAME")
    words.add_argument("--json", action="store_true", help="write plain data")
    args = words.parse_args()
    rows = [
        measured(name, args.games if name in PEERS else args.cities, args.seconds)
        for name in args.only or (*PEERS, *CITIES)
    ]
    if args.json:
        ratios = [
            {"ratio_to_one": row.ratio_to_one, "ratio_to_masks": row.ratio_to_masks} for row in rows
        ]
        print(json.dumps([asdict(row) | more for row, more in zip(rows, ratios, strict=True)]))
        return 0
    heads = ("batch", "one game", "masks only", "OpenSpiel", "batch/one", "batch/masks")
    print("actions per second  " + "".join(f"{head:>12}" for head in heads))
    for row in rows:
        peer = f"{row.openspiel:,.0f}" if row.openspiel is not None else "not there"
        figures = (row.batch, row.one, row.masks, peer, row.ratio_to_one, row.ratio_to_masks)
        told = (
            f"{figure:>12,.0f}" if isinstance(figure, float) else f"{figure:>12}"
            for figure in figures
        )
        print(f"{row.game:<20}" + "".join(told))
    return 0


if __name__ == "__main__":
    sys.exit(main())
