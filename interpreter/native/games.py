"""Whole games by bots that choose at random, up to the last choice, which is left to others.

A game played so is the one that `random` bots play by the other engines: they draw the same.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.model.position import Position
from interpreter.native.lowering import Lowered
from interpreter.native.mersenne import seeded
from interpreter.native.positions import Positions
from interpreter.native.program import Program
from interpreter.native.runtime import Instance
from interpreter.native.values import MAX_WORDS
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
        self.positions = Positions(instance.game)

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
        chosen = self.instance.read(made.chosen, 8 * (2 + MAX_WORDS))
        common, *branches = (whole[at : at + size] for at in range(0, len(whole), stride))
        position, raw = self.positions.read(common, branches), common
        if layout.number(common, layout.fork):
            seat = int.from_bytes(chosen[8 * (1 + MAX_WORDS) :][:4], "little", signed=True)
            raw = branches[seat]
        position.moves = moves - 1
        return position, self.positions.value(self.positions.decision(raw), chosen)
