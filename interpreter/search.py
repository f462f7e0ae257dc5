"""Maximal runs: what the block of a `maximize` can still come to, found by trying its choices, remembering positions met before."""
from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from interpreter.effects import Refused
from interpreter.state import Position

if TYPE_CHECKING:
    from interpreter.decisions import Decider

MAX_NODES = 20_000  # positions tried for one decision; past that any option may be chosen, so that play goes on


class _Spent(Exception):
    """The bound is reached."""


def best_ends(decider: Decider, s: Position, depth: tuple[int, int], options: Iterable[Any]) -> list[int | None]:
    """The largest value the maximize block at `depth` can end with after each option; none where the bound was reached first.

    What is found for one option is remembered for the next, and for nothing else: what may be chosen depends on the position alone.
    """
    search = _Search(decider, s, depth)
    return [search.after(s, option) for option in options]


class _Search:
    def __init__(self, decider: Decider, s: Position, depth: tuple[int, int]) -> None:
        self.decider, self.depth = decider, depth
        block = s.stack[depth[0] - 1].blocks[depth[1] - 1]
        self.target = decider.machine.maximized[block.data[0]]
        self.seen: dict[str, int] = {}
        self.left = 0

    def after(self, s: Position, option: Any) -> int | None:
        """The largest value after an option; none if the bound was reached first."""
        self.left = MAX_NODES
        later = s.copy()
        try:
            self.decider.machine.decide(later, option)
            return self.best(later)
        except _Spent:
            return None
        except Refused:
            return -(10**9)

    def best(self, s: Position) -> int:
        """The largest value reachable from here; the position is used up."""
        self.decider.machine.run(s, self.depth)
        if s.ended is not None or (len(s.stack), len(s.stack[-1].blocks) if s.stack else 0) < self.depth:
            env = s.stack[-1].env if s.stack else {}
            return int(self.decider.rules.evaluator.value(self.target.value, s, env))
        key = s.digest()
        if key in self.seen:
            return self.seen[key]
        specs = self.decider.open(s)
        top = -(10**9)
        for spec in specs[:1]:
            for option in self._plain(s, spec):
                self.left -= 1
                if self.left < 0:
                    raise _Spent
                later = s.copy()
                try:
                    self.decider.machine.decide(later, option)
                    top = max(top, self.best(later))
                except Refused:
                    continue
        self.seen[key] = top
        return top

    def _plain(self, s: Position, spec: Any) -> Any:
        """The options without asking for the best again."""
        d = self.decider
        makers = {"one": d._ones, "action": d._actions, "may": d._answers, "some": d._subsets}
        if spec.mode == "order":
            return itertools.permutations(spec.domain)
        return makers[spec.mode](s, spec)
