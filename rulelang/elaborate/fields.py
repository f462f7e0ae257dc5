"""The printed values of pieces: read from rows and cards, checked, or the field's default."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable

from rulelang import core
from rulelang.core.types import NUMBER, SHAPE, TEXT, TRUTH, KindT, ListT, OptionalT, SetT, Type
from rulelang.core.values import Value
from rulelang.diagnostics import did_you_mean
from rulelang.diagnostics.source import Span
from rulelang.elaborate.symbols import SymbolTable
from rulelang.elaborate.type_checker import TypeChecker, type_in_words
from rulelang.syntax.nodes import Node

_MOST_COPIES = 1000
_MOST_SHAPE = 200  # letters


# ------------------------------------------------------------------------ cells of rows
def copy_count(symbols: SymbolTable, cell: str, span: Span) -> int:
    """The number of copies in a cell of a row; 0 (and reported) if it is none."""
    if cell.isdecimal() and int(cell) <= _MOST_COPIES:
        return int(cell)
    report_copies(symbols, cell, span)
    return 0


def report_copies(symbols: SymbolTable, found: str, span: Span) -> None:
    """Report what is no number of copies, with one that would be."""
    fix = "Write 0 to leave the piece out." if found.startswith("-") else None
    wanted = f"a number of copies from 0 to {_MOST_COPIES}"
    symbols.report.add("bad-value", span, found=found, wanted=wanted, fix=fix)


def cell_value(symbols: SymbolTable, cell: str, t: Type, span: Span) -> Value:
    """The value in a cell of a row; the default if it is not of the type, which is reported."""
    if isinstance(t, SetT | ListT):
        parts = [part for part in cell.split(",") if part and part != "-"]
        items = [cell_value(symbols, part, t.of, span) for part in parts]
        return tuple(items) if isinstance(t, ListT) else frozenset(items)
    if isinstance(t, OptionalT):
        return None if cell in ("-", "none") else cell_value(symbols, cell, t.of, span)
    if isinstance(t, KindT):
        return _member(symbols, cell, t, span)
    if t == SHAPE:
        return _checked_shape(symbols, cell, span)
    if t == TEXT:
        return cell
    found = _number_or_truth(cell, t)
    if found is None:
        symbols.report.add("bad-value", span, found=cell, wanted=type_in_words(t))
        return default_of(t)
    return found


def _number_or_truth(cell: str, t: Type) -> int | None:
    """The number or truth that a cell says, as is wanted; None if it says none."""
    if t == NUMBER and re.fullmatch(r"-?\d{1,9}", cell):
        return int(cell)
    return {"true": True, "false": False}.get(cell) if t == TRUTH else None


def _member(symbols: SymbolTable, cell: str, kind: KindT, span: Span) -> int:
    members = symbols.kind_members(kind.name)
    if cell in members:
        return members.index(cell)
    symbols.report.add("unknown-name", span, name=cell, fix=did_you_mean(cell, members))
    return 0


# ------------------------------------------------------------------------ shapes
def _checked_shape(symbols: SymbolTable, text: str, span: Span) -> str:
    """The text if it draws a shape; otherwise one cell, and it is reported."""
    flaw = _shape_flaw(text)
    if flaw is None:
        return text
    symbols.report.add("bad-shape", span, shape=text, why=flaw)
    return "X"


def _shape_flaw(text: str) -> str | None:
    """Why a text draws no shape; None if it draws one."""
    rows = text.split("/")
    if len(text) > _MOST_SHAPE:
        return "it is larger than any piece"
    if not set(text) <= {"X", ".", "/"}:
        return "only X, . and / draw one"
    if "X" not in text:
        return "it has no X"
    if len({len(row) for row in rows}) > 1:
        return "its rows are not equally long; fill them up with ."
    if not _connected(rows):
        return "it falls into parts that share no side"
    return None


def _connected(rows: list[str]) -> bool:
    """Whether every X can be reached from every other from side to side."""
    cells = {(c, r) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == "X"}
    seen, edge = set[tuple[int, int]](), [min(cells)]
    while edge:
        c, r = edge.pop()
        if (c, r) in cells and (c, r) not in seen:
            seen.add((c, r))
            edge += [(c + 1, r), (c - 1, r), (c, r + 1), (c, r - 1)]
    return seen == cells


# ------------------------------------------------------------------------ printed expressions
def default_of(t: Type) -> Value:
    """The value of a type when nothing says another: false, 0, empty, none, the first of a kind."""
    if t == TRUTH:
        return False
    if t == NUMBER or isinstance(t, KindT):
        return 0
    if t == TEXT:
        return ""
    if t == SHAPE:
        return "X"
    if isinstance(t, SetT):
        return frozenset()
    if isinstance(t, ListT):
        return ()
    return None


def printed_value(checker: TypeChecker, node: Node, t: Type) -> Value:
    """The printed value of this type that an expression stands for."""
    return constant(checker.symbols, checker.wanted(node, {}, t), t, node.span)


def field_default(checker: TypeChecker, component: str, field: str, t: Type) -> Value:
    """The value of a field when a piece does not say it: the component's, or the type's default."""
    node = checker.symbols.field_defaults.get((component, field))
    return printed_value(checker, node, t) if node is not None else default_of(t)


def constant(symbols: SymbolTable, value: core.Expr, t: Type, span: Span) -> Value:
    """The printed value of an expression; one that needs a game to be known is reported."""
    try:
        made = _fold(value)
    except _NotConstant:
        if value.type == t or not isinstance(value, core.Const):
            symbols.report.add("not-printed", span)
        return default_of(t)
    return _checked_shape(symbols, str(made), span) if t == SHAPE else made


class _NotConstant(Exception):
    """An expression needs a game to be known."""


def _fold(value: core.Expr) -> Value:
    """The value of a constant expression; raises _NotConstant for any other."""
    if isinstance(value, core.Const):
        return value.value
    if isinstance(value, core.SetOf):
        items = [_fold(item) for item in value.items]
        return tuple(items) if isinstance(value.type, ListT) else frozenset(items)
    if isinstance(value, core.Arith) and value.op in _ARITHMETIC:
        left, right = _fold(value.left), _fold(value.right)
        if isinstance(left, int) and isinstance(right, int):
            return _ARITHMETIC[value.op](left, right)
    raise _NotConstant


_ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}
