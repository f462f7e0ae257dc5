"""In which columns and rows of a board that grows cells lie.

Of all of its cells that is kept until the state changes.
"""

from __future__ import annotations

from interpreter.native import bits, ir
from interpreter.native.builder import Builder
from interpreter.native.ir import Code, Ty, op
from interpreter.native.layout import Grown
from interpreter.native.program import Program
from interpreter.native.shared import Says
from interpreter.native.values import Bits

_ROW = 24  # bytes of what is kept of a copy: when it was found, its columns, its rows


def lines_of_board(say: Says, board: Grown, copy: Code, columns: bool) -> Code:
    """The columns or rows of one copy of a board in which a cell lies now, as bits."""
    known = say.shared.lines.get(board.name)
    if known is None:
        known = say.shared.lines[board.name] = _kept(say, board)
    function, start = known
    (at,) = say.b.call(function, copy)
    return say.b.keep(ir.load("i64.load", at, start + (8 if columns else 16)))


def _kept(say: Says, board: Grown) -> tuple[ir.Function, int]:
    """The function of a copy that gives where its lines stand, and where all begin."""
    program = say.program
    start = program.buffer(_ROW * board.ground.copies)
    copy = ir.Register(Ty.I32, "copy")
    function = program.function(f"lines_{board.name}", [copy], [Ty.I32])
    b = Builder(function)
    at = b.keep(op("i32.mul", ir.Get(copy), ir.i32(_ROW)))
    epoch = ir.Get(program.epoch)
    with b.when(op("i64.eq", ir.load("i64.load", at, start), epoch)):
        b.leave(at)
    cells = bits.kept(b, say.shared.pieces.growing.here(b, board, ir.Get(copy)))
    for offset, columns in ((8, True), (16, False)):
        b.store("i64.store", at, start + offset, lines(b, cells, board, columns, program))
    b.store("i64.store", at, start, epoch)
    b.leave(at)
    return function, start


def lines(b: Builder, cells: Bits, board: Grown, columns: bool, program: Program) -> Code:
    """The columns or rows in which cells lie, of one copy or of all copies together, as bits.

    A row is read at the byte it begins in: it is never wider than 64 bits less those before it.
    """
    ground = board.ground
    assert max(ground.width, ground.height) + 7 <= 64
    copies = ground.copies if len(cells.words) == board.words else 1
    at = program.buffer(8 * (1 + len(cells.words)))
    bits.store(b, cells, ir.i32(0), at)
    found, row = b.begin(ir.i64(0), "found"), b.begin(ir.i32(0), "row")
    first, number = b.begin(ir.i32(0), "first"), b.begin(ir.i64(0), "number")
    with b.loop() as again:
        byte = op("i32.shr_u", ir.Get(first), ir.i32(3))
        rest = op("i64.extend_i32_u", op("i32.and", ir.Get(first), ir.i32(7)))
        held = op("i64.shr_u", ir.load("i64.load", byte, at), rest)
        here = b.keep(op("i64.and", held, ir.i64((1 << ground.width) - 1)))
        if columns:
            b.set(found, op("i64.or", ir.Get(found), here))
        else:
            some = op("i64.extend_i32_u", op("i64.ne", here, ir.i64(0)))
            b.set(found, op("i64.or", ir.Get(found), op("i64.shl", some, ir.Get(number))))
            after = op("i64.add", ir.Get(number), ir.i64(1))
            last = op("i64.eq", after, ir.i64(ground.height))
            b.set(number, ir.Select(last, ir.i64(0), after))
        b.set(first, op("i32.add", ir.Get(first), ir.i32(ground.width)))
        b.set(row, op("i32.add", ir.Get(row), ir.i32(1)))
        b.jump(again, op("i32.lt_u", ir.Get(row), ir.i32(ground.height * copies)))
    return b.keep(ir.Get(found))
