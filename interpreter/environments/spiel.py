"""A game as a Python game of OpenSpiel.

Where every draw has few outcomes, chance is explicit: each random number is a chance node. Else
the seed of the game is drawn once, from so many, before it begins. Players who decide at once do
so in the order of seats, unseen.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pyspiel

from interpreter.environments.arrays import Tensor
from interpreter.environments.spaces import dense
from interpreter.environments.table import MARGIN, RANK, Rules, Table
from interpreter.game.game import Game
from rulelang import core

FEW = 12  # outcomes of one draw up to which it is a chance node of its own
SEEDS = 1_000  # drawn from, where draws have more outcomes
MOST_PAID = 1_000_000.0  # by score or margin


@dataclass(frozen=True)
class Registered:
    """A game that OpenSpiel knows: as it was told of it, and how chance is told of."""

    type: pyspiel.GameType
    rules: Rules
    explicit: bool  # is each draw a chance node?
    seeded: bool  # is the seed drawn before the game begins?


_registered: dict[str, Registered] = {}


class Undecided(Exception):
    """A draw of so many outcomes whose outcome is not given."""

    def __init__(self, outcomes: int) -> None:
        """How many there are."""
        super().__init__(outcomes)
        self.outcomes = outcomes


@dataclass
class Given:
    """Dice that fall as they are told, and then ask."""

    outcomes: tuple[int, ...]
    thrown: int = 0

    def throw(self, n: int) -> int:
        """The next outcome; raises Undecided after the last."""
        if n == 1:
            return 0
        if self.thrown == len(self.outcomes):
            raise Undecided(n)
        self.thrown += 1
        return self.outcomes[self.thrown - 1]


def widest_draw(game: Game) -> int:
    """The most outcomes that one draw of the game may have; 0 where nothing is left to chance."""
    rules, setup, most = game.rules_source, game.setup, 0
    bodies = [rules.flow, [p.body for p in rules.procedures.values()], list(rules.events.values())]
    for stmt in core.walk([*bodies, rules.reactions, rules.extensions]):
        if isinstance(stmt, core.Shuffle):
            held = setup.by_component.get(rules.places[stmt.place].holds, ())
            most = max(most, len(held))
        elif isinstance(stmt, core.Chance):
            most = max(most, SEEDS)
    return most


def _is_open(game: Game) -> bool:
    """Does every player know everything at all times?"""
    rules = game.rules_source
    shown = [place.visibility for place in rules.places.values()]
    shown += [state.visibility for state in rules.states.values()]
    at_once = any(
        isinstance(stmt, core.Each) and stmt.mode.startswith("at once")
        for stmt in core.walk([rules.flow, [p.body for p in rules.procedures.values()]])
    )
    return not at_once and all(visibility == "public" for visibility in shown)


def spiel_game(rules: Rules) -> pyspiel.Game:
    """The game, registered with OpenSpiel under a name of its own."""
    game = rules.game
    settings = [game.options, game.variants, rules.reward, rules.numbering.count]
    tail = hashlib.sha256(json.dumps([game.loaded.rules_hash, *settings]).encode()).hexdigest()
    name = f"rulelang_{game.id}_{game.players}_{tail[:8]}"
    if name not in _registered:
        made, widest = _type_of(name, rules), widest_draw(game)
        _registered[name] = Registered(made, rules, 0 < widest <= FEW, widest > FEW)
        # A class, as it is never freed: the library lets go of it when Python is no more.
        pyspiel.register_game(made, type(name, (SpielGame,), {"name": name}))
    return pyspiel.load_game(name)


def _type_of(name: str, rules: Rules) -> pyspiel.GameType:
    kinds, game = pyspiel.GameType, rules.game
    chance = kinds.ChanceMode
    sums = kinds.Utility.ZERO_SUM if rules.reward in (RANK, MARGIN) else kinds.Utility.GENERAL_SUM
    known = kinds.Information
    return kinds(
        short_name=name,
        long_name=game.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if widest_draw(game) else chance.DETERMINISTIC,
        information=(known.PERFECT_INFORMATION if _is_open(game) else known.IMPERFECT_INFORMATION),
        utility=sums,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=game.players,
        min_num_players=game.players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={},
    )


class SpielGame(pyspiel.Game):
    """One of our games, as OpenSpiel knows games."""

    name: ClassVar[str] = ""  # under which it is registered

    def __init__(self, params: object = None) -> None:
        """The game registered under the name of its class."""
        known = _registered[self.name]
        self.rules = known.rules
        game = self.rules.game
        most = 1.0 if self.rules.reward == RANK else MOST_PAID
        longest = game.rules_source.max_moves * 10
        info = pyspiel.GameInfo(
            num_distinct_actions=self.rules.numbering.count,
            max_chance_outcomes=SEEDS if known.seeded else FEW if known.explicit else 0,
            num_players=game.players,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0 if self.rules.reward in (RANK, MARGIN) else None,
            max_game_length=longest,
        )
        super().__init__(known.type, info, params or {})

    def new_initial_state(self) -> SpielState:
        """The state before anything, chance included, has happened."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: object = None, params: object = None) -> SpielObserver:
        """What observes states of this game."""
        return SpielObserver(self.rules, bool(getattr(iig_obs_type, "perfect_recall", False)))


@dataclass(frozen=True)
class Course:
    """How far a game has come: its table, and the draws of what leads to the next one.

    A value that is its own copy, and is written as the actions that lead to it.
    """

    name: str  # under which the game is registered
    actions: tuple[int, ...] = ()
    table: Table | None = None
    waiting: tuple[int, int] | None = None  # a player, and his action that is carried out
    drawn: tuple[int, ...] = ()
    outcomes: int = 0  # of the draw that is due

    def __deepcopy__(self, memo: object) -> Course:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return played, (self.name, self.actions)

    @property
    def rules(self) -> Rules:
        """What all states of the game share."""
        return _registered[self.name].rules

    @property
    def player(self) -> int:
        """Who acts: a player, chance, or nobody when the game is over."""
        if self.outcomes or self.table is None:
            return int(pyspiel.PlayerId.CHANCE)
        if self.table.over or self.table.at_bound:
            return int(pyspiel.PlayerId.TERMINAL)
        return self.table.deciding[0]

    def after(self, action: int) -> Course:
        """The course after an action of a player, or the outcome of a draw."""
        actions = (*self.actions, action)
        if self.player == pyspiel.PlayerId.CHANCE:
            return replace(self, actions=actions, drawn=(*self.drawn, action)).gone_on()
        return replace(self, actions=actions, waiting=(self.player, action)).gone_on()

    def gone_on(self) -> Course:
        """What is under way carried on to the next table, or to the next draw."""
        known = _registered[self.name]
        dice = Given(self.drawn) if known.explicit else None
        table = self.table
        try:
            if table is None:
                table = Table.start(self.rules, self.drawn[0] if known.seeded else 0, dice)
            elif self.waiting is not None:
                table = (table.with_dice(dice) if dice is not None else table).after(*self.waiting)
        except Undecided as asked:
            return replace(self, outcomes=asked.outcomes)
        return Course(self.name, self.actions, table)


def begun(name: str) -> Course:
    """A registered game before anything is done."""
    known = _registered[name]
    course = Course(name, outcomes=SEEDS if known.seeded else 0)
    return course if known.seeded else course.gone_on()


def played(name: str, actions: tuple[int, ...]) -> Course:
    """A registered game after these actions."""
    course = begun(name)
    for action in actions:
        course = course.after(action)
    return course


class SpielState(pyspiel.State):
    """A state of one of our games, as OpenSpiel knows states."""

    def __init__(self, game: SpielGame) -> None:
        """Before anything is done."""
        super().__init__(game)
        self.course = begun(game.name)

    def current_player(self) -> int:
        """Who acts: a player, chance, or nobody when the game is over."""
        return self.course.player

    def _legal_actions(self, player: int) -> list[int]:
        return self.course.table.legal(player) if self.course.table is not None else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of a draw, each as likely."""
        outcomes = self.course.outcomes
        return [(n, 1 / outcomes) for n in range(outcomes)]

    def _apply_action(self, action: int) -> None:
        self.course = self.course.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"draw {action}"
        return self.course.rules.numbering.said(action)

    def is_terminal(self) -> bool:
        """Is the game over?"""
        return bool(self.course.player == pyspiel.PlayerId.TERMINAL)

    def returns(self) -> list[float]:
        """What the game has paid each player."""
        if self.course.table is None or not self.is_terminal():
            return [0.0] * self.course.rules.game.players
        return self.course.table.rewards()

    def __str__(self) -> str:
        return " ".join(map(str, self.course.actions)) or "nothing is done"


class SpielObserver:
    """The tensor of what a player knows, and the same in words."""

    def __init__(self, rules: Rules, recalls: bool) -> None:
        """With perfect recall the words are of all that he was told since the game began."""
        self.rules, self.recalls = rules, recalls
        self.tensor: Tensor = np.zeros(rules.layout.size, np.float32)
        self.dict = {
            part.name: self.tensor[part.first : part.first + part.size].reshape(part.shape)
            for part in rules.layout.parts
        }

    def set_from(self, state: SpielState, player: int) -> None:
        """Take the numbers of what a player knows in a state."""
        if state.course.table is None:
            self.tensor.fill(0)
        else:
            self.tensor[:] = dense(state.course.table, player)

    def string_from(self, state: SpielState, player: int) -> str:
        """The same in words."""
        if state.course.table is None:
            return "not begun"
        if self.recalls:
            return json.dumps(state.course.table.information(player))
        return json.dumps(sorted(state.course.table.observation(player).items()))
