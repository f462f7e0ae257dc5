"""Data rows become designs: one row of a component's table for each printed piece, or several."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from rulelang.compiler.limits import MAX_PIECES
from rulelang.compiler.sentences import cites_in
from rulelang.core.types import KindT, PieceT
from rulelang.core.values import Value
from rulelang.diagnostics import did_you_mean
from rulelang.diagnostics.source import Span
from rulelang.elaborate.declarations import row_cells
from rulelang.elaborate.fields import cell_value, copy_count, field_default
from rulelang.elaborate.symbols import SymbolTable
from rulelang.elaborate.type_checker import TypeChecker, type_in_words
from rulelang.ruleset import Component, Design
from rulelang.syntax.nodes import Node, uncited

MAX_RANGE = 1000  # numbers in a range such as 11..19
_SHOWN = 12  # members of a kind that a message lists at most
_RANGE = re.compile(r"(\d+)\.\.(\d+)$")

HEADING = "pieces"  # the word before the columns of rows


def read_rows(symbols: SymbolTable, checker: TypeChecker, nodes: list[Node]) -> None:
    """Add the designs of all data rows to the ruleset."""
    for node in nodes:
        if node.kind == "component":
            for rows in node.words("rows"):
                _check_heading(symbols, rows.words()[0])
                component = symbols.rules.components[node.part(0).text]
                _Table(symbols, checker, component, tuple(rows.words()[1:])).read(rows)


def _check_heading(symbols: SymbolTable, word: Node) -> None:
    """Report a line over rows that does not begin with `pieces`; the rows are read all the same."""
    if word.text != HEADING:
        symbols.report.add(
            "unexpected-word",
            word.span,
            word=word.text,
            expected=f"`{HEADING}`",
            fix=f"Write `{HEADING}` before the names of the columns.",
        )


@dataclass(frozen=True)
class _Table:
    """Rows of one component with their columns: fields, `title` and `copies`."""

    symbols: SymbolTable
    checker: TypeChecker
    component: Component
    columns: tuple[Node, ...]

    def read(self, rows: Node) -> None:
        """Add the designs of these rows to the ruleset."""
        if self._columns_are_fields():
            given = [word.text for word in self.columns]
            check_required(self.symbols, self.component, given, rows.span, "Add a column `{0}`")
        self.symbols.clause("pieces", f"component {self.component.name}", "pieces", rows)
        designs = self.symbols.rules.designs
        for bar in rows.words("bar"):
            cells = row_cells(bar)
            cites = cites_in(bar.part(0).text)
            self.symbols.check_citations(cites, bar.span)
            for values in self._spread(cells, bar) if self._has_all(cells, bar) else ():
                designs.append(self._design(values, bar, cites))
                if len(designs) > MAX_PIECES:
                    return  # reported when all pieces are counted

    def _columns_are_fields(self) -> bool:
        """Is each column a field? Those that are none are reported."""
        before = len(self.symbols.report.found)
        fields = [name for name, _ in self.component.fields]
        for word in self.columns:
            if word.text not in ("title", "copies") and word.text not in fields:
                self.symbols.report.add(
                    "unknown-field",
                    word.span,
                    name=word.text,
                    of=self.component.name,
                    fix=did_you_mean(word.text, [*fields, "title", "copies"]),
                )
        return not self.symbols.report.has_errors_since(before)

    def _has_all(self, cells: list[str], bar: Node) -> bool:
        """Has a row a value for each column? Reported if not."""
        if len(cells) != len(self.columns):
            self.symbols.report.add(
                "row-length",
                bar.span,
                found="1 value" if len(cells) == 1 else f"{len(cells)} values",
                count=len(self.columns),
                wanted=", ".join(column.text for column in self.columns),
            )
        return len(cells) == len(self.columns)

    def _spread(self, cells: list[str], bar: Node) -> Iterator[list[str]]:
        """The rows that a row stands for: one for each number of its first range, if it has one."""
        ranges = ((i, _RANGE.match(cell)) for i, cell in enumerate(cells))
        index, match = next(((i, found) for i, found in ranges if found), (0, None))
        if match is None:
            yield cells
            return
        low, high = int(match.group(1)), int(match.group(2))
        if not 0 <= high - low < MAX_RANGE:
            self.symbols.report.add(
                "bad-value",
                _spans(bar, len(cells))[index],
                found=cells[index],
                wanted=f"a range of at most {MAX_RANGE} numbers, the smaller first",
            )
            return
        for number in range(low, high + 1):
            yield [*cells[:index], str(number), *cells[index + 1 :]]

    def _design(self, cells: list[str], bar: Node, cites: tuple[str, ...]) -> Design:
        """The design of a row with as many cells as there are columns."""
        symbols, name = self.symbols, self.component.name
        values: dict[str, Value] = {}
        title, copies = "", 1
        spans = _spans(bar, len(cells))
        for column, cell, where in zip(self.columns, cells, spans, strict=True):
            t = self.component.field(column.text)
            if column.text == "title":
                title = cell
            elif column.text == "copies":
                copies = copy_count(symbols, cell, where)
            elif t is not None:
                values[column.text] = cell_value(symbols, cell, t, where)
        clause = symbols.clause("row", f"component {name}", title or "row", None, bar.span, cites)
        filled = filled_fields(self.checker, self.component, values)
        return Design(title, name, filled, copies, clause, (), bar.span, bar.span.file)


def check_required(
    symbols: SymbolTable, component: Component, given: Collection[str], span: Span, fix: str
) -> None:
    """Report fields that are not given though they must be.

    Those are fields of a kind: no member of it means nothing, so none is taken unasked. In `fix`
    {0} stands for the field and {1} for a member.
    """
    for name, t in component.fields:
        if not isinstance(t, KindT) or name in given:
            continue
        if (component.name, name) in symbols.field_defaults:
            continue
        members = symbols.kind_members(t.name)
        said = fix.format(name, next(iter(members), ""))
        more = " …" if len(members) > _SHOWN else ""
        symbols.report.add(
            "missing-field",
            span,
            of=type_in_words(PieceT(component.name)),
            field=name,
            fix=f"{said}. It may be {', '.join(members[:_SHOWN])}{more}.",
        )


def filled_fields(
    checker: TypeChecker, component: Component, values: Mapping[str, Value]
) -> tuple[tuple[str, Value], ...]:
    """All fields of a component in order: with the values given, else what they usually are."""
    return tuple(
        (
            name,
            values[name] if name in values else field_default(checker, component.name, name, t),
        )
        for name, t in component.fields
    )


def _spans(bar: Node, count: int) -> list[Span]:
    """The span of each value of a row; that of the whole row if quotes leave it unclear."""
    leaf = bar.part(0)
    found = list(re.finditer(r'"[^"]*"|\S+', uncited(leaf.text)))
    if len(found) != count:
        return [bar.span] * count
    file, line, start = leaf.span.file, leaf.span.line, leaf.span.column + 1  # after the bar
    return [Span(file, line, start + m.start(), line, start + m.end()) for m in found]
