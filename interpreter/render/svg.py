"""Boards and maps as SVG pictures, for notebooks and pages, with a legend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from interpreter.game.game import State
from interpreter.render.svg_elements import (
    LEGEND,
    LETTER,
    LINE,
    MARGIN,
    TITLE,
    Picture,
    Point,
    Sign,
    Targets,
    svg,
    text,
)
from interpreter.render.svg_grid import GridPicture
from interpreter.render.svg_map import MapPicture


class Source(Protocol):
    """A board or map that can be drawn."""

    def grouped(self, name: str, titled: bool) -> Picture:
        """The picture without its legend; the names of its elements begin with this one."""

    def legend(self) -> list[Sign]:
        """Signs and marks with their colours and what they mean, once all is drawn."""


@dataclass(frozen=True)
class Drawing:
    """Each board as a picture, and one legend for all."""

    boards: tuple[Picture, ...]
    legend: tuple[Sign, ...]

    @property
    def pictures(self) -> tuple[str, ...]:
        """The pictures as SVG."""
        return tuple(board.svg for board in self.boards)

    @property
    def sizes(self) -> tuple[Point, ...]:
        """How large the pictures are."""
        return tuple(board.size for board in self.boards)

    def since(self, before: Drawing) -> list[tuple[str, str]]:
        """What is drawn otherwise than before, in pictures of the same sizes."""
        pairs = zip(self.boards, before.boards, strict=True)
        return [change for now, then in pairs for change in now.since(then)]


def draw_svg(state: State, viewer: int | None = None) -> str | None:
    """All boards and maps of a state, one under the other, as an SVG picture; none without any.

    `viewer` is the index of who looks: what a board shows of a player is shown of him.
    """
    pictures = _pictures(state, viewer, {})
    if not pictures:
        return None
    found: list[str] = []
    width = y = 0.0
    for picture in pictures:
        parts, size = _with_legend(picture, titled=len(pictures) > 1)
        found += [f'<g transform="translate(0 {y:.0f})">', *parts, "</g>"]
        width, y = max(width, size[0]), y + size[1]
    return svg(found, (width, y))


def draw_targets(state: State, viewer: int | None, targets: Targets) -> Drawing | None:
    """The boards one by one, with an area of the class `target` over each of these sites."""
    pictures = _pictures(state, viewer, targets)
    if not pictures:
        return None
    boards = tuple(
        picture.grouped(f"b{number}", titled=len(pictures) > 1)
        for number, picture in enumerate(pictures)
    )
    signs = dict.fromkeys(sign for picture in pictures for sign in picture.legend())
    return Drawing(boards, tuple(signs))


def _pictures(state: State, viewer: int | None, targets: Targets) -> list[Source]:
    game, s = state.game, state.seen_by(viewer)
    boards = [
        GridPicture(game, s, info, copy, viewer, targets)
        for info in game.setup.boards.values()
        for copy in range(info.copies)
    ]
    return [*boards, *(MapPicture(game, s, kind, targets) for kind in game.rules_source.maps)]


def _with_legend(source: Source, titled: bool) -> tuple[list[str], Point]:
    """The elements of a picture with its legend beside it, and their width and height."""
    picture = source.grouped("", titled)
    found = [elements for group in picture.groups for _, elements in group.parts]
    width, height = picture.size
    signs, head = source.legend(), TITLE if titled else 0.0
    for number, sign in enumerate(signs):
        y = MARGIN + head + 10 + number * LINE
        found.append(text(width, y, sign.sign, fill=sign.colour, bold=True, size=11))
        found.append(text(width + 34, y, sign.meaning, size=11))
    if signs:
        width += max(LEGEND, 34 + LETTER * max(len(s.meaning) for s in signs)) + MARGIN
    return found, (width, max(height, head + 2 * MARGIN + LINE * len(signs)))
