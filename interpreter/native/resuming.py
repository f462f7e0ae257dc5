"""Playing on, in a module, from a position of the reference, with values instead of numbers."""

from __future__ import annotations

import random
import struct

from interpreter.model.position import Position
from interpreter.native.control import Decision
from interpreter.native.entering import Entering
from interpreter.native.layout import STATE
from interpreter.native.mersenne import WORDS
from interpreter.native.program import Program
from interpreter.native.runtime import AskReference, Instance
from interpreter.native.simultaneous import DONE
from interpreter.native.values import encoded
from rulelang import core
from rulelang.core.types import SetT
from rulelang.core.values import Value, members


class Resumed:
    """One instance, whose state is written from positions."""

    def __init__(self, instance: Instance) -> None:
        """Nothing is written yet."""
        self.instance, self.made, self.layout = instance, instance.game, instance.layout
        self.entering = Entering(instance.game)

    # -------------------------------------------------------------------------------- entering
    def enter(self, s: Position) -> None:
        """Stand where a position stands; raises NotLowered, AskReference."""
        raw, fork = self.entering.common(s)
        self.stand(raw, fork)
        for seat, values in s.commits.items():
            for value in values:
                self.take(value, seat)

    def stand(self, raw: bytes, fork: int) -> None:
        """Stand at these bytes of a common state, and where all decide at once at the beginning of
        that.
        """
        self.instance.state = raw
        if fork:
            self.instance.ask("branch_out", fork)

    def reseed(self, seed: int) -> None:
        """From here on chance is that of another seed, in every branch too."""
        held = struct.pack("<q", seed)
        self.instance.write(self.layout.seed, held)
        if self.forked:
            for player in range(self.made.engine.setup.players):
                branch = Program.BRANCHES + player * Program.STRIDE
                self.instance.write(branch + self.layout.seed - STATE, held)

    # -------------------------------------------------------------------------------- looking
    def number(self, offset: int) -> int:
        """A number of the common state."""
        return int.from_bytes(self.instance.read(offset, 4), "little", signed=True)

    @property
    def forked(self) -> bool:
        """Do players decide at once here?"""
        return self.number(self.layout.fork) != 0

    def deciding(self, player: int) -> bool:
        """Where players decide at once, is this one still to decide?"""
        branch, ended, point = self._branch(player), self.layout.ended, self.layout.point
        return not self.number(branch + ended) and self.number(branch + point) != DONE

    @property
    def over(self) -> bool:
        """Is nothing to be decided any more?"""
        if self.number(self.layout.ended):
            return True
        return not self.number(self.layout.point) and not self.forked

    @property
    def ended(self) -> bool:
        """Has the game come to an end of its rules?"""
        return self.number(self.layout.ended) != 0

    def decision(self, seat: int | None = None) -> Decision:
        """The decision that is open; with a seat that of a player who decides while others do."""
        offset = 0 if seat is None else self._branch(seat)
        return self.made.decisions[self.number(offset + self.layout.point) - 1]

    def _branch(self, player: int) -> int:
        """How far behind the common state a player's branch stands."""
        return Program.BRANCHES + player * Program.STRIDE - STATE

    # -------------------------------------------------------------------------------- choosing
    def may(self, value: Value) -> bool:
        """May this be chosen where one is? Raises Fault, AskReference."""
        decision = self.decision()
        if _of_sets(decision):
            return value in self.instance.values()
        return self._number(decision, value) in self.instance.options()

    def take(self, value: Value, seat: int | None = None) -> None:
        """Choose a value that may be chosen; raises Fault, AskReference."""
        native, decision = self.instance, self.decision(seat)
        if _of_sets(decision):
            with native.at(seat):
                number = self._number(decision, value)
        else:
            number = self._number(decision, value)
        if not decision.several:
            native.choose(number, seat)
            return
        stmt = decision.stmt
        assert isinstance(stmt, core.Choose)
        setup = self.made.engine.setup
        chosen = [encoded(setup, stmt.item, member) for member in members(value)]
        if decision.ordered:
            native.choose_order(chosen, seat)
        else:
            native.choose_several(chosen, seat)

    def _number(self, decision: Decision, value: Value) -> int:
        """The option that a value is, of several chosen together 0."""
        match decision.stmt:
            case core.Take(actions=actions):
                return actions.index(str(value))
            case core.May():
                return int(bool(value))
            case core.Choose(mode="one", item=SetT()):
                values = self.instance.values()
                if value not in values:
                    raise AskReference("a set that is not offered")
                return self.instance.options()[values.index(value)]
            case core.Choose(mode="one", item=item):
                return encoded(self.made.engine.setup, item, value)
            case core.Choose():
                return 0

    def sample(self, rng: random.Random, most: int) -> int:
        """Choose so many times at most as a bot would that chooses at random; gives how often.

        All is drawn from one generator, which goes on as if it had been asked for each draw. Raises
        AskReference where the module stops: then it is as it was.
        """
        return self._drawing(rng, "sampled", most) if most > 0 else 0

    def strive(self, rng: random.Random, turns: int, lines: int, horizon: tuple[int, int]) -> int:
        """Play so many turns, each the best for its player of so many lines drawn by chance; gives
        how many choices were made. All is drawn as in `sample`, and it raises the same.

        The horizon is of how many choices a line is at most, and how many rounds after it is
        judged.
        """
        return self._drawing(rng, "strived", turns, lines, *horizon)

    def _drawing(self, rng: random.Random, name: str, *args: int) -> int:
        native, dice = self.instance, self.made.dice
        _, words, more = rng.getstate()
        native.write(dice, struct.pack(f"<{WORDS + 1}I", *words))
        native.one_generator()
        made = native.ask(name, *args)
        rng.setstate((3, struct.unpack(f"<{WORDS + 1}I", native.read(dice, 4 * (WORDS + 1))), more))
        return made


def _of_sets(decision: Decision) -> bool:
    """Is one of a family of sets chosen?"""
    stmt = decision.stmt
    return isinstance(stmt, core.Choose) and stmt.mode == "one" and isinstance(stmt.item, SetT)
