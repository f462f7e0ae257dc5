"""Layouts: in which box of a printed piece each of its fields stands, in millimetres."""

from __future__ import annotations

from dataclasses import dataclass

TITLE = "title"
TEXT = "text"
FACTS = "facts"  # all fields that have no box of their own
STYLES = ("large", "small", "bold", "centered", "right", "icon", "picture")


@dataclass(frozen=True)
class LayoutBox:
    """Where a field is printed, from the upper left corner of the piece, and how."""

    field: str
    left: float
    top: float
    right: float
    bottom: float
    styles: frozenset[str] = frozenset()

    @property
    def width(self) -> float:
        """How wide it is."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """How high it is."""
        return self.bottom - self.top


@dataclass(frozen=True)
class PieceLayout:
    """The size of a component's pieces, their boxes, and the field that gives their color."""

    component: str
    width: float
    height: float
    boxes: tuple[LayoutBox, ...]
    color: str = ""
    tile: bool = False  # drawn as the cells of its form
    clause: str = ""
