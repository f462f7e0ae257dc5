"""How long somebody at the table waits: the times of all prompts of a whole game, for each game.

`python tests/benchmarks/table_times.py [GAME ...] [--seed N] [--most N] [--players N]` plays each
game to its end (or through so many prompts): somebody takes options at random, bots hold the other
seats. At every third prompt he first types wishes that are read and such that are not. Printed
are how many prompts there were, the median and the longest processor time from a choice to the next
prompt without what bots took, the same of wishes, and the same of what bots took for one choice.
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
from interpreter.table.menu import Menu
from interpreter.table.patience import patient
from interpreter.table.session import Table

EVERY = 3  # prompts, at one of which wishes are typed
PLACES = ("a1", "b2", "k5", "n17", "12", "44")
GAMES = ("big_city", "card_city_xl", "cities", "simcity", "the_city")


class Typist(Listener):
    """Takes an option at random at each prompt, and notes how long it waited for it."""

    def __init__(self, seed: int, most: int) -> None:
        """Leaves after so many prompts."""
        super().__init__()
        self.rng, self.most = random.Random(seed), most
        self.waited: list[tuple[float, str]] = []
        self.wished: list[tuple[float, str]] = []
        self.bots: list[Timed] = []
        self.since = self.clock()
        self.table: Table | None = None

    def clock(self) -> float:
        """The processor time of all but bots."""
        return time.process_time() - sum(sum(bot.took) for bot in self.bots)

    def ask(self, prompt: str) -> str | None:
        """The number of an option, or `yes`, or several numbers."""
        self.waited.append((self.clock() - self.since, prompt))
        self.said.clear()
        if len(self.waited) >= self.most:
            return None
        assert self.table is not None
        if len(self.waited) % EVERY == 0:
            self._wish(self.table)
        option = self.table.state.decisions[0].sample(self.rng)
        self.since = self.clock()
        self.table.choose(option)
        return "help"

    def _wish(self, table: Table) -> None:
        """Type some wishes, and go back to before them."""
        before, decision = table.state, table.state.decisions[0]
        menu = Menu.of(before, decision)
        setup, presenter = before.game.setup, before.game.presenter
        piece = presenter.piece(self.rng.randrange(len(setup.pieces)))
        for line in (
            *self.rng.sample(menu.texts, min(len(menu.texts), 1)),
            f"{piece} on {self.rng.choice(PLACES)}",
            f"why not {piece}",
            f"why not {self.rng.choice(PLACES)}",
            f"{piece} {piece}",
            "nothing of the kind",
        ):
            since = self.clock()
            if not commands.command(table, line, decision, menu):
                answer(table, line, decision, menu)
            self.wished.append((self.clock() - since, line))
            table.state, table.offers = before, []

    def offer(self, words: Iterable[str]) -> None:
        """Nothing is completed."""


class Timed:
    """A bot that notes how long it took for each choice."""

    def __init__(self, agent: Agent) -> None:
        """An agent to be timed."""
        self.agent, self.took = agent, list[float]()

    def __call__(self, state: State, decision: Decision) -> Option:
        """The agent's choice."""
        begun = time.process_time()
        try:
            return self.agent(state, decision)
        finally:
            self.took.append(time.process_time() - begun)


def played(name: str, seed: int, most: int, players: int) -> None:
    """Play one game and print its row."""
    game = load(name, players=players)
    typist = Typist(seed, most)
    bots = {p: Timed(patient(greedy_agent(seed + p))) for p in range(1, players)}
    table = Table(game.start(seed), dict(bots), typist, None, commands.command, answer)
    typist.table, typist.bots = table, list(bots.values())
    typist.since = typist.clock()
    state = table.play()
    took = [(t, "") for bot in typist.bots for t in bot.took]
    row = "".join(_told(times) for times in (typist.waited, typist.wished, took))
    slow = max(typist.wished, default=(0.0, ""))
    print(f"{name:<14}{row}  {'over' if state.over else 'left'}  {slow[1][:40]}", flush=True)


def _told(times: list[tuple[float, str]]) -> str:
    """How many there were, the median and the longest."""
    seconds = [t for t, _ in times] or [0.0]
    return f"{len(times):>8}{statistics.median(seconds):>8.3f}{max(seconds):>8.3f}"


def main() -> None:
    """Play the games that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=400)
    parser.add_argument("--players", type=int, default=2)
    args = parser.parse_args()
    heads = (f"{what:>8}{'median':>8}{'worst':>8}" for what in ("prompts", "wishes", "bot"))
    print(f"{'game':<14}{''.join(heads)}")
    for name in args.games:
        played(name, args.seed, args.most, args.players)


if __name__ == "__main__":
    main()
