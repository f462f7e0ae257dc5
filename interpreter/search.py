"""Maximal runs: what the block of a `maximize` can still come to, found by trying its choices, remembering positions met before."""
from __future__ import annotations

import itertools
from collections import ChainMap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from interpreter.effects import Refused
from interpreter.state import Position

if TYPE_CHECKING:
    from interpreter.decisions import Decider, Spec

MAX_NODES = 20_000  # positions tried for one decision; past that any option may be chosen, so that play goes on
_NEVER = -(10**9)  # what a run comes to that cannot be completed
_ALWAYS = 10**9


class _Spent(Exception):
    """The bound is reached."""


class Search:
    """One open `maximize` block: the largest value it can still end with, and the options from which that can be reached.

    For every position met `known` holds the least and the most its best run can come to, so that no position is searched twice for the same answer.
    What is found for an option is forgotten with it, so that the answer depends on the position and the option alone, even where the search was too long.
    """

    def __init__(self, decider: Decider, s: Position, depth: tuple[int, int]) -> None:
        """The block at `depth` (activation and block, counted from 1) of this position."""
        self.decider, self.depth, self.start = decider, depth, s
        self.target = decider.machine.maximized[s.stack[depth[0] - 1].blocks[depth[1] - 1].data[0]]
        self.known: ChainMap[str, tuple[int, int]] = ChainMap({})
        self.judged: dict[Any, bool] = {}
        self.left = MAX_NODES
        self.value = decider.rules.evaluator.value
        try:
            self.goal: int | None = self._best(s.copy())
        except _Spent:
            self.goal = None
        self.tried = MAX_NODES - self.left

    def keeps(self, option: Any) -> bool:
        """Can the largest value still be reached after this option? Also yes if the search was too long to tell."""
        if self.goal is None:
            return True
        if option not in self.judged:
            self.left, self.known = MAX_NODES, self.known.new_child()
            later = self._after(self.start, option)
            try:
                self.judged[option] = later is not None and self._reaches(later, self.goal)
            except _Spent:
                self.judged[option] = True
            self.known = self.known.parents
        return self.judged[option]

    def _best(self, s: Position) -> int:
        """The largest value reachable from here; stops early at the most that is possible at all. The position is used up."""
        ended = self._run(s)
        if ended is not None:
            return ended
        key = s.digest()
        low, high = self.known.get(key) or (_NEVER, self._bound(s))
        if low < high:
            for option in self._options(s):
                later = self._after(s, option)
                if later is not None:
                    low = max(low, self._best(later))
                if low >= high:
                    break
            self.known[key] = (low, low)
        return low

    def _reaches(self, s: Position, goal: int) -> bool:
        """Is there a run from here that ends with at least this value? The position is used up."""
        ended = self._run(s)
        if ended is not None:
            return ended >= goal
        key = s.digest()
        low, high = self.known.get(key) or (_NEVER, self._bound(s))
        if low >= goal or high < goal:
            return low >= goal
        for option in self._options(s):
            later = self._after(s, option)
            if later is not None and self._reaches(later, goal):
                self.known[key] = (goal, high)
                return True
        self.known[key] = (low, goal - 1)
        return False

    def _run(self, s: Position) -> int | None:
        """Run on to the next decision inside the block; the value, if the block is closed before there is one."""
        self.decider.machine.run(s, self.depth)
        inside = s.ended is None and (len(s.stack), len(s.stack[-1].blocks) if s.stack else 0) >= self.depth
        return None if inside else int(self.value(self.target.value, s, s.stack[-1].env if s.stack else {}))

    def _bound(self, s: Position) -> int:
        if self.target.bound is None:
            return _ALWAYS
        return int(self.value(self.target.bound, s, s.stack[self.depth[0] - 1].env))

    def _after(self, s: Position, option: Any) -> Position | None:
        """The position after an option is taken; none if it is refused."""
        self.left -= 1
        if self.left < 0:
            raise _Spent
        later = s.copy()
        try:
            self.decider.machine.decide(later, option)
            self.decider.machine.run(later, self.depth)
        except Refused:
            return None
        return later

    def _options(self, s: Position) -> Iterator[Any]:
        """What may be chosen next, without asking for the best again and without the actions that stand aside."""
        for spec in self.decider.open(s)[:1]:
            for option in plain_options(self.decider, s, spec):
                if spec.mode != "action" or option not in self.target.aside:
                    yield option


def plain_options(decider: Decider, s: Position, spec: Spec) -> Iterator[Any]:
    """The options of a decision as far as its own rules go, whatever `maximize` asks."""
    if spec.mode == "order":
        return itertools.permutations(spec.domain)
    makers = {"one": decider._ones, "action": decider._actions, "may": decider._answers, "some": decider._subsets}
    return makers[spec.mode](s, spec)
