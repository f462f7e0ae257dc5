"""The rim of a board that grows: the sides beyond which the outside lies, and no enclosed hole.

No tile lies at the edge of what is kept. What is found is kept until the state changes.
"""

from __future__ import annotations

from interpreter.native import bits, ir
from interpreter.native.builder import Builder
from interpreter.native.ir import Code, Ty, op
from interpreter.native.layout import Grown
from interpreter.native.nearby import Nearby
from interpreter.native.shared import Says
from interpreter.native.spots import in_copies, is_open, spread
from interpreter.native.values import Bits


def is_outer(say: Says, board: Grown, side: Code) -> Code:
    """Is a side, which may be used many times, between a cell of the board and the outside?"""
    known = say.shared.rims.get(board.name)
    if known is None:
        known = say.shared.rims[board.name] = _found(say, board)
    function, start = known
    copy: Code = ir.i32(0)
    if board.ground.copies > 1:
        copy = op("i32.div_u", side, ir.i32(board.ground.stride("side")))
    (at,) = say.b.call(function, copy)
    return is_open(side, op("i32.add", at, ir.i32(start + 8)))


def _found(say: Says, board: Grown) -> tuple[ir.Function, int]:
    """The function of a copy that gives where the set of its outer sides stands, and where all
    begin. Before a set stands when it was found.
    """
    program, ground = say.program, board.ground
    words = -(-ground.size("side") // 64)
    start = program.buffer((8 + 8 * words) * ground.copies)
    copy = ir.Register(Ty.I32, "copy")
    function = program.function(f"rim_{board.name}", [copy], [Ty.I32])
    b = Builder(function)
    at = b.keep(op("i32.mul", ir.Get(copy), ir.i32(8 + 8 * words)))
    epoch = ir.Get(program.epoch)
    with b.when(op("i64.eq", ir.load("i64.load", at, start), epoch)):
        b.leave(at)
    b.store("i64.store", at, start, epoch)
    here = bits.kept(b, say.shared.pieces.growing.present(b, board, ir.Get(copy)))
    outside = _outside(b, board, here)
    near = spread(ground, ground.grid.neighbors, here)
    beyond = bits.kept(b, bits.combined("and", near, outside))
    beside = Nearby(program, ground, ground.grid.sides_of, "cell", "side")
    mine, theirs = (beside.of_all(b, cells) for cells in (here, beyond))
    found = bits.combined("and", mine, theirs)
    bits.store(b, found, at, start + 8)
    b.leave(at)
    return function, start


def _outside(b: Builder, board: Grown, here: Bits) -> Bits:
    """The cells without a tile from which a walk over such cells leads to the edge."""
    ground = board.ground
    rows = ground.within(ground.grid.neighbors, "cell", "cell")
    most = len(ground.grid.directions)
    rim = frozenset(cell for cell, row in enumerate(rows) if len(row) < most)
    first = bits.without(in_copies(ground, rim, here.size), here)
    found = [b.begin(word, "outside") for word in first.words]
    with b.loop() as again:
        now = bits.kept(b, Bits(tuple(map(ir.Get, found)), here.size))
        more = bits.without(spread(ground, ground.grid.neighbors, now), here)
        whole = bits.kept(b, bits.combined("or", now, more))
        for register, word in zip(found, whole.words, strict=True):
            b.set(register, word)
        b.jump(again, ir.negated(bits.equal(now, whole)))
    return bits.kept(b, Bits(tuple(map(ir.Get, found)), here.size))
