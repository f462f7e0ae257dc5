"""Plays in progress that a search edits in place: state by state, or inside a module.

Both come to the same with the same chance: where a module stops, or there is none, the reference
goes on.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from interpreter.bots.determinize import Dealing, Unseen, new_seed
from interpreter.engine.decisions import NOBODY, Decision, Option
from interpreter.engine.ranking import ranking
from interpreter.game.game import Game, Illegal, State
from interpreter.game.worked_out import WorkedOut
from interpreter.model.values import Fault
from rulelang import core
from rulelang.analysis.writes import statements
from rulelang.core.values import Value

LONG = 16  # choices in a row of one line that a player thinks of in a play
LISTED = 200  # options of one decision up to which all are children; of more some are drawn

Choice: TypeAlias = tuple[str, Value]  # the name of a decision, and what is chosen
# The first key by which each player is ranked, more being better, and who has won or is ahead.
Standing: TypeAlias = tuple[list[int], list[int]]


@dataclass(frozen=True)
class Chance:
    """All that chance decides in a play: a determinization, and seeds of what comes and of what
    players choose by chance. Plays that share it differ by what is chosen in them alone.
    """

    dealing: Dealing
    coming: int
    chosen: int


class Course(Protocol):
    """A play in progress, edited in place."""

    @property
    def over(self) -> bool:
        """Is the game over, or can it not go on?"""

    @property
    def player(self) -> int:
        """Who decides next; of players who decide at once whose play it is, or nobody after him."""

    @property
    def hidden(self) -> bool:
        """Do players decide at once, so that none sees what another chooses?"""

    def options(self, draw: random.Random) -> tuple[list[Choice], bool]:
        """What may be chosen, and whether that is all of it; of very much one is drawn."""

    def may(self, name: str, value: Value) -> bool:
        """May this be chosen?"""

    def take(self, name: str, value: Value) -> bool:
        """Choose; false where the rules refuse it."""

    def take_any(self, draw: random.Random, most: int) -> int:
        """Choose by chance, so many times at most; gives how often something was chosen."""

    def strive(self, draw: random.Random, turns: int, lines: int) -> int:
        """Play so many turns, each the best of so many lines drawn by chance for its player: that
        after which he leads by most. Gives how often something was chosen.

        A line ends where another decides. Where there are rounds it is judged when one is finished,
        played on to there by chance; what players choose at once when all of them have.
        """

    def standing(self, player: int | None = None) -> Standing:
        """How all stand; where players decide at once, as that player sees it who is given."""


class ByState:
    """A play by the reference, state by state."""

    def __init__(self, state: State, player: int) -> None:
        """Where all decide at once it is this player's play."""
        self.state, self.whose, self.stuck = state, player, False

    @property
    def over(self) -> bool:
        """Is the game over, or can it not go on?"""
        return self.state.over or self.stuck or not self.state.specs

    @property
    def player(self) -> int:
        """Who decides next; of players who decide at once whose play it is, or nobody after him."""
        if not self.hidden:
            return self.state.specs[0].player
        return self.whose if any(d.player == self.whose for d in self.state.specs) else NOBODY

    @property
    def hidden(self) -> bool:
        """Do players decide at once?"""
        return bool(self.state.position.branches)

    @property
    def _decision(self) -> Decision:
        """What is decided next, where players decide at once by him whose play it is."""
        player = self.player
        return next(d for d in self.state.decisions if d.player == player)

    def options(self, draw: random.Random) -> tuple[list[Choice], bool]:
        """What may be chosen, and whether that is all of it; of very much one is drawn."""
        decision = self._decision
        many = decision.count() if decision.spec.mode in ("some", "order") else 0
        if many is None or many > LISTED:
            return [(decision.name, decision.sample(draw).value)], False
        return [(option.name, option.value) for option in decision.options()], True

    def may(self, name: str, value: Value) -> bool:
        """May this be chosen?"""
        decision = self._decision
        return decision.name == name and decision.takes(Option(decision.player, name, value))

    def take(self, name: str, value: Value) -> bool:
        """Choose; false where the rules refuse it."""
        return self._choose(Option(self.player, name, value))

    def take_any(self, draw: random.Random, most: int) -> int:
        """Choose by chance, so many times at most; gives how often something was chosen."""
        made = 0
        while made < most and not self.over:
            made += self._choose(self.state.decisions[0].sample(draw))
        return made

    def strive(self, draw: random.Random, turns: int, lines: int) -> int:
        """Play so many turns, each the best of so many lines drawn by chance for its player."""
        made = 0
        for _ in range(turns):
            if self.over:
                break
            made += self._best(draw, lines)
        return made

    def _best(self, draw: random.Random, lines: int) -> int:
        """Go on with the best of so many lines; gives of how many choices it is."""
        first = best = self.state
        whose, most, kept = first.decisions[0].player, 0, 0
        until = first.position.rounds + ahead(first.game)
        for tried in range(lines):
            self.state = first
            made = self._line(draw, whose)
            own = self.state
            if not self.stuck:
                self._judged(draw, whose, until, bool(first.position.branches))
            if self.stuck:
                return made
            lead = leads(self.standing(whose)[0])[whose]
            if not tried or lead > most:
                best, most, kept = own, lead, made
        self.state = best
        return kept

    def _line(self, draw: random.Random, whose: int) -> int:
        """A line of one player; gives of how many choices it is."""
        made, together = 0, self.hidden
        while made < LONG:
            made += self._choose(self.state.decisions[0].sample(draw))
            if self.over or self.hidden != together or self.state.decisions[0].player != whose:
                break
        return made

    def _judged(self, draw: random.Random, whose: int, until: int, together: bool) -> None:
        """Go on to where a line is judged: so many rounds are finished, and all who decided at
        once with this player are done.
        """
        for _ in range(LONG):
            if self.over:
                break
            waiting = together and self.hidden and self.state.decisions[0].player > whose
            if self.state.position.rounds >= until and not waiting:
                break
            self._choose(self.state.decisions[0].sample(draw))

    def standing(self, player: int | None = None) -> Standing:
        """How all stand; where players decide at once, as that player sees it who is given."""
        game, s = self.state.game, self.state.position
        if player is not None:
            s = s.branches.get(player, s)
        ranks, rules = game.rules_source.ranks, game.rules
        found = [
            rules.number(ranks[0].key, s, {"player": p}) if ranks else 0
            for p in range(game.players)
        ]
        keys = signed(game, found)
        return keys, ranking(rules, s)[0] if s.ended is not None else foremost(keys)

    def _choose(self, option: Option) -> bool:
        try:
            self.state = self.state.choose(option)
            self.state.parent = None
        except (Illegal, Fault):
            self.stuck = True
        return not self.stuck


class Courses:
    """Begins plays from what one player may take a state to be."""

    def __init__(self, state: State, player: int) -> None:
        """By the reference."""
        self.unseen, self.player = Unseen(state, player), player
        self.players = state.game.players

    def drawn(self, rng: random.Random) -> Chance:
        """The chance of a play, with a determinization that is drawn."""
        return Chance(self.unseen.dealt(rng), new_seed(rng), new_seed(rng))

    def begun(self, chance: Chance) -> Course:
        """Another play."""
        return ByState(self.unseen.imagined(chance.dealing, chance.coming), self.player)


def signed(game: Game, found: list[int]) -> list[int]:
    """The first key of each player so that more is better."""
    ranks = game.rules_source.ranks
    return found if not ranks or ranks[0].largest else [-key for key in found]


def foremost(keys: list[int]) -> list[int]:
    """Those whose key is best."""
    return [p for p, key in enumerate(keys) if key == max(keys)]


def leads(keys: list[int]) -> list[int]:
    """By how much each player is before the best of the others."""
    most = [max((x for q, x in enumerate(keys) if q != p), default=0) for p in range(len(keys))]
    return [key - other for key, other in zip(keys, most, strict=True)]


def _ahead(game: Game) -> int:
    rules = game.rules_source
    bodies = [rules.flow, *(procedure.body for procedure in rules.procedures.values())]
    return int(any(isinstance(s, core.Finish) and s.unit != "game" for s in statements(bodies)))


ahead = WorkedOut(_ahead)
"""How many rounds after a line it is judged in a play: where the rules finish rounds, this one."""
