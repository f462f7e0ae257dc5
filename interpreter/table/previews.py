"""How each of a few options would lie: what changes on a board, with the cells around it.

Pieces that are turned, mirrored or laid one way or another are chosen by what they come to.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rich.text import Text

from interpreter.engine.decisions import Decision, Option
from interpreter.game.game import Illegal, State
from interpreter.game.recent import differing
from interpreter.model.position import Position
from interpreter.model.setup import BoardInfo
from interpreter.model.values import Fault
from interpreter.render.board import draw_alike
from interpreter.render.look import Look
from interpreter.render.table import beside
from interpreter.table.menu import Menu
from rulelang.core.types import SiteT, element
from rulelang.core.values import Value

MOST = 6  # options that are shown as they would lie
_AROUND = 1  # cells around what changes


@dataclass(frozen=True)
class Preview:
    """One option: the position it leads to as its player sees it, and the cells of one board that
    show what it changes."""

    value: Value
    position: Position
    board: str
    copy: int
    cells: frozenset[int]


def previews(state: State, decision: Decision, values: list[Value]) -> list[Preview]:
    """What options would lay or change on a board; none unless each of a few does.

    Nothing where an option would show anybody something new, or is itself a place.
    """
    spec = decision.spec
    if spec.mode != "one" or not 1 < len(values) <= MOST:
        return []
    if isinstance(element(spec.item) or spec.item, SiteT):
        return []
    found: list[Preview] = []
    for value in values:
        made = _preview(state, decision, value)
        if made is None:
            return []
        found.append(made)
    return found


def _preview(state: State, decision: Decision, value: Value) -> Preview | None:
    """One option; none if it changes no board, several, or shows something new."""
    later = _after(state, decision, value)
    if later is None:
        return None
    before, after = state.seen_by(decision.player), later.seen_by(decision.player)
    changed = {name: differing(before, after, name) for name in state.game.setup.boards}
    names = [name for name, spots in changed.items() if spots]
    if len(names) != 1:
        return None
    name, info = names[0], state.game.setup.boards[names[0]]
    sites = {cell for _, cell in changed[name]}
    copies = {site // info.cells for site in sites}
    if len(copies) != 1:
        return None
    copy = copies.pop()
    return Preview(value, after, name, copy, _around(after, info, copy, sites))


def _after(state: State, decision: Decision, value: Value) -> State | None:
    """The state after an option; none if it shows anybody something new."""
    try:
        later = state.choose(Option(decision.player, decision.name, value))
    except (Illegal, Fault):
        return None
    laid_open = decision.spec.seat is not None and not later.position.branches
    return None if later.position.learned or laid_open else later


def _around(s: Position, info: BoardInfo, copy: int, sites: set[int]) -> frozenset[int]:
    """The cells of a rectangle around these."""
    base, position = copy * info.cells, info.grid.position
    spots = [position(site - base) for site in sites]
    columns, rows = (
        range(min(p[i] for p in spots) - _AROUND, max(p[i] for p in spots) + _AROUND + 1)
        for i in (0, 1)
    )
    return frozenset(
        cell + base
        for cell in s.present(info.board.name, copy)
        if position(cell)[0] in columns and position(cell)[1] in rows
    )


def drawn(state: State, menu: Menu, look: Look) -> list[Text]:
    """The options of a menu as they would lie, beside one another with their numbers, in as many
    rows as they need; no lines where that cannot be told."""
    found = previews(state, menu.decision, menu.values)
    part = replace(look, near=False, height=None, width=None)
    boards, legend = draw_alike(
        [(state.game, p.position, p.board, p.copy, replace(part, only=p.cells)) for p in found],
        look.width,
    )
    blocks: list[list[Text]] = []
    for preview, board in zip(found, boards, strict=True):
        place = menu.values.index(preview.value)
        blocks.append([Text(f"{place + 1}  {menu.told(place)}", style="bold"), *board])
    for across in range(len(blocks), 0, -1):
        rows = [blocks[start : start + across] for start in range(0, len(blocks), across)]
        made = [beside(row, look.width) for row in rows]
        if all(made):
            return [line for row in made for line in row] + legend
    return []
