"""Symmetry: pieces that nothing tells apart, of which one stands for all.

Equal pieces that lie together unordered, and that everybody knows or nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from interpreter.model.position import Position
from rulelang.core.values import Value


def twin(s: Position, piece: Value) -> tuple[object, ...]:
    """What equal pieces have in common: design, and the place if order there is nothing."""
    if not isinstance(piece, int):
        return "class", piece
    at = s.where[piece]
    if at is None:
        return "class", s.setup.twin[piece]
    if at[0] in ("on", "tile") or s.setup.rules.places[at[0]].ordered:
        return "only", piece
    return "class", s.setup.twin[piece], at, s.known.get(piece)


def distinct(s: Position, pieces: Iterable[Value]) -> Iterator[Value]:
    """Of pieces that nothing tells apart (equal design, same unordered place) only the first."""
    seen: set[tuple[object, ...]] = set()
    for piece in pieces:
        key = twin(s, piece)
        if key not in seen:
            seen.add(key)
            yield piece
