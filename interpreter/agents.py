"""Players that are programs: random ones draw factor by factor, greedy ones try what each choice would bring at once."""
from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Protocol

from interpreter.decisions import Decision, Option
from interpreter.evaluate import Fault
from interpreter.game import Illegal, State

MAX_TRIED = 40  # options a greedy player looks at for one decision
CURIOSITY = 0.08  # how often a greedy player takes any option at all, so that whatever the rules allow is met sooner or later
PATIENCE = 40  # fruitless actions in a row after which a greedy player would rather do nothing
MAX_FINISH = 12  # choices it makes at random to see a started action through


class Agent(Protocol):
    """Anything that answers a decision with one of its options."""

    def __call__(self, state: State, decision: Decision) -> Option:
        """The option chosen."""


def random_agent(seed: int) -> Agent:
    """Chooses at random, uniformly in each factor."""
    rng = random.Random(seed)

    def choose(state: State, decision: Decision) -> Option:
        return decision.sample(rng)

    return choose


def greedy_agent(seed: int) -> Agent:
    """Chooses what leads to the best standing once the action is finished, judged by the ranking's first key; among equals at random.

    Now and then it tries anything. Where nothing pays it does something rather than nothing, but loses patience: after many fruitless actions it does nothing,
    so that games which end when everybody passes do end.
    """
    rng = random.Random(seed)
    fruitless = 0

    def choose(state: State, decision: Decision) -> Option:
        nonlocal fruitless
        if rng.random() < CURIOSITY:
            return decision.sample(rng)
        options = list(itertools.islice(decision.options(), 400)) if decision.spec.mode not in ("some", "order") else []
        if not options:
            options = [decision.sample(rng) for _ in range(6)]
        if len(options) == 1:
            return options[0]
        if len(options) > MAX_TRIED:
            options = rng.sample(options, MAX_TRIED)
        scored = []
        for option in options:
            gain = _gain(state, decision, option, rng)
            eager = _does_something(state, option) if fruitless < PATIENCE else -_does_something(state, option)
            scored.append((gain, eager, rng.random(), option))
        best = max(scored, key=lambda item: item[:3])
        if decision.spec.mode == "action":
            fruitless = 0 if best[0] > 0 else fruitless + 1
        return best[3]

    return choose


def _does_something(state: State, option: Option) -> int:
    """Actions whose procedure holds a choice or an event come before those that only count."""
    if option.name == "may":
        return 1 if option.value else 0
    if option.name != "action":
        return 0
    procedure = state.game.rules_source.procedures[option.value]
    return min(1, len(procedure.body) - 1)


def _gain(state: State, decision: Decision, option: Option, rng: random.Random) -> int:
    """How much the player gains by this option and the best end of what it began, as far as nothing hidden is shown on the way."""
    before = _standing(state, decision.player)
    try:
        later = state.choose(option)
        best = _standing(later, decision.player)
        for _ in range(MAX_FINISH):
            mine = next((d for d in later.decisions if d.player == decision.player), None)
            if mine is None or later.position.learned or len(later.position.stack) <= _depth(state):
                break
            tried = list(itertools.islice(mine.options(), MAX_TRIED)) if mine.spec.mode not in ("some", "order") else [mine.sample(rng)]
            if not tried:
                break
            ends = []
            for follow in tried:
                try:
                    after = later.choose(follow)
                except Illegal:
                    continue
                ends.append((_standing(after, decision.player), rng.random(), after))
            if not ends:
                break
            top = max(ends, key=lambda item: item[:2])
            later = top[2]
            best = max(best, top[0])
    except (Illegal, Fault):
        return -(10**9)
    return best - before


def _depth(state: State) -> int:
    return len(state.position.stack) if state._specs and state._specs[0].mode == "action" else len(state.position.stack) - 1


def _standing(state: State, player: int) -> int:
    return state.scores()[player]


BOTS: dict[str, Callable[[int], Agent]] = {"random": random_agent, "greedy": greedy_agent}
