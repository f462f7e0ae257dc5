"""The search bot: information-set Monte-Carlo tree search over determinizations.

Each playout deals anew what its player cannot see, in agreement with all he has seen, walks down
one tree that all determinizations share, adds one node and plays on by chance. How strong it is, is
a number of playouts: no clock is read. Decisions are taken in the factors in which the rules ask.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from interpreter.bots.determinize import imagined
from interpreter.bots.playouts import Play, Playouts, playouts_of
from interpreter.bots.resume import resumed_play
from interpreter.engine.decisions import Decision, Option
from interpreter.engine.ranking import ranking
from interpreter.game.game import Game, Illegal, State
from interpreter.generated.blocks import Unwritten
from interpreter.model.position import Position
from interpreter.model.values import Fault
from rulelang.core.values import Value

PLAYOUTS = 500
EXPLORES = 0.7  # how much what was seldom tried counts beside what went well
LISTED = 200  # options of one decision up to which all are children; of more some are drawn
WIDENS = 3.0  # how many of drawn options a node has: this times the root of its visits
LONGEST = 400  # choices of all after which a playout is judged wherever it is
WON = 0.7  # the share of winning in what a player is paid; the rest is his lead

Choice: TypeAlias = tuple[str, Value]  # the name of a decision, and what is chosen


class Course(Protocol):
    """A play in progress, edited in place."""

    @property
    def over(self) -> bool:
        """Is the game over, or can it not go on?"""

    @property
    def player(self) -> int:
        """Who decides next."""

    @property
    def hidden(self) -> bool:
        """Does he decide while others do, so that none sees what another chooses?"""

    @property
    def position(self) -> Position:
        """How it stands."""

    def options(self, draw: random.Random) -> tuple[list[Choice], bool]:
        """What may be chosen, and whether that is all of it; of very much one is drawn."""

    def take(self, name: str, value: Value) -> bool:
        """Choose; false where the rules refuse it."""

    def take_any(self, draw: random.Random) -> bool:
        """Choose by chance; false where nothing can be chosen."""


class InPlace:
    """A play by generated blocks."""

    def __init__(self, playouts: Playouts, state: State) -> None:
        """Raises Unwritten where the state cannot be resumed so."""
        self.play: Play = resumed_play(playouts, state)
        self.stuck = False

    @property
    def over(self) -> bool:
        """Is the game over, or can it not go on?"""
        return self.play.over or self.stuck

    @property
    def player(self) -> int:
        """Who decides next."""
        return self.play.player

    @property
    def hidden(self) -> bool:
        """Does he decide while others do?"""
        return bool(self.play.seats)

    @property
    def position(self) -> Position:
        """How it stands."""
        return self.play.s

    def options(self, draw: random.Random) -> tuple[list[Choice], bool]:
        """What may be chosen, and whether that is all of it; of very much one is drawn."""
        play = self.play
        line, choice = play.line, play.open.choice
        if choice.kind in ("some", "order") and play.open.count(line.s, line.registers) > LISTED:
            value = play.of.draws[line.at](line.s, line.registers, draw.random)
            return ([] if value is None else [(choice.name, value)]), False
        values = play.values()
        return [(choice.name, value) for value in values], True

    def take(self, name: str, value: Value) -> bool:
        """Choose; false where the rules come to a point they do not provide for."""
        choice = self.play.open.choice
        try:
            self.play.take(choice.values.index(value) if choice.kind == "action" else value)
        except Fault:
            self.stuck = True
        return not self.stuck

    def take_any(self, draw: random.Random) -> bool:
        """Choose by chance."""
        try:
            self.play.take_any(draw.random)
        except Fault:
            self.stuck = True
        return not self.stuck


class ByState:
    """A play by the usual engine, state by state."""

    def __init__(self, state: State) -> None:
        self.state, self.stuck = state, False

    @property
    def over(self) -> bool:
        """Is the game over, or can it not go on?"""
        return self.state.over or self.stuck or not self.state.specs

    @property
    def player(self) -> int:
        """Who decides next."""
        return self.state.specs[0].player

    @property
    def hidden(self) -> bool:
        """Does he decide while others do?"""
        return bool(self.state.position.branches)

    @property
    def position(self) -> Position:
        """How it stands."""
        return self.state.position

    def options(self, draw: random.Random) -> tuple[list[Choice], bool]:
        """What may be chosen, and whether that is all of it; of very much one is drawn."""
        decision = self.state.decisions[0]
        many = decision.count() if decision.spec.mode in ("some", "order") else 0
        if many is None or many > LISTED:
            return [(decision.name, decision.sample(draw).value)], False
        return [(option.name, option.value) for option in decision.options()], True

    def take(self, name: str, value: Value) -> bool:
        """Choose; false where the rules refuse it."""
        return self._choose(Option(self.player, name, value))

    def take_any(self, draw: random.Random) -> bool:
        """Choose by chance."""
        return self._choose(self.state.decisions[0].sample(draw))

    def _choose(self, option: Option) -> bool:
        try:
            self.state = self.state.choose(option)
            self.state.parent = None
        except (Illegal, Fault):
            self.stuck = True
        return not self.stuck


@dataclass
class Node:
    """What is known of the choices at one point of the tree, whatever is hidden there."""

    visits: int = 0
    children: dict[Choice, Node] = field(default_factory=dict)
    paid: float = 0.0  # to the one who chose this
    offered: int = 0  # how often it could be chosen


class Search:
    """Chooses what was tried most in a tree of so many playouts, counted and not timed."""

    def __init__(self, seed: int, playouts: int = PLAYOUTS) -> None:
        """All it draws at random comes from the seed, so that a game can be played again."""
        self.rng, self.playouts = random.Random(seed), playouts
        self.spread = 1.0  # how far leads are from 0 when playouts are over

    def __call__(self, state: State, decision: Decision) -> Option:
        """The option chosen."""
        only = decision.forced()
        if only is not None:
            return only
        root = Node()
        for _ in range(self.playouts):
            self._playout(state.game, root, self._course(state, decision.player))
        best = sorted(root.children.items(), key=lambda item: -item[1].visits)
        for (_, value), _ in best:
            option = Option(decision.player, decision.name, value)
            if decision.takes(option):
                return option
        return decision.sample(self.rng)  # what it imagined is not so

    def _course(self, state: State, player: int) -> Course:
        """A play from what the player may take the state to be."""
        root = imagined(state, player, self.rng)
        playouts = playouts_of(state.game)
        if playouts is not None and not root.position.branches:
            try:
                return InPlace(playouts, root)
            except Unwritten:
                pass
        root.specs.sort(key=lambda spec: spec.player != player)
        return ByState(root)

    def _playout(self, game: Game, root: Node, course: Course) -> None:
        """One playout: down the tree, one node more, and on by chance.

        What others choose unseen is left to chance, for they cannot answer it.
        """
        path: list[tuple[Node, int]] = []
        node, made, grown = root, 0, False
        while not course.over and made < LONGEST and not grown:
            made += 1
            if course.hidden and node is not root:
                course.take_any(self.rng)
                continue
            player = course.player
            choice = self._descended(node, course)
            if choice is None or not course.take(*choice):
                break
            node = node.children[choice]
            grown = node.visits == 0
            path.append((node, player))
        while not course.over and made < LONGEST and course.take_any(self.rng):
            made += 1
        pay = self._payments(game, course.position)
        root.visits += 1
        for node, player in path:
            node.visits += 1
            node.paid += pay[player]

    def _descended(self, node: Node, course: Course) -> Choice | None:
        """What to go on with: what was not tried yet, else what has the highest bound."""
        options, whole = course.options(self.rng)
        if not whole:
            wide = len(node.children) > WIDENS * math.sqrt(node.visits)
            options = [*node.children, *([] if wide else options)]
        if not options:
            return None
        fresh = [choice for choice in options if choice not in node.children]
        for choice in options:
            node.children.setdefault(choice, Node()).offered += 1
        untried = fresh or [c for c in options if not node.children[c].visits]
        if untried:
            return self.rng.choice(untried)
        return max(options, key=lambda c: self._bound(node.children[c]))

    def _bound(self, child: Node) -> float:
        seldom = math.sqrt(math.log(child.offered + 1) / child.visits)
        return child.paid / child.visits + EXPLORES * seldom

    def _payments(self, game: Game, s: Position) -> list[float]:
        """What each player has of a playout: his share of winning, and his lead as a share of 1."""
        rules, players = game.rules, game.players
        ranks = game.rules_source.ranks
        sign = 1 if not ranks or ranks[0].largest else -1
        scores = [
            sign * rules.number(ranks[0].key, s, {"player": p}) if ranks else 0
            for p in range(players)
        ]
        most = [max((x for q, x in enumerate(scores) if q != p), default=0) for p in range(players)]
        leads = [score - other for score, other in zip(scores, most, strict=True)]
        self.spread += 0.02 * (sum(map(abs, leads)) / players - self.spread)
        ahead = [p for p, lead in enumerate(leads) if lead >= 0]
        won = ranking(rules, s)[0] if s.ended is not None else ahead
        found = []
        for p, lead in enumerate(leads):
            share = 1 / len(won) if p in won else 0.0
            found.append(
                WON * share + (1 - WON) * (0.5 + 0.5 * lead / (abs(lead) + self.spread + 1))
            )
        return found


def search_agent(seed: int) -> Search:
    """A new search agent of the usual strength."""
    return Search(seed)
