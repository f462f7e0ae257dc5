"""Limits on the size of a game: how many pieces it may have, and how large a board may be."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.elaborate.symbols import SymbolTable
from rulelang.geometry.grid import MAX_GROWN
from rulelang.ruleset import Board, Design

MAX_PIECES = 10_000  # of one game; those that each player has are counted once
MAX_CELLS = 10_000  # of one board


def check_limits(symbols: SymbolTable, designs: Sequence[Design], copies: Sequence[int]) -> bool:
    """Report more pieces than a game may have, or boards with more cells than they may have.

    `copies` has the number of pieces of each design. Says whether there are no more than that.
    """
    total, last = 0, None
    for design, number in zip(designs, copies, strict=True):
        total += number
        if total > MAX_PIECES and last is None:
            last = design
    if last is not None:
        symbols.report.add("too-many", last.span, what="pieces", found=total, limit=MAX_PIECES)
    for board in symbols.rules.boards.values():
        if board.grown_from is not None:
            _check_tiles(symbols, board, designs)
            continue
        width, height = (_largest(symbols, side) for side in (board.width, board.height))
        if board.clause and width * height > MAX_CELLS:
            symbols.report.add(
                "too-many",
                symbols.rules.clauses[board.clause].span,
                what=f"cells on the board {board.name}",
                found=width * height,
                limit=MAX_CELLS,
            )
    return last is None


def _check_tiles(symbols: SymbolTable, board: Board, designs: Sequence[Design]) -> None:
    """Report tiles that reach from the middle of a board that grows beyond its edge.

    How many tiles there are does not matter: the board has only the cells of those that lie there.
    """
    most = (MAX_GROWN - 1) // 2
    for design in designs:
        if design.component == board.grown_from and _reach(design) > most:
            symbols.report.add(
                "too-many", design.span, what="cells in a row", found=_reach(design), limit=most
            )


def _reach(design: Design) -> int:
    """The longer side of the shape printed on a tile; 1 if none is."""
    texts = [value for _, value in design.values if isinstance(value, str) and value]
    shape = next((text for text in texts if set(text) <= set("X./")), "X").split("/")
    return max(len(shape), len(shape[0]))


def _largest(symbols: SymbolTable, size: int | str) -> int:
    """A size of a board, or the largest value of the option that gives it."""
    if isinstance(size, int):
        return size
    values = symbols.rules.options.get(size, ())
    return max((int(value) for value in values if isinstance(value, int)), default=1)
