"""What was tried is undone word by word: before a word of the state is written its bytes are noted.

Only functions that a choice may come to write the state for good, so only in these is it noted, and
only while something is tried. A word is noted once between two marks.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.native import ir
from interpreter.native.builder import Builder
from interpreter.native.ir import Code, Ty, op
from interpreter.native.layout import STATE
from interpreter.native.program import Program

_NOTE = 16  # bytes: where a word stands, and what it was
_WIDTH = {"i32.store": 4, "i64.store": 8, "i32.store8": 1, "i32.store16": 2}


class Undoing:
    """The notes of one program."""

    def __init__(self, program: Program, most: int) -> None:
        """There are at most so many marks at a time; the layout must be complete."""
        self.program = program
        self.size = -(-program.layout.size // 8) * 8
        self.notes = program.buffer(_NOTE * (self.size // 8) * most)
        self.noted_at = program.buffer(self.size)  # since which mark each word is noted
        self.end = program.shared(Ty.I32, "notes_end")
        self.mark = program.shared(Ty.I64, "notes_mark")
        params = ir.Register(Ty.I32, "at"), ir.Register(Ty.I32, "size")
        self._note = program.function("note_before", params, [])
        self._undo = program.function("undo_to", [ir.Register(Ty.I32, "mark")], [])
        self._written()

    # -------------------------------------------------------------------------------- marks
    def begin(self, b: Builder) -> None:
        """Nothing is noted so far."""
        b.set(self.end, ir.i32(self.notes))

    def here(self, b: Builder) -> Code:
        """A mark to which can be undone."""
        return b.keep(ir.Get(self.end))

    def anew(self, b: Builder) -> None:
        """What is written from here on is noted again."""
        b.set(self.mark, op("i64.add", ir.Get(self.mark), ir.i64(1)))

    def undo(self, b: Builder, mark: Code) -> None:
        """The state is again as it was at a mark."""
        b.add(ir.Call(self._undo, (mark,), ()))

    def _written(self) -> None:
        b = Builder(self._note)
        at, size = map(ir.Get, self._note.params)
        first = b.keep(op("i32.sub", at, ir.i32(STATE)))
        with b.when(op("i32.ge_u", first, ir.i32(self.size))):
            b.leave()
        word = b.begin(op("i32.and", first, ir.i32(-8)), "word")
        end = b.keep(op("i32.add", first, size))
        with b.block() as done, b.loop() as again:
            b.jump(done, op("i32.ge_u", ir.Get(word), end))
            noted = ir.load("i64.load", ir.Get(word), self.noted_at)
            with b.when(op("i64.ne", noted, ir.Get(self.mark))):
                b.store("i64.store", ir.Get(word), self.noted_at, ir.Get(self.mark))
                b.store("i32.store", ir.Get(self.end), 0, ir.Get(word))
                b.store("i64.store", ir.Get(self.end), 8, ir.load("i64.load", ir.Get(word), STATE))
                b.set(self.end, op("i32.add", ir.Get(self.end), ir.i32(_NOTE)))
            b.set(word, op("i32.add", ir.Get(word), ir.i32(8)))
            b.jump(again)
        b = Builder(self._undo)
        mark = ir.Get(self._undo.params[0])
        with b.block() as done, b.loop() as again:
            b.jump(done, op("i32.le_u", ir.Get(self.end), mark))
            b.set(self.end, op("i32.sub", ir.Get(self.end), ir.i32(_NOTE)))
            word_at = b.keep(ir.load("i32.load", ir.Get(self.end)))
            b.store("i64.store", word_at, STATE, ir.load("i64.load", ir.Get(self.end), 8))
            b.jump(again)

    # -------------------------------------------------------------------------------- what is noted
    def noting(self, take: ir.Function) -> None:
        """Note what is written by a function and those that it calls; all must be complete."""
        seen, left = {self._note, self._undo}, [take]
        while left:
            function = left.pop()
            if function in seen:
                continue
            seen.add(function)
            left += self._within(function.body)

    def _within(self, body: list[ir.Stmt]) -> Iterator[ir.Function]:
        """Have a body note what it writes; gives the functions that it calls."""
        at = 0
        while at < len(body):
            stmt = body[at]
            match stmt:
                case ir.Call():
                    yield stmt.function
                case ir.If():
                    yield from self._within(stmt.then)
                    yield from self._within(stmt.other)
                case ir.Block() | ir.Loop():
                    yield from self._within(stmt.body)
                case ir.Store():
                    width = ir.i32(_WIDTH[stmt.op])
                    at += self._before(body, at, (stmt.address, stmt.offset), width)
                case ir.Copy() | ir.Fill():
                    at += self._before(body, at, (stmt.to, 0), stmt.size)
                case _:
                    pass
            at += 1

    def _before(self, body: list[ir.Stmt], at: int, to: tuple[Code, int], size: Code) -> int:
        """Write before a statement that bytes are noted, unless they are none of the state; gives
        how many statements that are.
        """
        address, offset = to
        known = isinstance(address, ir.Const)
        least = offset + (address.value if isinstance(address, ir.Const) else 0)
        if least >= STATE + self.size or (known and least < STATE):
            return 0
        noted = ir.Call(self._note, (op("i32.add", address, ir.i32(offset)), size), ())
        body.insert(at, ir.If(ir.Get(self.program.searching), [noted], []))
        return 1
