"""The greedy bot: it follows its own choices to the end of its turn, and takes what stands best."""

from __future__ import annotations

import random
from collections.abc import Hashable

from interpreter.bots.determinize import imagined, seen_by
from interpreter.bots.planner import Plan, Planner, alikeness, standing
from interpreter.bots.sampler import sampled
from interpreter.engine.decisions import Decision, Option
from interpreter.game.game import State
from rulelang import core
from rulelang.core.values import text

PATIENCE = 12  # fruitless actions in a row after which a greedy player would rather do nothing
# The share of decisions at which it takes what is new in this game, if nothing is lost by it.
CURIOSITY = 0.1
# The share at which it takes what makes most new lines of tables count, even at a loss.
DARING = 0.25
MAX_VAIN = 5  # halvings of the chance to look again
MAX_TOLD = 300  # choices played on at random for one decision
MAX_PROBED = 4  # plans played on first: if they come to the same, all do
MAX_SAMPLES = 4  # times each plan is played on then


class Greedy:
    """Follows the plan with the best standing in a determinization of the state.

    A plan that opens an action that was closed counts as a gain. Ties are broken by random
    playouts, then by doing something rather than nothing, something new rather than something
    done before, and by holding pieces that share values. A share of its decisions explores: it
    takes what is new, or what makes most new clauses count, so that over many games it meets all
    that rules and cards can do. After many fruitless actions it passes, so that games which end
    when all pass do end.
    """

    def __init__(self, seed: int, explores: bool = True) -> None:
        """All it draws at random comes from the seed, so that a game can be played again.

        Unless it `explores` it always takes what stands best.
        """
        self.rng, self.explores = random.Random(seed), explores
        self.plan: list[Option] = []
        # Whether the plan was sampled, so that it may reach past what was then unknown.
        self.drawn = False
        self.fruitless = 0
        self.gain = 1.0  # what a fruitful action has lately brought
        self.done: set[str] = set()  # actions and designs that were taken
        # what was looked for -> how often in a row it was not found
        self.vain: dict[Hashable, int] = {}

    def __call__(self, state: State, decision: Decision) -> Option:
        """The option chosen."""
        stale = self.drawn and state.position.learned
        if (
            self.plan
            and not stale
            and self.plan[0].name == decision.name
            and decision.takes(self.plan[0])
        ):
            return self.plan.pop(0)
        self.plan = []
        only = decision.forced()
        if only is not None:
            return only
        root = imagined(state, decision.player, self.rng)
        self.drawn = False
        for steps in sampled(root, decision.player, self.rng):
            if decision.takes(steps[0]):
                self.plan, self.drawn = list(steps[1:]), True
                return steps[0]
        plans = self._planned(root, decision)
        if not plans or not decision.takes(plans[0].steps[0]):
            return decision.sample(self.rng)  # what it imagined is not so
        self.plan = list(plans[0].steps[1:])
        return plans[0].steps[0]

    def lines(self, state: State, decision: Decision) -> list[tuple[Option, ...]]:
        """Lines of its choices, the one that it would follow first."""
        root = imagined(state, decision.player, self.rng)
        found = sampled(root, decision.player, self.rng)
        return found or [plan.steps for plan in self._planned(root, decision)]

    @property
    def gave_up(self) -> bool:
        """Has it found nothing to gain so often that it would rather do nothing?"""
        return self.fruitless >= PATIENCE

    def _planned(self, root: State, decision: Decision) -> list[Plan]:
        """Plans from a determinization, the best first, which it remembers to have chosen."""
        planner = Planner(root, decision.player, self.rng)
        plans = planner.plans()
        if not plans:
            return []
        told = self._told(planner, plans)
        plans = self._ranked(planner, plans, told)
        if decision.spec.mode == "action" and decision.takes(plans[0].steps[0]):
            self._remember(plans[0], root, looked=bool(told))
        return plans

    def _remember(self, plan: Plan, root: State, looked: bool) -> None:
        """Note what an action brought; one chosen by playing on counts as fruitful."""
        before = standing(root, plan.steps[0].player)
        self.fruitless = 0 if looked or plan.standing > before else self.fruitless + 1
        gain = sum(plan.standing[1:2]) - sum(before[1:2])
        if gain > 0:
            self.gain = (3 * self.gain + gain) / 4
        self.done.update(plan.sort, counted(root, plan.state))

    def _ranked(self, planner: Planner, plans: list[Plan], told: dict[int, float]) -> list[Plan]:
        """The plans, the one to follow first."""
        opened = self._opened(planner, plans)
        least = min(told.values(), default=0.0)
        curious = self.explores and self.rng.random() < CURIOSITY
        daring = self.explores and self.rng.random() < DARING
        now = standing(planner.root, planner.player)

        def worth(plan: Plan) -> tuple[float, ...]:
            beaten, *own, lead, won = plan.standing
            first = sum(own[:1]) + opened.get(plan.sort, 0) * self.gain
            busy = _busy(planner, plan)
            new = int(any(sort not in self.done for sort in plan.sort)) * busy
            last = (alikeness(plan.state, planner.player), self.rng.random())
            if self.gave_up:
                return (first, -busy, beaten, told.get(id(plan), least), *own[1:], lead, won, *last)
            tried = new if curious and plan.standing >= now else 0
            if daring:
                tried = len(counted(planner.root, plan.state) - self.done)
            return (
                beaten,
                tried,
                first,
                won,
                told.get(id(plan), least),
                busy,
                new,
                *own[1:],
                lead,
                *last,
            )

        return sorted(plans, key=worth, reverse=True)

    def _opened(self, planner: Planner, plans: list[Plan]) -> dict[tuple[str, ...], int]:
        """For each sort of plan how many actions it opens that are closed now.

        Plans that show the player something he does not know yet are left out.
        """
        stmt = planner.decision.spec.stmt
        if not isinstance(stmt, core.Take):
            return {}
        game, player = planner.root.game, planner.player
        here = planner.root.acted_on_by(player)
        closed = [name for name in stmt.actions if not game.lookahead.offered(here, name, player)]
        known = seen_by(here, player)
        found: dict[tuple[str, ...], int] = {}
        for plan in plans if closed else ():
            there = plan.state.acted_on_by(player)
            if plan.sort in found or not seen_by(there, player) <= known:
                continue
            found[plan.sort] = 0
            for name in closed:
                if self._worth_looking((plan.sort, name)):
                    found[plan.sort] += self._found(
                        (plan.sort, name), game.lookahead.offered(there, name, player)
                    )
        return found

    def _told(self, planner: Planner, plans: list[Plan]) -> dict[int, float]:
        """The mean of the first ranking key over random playouts of each plan, by the plan's `id`.

        Asked only where all plans have the same standing, until the player decides anew or the
        game ends; empty where the playouts do not tell plans apart either.
        """
        looking = ("on", planner.decision.prompt)
        if (
            len(plans) < 2
            or len({(*plan.standing[:2], plan.standing[-1]) for plan in plans}) > 1
            or not self._worth_looking(looking)
        ):
            return {}
        for to_the_end in (False, True):
            means = self._means(planner, plans, to_the_end)
            if len(set(means.values())) > 1:
                self._found(looking, True)
                return means
        self._found(looking, False)
        return {}

    def _means(self, planner: Planner, plans: list[Plan], to_the_end: bool) -> dict[int, float]:
        """The mean of the first key after each plan; empty where playouts are too long."""
        left, sums = MAX_TOLD, {id(plan): [0.0, 0] for plan in plans}
        some = self.rng.sample(plans, min(len(plans), MAX_PROBED))
        for asked in (some, *[plans] * MAX_SAMPLES):
            seed = self.rng.getrandbits(32)
            for plan in asked:
                if left < 0:
                    break
                found, count = planner.played_on(plan, seed, to_the_end)
                if found is None:
                    return {}
                left -= count + 1
                sums[id(plan)][0] += found[0] + sum(found[1:2]) + found[-1]
                sums[id(plan)][1] += 1
            if len({total for total, count in sums.values() if count}) == 1:
                break
        return {key: total / count for key, (total, count) in sums.items() if count}

    def _worth_looking(self, key: Hashable) -> bool:
        """Whether to look again: ever more rarely for what was not found, but never not at all."""
        return self.rng.random() < 0.5 ** min(self.vain.get(key, 0), MAX_VAIN)

    def _found(self, key: Hashable, found: bool) -> bool:
        self.vain[key] = 0 if found else self.vain.get(key, 0) + 1
        return found


def counted(before: State, after: State) -> set[str]:
    """The clauses of score tables that counted between two states of one game."""
    found: set[str] = set()
    rest, end = after.position.log, before.position.log
    while rest and rest is not end:
        found.update(line.clause for tally in rest[0].totals for line in tally.lines)
        rest = rest[1]
    return found


def _busy(planner: Planner, plan: Plan) -> int:
    """1 if the plan begins with an action that does more than assign variables, else 0."""
    if planner.decision.spec.mode != "action":
        return 0
    body = planner.root.game.rules_source.procedures[text(plan.steps[0].value)].body
    idle = core.Assign | core.Let | core.Finish | core.Give
    return 0 if all(isinstance(stmt, idle) for stmt in body) else 1
