"""Resuming a state as a playout: its frames become the registers of generated blocks."""

from __future__ import annotations

from interpreter.bots.playouts import Play, Playouts
from interpreter.game.game import State
from interpreter.generated.blocks import Unwritten
from interpreter.model.position import Activation, Block, Position
from rulelang import core
from rulelang.core.values import Value


def resumed_play(playouts: Playouts, state: State) -> Play:
    """A playout at the same decision of the same position, sharing nothing mutable with it.

    Raises Unwritten where players decide at once.
    """
    if state.over or state.position.branches or not state.position.stack:
        raise Unwritten("no single decision is open")
    s = state.position.copy()
    taken = _Frames(playouts, s.stack)
    s.stack, s.log, s.dirty = [], (), False
    return Play(playouts, s, taken.registers, taken.decision(s))


class _Frames:
    """Writes the frames of a position into registers, outermost first."""

    def __init__(self, playouts: Playouts, stack: list[Activation]) -> None:
        self.playouts, self.program = playouts, playouts.program
        self.machine = playouts.game.machine
        self.registers: list[Value] = [None] * len(self.program.slots)
        self.stack = stack
        for act, inner in zip(stack, [*stack[1:], None], strict=True):
            self._activation(act, inner)

    def _set(self, owner: str, name: str, value: Value) -> None:
        slot = self.program.slots.get((owner, name))
        if slot is not None:  # a name that blocks have no use for has no register
            self.registers[slot] = value

    def _activation(self, act: Activation, inner: Activation | None) -> None:
        if act.name != "flow" and act.name not in self.program.entries:
            raise Unwritten(f"{act.name} is no part of the flow")
        for name, value in act.env.items():
            self._set(act.name, name, value)
        outer: core.Stmt | None = None
        for block in act.blocks:
            self._block(act.name, block, outer)
            outer = self._left(block)
        if inner is not None:
            if outer is None or id(outer) not in self.program.marks:
                raise Unwritten(f"{inner.name} is not called from a body")
            self._set(inner.name, "@back", self.program.marks[id(outer)])

    def _left(self, block: Block) -> core.Stmt | None:
        """The statement before a block's program counter: an inner block or call belongs to it."""
        body = self.machine.bodies[block.body]
        return body[block.pc - 1] if 0 < block.pc <= len(body) else None

    def _block(self, owner: str, block: Block, stmt: core.Stmt | None) -> None:
        """Set the registers of a loop's rest and of an open `maximize`."""
        if isinstance(stmt, core.ForEach | core.Each):
            self._set(owner, f"@rest {stmt.var} {id(stmt)}", block.data[1])
            if block.kind == "choice":
                self._set(owner, f"@by {stmt.var} {id(stmt)}", block.data[2])
        elif block.kind == "times":
            self._set(owner, f"@left {id(stmt)}", block.data[0])
        elif block.kind == "maximize":
            mark = self.program.mark
            self.registers[mark] = (self.program.marks[id(stmt)], self.registers[mark])

    def decision(self, s: Position) -> int:
        """The number of the decision that is open in the innermost frame; sets its domain."""
        act = self.stack[-1]
        block = act.blocks[-1]
        body = self.machine.bodies[block.body]
        stmt = body[block.pc] if block.pc < len(body) else None
        for number, bound in enumerate(self.playouts.choices):
            choice = bound.choice
            if (
                stmt is None
                and choice.kind == "member"
                and block.kind == "choice"
                and self.registers[choice.domain] is block.data[1]
            ):
                return -1 - number
            if stmt is not None and choice.stmt is stmt:
                if isinstance(stmt, core.Choose) and stmt.mode != "one":
                    self.registers[choice.domain] = self.playouts.game.decider.members(
                        s, act.env, stmt
                    )
                return -1 - number
        raise Unwritten("a decision that is no part of the flow")
