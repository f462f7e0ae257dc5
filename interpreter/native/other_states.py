"""Other states than the one that is played: what an event would leave, and what was before one.

What is asked there is asked in place: the state is changed and then put back. What was worked out
of it before still holds afterwards, and what is worked out meanwhile is not kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from interpreter.native import ir
from interpreter.native.builder import Builder
from interpreter.native.epochs import SIZE
from interpreter.native.ir import Code, Ty, op
from interpreter.native.layout import STATE, Layout
from interpreter.native.program import Program, Scope
from interpreter.native.values import Bits, Lane, Lowered, Members
from rulelang import core
from rulelang.ruleset import Ruleset

# What writes variables alone, whichever way play goes.
_PLAIN = core.Assign | core.Let | core.If | core.ForEach | core.Repeat
Perform = Callable[[Builder, str, tuple[Lowered, ...], Scope], None]


@dataclass(frozen=True)
class Stretch:
    """So many bytes of a state, from one on."""

    at: int
    size: int


def stretches(rules: Ruleset, layout: Layout, event: str) -> tuple[Stretch, ...]:
    """All that an event writes, where those are variables; nothing if it may be anything."""
    names = set[str]()
    for node in core.walk(rules.events[event].body):
        if isinstance(node, core.Stmt) and not isinstance(node, _PLAIN):
            return ()
        if isinstance(node, core.Assign):
            names.add(node.state)
    found = [Stretch(layout.dirty, 4)]
    for name in sorted(names):
        table = layout.tables[name]
        found.append(Stretch(table.offset, max(8, table.count * table.cell.bytes)))
        if table.keyed:
            rows = 1 + layout.values_of(name)
            found.append(Stretch(table.keyed, 8 * rows * table.key_words))
    return tuple(found)


class OtherStates:
    """What one program asks of other states than that which is played."""

    def __init__(self, program: Program) -> None:
        """`perform` writes an event's own effects, and is given by who lowers events."""
        self.program = program
        self.perform: Perform | None = None
        self.earlier = program.shared(Ty.I32, "earlier")
        program.settled.append(self.earlier)
        """Where the state before the event stands that is answered now; 0 of none."""

    @contextmanager
    def supposing(
        self, b: Builder, event: str, values: tuple[Lowered, ...], scope: Scope
    ) -> Iterator[None]:
        """What is written meanwhile is asked of the state that an event would leave."""
        program = self.program
        written = stretches(program.ruleset, program.layout, event)
        if not written:
            written = (Stretch(STATE, 0),)
        kept = [
            (x, program.buffer(x.size) if x.size else program.state_buffer(program.STRIDE))
            for x in written
        ]
        for stretch, at in kept:
            b.add(ir.Copy(ir.i32(at), ir.i32(stretch.at), self._size(stretch)))
        epoch, steps = b.keep(ir.Get(program.epoch)), b.keep(ir.Get(program.steps))
        epochs = ir.i32(program.buffer(SIZE))
        program.epochs.keep(b, epochs)
        b.set(program.steps, ir.i64(0))
        assert self.perform is not None
        self.perform(b, event, values, scope)
        program.visit(b, ir.Get(program.steps))
        b.set(program.steps, steps)
        self._same_again(b, epoch, values)
        half = b.keep(ir.Get(program.half))
        b.set(program.half, ir.i32(1))
        yield
        b.set(program.half, half)
        for stretch, at in kept:
            b.add(ir.Copy(ir.i32(stretch.at), ir.i32(at), self._size(stretch)))
        program.epochs.put_back(b, epochs)

    def _same_again(self, b: Builder, epoch: Code, values: tuple[Lowered, ...]) -> None:
        """What was worked out of the state that these values left last holds, if they do again."""
        program = self.program
        codes: list[Code] = []
        for value in values:
            if isinstance(value, Members | Lane):
                program.changed(b)
                return
            codes += value.words if isinstance(value, Bits) else [value.code]
        wide = [x if ir.ty_of(x) is Ty.I64 else op("i64.extend_i32_s", x) for x in codes]
        given = [b.keep(code) for code in (epoch, *wide)]
        at, epochs = program.buffer(8 * (1 + len(given))), ir.i32(program.buffer(SIZE))
        with b.block() as known:
            with b.block() as other:
                for number, code in enumerate(given, 1):
                    held = ir.load("i64.load", ir.i32(0), at + 8 * number)
                    b.jump(other, op("i64.ne", held, code))
                program.epochs.put_back(b, epochs)
                b.jump(known)
            program.changed(b)
            program.epochs.keep(b, epochs)
            for number, code in enumerate(given, 1):
                b.store("i64.store", ir.i32(0), at + 8 * number, code)

    def _size(self, stretch: Stretch) -> Code:
        return ir.i32(stretch.size) if stretch.size else ir.Get(self.program.state_size)

    # -------------------------------------------------------------------------------- before
    def remember(self, b: Builder) -> int:
        """Keep the state as it is, before an event happens; gives where."""
        program = self.program
        at = program.state_buffer(program.STRIDE + 8 + SIZE)
        b.add(ir.Copy(ir.i32(at), ir.i32(STATE), ir.Get(program.state_size)))
        b.store("i32.store", ir.i32(0), at + program.STRIDE, ir.Get(self.earlier))
        program.epochs.keep(b, ir.i32(at + program.STRIDE + 8))
        return at

    @contextmanager
    def answering(self, b: Builder, at: int) -> Iterator[None]:
        """What is written meanwhile answers an event, before which this state was."""
        before = b.keep(ir.Get(self.earlier))
        b.set(self.earlier, ir.i32(at))
        self.program.changed(b)  # what looks back sees something else
        yield
        b.set(self.earlier, before)
        self.program.changed(b)

    @contextmanager
    def before(self, b: Builder) -> Iterator[None]:
        """What is written meanwhile is asked of the state before the event that is answered.

        Where none is answered, of the state as it is.
        """
        program = self.program
        swap, there = program.state_buffer(program.STRIDE), b.keep(ir.Get(self.earlier))
        epochs, size = ir.i32(program.buffer(SIZE)), ir.Get(program.state_size)
        program.epochs.keep(b, epochs)
        with b.when(there):
            b.add(ir.Copy(ir.i32(swap), ir.i32(STATE), size))
            b.add(ir.Copy(ir.i32(STATE), there, size))
            program.epochs.put_back(b, op("i32.add", there, ir.i32(program.STRIDE + 8)))
            b.set(self.earlier, ir.load("i32.load", there, program.STRIDE))
        yield
        with b.when(there):
            b.add(ir.Copy(ir.i32(STATE), ir.i32(swap), size))
            program.epochs.put_back(b, epochs)
            b.set(self.earlier, there)
