"""Words about boards that grow: their tiles, the cells there are, where a tile may lie."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from interpreter.native import bits, ir
from interpreter.native.board_words import nearby, stop_if_absent
from interpreter.native.ir import op
from interpreter.native.layout import Grown
from interpreter.native.lines import lines, lines_of_board
from interpreter.native.program import Scope, Stop
from interpreter.native.rims import is_outer
from interpreter.native.shared import Says, missing
from interpreter.native.values import (
    NONE,
    Bits,
    Lowered,
    Members,
    Scalar,
    laying_ground,
    narrow,
)
from interpreter.native.wide import FEW_WORDS, stored
from rulelang import core
from rulelang.core.types import BoardT, ListT, element, site_type


def board_in(say: Says, e: core.Builtin) -> Grown | None:
    """The board that grows which a word is about; none if it is about none."""
    grown = say.program.layout.grown
    if not grown:
        return None
    for t in (e.type, *(arg.type for arg in e.args)):
        name = t.name if isinstance(t, BoardT) else getattr(site_type(t), "board", None)
        if name in grown:
            return grown[name]
    return None


def copy_of(say: Says, e: core.Expr, board: Grown, scope: Scope) -> ir.Code:
    """The number of the copy that a board is, of somebody who plays."""
    copy = say.index(e, scope)
    if copy.low < 0:
        with say.b.when(op("i32.lt_s", copy.code, ir.i32(0))):
            say.program.stop(say.b, Stop.ELSEWHERE, scope)
    stop_if_absent(say, copy, board.ground.copies, scope)
    return copy.code


# -------------------------------------------------------------------------------- tiles
def tile(say: Says, e: core.Builtin, board: Grown, scope: Scope) -> Lowered:
    """The tile a cell is of."""
    cell = say.index(e.args[0], scope)
    found = say.shared.pieces.growing.tile(board, cell.code)
    return Scalar(found, NONE, len(say.setup.pieces) - 1)


def tile_index(say: Says, e: core.Builtin, board: Grown, scope: Scope) -> Lowered:
    """The number of a cell on its tile."""
    cell = say.index(e.args[0], scope)
    found = say.shared.pieces.growing.order(board, cell.code)
    return Scalar(op("i64.extend_i32_u", found), 0, max(map(len, board.ground.tiles)))


def tile_cells(say: Says, e: core.Builtin, board: Grown, scope: Scope) -> Lowered:
    """The cells a tile covers."""
    cells, item = _cells_of_tile(say, e, board, scope), site_type(e.type)
    if item is None:
        raise missing(f"the word “{e.name}”", scope)
    return say.collected(cells, item)


def _cells_of_tile(say: Says, e: core.Builtin, board: Grown, scope: Scope) -> Members:
    b, growing = say.b, say.shared.pieces.growing
    piece = say.index(e.args[0], scope)
    laying = b.begin(ir.i32(NONE), "laying")
    with b.when(op("i32.ge_s", piece.code, ir.i32(0))):
        b.set(laying, growing.laying_of(board, piece.code))
    return growing.cells(b, board, b.keep(ir.Get(laying)))


# -------------------------------------------------------------------------------- sites
def board_sites(say: Says, e: core.Builtin, board: Grown, scope: Scope) -> Lowered:
    """The sites of a role that one copy of a board has now."""
    copy = copy_of(say, e.args[0], board, scope)
    return _sites(say, say.shared.pieces.growing.present(say.b, board, copy), e, board, scope)


def every(say: Says, e: core.Builtin, board: Grown, scope: Scope) -> Lowered:
    """The sites of a role that all copies have now."""
    return _sites(say, say.shared.pieces.growing.present(say.b, board), e, board, scope)


def _sites(say: Says, cells: Bits, e: core.Builtin, board: Grown, scope: Scope) -> Bits:
    site, ground = site_type(e.type), board.ground
    if site is None or not narrow(say.setup, site):
        raise missing(f"the word “{e.name}” with so many sites", scope)
    if site.role == "cell":
        return cells
    beside = nearby(say, ground, ground.grid.sides_of, "cell", "side")
    sides = beside.of_all(say.b, bits.kept(say.b, cells))
    if site.role == "side":
        return sides
    ends = nearby(say, ground, ground.grid.ends_of_side, "side", "corner")
    return ends.of_all(say.b, sides)


def neighbors(say: Says, e: core.Builtin, board: Grown, scope: Scope) -> Lowered:
    """The cells there are beside a cell or a set of cells, or also at its corners."""
    grid = board.ground.grid
    table = grid.neighbors if e.name == "neighbors" else grid.surround
    beside = nearby(say, board.ground, table, "cell", "cell")
    there = say.shared.pieces.growing.present(say.b, board)
    if element(e.args[0].type) is None:
        cell = say.index(e.args[0], scope)
        if cell.low >= 0:
            return bits.combined("and", beside.of_one(say.b, cell.code), there)
        members = bits.kept(say.b, bits.single(cell.code, there.size, board.words))
    else:
        members = say.bits(e.args[0], scope)
    found = beside.of_all(say.b, members)
    return bits.without(bits.combined("and", found, there), members)


# -------------------------------------------------------------------------------- few at a time
def gives_few(say: Says, e: core.Builtin) -> bool:
    """Are these cells that can be given one by one, where a set of all cells is large?"""
    board = board_in(say, e)
    if board is None or board.words <= FEW_WORDS:
        return False
    if e.name == "tile_cells":
        return True
    if e.name not in ("neighbors", "surroundings"):
        return False
    of = e.args[0].type
    return element(of) is None or laying_ground(say.setup, of) is not None


def few(say: Says, e: core.Builtin, scope: Scope) -> Members:
    """The cells of a tile, or those there are around one cell or around where a tile may lie."""
    board = board_in(say, e)
    assert board is not None
    growing = say.shared.pieces.growing
    if e.name == "tile_cells":
        return replace(_cells_of_tile(say, e, board, scope), loose=True, frozen=False, few=True)
    ground, corners = board.ground, e.name == "surroundings"
    value = say.value(e.args[0], scope)
    if isinstance(value, Scalar):
        site = Scalar(say.b.keep(value.code), value.low, value.high)
        is_cell = element(e.args[0].type) is None
        rows = ground.around_cells(corners) if is_cell else ground.around_layings(corners)
        return replace(growing.there_in_row(say.b, board, site, rows), few=True)
    found = neighbors(say, e, board, scope)
    assert isinstance(found, Bits)
    return replace(stored(say.program, say.b, bits.kept(say.b, found)), few=True)


# -------------------------------------------------------------------------------- layings
def spots(say: Says, e: core.Builtin, board: Grown, scope: Scope) -> Lowered:
    """Every way to lay a tile beside what there is."""
    piece = say.index(e.args[0], scope)
    copy = copy_of(say, e.args[1], board, scope)
    return say.shared.spots.members(say.b, board, piece, copy, e.name == "spots_around")


def turned(say: Says, e: core.Builtin, board: Grown, scope: Scope) -> Lowered:
    """A laying after so many turns."""
    b, laying = say.b, say.value(e.args[0], scope)
    if not isinstance(laying, Scalar) or laying.low < 0:
        raise missing(f"the word “{e.name}” of any list of cells", scope)
    code = b.keep(laying.code)
    times = say.value(e.args[1], scope)
    assert isinstance(times, Scalar)
    rounds = ir.i64(len(board.ground.grid.directions))
    rest = op("i64.rem_s", op("i64.add", op("i64.rem_s", times.code, rounds), rounds), rounds)
    growing = say.shared.pieces.growing
    made = growing.turned(b, board, code, b.keep(op("i32.wrap_i64", rest)), scope)
    return Scalar(made, 0, laying.high)


# -------------------------------------------------------------------------------- where cells are
def cells_of_side(say: Says, e: core.Builtin, board: Grown, scope: Scope) -> Lowered:
    """The cells there are on both hands of a side."""
    side, ground = say.index(e.args[0], scope), board.ground
    if side.low < 0:
        raise missing(f"the word “{e.name}” of a side or none", scope)
    found = nearby(say, ground, ground.grid.cells_of_side, "side", "cell").of_one(say.b, side.code)
    return bits.combined("and", found, say.shared.pieces.growing.present(say.b, board))


def around_one(say: Says, e: core.Builtin, board: Grown, scope: Scope) -> Lowered:
    """The sides of a cell, or the ends of a side."""
    site, ground = say.index(e.args[0], scope), board.ground
    t = site_type(e.args[0].type)
    if site.low < 0 or t is None or t.role not in ("cell", "side"):
        raise missing(f"the word “{e.name}” of such a site", scope)
    if t.role == "cell":
        return nearby(say, ground, ground.grid.sides_of, "cell", "side").of_one(say.b, site.code)
    return nearby(say, ground, ground.grid.ends_of_side, "side", "corner").of_one(say.b, site.code)


def outer(say: Says, e: core.Builtin, board: Grown, scope: Scope) -> Lowered:
    """Is a side between a cell and the outside?"""
    side = say.index(e.args[0], scope)
    if side.low < 0:
        raise missing(f"the word “{e.name}” of a side or none", scope)
    return Scalar(is_outer(say, board, side.code), 0, 1)


def footprints(say: Says, e: core.Builtin, board: Grown, scope: Scope) -> Lowered:
    """Every set of cells that a shape can cover."""
    shape = say.index(e.args[0], scope)
    copy = copy_of(say, e.args[1], board, scope)
    return say.shared.footprints.members(say.b, board, shape, copy)


def footprints_within(
    say: Says, e: core.Builtin, board: Grown, scope: Scope, cells: Bits
) -> Members:
    """Only those that lie within a set of cells."""
    shape = say.index(e.args[0], scope)
    copy = copy_of(say, e.args[1], board, scope)
    return say.shared.footprints.within(say.b, board, shape, copy, cells)


def extent(say: Says, e: core.Builtin, board: Grown, scope: Scope) -> Lowered:
    """How many columns or rows a board or a set of cells spans."""
    b, ground, columns = say.b, board.ground, e.name == "width"
    if isinstance(e.args[0].type, BoardT):
        found = lines_of_board(say, board, copy_of(say, e.args[0], board, scope), columns)
    else:
        found = b.keep(_lines_in(say, e.args[0], board, scope, columns))
    spread = op("i64.sub", ir.i64(64 - 1), op("i64.clz", found))
    wide = op("i64.add", op("i64.sub", spread, op("i64.ctz", found)), ir.i64(1))
    lines = ground.width if columns else ground.height
    return Scalar(ir.Select(op("i64.eqz", found), ir.i64(0), wide), 0, lines)


def _lines_in(say: Says, e: core.Expr, board: Grown, scope: Scope, columns: bool) -> ir.Code:
    """The columns or rows in which the cells of a set or list lie: of a union those of its parts,
    of what a board has now those that are known of it.
    """
    b = say.b
    match e:
        case core.SetOp(op="+"):
            left = b.keep(_lines_in(say, e.left, board, scope, columns))
            right = b.keep(_lines_in(say, e.right, board, scope, columns))
            return op("i64.or", left, right)
        case core.Builtin(name="board_sites" | "spaces") if board_in(say, e) is board:
            copy = copy_of(say, e.args[0], board, scope)
            return lines_of_board(say, board, copy, columns)
        case core.Expr(type=ListT()):
            return _lines_of_list(say, e, board, scope, columns)
        case _:
            return lines(b, bits.kept(b, say.bits(e, scope)), board, columns, say.program)


def _lines_of_list(say: Says, e: core.Expr, board: Grown, scope: Scope, columns: bool) -> ir.Code:
    """The same of cells that are given one by one."""
    b, ground, cells = say.b, board.ground, say.members(e, scope)
    if isinstance(cells, Bits):
        return lines(b, bits.kept(b, cells), board, columns, say.program)
    found = b.begin(ir.i64(0), "found")

    def one(cell: Lowered) -> None:
        assert isinstance(cell, Scalar)
        division = "i32.rem_u" if columns else "i32.div_u"
        local = op("i32.rem_u", cell.code, ir.i32(ground.stride("cell")))
        line = op("i64.extend_i32_u", op(division, local, ir.i32(ground.width)))
        b.set(found, op("i64.or", ir.Get(found), op("i64.shl", ir.i64(1), line)))

    cells.each(one)
    return ir.Get(found)


def is_there(say: Says, cell: Scalar, of: core.Builtin, scope: Scope) -> ir.Code | None:
    """Is a cell among those of a board, where these are asked for by a word?"""
    board, site = board_in(say, of), site_type(of.type)
    if board is None or of.name not in ("board_sites", "spaces", "all"):
        return None
    if site is None or site.role != "cell":
        return None
    copy = None if of.name == "all" else copy_of(say, of.args[0], board, scope)
    found = op("i32.ge_s", say.shared.pieces.growing.tile(board, cell.code), ir.i32(0))
    if copy is None or board.ground.copies == 1:
        return found
    mine = op("i32.div_s", cell.code, ir.i32(board.ground.stride("cell")))
    return op("i32.and", found, op("i32.eq", mine, copy))


def run(say: Says, e: core.Builtin, board: Grown, scope: Scope) -> Lowered:
    """The cells from a cell straight on in a direction, as long as they are in a set."""
    b, ground = say.b, board.ground
    cell, direction = (say.index(arg, scope) for arg in e.args[:2])
    within = say.bits(e.args[2], scope)
    steps, size = ground.steps(), ground.stride("cell")
    if direction.high >= len(steps):
        raise missing(f"the word “{e.name}” in a direction of another board", scope)
    raw = b"".join(
        (-1 if other < 0 else other + copy * size).to_bytes(4, "little", signed=True)
        for row in steps
        for copy in range(ground.copies)
        for other in row
    )
    table, whole = say.program.table(raw), ground.size("cell")

    def each(body: Callable[[Lowered], None]) -> None:
        row = b.keep(op("i32.mul", direction.code, ir.i32(4 * whole)))
        at = b.begin(cell.code, "at")
        with b.block() as done, b.loop() as again:
            for value in (cell, direction):
                if value.low < 0:
                    b.jump(done, op("i32.lt_s", value.code, ir.i32(0)))
            place = op("i32.add", row, op("i32.mul", ir.Get(at), ir.i32(4)))
            b.set(at, ir.load("i32.load", place, table))
            here = Scalar(b.keep(ir.Get(at)), NONE, whole - 1)
            b.jump(done, ir.negated(bits.contains(within, here)))
            body(Scalar(here.code, 0, whole - 1))
            b.jump(again)

    return Members(each, max(ground.width, ground.height), frozen=True)


# The same for words that are about one site; of sets they are those of any board.
WORDS_OF_ONE: dict[str, Callable[[Says, core.Builtin, Grown, Scope], Lowered]] = {
    "sides": around_one,
    "ends": around_one,
}

WORDS: dict[str, Callable[[Says, core.Builtin, Grown, Scope], Lowered]] = {
    "tile": tile,
    "tile_index": tile_index,
    "tile_cells": tile_cells,
    "board_sites": board_sites,
    "spaces": board_sites,
    "all": every,
    "neighbors": neighbors,
    "surroundings": neighbors,
    "spots": spots,
    "spots_around": spots,
    "turned": turned,
    "width": extent,
    "height": extent,
    "run": run,
    "cells": cells_of_side,
    "outer": outer,
    "footprints": footprints,
}
