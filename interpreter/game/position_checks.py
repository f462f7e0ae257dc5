"""Positions that no play could lead to, whatever their pieces and variables are called: pieces that
cannot lie so, two where one may lie, numbers that no rule makes so small.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from interpreter.game.context import GameContext
from interpreter.model.position import Position
from interpreter.model.setup import BoardInfo
from rulelang.analysis.bounds import covering_fields, never_negative
from rulelang.core.types import SiteT
from rulelang.geometry.grid import components
from rulelang.geometry.shapes import Shape, orientations, parse_shape
from rulelang.ruleset import Layer, Ruleset


def impossible(game: GameContext, s: Position, forms: bool = True) -> list[str]:
    """What cannot be in a position, one line for each; a position that play led to has none.

    Without `forms` a piece may cover other cells than those of its form, if they hang together.
    """
    return [*_lying(game, s, forms), *_crowded(game, s), *_tiles(game, s), *_numbers(game, s)]


@lru_cache(maxsize=16)
def _bounds(rules: _ByIdentity) -> tuple[frozenset[str], dict[str, str]]:
    return never_negative(rules.rules), covering_fields(rules.rules)


class _ByIdentity:
    """A ruleset, told apart by which object it is."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByIdentity) and other.rules is self.rules

    def __hash__(self) -> int:
        return id(self.rules)


def _layers(game: GameContext) -> dict[str, tuple[BoardInfo, Layer]]:
    """Every layer by name, with its board."""
    boards = game.setup.boards.values()
    return {layer.name: (info, layer) for info in boards for layer in info.board.layers}


# ------------------------------------------------------------------------------- pieces on layers
def _lying(game: GameContext, s: Position, forms: bool) -> Iterator[str]:
    """Pieces that cannot lie where they do: off the board, over several boards, in another form."""
    layers = _layers(game)
    fields = _bounds(_ByIdentity(game.rules_source))[1] if forms else {}
    for piece, at in enumerate(s.where):
        if at is None or len(at) != 3 or at[0] != "on":
            continue
        (info, layer), sites = layers[at[1]], at[2]
        stride = info.stride(layer.role)
        copies = {site // stride for site in sites}
        local = frozenset(site % stride for site in sites)
        name = game.presenter.piece(piece)
        if len(copies) > 1:
            yield f"{name} lies on the boards of several players"
        elif layer.role == "cell":
            copy = next(iter(copies))
            where = _said(game, s, info, layer, sites)
            if not local <= s.present(info.board.name, copy):
                yield f"{name} lies where no cell is: {where}"
            elif not _has_form(game, info, piece, fields.get(layer.component), local):
                yield f"{name} does not cover cells in this way: {where}"


def _said(
    game: GameContext, s: Position, info: BoardInfo, layer: Layer, sites: tuple[int, ...]
) -> str:
    t = SiteT(info.board.name, layer.role, dict(info.board.roles).get(layer.role, layer.role))
    return ", ".join(game.presenter.label(site, t, s) for site in sites)


def _has_form(
    game: GameContext, info: BoardInfo, piece: int, form: str | None, cells: frozenset[int]
) -> bool:
    """Can a piece cover these cells: by the form printed on it, else by hanging together?"""
    printed = game.setup.fields[form][piece] if form is not None else ""
    if isinstance(printed, str) and printed:
        offsets = [info.grid.position(cell) for cell in cells]
        ways = orientations(parse_shape(printed), info.grid.kind)
        return tuple(sorted(_from_corner(offsets))) in {tuple(sorted(way)) for way in ways}
    return len(components(cells, lambda cell: info.grid.neighbors[cell])) <= 1


def _from_corner(offsets: list[tuple[int, int]]) -> Shape:
    left, top = min(column for column, _ in offsets), min(row for _, row in offsets)
    return tuple((column - left, row - top) for column, row in offsets)


def _crowded(game: GameContext, s: Position) -> Iterator[str]:
    """Sites on which several pieces lie though the layer is no stack."""
    for name, (info, layer) in _layers(game).items():
        for site, pieces in () if layer.stacked else s.on[name].items():
            if len(pieces) > 1:
                titles = ", ".join(map(game.presenter.piece, pieces))
                yield f"several pieces lie on {_said(game, s, info, layer, (site,))}: {titles}"


# ------------------------------------------------------------------------------- tiles
def _tiles(game: GameContext, s: Position) -> Iterator[str]:
    """Tiles that do not lie as they are cut, or one upon another."""
    for piece, at in enumerate(s.where):
        if at is None or len(at) != 3 or at[0] != "tile":
            continue
        info, cells = game.setup.boards[at[1]], at[2]
        name = game.presenter.piece(piece)
        shape = game.setup.tile_shape(piece)
        offsets = [info.grid.position(cell % info.cells) for cell in cells]
        if len({cell // info.cells for cell in cells}) > 1:
            yield f"{name} lies on the boards of several players"
        elif len(cells) != len(shape) or _from_corner(offsets) not in orientations(
            shape, info.grid.kind, ordered=True
        ):
            yield f"{name} does not lie as it is cut"
        elif any(s.tiles[at[1]].get(cell, (None,))[0] != piece for cell in cells):
            yield f"{name} lies under another tile"


# ------------------------------------------------------------------------------- variables
def _numbers(game: GameContext, s: Position) -> Iterator[str]:
    """Numbers below 0 that no rule makes so."""
    rules = game.rules_source
    for name in sorted(_bounds(_ByIdentity(rules))[0]):
        variable = rules.states[name]
        for index, value in s.changed(name):
            if isinstance(value, int) and value < 0:
                of = variable.of
                whose = "" if index is None or of is None else game.presenter.text(index, of, s)
                said = f"{name} of {whose}" if whose else name
                yield f"{said} is {value}, and no rule makes it less than 0"
