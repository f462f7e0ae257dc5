"""The places of boards as texts name them, cells, sides and corners, and the pictures of boards
that have grown.
"""

from __future__ import annotations

import string
from collections.abc import Iterator
from functools import cached_property

from interpreter.game.game import Game, game_of
from interpreter.game.loading import Loaded
from interpreter.model.position import Position
from interpreter.model.setup import BoardInfo
from interpreter.render.look import Site
from rulelang.core.types import NUMBER, OptionalT, SiteT
from rulelang.diagnostics.english import spoken
from rulelang.geometry.grid import bounds

AROUND = 2  # cells that are shown around what lies on a large board
LARGE = 100  # cells of a board that is shown whole
_SEED = 1  # of the game whose ground is taken


class Sites:
    """The places of all boards in a position: each as texts name it, its label, and which it is."""

    def __init__(self, game: Game, s: Position) -> None:
        """Of a large board only what is near to what lies there."""
        self.game, self.s = game, s

    @cached_property
    def all(self) -> list[tuple[str, str, Site]]:
        """Every cell that is shown, and each side and corner of those where pieces may lie."""
        boards = self.game.setup.boards.values()
        return [
            found
            for info in boards
            for copy in range(info.copies)
            for found in (*self._of_board(info, copy), *self._of_edges(info, copy))
        ]

    def from_first(self, first: str, shape: list[tuple[int, int]]) -> tuple[str, ...]:
        """The cells of a form whose first one is this, as texts name them; that alone where there
        are not all of them.
        """
        known = {expr: where for expr, _, where in self.all}
        named = {where: expr for expr, where in known.items()}
        if first not in known or known[first][1] != "cell":
            return (first,)
        board, role, site = known[first]
        info = self.game.setup.boards[board]
        copy, local = divmod(site, info.cells)
        column, row = info.grid.position(local)
        cells = [info.grid.cell(column + c, row + r) for c, r in shape]
        wheres = [(board, role, cell + copy * info.cells) for cell in cells if cell >= 0]
        found = tuple(named[where] for where in wheres if where in named)
        return found if len(found) == len(shape) else (first,)

    def _of_board(self, info: BoardInfo, copy: int) -> Iterator[tuple[str, str, Site]]:
        name = info.board.name
        t = SiteT(name, "cell", dict(info.board.roles).get("cell", "cell"))
        several = len(self.game.setup.boards) > 1 or info.copies > 1
        for cell in self._near(info, copy):
            site = cell + copy * info.cells
            label = self.game.presenter.cell_label(site, t, self.s)
            whose = f" of player {copy + 1}" if info.copies > 1 else ""
            words = f"{label} ({name}{whose})" if several else label
            yield self._named(info, copy, cell, t), words, (name, "cell", site)

    def _of_edges(self, info: BoardInfo, copy: int) -> Iterator[tuple[str, str, Site]]:
        """The sides and corners round the cells that are shown, where the board has pieces there;
        each once, by the first of its cells.
        """
        roles = {layer.role for layer in info.board.layers} - {"cell"}
        done: set[Site] = set()
        if not roles:
            return
        for expr, words, (name, _, site) in list(self._of_board(info, copy)):
            for role, at, near, label in self._edges(info, expr, site - copy * info.cells):
                where = (name, role, at + copy * info.stride(role))
                if role in roles and where not in done:
                    done.add(where)
                    yield near, f"{words}, {label}", where

    def _edges(self, info: BoardInfo, expr: str, cell: int) -> Iterator[tuple[str, int, str, str]]:
        """The sides and corners of a cell: role, number, as texts name it, label."""
        grid, names = info.grid, info.grid.directions
        for d, side in enumerate(grid.sides_of[cell]):
            named, before = f"side_to({expr}, {names[d]})", f"side_to({expr}, {names[d - 1]})"
            yield "side", side, named, f"side to the {spoken(names[d])}"
            (corner,) = set(grid.ends_of_side[side]) & set(
                grid.ends_of_side[grid.sides_of[cell][d - 1]]
            )
            both = f"first of {{x in {named}'s ends where x in {before}'s ends}}"
            between = f"{spoken(names[d - 1])} and {spoken(names[d])}"
            yield "corner", corner, both, f"corner between {between}"

    def _near(self, info: BoardInfo, copy: int) -> list[int]:
        """The cells of a board that are shown."""
        present = self.s.present(info.board.name, copy)
        if len(present) <= LARGE or info.board.grown_from is not None:
            return sorted(present)
        base, grid = copy * info.cells, info.grid
        taken = frozenset(
            cell - base
            for layer in info.board.layers
            if layer.role == "cell"
            for cell, pile in self.s.on[layer.name].items()
            if pile and base <= cell < base + info.cells
        )
        middle = grid.cell(grid.width // 2, grid.height // 2)
        left, top, right, bottom = bounds(grid, taken or frozenset({middle}))
        wide = AROUND if taken else AROUND + 1
        found = (
            grid.cell(column, row)
            for row in range(top - wide, bottom + wide + 1)
            for column in range(left - wide, right + wide + 1)
        )
        return sorted(cell for cell in found if cell in present)

    def _named(self, info: BoardInfo, copy: int, cell: int, t: SiteT) -> str:
        """A cell as texts name it: by its label, where a definition of the rules takes that, or by
        its column and row.
        """
        site = cell + copy * info.cells
        label = self.game.presenter.cell_label(site, t, self.s)
        if label.isdecimal() and len(label) < 9:
            for name in self._by_label(t):
                if self.game.rules.definition(name)(self.s, (int(label),)) == site:
                    return f"{name}({label})"
        column, row = info.grid.position(cell)
        board = f"p{copy + 1}'s {info.board.name}" if info.board.per_player else info.board.name
        return f"site_at({board}, {column + 1}, {row + 1})"

    def _by_label(self, t: SiteT) -> Iterator[str]:
        for known in self.game.rules_source.definitions.values():
            given = known.type.of if isinstance(known.type, OptionalT) else known.type
            if given == t and [p for _, p in known.params] == [NUMBER]:
                yield known.name


def ground_of(loaded: Loaded, players: int) -> tuple[str, ...]:
    """The boards that grow, as they are when a game begins: the lines of their pictures."""
    if not any(board.grown_from for board in loaded.compiled.rules.boards.values()):
        return ()
    game = game_of(loaded, players, (), {})
    s = game.start(_SEED).position
    lines: list[str] = []
    for info in game.setup.boards.values():
        if info.board.grown_from is not None:
            for copy in range(info.copies):
                lines += _picture(game, s, info, copy)
    return tuple(lines)


def _picture(game: Game, s: Position, info: BoardInfo, copy: int) -> list[str]:
    """One board's picture, in labels or in signs that stand for its tiles."""
    name = info.board.name
    present = s.present(name, copy)
    if not present:
        return []
    t = SiteT(name, "cell", dict(info.board.roles).get("cell", "cell"))
    signs: dict[str, str] = {}
    left, top, right, bottom = bounds(info.grid, frozenset(present))
    rows = []
    for row in range(top, bottom + 1):
        cells = (info.grid.cell(column, row) for column in range(left, right + 1))
        drawn = (
            _sign(game, s, info, cell + copy * info.cells, t, signs) if cell in present else "."
            for cell in cells
        )
        rows.append(" ".join(drawn))
    whose = f" of p{copy + 1}" if info.board.per_player else ""
    explained = [f'    "{sign}": {piece}' for piece, sign in signs.items()]
    return [f"  board {name}{whose}", *(f"    | {row}" for row in rows), *explained]


def _sign(
    game: Game, s: Position, info: BoardInfo, cell: int, t: SiteT, signs: dict[str, str]
) -> str:
    """What stands for a cell in a picture; signs without a label are noted with their pieces."""
    if info.board.labels is not None:
        return game.presenter.cell_label(cell, t, s)
    tile = s.tiles[info.board.name][cell][0]
    title = f'"{game.presenter.piece(tile)}"'
    return signs.setdefault(title, string.ascii_uppercase[len(signs) % 26])
