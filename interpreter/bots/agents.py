"""Agents: bots that answer decisions.

`random` samples each factor uniformly; `hasty` takes the best of a few sampled lines; `greedy`
searches the sequences of its own choices (plans) in a determinized state; `search` (in a module of
its own) grows a tree over many determinizations.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Protocol

from interpreter.bots.greedy import Greedy
from interpreter.bots.hasty import Hasty
from interpreter.bots.search import search_agent
from interpreter.engine.decisions import Decision, Option
from interpreter.game.game import State


class Agent(Protocol):
    """A callable that answers a decision with one of its options."""

    def __call__(self, state: State, decision: Decision) -> Option:
        """The option chosen."""


def random_agent(seed: int) -> Agent:
    """An agent that samples each factor of a decision uniformly."""
    rng = random.Random(seed)

    def choose(state: State, decision: Decision) -> Option:
        return decision.sample(rng)

    return choose


def greedy_agent(seed: int) -> Agent:
    """A new greedy agent with its own memory."""
    return Greedy(seed)


def hasty_agent(seed: int) -> Agent:
    """A new hasty agent with its own memory."""
    return Hasty(seed)


BOTS: dict[str, Callable[[int], Agent]] = {
    "random": random_agent,
    "hasty": hasty_agent,
    "greedy": greedy_agent,
    "search": search_agent,
}
