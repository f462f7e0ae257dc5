"""Words about boards: what lies on their layers, and what is around sets of sites.

What a word gives for a single site stands in tables; for a set the rows of its members are joined.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.native import bits, ir
from interpreter.native.families import Family
from interpreter.native.grounds import Ground, ground_of
from interpreter.native.ir import op
from interpreter.native.layout import Grown, Laid
from interpreter.native.nearby import Nearby, Table
from interpreter.native.program import Scope, Stop
from interpreter.native.shared import Says, missing
from interpreter.native.values import (
    NONE,
    Bits,
    Lowered,
    Members,
    Scalar,
    bits_of,
    narrow,
    size_of,
    words_of,
)
from rulelang import core
from rulelang.core.types import PieceT, SiteT, element, non_optional, site_type
from rulelang.core.values import FAR


def ground_at(say: Says, e: core.Builtin, scope: Scope) -> Ground:
    """The ground whose sites the first argument is, or is made of."""
    site = site_type(e.args[0].type)
    if site is None:
        raise missing(f"the word “{e.name}”", scope)
    return ground_of(say.setup.boards[site.board])


def grown_under(say: Says, e: core.Expr) -> Grown:
    """The board on whose cells a list of cells lies, which grows."""
    site = site_type(e.type)
    assert site is not None
    return say.program.layout.grown[site.board]


def the_board(say: Says, e: core.Builtin, scope: Scope) -> Lowered:
    """The number of the copy that a board is: of the one board, or of a player's."""
    if e.name == "board":
        return Scalar(ir.i32(0), 0, 0)
    return say.index(e.args[0], scope)


def stop_if_absent(say: Says, copy: Scalar, copies: int, scope: Scope) -> None:
    """Stop where the board is asked for of a player who does not play."""
    if copy.high >= copies:
        with say.b.when(op("i32.ge_s", copy.code, ir.i32(copies))):
            say.program.stop(say.b, Stop.ABSENT, scope, op("i64.extend_i32_s", copy.code))


# -------------------------------------------------------------------------------- layers
def on(say: Says, e: core.Builtin, scope: Scope) -> Lowered:
    """The piece on a site, or those that lie there."""
    layer, where = layer_read(say, e), say.index(e.args[0], scope)
    if element(e.type) is not None and layer.piled is not None:
        return say.shared.pieces.piles.members(say.b, layer, where)
    return say.shared.pieces.on(layer, where)


def layer_read(say: Says, e: core.Builtin) -> Laid:
    """The layer in which it is looked what lies on a site; raises NotLowered if it is not kept."""
    name = e.args[1]
    assert isinstance(name, core.Const) and isinstance(name.value, str)
    return say.program.layout.layer(name.value)


def _component(e: core.Expr, scope: Scope) -> str:
    t = non_optional(e.type)
    if not isinstance(t, PieceT):
        raise missing(f"where a {e.type} lies", scope)
    return t.name


def site(say: Says, e: core.Builtin, scope: Scope) -> Lowered:
    """The first of the sites that a piece lies on, or none."""
    b, pieces, layout = say.b, say.shared.pieces, say.program.layout
    piece = say.index(e.args[0], scope)
    layers = layout.layers_of(_component(e.args[0], scope))
    high = max((layer.sites for layer in layers), default=1) - 1
    found = b.begin(ir.i32(NONE), "site")
    with b.block() as nowhere:
        if piece.low < 0:
            b.jump(nowhere, op("i32.lt_s", piece.code, ir.i32(0)))
        where = b.keep(pieces.where(piece.code))
        b.jump(nowhere, op("i32.le_u", where, ir.i32(len(layout.places))))
        b.set(found, pieces.spot(piece.code))
    return Scalar(ir.Get(found), NONE, high)


def sites(say: Says, e: core.Builtin, scope: Scope) -> Lowered:
    """The set of the sites that a piece lies on."""
    b, layout = say.b, say.program.layout
    component, item = _component(e.args[0], scope), element(e.type)
    layers = layout.layers_of(component)
    if item is None or not narrow(say.setup, item) or len(layers) != 1:
        raise missing("the sites of such a piece", scope)
    rows, piled = layout.spread(component), layers[0].piled
    if piled is not None and piled.lain:
        return _piled_sites(say, e, layers[0], scope)
    if rows is None:
        first = site(say, e, scope)
        assert isinstance(first, Scalar)
        code = b.keep(first.code)
        return bits.single(code, layers[0].sites, words_of(layers[0].sites))
    piece = say.index(e.args[0], scope)
    found = [b.begin(ir.i64(0), "sites") for _ in range(rows.words)]
    with b.block() as nowhere:
        if piece.low < 0:
            b.jump(nowhere, op("i32.lt_s", piece.code, ir.i32(0)))
        row = b.keep(say.shared.pieces.row(rows, piece.code))
        for register, word in zip(
            found, bits.load(row, rows.words, layers[0].sites, rows.at).words, strict=True
        ):
            b.set(register, word)
    return Bits(tuple(map(ir.Get, found)), layers[0].sites)


def _piled_sites(say: Says, e: core.Builtin, layer: Laid, scope: Scope) -> Lowered:
    """The same of a piece that lies on several stacks."""
    piece, item = say.index(e.args[0], scope), element(e.type)
    found = say.shared.pieces.piles.sites(say.b, layer, piece.code)

    def each(body: Callable[[Lowered], None]) -> None:
        if piece.low >= 0:
            found.each(body)
            return
        with say.b.when(op("i32.ge_s", piece.code, ir.i32(0))):
            found.each(body)

    assert item is not None
    return say.collected(Members(each, found.most), item)


def board_pieces(say: Says, e: core.Builtin, scope: Scope) -> Lowered:
    """The pieces of a component that lie on a copy of a board."""
    name, item = e.args[1], element(e.type)
    assert isinstance(name, core.Const) and isinstance(name.value, str)
    t = e.args[0].type
    assert isinstance(t, core.types.BoardT)
    info, layout = say.setup.boards[t.name], say.program.layout
    if item is None or not narrow(say.setup, item):
        raise missing(f"the word “{e.name}” on such a board", scope)
    copy = say.index(e.args[0], scope)
    stop_if_absent(say, copy, info.copies, scope)
    found = bits_of(frozenset(), len(say.setup.pieces))
    firsts = [
        layout.layer(layer.name).number
        for layer in info.board.layers
        if layer.component == name.value
    ]
    if info.board.grown_from == name.value:
        firsts.append(layout.grown[t.name].number)
    for first in firsts:
        number = op("i32.add", copy.code, ir.i32(first))
        if copy.low < 0:  # on nobody's board nothing lies, as nothing is in the place 0
            number = ir.Select(op("i32.lt_s", copy.code, ir.i32(0)), ir.i32(0), number)
        held = say.shared.pieces.held(say.b.keep(number))
        found = bits.combined("or", found, held)
    return found


# -------------------------------------------------------------------------------- around sets
def nearby(say: Says, ground: Ground, table: Table, of: str, role: str) -> Nearby:
    """What a table of one copy of a board gives, from sites of one role to those of another."""
    return Nearby(say.program, ground, table, of, role)


def _of_set(say: Says, e: core.Builtin, scope: Scope) -> tuple[Bits, Ground]:
    """The set of sites that is the argument; its board and it must be small enough."""
    ground, item = ground_at(say, e, scope), element(e.type)
    if item is None or not narrow(say.setup, item):
        raise missing(f"the word “{e.name}” with so many sites", scope)
    return say.bits(e.args[0], scope), ground


def around(say: Says, e: core.Builtin, scope: Scope) -> Lowered:
    """The cells beside a set of cells, or also at its corners."""
    members, ground = _of_set(say, e, scope)
    table = ground.grid.neighbors if e.name == "neighbors" else ground.grid.surround
    found = nearby(say, ground, table, "cell", "cell").of_all(say.b, members)
    return bits.without(found, members)


def sides(say: Says, e: core.Builtin, scope: Scope) -> Lowered:
    """The sides of a set of cells: all, those within it, or those around it."""
    members, ground = _of_set(say, e, scope)
    t = site_type(e.args[0].type)
    if not isinstance(t, SiteT) or t.role != "cell":
        raise missing(f"the word “{e.name}” of such sites", scope)
    beside = nearby(say, ground, ground.grid.sides_of, "cell", "side")
    found, inner = beside.of_some(say.b, members, e.name != "sides")
    if e.name == "inner_sides":
        return inner
    return found if e.name == "sides" else bits.without(found, inner)


def adjacent(say: Says, e: core.Builtin, scope: Scope) -> Lowered:
    """Does some cell of one share a side with some cell of the other, or a corner alone?"""
    ground = ground_at(say, e, scope)
    left, right = (_as_set(say, arg, scope) for arg in e.args)
    table: Table = ground.grid.neighbors
    if e.name == "touches_corner":
        pairs = zip(ground.grid.surround, ground.grid.neighbors, strict=True)
        table = [[at for at in corner if at not in beside] for corner, beside in pairs]
    found = nearby(say, ground, table, "cell", "cell").of_all(say.b, left)
    return Scalar(bits.some(bits.combined("and", found, right)), 0, 1)


def _as_set(say: Says, e: core.Expr, scope: Scope) -> Bits:
    """A cell or cells as a set; none is no member."""
    item = element(e.type)
    if item is not None:
        return say.bits(e, scope)
    t = non_optional(e.type)
    if not narrow(say.setup, t):
        raise missing(f"a set of so many {t}", scope)
    size = size_of(say.setup, t)
    return bits.kept(say.b, bits.single(say.index(e, scope).code, size, words_of(size)))


# -------------------------------------------------------------------------------- distances
def across(say: Says, e: core.Builtin, scope: Scope) -> Lowered:
    """The steps from one set of cells to another, where the cells of each joined set are one."""
    ground = _walked(say, e, scope)
    ends = _as_set(say, e.args[0], scope), _as_set(say, e.args[1], scope)
    one = _joined(say, e.args[2], ground, scope)
    return Scalar(say.shared.walks.across(say.b, ground, ends, one), 0, FAR)


def within(say: Says, e: core.Builtin, scope: Scope) -> Lowered:
    """The cells so many steps or fewer from some, counted in the same way."""
    ground, here = _walked(say, e, scope), _as_set(say, e.args[0], scope)
    steps = say.value(e.args[1], scope)
    assert isinstance(steps, Scalar)
    many = say.b.keep(steps.code)
    one = _joined(say, e.args[2], ground, scope)
    return say.shared.walks.within(say.b, ground, here, many, one)


def _walked(say: Says, e: core.Builtin, scope: Scope) -> Ground:
    ground, t = ground_at(say, e, scope), non_optional(element(e.args[0].type) or e.args[0].type)
    is_cell = isinstance(t, SiteT) and t.role == "cell" and not ground.tiles
    if not is_cell or not narrow(say.setup, t):
        raise missing(f"the word “{e.name}” on such a board", scope)
    return ground


def _joined(say: Says, e: core.Expr, ground: Ground, scope: Scope) -> Family:
    """The sets of cells that count as one, in the place where walks of this board look for them."""
    found = say.value(e, scope)
    family = say.shared.walks.one(say.b, ground)
    say.shared.families.clear(say.b, family)
    if isinstance(found, Members):

        def add(cells: Lowered) -> None:
            assert isinstance(cells, Bits)
            say.shared.families.add(say.b, family, cells)

        found.each(add)
    return family
