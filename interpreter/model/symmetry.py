"""Symmetry: pieces that nothing tells apart, of which one stands for all.

Equal pieces that lie together unordered, and that everybody knows or nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from interpreter.model.position import Position

Value = Any


def twin(s: Position, piece: Value) -> Any:
    """What equal pieces have in common: design, and the place if order there is nothing."""
    at = s.where[piece] if isinstance(piece, int) else None
    if at is None or at[0] in ("on", "tile") or s.setup.rules.places[at[0]].ordered:
        return (
            ("only", piece)
            if at is not None
            else ("class", s.setup.twin[piece] if isinstance(piece, int) else piece)
        )
    return ("class", s.setup.twin[piece], at, s.known.get(piece))


def distinct(s: Position, pieces: Iterable[Value]) -> Iterator[Value]:
    """Of pieces that nothing tells apart (equal design, same unordered place) only the first."""
    seen: set[Any] = set()
    for piece in pieces:
        key = twin(s, piece)
        if key not in seen:
            seen.add(key)
            yield piece
