"""The ladder of the bots: does one beat the other, by a sequential test over whole games.

    python tests/benchmarks/ladder.py [--game G]... [--players N] [--playouts N] [--most GAMES]

Each pair of bots of a game plays until Wald's sequential probability ratio test decides, with 5 %
error on either side, between "wins its share" (p0) and "wins its share and a margin" (p1), or until
so many games are played: then it is not decided. All games count, drawn ones in equal parts; seats
change from game to game, and each two games share their chance. With three and more players one bot
sits among others of the weaker sort.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from interpreter.bots.agents import BOTS, Agent
from interpreter.bots.search import PLAYOUTS, Search
from interpreter.game.game import Game, load
from interpreter.model.values import Fault
from interpreter.simulation.outcome import BotError, play_out

ERROR = 0.05
MARGIN = 0.10  # above the share, for two players: 60 % of games
GAMES = ("big_city", "cities", "the_city", "card_city_xl", "simcity")
PAIRS = (("greedy", "random"), ("search", "greedy"))

Maker = Callable[[int], Agent]


@dataclass
class Ratio:
    """Wald's test of a share of wins: p1 against p0, with `ERROR` on both sides."""

    p0: float
    p1: float
    wins: float = 0.0
    games: int = 0

    def add(self, share: float) -> None:
        """One game more, of which this share is won."""
        self.wins += share
        self.games += 1

    @property
    def log_ratio(self) -> float:
        """How much likelier the games are under p1 than under p0."""
        lost = self.games - self.wins
        gain, loss = math.log(self.p1 / self.p0), math.log((1 - self.p1) / (1 - self.p0))
        return self.wins * gain + lost * loss

    @property
    def verdict(self) -> str:
        """What is decided: `better`, `not better`, or nothing yet."""
        bound = math.log((1 - ERROR) / ERROR)
        if self.log_ratio >= bound:
            return "better"
        return "not better" if self.log_ratio <= -bound else ""


def interval(share: float, games: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share."""
    if not games:
        return 0.0, 1.0
    z, n = 1.959964, games
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return middle - half, middle + half


def makers(playouts: int) -> dict[str, Maker]:
    """The bots by name, with so many playouts for search."""
    return {**BOTS, "search": lambda seed: Search(seed, playouts)}


def played(game: Game, number: int, one: Maker, other: Maker) -> float | None:
    """The share of a game that bot `one` wins; none where the game is not decided."""
    seed, seat = number // game.players, number % game.players
    agents = [(one if p == seat else other)(number * 64 + p) for p in range(game.players)]
    try:
        won = play_out(game.start(seed), agents, kept=False).winners
    except (Fault, BotError):
        return None
    return 1 / len(won) if seat in won else 0.0 if won else 1 / game.players


def matched(
    game: Game, pair: tuple[str, str], bots: dict[str, Maker], most: int
) -> dict[str, object]:
    """How one bot fares against the other, as a row of plain data."""
    share = 1 / game.players
    ratio, undecided, began = Ratio(share, share + MARGIN * 2 * share), 0, time.perf_counter()
    for number in range(most):
        won = played(game, number, bots[pair[0]], bots[pair[1]])
        if won is None:
            undecided += 1
        ratio.add(share if won is None else won)
        if ratio.verdict and ratio.games % game.players == 0:
            break
    found = ratio.wins / ratio.games
    return {
        "game": game.id,
        "players": game.players,
        "bot": pair[0],
        "against": pair[1],
        "games": ratio.games,
        "not_decided": undecided,
        "won": round(found, 3),
        "interval": [round(end, 3) for end in interval(found, ratio.games)],
        "verdict": ratio.verdict or "not decided",
        "seconds": round(time.perf_counter() - began, 1),
    }


def main() -> None:
    """Print a row for each pair of bots of each game."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--game", action="append", default=[])
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--playouts", type=int, default=PLAYOUTS)
    parser.add_argument(
        "--most", type=int, default=200, help="games after which nothing is decided"
    )
    parser.add_argument("--pair", action="append", default=[], help="as in search:greedy")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    pairs = [tuple(pair.split(":")) for pair in args.pair] or PAIRS
    for name in args.game or GAMES:
        game = load(name, players=args.players)
        for one, other in pairs:
            row = matched(game, (one, other), makers(args.playouts), args.most)
            print(json.dumps(row) if args.json else _told(row), flush=True)


def _told(row: dict[str, object]) -> str:
    return (
        f"{row['game']}, {row['players']} players: {row['bot']} against {row['against']} won "
        f"{row['won']} of {row['games']} games {row['interval']}: {row['verdict']} "
        f"({row['not_decided']} not decided, {row['seconds']} s)"
    )


if __name__ == "__main__":
    main()
