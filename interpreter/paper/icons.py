"""Icons of kinds, drawn from a few plain shapes: each member has a shape, a colour and a letter of
its own, always the same."""

from __future__ import annotations

import math
from collections.abc import Sequence

COLOURS = (
    "#2f7f8f",
    "#b5533c",
    "#5b8a3a",
    "#8a5aa8",
    "#c08a1e",
    "#3f66ad",
    "#a8446b",
    "#6b7478",
    "#7a6332",
    "#35806a",
)
_CORNERS = (0, 4, 6, 3, 8, 5)  # of the shapes, a circle first


def colour(member: int) -> str:
    """The colour of a member of a kind."""
    return COLOURS[member % len(COLOURS)]


def tint(shade: str, part: float) -> str:
    """A colour mixed with so much white."""
    parts = (int(shade[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{round(p + (255 - p) * part):02x}" for p in parts)


def letters(words: Sequence[str]) -> tuple[str, ...]:
    """A sign of one or two letters for each of several words, no two alike where that can be."""
    found: list[str] = []
    for word in words:
        letters = [c for c in word if c.isalnum()] or ["?"]
        first = letters[0].upper()
        tries = [first, *(first + c.lower() for c in letters[1:]), first + "2", first + "3"]
        found.append(next((one for one in tries if one not in found), first))
    return tuple(found)


def icon(member: int, letter: str, x: float, y: float, size: float) -> str:
    """A member's icon with its middle at (x, y), as SVG."""
    fill, corners = colour(member), _CORNERS[member % len(_CORNERS)]
    radius = size / 2
    if not corners:
        shape = f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius:.2f}" fill="{fill}"/>'
    else:
        turn = math.pi / 4 if corners == 4 else 0.0
        stretch = {3: 1.25, 4: 1.2}.get(corners, 1.05)
        points = " ".join(
            f"{x + radius * stretch * math.sin(2 * math.pi * n / corners + turn):.2f},"
            f"{y - radius * stretch * math.cos(2 * math.pi * n / corners + turn):.2f}"
            for n in range(corners)
        )
        shape = f'<polygon points="{points}" fill="{fill}"/>'
    drop = 0.1 if corners == 3 else 0.0
    letter_size = size * (0.62 if len(letter) == 1 else 0.48) * (0.72 if corners == 3 else 1)
    return shape + (
        f'<text x="{x:.2f}" y="{y + letter_size * 0.33 + size * drop:.2f}" fill="#ffffff" '
        f'font-size="{letter_size:.2f}" font-weight="bold" text-anchor="middle">{letter}</text>'
    )
