"""Writes statements one after the other into the innermost open body of a function."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from interpreter.native import ir
from interpreter.native.ir import Code, Ty


class Builder:
    """One function being written."""

    def __init__(self, function: ir.Function, asking: bool = False) -> None:
        """Begins with an empty body; is the reference asked what happens wherever it stops?"""
        self.function, self.asking = function, asking
        self.bodies = [function.body]

    def add(self, stmt: ir.Stmt) -> None:
        """One more statement."""
        self.bodies[-1].append(stmt)

    # -------------------------------------------------------------------------------- registers
    def new(self, ty: Ty, name: str = "") -> ir.Register:
        """A register that nothing else uses."""
        return ir.Register(ty, name)

    def set(self, to: ir.Register | ir.Global, value: Code) -> None:
        """Give a register or global a value."""
        self.add(ir.Set(to, value))

    def begin(self, value: Code, name: str = "") -> ir.Register:
        """A new register with this value."""
        made = self.new(ir.ty_of(value), name)
        self.set(made, value)
        return made

    def keep(self, value: Code) -> Code:
        """The same value in a form that may be used many times, whatever is written meanwhile."""
        return value if isinstance(value, ir.Const) else ir.Get(self.begin(value))

    def call(self, function: ir.Function, *args: Code) -> tuple[Code, ...]:
        """The results of a function."""
        to = tuple(self.new(ty) for ty in function.results)
        self.add(ir.Call(function, args, to))
        return tuple(map(ir.Get, to))

    def store(self, op: str, address: Code, offset: int, value: Code) -> None:
        """Write a value into memory."""
        self.add(ir.Store(op, address, offset, value))

    # -------------------------------------------------------------------------------- structure
    @contextmanager
    def within(self, body: list[ir.Stmt]) -> Iterator[None]:
        """What is added meanwhile goes into this body."""
        self.bodies.append(body)
        try:
            yield
        finally:
            self.bodies.pop()

    @contextmanager
    def when(self, cond: Code) -> Iterator[None]:
        """What is added meanwhile is done only if the condition holds."""
        stmt = ir.If(cond, [], [])
        self.add(stmt)
        with self.within(stmt.then):
            yield

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """What is added meanwhile is done if the condition just before does not hold."""
        stmt = self.bodies[-1][-1]
        assert isinstance(stmt, ir.If) and not stmt.other
        with self.within(stmt.other):
            yield

    @contextmanager
    def block(self, name: str = "") -> Iterator[ir.Label]:
        """A block; a jump to its label leads to its end."""
        stmt = ir.Block(ir.Label(name), [])
        self.add(stmt)
        with self.within(stmt.body):
            yield stmt.label

    @contextmanager
    def loop(self, name: str = "") -> Iterator[ir.Label]:
        """A loop; a jump to its label goes round again."""
        stmt = ir.Loop(ir.Label(name), [])
        self.add(stmt)
        with self.within(stmt.body):
            yield stmt.label

    def jump(self, label: ir.Label, cond: Code | None = None) -> None:
        """Go to a label; if a condition is given, only if it holds."""
        if isinstance(cond, ir.Const):
            if cond.value:
                self.add(ir.Jump(label))
        else:
            self.add(ir.Jump(label, cond))

    def leave(self, *values: Code) -> None:
        """Leave the function with its results."""
        self.add(ir.Return(values))

    def note(self, text: str) -> None:
        """Say what comes next, for readers of the module's text."""
        if text:
            self.add(ir.Note(text))
