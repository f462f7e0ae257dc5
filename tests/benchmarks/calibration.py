"""Is `rulelang balance` calibrated? How often it calls copies of real cards different, and how
often it finds cards of twice the value.

    python tests/benchmarks/calibration.py [--game G] [--like TITLE]... [--runs N] [--games N]

Two copies of a card come into the game, each with its text, its numbers and a title of its own, and
so many of each that nearly every game has some. Each run is a verdict on games of its own. Where
both are copies, every verdict that says "stronger" or "weaker" is wrong: Wilson's 95 % interval of
their rate must include 5 % or lie below. Where one has twice the value it must be found stronger in
at least 95 % of runs. Ends with status 1 where either is not so. By default the cards are those of
The City, by bots that choose at random.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

from interpreter.bots.agents import BOTS
from interpreter.game.game import Game, load
from interpreter.simulation.balance import STRONGER, WEAKER, balance
from interpreter.simulation.rates import interval

LIKE = ("Department Store", "Parking Garage", "Apartments", "Hospital")
DOUBLED = "Department Store"
COPY, OTHER = "The Copy", "The Other"
LONGER = 4  # times as many games at most to find the one of twice the value: it stops when found
COPIES = 12  # of each of both, so that nearly every game has some


@dataclass(frozen=True)
class Asked:
    """What all runs of one calibration have in common."""

    game: str
    value: str = "points"
    bot: str = "random"
    players: int = 2
    games: int = 200  # at most, in one run
    copies: int = COPIES


@dataclass
class Rate:
    """How many of so many runs said something."""

    said: int = 0
    runs: int = 0
    games: int = 0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval."""
        return interval(self.said / self.runs if self.runs else 0.0, self.runs)


def copied(source: str, title: str, new: str, copies: int, value: str, factor: int = 1) -> str:
    """The source of so many copies of a card under a new title, with so many times its value.

    Raises ValueError where the source has no such card.
    """
    found = re.search(rf'^card "{re.escape(title)}" .*?(?=^\S|\Z)', source, re.M | re.S)
    if found is None:
        raise ValueError(f"there is no card {title!r}")
    text = re.sub(r" *(# .*|\[.*\])$", "", found[0], flags=re.M)
    text = "".join(f"{line}\n" for line in text.splitlines() if line.strip())
    text = text.replace(f'"{title}"', f'"{new}"', 1)
    text = re.sub(rf"(?<=^  {value}: )(\d+)", lambda n: str(int(n[0]) * factor), text, flags=re.M)
    return re.sub(r"(?<=^  copies: )\d+", str(copies), text, flags=re.M)


def with_copies(asked: Asked, like: str, factor: int) -> Game:
    """The game with two copies of a card, the first of so many times its value.

    Raises ValueError where one is left out.
    """
    plain = load(asked.game, players=asked.players)
    source = "\n\n".join(one.text for one in plain.loaded.sources.values())
    first = copied(source, like, COPY, asked.copies, asked.value, factor)
    second = copied(source, like, OTHER, asked.copies, asked.value)
    with tempfile.TemporaryDirectory() as folder:
        added = Path(folder) / "copies.rules"
        added.write_text(f"for {plain.id}\n\n{first}\n{second}\n", "utf-8")
        game = load(asked.game, players=asked.players, with_=[added])
    if not {COPY, OTHER} <= {design.title for design in game.rules_source.designs}:
        raise ValueError(f"a copy of {like} is left out: {game.loaded.findings()}")
    return game


def rate(asked: Asked, like: str, factor: int, seeds: range) -> Rate:
    """How many runs call the copy different, or where it has more value stronger."""
    game, found = with_copies(asked, like, factor), Rate()
    wanted = {STRONGER, WEAKER} if factor == 1 else {STRONGER}
    for seed in seeds:
        bot = asked.bot, BOTS[asked.bot]
        made = balance((None, game), {COPY: [OTHER]}, bot, (asked.games, seed), 0)
        found.runs += 1
        found.games += made.games
        found.said += made.verdict(made.cards[0]) in wanted
    return found


def main() -> int:
    """Print both rates; 0 where both are as they should be."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--game", default="the_city")
    parser.add_argument("--like", action="append", default=[], help="a card that is copied")
    parser.add_argument("--doubled", default=DOUBLED, help="the card that is doubled")
    parser.add_argument("--value", default="points", help="the field that is doubled")
    parser.add_argument("--copies", type=int, default=COPIES, help="of each copy")
    parser.add_argument("--bot", choices=sorted(BOTS), default="random")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--games", type=int, default=200, help="of one run of copies, at most")
    args = parser.parse_args()
    asked = Asked(args.game, args.value, args.bot, games=args.games, copies=args.copies)
    whole, began, likes = Rate(), time.process_time(), args.like or LIKE
    for n, like in enumerate(likes):
        seeds = range(args.runs * n // len(likes), args.runs * (n + 1) // len(likes))
        one = rate(asked, like, 1, seeds)
        _tell(f"copies of {like} called different", one)
        whole = Rate(whole.said + one.said, whole.runs + one.runs, whole.games + one.games)
    _tell("copies called different", whole)
    more = replace(asked, games=LONGER * asked.games)
    found = rate(more, args.doubled, 2, range(args.runs))
    _tell(f"{args.doubled} of twice the {args.value} found", found)
    print(f"{time.process_time() - began:.0f} s of processor time")
    return 0 if whole.interval[0] <= 0.05 and found.said >= 0.95 * found.runs else 1


def _tell(what: str, found: Rate) -> None:
    low, high = found.interval
    print(
        f"{what}: {found.said} of {found.runs} [{low:.1%} to {high:.1%}], "
        f"{found.games / found.runs:.0f} games a run",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
