"""What generated code does to pieces: the effects of statements, without a log."""
from __future__ import annotations

from typing import Any

from interpreter.evaluate import Fault
from interpreter.sites import ordered
from interpreter.state import Position

BOUND = 200_000  # rounds of a loop that asks nobody


def endless(line: int) -> None:
    """Raises Fault: a loop that asks nobody does not end."""
    raise Fault(f"a loop in an event that does not end, line {line}")


def refuse(event: str) -> None:
    """Raises Fault: the rules propose an event that they do not accept."""
    raise Fault(f"{event} is refused")


def pieces_of(what: Any) -> list[int]:
    """The pieces of a value: one, or those of a set or list in the stable order."""
    return [what] if isinstance(what, int) else [p for p in ordered(what or ()) if p is not None]


def move(s: Position, what: Any, key: Any, bottom: bool) -> None:
    """Move pieces to a place."""
    if key in s.places:
        for piece in pieces_of(what):
            s.move(piece, key, bottom)


def draw(s: Position, count: int, source: Any, target: Any) -> None:
    """Move pieces from the top of one place to another, as many as there are."""
    if source in s.places and target in s.places:
        for piece in s.places[source][: max(0, count)]:
            s.move(piece, target)


def put(s: Position, what: Any, layer: str, sites: Any, line: int) -> None:
    """Put a piece on sites, or lay a tile."""
    if what is None or sites is None:
        return
    if layer == "":
        component = s.setup.pieces[what].design.component
        board = next(b.name for b in s.setup.rules.boards.values() if b.grown_from == component)
        s.lay(what, board, tuple(sites))
        return
    spots = tuple(ordered(sites)) if isinstance(sites, frozenset | tuple) else (sites,)
    piece = what if isinstance(what, int) else next(iter(ordered(what)), None)
    if piece is None or not spots:
        return
    known = s.setup.boards[s.setup.layer_board[layer]].board.layer(layer)
    assert known is not None
    if not known.stacked and any(site in s.on[layer] for site in spots):
        raise Fault(f"two pieces on one site of {layer}, line {line}")
    s.put(piece, layer, spots)


def shuffle(s: Position, key: Any) -> None:
    """Put an ordered place in random order."""
    pieces = list(s.places[key])
    for i in range(len(pieces) - 1, 0, -1):
        j = s.random(i + 1)
        pieces[i], pieces[j] = pieces[j], pieces[i]
    s.places[key] = tuple(pieces)
    for piece in pieces:
        s.known.pop(piece, None)
    s.touch(f"place:{key[0]}")


def reveal(s: Position, what: Any, to: Any) -> None:
    """Show pieces to everybody, or to some."""
    who = frozenset(to) if to is not None else frozenset(range(s.setup.players))
    for piece in pieces_of(what):
        s.known[piece] = s.known.get(piece, frozenset()) | who
    s.touch("known")
