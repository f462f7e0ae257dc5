"""Limits on the size of a game: how many pieces it may have, and how large a board may be."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.elaborate.symbols import SymbolTable
from rulelang.ruleset import Board, Design

MAX_PIECES = 10_000  # of one game; those that each player has are counted once
MAX_CELLS = 10_000  # of one board
MAX_CELLS_GROWN = 10 * MAX_CELLS  # of the canvas for a board that grows from tiles


def check_limits(symbols: SymbolTable, designs: Sequence[Design], copies: Sequence[int]) -> None:
    """Report more pieces than a game may have, or boards with more cells than they may have.

    `copies` has the number of pieces of each design.
    """
    total, last = 0, None
    for design, number in zip(designs, copies, strict=True):
        total += number
        if total > MAX_PIECES and last is None:
            last = design
    if last is not None:
        symbols.report.add("too-many", last.span, what="pieces", found=total, limit=MAX_PIECES)
    for board in symbols.rules.boards.values():
        cells, limit = _cells(symbols, board, designs, copies)
        if board.clause and cells > limit:
            symbols.report.add(
                "too-many",
                symbols.rules.clauses[board.clause].span,
                what=f"cells on the board {board.name}",
                found=cells,
                limit=limit,
            )


def _cells(
    symbols: SymbolTable, board: Board, designs: Sequence[Design], copies: Sequence[int]
) -> tuple[int, int]:
    """The most cells a board may come to have, and how many it may have."""
    if board.grown_from is None:
        width, height = (_largest(symbols, side) for side in (board.width, board.height))
        return width * height, MAX_CELLS
    # The canvas must hold all tiles in one row, whichever way they lie.
    reach = sum(
        number * _reach(design)
        for design, number in zip(designs, copies, strict=True)
        if design.component == board.grown_from
    )
    return (2 * reach + 3) ** 2, MAX_CELLS_GROWN


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
