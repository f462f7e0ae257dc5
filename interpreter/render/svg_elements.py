"""Elements of the SVG pictures of boards and maps: groups, targets, chips, letters, legends.

The signs, colours and marks are those of the boards drawn as text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape

from interpreter.render.look import Site

MARGIN = 14.0
LINE = 17.0  # pixels from one line of text to the next
LETTER = 6.6  # pixels of a letter of the legend
LEGEND = 200.0  # pixels the legend is wide at least
TITLE = LINE + 4  # pixels the name of a board takes
CHIP_GAP = 3.0

# White letters are read on each of them: the contrast is 4.5 to 1 at least.
COLOURS = {
    "blue": "#1f5fbf",
    "red": "#c0392b",
    "green": "#237347",
    "yellow": "#8a6400",
    "magenta": "#8e44ad",
    "cyan": "#0f7477",
    "bright_blue": "#3a6fd8",
    "bright_red": "#c24141",
    "white": "#64727a",
    "bright_black": "#555555",
}
INK = "#333333"
MARK = "#8a6400"

Point = tuple[float, float]
Signed = tuple[str, str]  # letters, and the style of boards drawn as text


@dataclass(frozen=True)
class Target:
    """A site that can be pointed at: a class, data for whoever asks what was pointed at, and a
    word to be shown there.
    """

    kind: str
    data: tuple[tuple[str, str], ...] = ()
    title: str = ""


Targets = Mapping[Site, Target]


@dataclass(frozen=True)
class Sign:
    """A line of the legend: a sign (or a mark in a corner), its colour, what it means."""

    sign: str
    colour: str
    meaning: str
    mark: bool = False


@dataclass(frozen=True)
class Group:
    """Elements of a picture that lie on one level, each under a name."""

    name: str
    parts: tuple[tuple[str, str], ...]

    @property
    def svg(self) -> str:
        """The elements, each in a `g` by whose id it can be renewed."""
        return "\n".join(f'<g id="{name}">{elements}</g>' for name, elements in self.parts)


@dataclass(frozen=True)
class Picture:
    """One board, drawn in groups from the lowest to the highest level."""

    size: Point
    groups: tuple[Group, ...]

    @property
    def svg(self) -> str:
        """The whole picture."""
        drawn = [f'<g id="{group.name}">{group.svg}</g>' for group in self.groups]
        return svg(drawn, self.size)

    def since(self, before: Picture) -> Iterator[tuple[str, str]]:
        """What is drawn otherwise than before, in a picture of this size: the ids of elements and
        what is in them now.
        """
        for now, then in zip(self.groups, before.groups, strict=True):
            if [name for name, _ in now.parts] != [name for name, _ in then.parts]:
                yield now.name, now.svg
            else:
                for new, old in zip(now.parts, then.parts, strict=True):
                    if new != old:
                        yield new


def svg(elements: list[str], size: Point) -> str:
    """Elements on a white ground."""
    width, height = size
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="Helvetica, Arial, sans-serif">'
    )
    ground = '<rect width="100%" height="100%" fill="#ffffff"/>'
    return "\n".join([head, ground, *elements, "</svg>"])


def groups(name: str, levels: Mapping[str, list[tuple[str, Iterable[str]]]]) -> tuple[Group, ...]:
    """The levels of a picture as groups, all their names beginning with its own."""
    return tuple(
        Group(
            f"{name}-{level}",
            tuple((f"{name}-{level}-{part}", "".join(elements)) for part, elements in parts),
        )
        for level, parts in levels.items()
    )


def area(target: Target, shape: str) -> str:
    data = "".join(f' data-{name}="{escape(value)}"' for name, value in target.data)
    title = f"<title>{escape(target.title)}</title>" if target.title else ""
    return f'{shape} class="target {escape(target.kind)}"{data}>{title}</{shape[1:].split()[0]}>'


def fill_of(style: str) -> str:
    """The colour of a style of the boards drawn as text."""
    return COLOURS.get(style.removeprefix("bold ").removeprefix("bold"), INK)


def text(
    x: float,
    y: float,
    text: str,
    *,
    size: int = 12,
    fill: str = INK,
    bold: bool = False,
    anchor: str = "start",
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    at = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{fill}"{weight}{at}>'
        f"{escape(text, quote=False)}</text>"
    )


def chips(at: Point, signed: list[Signed], colours: dict[str, str]) -> Iterator[str]:
    """Signs as chips around a point, in a row, or in two where there are many; `colours` notes
    which colour each sign has.
    """
    rows = chip_rows(signed)
    for index, row in enumerate(rows):
        left = at[0] - row_width(row) / 2
        middle = at[1] + (index - (len(rows) - 1) / 2) * 19
        for sign, style in row:
            width, filled = chip_width(sign), fill_of(style)
            colours.setdefault(sign.partition("+")[0], filled)
            yield (
                f'<rect x="{left:.1f}" y="{middle - 8:.1f}" width="{width:.1f}" height="16" '
                f'rx="4" fill="{filled}"/>'
            )
            x, y = left + width / 2, middle + 4
            yield text(x, y, sign, size=11, bold=True, fill="#ffffff", anchor="middle")
            left += width + CHIP_GAP


def chip_rows(signed: list[Signed]) -> list[list[Signed]]:
    """The rows in which signs are drawn."""
    return [signed] if len(signed) < 3 else [signed[::2], signed[1::2]]


def chip_width(sign: str) -> float:
    """How many pixels the chip of a sign is wide."""
    return 8 + 7.2 * len(sign)


def row_width(row: list[Signed]) -> float:
    """How many pixels a row of chips is wide."""
    return sum(chip_width(sign) for sign, _ in row) + CHIP_GAP * (len(row) - 1)


def legend(signs: Iterable[tuple[str, str]], colours: Mapping[str, str]) -> list[Sign]:
    """Lines of a legend: signs, in their colours, with what they mean."""
    return [Sign(sign, colours.get(sign, INK), meaning) for sign, meaning in signs]


def heading(title: str) -> str:
    """The name of a board above its picture."""
    return text(MARGIN, MARGIN + 8, title, size=13, bold=True)
