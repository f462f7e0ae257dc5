"""What a shape can cover of a board that grows: for each way to turn it a set of least cells.

What is found is kept until the state changes.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.native import bits, ir
from interpreter.native.builder import Builder
from interpreter.native.grounds import Ground
from interpreter.native.growing import Growing
from interpreter.native.ir import Code, Ty, op
from interpreter.native.layout import Grown
from interpreter.native.program import Program, Scope, Stop
from interpreter.native.spots import count_open, each_open, in_copies, is_open, shifted
from interpreter.native.values import Bits, Lowered, Members, Scalar, words_of
from rulelang.core.types import SHAPE, non_optional
from rulelang.geometry.shapes import orientations, parse_shape

Way = tuple[tuple[int, int], ...]  # how many rows and columns the cells are from the least one


class Footprints:
    """The footprints of one program, on boards that grow."""

    def __init__(self, program: Program, growing: Growing) -> None:
        """The function for a board is written when it is first asked for."""
        self.program, self.growing = program, growing
        self._finding: dict[str, tuple[ir.Function, int]] = {}
        self._within: dict[str, tuple[ir.Function, int]] = {}
        fields = [f for c in program.ruleset.components.values() for f in c.fields]
        names = {name for name, t in fields if non_optional(t) == SHAPE}
        printed = {v for name in names for v in program.setup.fields[name] if isinstance(v, str)}
        self.shapes = sorted(printed)

    def members(self, b: Builder, board: Grown, shape: Scalar, copy: Code) -> Members:
        """Every set of cells that a shape can cover, turned any way, in the stable order."""
        ground, ways = board.ground, self._ways(board.ground)
        function, start = self._found(board)
        at = b.begin(ir.i32(0), "footprints")
        known = op("i32.ge_s", shape.code, ir.i32(0))
        with b.when(known):
            b.add(ir.Call(function, (shape.code, copy), (at,)))
        row = b.keep(op("i32.add", ir.Get(at), ir.i32(start + 8)))
        size, words = ground.size("cell"), board.words

        def each(body: Callable[[Lowered], None]) -> None:
            with b.block() as none:
                b.jump(none, ir.negated(known))
                self._each(b, board, row, body)

        def contains(item: Lowered) -> Code:
            assert isinstance(item, Bits)
            item = bits.kept(b, item)
            found, first = b.begin(ir.i32(0), "covers"), b.keep(bits.first(item))
            with b.when(op("i32.and", known, op("i32.ge_s", first, ir.i32(0)))):
                for number, way in enumerate(ways):
                    sets = op("i32.add", row, ir.i32(8 * words * number))
                    with b.when(is_open(first, sets)):
                        whole = Bits((ir.i64(0),) * words, size)
                        for delta in _deltas(ground, way):
                            cell = b.keep(op("i32.add", first, ir.i32(delta)))
                            one = bits.single(cell, size, words)
                            whole = bits.kept(b, bits.combined("or", whole, one))
                        b.set(found, op("i32.or", ir.Get(found), bits.equal(item, whole)))
            return ir.Get(found)

        def count() -> Code:
            return ir.Select(known, count_open(len(ways) * words, row), ir.i64(0))

        most = len(ways) * size
        return Members(each, most, frozen=True, contains=contains, count=count)

    def within(self, b: Builder, board: Grown, shape: Scalar, copy: Code, cells: Bits) -> Members:
        """Only those that lie within a set of cells, each worked out when it is come to."""
        some = op("i32.and", bits.some(cells), op("i32.ge_s", shape.code, ir.i32(0)))
        known = b.keep(some)
        function, start = self._found_within(board)
        with b.when(known):
            b.add(ir.Call(function, (shape.code, copy, *cells.words), ()))

        def each(body: Callable[[Lowered], None]) -> None:
            with b.block() as none:
                b.jump(none, ir.negated(known))
                self._each(b, board, ir.i32(start), body)

        return Members(each, len(self._ways(board.ground)) * board.ground.size("cell"))

    def _each(self, b: Builder, board: Grown, row: Code, body: Callable[[Lowered], None]) -> None:
        """A loop over the footprints whose sets of least cells stand there."""
        ground, ways = board.ground, self._ways(board.ground)
        size, words = ground.size("cell"), board.words
        width = 1 + max(map(len, ways), default=0)
        rows = (_padded(_deltas(ground, way), width) for way in ways)
        table = self.program.table(b"".join(n.to_bytes(4, "little") for one in rows for n in one))

        def covered(first: Code, way: Code) -> None:
            made = [b.begin(ir.i64(0), "covered") for _ in range(words)]
            place = b.keep(op("i32.mul", way, ir.i32(4 * width)))
            left = b.begin(ir.load("i32.load", place, table), "left")
            with b.loop() as again:
                delta = op("i32.add", place, op("i32.mul", ir.Get(left), ir.i32(4)))
                cell = b.keep(op("i32.add", first, ir.load("i32.load", delta, table)))
                bits.insert(b, made, cell, size)
                b.set(left, op("i32.sub", ir.Get(left), ir.i32(1)))
                b.jump(again, ir.Get(left))
            body(Bits(tuple(map(ir.Get, made)), size))

        each_open(b, range(len(ways)), words, row, covered)

    # -------------------------------------------------------------------------------- finding
    def _ways(self, ground: Ground) -> list[Way]:
        """All ways to turn any shape, those of one shape in the stable order of what they cover."""
        return sorted({way for shape in self.shapes for way in _ways_of(ground, shape)})

    def _found(self, board: Grown) -> tuple[ir.Function, int]:
        """The function of a shape and a copy that gives where the sets stand, and where all begin.

        Before the sets stands when they were found.
        """
        if board.name not in self._finding:
            ground, ways = board.ground, self._ways(board.ground)
            stride = 8 + 8 * board.words * len(ways)
            start = self.program.buffer(stride * (1 + len(self.shapes)) * ground.copies)
            params = [ir.Register(Ty.I32, name) for name in ("shape", "copy")]
            function = self.program.function(f"footprints_{board.name}", params, [Ty.I32])
            self._finding[board.name] = function, start
            b = Builder(function)
            shape, copy = map(ir.Get, params)
            for number, text in enumerate(self.shapes):
                with b.when(op("i32.eq", shape, ir.i32(self.program.encoded(SHAPE, text)))):
                    row = op("i32.mul", copy, ir.i32(len(self.shapes)))
                    place = op("i32.add", row, ir.i32(number))
                    at = b.keep(op("i32.mul", place, ir.i32(stride)))
                    self._write(b, board, text, copy, (at, start, stride))
                    b.leave(at)
            self.program.stop(b, Stop.ELSEWHERE, Scope())
        return self._finding[board.name]

    def _found_within(self, board: Grown) -> tuple[ir.Function, int]:
        """The function of a shape, a copy and a set of cells that finds the sets for what lies
        within that, and where they stand.
        """
        if board.name not in self._within:
            ground, words = board.ground, board.words
            size = 8 * words * len(self._ways(ground))
            start = self.program.buffer(size)
            params = [ir.Register(Ty.I32, name) for name in ("shape", "copy")]
            params += [ir.Register(Ty.I64, "set") for _ in range(words)]
            function = self.program.function(f"footprints_within_{board.name}", params, [])
            self._within[board.name] = function, start
            b = Builder(function)
            shape, copy, *cells = map(ir.Get, params)
            b.add(ir.Fill(ir.i32(start), ir.i32(0), ir.i32(size)))
            there = self.growing.present(b, board, copy)
            here = bits.kept(
                b, bits.combined("and", there, Bits(tuple(cells), ground.size("cell")))
            )
            for text in self.shapes:
                with b.when(op("i32.eq", shape, ir.i32(self.program.encoded(SHAPE, text)))):
                    self._sets(b, board, text, here, (ir.i32(0), start))
                    b.leave()
            self.program.stop(b, Stop.ELSEWHERE, Scope())
        return self._within[board.name]

    def _write(
        self, b: Builder, board: Grown, text: str, copy: Code, into: tuple[Code, int, int]
    ) -> None:
        """Find the sets, unless they were found in this state."""
        at, start, stride = into
        epoch = ir.Get(self.program.epoch)
        with b.when(op("i64.eq", ir.load("i64.load", at, start), epoch)):
            b.leave(at)
        b.store("i64.store", at, start, epoch)
        b.add(ir.Fill(op("i32.add", at, ir.i32(start + 8)), ir.i32(0), ir.i32(stride - 8)))
        here = bits.kept(b, self.growing.present(b, board, copy))
        self._sets(b, board, text, here, (at, start + 8))

    def _sets(
        self, b: Builder, board: Grown, text: str, here: Bits, into: tuple[Code, int]
    ) -> None:
        """Write for each way to turn a shape the least cells of where it lies on these cells."""
        (at, start), ground, ways = into, board.ground, self._ways(board.ground)
        for way in _ways_of(ground, text):
            whole = in_copies(ground, ground.fits(tuple((c, r) for r, c in way)), here.size)
            for delta in _deltas(ground, way):
                whole = bits.combined("and", whole, shifted(here, -delta))
            bits.store(b, whole, at, start + 8 * words_of(whole.size) * ways.index(way))


def _ways_of(ground: Ground, text: str) -> list[Way]:
    """The ways to turn a shape, whatever cell of it is which."""
    found = set()
    for turn in orientations(parse_shape(text), ground.grid.kind):
        cells = sorted((r, c) for c, r in turn)
        row, column = cells[0]
        found.add(tuple((r - row, c - column) for r, c in cells))
    return sorted(found)


def _deltas(ground: Ground, way: Way) -> tuple[int, ...]:
    return tuple(r * ground.width + c for r, c in way)


def _padded(row: tuple[int, ...], width: int) -> list[int]:
    """How many there are, and they."""
    return [len(row), *row, *[0] * (width - 1 - len(row))]
