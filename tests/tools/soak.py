"""Random games over all games and options in one process: memory stays flat, nothing is raised.

Each round plays some games of every ruleset, under settings that go on where the last round
stopped: those in which every two values of two options, variants and players meet. The size of the
process is looked at after each round, when what is no longer used was let go of.

    python tests/tools/soak.py [--games N] [--rounds N] [--seed N] [--only GAME]
"""

from __future__ import annotations

import argparse
import gc
import itertools
import os
import random
import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import rulesets  # noqa: E402
from interpreter.game.game import Game  # noqa: E402
from interpreter.game.loading import load_rules  # noqa: E402
from interpreter.model.values import Fault  # noqa: E402
from interpreter.simulation.settings import Setting, Settings  # noqa: E402

GROWTH = 1.1  # how much larger than after a third of the rounds the process may be at the end
# Of 100 games so many are of this ruleset, in which one takes seconds; the others share the rest.
SLOW = {"simcity": 4}


@dataclass
class Soak:
    """What came of many games: of which rulesets, how they ended, how large the process was."""

    games: Counter[str] = field(default_factory=Counter)
    settings: dict[str, set[str]] = field(default_factory=dict)
    ended: Counter[str] = field(default_factory=Counter)
    sizes: list[int] = field(default_factory=list)  # of the process after each round, in MB
    raised: list[str] = field(default_factory=list)

    @property
    def flat(self) -> bool:
        """Is the process at the end about as large as it was after a third of the rounds?"""
        third = self.sizes[len(self.sizes) // 3 : len(self.sizes) // 3 + 1]
        return not third or self.sizes[-1] <= third[0] * GROWTH + 5


def size() -> int:
    """The memory this process holds, in MB."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text("utf-8").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 2**20


def settings_of(name: str, rng: random.Random) -> Iterator[tuple[Settings, Setting]]:
    """The settings of a ruleset again and again, those with the same variants together.

    One with each choice of variants comes first: so all that is compiled is so before it is looked
    how large the process stays.
    """
    known = Settings(load_rules(name, tests=False))
    chosen = known.sample()
    rng.shuffle(chosen)
    groups = list(dict.fromkeys(setting.variants for setting in chosen))
    for variants in groups:
        yield known, next(s for s in chosen if s.variants == variants)
    while True:
        for variants in groups:
            yield from ((known, s) for s in chosen if s.variants == variants)


def play(game: Game, seed: int) -> str:
    """One game at random; gives how it came to its end."""
    most = game.rules_source.max_moves
    try:
        state, rng = game.start(seed), random.Random(seed)
        while not state.over and state.moves < most:
            decision = rng.choice(state.decisions)
            state = state.choose(decision.sample(rng))
            state.parent = None
        assert state.ranking and len(state.scores()) == game.players
    except Fault as fault:
        return f"not decided: {fault}"
    return "over" if state.over else "bound of moves"


def soak(names: list[str], games: int, rounds: int, seed: int) -> Iterator[Soak]:
    """The figures after each round; the last are those of all."""
    rng, found, number = random.Random(seed), Soak(), 0
    settings = {name: settings_of(name, rng) for name in names}
    slow = {name: SLOW[name] for name in names if name in SLOW and len(names) > 1}
    share = (100 - sum(slow.values())) / max(1, len(names) - len(slow))
    done: Counter[str] = Counter()
    for turn in range(1, rounds + 1):
        for name in names:
            until = round(games * slow.get(name, share) / 100 * turn / rounds)
            for known, setting in itertools.islice(settings[name], until - done[name]):
                done[name] += 1
                number += 1
                own = seed * 1_000_003 + number
                words = f"{name} {setting.words()} --seed {own}"
                try:
                    found.ended[play(known.game(setting), own)] += 1
                except Exception:
                    found.raised.append(f"{words}\n{traceback.format_exc()}")
                found.games[name] += 1
                found.settings.setdefault(name, set()).add(setting.words())
        found.sizes.append(size())
        yield found


def main() -> int:
    """Play, and print the figures of each round."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2_000)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", action="append", default=[], metavar="GAME")
    given = parser.parse_args()
    found = Soak()
    for found in soak(given.only or rulesets.ids(), given.games, given.rounds, given.seed):
        print(
            f"{found.games.total():>5} games, {found.sizes[-1]} MB, {len(found.raised)} exceptions",
            flush=True,
        )
    for name, count in found.games.items():
        print(f"{name}: {count} games under {len(found.settings[name])} settings")
    for how, count in found.ended.most_common():
        print(f"{count:>5} {how}")
    for told in found.raised:
        print(told)
    print("memory is flat" if found.flat else f"memory grows: {found.sizes}")
    return 0 if found.flat and not found.raised else 1


if __name__ == "__main__":
    raise SystemExit(main())
