"""Is a card too strong? What those have who play it beside those who play others in the same games.

Each game is played twice by the same bots on the same seed, with the card and without it. In a
game with the card the margin of whoever played it (his score above the mean of all) is compared
with the margins of those who played what it is compared to, play by play. Comparing within one game
leaves out what differs between games; comparing players of cards with each other leaves out that
those who are ahead play more of them. Looks are taken when games have doubled, and every interval
is widened for the number of cards and of looks, so that all verdicts together are wrong in at most
the stated share.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from interpreter.bots.agents import Agent
from interpreter.game.game import Game, State
from interpreter.model.values import Fault
from interpreter.simulation.engines import NATIVE, REFERENCE, Manner, Plays
from interpreter.simulation.outcome import BotError, play_out
from interpreter.simulation.samples import ERROR, FIRST, Sample, looks
from rulelang.core.types import PLAYER, PieceT, Type, element, non_optional
from rulelang.core.values import Json, Value, numbers
from rulelang.diagnostics.english import counted

MOST_HOLDERS = 6  # players up to whom the native engine notes who played what
FEW = 12  # comparisons below which nothing is said

STRONGER, WEAKER, ALIKE = "stronger", "weaker", "alike"
NEVER, UNDECIDED = "never played", "not enough games"


@dataclass(frozen=True)
class Played:
    """One game: margins, who won, who played which titles when (a share of the game), and how many
    choices it took.
    """

    margins: tuple[float, ...]
    scores: tuple[int, ...]
    won: tuple[float, ...]
    titles: tuple[tuple[str, int, float | None], ...]
    choices: int = 0


class Table:
    """Plays games with the same bot in every seat.

    Where there are many by bots that choose at random, the native engine plays all but the first:
    these say when cards are played, which it does not note.
    """

    def __init__(
        self, game: Game, bot: tuple[str, Callable[[int], Agent]], first: int = FIRST
    ) -> None:
        """Nothing is lowered before a game is played."""
        self.game, self.bot, self.first = game, bot[1], first
        few = game.players <= MOST_HOLDERS
        self._plays = Plays(game, Manner(bot[0], NATIVE if few else REFERENCE))

    def played(self, seed: int) -> Played | None:
        """The game of a seed; none where it is not decided."""
        self.first -= 1
        found = self._plays.natively(seed) if self.first < 0 else None
        if found is not None:
            state, marked = found
            late = marked.played | {key for key, _ in _pieces(state)}
            return _played(state, dict.fromkeys(late))
        agents = [self.bot(seed * 64 + p) for p in range(self.game.players)]
        try:
            state = play_out(self.game.start(seed), agents, kept=False)
        except (Fault, BotError):
            return None
        return _played(state, dict(_pieces(state)))


def _played(state: State, pieces: Mapping[tuple[int, int | None], float | None]) -> Played:
    """What is noted of a game that is over, in which these pieces were played by whom, and when."""
    ranks, known = state.game.rules_source.ranks, state.game.setup.pieces
    sign = 1 if not ranks or ranks[0].largest else -1
    scores = tuple(sign * score for score in state.scores())
    mean = sum(scores) / len(scores)
    won = state.winners
    shares = tuple(1 / len(won) if p in won else 0.0 for p in range(state.game.players))
    held = {
        (piece, known[piece].owner if holder is None else holder): late
        for (piece, holder), late in pieces.items()
        if known[piece].design.title
    }
    titles = tuple(
        (known[piece].design.title, owner, held[piece, owner])
        for piece, owner in sorted((p, owner) for p, owner in held if owner is not None)
    )
    return Played(tuple(s - mean for s in scores), scores, shares, titles, state.moves)


def _pieces(state: State) -> Iterator[tuple[tuple[int, int | None], float]]:
    """The pieces that were played, each with the player whom the event names, and how late it was;
    what was played again is said again, the last time first.

    Played is what an event names by itself; of an event that names none by itself it is all that it
    names together. So what somebody pays with is not what he plays.
    """
    log = state.log
    for at, entry in reversed([*enumerate(log)]):
        if entry.kind == "event":
            params = state.game.rules_source.events[entry.name].params
            args = [(v, t) for (_, v), (_, t) in zip(entry.args, params, strict=True)]
            holder = next((value for value, t in args if t == PLAYER), None)
            for piece in _played_pieces(args):
                yield (piece, holder if isinstance(holder, int) else None), at / len(log)


def _played_pieces(args: list[tuple[Value, Type]]) -> Iterator[int]:
    """What an event names by itself; if it names none by itself all that it names together."""
    alone = [value for value, t in args if isinstance(non_optional(t), PieceT)]
    together = [value for value, t in args if isinstance(element(t), PieceT)]
    for value in alone or together:
        if value is not None:
            yield from _each(value)


def _each(value: Value) -> tuple[int, ...]:
    """The pieces of a value that is one or several."""
    return (value,) if isinstance(value, int) else tuple(numbers(value))


@dataclass
class Card:
    """What is known of one card so far."""

    title: str
    like: frozenset[str]  # the titles it is compared with
    beyond: Sample = field(default_factory=Sample)  # margin above those of what it is compared with
    won: Sample = field(default_factory=Sample)
    when: Sample = field(default_factory=Sample)  # of the first games, as shares of a game
    games: int = 0  # in which it was played
    partners: dict[str, Sample] = field(default_factory=dict)
    beside: dict[str, Sample] = field(default_factory=dict)  # margin above those of each of `like`

    def add(self, game: Played) -> None:
        """Take in a game with the card."""
        plays = [(p, late) for title, p, late in game.titles if title == self.title]
        if not plays:
            return
        self.games += 1
        for _, late in plays:
            if late is not None:
                self.when.add(late)
        holders = {p for p, _ in plays}
        self.won.add(sum(game.won[p] for p in holders) / len(holders))
        # Each play counts, not each player: copies of one card then have equal means, however
        # many there are of each.
        own = sum(game.margins[p] for p, _ in plays) / len(plays)
        others: dict[str, list[float]] = {}
        for title, p, _ in game.titles:
            if title in self.like:
                others.setdefault(title, []).append(game.margins[p])
        for title, margins in others.items():
            self.beside.setdefault(title, Sample()).add(own - sum(margins) / len(margins))
        if others:
            every = [margin for margins in others.values() for margin in margins]
            self.beyond.add(own - sum(every) / len(every))
        self._add_partners(game, holders, own)

    def _add_partners(self, game: Played, holders: set[int], own: float) -> None:
        """Take in what those who played it have played besides."""
        for title in {t for t, p, _ in game.titles if p in holders and t != self.title}:
            self.partners.setdefault(title, Sample()).add(own)

    def verdict(self, error: float, least: float) -> str:
        """What is decided at this look."""
        low, high = self.beyond.interval(error)
        if self.beyond.count < FEW:
            return UNDECIDED if self.games else NEVER
        if low > 0:
            return STRONGER
        if high < 0:
            return WEAKER
        return ALIKE if -least < low and high < least else UNDECIDED

    def is_dominated(self, error: float) -> bool:
        """Is whoever played it behind whoever played any other, of each of those it met often?

        There are two such at least; the share of error is that of all of them together.
        """
        met = [sample for sample in self.beside.values() if sample.count >= FEW]
        return len(met) > 1 and all(s.interval(error / len(met))[1] < 0 for s in met)

    def wanted(self, error: float, least: float, games: int) -> int | None:
        """How many games it would take to tell a difference of `least`; none where unknown."""
        if self.beyond.count < FEW or not least:
            return None
        return math.ceil(self.beyond.wanted(error, least) * games / self.beyond.count)


@dataclass
class Balance:
    """What came of all games with and without the cards."""

    game: str
    players: int
    bot: str
    cards: list[Card]
    least: float
    error: float  # of one interval
    games: int = 0
    not_decided: int = 0
    sums: Sample = field(default_factory=Sample)  # mean score with, less that without
    with_: Counter[str] = field(default_factory=Counter)
    without: Counter[str] = field(default_factory=Counter)

    def add(self, one: Played, two: Played) -> None:
        """Take in a game without the cards and the one with them."""
        self.sums.add(sum(two.scores) / len(two.scores) - sum(one.scores) / len(one.scores))
        self.without.update(title for title, _, _ in one.titles)
        self.with_.update(title for title, _, _ in two.titles)
        for card in self.cards:
            card.add(two)

    def verdict(self, card: Card) -> str:
        """What is decided of a card."""
        return card.verdict(self.error, self.least)

    def displaced(self, most: int = 3) -> list[tuple[str, float]]:
        """The titles that are played less in games with the cards, in plays a game."""
        lost = {t: (self.with_[t] - n) / max(1, self.games) for t, n in self.without.items()}
        return sorted(((t, x) for t, x in lost.items() if x < 0), key=lambda item: item[1])[:most]

    def as_json(self) -> dict[str, Json]:
        """The results as plain data."""
        return {
            "game": self.game,
            "players": self.players,
            "bot": self.bot,
            "games": self.games,
            "not_decided": self.not_decided,
            "error": ERROR,
            "least": self.least,
            "scores_with_less_without": self.sums.rounded(self.error),
            "displaced": [{"title": t, "plays_a_game": round(x, 3)} for t, x in self.displaced()],
            "cards": [self._card(card) for card in self.cards],
        }

    def _card(self, card: Card) -> dict[str, Json]:
        partners = sorted(
            ((t, s) for t, s in card.partners.items() if s.count >= FEW), key=lambda i: -i[1].mean
        )
        verdict = self.verdict(card)
        found: dict[str, Json] = {
            "title": card.title,
            "verdict": verdict,
            "dominated": card.is_dominated(self.error),
            "played_in": card.games,
            "compared_in": card.beyond.count,
            "earns_more": card.beyond.rounded(self.error) if card.beyond.count >= FEW else None,
            "won": round(card.won.mean, 3) if card.games else None,
            "when": round(card.when.mean, 3) if card.when.count else None,
            "partners": [{"title": t, "margin": round(s.mean, 2)} for t, s in partners[:3]],
        }
        if verdict == UNDECIDED:
            found["games_it_would_take"] = card.wanted(self.error, self.least, self.games)
        return found


_SAID = {
    STRONGER: "stronger than what it is compared with",
    WEAKER: "weaker than what it is compared with",
    ALIKE: "no different by as much as matters",
    NEVER: "never played",
    UNDECIDED: "not enough games",
}


def told(found: Balance, card: Card) -> list[str]:
    """What is known of a card, in words: the verdict, and what it rests on."""
    verdict = found.verdict(card)
    lines = [f"{card.title}: {_SAID[verdict]}"]
    if verdict == UNDECIDED:
        wanted = card.wanted(found.error, found.least, found.games)
        lines[0] += (
            f"; to tell {found.least:g} it would take about {wanted} games" if wanted else ""
        )
    if card.is_dominated(found.error):
        lines[0] += "; dominated: whoever plays any of those is before who plays it"
    if card.beyond.count > 1:
        low, high = card.beyond.interval(found.error)
        lines.append(
            f"  who plays it is {card.beyond.mean:+.2f} [{low:+.2f} to {high:+.2f}] before "
            f"who plays the others, in {counted(card.beyond.count, 'game')}"
        )
    if card.games:
        when = f"when {card.when.mean:.0%} of the game is over; " if card.when.count else ""
        lines.append(
            f"  played in {card.games} of {found.games} games, "
            f"{when}who plays it wins {card.won.mean:.0%}"
        )
    return lines


def balance(
    pair: tuple[Game | None, Game],
    cards: Mapping[str, Sequence[str]],
    bot: tuple[str, Callable[[int], Agent]],
    games: tuple[int, int],
    least: float,
    progress: Callable[[int], None] = lambda done: None,
) -> Balance:
    """Games without and with the cards until all is decided; each card beside what it is like.

    `games` are the most there may be, and the seed. Without a game to play without the cards only
    what the cards are compared with is known, and not when they are played.
    """
    *_, found = measured(pair, cards, bot, games, least, progress)
    return found


def measured(
    pair: tuple[Game | None, Game],
    cards: Mapping[str, Sequence[str]],
    bot: tuple[str, Callable[[int], Agent]],
    games: tuple[int, int],
    least: float,
    progress: Callable[[int], None] = lambda done: None,
) -> Iterator[Balance]:
    """What is known after each game, in one record that grows, until all is decided."""
    plain, added = pair
    most, seed = games
    stops = looks(most)
    made = [Card(title, frozenset(like)) for title, like in cards.items()]
    found = Balance(
        added.id, added.players, bot[0], made, least, ERROR / max(1, len(made) * len(stops))
    )
    with_, without = Table(added, bot, FIRST if plain else 0), Table(plain or added, bot)
    for number in range(most):
        own = seed * 1_000_003 + number
        two = with_.played(own)
        one = two if plain is None else without.played(own)
        found.games += 1
        if one is None or two is None:
            found.not_decided += 1
        else:
            found.add(one, two)
        progress(found.games)
        yield found
        if found.games in stops and all(
            found.verdict(c) in (STRONGER, WEAKER, ALIKE) for c in made
        ):
            return
