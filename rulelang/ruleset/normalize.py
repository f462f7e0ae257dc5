"""Normal forms: two texts mean the same if their core objects, in normal form, are equal."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from rulelang import core
from rulelang.ruleset import Case, Extension, Line, Reaction, Rule

BINDERS = ("var", "so_far", "result")  # fields that name a value for what stands inside


def normal_extension(extension: Extension, write_out: Callable[[Any], Any]) -> Extension:
    """The extension without names of clauses, definitions written out, every expression in normal form."""
    values = {f.name: getattr(extension, f.name) for f in dataclasses.fields(extension)}
    values |= {"clause": "", "title": "", "pattern": ""}
    for name in ("lines", "rules", "cases", "reaction", "cond", "body"):
        values[name] = _normal(write_out(values[name]), {}, 0)
    return Extension(**values)


def normal(expr: core.Expr) -> core.Expr:
    """The expression in normal form: bound names by depth, chains flattened and sorted, double negation and constants folded."""
    found: core.Expr = _normal(expr, {}, 0)
    return found


def _normal(item: Any, names: dict[str, str], depth: int) -> Any:
    if isinstance(item, core.Var):
        return core.Var(names.get(item.name, item.name))
    if isinstance(item, tuple):
        return (
            _in_turn(item, names, depth)
            if any(isinstance(part, core.Stmt) for part in item)
            else tuple(_normal(part, names, depth) for part in item)
        )
    if (
        not dataclasses.is_dataclass(item)
        or isinstance(item, type)
        or not isinstance(item, core.Expr | core.Stmt | Line | Rule | Case | Reaction)
    ):
        return item
    values = {
        f.name: getattr(item, f.name)
        for f in dataclasses.fields(item)
        if f.name not in ("type", "span")
    }
    inner = dict(names)
    for name in BINDERS:
        if isinstance(values.get(name), str) and "~" in values[name]:
            inner[values[name]] = f"v{depth}{name[0]}"
            values[name] = f"v{depth}{name[0]}"
    if isinstance(item, Line) and item.each is not None:
        inner[item.each[0]] = f"v{depth}e"
        values["each"] = (f"v{depth}e", _normal(item.each[1], names, depth + 1))
    deeper = depth + 1 if inner != names else depth
    for name, value in values.items():
        if name in ("domain", "seeds"):
            values[name] = _normal(value, names, deeper)
        elif name in ("params", "label", "clause", "slot", "op", "each") or isinstance(value, str):
            if name == "clause":
                values[name] = "" if isinstance(item, Line | Rule | Case | Reaction) else None
        else:
            values[name] = _normal(value, inner, deeper)
    made = type(item)(**values)
    return _fold(made)


def _in_turn(body: core.Body, names: dict[str, str], depth: int) -> core.Body:
    """Statements one after the other: what one names, those after it know."""
    found, known = [], dict(names)
    for step, stmt in enumerate(body):
        found.append(_normal(stmt, known, depth + step))
        known |= {
            old: new
            for name in BINDERS
            if isinstance(old := getattr(stmt, name, None), str)
            and (new := getattr(found[-1], name)) != old
        }
    return tuple(found)


def _fold(item: Any) -> Any:
    if isinstance(item, core.All | core.Any):
        same = type(item)
        parts: list[core.Expr] = []
        for part in item.of:
            parts += part.of if isinstance(part, same) else [part]
        unit = isinstance(item, core.All)
        parts = [p for p in parts if not (isinstance(p, core.Const) and p.value is unit)]
        unique = sorted(dict.fromkeys(parts), key=repr)
        if not unique:
            return core.Const(unit)
        return unique[0] if len(unique) == 1 else same(tuple(unique))
    if isinstance(item, core.Not) and isinstance(item.of, core.Not):
        return item.of.of
    if isinstance(item, core.SetOp) and item.op == "+":
        members = dict.fromkeys(_union(item))
        ordered = sorted(members, key=repr)
        found = ordered[0]
        for part in ordered[1:]:
            found = core.SetOp("+", found, part)
        return found
    return item


def _union(item: core.Expr) -> list[core.Expr]:
    if isinstance(item, core.SetOp) and item.op == "+":
        return [*_union(item.left), *_union(item.right)]
    return [item]
