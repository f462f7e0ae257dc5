"""Maps that are no grid: where each member of a kind is drawn, and which are linked."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PointMap:
    """A kind whose members are points of a map.

    `spots` has the column and row of each member, or nothing where they are laid out by their
    links when they are drawn; `links` are relations that are drawn as lines,
    `shows` variables and definitions that are drawn at points.
    """

    kind: str
    spots: tuple[tuple[int, int], ...]
    links: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()
    clause: str = ""
