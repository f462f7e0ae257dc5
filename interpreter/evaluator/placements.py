"""The words about shapes on a board: where a piece or tile may lie, lines, steps and rays, columns and rows."""

from __future__ import annotations

from typing import Any

from interpreter.evaluator.sites import SiteWords, Word
from interpreter.model.position import Position
from interpreter.model.setup import tile_shape
from rulelang import core
from rulelang.core.types import DIRECTION, BoardT, element
from rulelang.geometry.grid import bounds, ray
from rulelang.geometry.shapes import footprints, lines, orientations, tile_spots, turned

Value = Any


class LayWords(SiteWords):
    """Adds the words of one game that speak of where things may lie."""

    def w_footprints(self, node: core.Builtin) -> Word:
        info = self.info(node, 1)

        def covers(s: Position, shape: str, b: int) -> frozenset[frozenset[int]]:
            key = ("footprints", info.board.name, shape, b)
            found = s.geometry.get(key)
            if found is None:
                low = b * info.cells
                local = footprints(
                    info.grid, self.setup.shape(shape), s.present(info.board.name, b)
                )
                found = s.geometry[key] = frozenset(
                    frozenset(c + low for c in cells) for cells in local
                )
            return found

        return covers

    def w_spots(self, node: core.Builtin) -> Word:
        return self._spots(node, corners=False)

    def w_spots_around(self, node: core.Builtin) -> Word:
        return self._spots(node, corners=True)

    def _spots(self, node: core.Builtin, corners: bool) -> Word:
        info = self.info(node, 1)

        def spots(s: Position, tile: int, b: int) -> frozenset[tuple[int, ...]]:
            if tile is None:
                return frozenset()
            low = b * info.cells
            shape = tile_shape(self.setup, tile)
            key = ("spots", info.board.name, shape, b, corners)
            found = s.geometry.get(key)
            if found is None:
                present = s.present(info.board.name, b)
                if present:
                    local = tile_spots(info.grid, shape, present, corners)
                else:  # the first tile lies in the middle: beside nothing as it is, around nothing turned as one likes
                    middle = (info.grid.width // 2 - 1, info.grid.height // 2 - 1)
                    ways = (
                        orientations(shape, info.grid.kind, ordered=True) if corners else (shape,)
                    )
                    local = tuple(
                        tuple(info.grid.cell(middle[0] + c, middle[1] + r) for c, r in way)
                        for way in ways
                    )
                found = s.geometry[key] = frozenset(
                    tuple(c + low for c in cells) for cells in local
                )
            return found

        return spots

    def w_turned(self, node: core.Builtin) -> Word:
        if node.type == DIRECTION:
            ways = self.setup.kind_size("direction")
            return lambda s, d, times: (d + times) % ways
        info = self.info(node)

        def turn(s: Position, cells: tuple[int, ...] | None, times: int) -> tuple[int, ...]:
            low = cells[0] // info.cells * info.cells if cells else 0
            return tuple(
                c + low for c in turned(info.grid, tuple(c - low for c in cells or ()), times)
            )

        return turn

    def w_lines_of(self, node: core.Builtin) -> Word:
        info = self.info(node)

        def runs(s: Position, b: int, n: int) -> frozenset[frozenset[int]]:
            key = ("lines", info.board.name, b, n)
            found = s.geometry.get(key)
            if found is None:
                low = b * info.cells
                local = lines(info.grid, n, s.present(info.board.name, b)) if n > 0 else ()
                found = s.geometry[key] = frozenset(
                    frozenset(c + low for c in run) for run in local
                )
            return found

        return runs

    def w_step(self, node: core.Builtin) -> Word:
        info = self.info(node)

        def step(s: Position, cell: int, d: int) -> int | None:
            if cell is None:
                return None
            copy, local = divmod(cell, info.cells)
            found = info.grid.step[d][local]
            return (
                found + copy * info.cells
                if found >= 0 and found in s.present(info.board.name, copy)
                else None
            )

        return step

    def w_run(self, node: core.Builtin) -> Word:
        info = self.info(node)

        def run(s: Position, cell: int, d: int, within: frozenset[int]) -> tuple[int, ...]:
            if cell is None:
                return ()
            copy, local = divmod(cell, info.cells)
            low = copy * info.cells
            return tuple(
                c + low
                for c in ray(
                    info.grid,
                    local,
                    d,
                    frozenset(x - low for x in within if x // info.cells == copy),
                )
            )

        return run

    def w_side_to(self, node: core.Builtin) -> Word:
        info = self.info(node)

        def side(s: Position, cell: int, d: int) -> int | None:
            if cell is None:
                return None
            copy, local = divmod(cell, info.cells)
            return info.grid.sides_of[local][d] + copy * info.sides

        return side

    def w_site_at(self, node: core.Builtin) -> Word:
        info = self.info(node)

        def at(s: Position, b: int, column: int, row: int) -> int | None:
            found = info.grid.cell(column - 1, row - 1)
            return (
                found + b * info.cells
                if found >= 0 and found in s.present(info.board.name, b)
                else None
            )

        return at

    def w_column(self, node: core.Builtin) -> Word:
        info = self.info(node)
        return lambda s, cell: 0 if cell is None else info.grid.position(cell % info.cells)[0] + 1

    def w_row(self, node: core.Builtin) -> Word:
        info = self.info(node)
        return lambda s, cell: 0 if cell is None else info.grid.position(cell % info.cells)[1] + 1

    def _extent(self, node: core.Builtin, axis: int) -> Word:
        info = self.info(node)
        whole = isinstance(node.args[0].type, BoardT)

        def extent(s: Position, what: Value) -> int:
            if whole:
                cells = s.present(info.board.name, what)
            else:
                cells = frozenset(
                    c % info.cells
                    for c in (what if element(node.args[0].type) is not None else (what,))
                )
            if not cells:
                return 0
            low_c, low_r, high_c, high_r = bounds(info.grid, cells)
            return (high_c - low_c, high_r - low_r)[axis] + 1

        return extent

    def w_width(self, node: core.Builtin) -> Word:
        return self._extent(node, 0)

    def w_height(self, node: core.Builtin) -> Word:
        return self._extent(node, 1)
