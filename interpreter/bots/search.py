"""The search bot: it compares lines of its own choices by playouts that go on in search trees.

A line is drawn by chance in a determinization, until somebody else decides. Each playout deals anew
what the player cannot see, in agreement with all he has seen, takes a line's choices, walks down
the tree that all determinizations share after that line, adds one node and goes on as players
would who draw a few lines in each of their turns and take that after which they lead by most. All
lines meet the same chance; the worse half of them is given up again and again (sequential halving),
and the rest is played on more often. The line that the greedy bot would follow stays the first
unless another surpasses it by more than playouts may err. How strong the bot is, is a number of
playouts: no clock is read. Decisions are taken in the factors in which the rules ask.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from interpreter.bots.courses import Chance, Choice, Course, Courses
from interpreter.bots.courses import leads as leads_of
from interpreter.bots.determinize import new_seed
from interpreter.bots.estimates import Estimates, Sample
from interpreter.bots.greedy import Greedy
from interpreter.engine.decisions import Decision, Option
from interpreter.game.game import Game, State
from interpreter.game.worked_out import WorkedOut

if TYPE_CHECKING:
    from interpreter.bots.modules import Modules

PLAYOUTS = 500
FEW = 30  # playouts for which it does not pay to lower the rules
DRAWS = 2  # so many playouts count for one line that is drawn
COMPARES = 8  # so many for one line that is compared
MOST = 24  # lines that are compared
BEST = 6  # lines that are varied
OWN = 16  # choices in a row of one line
GROWS = 40  # playouts of a line from which on a tree grows after it
LINES = 4  # lines of which a player takes the best in playouts
TURNS = (1, 3)  # turns of each player, after each of which it is looked at who leads
EXPLORES = 0.7  # how much what was seldom tried counts beside what went well
WIDENS = 3.0  # how many of drawn options a node has: this times the root of its visits
LONGEST = 400  # choices of all after which a playout is judged wherever it is
WON = 0.7  # the share of winning in what a player is paid; the rest is his lead


Steps: TypeAlias = tuple[Choice, ...]


@dataclass
class Node:
    """What is known of the choices at one point of the tree, whatever is hidden there."""

    visits: int = 0
    children: dict[Choice, Node] = field(default_factory=dict)
    paid: float = 0.0  # to the one who chose this
    offered: int = 0  # how often it could be chosen


@dataclass
class Line:
    """Choices of one player in a row, the tree after them, and what playouts have shown."""

    steps: Steps
    lead: float  # right after it where it was drawn
    tree: Node = field(default_factory=Node)
    samples: list[Sample] = field(default_factory=list)


class Search:
    """Follows the line that playouts favor, so many for one line; they are counted and not timed.

    It chooses the same whichever engine makes the playouts; `why_not` says why no module does.
    """

    def __init__(self, seed: int, playouts: int = PLAYOUTS, native: bool = True) -> None:
        """All it draws at random comes from the seed, so that a game can be played again.

        Unless `native` the reference makes all playouts.
        """
        self.rng, self.playouts = random.Random(seed), playouts
        self.greedy = Greedy(new_seed(self.rng), explores=False)
        self.spread = 1.0  # how far leads are from 0 when playouts are over
        self.estimates = Estimates()
        self.following: list[Choice] = []  # what is left of the line
        self.why_not = "" if native else "it was not asked for"
        if native and playouts < FEW:
            self.why_not = f"it does not pay for fewer than {FEW} playouts"

    def __call__(self, state: State, decision: Decision) -> Option:
        """The option chosen."""
        only = decision.forced()
        if only is not None:
            if self.following and self.following[0] == (only.name, only.value):
                self.following.pop(0)
            return only
        for steps in self._lines(state, decision):
            option = Option(decision.player, decision.name, steps[0][1])
            if steps[0][0] == decision.name and decision.takes(option):
                self.following = list(steps[1:])
                return option
        self.following = []
        return decision.sample(self.rng)  # what it imagined is not so

    def _lines(self, state: State, decision: Decision) -> Iterator[Steps]:
        """The line that is followed, as long as nothing new is shown; then others, best first."""
        if self.following and not state.position.learned:
            yield tuple(self.following)
        plans = self._planned(state, decision)
        if self.greedy.gave_up:
            yield from plans
        courses = self._courses(state, decision.player)
        lines = self._compared(courses, plans)
        for line in self._ranked(courses, lines, lines[0] if plans else None):
            yield line.steps

    def _planned(self, state: State, decision: Decision) -> list[Steps]:
        """Lines as the greedy bot finds them, the one it would follow first."""
        lines = self.greedy.lines(state, decision)
        return list(dict.fromkeys(tuple((s.name, s.value) for s in line) for line in lines))

    def _courses(self, state: State, player: int) -> Courses:
        """Plays from what the player may take the state to be, in a module if there is one."""
        if self.why_not:
            return Courses(state, player)
        found = modules_of(state.game)
        if isinstance(found, str):
            self.why_not = found
        elif not found.pays:
            self.why_not = "a module leaves most playouts to the reference"
        courses = None if isinstance(found, str) or self.why_not else found.courses(state, player)
        return Courses(state, player) if courses is None else courses

    # -------------------------------------------------------------------------------- lines
    def _ranked(self, courses: Courses, alive: list[Line], usual: Line | None) -> list[Line]:
        """Lines, the best first; the usual one stays the first unless another surpasses it."""
        given_up = list[Line]()
        chances: list[Chance] = []
        left = self.playouts
        while len(alive) > 1 and left >= len(alive):
            halvings = math.ceil(math.log2(len(alive)))
            times = max(1 if chances else 2, left // (halvings * len(alive)))
            times = min(times, left // len(alive))
            for _ in range(times):
                chances.append(courses.drawn(self.rng))
                for line in alive:
                    self._playout(line, courses, chances[-1])
            left -= times * len(alive)
            worths = self.estimates.worths([line.samples for line in alive], learn=not given_up)
            order = sorted(range(len(alive)), key=lambda at: -worths[at])
            half = (len(alive) + 1) // 2
            kept = [at for place, at in enumerate(order) if place < half or alive[at] is usual]
            given_up = [*(alive[at] for at in order if at not in kept), *given_up]
            alive = [alive[at] for at in kept]
        return [*self._unless_surpassed(alive, usual), *given_up]

    def _unless_surpassed(self, lines: list[Line], usual: Line | None) -> list[Line]:
        """The usual line first, unless the best surpasses it."""
        if usual is None or not usual.samples or lines[0] is usual:
            return lines
        if self.estimates.surpasses(lines[0].samples, usual.samples):
            return lines
        return [usual, *(line for line in lines if line is not usual)]

    def _compared(self, courses: Courses, plans: list[Steps]) -> list[Line]:
        """The best plans, and lines drawn by chance: those that lead by most, and any others.

        At first each option begins a line in turn; then lines begin as the best so far do.
        """
        draws = max(2, self.playouts // DRAWS)
        most = min(MOST, max(2, self.playouts // COMPARES))
        found: dict[Steps, Line] = {}
        starts: list[Choice] = []
        chance = courses.drawn(self.rng)
        best: list[Line] = []
        for number in range(draws):
            if not starts:
                chance = courses.drawn(self.rng)
                starts, _ = courses.begun(chance).options(self.rng)
                self.rng.shuffle(starts)
            if number * 2 < draws:
                line = self._drawn(courses, chance, tuple(starts[-1:]))
                starts = starts[:-1]
            else:
                best = best or sorted(found.values(), key=lambda line: -line.lead)[:BEST]
                steps = self.rng.choice(best).steps if best else ()
                line = self._drawn(courses, chance, steps[: self.rng.randrange(len(steps) or 1)])
            if line is not None and line.steps not in found:
                found[line.steps] = line
                best = sorted([*best, line], key=lambda line: -line.lead)[:BEST] if best else []
        first = [Line(steps, 0) for steps in plans[: most // 2]]
        for line in first:
            found.pop(line.steps, None)
        return [*first, *self._chosen(list(found.values()), most - len(first))]

    def _chosen(self, lines: list[Line], most: int) -> list[Line]:
        """So many lines at most, half of them those that lead by most."""
        self.rng.shuffle(lines)
        if len(lines) <= most:
            return lines
        lines.sort(key=lambda line: -line.lead)
        kept = (most + 1) // 2
        return lines[:kept] + self.rng.sample(lines[kept:], most - kept)

    def _drawn(self, courses: Courses, chance: Chance, steps: Steps) -> Line | None:
        """A line that begins so and goes on by chance until somebody else decides or, where nobody
        else does, the same is to be decided again.
        """
        course, player = courses.begun(chance), courses.player
        together, taken = course.hidden, list[Choice]()
        while not course.over and course.player == player and course.hidden == together:
            if len(taken) < len(steps):
                choice = steps[len(taken)]
                if not course.may(*choice):
                    break
            else:
                options, _ = course.options(self.rng)
                if not options or len(taken) == OWN:
                    break
                choice = self.rng.choice(options)
            again = courses.players == 1 and choice[0] in {name for name, _ in taken}
            if again or not course.take(*choice):
                break
            taken.append(choice)
        return Line(tuple(taken), leads_of(course.standing(player)[0])[player]) if taken else None

    # -------------------------------------------------------------------------------- playouts
    def _playout(self, line: Line, courses: Courses, chance: Chance) -> None:
        """One playout: a line, down its tree, one node more, and on as players would who take the
        best of a few lines.

        What others choose unseen is left to them likewise, for they cannot answer it.
        """
        course, player = courses.begun(chance), courses.player
        rng, made, path = random.Random(chance.chosen), 0, list[tuple[Node, int]]()
        for step in line.steps:
            if course.over or course.player != player or not course.may(*step):
                break
            made += course.take(*step)
        leads = [leads_of(course.standing(player)[0])[player]]
        if made == len(line.steps) and len(line.samples) >= GROWS:
            path = self._walked(line.tree, course, rng)
        gone = len(path)
        if courses.players > 1 and not course.over and course.player == player:
            # What a line leaves open is decided first: all lines are looked at at the same moments.
            gone += course.strive(rng, 1, LINES)
        for turns in TURNS:
            gone += course.strive(rng, turns * courses.players, LINES)
            leads.append(leads_of(course.standing()[0])[player])
        course.take_any(rng, LONGEST - made - gone)
        keys, won = course.standing()
        paid = self._payments(keys, won)
        line.samples.append(Sample((*leads, leads_of(keys)[player]), paid[player]))
        for node, chooser in path:
            node.visits += 1
            node.paid += paid[chooser]

    def _walked(self, node: Node, course: Course, rng: random.Random) -> list[tuple[Node, int]]:
        """Down a tree to a new node; who has chosen each on the way."""
        path: list[tuple[Node, int]] = []
        while not course.over and not course.hidden and len(path) < LONGEST:
            player = course.player
            choice = self._descended(node, course, rng)
            if choice is None or not course.take(*choice):
                break
            node = node.children[choice]
            path.append((node, player))
            if not node.visits:
                break
        return path

    def _descended(self, node: Node, course: Course, rng: random.Random) -> Choice | None:
        """What to go on with: what was not tried yet, else what has the highest bound."""
        options, whole = course.options(rng)
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
            return rng.choice(untried)
        return max(options, key=lambda c: _bound(node.children[c]))

    def _payments(self, keys: list[int], won: list[int]) -> list[float]:
        """What each player has of a playout: his share of winning, and his lead as a share of 1."""
        leads = leads_of(keys)
        self.spread += 0.02 * (sum(map(abs, leads)) / len(leads) - self.spread)
        found = []
        for p, lead in enumerate(leads):
            share = 1 / len(won) if p in won else 0.0
            found.append(
                WON * share + (1 - WON) * (0.5 + 0.5 * lead / (abs(lead) + self.spread + 1))
            )
        return found


def _bound(child: Node) -> float:
    """The upper confidence bound of what a child pays."""
    seldom = math.sqrt(math.log(child.offered + 1) / child.visits)
    return child.paid / child.visits + EXPLORES * seldom


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
