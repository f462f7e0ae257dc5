"""Pieces in a hand as a table that fits the screen: a row for each design, a column for each field.

What does not fit is abbreviated, with a legend below.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from interpreter.game.game import State
from interpreter.render.glyphs import Signs
from rulelang.core.types import NUMBER, TRUTH, KindT, OptionalT, SetT, Type
from rulelang.core.values import Value, numbers
from rulelang.diagnostics.english import spoken, unmarked
from rulelang.ruleset import Design

_HEAD = 3  # letters of an abbreviated head
_SIGN = 2  # letters of an abbreviated cell
_LEAST_NAME = 12  # letters that are left of a name at least
_LEGEND = 100  # letters of a line of the legend, where lines have no end


@dataclass(frozen=True)
class Cell:
    """What one field of a design says: words, each of which may be abbreviated, or a number."""

    words: tuple[str, ...]
    kind: bool = False  # members of a kind, which may be abbreviated

    def text(self, signs: Signs | None = None) -> str:
        """The cell as it is told, or in signs; a dash for nothing."""
        if signs is None or not self.kind:
            return ", ".join(self.words) or "-"
        return "+".join(w if len(w) <= _SIGN else signs.of(w) for w in self.words) or "-"


@dataclass(frozen=True)
class NumberedPiece:
    """A piece that can be chosen: by which number, under which name, and what that brings."""

    piece: int
    number: int
    text: str
    brings: str = ""


@dataclass(frozen=True)
class PieceTable:
    """The names of fields that say something, and for each design its name and cells, by name."""

    fields: tuple[str, ...]
    right: tuple[bool, ...]  # columns of numbers
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]


def piece_table(state: State, pieces: list[int], component: str) -> PieceTable | None:
    """Titled pieces with several numbers on them as a table; none for other pieces."""
    designs = Counter(state.game.setup.pieces[p].design for p in pieces)
    if not _is_spread(dict(state.game.rules_source.components[component].fields), designs):
        return None
    by_title = sorted(designs.items(), key=lambda item: item[0].title)
    named = [(_named(design, number), design) for design, number in by_title]
    return _table(state, component, named)


def _table(state: State, component: str, named: list[tuple[str, Design]]) -> PieceTable:
    """A row for each design, under the name it is given."""
    types = dict(state.game.rules_source.components[component].fields)
    designs = {design for _, design in named}
    tabled = {name: t for name, t in types.items() if _is_tabled(t)}
    cells = {
        (design, name): _cell(state, dict(design.values)[name], t)
        for design in designs
        for name, t in tabled.items()
    }
    fields = [name for name in tabled if any(cells[design, name].words for design in designs)]
    rows = [(name, tuple(cells[design, field] for field in fields)) for name, design in named]
    right = tuple(types[name] == NUMBER for name in fields)
    return PieceTable(tuple(spoken(name) for name in fields), right, tuple(rows))


def numbered_table(
    state: State, options: list[NumberedPiece], component: str, width: int | None
) -> list[str]:
    """Pieces that can be chosen as a table, with their numbers before their names.

    Those of one name share a row. No lines for pieces of which there is nothing to tell.
    """
    rows: dict[str, list[NumberedPiece]] = {}
    for option in options:
        rows.setdefault(option.text, []).append(option)
    named = [(text, state.game.setup.pieces[of[0].piece].design) for text, of in rows.items()]
    if not _is_spread(
        dict(state.game.rules_source.components[component].fields), [d for _, d in named]
    ):
        return []
    table, brings = _table(state, component, named), [of[0].brings for of in rows.values()]
    if any(brings):
        told = tuple(
            (name, (*cells, Cell((gain,) if gain else ())))
            for (name, cells), gain in zip(table.rows, brings, strict=True)
        )
        table = PieceTable((*table.fields, "brings"), (*table.right, True), told)
    numbers = [" ".join(str(option.number) for option in of) for of in rows.values()]
    return table_lines("", table, width, numbers)


def table_lines(
    head: str, table: PieceTable, width: int | None = None, numbers: Sequence[str] = ()
) -> list[str]:
    """A table under its head as lines, with numbers before its rows if there are any.

    What would not fit is abbreviated.
    """
    wide = max(map(len, numbers), default=0)
    before = [f"{number:>{wide}}  " for number in numbers] or [""] * len(table.rows)
    whole = aligned(_rows(head, table, before), table.right)
    if width is None or max(map(len, whole)) <= width:
        return whole
    return _abbreviated(head, table, width, before)


def _is_spread(types: Mapping[str, Type], designs: Iterable[Design]) -> bool:
    """Are these titled pieces with several numbers on them?"""
    numbers_on_them = sum(t == NUMBER for t in types.values())
    return numbers_on_them > 1 and all(design.title for design in designs)


def _named(design: Design, number: int) -> str:
    return (f"{number} × " if number > 1 else "") + design.title


def _rows(head: str, table: PieceTable, before: Sequence[str]) -> list[list[str]]:
    """The rows in full, the heads first."""
    rows = [
        [f"  {first}{name}", *(cell.text() for cell in cells)]
        for first, (name, cells) in zip(before, table.rows, strict=True)
    ]
    return [[head, *table.fields], *rows]


def _abbreviated(head: str, table: PieceTable, width: int, before: Sequence[str]) -> list[str]:
    """The rows with heads and members of kinds as signs, names cut to what is left; a legend."""
    signs = Signs(_SIGN)
    columns = [[cells[i].text(signs) for _, cells in table.rows] for i in range(len(table.fields))]
    heads = _heads(table.fields, [max(map(len, column)) for column in columns])
    taken = sum(
        1 + max(len(told), *map(len, column)) for told, column in zip(heads, columns, strict=True)
    )
    room = max(width - taken - 2 - max(map(len, before)), _LEAST_NAME)
    short = _short([name for name, _ in table.rows], room)
    names = [f"{first}{name}" for first, name in zip(before, short, strict=True)]
    rows = [[head[: max(map(len, names)) + 2], *heads]]
    rows += [[f"  {name}", *(column[n] for column in columns)] for n, name in enumerate(names)]
    lines = aligned(rows, table.right, " ")
    return [*lines, *_legend(heads, table.fields, signs, width)]


def _heads(fields: Sequence[str], widths: Sequence[int]) -> list[str]:
    """The heads, cut to the width of their columns or a few letters, each another."""
    found: list[str] = []
    for field, width in zip(fields, widths, strict=True):
        length = max(_HEAD, width)
        while field[:length] in found and length < len(field):
            length += 1
        found.append(field[:length].rstrip())
    return found


def _short(names: list[str], room: int) -> list[str]:
    """Names without the marks that tell designs apart, where they differ without, cut to a room."""
    plain = Counter(unmarked(name) for name in names)
    bare = [unmarked(name) if plain[unmarked(name)] == 1 else name for name in names]
    return [name if len(name) <= room else name[: room - 1] + "…" for name in bare]


def _legend(heads: Sequence[str], fields: Sequence[str], signs: Signs, width: int) -> list[str]:
    """What abbreviations stand for, on as many lines as they need."""
    told = [f"{h} {f}" for h, f in zip(heads, fields, strict=True) if h != f]
    told += [f"{sign} {text}" for sign, text in signs.legend()]
    lines: list[str] = []
    for part in told:
        if lines and len(lines[-1]) + len(part) + 3 <= min(width, _LEGEND):
            lines[-1] += f" · {part}"
        else:
            lines.append(f"  {part}")
    return lines


def aligned(rows: list[list[str]], right: Sequence[bool], between: str = "  ") -> list[str]:
    """Rows as lines with columns of one width, those of numbers aligned to the right."""
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        between.join(
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(row, wide, (False, *right), strict=True)
        ).rstrip()
        for row in rows
    ]


def _is_tabled(t: Type) -> bool:
    """Is it short enough to say for a column: a number, a member of a kind, several of them, yes or
    no?"""
    inner = t.of if isinstance(t, OptionalT | SetT) else t
    return inner in (NUMBER, TRUTH) or isinstance(inner, KindT)


def _cell(state: State, value: Value, t: Type) -> Cell:
    """What a field says of a design; no words for nothing."""
    if t == TRUTH:
        return Cell(("yes",) if value else ())
    if value is None or (not value and not isinstance(t, KindT | OptionalT)):
        return Cell(())
    if isinstance(t, SetT):
        members = [_cell(state, item, t.of) for item in sorted(numbers(value))]
        return Cell(tuple(word for cell in members for word in cell.words), _of_kind(t.of))
    return Cell((str(state.game.presenter.text(value, t, state.position)),), _of_kind(t))


def _of_kind(t: Type) -> bool:
    return isinstance(t.of if isinstance(t, OptionalT) else t, KindT)
