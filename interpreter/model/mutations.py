"""The elementary changes of a position: pieces moved, drawn, put, laid, shuffled and shown.

Nothing is logged; each returns what happened.
"""

from __future__ import annotations

from interpreter.model.position import Position
from interpreter.model.setup import Key
from interpreter.model.values import Fault
from rulelang.core.values import Value, members, number, ordered
from rulelang.ruleset import Board


def pieces_of(what: Value) -> list[int]:
    """The pieces of a value: one, or those of a set or list in the stable order."""
    if isinstance(what, int):
        return [what]
    return [] if what is None else [p for p in ordered(members(what)) if isinstance(p, int)]


def move(s: Position, what: Value, key: Key, bottom: bool) -> None:
    """Move pieces to a place, one after the other; where there is no such place nothing moves."""
    if key in s.places:
        pieces = pieces_of(what)
        s.setup.work.visit(len(pieces))
        for piece in pieces:
            s.move(piece, key, bottom)


def draw(s: Position, count: int, source: Key, target: Key) -> tuple[int, ...]:
    """Move pieces from the top of one place to another, as many as there are; gives them."""
    if source not in s.places or target not in s.places:
        return ()
    drawn = s.places[source][: max(0, count)]
    s.setup.work.visit(len(drawn))
    for piece in drawn:
        s.move(piece, target)
    return drawn


def board_of(s: Position, what: Value, layer: str) -> Board:
    """The board a piece is put on: the layer's, or without a layer the one that grows from it."""
    if layer:
        return s.setup.boards[s.setup.layer_board[layer]].board
    component = s.setup.pieces[number(what)].design.component
    return next(b for b in s.setup.rules.boards.values() if b.grown_from == component)


def put(s: Position, what: Value, layer: str, sites: Value, line: int) -> None:
    """Put a piece on sites of a layer, or lay a tile.

    Raises Fault where another piece lies on a site that holds only one.
    """
    if what is None or sites is None:
        return
    board = board_of(s, what, layer)
    if not layer:
        s.lay(number(what), board.name, tuple(map(number, members(sites))))
        return
    spots = (sites,) if isinstance(sites, int) else tuple(map(number, ordered(members(sites))))
    piece = what if isinstance(what, int) else next(iter(ordered(members(what))), None)
    if piece is None or not spots:
        return
    known = board.layer(layer)
    assert known is not None
    if not known.stacked and any(site in s.on[layer] for site in spots):
        raise Fault(f"two pieces on one site of {layer}, line {line}")
    s.put(number(piece), layer, spots)


def shuffle(s: Position, key: Key) -> None:
    """Put an ordered place in random order; nobody knows its pieces any more."""
    pieces = list(s.places[key])
    s.setup.work.visit(len(pieces))
    for i in range(len(pieces) - 1, 0, -1):
        j = s.random(i + 1)
        pieces[i], pieces[j] = pieces[j], pieces[i]
    s.places[key] = tuple(pieces)
    for piece in pieces:
        s.known.pop(piece, None)
    s.touch(f"place:{key[0]}")


def reveal(s: Position, what: Value, to: Value) -> tuple[tuple[int, ...], frozenset[int]]:
    """Show pieces to some players, or to all; returns the pieces and who sees them."""
    pieces = tuple(pieces_of(what))
    s.setup.work.visit(len(pieces))
    who = frozenset(range(s.setup.players) if to is None else map(number, members(to)))
    for piece in pieces:
        s.known[piece] = s.known.get(piece, frozenset()) | who
    s.touch("known")
    return pieces, who
