"""Where a tile may lie beside what a board has grown to: a set of first cells for each way.

What is found is kept until the state changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from interpreter.native import bits, ir
from interpreter.native.builder import Builder
from interpreter.native.grounds import Ground
from interpreter.native.growing import Growing
from interpreter.native.ir import Code, Ty, op
from interpreter.native.layout import Grown
from interpreter.native.program import Program
from interpreter.native.values import WORD, Bits, Lowered, Members, Scalar, bits_of
from rulelang.geometry.shapes import Shape, orientations


class Spots:
    """The layings of one program that are open."""

    def __init__(self, program: Program, growing: Growing) -> None:
        """The function for a board is written when it is first asked for."""
        self.program, self.growing = program, growing
        self._finding: dict[tuple[str, bool], tuple[ir.Function, int]] = {}

    def members(self, b: Builder, board: Grown, tile: Scalar, copy: Code, corners: bool) -> Members:
        """Every way to lay a tile beside what there is, in the stable order.

        Beside is by a side or, if corners count, by a corner; on a board without cells the first
        tile lies in the middle, as it is or, if corners count, turned any way.
        """
        ways, words = len(board.ground.turns), board.words
        function, start = self._found(board, corners)
        shapes = list(dict.fromkeys(board.ground.tiles))
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
        row = b.keep(ir.Get(at))

        def each(body: Callable[[Lowered], None]) -> None:
            def laid(first: Code, way: Code) -> None:
                laying = op("i32.add", op("i32.mul", first, ir.i32(ways)), way)
                body(Scalar(b.keep(laying), 0, ways * board.ground.size("cell") - 1))

            with b.block() as none:
                if tile.low < 0:
                    b.jump(none, nobody)
                each_open(b, ways, words, b.keep(op("i32.add", row, ir.i32(start + 8))), laid)

        def contains(item: Lowered) -> Code:
            assert isinstance(item, Scalar)
            with_one = b.begin(ir.i32(0), "open")
            known = op("i32.ge_s", item.code, ir.i32(0))
            if tile.low < 0:
                known = op("i32.and", known, op("i32.eqz", nobody))
            with b.when(known):
                first, way = self.growing.parts(b, board, item.code)
                place = op("i32.add", row, op("i32.mul", way, ir.i32(8 * words)))
                b.set(with_one, is_open(first, op("i32.add", place, ir.i32(start + 8))))
            return ir.Get(with_one)

        def count() -> Code:
            at = b.keep(op("i32.add", row, ir.i32(start + 8)))
            known = count_open(ways * words, at)
            return ir.Select(nobody, ir.i64(0), known) if tile.low < 0 else known

        most = ways * board.ground.size("cell")
        return Members(each, most, frozen=True, contains=contains, count=count)

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

        Before the sets stands when they were found.
        """
        key = (board.name, corners)
        if key not in self._finding:
            shapes = list(dict.fromkeys(board.ground.tiles))
            stride = 8 + 8 * board.words * len(board.ground.turns)
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
            here = bits.kept(b, self.growing.present(b, board, copy))
            for one, tile in enumerate(shapes):
                with b.when(op("i32.eq", shape, ir.i32(one))):
                    with b.when(bits.some(here)):
                        self._beside(b, board, tile, here, (at, start + 8, corners))
                    with b.otherwise():
                        self._first(b, board, tile, copy, (at, start + 8, corners))
            b.leave(at)
        return self._finding[key]

    @staticmethod
    def _first(
        b: Builder, board: Grown, tile: Shape, copy: Code, into: tuple[Code, int, bool]
    ) -> None:
        """The first tile."""
        (at, start, corners), ground = into, board.ground
        turns = orientations(tile, ground.grid.kind, ordered=True) if corners else (tile,)
        for turn in turns:
            (column, row), *_ = turn
            way = ground.turns.index(tuple((c - column, r - row) for c, r in turn))
            local = ground.middle + row * ground.width + column
            place = op("i32.mul", copy, ir.i32(ground.stride("cell")))
            cell = b.keep(op("i32.add", place, ir.i32(local)))
            word = op("i32.mul", _word(cell), ir.i32(8))
            there = b.keep(op("i32.add", at, word))
            offset = start + 8 * board.words * way
            held = op("i64.or", ir.load("i64.load", there, offset), bits.one_bit(cell))
            b.store("i64.store", there, offset, held)

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
            fits = in_all_copies(ground, ground.fits(outline))
            found = bits.without(bits.combined("and", beside, fits), taken)
            found = bits.kept(b, found)
            for way, by in ways:
                bits.store(b, shifted(found, by), at, start + 8 * board.words * way)


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
    """What a table of the canvas gives for any of some cells."""
    reached: dict[int, set[int]] = {}
    for cell, row in enumerate(ground.within(around, "cell", "cell")):
        for other in row:
            reached.setdefault(other - cell, set()).add(other)
    found = bits.without(here, here)
    for delta in sorted(reached):
        there = in_all_copies(ground, frozenset(reached[delta]))
        found = bits.combined("or", found, bits.combined("and", shifted(here, delta), there))
    return found


def each_open(
    b: Builder, ways: int, words: int, at: Code, body: Callable[[Code, Code], None]
) -> None:
    """A loop over first cells, and for each over the ways that are open from there.

    The sets of first cells stand one behind the other.
    """
    word, left, way = b.begin(ir.i32(0), "word"), b.new(Ty.I64, "left"), b.new(Ty.I32, "way")
    with b.block() as done, b.loop() as next_word:
        b.jump(done, op("i32.ge_u", ir.Get(word), ir.i32(words)))
        here = b.keep(op("i32.add", at, op("i32.mul", ir.Get(word), ir.i32(8))))
        some: Code = ir.i64(0)
        for one in range(ways):
            more = ir.load("i64.load", here, 8 * words * one)
            some = more if one == 0 else op("i64.or", some, more)
        b.set(left, some)
        with b.block() as empty, b.loop() as next_cell:
            b.jump(empty, op("i64.eqz", ir.Get(left)))
            bit = b.keep(op("i64.ctz", ir.Get(left)))
            lower = op("i64.sub", ir.Get(left), ir.i64(1))
            b.set(left, op("i64.and", ir.Get(left), lower))
            in_word = op("i32.mul", ir.Get(word), ir.i32(WORD))
            first = b.keep(op("i32.add", in_word, op("i32.wrap_i64", bit)))
            b.set(way, ir.i32(0))
            with b.block() as all_ways, b.loop() as next_way:
                b.jump(all_ways, op("i32.ge_u", ir.Get(way), ir.i32(ways)))
                now = b.keep(ir.Get(way))
                b.set(way, op("i32.add", now, ir.i32(1)))
                place = op("i32.add", here, op("i32.mul", now, ir.i32(8 * words)))
                held = op("i64.shr_u", ir.load("i64.load", place), bit)
                b.jump(next_way, op("i64.eqz", op("i64.and", held, ir.i64(1))))
                body(first, now)
                b.jump(next_way)
            b.jump(next_cell)
        b.set(word, op("i32.add", ir.Get(word), ir.i32(1)))
        b.jump(next_word)


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


def in_all_copies(ground: Ground, cells: frozenset[int]) -> Bits:
    stride = ground.stride("cell")
    members = frozenset(n + copy * stride for n in cells for copy in range(ground.copies))
    return bits_of(members, ground.size("cell"))


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
