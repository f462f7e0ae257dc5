"""Decisions of generated blocks, bound to a game: what may be chosen, in order or by chance."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from interpreter.generated.blocks import Choice
from interpreter.model.position import Position

Value = Any
Draw = Callable[[], float]


@dataclass(frozen=True)
class Bound:
    """A choice with its functions bound to a game."""

    choice: Choice
    by: Callable[..., int]
    apply: Callable[..., int]
    options: Callable[..., Any]
    sample: Callable[..., Value]
    low: Callable[..., int] | None
    high: Callable[..., int] | None

    # ---------------------------------------------------------------------------------------- what may be chosen
    def values(self, s: Position, r: list[Value]) -> list[Value]:
        """All options in the stable order; of several of a set, every subset."""
        kind = self.choice.kind
        if kind == "one":
            return list(self.options(s, r))
        if kind == "action":
            return [i for i in range(len(self.choice.values)) if self.options(s, r, i)]
        if kind == "may":
            return [False, True] if self.options(s, r) else [False]
        members = r[self.choice.domain]
        if kind == "member":
            return list(members)
        if kind == "order":
            return list(itertools.permutations(members))
        low, high = self.bounds(s, r, len(members))
        return [
            frozenset(c)
            for size in range(low, high + 1)
            for c in itertools.combinations(members, size)
        ]

    def bounds(self, s: Position, r: list[Value], count: int) -> tuple[int, int]:
        """How few and how many of `count` may be chosen."""
        low = min(count, max(0, self.low(s, r))) if self.low is not None else 0
        return low, max(low, min(count, self.high(s, r)) if self.high is not None else count)

    def draw(self, s: Position, r: list[Value], draw: Draw) -> Value:
        """One option by chance, uniform in each factor."""
        kind = self.choice.kind
        if kind == "one":
            return self.sample(s, r, draw)
        if kind == "action":
            count = len(self.choice.values)
            for _ in range(3 * count):
                at = int(draw() * count)
                if self.options(s, r, at):
                    return at
            left = self.values(s, r)
            return left[int(draw() * len(left))] if left else None
        if kind == "may":
            return bool(self.options(s, r)) and draw() < 0.5
        members = list(r[self.choice.domain])
        if kind == "member":
            return members[int(draw() * len(members))]
        for i in range(len(members) - 1, 0, -1):
            j = int(draw() * (i + 1))
            members[i], members[j] = members[j], members[i]
        if kind == "order":
            return tuple(members)
        low, high = self.bounds(s, r, len(members))
        return frozenset(members[: low + int(draw() * (high - low + 1))])

    def count(self, s: Position, r: list[Value]) -> int:
        """How many options there are; of several of a set or an order every one counts."""
        if self.choice.kind == "order":
            return math.factorial(len(r[self.choice.domain]))
        if self.choice.kind == "some":
            members = len(r[self.choice.domain])
            low, high = self.bounds(s, r, members)
            return sum(math.comb(members, size) for size in range(low, high + 1))
        return len(self.values(s, r))


def bound(c: Choice, bind: Callable[[str], Any]) -> Bound:
    """A choice with the functions a game has under its names."""

    def maybe(name: str) -> Any:
        return bind(name) if name else None

    return Bound(
        c, bind(c.by), bind(c.apply), maybe(c.options), maybe(c.sample), maybe(c.low), maybe(c.high)
    )
