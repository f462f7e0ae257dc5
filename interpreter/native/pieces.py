"""Pieces in places: each place is an array of pieces in memory, and a set of them beside.

The top of an ordered place stands last, so that putting on top and drawing are at the end of the
array; in other places pieces stand in the order in which they came.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial

from interpreter.native import bits, ir
from interpreter.native.builder import Builder
from interpreter.native.growing import Growing
from interpreter.native.ir import Code, Ty, op
from interpreter.native.layout import Grown, Laid, Rows
from interpreter.native.piles import Piles
from interpreter.native.program import Program, Scope, Stop
from interpreter.native.values import NONE, Bits, Lowered, Members, NotLowered, Scalar, words_of
from rulelang.ruleset import Place


class Pieces:
    """What one program does with pieces; functions are written when first asked for."""

    def __init__(self, program: Program) -> None:
        """The layout says where places are."""
        self.program, self.layout, self.setup = program, program.layout, program.setup
        self.growing, self.piles = Growing(program), Piles(program)

    # -------------------------------------------------------------------------------- places
    @cached_property
    def _bases(self) -> int:
        """A table: number of a place, from 1, to where it stands."""
        starts = [0, *(place.offset for place in self.layout.places)]
        return self.program.table(b"".join(start.to_bytes(4, "little") for start in starts))

    def number(self, b: Builder, place: Place, index: Scalar | None) -> Code:
        """The number of a place, 0 if there is none for this member."""
        first = self.layout.first_place[place.name]
        if index is None:
            return ir.i32(first)
        count = len(self.setup.members(place.of)) if place.of is not None else 1
        members = self.setup.members(place.of) if place.of is not None else [0]
        if members != list(range(members[0], members[0] + count)) if members else True:
            raise NotLowered(
                "a place for each of pieces that have no numbers in a row", place.clause
            )
        at = b.keep(op("i32.sub", index.code, ir.i32(members[0])))
        found = op("i32.add", at, ir.i32(first))
        if index.low - members[0] >= 0 and index.high - members[0] < count:
            return b.keep(found)
        there = op("i32.lt_u", at, ir.i32(count))
        return b.keep(ir.Select(there, found, ir.i32(0)))

    def base(self, number: Code) -> Code:
        """Where a place stands in memory, by its number."""
        if isinstance(number, ir.Const) and number.value:
            return ir.i32(self.layout.places[number.value - 1].offset)
        return ir.load("i32.load", op("i32.mul", number, ir.i32(4)), self._bases)

    def count(self, number: Code) -> Code:
        """How many pieces lie in a place; of number 0 none do."""
        return ir.load("i32.load", self.base(number))

    def held(self, number: Code) -> Bits:
        """The pieces in a place, as a set."""
        words = self.layout.piece_words
        address = op("i32.mul", number, ir.i32(8 * words))
        return bits.load(address, words, len(self.setup.pieces), self.layout.held)

    def where(self, piece: Code) -> Code:
        """The number of the place a piece is in, 0 if it is nowhere."""
        return ir.load("i32.load16_u", op("i32.mul", piece, ir.i32(2)), self.layout.where)

    def known(self, piece: Code) -> Code:
        """Who has been shown a piece: a bit for each player, and one more if anybody was."""
        return ir.load("i32.load16_u", op("i32.mul", piece, ir.i32(2)), self.layout.known)

    def listed(self, b: Builder, place: Place, number: Code) -> Members:
        """The pieces of an ordered place, the top first."""
        most = max(1, self.layout.capacity(place))

        def each(body: Callable[[Lowered], None]) -> None:
            base = b.keep(self.base(number))
            at = b.begin(ir.load("i32.load", base), "at")
            with b.block() as done, b.loop() as again:
                b.jump(done, op("i32.eqz", ir.Get(at)))
                b.set(at, op("i32.sub", ir.Get(at), ir.i32(1)))
                address = op("i32.add", base, op("i32.mul", ir.Get(at), ir.i32(2)))
                piece = b.keep(ir.load("i32.load16_u", address, 4))
                body(Scalar(piece, 0, len(self.setup.pieces) - 1))
                b.jump(again)

        return Members(each, most)

    # -------------------------------------------------------------------------------- changes
    def move(self, b: Builder, piece: Code, number: Code, at_start: bool) -> None:
        """Put a piece into a place: at the end of its array, or at the start."""
        b.add(ir.Call(self._move, (piece, number, ir.i32(int(at_start))), ()))

    @cached_property
    def _lift(self) -> ir.Function:
        """Take a piece from where it is."""
        register = ir.Register(Ty.I32, "piece")
        function = self.program.function("lift", [register], [])
        b, piece = Builder(function), ir.Get(register)
        number = b.keep(self.where(piece))
        with b.when(op("i32.eqz", number)):
            b.leave()
        twice = b.keep(op("i32.mul", piece, ir.i32(2)))
        if self.layout.layers or self.layout.grown:
            with b.block() as no_layer:
                b.jump(no_layer, op("i32.le_u", number, ir.i32(len(self.layout.places))))
                self._off(b, piece, number)
                b.store("i32.store16", twice, self.layout.where, ir.i32(0))
                b.store("i32.store16", twice, self.layout.known, ir.i32(0))
                self.program.changed(b, "where", "known")
                b.leave()
        base = b.keep(self.base(number))
        count = b.keep(op("i32.sub", ir.load("i32.load", base), ir.i32(1)))
        at = b.begin(count, "at")
        with b.block() as found, b.loop() as again:
            here = op("i32.add", base, op("i32.mul", ir.Get(at), ir.i32(2)))
            b.jump(found, op("i32.eq", ir.load("i32.load16_u", here, 4), piece))
            b.set(at, op("i32.sub", ir.Get(at), ir.i32(1)))
            b.jump(again)
        place = b.keep(op("i32.add", base, op("i32.mul", ir.Get(at), ir.i32(2))))
        rest = b.keep(op("i32.mul", op("i32.sub", count, ir.Get(at)), ir.i32(2)))
        after = op("i32.add", place, ir.i32(6))
        with b.when(rest):
            b.add(ir.Copy(op("i32.add", place, ir.i32(4)), after, rest))
        # Nothing is left behind the last piece: equal places are equal byte by byte.
        last = op("i32.add", base, op("i32.mul", count, ir.i32(2)))
        b.store("i32.store16", last, 4, ir.i32(0))
        b.store("i32.store", base, 0, count)
        self._flip(b, piece, number)
        b.store("i32.store16", twice, self.layout.where, ir.i32(0))
        b.store("i32.store16", twice, self.layout.known, ir.i32(0))
        self.program.changed(b, *self._places)
        return function

    @cached_property
    def _move(self) -> ir.Function:
        registers = [ir.Register(Ty.I32, name) for name in ("piece", "place", "start")]
        lift = self._lift
        function = self.program.function("move", registers, [])
        b = Builder(function)
        piece, number, start = map(ir.Get, registers)
        b.add(ir.Call(lift, (piece,), ()))
        base = b.keep(self.base(number))
        count = b.keep(ir.load("i32.load", base))
        size = b.keep(op("i32.mul", count, ir.i32(2)))
        with b.when(start):
            first = op("i32.add", base, ir.i32(4))
            b.add(ir.Copy(op("i32.add", base, ir.i32(6)), first, size))
            b.store("i32.store16", base, 4, piece)
        with b.otherwise():
            b.store("i32.store16", op("i32.add", base, size), 4, piece)
        b.store("i32.store", base, 0, op("i32.add", count, ir.i32(1)))
        self._flip(b, piece, number)
        b.store("i32.store16", op("i32.mul", piece, ir.i32(2)), self.layout.where, number)
        b.store("i32.store", ir.i32(0), self.layout.dirty, ir.i32(1))
        self.program.changed(b, *self._places)
        return function

    @property
    def _places(self) -> tuple[str, ...]:
        """What is another where a piece comes to a place or leaves it, whichever that is."""
        return ("where", "known", *(f"place:{name}" for name in self.program.ruleset.places))

    def _flip(self, b: Builder, piece: Code, number: Code) -> None:
        """Turn the bit of a piece in the set of a place."""
        words = self.layout.piece_words
        word = op("i32.shr_u", piece, ir.i32(6))
        row = op("i32.add", op("i32.mul", number, ir.i32(words)), word)
        address = b.keep(op("i32.mul", row, ir.i32(8)))
        held = ir.load("i64.load", address, self.layout.held)
        b.store("i64.store", address, self.layout.held, op("i64.xor", held, bits.one_bit(piece)))

    # -------------------------------------------------------------------------------- layers
    def on(self, layer: Laid, site: Scalar) -> Scalar:
        """The piece on a site of a layer, or none; none lies on no site."""
        address = op("i32.mul", site.code, ir.i32(2))
        if site.low < 0:
            address = op("i32.add", address, ir.i32(2))
        held = ir.load("i32.load16_u", address, layer.at - (2 if site.low < 0 else 0))
        code = op("i32.sub", held, ir.i32(1))
        return Scalar(code, NONE, len(self.setup.pieces) - 1)

    def lies_on(self, layer: Laid, piece: Code) -> Code:
        """Does a piece lie on some copy of a layer?"""
        number = op("i32.sub", self.where(piece), ir.i32(layer.number))
        return op("i32.lt_u", number, ir.i32(layer.copies))

    def spot(self, piece: Code) -> Code:
        """The site that a piece lies on; it must lie on one."""
        return ir.load("i32.load16_u", op("i32.mul", piece, ir.i32(2)), self.layout.spot)

    def row(self, rows: Rows, piece: Code) -> Code:
        """Where the set of the sites of a piece begins, before the first of all."""
        number = op("i32.sub", piece, ir.i32(rows.first)) if rows.first else piece
        return op("i32.mul", number, ir.i32(8 * rows.words))

    def put(self, b: Builder, layer: Laid, piece: Code, sites: Bits | Scalar, scope: Scope) -> None:
        """Put a piece on sites, of which there is one at least; all are free but of stacks."""
        b.add(ir.Call(self._lift, (piece,), ()))
        twice = b.keep(op("i32.mul", piece, ir.i32(2)))
        rows = self.layout.spread(layer.component)
        if isinstance(sites, Scalar) and rows is not None:
            sites = bits.kept(b, bits.single(sites.code, layer.sites, rows.words))
        first = b.keep(sites.code if isinstance(sites, Scalar) else bits.first(sites))
        if isinstance(sites, Scalar):
            self._on_top(b, layer, piece, first, ir.i32(0))
        else:
            self._on_all(b, layer, piece, sites, scope)
            if rows is not None:
                bits.store(b, sites, b.keep(self.row(rows, piece)), rows.at)
        b.store("i32.store16", twice, self.layout.spot, first)
        number: Code = ir.i32(layer.number)
        if layer.copies > 1:
            copy = op("i32.div_u", first, ir.i32(layer.stride))
            number = b.keep(op("i32.add", copy, number))
        self._flip(b, piece, number)
        b.store("i32.store16", twice, self.layout.where, number)
        b.store("i32.store", ir.i32(0), self.layout.dirty, ir.i32(1))
        self.program.changed(b, "where", "known", f"layer:{layer.name}")

    def _on_all(self, b: Builder, layer: Laid, piece: Code, sites: Bits, scope: Scope) -> None:
        """Put a piece on top of what lies on each of these sites."""
        number = b.begin(ir.i32(0), "number")
        if layer.piled is not None:
            many = op("i64.gt_s", bits.count(sites), ir.i64(layer.piled.most))
            with b.when(many):
                self.program.stop(b, Stop.ELSEWHERE, scope)

        def one(site: Scalar) -> None:
            self._on_top(b, layer, piece, site.code, ir.Get(number))
            b.set(number, op("i32.add", ir.Get(number), ir.i32(1)))

        bits.each_member(b, sites, one)

    def _on_top(self, b: Builder, layer: Laid, piece: Code, site: Code, number: Code) -> None:
        """Put a piece on what lies on a site, which has this number among its sites."""
        if layer.piled is not None:
            self.piles.lay(b, layer, piece, site, number)
        self._cover(b, layer, site, b.keep(op("i32.add", piece, ir.i32(1))))

    def lay(self, b: Builder, board: Grown, piece: Code, laying: Code, scope: Scope) -> None:
        """Lay a tile on cells where nothing lies."""
        b.add(ir.Call(self._lift, (piece,), ()))
        copy = self.growing.laid(b, board, piece, laying, scope)
        number = b.keep(op("i32.add", copy, ir.i32(board.number)))
        self._flip(b, piece, number)
        b.store("i32.store16", op("i32.mul", piece, ir.i32(2)), self.layout.where, number)
        b.store("i32.store", ir.i32(0), self.layout.dirty, ir.i32(1))
        self.program.changed(b)

    def _cover(self, b: Builder, layer: Laid, site: Code, held: Code) -> None:
        """From now on this, 1 and a piece, is on top of a site; of 0 nothing is there."""
        b.store("i32.store16", op("i32.mul", site, ir.i32(2)), layer.at, held)
        if layer.occupied:
            word = op("i32.mul", op("i32.shr_u", site, ir.i32(6)), ir.i32(8))
            at = b.keep(word) if words_of(layer.sites) > 1 else ir.i32(0)
            there = ir.load("i64.load", at, layer.occupied)
            bit = b.keep(bits.one_bit(site))
            more, less = (
                op("i64.or", there, bit),
                op("i64.and", there, op("i64.xor", bit, ir.i64(-1))),
            )
            b.store("i64.store", at, layer.occupied, ir.Select(held, more, less))

    def _uncover(self, b: Builder, layer: Laid, piece: Code, site: Code) -> None:
        """A piece lies on a site no more."""
        if layer.piled is None:
            self._cover(b, layer, site, ir.i32(0))
            return
        self.piles.take(b, layer, piece, site, lambda b, at, held: self._cover(b, layer, at, held))

    def _off(self, b: Builder, piece: Code, number: Code) -> None:
        """Take a piece from the sites of the layer with this number, or a tile from its board."""
        for board in self.layout.grown.values():
            with b.block() as not_there:
                here = b.keep(op("i32.sub", number, ir.i32(board.number)))
                b.jump(not_there, op("i32.ge_u", here, ir.i32(board.ground.copies)))
                self.growing.lifted(b, board, piece, here)
                self.program.changed(b)
        for layer in self.layout.layers.values():
            with b.block() as not_this:
                here = op("i32.sub", number, ir.i32(layer.number))
                b.jump(not_this, op("i32.ge_u", here, ir.i32(layer.copies)))
                rows = self.layout.rows.get(layer.component)
                off = partial(self._uncover, b, layer, piece)
                if layer.piled is not None and layer.piled.lain:
                    self.piles.each_site(b, layer, piece, off)
                elif rows is None:
                    off(b.keep(self.spot(piece)))
                else:
                    row = b.keep(self.row(rows, piece))
                    lain = bits.kept(b, bits.load(row, rows.words, layer.sites, rows.at))
                    bits.each_member(b, lain, partial(_at, off))
                    bits.store(b, bits.without(lain, lain), row, rows.at)
                if layer.piled is not None:
                    self.piles.forget(b, layer, piece)
                self.program.changed(b, f"layer:{layer.name}")
        if self.layout.spot:
            twice = op("i32.mul", piece, ir.i32(2))
            b.store("i32.store16", twice, self.layout.spot, ir.i32(0))
        self._flip(b, piece, number)

    def shuffle(
        self, b: Builder, place: Place, number: Code, below: Callable[[Code], Code]
    ) -> None:
        """Put a place in random order; nobody knows its pieces any more."""
        base = b.keep(self.base(number))
        count = b.keep(ir.load("i32.load", base))
        self.program.visit(b, op("i64.extend_i32_u", count))
        at = b.begin(op("i32.sub", count, ir.i32(1)), "at")

        def address(position: Code) -> Code:
            """Where the piece stands that is so many below the first."""
            if place.ordered:
                position = op("i32.sub", op("i32.sub", count, ir.i32(1)), position)
            return b.keep(op("i32.add", base, op("i32.mul", position, ir.i32(2))))

        with b.block() as done, b.loop() as again:
            b.jump(done, op("i32.le_s", ir.Get(at), ir.i32(0)))
            other = below(op("i32.add", ir.Get(at), ir.i32(1)))
            one, two = address(ir.Get(at)), address(other)
            held = b.keep(ir.load("i32.load16_u", one, 4))
            b.store("i32.store16", one, 4, ir.load("i32.load16_u", two, 4))
            b.store("i32.store16", two, 4, held)
            b.set(at, op("i32.sub", ir.Get(at), ir.i32(1)))
            b.jump(again)
        left = b.begin(count, "left")
        with b.block() as done, b.loop() as again:
            b.jump(done, op("i32.eqz", ir.Get(left)))
            b.set(left, op("i32.sub", ir.Get(left), ir.i32(1)))
            here = op("i32.add", base, op("i32.mul", ir.Get(left), ir.i32(2)))
            piece = op("i32.mul", ir.load("i32.load16_u", here, 4), ir.i32(2))
            b.store("i32.store16", piece, self.layout.known, ir.i32(0))
            b.jump(again)
        b.store("i32.store", ir.i32(0), self.layout.dirty, ir.i32(1))
        self.program.changed(b, "known", f"place:{place.name}")


def _at(body: Callable[[Code], None], site: Scalar) -> None:
    body(site.code)
