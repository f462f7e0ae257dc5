"""The search bot: information-set Monte-Carlo tree search over determinizations.

Each playout deals anew what its player cannot see, in agreement with all he has seen, walks down
one tree that all determinizations share, adds one node and plays on by chance. How strong it is, is
a number of playouts: no clock is read. Decisions are taken in the factors in which the rules ask.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from interpreter.bots.courses import Choice, Course, Courses
from interpreter.engine.decisions import Decision, Option
from interpreter.game.game import Game, State
from interpreter.game.worked_out import WorkedOut

if TYPE_CHECKING:
    from interpreter.bots.modules import Modules

PLAYOUTS = 500
FEW = 30  # playouts for which it does not pay to lower the rules
EXPLORES = 0.7  # how much what was seldom tried counts beside what went well
WIDENS = 3.0  # how many of drawn options a node has: this times the root of its visits
LONGEST = 400  # choices of all after which a playout is judged wherever it is
WON = 0.7  # the share of winning in what a player is paid; the rest is his lead


@dataclass
class Node:
    """What is known of the choices at one point of the tree, whatever is hidden there."""

    visits: int = 0
    children: dict[Choice, Node] = field(default_factory=dict)
    paid: float = 0.0  # to the one who chose this
    offered: int = 0  # how often it could be chosen


class Search:
    """Chooses what was tried most in a tree of so many playouts, counted and not timed.

    It chooses the same whichever engine makes the playouts; `why_not` says why no module does.
    """

    def __init__(self, seed: int, playouts: int = PLAYOUTS, native: bool = True) -> None:
        """All it draws at random comes from the seed, so that a game can be played again.

        Unless `native` the usual engine makes all playouts.
        """
        self.rng, self.playouts = random.Random(seed), playouts
        self.spread = 1.0  # how far leads are from 0 when playouts are over
        self.why_not = "" if native else "it was not asked for"
        if native and playouts < FEW:
            self.why_not = f"it does not pay for fewer than {FEW} playouts"

    def __call__(self, state: State, decision: Decision) -> Option:
        """The option chosen."""
        only = decision.forced()
        if only is not None:
            return only
        root = Node()
        courses = self._courses(state, decision.player)
        for _ in range(self.playouts):
            self._playout(root, courses.begun(self.rng))
        best = sorted(root.children.items(), key=lambda item: -item[1].visits)
        for (_, value), _ in best:
            option = Option(decision.player, decision.name, value)
            if decision.takes(option):
                return option
        return decision.sample(self.rng)  # what it imagined is not so

    def _courses(self, state: State, player: int) -> Courses:
        """Plays from what the player may take the state to be, in a module if there is one."""
        if self.why_not:
            return Courses(state, player)
        found = modules_of(state.game)
        if isinstance(found, str):
            self.why_not = found
        elif not found.pays:
            self.why_not = "a module leaves most playouts to the usual engine"
        courses = None if isinstance(found, str) or self.why_not else found.courses(state, player)
        return Courses(state, player) if courses is None else courses

    def _playout(self, root: Node, course: Course) -> None:
        """One playout: down the tree, one node more, and on by chance.

        What others choose unseen is left to chance, for they cannot answer it.
        """
        path: list[tuple[Node, int]] = []
        node, made, grown = root, 0, False
        while not course.over and made < LONGEST and not grown:
            if course.hidden and node is not root:
                made += course.take_any(self.rng, LONGEST - made, together=True)
                continue
            made += 1
            player = course.player
            choice = self._descended(node, course)
            if choice is None or not course.take(*choice):
                break
            node = node.children[choice]
            grown = node.visits == 0
            path.append((node, player))
        course.take_any(self.rng, LONGEST - made)
        pay = self._payments(*course.standing())
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

    def _payments(self, keys: list[int], won: list[int]) -> list[float]:
        """What each player has of a playout: his share of winning, and his lead as a share of 1."""
        players = len(keys)
        most = [max((x for q, x in enumerate(keys) if q != p), default=0) for p in range(players)]
        leads = [key - other for key, other in zip(keys, most, strict=True)]
        self.spread += 0.02 * (sum(map(abs, leads)) / players - self.spread)
        found = []
        for p, lead in enumerate(leads):
            share = 1 / len(won) if p in won else 0.0
            found.append(
                WON * share + (1 - WON) * (0.5 + 0.5 * lead / (abs(lead) + self.spread + 1))
            )
        return found


def _modules(game: Game) -> Modules | str:
    """The module of a game for searches, or why there is none."""
    try:
        from interpreter.bots.modules import modules_of
    except ImportError:
        return "wasmtime is not installed (`pip install 'rulelang[native]'`)"
    return modules_of(game)


modules_of = WorkedOut(_modules)


def search_agent(seed: int) -> Search:
    """A new search agent of the usual strength."""
    return Search(seed)
