"""Rows that begin with `|`.

Tables of pieces and pictures of boards stand in columns, sentences have their citations apart, and
the reasons of rulings stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulelang.syntax.nodes import CITE, split_cites

_CELL = re.compile(r'(?:"[^"]*"|[^ \t"])+')


def format_rows(kind: str, texts: Sequence[str]) -> list[tuple[str, str]]:
    """The rows of one block as they should stand, each with the citations at its end."""
    if kind == "s_board":
        return [(row, "") for row in _picture(texts)]
    if kind == "ruling":
        return [(text.strip(), "") for text in texts]
    told = [_cited(text) for text in texts]
    if kind not in ("rows", "deck", "s_deck"):
        return told
    cells = [_cells(text) for text, _ in told]
    made = _columns([c for c in cells if c])
    return [
        (made.pop(0) if c else text, cites) for c, (text, cites) in zip(cells, told, strict=True)
    ]


def _cited(text: str) -> tuple[str, str]:
    """A row without the citations at its end, and those."""
    match = CITE.search(text)
    if match is None:
        return text.strip(), ""
    return text[: match.start()].strip(), f"[{', '.join(split_cites(match.group(1)))}]"


def _cells(text: str) -> list[str]:
    """The values of a row as they are written; none if it is not clear where they end."""
    if text.count('"') % 2 or "\\" in text or "[" in text:
        return []
    return _CELL.findall(text)


def _picture(texts: Sequence[str]) -> list[str]:
    """The rows of a board in columns.

    If rows are shifted against each other, each stays as far in as it was.
    """
    margins = [len(text) - len(text.lstrip()) for text in texts if text.strip()]
    if len(set(margins)) < 2:
        return _columns([text.split() for text in texts])
    return [text.expandtabs()[min(margins) :].rstrip() for text in texts]


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """The rows with their values one under the other."""
    widths = [
        max(len(row[i]) for row in rows if i < len(row))
        for i in range(max(map(len, rows), default=0))
    ]
    return [
        " ".join(value.ljust(widths[i]) for i, value in enumerate(row)).rstrip() for row in rows
    ]
