"""Where on the boards something happened last: what a small screen is to show."""

from __future__ import annotations

from interpreter.game.context import PlayState
from interpreter.model.position import Position

MOST_BACK = 60  # choices that are looked back

Spot = tuple[str, int]  # a board and one of its cells, of any copy


def last_changed(state: PlayState, viewer: int | None) -> frozenset[Spot]:
    """The cells on which something came to lie, or went, with the last change of each board."""
    found: dict[str, frozenset[Spot]] = {}
    now, at, boards = state.seen_by(viewer), state.parent, set(state.game.setup.boards)
    for _ in range(MOST_BACK):
        if at is None or boards <= set(found):
            break
        before = at.seen_by(viewer)
        for name in boards - set(found):
            if spots := differing(before, now, name):
                found[name] = spots
        at = at.parent
    return frozenset().union(*found.values())


def differing(before: Position, now: Position, board: str) -> frozenset[Spot]:
    """The cells of a board on which two positions differ."""
    spots: set[Spot] = set()
    for layer in now.setup.boards[board].board.layers:
        if layer.role == "cell":
            one, two = before.on[layer.name], now.on[layer.name]
            sites = one.keys() | two.keys()
            spots |= {(board, site) for site in sites if one.get(site) != two.get(site)}
    if board in now.tiles:
        one_tiles, two_tiles = before.tiles[board], now.tiles[board]
        spots |= {(board, cell) for cell in two_tiles.keys() - one_tiles.keys()}
    return frozenset(spots)
