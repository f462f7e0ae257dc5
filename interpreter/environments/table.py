"""A game under way as environments see it: who decides, what is legal, what an action leads to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from interpreter.engine.decisions import Option
from interpreter.environments.factors import Open, opened
from interpreter.environments.numbering import WAIT, Actions, Numbering
from interpreter.environments.tensors import Layout, Sparse
from interpreter.game.game import Game, Illegal, State
from interpreter.game.views import view
from interpreter.model.errors import InputError
from interpreter.model.position import Dice
from interpreter.model.values import Fault
from rulelang.core.values import Json

RANK, MARGIN, SCORE = "rank", "margin", "score"
REWARDS = (RANK, MARGIN, SCORE)


class Rules:
    """What all tables of one game share: its numbering, its layout, and how it pays."""

    def __init__(self, game: Game, numbers: int | None = None, reward: str = RANK) -> None:
        """Raises Unbounded where the game has no environment, InputError for an unknown reward."""
        if reward not in REWARDS:
            raise InputError(f"there is no reward {reward!r}: there is {', '.join(REWARDS)}")
        self.game, self.reward = game, reward if game.players > 1 else SCORE
        self.numbering = Numbering(game, numbers)
        self.layout = Layout(game, self.numbering)

    def __deepcopy__(self, memo: object) -> Rules:
        """What is shared is not copied."""
        return self

    def rewards(self, state: State) -> list[float]:
        """What a game that is over pays each player.

        By `rank` 1 to one winner alone, and sums are 0; by `margin` what the score is above the
        mean of all; by `score` the score. Scores are the first line of the ranking, more being
        better.
        """
        ranks, players = state.game.rules_source.ranks, state.game.players
        if self.reward == RANK:
            won = state.winners
            share = {p: 1 / len(won) for p in won} or dict.fromkeys(range(players), 1 / players)
            return [
                players / (players - 1) * (share.get(p, 0.0) - 1 / players) for p in range(players)
            ]
        sign = 1 if not ranks or ranks[0].largest else -1
        scores = [float(sign * score) for score in state.scores()]
        mean = sum(scores) / players if self.reward == MARGIN else 0.0
        return [score - mean for score in scores]


@dataclass(frozen=True)
class Table:
    """One state with the factors chosen so far: a value, which every action makes another."""

    rules: Rules
    state: State
    under_way: Mapping[int, Open] = field(default_factory=dict)  # by player
    chosen: tuple[Actions, ...] = ()  # of each player in his move under way
    made: tuple[Actions, ...] = ()  # all that each player has chosen

    def __deepcopy__(self, memo: object) -> Table:
        """A value is its own copy."""
        return self

    @classmethod
    def start(cls, rules: Rules, seed: int = 0, dice: Dice | None = None) -> Table:
        """A game at its first decision."""
        nothing: tuple[Actions, ...] = ((),) * rules.game.players
        return cls(rules, rules.game.start(seed, dice), {}, nothing, nothing)

    def with_dice(self, dice: Dice | None) -> Table:
        """The same table, with chance to come from these dice."""
        position = self.state.position.copy()
        position.dice = dice
        return replace(self, state=State(self.state.game, position))

    @property
    def over(self) -> bool:
        """Is the game over?"""
        return self.state.over

    @property
    def at_bound(self) -> bool:
        """Has the game reached its bound of choices?"""
        return not self.over and self.state.moves >= self.rules.game.rules_source.max_moves

    @cached_property
    def deciding(self) -> tuple[int, ...]:
        """The players who are to decide, in the order of decisions; nobody when it is over.

        Raises Fault where nobody can and the game is not over.
        """
        found = tuple(dict.fromkeys(spec.player for spec in self.state.specs))
        if not found and not self.over:
            raise Fault("nobody has anything to decide and the game is not over")
        return found

    @cached_property
    def _open(self) -> dict[int, Open]:
        return {}

    def _of(self, player: int) -> Open:
        """The decision of a player, with what he has chosen of it."""
        if player not in self.under_way and player not in self._open:
            decision = next(d for d in self.state.decisions if d.player == player)
            self._open[player] = opened(self.rules.numbering, decision)
        return self.under_way.get(player) or self._open[player]

    def legal(self, player: int) -> list[int]:
        """The legal actions of a player in ascending order; to wait where he is not to decide."""
        if player not in self.deciding:
            return [self.rules.numbering.word(WAIT)]
        return self._of(player).legal()

    def after(self, player: int, action: int) -> Table:
        """The table after an action; raises Illegal naming what is legal, and nothing changes."""
        if action not in self.legal(player):
            raise Illegal(self._refused(player, action))
        if player not in self.deciding:
            return self
        found = self._of(player).after(action)
        chosen = _with(self.chosen, player, action)
        made = _with(self.made, player, action)
        if not isinstance(found, Option):
            return replace(
                self, under_way={**self.under_way, player: found}, chosen=chosen, made=made
            )
        later = self.state.choose(found)
        later.parent = None  # thousands of them take a gigabyte
        rest = {p: said for p, said in self.under_way.items() if p != player}
        if not any(later.position.commits.values()):  # or they go on deciding at once
            asked = {spec.player for spec in later.specs}
            kept = player in asked and not later.position.learned
            rest, chosen = (
                {},
                tuple(said if kept and p == player else () for p, said in enumerate(chosen)),
            )
        return replace(self, state=later, under_way=rest, chosen=chosen, made=made)

    def _refused(self, player: int, action: int) -> str:
        numbering = self.rules.numbering
        if not isinstance(action, int) or not 0 <= action < numbering.count:
            return f"there is no action {action!r}: actions are 0 to {numbering.count - 1}"
        return (
            f"action {action} ({numbering.said(action)}) is not legal for player {player + 1} now; "
            f"legal is {numbering.listed(self.legal(player))}"
        )

    def observation(self, viewer: int) -> Sparse:
        """What a player knows, as the numbers of a tensor that are not 0."""
        return self.rules.layout.observation(self.state, viewer, self.chosen[viewer])

    def information(self, viewer: int) -> tuple[Actions, dict[str, Json]]:
        """All that a player has chosen, and all that he was told since the game began."""
        seen = view(self.state, viewer)
        for name in ("undo", "decisions"):
            seen.pop(name)
        mine = [spec.name for spec in self.state.specs if spec.player == viewer]
        return self.made[viewer], {**seen, "asked": mine}

    def rewards(self) -> list[float]:
        """What the game has paid each player: nothing before it is over."""
        return self.rules.rewards(self.state) if self.over else [0.0] * self.rules.game.players


def _with(rows: tuple[Actions, ...], player: int, action: int) -> tuple[Actions, ...]:
    return tuple((*row, action) if p == player else row for p, row in enumerate(rows))
