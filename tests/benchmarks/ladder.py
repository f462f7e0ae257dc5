"""The ladder of the bots: does one beat the other, by a sequential test over whole games.

    python tests/benchmarks/ladder.py [--game G]... [--players N] [--pair BOT:BOT]...
        [--playouts N] [--most GAMES] [--out FILE] [--json]

Each pair of bots of a game plays until Wald's sequential probability ratio test decides, with 5 %
error on either side, between "wins its share" (p0) and "wins its share and a margin" (p1), or until
so many games are played: then it is not decided. All games count, drawn ones in equal parts; seats
change from game to game, and as many games as there are players share their chance. With three and
more players one bot sits among others of the weaker sort.

With `--out` each game is a line of that file as soon as it is over, and the same command goes on
where it was left: games of the same rules, options, players, bots and playouts are not played
again. Name another file when a bot has changed. Of several processes that share a file each plays
pairs of its own.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from interpreter.bots.agents import BOTS, Agent
from interpreter.bots.search import PLAYOUTS, Search
from interpreter.game.game import Game, load
from interpreter.model.values import Fault
from interpreter.simulation.outcome import BotError, play_out
from interpreter.simulation.rates import interval

ERROR = 0.05
MARGIN = 0.10  # above the share, for two players: 60 % of games
GAMES = ("big_city", "cities", "the_city", "card_city_xl", "simcity")
PAIRS = (("greedy", "random"), ("search", "greedy"))
# SimCity is played with all there is for so many players.
DECKS = {1: "city_of_two", 2: "city_of_two", 3: "city_of_three", 4: "city_of_four"}

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


@dataclass(frozen=True)
class Match:
    """Two bots in a game: what all the games played between them have in common."""

    game: str
    rules: str
    players: int
    options: tuple[tuple[str, str], ...]
    bot: str
    against: str
    playouts: int

    @property
    def key(self) -> dict[str, object]:
        """As it stands in each line of a file of games."""
        return {**vars(self), "options": dict(self.options)}


@dataclass(frozen=True)
class Played:
    """One game: the share of it that the bot won, none where it is not decided, and its cost."""

    won: float | None
    seconds: float


@dataclass
class Kept:
    """The games of a match in a file, by number; without a file they are played anew."""

    where: Path | None
    match: Match
    games: dict[int, Played] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Lines of other matches are left alone, and one that a kill has cut off counts as none."""
        if self.where is None or not self.where.exists():
            return
        text = self.where.read_text("utf-8")
        for found in map(_row, text.splitlines()):
            number, won, seconds = (found.pop(name, None) for name in ("number", "won", "seconds"))
            if isinstance(number, int) and isinstance(seconds, float) and found == self.match.key:
                self.games[number] = Played(won if isinstance(won, float) else None, seconds)
        if not text.endswith("\n"):
            self._write("\n")

    def add(self, number: int, game: Played) -> None:
        """Write a game down as a line of its own."""
        self.games[number] = game
        self._write(json.dumps({**self.match.key, "number": number, **vars(game)}) + "\n")

    def _write(self, text: str) -> None:
        if self.where is not None:
            with self.where.open("a", encoding="utf-8") as out:
                out.write(text)


def _row(line: str) -> dict[str, object]:
    try:
        found = json.loads(line)
    except json.JSONDecodeError:
        return {}
    return found if isinstance(found, dict) else {}


def one_of(game: Game, kept: Kept, number: int) -> Played:
    """A game of a match: the one that is kept, or a new one, which is kept from then on."""
    if number not in kept.games:
        match, began = kept.match, time.process_time()
        bots = makers(match.playouts)
        won = played(game, number, bots[match.bot], bots[match.against])
        kept.add(number, Played(won, round(time.process_time() - began, 2)))
    return kept.games[number]


def matched(game: Game, kept: Kept, most: int) -> dict[str, object]:
    """How one bot fares against the other, as a row of plain data."""
    share, match = 1 / game.players, kept.match
    ratio, undecided, seconds = Ratio(share, share + MARGIN * 2 * share), 0, 0.0
    for number in range(most):
        one = one_of(game, kept, number)
        undecided += one.won is None
        seconds += one.seconds
        ratio.add(share if one.won is None else one.won)
        if ratio.verdict and ratio.games % game.players == 0:
            break
    found = ratio.wins / ratio.games
    return {
        "game": game.id,
        "players": game.players,
        "bot": match.bot,
        "against": match.against,
        "playouts": match.playouts,
        "games": ratio.games,
        "not_decided": undecided,
        "won": round(found, 3),
        "interval": [round(end, 3) for end in interval(found, ratio.games)],
        "verdict": ratio.verdict or "not decided",
        "seconds": round(seconds, 1),
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
    parser.add_argument("--out", type=Path, help="a file that keeps each game, to go on later")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    pairs = [tuple(pair.split(":")) for pair in args.pair] or PAIRS
    for name in args.game or GAMES:
        options = {"deck": DECKS[args.players]} if name == "simcity" else {}
        game = load(name, players=args.players, options=options)
        for one, other in pairs:
            playouts = args.playouts if "search" in (one, other) else 0
            about = (game.id, game.loaded.rules_hash, game.players, tuple(options.items()))
            kept = Kept(args.out, Match(*about, one, other, playouts))
            row = matched(game, kept, args.most)
            print(json.dumps(row) if args.json else _told(row), flush=True)


def _told(row: dict[str, object]) -> str:
    searching = f" with {row['playouts']} playouts" if row["playouts"] else ""
    return (
        f"{row['game']}, {row['players']} players: {row['bot']} against {row['against']}"
        f"{searching} won {row['won']} of {row['games']} games {row['interval']}: {row['verdict']} "
        f"({row['not_decided']} not decided, {row['seconds']} s)"
    )


if __name__ == "__main__":
    main()
