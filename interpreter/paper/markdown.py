"""A book as Markdown, with links inside it."""

from __future__ import annotations

import re

from interpreter.paper.document import Book, Grid, Line, Section

_MOST_EXAMPLES = 3
_MARKS = {"new": "**+** ", "gone": "**–** "}


def markdown(book: Book) -> str:
    """The whole book as one text."""
    anchors = book.anchors()
    rows = [f"# {book.title}", "", f"*{book.subtitle[:1].upper()}{book.subtitle[1:]}.*", ""]
    rows += [f"- [{c.title}](#{c.anchor})" for c in book.chapters] + [""]
    for chapter in book.chapters:
        rows += _section(book, chapter, 2, anchors)
    return "\n".join(rows).rstrip() + "\n"


def _section(book: Book, section: Section, depth: int, anchors: frozenset[str]) -> list[str]:
    head = f'{"#" * min(depth, 5)} <a id="{section.anchor}"></a>{_escaped(section.title)}'
    rows = [head, ""]
    for note in section.notes:
        rows += [f"*{_escaped(note)}*", ""]
    for told in section.told:
        examples = book.shown_by.get(told.label, ())[:_MOST_EXAMPLES]
        shown = "".join(f" [▸ {_escaped(name)}](#{anchor})" for anchor, name in examples)
        rows += [f'> <a id="{told.label}"></a>**{told.label}** {_escaped(told.text)}{shown}', ">"]
    if section.told:
        rows[-1] = ""
    for line in section.lines:
        rows += _line(line, 0, anchors)
    if section.lines:
        rows.append("")
    if section.grid is not None:
        rows += [*_grid(section.grid), ""]
    for inner in section.sections:
        rows += _section(book, inner, depth + 1, anchors)
    return rows


def _line(line: Line, depth: int, anchors: frozenset[str]) -> list[str]:
    label = f"**{_escaped(line.label)}.** " if line.label else ""
    cites = " ".join(f"[{cite}](#{cite})" for cite in line.cites)
    see = ", ".join(f"[{_escaped(said)}](#{a})" for a, said in line.terms if a in anchors)
    refs = " ".join(part for part in (f"({see})" if see else "", cites) if part)
    text = _MARKS.get(line.mark, "") + label + _escaped(line.text)
    text = f'<a id="{line.anchor}"></a>{text}' if line.anchor else text
    rows = [f"{'  ' * depth}- {text} {refs}".rstrip()] if (line.text or refs) else []
    if line.picture:
        indent = "  " * (depth + 1)
        rows += ["", *(f"{indent}{row}" for row in ("```", *line.picture, "```")), ""]
    for inner in line.inner:
        rows += _line(inner, depth + 1, anchors)
    return rows


def _grid(grid: Grid) -> list[str]:
    rows = [grid.head, tuple("---" for _ in grid.head), *grid.rows]
    return [f"| {' | '.join(_escaped(cell).replace('|', '∣') for cell in row)} |" for row in rows]


def _escaped(text: str) -> str:
    """A text in which nothing is taken for markup."""
    found = re.sub(r"([\\`*\[\]#]|(?<!\w)_|_(?!\w))", r"\\\1", text)
    return found.replace("<", "&lt;").replace(">", "&gt;")
