"""What a choice at a table of the studio costs in processor time, part by part.

    python tests/benchmarks/studio_choice.py [--choices 40] [GAME]...

A person whose choices are drawn at random plays against `greedy`, all in one process. Told are the
mean milliseconds, after the first time of each part, of: writing the choice (`choose`), a bot's
thinking and the writing of its answer (`bot`, `answered`; there may be several to a choice), what
the page then shows (`scene`), and its HTML and what of it is sent (`regions`, `news`). What the
wire, the threads and the browser take comes on top.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import ParamSpec, TypeVar

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from interpreter.game.views import option_data  # noqa: E402
from interpreter.studio.bots import Job, Player  # noqa: E402
from interpreter.studio.pages import Pages, Regions, Seen  # noqa: E402
from interpreter.studio.scene import scene  # noqa: E402
from interpreter.studio.storage.database import database, sqlite_url  # noqa: E402
from interpreter.studio.storage.store import Kept, Settings, Store  # noqa: E402
from interpreter.studio.tables import Tables  # noqa: E402

GAMES = ("examples/classics/hex", "cities", "big_city", "the_city", "simcity", "card_city_xl")
P = ParamSpec("P")
T = TypeVar("T")


@dataclass
class Costs:
    """Processor seconds by part, each time it was done."""

    spent: dict[str, list[float]] = field(default_factory=dict)

    def of(self, part: str, do: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What it gives; its cost is noted."""
        began = time.process_time()
        found = do(*args, **kwargs)
        self.spent.setdefault(part, []).append(time.process_time() - began)
        return found

    def means(self) -> dict[str, float]:
        """Milliseconds by part, but for the first time of each."""
        later = {part: spent[1:] or spent for part, spent in self.spent.items()}
        return {part: round(1000 * sum(some) / len(some), 2) for part, some in later.items()}


def play(tables: Tables, kept: Kept, choices: int) -> dict[str, object]:
    """What so many choices of a person cost."""
    costs, bots, pages, rng = Costs(), Player(), Pages(), random.Random(1)
    sent: Regions | None = None
    made = size = 0
    jobs: list[Job | None] = []  # what a choice leaves bots to answer
    tables.wake = lambda game, change: jobs.append(change.job) if change.answered else None
    while made < choices:
        job = jobs.pop() if jobs else tables.advance(kept.id)
        while job is not None:
            answer = costs.of("bot", bots.answer, job, 2.0)
            job = costs.of("answered", tables.answered, kept.id, answer)
        with tables.at(kept.id) as table:
            live = table.live
            decision = live.decision(0)
            if decision is None:
                break
            seen = Seen(costs.of("scene", scene, table.kept, live, 0), (), "token")
            option = decision.sample(rng)
            value = option_data(live.state, decision.spec, option.value)
            key = live.key(0)
        now = costs.of("regions", pages.regions, seen)
        size += len(costs.of("news", pages.news, seen, now, sent))
        sent, made = now, made + 1
        costs.of("choose", tables.choose, kept.id, 0, key, decision.name, value)
    answers = len(costs.spent.get("bot", ())) / max(made, 1)
    rest = {"choices": made, "answers a choice": round(answers, 2), "bytes": size // max(made, 1)}
    return {**costs.means(), **rest}


def main() -> int:
    """Print a line for each game."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME", default=GAMES)
    parser.add_argument("--choices", type=int, default=40)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tables = Tables(Store(database(sqlite_url(Path(folder) / "studio.sqlite"))))
        for name in given.games:
            rules = str(Path(name).resolve()) if "/" in name else name
            kept = tables.begin(Settings(rules, 2), ("person", "greedy"))
            print(json.dumps({"game": name, **play(tables, kept, given.choices)}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
