"""Options that differ only in part: what several share is said once, then what differs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rulelang.diagnostics.english import unmarked

FEW = 8  # options that are listed one by one
_BETWEEN = 3  # columns between groups that stand side by side
_PART = re.compile(r", | / ")


@dataclass(frozen=True)
class Group:
    """What some options share, and of each its place and what it differs in."""

    shared: str
    members: tuple[tuple[int, str], ...]

    def parts(self, most: int) -> list[Group]:
        """The same in groups of so many at most."""
        starts = range(0, len(self.members), most)
        return [Group(self.shared, self.members[at : at + most]) for at in starts]


def grouped(texts: Sequence[str]) -> tuple[Group, ...]:
    """The options by what they share; none where that would not halve a long list.

    Groups stand where their first option stood.
    """
    if len(texts) <= FEW:
        return ()
    made = [_by(cut) for cut in _cuts(texts)]
    halved = [groups for groups in made if 1 < len(groups) <= len(texts) // 2]
    return min(halved, key=len, default=())


def _cuts(texts: Sequence[str]) -> list[list[tuple[str, str]]]:
    """Ways to cut all texts in two, what may be shared first."""
    found = [[(unmarked(text), text[len(unmarked(text)) :].strip()) for text in texts]]
    parts = [_PART.split(text) for text in texts]
    if len({len(split) for split in parts}) == 1 and len(parts[0]) > 1:
        for place in range(len(parts[0])):
            found.append([(p[place], ", ".join((*p[:place], *p[place + 1 :]))) for p in parts])
    return found


def _by(cut: list[tuple[str, str]]) -> tuple[Group, ...]:
    """Groups of options whose first parts are equal."""
    found: dict[str, list[tuple[int, str]]] = {}
    for place, (shared, rest) in enumerate(cut):
        found.setdefault(shared, []).append((place, rest))
    return tuple(Group(shared, tuple(members)) for shared, members in found.items())


def said_by_all(groups: Sequence[Group]) -> str:
    """The words with which everything that differs begins; nothing if there are none."""
    begins = [rest.split() for group in groups for _, rest in group.members]
    same = 0
    while all(len(words) > same + 1 for words in begins) and len({w[same] for w in begins}) == 1:
        same += 1
    return " ".join(begins[0][:same]) if begins else ""


def listed(groups: Sequence[Group], brings: Sequence[str], width: int) -> list[str]:
    """A line or more for each group: what is shared, and each option's number with what differs
    and what it brings; short ones side by side."""
    alike = said_by_all(groups)
    digits = len(str(max(place for group in groups for place, _ in group.members) + 1))
    head = max(len(group.shared) for group in groups)
    rows: list[list[str]] = []
    for group in groups:
        told = [
            " ".join(filter(None, (f"{n + 1:>{digits}}", rest[len(alike) :].strip(), brings[n])))
            for n, rest in group.members
        ]
        rows.append(_row(group.shared.ljust(head), told, width))
    lines = [line for row in rows for line in row]
    if len(lines) == len(rows):
        lines = _side_by_side(lines, width)
    return [f"  the numbers say “{alike} …”:", *lines] if alike else lines


def _row(head: str, told: list[str], width: int) -> list[str]:
    """A head with what is told behind it, on as many lines as that takes."""
    wide = max(map(len, told))
    lines, line = list[str](), f"  {head}"
    for part in told:
        if len(line) + 2 + wide > width and line.strip():
            lines.append(line.rstrip())
            line = " " * (len(head) + 2)
        line += f"  {part:<{wide}}"
    return [*lines, line.rstrip()]


def _side_by_side(lines: list[str], width: int) -> list[str]:
    """Lines in as many columns as fit, read downwards."""
    wide = max(map(len, lines)) + _BETWEEN
    columns = max(min(4, (width + _BETWEEN) // wide), 1)
    height = -(-len(lines) // columns)
    return [
        "".join(f"{line:<{wide}}" for line in lines[row::height]).rstrip() for row in range(height)
    ]
