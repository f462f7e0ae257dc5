"""What a book is made of: chapters of lines and tables, each line with what it rests on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rulelang.core.values import Json


@dataclass(frozen=True)
class Line:
    """A sentence of the book, what stands indented below it, and the clause it was written from.

    `mark` is "new" or "gone" where the chosen variants make it so; `terms` are the anchors of the
    sections that say what it speaks of, with their titles.
    """

    text: str
    clause: str = ""
    cites: tuple[str, ...] = ()
    terms: tuple[tuple[str, str], ...] = ()
    inner: tuple[Line, ...] = ()
    label: str = ""
    mark: str = ""
    picture: tuple[str, ...] = ()  # rows of signs, as wide as they are written
    anchor: str = ""  # what links lead to, if any do

    def walk(self) -> Iterator[Line]:
        """This line and all below it."""
        yield self
        for line in self.inner:
            yield from line.walk()


@dataclass(frozen=True)
class Grid:
    """A table of what is printed on pieces."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Section:
    """A part of the book under a heading; `anchor` is what links lead to."""

    title: str
    anchor: str
    notes: tuple[str, ...] = ()
    told: tuple[Line, ...] = ()  # statements of the rulebook, each once in a book
    lines: tuple[Line, ...] = ()
    grid: Grid | None = None
    sections: tuple[Section, ...] = ()
    ordered: bool = False

    def walk(self) -> Iterator[Section]:
        """This section and all within it."""
        yield self
        for section in self.sections:
            yield from section.walk()

    def every_line(self) -> Iterator[Line]:
        """Every line of this section and of those within it."""
        for section in self.walk():
            for line in section.lines:
                yield from line.walk()


@dataclass(frozen=True)
class Book:
    """A whole rulebook: chapters, and where in the rules each clause stands."""

    title: str
    subtitle: str
    chapters: tuple[Section, ...]
    places: dict[str, str]
    shown_by: dict[str, tuple[tuple[str, str], ...]]  # statement -> (anchor, scenario)

    def every_line(self) -> Iterator[Line]:
        """Every line of the book."""
        for chapter in self.chapters:
            yield from chapter.every_line()

    def anchors(self) -> frozenset[str]:
        """What links may lead to."""
        sections = frozenset(s.anchor for chapter in self.chapters for s in chapter.walk())
        return sections | {line.anchor for line in self.every_line() if line.anchor}

    def as_json(self) -> dict[str, Json]:
        """The book as plain data."""
        return {
            "title": self.title,
            "subtitle": self.subtitle,
            "chapters": [_section(chapter) for chapter in self.chapters],
        }


def _section(section: Section) -> Json:
    grid = section.grid
    return {
        "title": section.title,
        "anchor": section.anchor,
        "notes": list(section.notes),
        "statements": [_line(line) for line in section.told],
        "lines": [_line(line) for line in section.lines],
        "table": None if grid is None else [list(row) for row in (grid.head, *grid.rows)],
        "sections": [_section(inner) for inner in section.sections],
    }


def _line(line: Line) -> Json:
    return {
        "label": line.label,
        "text": line.text,
        "clause": line.clause,
        "cites": list(line.cites),
        "mark": line.mark,
        "picture": list(line.picture),
        "lines": [_line(inner) for inner in line.inner],
    }


def marked(section: Section, known: frozenset[tuple[str, str]]) -> Section:
    """The section with every line marked as new that is not known by its clause and words."""

    def mark(line: Line) -> Line:
        new = line.clause and (line.clause, line.text) not in known
        return replace(
            line, mark="new" if new else line.mark, inner=tuple(mark(i) for i in line.inner)
        )

    return replace(
        section,
        lines=tuple(mark(line) for line in section.lines),
        sections=tuple(marked(inner, known) for inner in section.sections),
    )
