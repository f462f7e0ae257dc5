"""What does a variant change? The same bots on the same seeds, without it and with it.

Each pair of games gives a difference of every measure. Looks are taken when games have doubled, and
every interval is widened for the number of measures and of looks, so that all verdicts together are
wrong in at most the stated share.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from interpreter.bots.agents import Agent
from interpreter.game.game import Game
from interpreter.simulation.balance import ALIKE, FEW, UNDECIDED, Played, Table
from interpreter.simulation.samples import ERROR, Sample, looks
from rulelang.core.values import Json
from rulelang.diagnostics.english import counted

MORE, LESS = "more", "less"
SHARE = 0.05  # the least share that matters: of wins, and of the choices of a game


@dataclass(frozen=True)
class Asked:
    """A measure of a game: how it is told, in a word or two on a chart, and what it is of one."""

    words: str
    short: str
    of: Callable[[Played], float]


MEASURES: Mapping[str, Asked] = MappingProxyType(
    {
        "score": Asked("the mean score", "score", lambda g: sum(g.scores) / len(g.scores)),
        "lead": Asked("how far the first is above the mean", "lead", lambda g: max(g.margins)),
        "first_seat": Asked(
            "the share of wins of player 1", "wins of player 1", lambda g: g.won[0]
        ),
        "choices": Asked("the number of choices", "choices", lambda g: float(g.choices)),
    }
)


@dataclass
class Measure:
    """What is known of one measure: without the variant, and with it less without it."""

    name: str
    without: Sample = field(default_factory=Sample)
    change: Sample = field(default_factory=Sample)

    def add(self, one: Played, two: Played) -> None:
        """Take in a game without the variant and the one with it."""
        of = MEASURES[self.name].of
        self.without.add(of(one))
        self.change.add(of(two) - of(one))

    def least(self, points: float) -> float:
        """The least difference that matters, where so many points do."""
        match self.name:
            case "first_seat":
                return SHARE
            case "choices":
                return SHARE * self.without.mean
            case _:
                return points

    def verdict(self, error: float, points: float) -> str:
        """What is decided at this look."""
        if self.change.count < FEW:
            return UNDECIDED
        low, high = self.change.interval(error)
        if low > 0 or high < 0:
            return MORE if low > 0 else LESS
        least = self.least(points)
        return ALIKE if (low == high == 0) or (-least < low and high < least) else UNDECIDED

    def wanted(self, error: float, points: float) -> int | None:
        """How many games it would take to tell the least that matters; none where unknown."""
        least = self.least(points)
        if self.change.count < FEW or not least:
            return None
        return math.ceil(self.change.wanted(error, least))


@dataclass
class Comparison:
    """What came of all games without and with a variant."""

    game: str
    variant: str
    players: int
    bot: str
    least: float
    error: float  # of one interval
    measures: list[Measure] = field(default_factory=lambda: [Measure(name) for name in MEASURES])
    games: int = 0
    not_decided: int = 0
    without: Counter[str] = field(default_factory=Counter)
    with_: Counter[str] = field(default_factory=Counter)

    def add(self, one: Played, two: Played) -> None:
        """Take in a game without the variant and the one with it."""
        for measure in self.measures:
            measure.add(one, two)
        self.without.update(title for title, _, _ in one.titles)
        self.with_.update(title for title, _, _ in two.titles)

    def verdict(self, measure: Measure) -> str:
        """What is decided of a measure."""
        return measure.verdict(self.error, self.least)

    def played(self, most: int = 3) -> tuple[list[tuple[str, float]], list[tuple[str, float]]]:
        """The titles that are played more with the variant, and less, in plays a game."""
        change = {
            title: (self.with_[title] - self.without[title]) / max(1, self.games)
            for title in self.with_ | self.without
        }
        rest = sorted(change.items(), key=lambda item: (item[1], item[0]))
        less = [(title, x) for title, x in rest[:most] if x < 0]
        return [(title, x) for title, x in reversed(rest[-most:]) if x > 0], less

    def as_json(self) -> dict[str, Json]:
        """The results as plain data."""
        more, less = self.played()
        return {
            "game": self.game,
            "variant": self.variant,
            "players": self.players,
            "bot": self.bot,
            "games": self.games,
            "not_decided": self.not_decided,
            "error": ERROR,
            "least": self.least,
            "measures": [self._measure(measure) for measure in self.measures],
            "played_more": [{"title": t, "plays_a_game": round(x, 3)} for t, x in more],
            "played_less": [{"title": t, "plays_a_game": round(x, 3)} for t, x in less],
        }

    def _measure(self, measure: Measure) -> dict[str, Json]:
        verdict = self.verdict(measure)
        found: dict[str, Json] = {
            "measure": measure.name,
            "verdict": verdict,
            "without": round(measure.without.mean, 3),
            "with_less_without": measure.change.rounded(self.error),
        }
        if verdict == UNDECIDED:
            found["games_it_would_take"] = measure.wanted(self.error, self.least)
        return found


_SAID = {
    MORE: "more",
    LESS: "less",
    ALIKE: "no different by as much as matters",
    UNDECIDED: "not enough games",
}


def told(found: Comparison) -> list[str]:
    """What is known, in words: two lines for each measure, and what is played more and less."""
    lines = []
    for measure in found.measures:
        verdict, change = found.verdict(measure), measure.change
        low, high = change.interval(found.error)
        line = f"{MEASURES[measure.name].words}: {_SAID[verdict]}"
        wanted = measure.wanted(found.error, found.least) if verdict == UNDECIDED else None
        if wanted is not None:
            least = measure.least(found.least)
            line += f"; to tell {least:.2g} it would take about {counted(wanted, 'game')}"
        level = f"{measure.without.mean:.2f} without it"
        lines += [line, f"  {level}, {change.mean:+.2f} [{low:+.2f} to {high:+.2f}] with it"]
    for said, titles in zip(("more", "less"), found.played(), strict=True):
        if titles:
            listed = ", ".join(f"{title} ({x:+.2f} a game)" for title, x in titles)
            lines.append(f"played {said}: {listed}")
    return lines


def compared(
    pair: tuple[Game, Game],
    variant: str,
    bot: tuple[str, Callable[[int], Agent]],
    games: tuple[int, int],
    least: float,
) -> Iterator[Comparison]:
    """What is known after each pair of games, in one record that grows, until all is decided.

    The games are without the variant and with it; `games` are the most there may be, and the seed.
    """
    most, seed = games
    stops = looks(most)
    without, with_ = (Table(game, bot, 0) for game in pair)
    found = Comparison(
        pair[0].id, variant, pair[0].players, bot[0], least, ERROR / (len(MEASURES) * len(stops))
    )
    for number in range(most):
        own = seed * 1_000_003 + number
        one, two = without.played(own), with_.played(own)
        found.games += 1
        if one is None or two is None:
            found.not_decided += 1
        else:
            found.add(one, two)
        yield found
        if found.games in stops and all(found.verdict(m) != UNDECIDED for m in found.measures):
            return
