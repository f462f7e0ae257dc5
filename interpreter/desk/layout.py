"""The edit that lays a text out in the one way."""

from __future__ import annotations

from interpreter.desk.answers import Edit
from interpreter.desk.documents import Document
from interpreter.desk.positions import Place, Range, place_of
from rulelang.diagnostics import Report
from rulelang.format.formatter import format_source


def formatted(document: Document) -> list[Edit]:
    """The lines that change, as one edit; none where a line cannot be parsed or nothing changes."""
    if document.source is None:
        return []
    made = format_source(document.source, Report())
    if made is None or made == document.text:
        return []
    old, new = document.lines, made.split("\n")
    most = min(len(old), len(new))
    first = next((at for at in range(most) if old[at] != new[at]), most)
    last = next((at for at in range(most - first) if old[-1 - at] != new[-1 - at]), most - first)
    lines = new[first : len(new) - last]
    if last:
        end = Place(len(old) - last, 0)
        return [_edit(document, Place(first, 0), end, "".join(f"{line}\n" for line in lines))]
    if first and not lines:  # the end of the line before goes, too
        start = place_of(old, first, len(old[first - 1]) + 1)
        return [_edit(document, start, _end(old), "")]
    before = "\n" if first == len(old) else ""
    start = _end(old) if before else Place(first, 0)
    return [_edit(document, start, _end(old), before + "\n".join(lines))]


def _edit(document: Document, start: Place, end: Place, text: str) -> Edit:
    return Edit(document.path, Range(start, end), text)


def _end(lines: list[str]) -> Place:
    return place_of(lines, len(lines), len(lines[-1]) + 1)
