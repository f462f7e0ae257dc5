"""Positions of the reference read from the bytes of states, with those who decide at once."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.model.position import Position
from interpreter.native.control import Decision
from interpreter.native.layout import STATE, numbers_of
from interpreter.native.lowering import Lowered
from interpreter.native.simultaneous import DONE
from interpreter.native.values import MAX_WORDS, decoded
from rulelang import core
from rulelang.core.types import SetT
from rulelang.core.values import Value


class Positions:
    """Reads the states of one lowered game."""

    def __init__(self, made: Lowered) -> None:
        """All that is known of a state stands in the layout and in what was lowered."""
        self.made, self.layout = made, made.layout

    def read(self, common: bytes, branches: Sequence[bytes]) -> Position:
        """The position of a common state, and of each player's where they decide at once.

        What led there is not in it.
        """
        made, layout = self.made, self.layout
        position = layout.decode(common)
        fork, ended = layout.number(common, layout.fork), layout.number(common, layout.ended)
        if ended:
            position.ended = made.ends[ended - 1]
        elif fork:
            position.stack = made.stacks.parted(common, made.partings[fork - 1])
            for seat, raw in enumerate(branches):
                position.branches[seat], position.commits[seat] = self._branch(raw)
        elif layout.number(common, layout.point):
            position.stack = made.stacks.stack(common, self.decision(common).standing)
        return position

    def decision(self, raw: bytes) -> Decision:
        """The decision that is open in a common state or in a branch."""
        return self.made.decisions[self.layout.number(raw, self.layout.point) - 1]

    def value(self, decision: Decision, chosen: bytes) -> Value:
        """An option as a value: a number, and beside it a set."""
        number, setup = _number(chosen[:8]), self.made.engine.setup
        match decision.stmt:
            case core.Take(actions=actions):
                return actions[number]
            case core.May():
                return bool(number)
            case core.Choose(item=item, mode="one") if not isinstance(item, SetT):
                return decoded(setup, item, number)
            case core.Choose(item=item) if decision.ordered:
                return tuple(decoded(setup, item, n) for n in numbers_of(chosen[8:]))
            case core.Choose(item=item):
                item = item.of if not decision.several and isinstance(item, SetT) else item
                members = int.from_bytes(chosen[8 : 8 * (1 + MAX_WORDS)], "little")
                held = (n for n in range(members.bit_length()) if members >> n & 1)
                return frozenset(decoded(setup, item, n) for n in held)

    def _branch(self, raw: bytes) -> tuple[Position, tuple[Value, ...]]:
        """A player's branch, and what he has chosen in it."""
        made, layout = self.made, self.layout
        position = layout.decode(raw)
        point, ended = layout.number(raw, layout.point), layout.number(raw, layout.ended)
        position.ended = made.ends[ended - 1] if ended else None
        if point != DONE and not ended:
            position.stack = made.stacks.stack(raw, self.decision(raw).standing)
        count, first, point = made.commits
        size = point + 8
        ends = (first - STATE + n * size for n in range(_number(raw[count - STATE :][:8])))
        entries = (raw[at : at + size] for at in ends)
        return position, tuple(
            self.value(made.decisions[_number(entry[point:]) - 1], entry[:point])
            for entry in entries
        )


def _number(raw: bytes) -> int:
    return int.from_bytes(raw, "little", signed=True)
