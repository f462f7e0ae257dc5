"""Whole games by bots that choose at random, up to the last choice, which is left to others.

A game played so is the one that `random` bots play by the other engines: they draw the same.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.model.position import Position
from interpreter.native.control import Decision
from interpreter.native.layout import STATE, numbers_of
from interpreter.native.lowering import Lowered
from interpreter.native.mersenne import seeded
from interpreter.native.program import Program
from interpreter.native.runtime import Instance
from interpreter.native.simultaneous import DONE
from interpreter.native.values import MAX_WORDS, decoded
from rulelang import core
from rulelang.core.types import SetT
from rulelang.core.values import Value


@dataclass(frozen=True)
class Played:
    """A game: where it stood before its last choice, that choice, and how it ended.

    `fired` are the clauses that counted, `took` the pieces that took part in each event, `played`
    those that were played, each with its player where the event named one.
    """

    before: Position
    value: Value
    ended: str
    fired: frozenset[str]
    took: frozenset[tuple[str, int]]
    played: frozenset[tuple[int, int | None]]


def whole(made: Lowered) -> str:
    """Why games cannot be followed to their last choice; nothing if they can."""
    for decision in made.decisions:
        if not decision.standing.whole:
            return f"not all that is in scope is kept, in {decision.scope.clause}"
    return ""


class Games:
    """Plays games of one module."""

    def __init__(self, instance: Instance) -> None:
        """The instance is used for nothing else meanwhile."""
        self.instance, self.made = instance, instance.game

    def play(self, seed: int, bots: list[int]) -> Played | None:
        """The game of this seed, by bots with these; none where it comes to no end here.

        Raises Fault or AskReference where the module stops.
        """
        instance, made = self.instance, self.made
        instance.write(made.dice, b"".join(map(seeded, bots)))
        instance.one_generator(False)
        instance.start(seed)
        most = made.engine.setup.rules.max_moves
        moves = instance.ask("sampled", most)
        ended = instance.open().ended
        if ended is None or not moves:
            return None
        before, value = self._last(moves)
        marked = instance.read(made.marks.start, made.marks.size)
        fired, took = made.marks.read(marked)
        return Played(before, value, ended, fired, took, made.marks.played(marked))

    def _last(self, moves: int) -> tuple[Position, Value]:
        """The position before the last choice, and that choice."""
        made, layout = self.made, self.made.layout
        size, stride = layout.size, Program.STRIDE
        whole = self.instance.read(Program.LAST, stride * (1 + made.engine.setup.players))
        common, chosen = whole[:size], self.instance.read(made.chosen, 8 * (2 + MAX_WORDS))
        fork, seat = layout.number(common, layout.fork), _number(chosen[8 * (1 + MAX_WORDS) :][:4])
        raw, position = common, layout.decode(common)
        if fork:
            position.stack = made.stacks.parted(common, made.partings[fork - 1])
            for p in range(made.engine.setup.players):
                mine = whole[(1 + p) * stride :][:size]
                position.branches[p], position.commits[p] = self._branch(mine)
                raw = mine if p == seat else raw
        decision = made.decisions[layout.number(raw, layout.point) - 1]
        if not fork:
            position.stack = made.stacks.stack(raw, decision.standing)
        position.moves = moves - 1
        return position, self._value(decision, chosen[: 8 * (1 + MAX_WORDS)])

    def _branch(self, raw: bytes) -> tuple[Position, tuple[Value, ...]]:
        """A player's branch, and what he has chosen in it."""
        made, layout = self.made, self.made.layout
        position = layout.decode(raw)
        point, ended = layout.number(raw, layout.point), layout.number(raw, layout.ended)
        position.ended = made.ends[ended - 1] if ended else None
        if point != DONE and not ended:
            position.stack = made.stacks.stack(raw, made.decisions[point - 1].standing)
        count, first, point = made.commits
        size = point + 8
        ends = (first - STATE + n * size for n in range(_number(raw[count - STATE :][:8])))
        entries = (raw[at : at + size] for at in ends)
        return position, tuple(
            self._value(made.decisions[_number(entry[point:]) - 1], entry[:point])
            for entry in entries
        )

    def _value(self, decision: Decision, chosen: bytes) -> Value:
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
                members = int.from_bytes(chosen[8:], "little")
                held = (n for n in range(members.bit_length()) if members >> n & 1)
                return frozenset(decoded(setup, item, n) for n in held)


def _number(raw: bytes) -> int:
    return int.from_bytes(raw, "little", signed=True)
