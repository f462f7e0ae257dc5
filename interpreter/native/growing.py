"""Boards that grow: the tiles that lie there, the cells they bring, and where another may lie.

A way to lay a tile is one number, its laying: that of its first cell, times how many ways there are
to turn a tile, and that of its way. So layings stand in the stable order of their lists of cells.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.native import bits, ir
from interpreter.native.builder import Builder
from interpreter.native.grounds import Table
from interpreter.native.ir import Code, op
from interpreter.native.layout import Grown
from interpreter.native.program import Program, Scope, Stop
from interpreter.native.values import WORD, Bits, Lowered, Members, Scalar, everything, words_of


class Growing:
    """What one program does with boards that grow."""

    def __init__(self, program: Program) -> None:
        """The layout says where they are."""
        self.program = program

    # -------------------------------------------------------------------------------- layings
    def _ways(self, board: Grown) -> tuple[int, int]:
        """A table: for each way how many cells it has and how far they are; and its row's bytes."""
        ways = [board.ground.deltas(turn) for turn in board.ground.turns]
        width = 1 + max(map(len, ways), default=0)
        rows = ([len(way), *way, *[0] * (width - 1 - len(way))] for way in ways)
        raw = b"".join(n.to_bytes(4, "little", signed=True) for row in rows for n in row)
        return self.program.table(raw), 4 * width

    def parts(self, b: Builder, board: Grown, laying: Code) -> tuple[Code, Code]:
        """The first cell of a laying, and its way."""
        count = ir.i32(len(board.ground.turns))
        return b.keep(op("i32.div_u", laying, count)), b.keep(op("i32.rem_u", laying, count))

    def cells(self, b: Builder, board: Grown, laying: Code) -> Members:
        """The cells of a laying in the order of the tile; of a negative one none."""
        table, width = self._ways(board)
        size = board.ground.size("cell")

        def each(body: Callable[[Lowered], None]) -> None:
            with b.block() as none:
                b.jump(none, op("i32.lt_s", laying, ir.i32(0)))
                first, way = self.parts(b, board, laying)
                row = b.keep(op("i32.mul", way, ir.i32(width)))
                end = b.keep(op("i32.mul", ir.load("i32.load", row, table), ir.i32(4)))
                at = b.begin(ir.i32(0), "at")
                with b.block() as done, b.loop() as again:
                    b.jump(done, op("i32.ge_u", ir.Get(at), end))
                    b.set(at, op("i32.add", ir.Get(at), ir.i32(4)))
                    delta = ir.load("i32.load", op("i32.add", row, ir.Get(at)), table)
                    body(Scalar(b.keep(op("i32.add", first, delta)), 0, size - 1))
                    b.jump(again)

        return Members(each, max(map(len, board.ground.turns)), frozen=True)

    def there_in_row(self, b: Builder, board: Grown, of: Scalar, rows: Table) -> Members:
        """The cells there are of a row of cells, each row one of a copy; of none there are none.

        The rows are in order, and as many for each copy of the board.
        """
        ground, size = board.ground, board.ground.size("cell")
        width = 1 + max(map(len, rows), default=0)
        listed = ([n + 1 for n in row] + [0] * (width - len(row)) for row in rows)
        table = self.program.table(b"".join(n.to_bytes(2, "little") for one in listed for n in one))

        def each(body: Callable[[Lowered], None]) -> None:
            with b.block() as done:
                if of.low < 0:
                    b.jump(done, op("i32.lt_s", of.code, ir.i32(0)))
                row, before = of.code, ir.i32(1)
                first: Code = before
                if ground.copies > 1:
                    copy = b.keep(op("i32.div_u", of.code, ir.i32(len(rows))))
                    row = op("i32.sub", row, op("i32.mul", copy, ir.i32(len(rows))))
                    stride = ir.i32(ground.stride("cell"))
                    first = b.keep(op("i32.sub", before, op("i32.mul", copy, stride)))
                at = b.begin(op("i32.mul", row, ir.i32(2 * width)), "at")
                with b.loop() as again:
                    held = b.keep(ir.load("i32.load16_u", ir.Get(at), table))
                    b.jump(done, op("i32.eqz", held))
                    b.set(at, op("i32.add", ir.Get(at), ir.i32(2)))
                    cell = b.keep(op("i32.sub", held, first))
                    b.jump(again, op("i32.lt_s", self.tile(board, cell), ir.i32(0)))
                    body(Scalar(cell, 0, size - 1))
                    b.jump(again)

        return Members(each, width - 1)

    def last(self, b: Builder, board: Grown, laying: Code) -> Code:
        """The last cell of a laying."""
        table, width = self._ways(board)
        first, way = self.parts(b, board, laying)
        row = b.keep(op("i32.mul", way, ir.i32(width)))
        end = op("i32.mul", ir.load("i32.load", row, table), ir.i32(4))
        return op("i32.add", first, ir.load("i32.load", op("i32.add", row, end), table))

    def turned(self, b: Builder, board: Grown, laying: Code, times: Code, scope: Scope) -> Code:
        """A laying after so many turns, from 0 on and less than all the way round."""
        ground, rounds = board.ground, len(board.ground.grid.directions)
        ways = range(len(ground.turns))
        after = [ground.turned(way, n) for way in ways for n in range(rounds)]
        moves = [(columns + rows * ground.width, way) for way, columns, rows in after]
        raw = b"".join(n.to_bytes(4, "little", signed=True) for move in moves for n in move)
        first, way = self.parts(b, board, laying)
        row = b.keep(op("i32.add", op("i32.mul", way, ir.i32(rounds)), times))
        if ground.whole:  # at the edge of the canvas it may not fit
            sets = [ground.turnable(way, n) for way in ways for n in range(rounds)]
            self._only_on(b, board, sets, row, first, scope)
        place, table = b.keep(op("i32.mul", row, ir.i32(8))), self.program.table(raw)
        moved = op("i32.add", first, ir.load("i32.load", place, table))
        made = op("i32.mul", moved, ir.i32(len(ground.turns)))
        return b.keep(op("i32.add", made, ir.load("i32.load", place, table + 4)))

    def _only_on(
        self,
        b: Builder,
        board: Grown,
        sets: list[frozenset[int]],
        row: Code,
        cell: Code,
        scope: Scope,
    ) -> None:
        """Leave it to the reference unless a cell is in the set of a row, of cells of one copy."""
        stride = board.ground.stride("cell")
        table = self.program.table(bytes(n in one for one in sets for n in range(stride)))
        at = op("i32.rem_u", cell, ir.i32(stride)) if board.ground.copies > 1 else cell
        place = op("i32.add", op("i32.mul", row, ir.i32(stride)), at)
        with b.when(op("i32.eqz", ir.load("i32.load8_u", place, table))):
            self.program.stop(b, Stop.ELSEWHERE, scope)

    # -------------------------------------------------------------------------------- tiles
    def tile(self, board: Grown, cell: Code) -> Code:
        """The tile a cell is of, -1 of none."""
        place = op("i32.mul", op("i32.add", cell, ir.i32(1)), ir.i32(2))
        return op("i32.sub", ir.load("i32.load16_u", place, board.tiles - 2), ir.i32(1))

    def order(self, board: Grown, cell: Code) -> Code:
        """The number of a cell on its tile, 0 of none."""
        return ir.load("i32.load8_u", op("i32.add", cell, ir.i32(1)), board.order - 1)

    def laying_of(self, board: Grown, piece: Code) -> Code:
        """How a tile is laid, -1 if it is not."""
        number = op("i32.mul", op("i32.sub", piece, ir.i32(board.first)), ir.i32(4))
        return op("i32.sub", ir.load("i32.load", number, board.laid), ir.i32(1))

    def present(self, b: Builder, board: Grown, copy: Code | None = None) -> Bits:
        """The cells that lie there, of one copy or of all."""
        copies = board.ground.copies
        row: Code = ir.i32(0)
        if copies > 1:
            row = op("i32.mul", ir.i32(copies) if copy is None else copy, ir.i32(8 * board.words))
        size = board.ground.size("cell")
        return bits.load(b.keep(row), board.words, size, board.present)

    def here(self, b: Builder, board: Grown, copy: Code) -> Bits:
        """The cells that lie there of one copy, numbered as if there were no other."""
        stride = board.ground.stride("cell")
        words = words_of(stride)
        if board.ground.copies == 1:
            return self.present(b, board, copy)
        first = b.keep(op("i32.mul", copy, ir.i32(stride)))
        row = op("i32.mul", copy, ir.i32(8 * board.words))
        at = b.keep(op("i32.add", row, op("i32.shr_u", first, ir.i32(3))))
        rest = b.keep(op("i64.extend_i32_u", op("i32.and", first, ir.i32(7))))
        found: list[Code] = []
        for offset in range(board.present, board.present + 8 * words, 8):
            low = op("i64.shr_u", ir.load("i64.load", at, offset), rest)
            after = op("i64.extend_i32_u", ir.load("i32.load8_u", at, offset + 8))
            high = op("i64.shl", after, op("i64.sub", ir.i64(WORD), rest))
            found.append(ir.Select(op("i64.eqz", rest), low, op("i64.or", low, high)))
        # What stands behind the row of a copy belongs to another one.
        return bits.combined("and", Bits(tuple(found), stride), everything(stride))

    def laid(self, b: Builder, board: Grown, piece: Code, laying: Code, scope: Scope) -> Code:
        """Write that a tile lies so; gives the number of the copy of its board."""
        ground, size = board.ground, board.ground.stride("cell")
        first, way = self.parts(b, board, laying)
        sets = [ground.fits(turn, ground.margin) for turn in ground.turns]
        self._only_on(b, board, sets, way, first, scope)
        copy: Code = ir.i32(0)
        if ground.copies > 1:
            copy = b.keep(op("i32.div_u", first, ir.i32(size)))
        cells, number = self.cells(b, board, laying), b.begin(ir.i32(0), "number")

        def free(cell: Lowered) -> None:
            assert isinstance(cell, Scalar)
            with b.when(op("i32.ge_s", self.tile(board, cell.code), ir.i32(0))):
                self.program.stop(b, Stop.ELSEWHERE, scope)

        def bring(cell: Lowered) -> None:
            assert isinstance(cell, Scalar)
            b.set(number, op("i32.add", ir.Get(number), ir.i32(1)))
            self._bring(b, board, cell.code, op("i32.add", piece, ir.i32(1)), ir.Get(number), copy)

        cells.each(free)
        cells.each(bring)
        place = op("i32.mul", op("i32.sub", piece, ir.i32(board.first)), ir.i32(4))
        b.store("i32.store", place, board.laid, op("i32.add", laying, ir.i32(1)))
        return copy

    def lifted(self, b: Builder, board: Grown, piece: Code, copy: Code) -> None:
        """Write that a tile lies no more where it lay."""
        laying = b.keep(self.laying_of(board, piece))

        def take(cell: Lowered) -> None:
            assert isinstance(cell, Scalar)
            self._bring(b, board, cell.code, ir.i32(0), ir.i32(0), copy)

        self.cells(b, board, laying).each(take)
        place = op("i32.mul", op("i32.sub", piece, ir.i32(board.first)), ir.i32(4))
        b.store("i32.store", place, board.laid, ir.i32(0))

    def _bring(
        self, b: Builder, board: Grown, cell: Code, held: Code, number: Code, copy: Code
    ) -> None:
        """A cell comes, or goes again."""
        b.store("i32.store16", op("i32.mul", cell, ir.i32(2)), board.tiles, held)
        b.store("i32.store8", cell, board.order, number)
        word = b.keep(op("i32.mul", op("i32.shr_u", cell, ir.i32(6)), ir.i32(8)))
        rows = [copy] if board.ground.copies == 1 else [copy, ir.i32(board.ground.copies)]
        for row in rows:
            at = b.keep(op("i32.add", op("i32.mul", row, ir.i32(8 * board.words)), word))
            held_there = ir.load("i64.load", at, board.present)
            turned = op("i64.xor", held_there, bits.one_bit(cell))
            b.store("i64.store", at, board.present, turned)
