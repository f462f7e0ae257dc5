"""Many games of SimCity, with every number of players and in all modes.

Does every game end, and which clauses, cards and Events does none of them see?

    python tests/benchmarks/plays.py [--games N] [--seed S] [--only RUN] [--seen] [--json FILE]

Of the games of a run two in five are by hasty players, who come to the goal, and the others by
random ones, who come to the other ends. What is possible in some run and happens in none is told at
the end; then the exit status is 1.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from interpreter.game.game import load  # noqa: E402
from interpreter.simulation.simulate import Simulation, simulate  # noqa: E402

USED = (("long_cards", "used"),)


@dataclass(frozen=True)
class Run:
    """So many players, their deck, a variant and options."""

    name: str
    players: int
    deck: str
    variants: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = USED


RUNS = (
    Run("two", 2, "city_of_two"),
    Run("three", 3, "city_of_three"),
    Run("four", 4, "city_of_four"),
    Run("five", 5, "city_of_five"),
    Run("six", 6, "city_of_six"),
    Run("dueling", 2, "suburbs", ("dueling",), ()),
    Run("solitaire", 1, "city_of_two", ("solitaire",)),
)


class Tally:
    """What all runs together saw, and what some of them missed."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.seen: Counter[str] = Counter()
        self.played: Counter[str] = Counter()
        self.missed: dict[str, None] = {}
        self.unplayed: dict[str, None] = {}
        self.unfinished = 0

    def add(self, found: Simulation) -> None:
        """Add what one simulation saw."""
        self.seen.update(found.seen)
        self.played.update(
            {
                f"{event}: {title}": games
                for event, titles in found.played.items()
                for title, games in titles.items()
            }
        )
        self.missed.update(dict.fromkeys(found.never_fired))
        self.unplayed.update(dict.fromkeys(found.never_played))
        self.unfinished += found.games - found.finished

    @property
    def never_fired(self) -> list[str]:
        """Clauses that some run missed and none saw."""
        return [clause for clause in self.missed if clause not in self.seen]

    @property
    def never_played(self) -> list[str]:
        """Titles that lay in some deck and took part in no event of any run."""
        titles = {known.split(": ", 1)[1] for known in self.played}
        return [title for title in self.unplayed if title not in titles]


def one(run: Run, games: int, seed: int) -> list[Simulation]:
    """The games of one run, by hasty players and by random ones; told as they end."""
    game = load(
        "simcity",
        players=run.players,
        variants=run.variants,
        options={"deck": run.deck, **dict(run.options)},
    )
    hasty = max(1, games * 2 // 5)
    found = []
    for bot, count in (("hasty", hasty), ("random", games - hasty)):
        if count:
            began = time.process_time()
            result = simulate([game], count, seed, bot)
            scores = [score for each in result.scores for score in each]
            ends = ", ".join(
                f"{clause.removeprefix('end ')} {times}"
                for clause, times in result.seen.items()
                if clause.startswith("end ")
            )
            print(
                f"{run.name:<10} {bot:<7} {result.finished:>4} of {count:>3} finished, "
                f"{time.process_time() - began:>6.0f} s, "
                f"{sum(scores) / max(1, len(scores)):>4.0f} a player; {ends}",
                flush=True,
            )
            for fault in result.faults:
                print(f"  fault: {fault}")
            found.append(result)
    return found


def main() -> int:
    """Play, and tell what was not seen."""
    words = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    words.add_argument("--games", type=int, default=100, help="games of each run")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument(
        "--only", action="append", choices=[run.name for run in RUNS], help="only this run"
    )
    words.add_argument(
        "--seen",
        action="store_true",
        help="tell in how many games each clause counted and each title was played",
    )
    words.add_argument("--json", type=Path, metavar="FILE", help="write all of it as plain data")
    args = words.parse_args()
    tally = Tally()
    for run in RUNS:
        if not args.only or run.name in args.only:
            for found in one(run, args.games, args.seed):
                tally.add(found)
    if args.seen:
        for name, games in sorted(
            [*tally.seen.items(), *tally.played.items()], key=lambda item: (-item[1], item[0])
        ):
            print(f"  {games:>6}  {name}")
    print(f"{len(tally.never_fired)} clauses never counted: {', '.join(tally.never_fired)}")
    print(f"{len(tally.never_played)} titles never played: {', '.join(tally.never_played)}")
    if args.json:
        missed = {
            "never_fired": tally.never_fired,
            "never_played": tally.never_played,
            "unfinished": tally.unfinished,
        }
        data = {"seen": tally.seen, "played": tally.played, **missed}
        args.json.write_text(json.dumps(data, indent=1) + "\n", "utf-8")
    return 1 if tally.never_fired or tally.unfinished else 0


if __name__ == "__main__":
    raise SystemExit(main())
