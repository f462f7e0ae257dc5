"""What stands on the screen above a menu: as much of the table as it holds.

Where not all fits, what whoever looks has read already goes first, then tables of what he holds
are told as words, and of large boards a part is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rich.text import Text

from interpreter.game.game import State
from interpreter.render.look import Look
from interpreter.render.screen import wrapped
from interpreter.render.table import Block, blocks, boards_at, spread_out

_LEAST = 11  # lines of a board at least
_LEGEND = 2  # lines for what the signs on a board mean
_READ_ONCE = ("common", "other")  # kinds of blocks that need not be told again
_SHORT = "(`scores` tells all of it, card by card)"


@dataclass(frozen=True)
class Overview:
    """The lines above a menu, only the boards something is pointed at on, and what was told."""

    lines: tuple[Text, ...]
    boards: tuple[Text, ...]
    told: frozenset[str]


def overview(
    state: State, look: Look, told: frozenset[str], brief: frozenset[int], below: int
) -> Overview:
    """The table as its viewer sees it, above so many lines of a screen.

    What was `told` him already is left out where not all fits; places with pieces in `brief`, which
    the menu tells of, are told as words.
    """
    best, shortened = _made(state, look, frozenset(), brief, below), False
    if look.height is not None and _rows(best, look) > look.height - below:
        best = _made(state, look, told, brief, below)
        if _rows(best, look) > look.height - below and look.viewer is not None:
            spread = spread_out(state, look.viewer)
            shortened = not spread <= brief
            best = _made(state, look, told, spread | brief, below)
    lines = [line for block in best for line in block.lines]
    known = [line.plain for block in best if block.kind in _READ_ONCE for line in block.lines]
    if shortened:
        lines.append(Text(_SHORT, style="dim"))
    return Overview(
        tuple(lines),
        tuple(boards_at(state, _as_high(best, look, below))) if look.pointed else (),
        frozenset(known),
    )


def _made(
    state: State, look: Look, told: frozenset[str], brief: frozenset[int], below: int
) -> list[Block]:
    """The blocks of the table without lines that were told, their boards as high as fits."""
    found = [_without(block, told) for block in blocks(state, look, brief)]
    if look.height is None:
        return found
    fitting = _as_high(found, look, below)
    return [_without(block, told) for block in blocks(state, fitting, brief)]


def _as_high(found: list[Block], look: Look, below: int) -> Look:
    """A look at boards that are no higher than what stands beside them leaves."""
    if look.height is None:
        return look
    besides = _rows([block for block in found if block.kind != "board"], look)
    return replace(look, height=max(look.height - below - besides - _LEGEND, _LEAST))


def _without(block: Block, told: frozenset[str]) -> Block:
    """A block of what is common or another player's without lines that were told."""
    if block.kind not in _READ_ONCE:
        return block
    return replace(block, lines=tuple(line for line in block.lines if line.plain not in told))


def _rows(found: list[Block], look: Look) -> int:
    """How many rows of a screen blocks take."""
    width = look.width or 80
    return sum(len(wrapped(line, width)) for block in found for line in block.lines)
