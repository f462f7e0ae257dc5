"""The search under `maximize`: the largest value its block can still end with.

Found by trying its choices depth first, with the bounds of positions met before memoised.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import ChainMap
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from interpreter.engine.events import Refused
from interpreter.engine.machine import Machine
from interpreter.model.position import Position
from rulelang import core
from rulelang.core.values import Value

# positions tried for one decision; past that any option may be chosen, so that play goes on
MAX_NODES = 20_000
MAX_PROMISED = 1_000  # goals remembered for searches to come
_NEVER = -(10**9)  # what a run comes to that cannot be completed
_ALWAYS = 10**9


At = TypeVar("At")
Choice = TypeVar("Choice", bound=Hashable)
# Goals that are known already, by the block that is open and the position.
Promised: TypeAlias = dict[tuple[tuple[int, int], str], int]


class _Spent(Exception):
    """The bound is reached."""


class Maximal(ABC, Generic[At, Choice]):
    """One open `maximize`: the largest value it can still end with, and what keeps it in reach.

    For every position met `known` holds the least and the most its best run can come to, so that
    no position is searched twice for the same answer. What is found for an option is forgotten
    with it: the answer depends on the position and the option alone, even where the search was
    too long.
    """

    def __init__(self, goal: int | None = None) -> None:
        """Searches for the best end at once, unless the goal is known.

        The goal stays the same as long as options are chosen that keep it.
        """
        self.known: ChainMap[Hashable, tuple[int, int]] = ChainMap({})
        self.judged: dict[Choice, bool] = {}
        self.left = MAX_NODES
        try:
            self.goal: int | None = self._goal() if goal is None else goal
        except _Spent:
            self.goal = None
        self.tried = MAX_NODES - self.left

    @abstractmethod
    def first(self) -> At:
        """Where the search begins, to be used up."""

    @abstractmethod
    def without(self) -> At | None:
        """Where the search begins if the action that stands aside here ended at once.

        None where no such action is being carried out, or where that cannot be.
        """

    @abstractmethod
    def ended(self, at: At) -> int | None:
        """The value, if the block is closed; runs on to the next decision."""

    @abstractmethod
    def key(self, at: At) -> Hashable:
        """What tells positions apart."""

    @abstractmethod
    def bound(self, at: At) -> int | None:
        """The most the value can become, if the rules say so."""

    @abstractmethod
    def options(self, at: At) -> Iterator[Choice]:
        """What may be chosen next, without the actions that stand aside."""

    @abstractmethod
    def after(self, at: At, option: Choice) -> At | None:
        """The position after an option, itself left as it was; none if the option is refused."""

    def keeps(self, option: Choice) -> bool:
        """Can the largest value still be reached after this option?

        Also yes if the search was too long to tell.
        """
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

    def promise(self, at: At, option: Choice, goal: int) -> None:
        """Told that this is still the goal after an option."""

    def _goal(self) -> int:
        """What a run from here must end with.

        It is the largest value; but while an action that stands aside is carried out, no more than
        what can be had without the rest of it.
        """
        without = self.without()
        if without is not None:
            enough = self._best(without)
            if enough > _NEVER and self._reaches(self.first(), enough):
                return enough
        return self._best(self.first())

    def _best(self, at: At) -> int:
        """The largest value reachable from here; stops early at the most that is possible."""
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

    def _after(self, at: At, option: Choice) -> At | None:
        self.left -= 1
        if self.left < 0:
            raise _Spent
        return self.after(at, option)


@dataclass(frozen=True)
class Region:
    """An open `maximize` of a position: its statement and how deep it stands.

    `depth` is its activation and block, counted from 1.
    """

    target: core.Maximize
    depth: tuple[int, int]


class Search(Maximal[Position, Value]):
    """The search of a position: positions are copied, and run by the machine."""

    def __init__(
        self,
        machine: Machine,
        s: Position,
        region: Region,
        options: Callable[[Position], Iterator[Value]],
        promised: Promised,
    ) -> None:
        """`options` lists what may be chosen by the rules alone, whatever `maximize` asks.

        `promised` holds goals that are known already, and is given those that are found.
        """
        self.machine, self.start, self.target = machine, s, region.target
        self.depth, self.plain, self.promised = region.depth, options, promised
        self.number = machine.rules.number
        super().__init__(promised.get((self.depth, s.digest())))

    def first(self) -> Position:
        """A copy of the position that was asked about."""
        return self.start.copy()

    def without(self) -> Position | None:
        """A copy in which the action that stands aside has come to its end."""
        found = self._aside(self.start)
        if found is None:
            return None
        later = self.start.copy()
        del later.stack[found + 1 :]
        later.stack[found].blocks.clear()
        try:
            self.machine.run(later, self.depth)
        except Refused:
            return None
        return later

    def _aside(self, at: Position) -> int | None:
        """Where on the stack the outermost action is that stands aside, within the block."""
        return next(
            (
                i
                for i, act in enumerate(at.stack)
                if i >= self.depth[0] and act.name in self.target.aside
            ),
            None,
        )

    def ended(self, at: Position) -> int | None:
        """The value, if the block is closed before the next decision inside it."""
        self.machine.run(at, self.depth)
        here = (len(at.stack), len(at.stack[-1].blocks) if at.stack else 0)
        if at.ended is None and here >= self.depth:
            return None
        return self.number(self.target.value, at, at.stack[-1].env if at.stack else {})

    def key(self, at: Position) -> str:
        """The hash of the position."""
        return at.digest()

    def bound(self, at: Position) -> int | None:
        """What stands behind `at most`."""
        if self.target.bound is None:
            return None
        return self.number(self.target.bound, at, at.stack[self.depth[0] - 1].env)

    def after(self, at: Position, option: Value) -> Position | None:
        """A copy in which the option is taken and play has gone on."""
        later = at.copy()
        try:
            self.machine.decide(later, option)
            self.machine.run(later, self.depth)
        except Refused:
            return None
        return later

    def promise(self, at: Position, option: Value, goal: int) -> None:
        """Kept for the search of the next decision.

        In an action that stands aside, and after it, the best is looked for anew.
        """
        if option not in self.target.aside and self._aside(self.start) is None:
            if len(self.promised) >= MAX_PROMISED:
                self.promised.clear()
            self.promised[self.depth, at.digest()] = goal

    def options(self, at: Position) -> Iterator[Value]:
        """What may be chosen next, without the actions that stand aside."""
        return (option for option in self.plain(at) if option not in self.target.aside)
