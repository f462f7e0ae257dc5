"""Lines of play: a position with its registers, run block by block; and the runs a `maximize` may still take."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from interpreter.engine.maximize import Maximal
from interpreter.generated.blocks import CLOSED, OVER
from interpreter.generated.openings import Bound, Draw
from interpreter.model.position import Position
from interpreter.model.values import Fault

Value = Any


class Line:
    """One line of play: a position, its registers, the block or decision it has come to; of a seat's line, what it chose."""

    __slots__ = ("at", "chosen", "goal", "registers", "s")

    def __init__(self, s: Position, registers: list[Value], at: int) -> None:
        """Nothing is run yet."""
        self.s, self.registers, self.at = s, registers, at
        self.chosen: list[tuple[int, Value]] = []
        self.goal: tuple[Value, int] | None = (
            None  # of the region that was looked at last: what it comes to at best
        )

    def run(self, blocks: list[Callable[..., int]]) -> None:
        """Run to the next decision, fork or end."""
        s, r, n = self.s, self.registers, self.at
        work = s.setup.work
        most = work.most_steps
        while n >= 0:
            n = blocks[n](s, r)
            if work.steps > most and n != OVER:
                work.endless()
        self.at = n

    def copy(self) -> Line:
        """Another line that shares nothing that can change."""
        other = Line(self.s.copy(), self.registers.copy(), self.at)
        other.chosen = self.chosen.copy()
        return other


@dataclass(frozen=True)
class BoundRegion:
    """A `maximize` with its functions bound to a game."""

    value: Callable[..., int]
    bound: Callable[..., int] | None
    aside: tuple[str, ...]
    exits: tuple[tuple[int, int], ...]


class Runs(Maximal[Line, Any]):
    """The search of a line: registers and position are copied, and run by blocks."""

    def __init__(
        self,
        line: Line,
        region: BoundRegion,
        blocks: list[Callable[..., int]],
        choices: list[Bound],
        mark: int,
        searched: int,
        goal: int | None,
    ) -> None:
        """The innermost region that is open on this line; its goal, if that is known."""
        self.start, self.region, self.blocks, self.choices = line, region, blocks, choices
        self.mark, self.searched = mark, searched
        super().__init__(goal)

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

    def first(self) -> Line:
        """A copy that stops where the region is closed."""
        line = self.start.copy()
        line.registers[self.searched] = line.registers[self.mark]
        return line

    def without(self) -> Line | None:
        """A copy in which the action that stands aside has come to its end."""
        r = self.start.registers
        found = next((end for back, end in self.region.exits if r[back] is not None), None)
        if found is None:
            return None
        line = self.first()
        inner = [back for back, end in self.region.exits if end != found]
        for back in inner:
            line.registers[back] = None
        line.at = found
        try:
            line.run(self.blocks)
        except Fault:
            return None
        return line

    def ended(self, at: Line) -> int | None:
        """The value, if the region is closed or the game over."""
        return self.region.value(at.s, at.registers) if at.at in (CLOSED, OVER) else None

    def key(self, at: Line) -> Any:
        """Block, registers and position."""
        return at.at, tuple(at.registers), at.s.canonical()

    def bound(self, at: Line) -> int | None:
        """What stands behind `at most`."""
        return None if self.region.bound is None else self.region.bound(at.s, at.registers)

    def after(self, at: Line, option: Value) -> Line | None:
        """A copy in which the option is taken and the blocks have run."""
        later = at.copy()
        try:
            with later.s.setup.work.question():
                later.at = self.choices[-1 - at.at].apply(later.s, later.registers, option)
                later.run(self.blocks)
        except Fault:
            return None
        return later

    def options(self, at: Line) -> Iterator[Value]:
        """What the decision offers, without the actions that stand aside."""
        choice = self.choices[-1 - at.at]
        for value in choice.values(at.s, at.registers):
            if (
                choice.choice.kind != "action"
                or choice.choice.values[value] not in self.region.aside
            ):
                yield value
