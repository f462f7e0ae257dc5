"""What is printed on a piece: values of rows and cards, read, checked, and what they are when nothing says."""

from __future__ import annotations

import re

from rulelang import core
from rulelang.core.types import NUMBER, SHAPE, TEXT, TRUTH, KindT, ListT, OptionalT, SetT, Type
from rulelang.diagnostics import nearest
from rulelang.diagnostics.source import Span
from rulelang.elaborate.symbols import SymbolTable
from rulelang.elaborate.type_checker import TypeChecker, type_in_words
from rulelang.syntax.nodes import Node


def copies_of(names: SymbolTable, cell: str, span: Span) -> int:
    """The number of copies a cell of a row says."""
    if cell.isdecimal() and int(cell) <= 1000:
        return int(cell)
    not_so_many(names, cell, span)
    return 0


def not_so_many(names: SymbolTable, found: str, span: Span) -> None:
    """Report what is no number of copies, with one that would be."""
    fix = "Write 0 to leave the piece out." if found.startswith("-") else None
    names.report.add(
        "bad-value", span, found=found, wanted="a number of copies from 0 to 1000", fix=fix
    )


def cell_value(names: SymbolTable, cell: str, t: Type, span: Span) -> object:
    """The value a cell of a row says; what is no value of the type is reported and stands in as the usual one."""
    if t == NUMBER:
        if re.fullmatch(r"-?\d{1,9}", cell):
            return int(cell)
    elif t == TEXT:
        return cell
    elif t == SHAPE:
        flaw = _shape(cell)
        if flaw is None:
            return cell
        names.report.add("bad-shape", span, shape=cell, why=flaw)
        return "X"
    elif t == TRUTH and cell in ("true", "false"):
        return cell == "true"
    elif isinstance(t, KindT):
        members = names.kind_members(t.name)
        if cell in members:
            return members.index(cell)
        near = nearest(cell, members)
        names.report.add(
            "unknown-name", span, name=cell, fix=f"Did you mean `{near[0]}`?" if near else None
        )
        return 0
    elif isinstance(t, SetT | ListT):
        items = [
            cell_value(names, part, t.of, span) for part in cell.split(",") if part and part != "-"
        ]
        return tuple(items) if isinstance(t, ListT) else frozenset(items)
    elif isinstance(t, OptionalT):
        return None if cell in ("-", "none") else cell_value(names, cell, t.of, span)
    names.report.add("bad-value", span, found=cell, wanted=type_in_words(t))
    return default_of(t)


def _shape(text: str) -> str | None:
    """Why a text draws no shape; none if it draws one."""
    rows = text.split("/")
    if len(text) > 200:
        return "it is larger than any piece"
    if not set(text) <= {"X", ".", "/"}:
        return "only X, . and / draw one"
    if "X" not in text:
        return "it has no X"
    if len({len(row) for row in rows}) > 1:
        return "its rows are not equally long; fill them up with ."
    cells = {(c, r) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == "X"}
    seen, edge = set(), [min(cells)]
    while edge:
        c, r = edge.pop()
        if (c, r) in cells and (c, r) not in seen:
            seen.add((c, r))
            edge += [(c + 1, r), (c - 1, r), (c, r + 1), (c, r - 1)]
    return "it falls into parts that share no side" if seen != cells else None


def default_of(t: Type) -> object:
    """What a field or a missing value is when nothing says otherwise: false, 0, empty, none, the first of a kind."""
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


def printed(names: SymbolTable, exprs: TypeChecker, node: Node, t: Type) -> object:
    """The value an expression prints."""
    return constant(names, exprs.wanted(node, {}, t), t, node.span)


def usual(names: SymbolTable, exprs: TypeChecker, component: str, field: str, t: Type) -> object:
    """What a field is when a piece does not say: what the component gives after `=`, or false, 0, empty, none, the first of a kind."""
    node = names.field_defaults.get((component, field))
    return printed(names, exprs, node, t) if node is not None else default_of(t)


def constant(names: SymbolTable, value: core.Expr, t: Type, span: Span) -> object:
    """The printed value an expression stands for; what needs a game to be known is refused."""
    made = _fold(value)
    if made is _UNKNOWN:
        if value.type == t or not isinstance(value, core.Const):
            names.report.add("not-printed", span)
        return default_of(t)
    flaw = _shape(str(made)) if t == SHAPE else None
    if flaw is not None:
        names.report.add("bad-shape", span, shape=made, why=flaw)
        return "X"
    return made


_UNKNOWN = object()


def _fold(value: core.Expr) -> object:
    if isinstance(value, core.Const):
        return value.value
    if isinstance(value, core.SetOf):
        items = [_fold(item) for item in value.items]
        if any(item is _UNKNOWN for item in items):
            return _UNKNOWN
        return tuple(items) if isinstance(value.type, ListT) else frozenset(items)
    if isinstance(value, core.Arith):
        left, right = _fold(value.left), _fold(value.right)
        if isinstance(left, int) and isinstance(right, int) and value.op in "+-*":
            return {"+": left + right, "-": left - right, "*": left * right}[value.op]
    return _UNKNOWN
