"""Maximal runs: what the block of a `maximize` can still come to, found by trying its choices, remembering positions met before."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections import ChainMap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from interpreter.engine.events import Refused
from interpreter.model.position import Position

if TYPE_CHECKING:
    from interpreter.engine.decisions import Decider, Spec

MAX_NODES = 20_000  # positions tried for one decision; past that any option may be chosen, so that play goes on
MAX_PROMISED = 1_000  # goals remembered for searches to come
_NEVER = -(10**9)  # what a run comes to that cannot be completed
_ALWAYS = 10**9


At = TypeVar("At")


class _Spent(Exception):
    """The bound is reached."""


class Maximal(ABC, Generic[At]):
    """One open `maximize`: the largest value it can still end with, and the options from which that can be reached.

    For every position met `known` holds the least and the most its best run can come to, so that no position is searched twice for the same answer.
    What is found for an option is forgotten with it, so that the answer depends on the position and the option alone, even where the search was too long.
    """

    def __init__(self, goal: int | None = None) -> None:
        """Searches for the best end at once, unless the goal is known: it stays the same as long as options are chosen that keep it."""
        self.known: ChainMap[Any, tuple[int, int]] = ChainMap({})
        self.judged: dict[Any, bool] = {}
        self.left = MAX_NODES
        try:
            self.goal: int | None = self._best(self.first()) if goal is None else goal
        except _Spent:
            self.goal = None
        self.tried = MAX_NODES - self.left

    @abstractmethod
    def first(self) -> At:
        """Where the search begins, to be used up."""

    @abstractmethod
    def ended(self, at: At) -> int | None:
        """The value, if the block is closed; runs on to the next decision."""

    @abstractmethod
    def key(self, at: At) -> Any:
        """What tells positions apart."""

    @abstractmethod
    def bound(self, at: At) -> int | None:
        """The most the value can become, if the rules say so."""

    @abstractmethod
    def options(self, at: At) -> Iterator[Any]:
        """What may be chosen next, without the actions that stand aside."""

    @abstractmethod
    def after(self, at: At, option: Any) -> At | None:
        """The position after an option; none if it is refused. What it came from stays as it was."""

    def keeps(self, option: Any) -> bool:
        """Can the largest value still be reached after this option? Also yes if the search was too long to tell."""
        if self.goal is None:
            return True
        if option not in self.judged:
            self.left, self.known = MAX_NODES, self.known.new_child()
            try:
                later = self._after(self.first(), option)
                self.judged[option] = later is not None and self._reaches(later, self.goal)
                if later is not None and self.judged[option]:
                    self.promise(later, option, self.goal)
            except _Spent:
                self.judged[option] = True
            self.known = self.known.parents
        return self.judged[option]

    def promise(self, at: At, option: Any, goal: int) -> None:
        """Told that this is still the goal after an option."""

    def _best(self, at: At) -> int:
        """The largest value reachable from here; stops early at the most that is possible at all."""
        ended = self.ended(at)
        if ended is not None:
            return ended
        key = self.key(at)
        low, high = self.known.get(key) or (_NEVER, self._most(at))
        if low < high:
            for option in self.options(at):
                later = self._after(at, option)
                if later is not None:
                    low = max(low, self._best(later))
                if low >= high:
                    break
            self.known[key] = (low, low)
        return low

    def _reaches(self, at: At, goal: int) -> bool:
        """Is there a run from here that ends with at least this value?"""
        ended = self.ended(at)
        if ended is not None:
            return ended >= goal
        key = self.key(at)
        low, high = self.known.get(key) or (_NEVER, self._most(at))
        if low >= goal or high < goal:
            return low >= goal
        for option in self.options(at):
            later = self._after(at, option)
            if later is not None and self._reaches(later, goal):
                self.known[key] = (goal, high)
                return True
        self.known[key] = (low, goal - 1)
        return False

    def _most(self, at: At) -> int:
        found = self.bound(at)
        return _ALWAYS if found is None else found

    def _after(self, at: At, option: Any) -> At | None:
        self.left -= 1
        if self.left < 0:
            raise _Spent
        return self.after(at, option)


class Search(Maximal[Position]):
    """The search of a state: positions are copied, and run by the machine."""

    def __init__(
        self, decider: Decider, s: Position, depth: tuple[int, int], goal: int | None = None
    ) -> None:
        """The block at `depth` (activation and block, counted from 1) of this position; its goal, if that is known."""
        self.decider, self.depth, self.start = decider, depth, s
        self.target = decider.machine.maximized[s.stack[depth[0] - 1].blocks[depth[1] - 1].data[0]]
        self.value = decider.rules.evaluator.value
        super().__init__(goal)

    def first(self) -> Position:
        """A copy of the position that was asked about."""
        return self.start.copy()

    def ended(self, at: Position) -> int | None:
        """Runs on to the next decision inside the block; the value, if the block is closed before there is one."""
        self.decider.machine.run(at, self.depth)
        inside = (
            at.ended is None
            and (len(at.stack), len(at.stack[-1].blocks) if at.stack else 0) >= self.depth
        )
        return (
            None
            if inside
            else int(self.value(self.target.value, at, at.stack[-1].env if at.stack else {}))
        )

    def key(self, at: Position) -> str:
        """The hash of the position."""
        return at.digest()

    def bound(self, at: Position) -> int | None:
        """What stands behind `at most`."""
        return (
            None
            if self.target.bound is None
            else int(self.value(self.target.bound, at, at.stack[self.depth[0] - 1].env))
        )

    def after(self, at: Position, option: Any) -> Position | None:
        """A copy in which the option is taken and play has gone on."""
        later = at.copy()
        try:
            self.decider.machine.decide(later, option)
            self.decider.machine.run(later, self.depth)
        except Refused:
            return None
        return later

    def promise(self, at: Position, option: Any, goal: int) -> None:
        """Kept for the search of the next decision; after an action that stands aside the best is looked for anew."""
        if option not in self.target.aside:
            if len(self.decider.promised) >= MAX_PROMISED:
                self.decider.promised.clear()
            self.decider.promised[self.depth, at.digest()] = goal

    def options(self, at: Position) -> Iterator[Any]:
        """What may be chosen next, without asking for the best again and without the actions that stand aside."""
        for spec in self.decider.open(at)[:1]:
            for option in plain_options(self.decider, at, spec):
                if spec.mode != "action" or option not in self.target.aside:
                    yield option


def plain_options(decider: Decider, s: Position, spec: Spec) -> Iterator[Any]:
    """The options of a decision as far as its own rules go, whatever `maximize` asks."""
    if spec.mode == "order":
        return itertools.permutations(spec.domain)
    makers = {
        "one": decider._ones,
        "action": decider._actions,
        "may": decider._answers,
        "some": decider._subsets,
    }
    return makers[spec.mode](s, spec)
