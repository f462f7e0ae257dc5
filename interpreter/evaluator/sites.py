"""The words about cells, sides and corners: adjacency, boundaries, shapes and straight lines, over integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.model.position import Position
from interpreter.model.setup import BoardInfo, Setup
from rulelang import core
from rulelang.core.types import BoardT, element, site_type
from rulelang.core.values import FAR
from rulelang.geometry.grid import distance, distances, outer_sides

Value = Any
Word = Callable[..., Value]


class SiteWords:
    """The words of one game that speak of sites."""

    def __init__(self, setup: Setup) -> None:
        """Tables are taken once from the setup."""
        self.setup = setup

    def info(self, node: core.Builtin, index: int = 0) -> BoardInfo:
        """The board an argument's sites belong to."""
        t = node.args[index].type
        site = site_type(t)
        name = (
            site.board
            if site
            else t.name
            if isinstance(t, BoardT)
            else next(iter(self.setup.boards))
        )
        found: BoardInfo = self.setup.boards[name]
        return found

    def sites(self, s: Position, info: BoardInfo, role: str, copy: int | None) -> frozenset[int]:
        """The sites a board has now, of one copy or of all."""
        key = ("sites", info.board.name, role, copy)
        found = s.geometry.get(key)
        if found is None:
            copies = range(info.copies) if copy is None else (copy,)
            made: set[int] = set()
            for c in copies:
                cells = s.present(info.board.name, c)
                if role == "cell":
                    made.update(cell + c * info.cells for cell in cells)
                elif role == "side":
                    made.update(
                        side + c * info.sides for cell in cells for side in info.grid.sides_of[cell]
                    )
                else:
                    made.update(
                        e + c * info.corners
                        for cell in cells
                        for side in info.grid.sides_of[cell]
                        for e in info.grid.ends_of_side[side]
                    )
            found = s.geometry[key] = frozenset(made)
        return found

    def _local(self, node: core.Builtin, table: Any, stride_out: str) -> Word:
        """A word of a cell (or a set of them) given by a table over one copy's cells."""
        info = self.info(node)
        out = info.stride(stride_out)
        many = element(node.args[0].type) is not None
        grown = info.board.grown_from is not None
        name = info.board.name

        def one(s: Position, cell: int) -> set[int]:
            copy, local = divmod(cell, info.cells)
            found = table[local]
            if stride_out == "cell" and grown:
                present = s.present(name, copy)
                found = [c for c in found if c in present]
            return {x + copy * out for x in found}

        if not many:
            return lambda s, cell: frozenset() if cell is None else frozenset(one(s, cell))

        def around(s: Position, cells: Value) -> frozenset[int]:
            made: set[int] = set()
            for cell in cells:
                made |= one(s, cell)
            return frozenset(made - set(cells)) if stride_out == "cell" else frozenset(made)

        return around

    def w_neighbors(self, node: core.Builtin) -> Word:
        return self._local(node, self.info(node).grid.neighbors, "cell")

    def w_surroundings(self, node: core.Builtin) -> Word:
        return self._local(node, self.info(node).grid.surround, "cell")

    def w_sides(self, node: core.Builtin) -> Word:
        info, site = self.info(node), site_type(node.args[0].type)
        if site is not None and site.role == "corner":

            def at_corner(s: Position, corner: int) -> frozenset[int]:
                copy, local = divmod(corner, info.corners)
                return frozenset(x + copy * info.sides for x in info.grid.sides_of_corner[local])

            return at_corner
        return self._local(node, info.grid.sides_of, "side")

    def w_inner_sides(self, node: core.Builtin) -> Word:
        info = self.info(node)

        def inner(s: Position, cells: Value) -> frozenset[int]:
            members = set(cells) if element(node.args[0].type) is not None else {cells}
            made: set[int] = set()
            for cell in members:
                copy, local = divmod(cell, info.cells)
                for side in info.grid.sides_of[local]:
                    both = info.grid.cells_of_side[side]
                    if len(both) == 2 and all(c + copy * info.cells in members for c in both):
                        made.add(side + copy * info.sides)
            return frozenset(made)

        return inner

    def w_outer_sides(self, node: core.Builtin) -> Word:
        sides, inner = self.w_sides(node), self.w_inner_sides(node)
        return lambda s, cells: sides(s, cells) - inner(s, cells)

    def w_ends(self, node: core.Builtin) -> Word:
        info = self.info(node)

        def ends(s: Position, side: int) -> frozenset[int]:
            copy, local = divmod(side, info.sides)
            return frozenset(x + copy * info.corners for x in info.grid.ends_of_side[local])

        return ends

    def w_cells(self, node: core.Builtin) -> Word:
        info = self.info(node)

        def cells(s: Position, side: int) -> frozenset[int]:
            copy, local = divmod(side, info.sides)
            present = s.present(info.board.name, copy)
            return frozenset(
                c + copy * info.cells for c in info.grid.cells_of_side[local] if c in present
            )

        return cells

    def w_outer(self, node: core.Builtin) -> Word:
        info = self.info(node)

        def outer(s: Position, side: int) -> bool:
            if side is None:
                return False
            copy, local = divmod(side, info.sides)
            key = ("outer", info.board.name, copy)
            found = s.geometry.get(key)
            if found is None:
                found = s.geometry[key] = outer_sides(info.grid, s.present(info.board.name, copy))
            return local in found

        return outer

    def w_adjacent(self, node: core.Builtin) -> Word:
        info = self.info(node)

        def adjacent(s: Position, a: int, b: int) -> bool:
            if a is None or b is None:
                return False
            copy, local = divmod(a, info.cells)
            return b - copy * info.cells in info.grid.neighbors[local]

        return self._spread(node, adjacent)

    def w_touches_corner(self, node: core.Builtin) -> Word:
        info = self.info(node)

        def touches(s: Position, a: int, b: int) -> bool:
            if a is None or b is None:
                return False
            copy, local = divmod(a, info.cells)
            other = b - copy * info.cells
            return other in info.grid.surround[local] and other not in info.grid.neighbors[local]

        return self._spread(node, touches)

    def _spread(self, node: core.Builtin, test: Word) -> Word:
        """A relation of cells said of sets of cells: some pair of them."""
        many = [element(a.type) is not None for a in node.args]
        if not any(many):
            return test

        def some(s: Position, a: Value, b: Value) -> bool:
            return any(
                test(s, x, y) for x in (a if many[0] else (a,)) for y in (b if many[1] else (b,))
            )

        return some

    def w_distance(self, node: core.Builtin) -> Word:
        info = self.info(node)

        def steps(s: Position, a: int, b: int) -> int:
            if a is None or b is None or a // info.cells != b // info.cells:
                return FAR
            return distance(info.grid, a % info.cells, b % info.cells, None)

        many = [element(a.type) is not None for a in node.args]
        if any(many):
            return lambda s, a, b: min(
                (
                    steps(s, x, y)
                    for x in (a if many[0] else (a,))
                    for y in (b if many[1] else (b,))
                ),
                default=FAR,
            )
        return steps

    def w_distance_across(self, node: core.Builtin) -> Word:
        info = self.info(node)
        many = element(node.args[1].type) is not None
        from_all = self._walks(node)

        def steps(s: Position, a: Value, b: Value, joined: frozenset[frozenset[int]]) -> int:
            walks = from_all(a, joined)
            return min(
                (
                    walks[x // info.cells][x % info.cells]
                    for x in (b if many else (b,))
                    if x // info.cells in walks
                ),
                default=FAR,
            )

        return steps

    def w_cells_within(self, node: core.Builtin) -> Word:
        info = self.info(node)
        from_all = self._walks(node)

        def near(
            s: Position, a: Value, n: int, joined: frozenset[frozenset[int]]
        ) -> frozenset[int]:
            walks = from_all(a, joined)
            present = self.sites(s, info, "cell", None)
            return frozenset(
                x
                for x in present
                if x // info.cells in walks and walks[x // info.cells][x % info.cells] <= n
            )

        return near

    def _walks(
        self, node: core.Builtin
    ) -> Callable[[Value, frozenset[frozenset[int]]], dict[int, tuple[int, ...]]]:
        """For a cell or set of cells and what counts as one: board by board, how far every cell is from the nearest of them."""
        info, many = self.info(node), element(node.args[0].type) is not None

        def walks(a: Value, joined: frozenset[frozenset[int]]) -> dict[int, tuple[int, ...]]:
            found: dict[int, tuple[int, ...]] = {}
            ones = a if many else (a,)
            for board in {x // info.cells for x in ones}:
                first = board * info.cells
                here = (
                    frozenset(
                        frozenset(x - first for x in cells)
                        for cells in joined
                        if cells and min(cells) // info.cells == board
                    )
                    if first
                    else joined
                )
                found[board] = distances(
                    info.grid, frozenset(x - first for x in ones if x // info.cells == board), here
                )
            return found

        return walks
