"""Letters and lines at points: written in any order, given as rows, with the signs made for drawing
where they can be shown, cut to what fits."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter

from rich.text import Text

Point = tuple[int, int]

FURTHER = "(further to the right)"  # said above the parts of a drawing that was cut

# lines as they are drawn in plain letters, and with the signs made for it
_BOXES = {"-": "─", "|": "│", "=": "━", "#": "┃", ".": "┄", " ": "┄", ":": "┊"}
_ACROSS, _UPRIGHT = "-=", "|#"
# By which lines come in: 1 from the left, 2 from below, 4 from the right, 8 from above
_JOINTS = "·─│┐──┌┬│┘│┤└┴├┼"


@dataclass
class Canvas:
    """What is drawn: a letter at each point, its colour, and which points are lines."""

    letters: dict[Point, str] = field(default_factory=dict)
    styles: dict[Point, str] = field(default_factory=dict)
    lines: set[Point] = field(default_factory=set)

    def write(self, at: Point, text: str, style: str = "") -> None:
        """Write a text from a point to the right."""
        for index, letter in enumerate(text):
            self.put((at[0] + index, at[1]), letter, style)

    def put(self, at: Point, letter: str, style: str = "") -> None:
        """Write one letter over what stands there."""
        self.letters[at] = letter
        self.lines.discard(at)
        if style:
            self.styles[at] = style
        else:
            self.styles.pop(at, None)

    def line(self, at: Point, letter: str, style: str = "") -> None:
        """Draw a piece of a line: `-` and `|`, `=` and `#` for what lies there, `.` and `:` for
        thin ones, `+` where lines meet."""
        self.put(at, letter, style)
        self.lines.add(at)

    def rows(self, boxes: bool = False) -> list[Text]:
        """All rows from the topmost to the lowest letter, with nothing blank at their ends."""
        if not self.letters:
            return []
        left, top = min(x for x, _ in self.letters), min(y for _, y in self.letters)
        right, bottom = max(x for x, _ in self.letters), max(y for _, y in self.letters)
        made = []
        for y in range(top, bottom + 1):
            signed = [
                (self._letter((x, y), boxes), self.styles.get((x, y), ""))
                for x in range(left, right + 1)
            ]
            row = Text.assemble(
                *(
                    ("".join(letter for letter, _ in run), style)
                    for style, run in groupby(signed, itemgetter(1))
                )
            )
            row.rstrip()
            made.append(row)
        return made

    def _letter(self, at: Point, boxes: bool) -> str:
        letter = self.letters.get(at, " ")
        if not boxes or at not in self.lines:
            return letter
        if letter != "+":
            return _BOXES.get(letter, letter)
        x, y = at
        around = (
            ((x - 1, y), _ACROSS),
            ((x, y + 1), _UPRIGHT),
            ((x + 1, y), _ACROSS),
            ((x, y - 1), _UPRIGHT),
        )
        return _JOINTS[
            sum(
                1 << i
                for i, (point, joining) in enumerate(around)
                if point in self.lines and self.letters[point] in joining
            )
        ]


def cut(rows: list[Text], width: int | None, step: int, margin: int) -> list[Text]:
    """Rows too long for the width as several drawings one under the other, cut every few steps,
    each with the left margin's letters."""
    longest = max((len(row.plain) for row in rows), default=0)
    if width is None or longest <= width:
        return rows
    room = max((width - margin - 1) // step, 1) * step
    made: list[Text] = []
    for start in range(margin, longest - 1, room):
        part = [_cropped(row[:margin] + row[start : start + room + 1]) for row in rows]
        kept = [n for n, row in enumerate(part) if row.plain[margin:].strip()]
        if kept:
            made += [
                *([Text(FURTHER, style="dim")] if made else []),
                *part[kept[0] : kept[-1] + 1],
            ]
    return made


def _cropped(row: Text) -> Text:
    row.rstrip()
    return row


def folded(words: list[Text], width: int) -> list[Text]:
    """Words on as many lines as they need, dots between them."""
    found: list[Text] = []
    for word in words:
        if found and len(found[-1].plain) + len(word.plain) + 3 <= width:
            found[-1] = Text.assemble(found[-1], " · ", word)
        else:
            found.append(word)
    return found
