"""Where a tile may lie beside what a board has grown to: a set of first cells for each way.

What is found is kept until the state changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from interpreter.native import bits, ir
from interpreter.native.builder import Builder
from interpreter.native.grounds import Ground
from interpreter.native.growing import Growing
from interpreter.native.ir import Code, Ty, op
from interpreter.native.layout import Grown
from interpreter.native.program import Program
from interpreter.native.values import WORD, Bits, Lowered, Members, Scalar, bits_of, words_of
from rulelang.geometry.shapes import Shape, orientations


class Spots:
    """The layings of one program that are open."""

    def __init__(self, program: Program, growing: Growing) -> None:
        """The function for a board is written when it is first asked for."""
        self.program, self.growing = program, growing
        self._finding: dict[tuple[str, bool], tuple[ir.Function, int]] = {}

    def members(
        self,
        b: Builder,
        board: Grown,
        tile: Scalar,
        copy: Code,
        corners: bool,
    ) -> Members:
        """Every way to lay a tile beside what there is, in the stable order.

        Beside is by a side or, if corners count, by a corner; on a board without cells the first
        tile lies in the middle, as it is or, if corners count, turned any way.
        """
        ground, words = board.ground, _words(board)
        ways, stride = len(ground.turns), ground.stride("cell")
        function, start = self._found(board, corners)
        shapes = list(dict.fromkeys(ground.tiles))
        setup = self.program.setup
        pieces = setup.by_component[board.component]
        shape_of = {piece: shapes.index(setup.tile_shape(piece)) for piece in pieces}
        every = range(board.first, 1 + max(pieces))
        table = self.program.table(bytes(shape_of.get(piece, 0) for piece in every))
        nobody = op("i32.lt_s", tile.code, ir.i32(0))
        at = b.begin(ir.i32(0), "spots")
        if tile.low < 0:
            with b.when(op("i32.eqz", nobody)):
                self._find(b, function, board, (tile.code, copy, table), at)
        else:
            self._find(b, function, board, (tile.code, copy, table), at)
        row = b.keep(op("i32.add", ir.Get(at), ir.i32(start + 8)))
        before = b.keep(op("i32.mul", copy, ir.i32(stride)))

        def each(some: Sequence[int], body: Callable[[Lowered], None]) -> None:
            def laid(cell: Code, way: Code) -> None:
                first = op("i32.add", cell, before)
                laying = op("i32.add", op("i32.mul", first, ir.i32(ways)), way)
                body(Scalar(b.keep(laying), 0, ways * ground.size("cell") - 1))

            with b.block() as none:
                if tile.low < 0:
                    b.jump(none, nobody)
                each_open(b, some, words, row, laid)

        def contains(item: Lowered) -> Code:
            assert isinstance(item, Scalar)
            with_one = b.begin(ir.i32(0), "open")
            known = op("i32.ge_s", item.code, ir.i32(0))
            if tile.low < 0:
                known = op("i32.and", known, op("i32.eqz", nobody))
            with b.when(known):
                first, way = self.growing.parts(b, board, item.code)
                cell = b.keep(op("i32.sub", first, before))
                place = b.keep(op("i32.add", row, op("i32.mul", way, ir.i32(8 * words))))
                with b.when(op("i32.lt_u", cell, ir.i32(stride))):  # of another copy it is not
                    b.set(with_one, is_open(cell, place))
            return ir.Get(with_one)

        def count() -> Code:
            known = count_open(ways * words, row)
            return ir.Select(nobody, ir.i64(0), known) if tile.low < 0 else known

        most = ways * ground.size("cell")

        def among(only: frozenset[int]) -> Members | None:
            some = ways_among(ground, only)
            return None if some is None else Members(partial(each, some), most, frozen=True)

        whole = partial(each, range(ways))
        return Members(whole, most, frozen=True, contains=contains, count=count, among=among)

    def _find(
        self,
        b: Builder,
        function: ir.Function,
        board: Grown,
        given: tuple[Code, Code, int],
        at: ir.Register,
    ) -> None:
        """Find the sets for a tile and a copy of the board, and where they stand."""
        tile, copy, table = given
        number = op("i32.sub", tile, ir.i32(board.first)) if board.first else tile
        shape = ir.load("i32.load8_u", number, table)
        b.add(ir.Call(function, (shape, copy), (at,)))

    # -------------------------------------------------------------------------------- finding
    def _found(self, board: Grown, corners: bool) -> tuple[ir.Function, int]:
        """The function of a shape and a copy that gives where the sets stand, and where all begin.

        They are of cells numbered as if there were no other copy. Before them stands when they were
        found.
        """
        key = (board.name, corners)
        if key not in self._finding:
            shapes = list(dict.fromkeys(board.ground.tiles))
            stride = 8 + 8 * _words(board) * len(board.ground.turns)
            start = self.program.buffer(stride * len(shapes) * board.ground.copies)
            params = [ir.Register(Ty.I32, name) for name in ("shape", "copy")]
            function = self.program.function(f"spots_{board.name}", params, [Ty.I32])
            self._finding[key] = function, start
            b = Builder(function)
            shape, copy = map(ir.Get, params)
            number = op("i32.add", op("i32.mul", shape, ir.i32(board.ground.copies)), copy)
            at = b.keep(op("i32.mul", number, ir.i32(stride)))
            epoch = ir.Get(self.program.epoch)
            with b.when(op("i64.eq", ir.load("i64.load", at, start), epoch)):
                b.leave(at)
            b.store("i64.store", at, start, epoch)
            b.add(ir.Fill(op("i32.add", at, ir.i32(start + 8)), ir.i32(0), ir.i32(stride - 8)))
            here = bits.kept(b, self.growing.here(b, board, copy))
            for one, tile in enumerate(shapes):
                with b.when(op("i32.eq", shape, ir.i32(one))):
                    with b.when(bits.some(here)):
                        self._beside(b, board, tile, here, (at, start + 8, corners))
                    with b.otherwise():
                        self._first(b, board, tile, (at, start + 8, corners))
            b.leave(at)
        return self._finding[key]

    @staticmethod
    def _first(b: Builder, board: Grown, tile: Shape, into: tuple[Code, int, bool]) -> None:
        """The first tile."""
        (at, start, corners), ground = into, board.ground
        turns = orientations(tile, ground.grid.kind, ordered=True) if corners else (tile,)
        for turn in turns:
            (column, row), *_ = turn
            way = ground.turns.index(tuple((c - column, r - row) for c, r in turn))
            cell = ground.middle + row * ground.width + column
            offset = start + 8 * (_words(board) * way + cell // WORD)
            held = op("i64.or", ir.load("i64.load", at, offset), ir.i64(1 << cell % WORD))
            b.store("i64.store", at, offset, held)

    def _beside(
        self, b: Builder, board: Grown, tile: Shape, here: Bits, into: tuple[Code, int, bool]
    ) -> None:
        """The ways to lie on free cells of which some is beside what is there."""
        (at, start, corners), ground = into, board.ground
        around = ground.grid.surround if corners else ground.grid.neighbors
        edge = bits.kept(b, bits.without(spread(ground, around, here), here))
        for outline, ways in _by_outline(ground, ground.turns_of(tile)).items():
            beside: Bits | None = None
            taken: Bits | None = None
            for delta in ground.deltas(outline):
                more, used = (shifted(one, -delta) for one in (edge, here))
                beside = more if beside is None else bits.combined("or", beside, more)
                taken = used if taken is None else bits.combined("or", taken, used)
            assert beside is not None and taken is not None
            fits = in_copies(ground, ground.fits(outline), here.size)
            found = bits.without(bits.combined("and", beside, fits), taken)
            found = bits.kept(b, found)
            for way, by in ways:
                bits.store(b, shifted(found, by), at, start + 8 * _words(board) * way)


def _words(board: Grown) -> int:
    """The words of a set of the cells of one copy."""
    return words_of(board.ground.stride("cell"))


def ways_among(ground: Ground, only: frozenset[int]) -> tuple[int, ...] | None:
    """The ways of which all layings are among some, if of the others none is."""
    ways, stride = len(ground.turns), ground.stride("cell")
    found = list[int]()
    for way, turn in enumerate(ground.turns):
        fits = ground.fits(turn)
        cells = (cell + copy * stride for copy in range(ground.copies) for cell in fits)
        some = {cell * ways + way in only for cell in cells}
        if some == {True}:
            found.append(way)
        elif True in some:
            return None
    return tuple(found)


def _by_outline(ground: Ground, ways: tuple[int, ...]) -> dict[Shape, list[tuple[int, int]]]:
    """Ways to turn a tile by the cells that it covers, from the least of them; with each way how
    much farther its own first cell is.
    """
    found: dict[Shape, list[tuple[int, int]]] = {}
    for way in ways:
        cells = sorted(ground.turns[way], key=lambda cell: (cell[1], cell[0]))
        column, row = cells[0]
        outline = tuple((c - column, r - row) for c, r in cells)
        found.setdefault(outline, []).append((way, -(row * ground.width + column)))
    return found


def spread(ground: Ground, around: Sequence[Sequence[int]], here: Bits) -> Bits:
    """What a table of the canvas gives for any of some cells, of one copy or of all."""
    reached: dict[int, set[int]] = {}
    for cell, row in enumerate(ground.within(around, "cell", "cell")):
        for other in row:
            reached.setdefault(other - cell, set()).add(other)
    found = bits.without(here, here)
    for delta in sorted(reached):
        there = in_copies(ground, frozenset(reached[delta]), here.size)
        found = bits.combined("or", found, bits.combined("and", shifted(here, delta), there))
    return found


def each_open(
    b: Builder, ways: Sequence[int], words: int, at: Code, body: Callable[[Code, Code], None]
) -> None:
    """A loop over first cells, and for each over those of some ways that are open from there.

    The sets of first cells stand one behind the other, one for each way there is.
    """
    stride = 8 * words
    word, left = b.begin(ir.i32(0), "word"), b.new(Ty.I64, "left")
    with b.block() as done, b.loop() as next_word:
        b.jump(done, op("i32.ge_u", ir.Get(word), ir.i32(words)))
        here = b.keep(op("i32.add", at, op("i32.mul", ir.Get(word), ir.i32(8))))
        some: Code = ir.i64(0)
        for way in ways:
            some = op("i64.or", some, ir.load("i64.load", here, stride * way))
        b.set(left, some)
        with b.block() as empty, b.loop() as next_cell:
            b.jump(empty, op("i64.eqz", ir.Get(left)))
            bit = b.keep(op("i64.ctz", ir.Get(left)))
            lower = op("i64.sub", ir.Get(left), ir.i64(1))
            b.set(left, op("i64.and", ir.Get(left), lower))
            in_word = op("i32.mul", ir.Get(word), ir.i32(WORD))
            first = b.keep(op("i32.add", in_word, op("i32.wrap_i64", bit)))
            if len(ways) == 1:
                body(first, ir.i32(ways[0]))
            else:
                _each_way(b, ways, stride, here, bit, partial(body, first))
            b.jump(next_cell)
        b.set(word, op("i32.add", ir.Get(word), ir.i32(1)))
        b.jump(next_word)


def _each_way(
    b: Builder,
    ways: Sequence[int],
    stride: int,
    here: Code,
    bit: Code,
    body: Callable[[Code], None],
) -> None:
    """A loop over those of some ways in whose word, so many bytes from the one before, a bit is."""
    low, high = min(ways, default=0), max(ways, default=-1)
    missing = frozenset(range(low, high + 1)) - set(ways)
    way = b.begin(ir.i32(low), "way")
    with b.block() as done, b.loop() as again:
        b.jump(done, op("i32.gt_s", ir.Get(way), ir.i32(high)))
        now = b.keep(ir.Get(way))
        b.set(way, op("i32.add", now, ir.i32(1)))
        for one in missing:
            b.jump(again, op("i32.eq", now, ir.i32(one)))
        place = op("i32.add", here, op("i32.mul", now, ir.i32(stride)))
        held = op("i64.shr_u", ir.load("i64.load", place), bit)
        b.jump(again, op("i64.eqz", op("i64.and", held, ir.i64(1))))
        body(now)
        b.jump(again)


def count_open(words: int, at: Code) -> Code:
    """How many members the sets have that stand there, in so many words."""
    found: Code = ir.i64(0)
    for word in range(words):
        found = op("i64.add", found, op("i64.popcnt", ir.load("i64.load", at, 8 * word)))
    return found


def is_open(first: Code, at: Code) -> Code:
    """Is a first cell in the set that stands there?"""
    place = op("i32.add", at, op("i32.mul", _word(first), ir.i32(8)))
    return op("i64.ne", op("i64.and", ir.load("i64.load", place), bits.one_bit(first)), ir.i64(0))


def _word(cell: Code) -> Code:
    return op("i32.shr_u", cell, ir.i32(6))


def in_copies(ground: Ground, cells: frozenset[int], size: int) -> Bits:
    """Cells of a copy: of each one, in a set of all cells, or in a set of so few as one has."""
    stride = ground.stride("cell")
    copies = 1 if size == stride else ground.copies
    return bits_of(frozenset(n + copy * stride for n in cells for copy in range(copies)), size)


def shifted(found: Bits, by: int) -> Bits:
    """Every member so much larger; what passes either end is lost."""
    words, (far, rest) = found.words, divmod(by, WORD)
    made: list[Code] = []
    for at in range(len(words)):
        low, high = at - far, at - far - 1
        parts: list[Code] = []
        if 0 <= low < len(words):
            parts.append(op("i64.shl", words[low], ir.i64(rest)) if rest else words[low])
        if rest and 0 <= high < len(words):
            parts.append(op("i64.shr_u", words[high], ir.i64(WORD - rest)))
        made.append(op("i64.or", *parts) if len(parts) == 2 else parts[0] if parts else ir.i64(0))
    return Bits(tuple(made), found.size)
