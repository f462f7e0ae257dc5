"""How long somebody at the table waits: the times of all prompts of a whole game, for each game.

`python tests/benchmarks/table_times.py [GAME ...] [--seed N] [--most N] [--players N]` plays each
game to its end (or through so many prompts): somebody takes options at random, bots hold the other
seats. Printed are how many prompts there were, the median and the longest time from a line typed to
the next prompt, and the same of what bots took for one choice.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Iterable

from interpreter.bots.agents import Agent, greedy_agent
from interpreter.engine.decisions import Decision, Option
from interpreter.game.game import State, load
from interpreter.render.screen import Listener
from interpreter.table import commands
from interpreter.table.input import answer
from interpreter.table.patience import patient
from interpreter.table.session import Table

GAMES = ("big_city", "card_city_xl", "cities", "simcity", "the_city")


class Typist(Listener):
    """Takes an option at random at each prompt, and notes how long it waited for it."""

    def __init__(self, seed: int, most: int) -> None:
        """Leaves after so many prompts."""
        super().__init__()
        self.rng, self.most = random.Random(seed), most
        self.waited: list[tuple[float, str]] = []
        self.since = time.perf_counter()
        self.table: Table | None = None

    def ask(self, prompt: str) -> str | None:
        """The number of an option, or `yes`, or several numbers."""
        self.waited.append((time.perf_counter() - self.since, prompt))
        self.said.clear()
        line = self._line() if len(self.waited) < self.most else None
        self.since = time.perf_counter()
        return line

    def _line(self) -> str:
        assert self.table is not None
        decision = self.table.state.decisions[0]
        option = decision.sample(self.rng)
        self.table.choose(option)
        return "help"

    def offer(self, words: Iterable[str]) -> None:
        """Nothing is completed."""


class Timed:
    """A bot that notes how long it took for each choice."""

    def __init__(self, agent: Agent) -> None:
        """An agent to be timed."""
        self.agent, self.took = agent, list[float]()

    def __call__(self, state: State, decision: Decision) -> Option:
        """The agent's choice."""
        begun = time.perf_counter()
        try:
            return self.agent(state, decision)
        finally:
            self.took.append(time.perf_counter() - begun)


def played(name: str, seed: int, most: int, players: int) -> None:
    """Play one game and print its row."""
    game = load(name, players=players)
    typist = Typist(seed, most)
    bots = {p: Timed(patient(greedy_agent(seed + p))) for p in range(1, players)}
    table = Table(game.start(seed), dict(bots), typist, None, commands.command, answer)
    typist.table = table
    typist.since = time.perf_counter()
    state = table.play()
    times = [t for t, _ in typist.waited] or [0.0]
    took = [t for bot in bots.values() for t in bot.took] or [0.0]
    slow = max(typist.waited, default=(0.0, ""))
    print(
        f"{name:<14}{len(times):>8}{statistics.median(times):>9.3f}{max(times):>9.3f}"
        f"{len(took):>8}{statistics.median(took):>9.3f}{max(took):>9.3f}"
        f"  {'over' if state.over else 'left'}  {slow[1][:40]}",
        flush=True,
    )


def main() -> None:
    """Play the games that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=400)
    parser.add_argument("--players", type=int, default=2)
    args = parser.parse_args()
    print(f"{'game':<14}{'prompts':>8}{'median':>9}{'worst':>9}{'bot':>8}{'median':>9}{'worst':>9}")
    for name in args.games:
        played(name, args.seed, args.most, args.players)


if __name__ == "__main__":
    main()
