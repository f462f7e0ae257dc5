"""How long somebody at the table waits: the times of all prompts of a whole game, for each game.

`python tests/benchmarks/table_times.py [GAME ...] [--seed N] [--most N] [--players N] [--json]`
plays each game to its end (or through so many prompts). Somebody types wishes: the words of one
choice at random, or of several in a row, as the table reads them; before every few of them he
types lines that are refused, or mean nothing. Bots hold the other seats.

Printed are, of each game, how many there were, the median, the 95th percentile and the longest
processor time in seconds of

* prompts: from a choice to the next prompt, without what bots took;
* read: wishes, from the line that is typed to the choice it makes;
* refused: lines that make no choice, from the line that is typed to the last word of the answer;
* bots: what a bot took for one choice, which ends after two seconds.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import random
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from interpreter.bots.agents import Agent, greedy_agent
from interpreter.engine.decisions import Decision, Option
from interpreter.game.game import State, load
from interpreter.game.gc_pause import gc_settling
from interpreter.render.screen import Listener
from interpreter.table import commands
from interpreter.table.input import answer
from interpreter.table.menu import Menu, text
from interpreter.table.patience import patient
from interpreter.table.session import Table

EVERY = 3  # prompts, at one of which lines are typed that make no choice
IN_A_ROW = 3  # choices that one wish names at most
PLACES = ("a1", "b2", "k5", "n17", "12", "44")
GAMES = ("big_city", "card_city_xl", "cities", "simcity", "the_city")


@dataclass
class Times:
    """The times of one sort of answer, with what was typed or asked."""

    taken: list[tuple[float, str]] = field(default_factory=list)

    def add(self, seconds: float, what: str) -> None:
        """One more."""
        self.taken.append((seconds, what))

    def told(self) -> dict[str, float | int | str]:
        """How many there were, the median, the 95th percentile, the longest and what that was."""
        ordered = sorted(seconds for seconds, _ in self.taken) or [0.0]
        slowest = max(self.taken, default=(0.0, ""))
        return {
            "number": len(self.taken),
            "median": round(_share(ordered, 0.5), 4),
            "p95": round(_share(ordered, 0.95), 4),
            "worst": round(slowest[0], 4),
            "slowest": slowest[1],
        }


def _share(ordered: list[float], share: float) -> float:
    """The time that such a share does not pass."""
    return ordered[max(math.ceil(share * len(ordered)) - 1, 0)]


class Typist(Listener):
    """Types wishes at random at each prompt, and notes how long he waited."""

    def __init__(self, seed: int, most: int) -> None:
        """Leaves after so many prompts."""
        super().__init__()
        self.rng, self.most = random.Random(seed), most
        self.prompts, self.read, self.refused, self.bots = Times(), Times(), Times(), Times()
        self.unread = 0  # wishes that were not taken for the choice they name
        self.since = self.clock()
        self.table: Table | None = None

    def clock(self) -> float:
        """The processor time of all but bots."""
        return time.process_time() - sum(seconds for seconds, _ in self.bots.taken)

    def ask(self, prompt: str) -> str | None:
        """Types, and leaves nothing to be typed; ends the input after enough prompts."""
        self.prompts.add(self.clock() - self.since, prompt)
        self.said.clear()
        if len(self.prompts.taken) >= self.most:
            return None
        assert self.table is not None
        if len(self.prompts.taken) % EVERY == 0:
            for line in self._refusals(self.table):
                self._refuse(self.table, line)
        self._choose(self.table)
        self.since = self.clock()
        return "more"

    def _choose(self, table: Table) -> None:
        """Type a wish; if it is not clear, choose by number what it names."""
        before = table.state
        decision = before.decisions[0]
        menu = Menu.of(before, decision)
        first = decision.sample(self.rng)
        line = " ".join([said.replace(",", "") for said in self._wish(before, first)])
        since = self.clock()
        _type(table, line, decision, menu)
        if table.state is before:
            self.refused.add(self.clock() - since, line)
            self.unread += 1
            table.choose(first)
        else:
            self.read.add(self.clock() - since, line)

    def _wish(self, state: State, option: Option) -> Iterator[str]:
        """The words of a choice, and perhaps of some that follow in the same action."""
        for _ in range(self.rng.randint(1, IN_A_ROW)):
            spec = next(d.spec for d in state.decisions if d.player == option.player)
            if spec.mode not in ("one", "action", "may"):
                yield text(state, spec, option.value)
                return
            yield text(state, spec, option.value)
            log = state.position.log
            state = state.choose(option)
            decision = next((d for d in state.decisions if d.player == option.player), None)
            if decision is None or decision.spec.mode != "one" or state.position.log is not log:
                return
            option = decision.sample(self.rng)

    def _refusals(self, table: Table) -> list[str]:
        """Lines that are hardly ever a choice: what is elsewhere, begun, out of range, nothing."""
        game = table.state.game
        piece = game.presenter.piece(self.rng.randrange(len(game.setup.pieces)))
        place = self.rng.choice(PLACES)
        titles = [p.title for p in game.rules_source.procedures.values() if p.title]
        return [
            f"{piece} on {place}",
            f"why not {piece}",
            f"why not {place}",
            f"{piece} {piece}",
            f"{piece[:3]} on {place}",
            self.rng.choice(titles or [piece]),
            "997",
            "nothing of the kind",
        ]

    def _refuse(self, table: Table, line: str) -> None:
        """Type a line, and go back to before it."""
        before, decision = table.state, table.state.decisions[0]
        menu = Menu.of(before, decision)
        since = self.clock()
        _type(table, line, decision, menu)
        sort = self.refused if table.state is before else self.read
        sort.add(self.clock() - since, line)
        table.state, table.offers = before, []

    def offer(self, words: Iterable[str]) -> None:
        """Nothing is completed."""


def _type(table: Table, line: str, decision: Decision, menu: Menu) -> None:
    """A line as the table takes it."""
    if not commands.command(table, line, decision, menu):
        answer(table, line, decision, menu)


class Timed:
    """A bot that notes how long it took for each choice."""

    def __init__(self, agent: Agent, times: Times) -> None:
        """An agent to be timed."""
        self.agent, self.times = agent, times

    def __call__(self, state: State, decision: Decision) -> Option:
        """The agent's choice."""
        begun = time.process_time()
        try:
            return self.agent(state, decision)
        finally:
            self.times.add(time.process_time() - begun, decision.name)


def played(name: str, seed: int, most: int, players: int) -> dict[str, object]:
    """Play one game; gives its times."""
    gc.collect()  # what an earlier game left
    game = load(name, players=players)
    typist = Typist(seed, most)
    bots: dict[int, Agent] = {
        p: Timed(patient(greedy_agent(seed + p)), typist.bots) for p in range(1, players)
    }
    table = Table(game.start(seed), bots, typist, None, commands.command, answer)
    typist.table = table
    with gc_settling() as table.settle:
        typist.since = typist.clock()
        state = table.play()
    return {
        "game": name,
        "over": state.over,
        "unread": typist.unread,
        "prompts": typist.prompts.told(),
        "read": typist.read.told(),
        "refused": typist.refused.told(),
        "bots": typist.bots.told(),
    }


SORTS = ("prompts", "read", "refused", "bots")
WIDTH = 14  # of the name of a game


def _row(found: dict[str, object]) -> str:
    cells = []
    for sort in SORTS:
        times = found[sort]
        assert isinstance(times, dict)
        cells.append(
            f"{times['number']:>7}{times['median']:>7.3f}{times['p95']:>7.3f}{times['worst']:>7.3f}"
        )
    return f"{found['game']:<{WIDTH}}{''.join(cells)}  {'over' if found['over'] else 'left'}"


def main() -> None:
    """Play the games that are named, or all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=1000)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    all_found = []
    if not args.json:
        heads = (f"{sort:>7}{'median':>7}{'p95':>7}{'worst':>7}" for sort in SORTS)
        print(f"{'game':<{WIDTH}}{''.join(heads)}")
    for name in args.games:
        found = played(name, args.seed, args.most, args.players)
        all_found.append(found)
        if not args.json:
            print(_row(found), flush=True)
    if args.json:
        json.dump(all_found, sys.stdout, indent=2, ensure_ascii=False)
        print()


if __name__ == "__main__":
    main()
