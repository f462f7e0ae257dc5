"""Stacks on the sites of a layer: of each site the topmost piece is known, of each piece the next.

A piece that lies on several sites lies in several stacks, and has another piece below it in each.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.native import ir
from interpreter.native.builder import Builder
from interpreter.native.ir import Code, Ty, op
from interpreter.native.layout import Laid, Piled
from interpreter.native.program import Program
from interpreter.native.values import Lowered, Members, Scalar

Cover = Callable[[Builder, Code, Code], None]  # on a site there lies now what a number says


class Piles:
    """The stacks of one program; functions are written when first asked for."""

    def __init__(self, program: Program) -> None:
        """The layout says how stacks lie."""
        self.program = program
        self._links: dict[str, ir.Function] = {}

    def _row(self, piled: Piled, piece: Code) -> Code:
        number = op("i32.sub", piece, ir.i32(piled.first)) if piled.first else piece
        return op("i32.mul", number, ir.i32(2 * piled.most))

    def link(self, b: Builder, layer: Laid, piece: Code, site: Code) -> Code:
        """Where it stands what lies below a piece on a site, from the first of all on."""
        piled = layer.piled
        assert piled is not None
        if not piled.lain:
            return b.keep(self._row(piled, piece))
        return b.call(self._link(layer, piled), piece, site)[0]

    def _link(self, layer: Laid, piled: Piled) -> ir.Function:
        known = self._links.get(layer.name)
        if known is None:
            params = [ir.Register(Ty.I32, name) for name in ("piece", "site")]
            known = self.program.function(f"link_{layer.name}", params, [Ty.I32])
            self._links[layer.name] = known
            b = Builder(known)
            row = b.keep(self._row(piled, ir.Get(params[0])))
            wanted = b.keep(op("i32.add", ir.Get(params[1]), ir.i32(1)))
            for at in range(2 * piled.most - 2, 0, -2):
                here = ir.load("i32.load16_u", row, piled.lain + at)
                with b.when(op("i32.eq", here, wanted)):
                    b.leave(op("i32.add", row, ir.i32(at)))
            b.leave(row)
        return known

    def top(self, layer: Laid, site: Code) -> Code:
        """1 and the topmost piece of a site, 0 if nothing lies there."""
        return ir.load("i32.load16_u", op("i32.mul", site, ir.i32(2)), layer.at)

    # -------------------------------------------------------------------------------- changes
    def lay(self, b: Builder, layer: Laid, piece: Code, site: Code, number: Code) -> None:
        """Let a piece have a site, of this number among its sites, with below it what lies there.

        It is not yet on top itself.
        """
        piled = layer.piled
        assert piled is not None
        row = op("i32.add", self._row(piled, piece), op("i32.mul", number, ir.i32(2)))
        at = b.keep(row)
        b.store("i32.store16", at, piled.below, self.top(layer, site))
        if piled.lain:
            b.store("i32.store16", at, piled.lain, op("i32.add", site, ir.i32(1)))

    def take(self, b: Builder, layer: Laid, piece: Code, site: Code, cover: Cover) -> None:
        """Take a piece out of the stack of a site; `cover` writes what is on top from now on."""
        piled = layer.piled
        assert piled is not None
        mine = self.link(b, layer, piece, site)
        below = b.keep(ir.load("i32.load16_u", mine, piled.below))
        wanted = b.keep(op("i32.add", piece, ir.i32(1)))
        upper = b.begin(self.top(layer, site), "upper")
        with b.when(op("i32.eq", ir.Get(upper), wanted)):
            cover(b, site, below)
        with b.otherwise(), b.loop() as again:
            link = self.link(b, layer, op("i32.sub", ir.Get(upper), ir.i32(1)), site)
            b.set(upper, ir.load("i32.load16_u", link, piled.below))
            b.jump(again, op("i32.ne", ir.Get(upper), wanted))
            b.store("i32.store16", link, piled.below, below)
        b.store("i32.store16", mine, piled.below, ir.i32(0))

    def forget(self, b: Builder, layer: Laid, piece: Code) -> None:
        """A piece lies on no site any more."""
        piled = layer.piled
        assert piled is not None
        if piled.lain:
            row = op("i32.add", self._row(piled, piece), ir.i32(piled.lain))
            b.add(ir.Fill(row, ir.i32(0), ir.i32(2 * piled.most)))

    def each_site(self, b: Builder, layer: Laid, piece: Code, body: Callable[[Code], None]) -> None:
        """What is done with each of the several sites that a piece lies on, in order."""
        piled = layer.piled
        assert piled is not None and piled.lain
        at = b.begin(self._row(piled, piece), "at")
        end = b.keep(op("i32.add", ir.Get(at), ir.i32(2 * piled.most)))
        with b.block() as done, b.loop() as again:
            held = b.keep(ir.load("i32.load16_u", ir.Get(at), piled.lain))
            b.jump(done, op("i32.eqz", held))
            body(b.keep(op("i32.sub", held, ir.i32(1))))
            b.set(at, op("i32.add", ir.Get(at), ir.i32(2)))
            b.jump(again, op("i32.lt_u", ir.Get(at), end))

    # -------------------------------------------------------------------------------- questions
    def sites(self, b: Builder, layer: Laid, piece: Code) -> Members:
        """The sites that a piece lies on."""
        piled = layer.piled
        assert piled is not None

        def each(body: Callable[[Lowered], None]) -> None:
            self.each_site(b, layer, piece, lambda at: body(Scalar(at, 0, layer.sites - 1)))

        return Members(each, piled.most)

    def members(self, b: Builder, layer: Laid, site: Scalar) -> Members:
        """The pieces on a site as they lie, the lowest first; on none nothing lies."""
        piled = layer.piled
        assert piled is not None
        setup = self.program.setup
        most = max(1, len(setup.by_component.get(layer.component, ())))

        def backwards(body: Callable[[Lowered], None]) -> None:
            here = b.begin(ir.i32(0), "here")
            with b.when(op("i32.ge_s", site.code, ir.i32(0))):
                b.set(here, self.top(layer, site.code))
            with b.block() as done, b.loop() as again:
                b.jump(done, op("i32.eqz", ir.Get(here)))
                self.program.visit(b, ir.i64(1))
                piece = b.keep(op("i32.sub", ir.Get(here), ir.i32(1)))
                link = self.link(b, layer, piece, site.code)
                b.set(here, ir.load("i32.load16_u", link, piled.below))
                body(Scalar(piece, 0, len(setup.pieces) - 1))
                b.jump(again)

        def each(body: Callable[[Lowered], None]) -> None:
            at = self.program.buffer(4 * most)
            end = b.begin(ir.i32(0), "end")

            def note(piece: Lowered) -> None:
                assert isinstance(piece, Scalar)
                b.store("i32.store", ir.Get(end), at, piece.code)
                b.set(end, op("i32.add", ir.Get(end), ir.i32(4)))

            backwards(note)
            with b.block() as done, b.loop() as again:
                b.jump(done, op("i32.eqz", ir.Get(end)))
                b.set(end, op("i32.sub", ir.Get(end), ir.i32(4)))
                piece = b.keep(ir.load("i32.load", ir.Get(end), at))
                body(Scalar(piece, 0, len(setup.pieces) - 1))
                b.jump(again)

        return Members(each, most, backwards=backwards, counted=True)
