"""Lines of play: a position with its registers, run block by block; and the runs a `maximize` may still take."""
from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from interpreter.evaluate import Fault
from interpreter.generated.blocks import CLOSED, OVER
from interpreter.generated.openings import Bound, Draw
from interpreter.search import MAX_NODES
from interpreter.state import Position

Value = Any
MAX_BLOCKS = 200_000  # blocks between two decisions: more is a loop that asks nobody
_NEVER = -(10**9)  # what a run comes to that cannot be completed
_ALWAYS = 10**9


class Line:
    """One line of play: a position, its registers, the block or decision it has come to; of a seat's line, what it chose."""

    __slots__ = ("at", "chosen", "registers", "s")

    def __init__(self, s: Position, registers: list[Value], at: int) -> None:
        """Nothing is run yet."""
        self.s, self.registers, self.at = s, registers, at
        self.chosen: list[tuple[int, Value]] = []

    def run(self, blocks: list[Callable[..., int]]) -> None:
        """Run to the next decision, fork or end."""
        s, r, n = self.s, self.registers, self.at
        steps = 0
        while n >= 0:
            n = blocks[n](s, r)
            steps += 1
            if steps > MAX_BLOCKS:
                raise Fault(f"{MAX_BLOCKS} blocks without a decision")
        self.at = n

    def copy(self) -> Line:
        """Another line that shares nothing that can change."""
        return Line(self.s.copy(), self.registers.copy(), self.at)


@dataclass(frozen=True)
class BoundRegion:
    """A `maximize` with its functions bound to a game."""

    value: Callable[..., int]
    bound: Callable[..., int] | None
    aside: tuple[str, ...]


class _Spent(Exception):
    """The bound is reached."""


class Runs:
    """One open `maximize`: the largest value it can still end with, and the options from which that can be reached; what `search` says, by blocks."""

    def __init__(self, line: Line, region: BoundRegion, blocks: list[Callable[..., int]], choices: list[Bound], mark: int, searched: int) -> None:
        """The innermost region that is open on this line."""
        self.start, self.region, self.blocks, self.choices = line, region, blocks, choices
        self.mark, self.searched = mark, searched
        self.known: ChainMap[Any, tuple[int, int]] = ChainMap({})
        self.judged: dict[Any, bool] = {}
        self.left = MAX_NODES
        first = line.copy()
        first.registers[searched] = first.registers[mark]
        try:
            self.goal: int | None = self._best(first)
        except _Spent:
            self.goal = None

    def keeps(self, value: Value) -> bool:
        """Can the largest value still be reached after this? Also yes if the search was too long to tell."""
        if self.goal is None:
            return True
        if value not in self.judged:
            self.left, self.known = MAX_NODES, self.known.new_child()
            first = self.start.copy()
            first.registers[self.searched] = first.registers[self.mark]
            try:
                later = self._after(first, value)
                self.judged[value] = later is not None and self._reaches(later, self.goal)
            except _Spent:
                self.judged[value] = True
            self.known = self.known.parents
        return self.judged[value]

    def draw(self, values: list[Value], draw: Draw) -> Value:
        """One of these values that keeps the largest in reach, each equally likely."""
        left = list(values)
        while left:
            at = int(draw() * len(left))
            if self.keeps(left[at]):
                return left[at]
            left[at] = left[-1]
            left.pop()
        return None

    def _best(self, line: Line) -> int:
        ended = self._ended(line)
        if ended is not None:
            return ended
        key = self._key(line)
        low, high = self.known.get(key) or (_NEVER, self._bound(line))
        if low < high:
            for value in self._values(line):
                later = self._after(line, value)
                if later is not None:
                    low = max(low, self._best(later))
                if low >= high:
                    break
            self.known[key] = (low, low)
        return low

    def _reaches(self, line: Line, goal: int) -> bool:
        ended = self._ended(line)
        if ended is not None:
            return ended >= goal
        key = self._key(line)
        low, high = self.known.get(key) or (_NEVER, self._bound(line))
        if low >= goal or high < goal:
            return low >= goal
        for value in self._values(line):
            later = self._after(line, value)
            if later is not None and self._reaches(later, goal):
                self.known[key] = (goal, high)
                return True
        self.known[key] = (low, goal - 1)
        return False

    def _key(self, line: Line) -> Any:
        return line.at, tuple(line.registers), line.s.canonical()

    def _ended(self, line: Line) -> int | None:
        return self.region.value(line.s, line.registers) if line.at in (CLOSED, OVER) else None

    def _bound(self, line: Line) -> int:
        return _ALWAYS if self.region.bound is None else self.region.bound(line.s, line.registers)

    def _after(self, line: Line, value: Value) -> Line | None:
        self.left -= 1
        if self.left < 0:
            raise _Spent
        later = line.copy()
        try:
            later.at = self.choices[-1 - line.at].apply(later.s, later.registers, value)
            later.run(self.blocks)
        except Fault:
            return None
        return later

    def _values(self, line: Line) -> Iterator[Value]:
        choice = self.choices[-1 - line.at]
        for value in choice.values(line.s, line.registers):
            if choice.choice.kind != "action" or choice.choice.values[value] not in self.region.aside:
                yield value
