"""Canonical forms: two texts mean the same if their core objects are equal in canonical form.

What sets within sets say is one condition first (`simplify`), then what "or" joins is joined
outside (`distribute`). Here bound names are numbered, chains flattened and sorted, constants
folded, and what only says where something comes from is left out. The law: objects that differ in
the order of what is joined, and in the names they bind, have one canonical form.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from typing import TypeVar

from rulelang import core
from rulelang.core.types import UNKNOWN
from rulelang.diagnostics.source import NOWHERE
from rulelang.ruleset.additions import counts_anyway, floored, never_negative
from rulelang.ruleset.clauses import Case, Extension, Line, Reaction, Rule
from rulelang.ruleset.distribute import distributed
from rulelang.ruleset.simplify import chosen, counted, simplified

Names = dict[str, str]  # bound names as they are, and as they are in canonical form


def normal_extension(extension: Extension) -> Extension:
    """The extension in canonical form, without the names of clauses."""
    return core.rebuild(
        core.rebuild(core.rebuild(extension, simplified), distributed),
        inner=lambda part: _normal(part, {}, 0),
        body=lambda body: _body(body, {}, 0),
        clause="",
        title="",
        pattern="",
    )


def as_held(extension: Extension) -> Extension:
    """An extension in canonical form without what is asked again in it: while it holds, that it
    holds.
    """
    held = extension.cond
    if extension.lifetime != "while" or held is None:
        return extension

    def freed(node: core.Node) -> core.Node:
        return core.Const(True) if node == held else core.rebuild(node, freed)

    return core.rebuild(
        core.rebuild(extension, freed, cond=None),
        inner=lambda part: _normal(part, {}, 0),
        body=lambda body: _body(body, {}, 0),
        cond=held,
    )


def normal(expr: core.Expr) -> core.Expr:
    """The expression in canonical form.

    Bound names are numbered by depth, chains flattened and sorted, double negation and constants
    folded, filters of filters made one.
    """
    return _again(expr)


def contraries(cond: core.Expr) -> tuple[core.Expr, core.Expr]:
    """A condition and its contrary, each in canonical form."""
    made = distributed(simplified(cond))
    assert isinstance(made, core.Expr)
    if isinstance(made, core.All | core.Any | core.Not):
        return normal(cond), normal(core.Not(cond))
    found = _normal(made, {}, 0)
    assert isinstance(found, core.Expr)
    return found, _fold(core.Not(found))


def _normal(node: core.Node, names: Names, depth: int) -> core.Node:
    if isinstance(node, core.Var):
        return core.Var(names.get(node.name, node.name))
    fresh = _fresh(node, depth)
    inner = names | fresh if fresh else names
    deeper = depth + 1 if fresh else depth
    made = core.rebuild(
        node,
        inner=lambda child: _normal(child, inner, deeper),
        outer=lambda child: _normal(child, names, deeper),
        body=lambda body: _body(body, inner, deeper),
        names=fresh,
        **_without_origin(node),
    )
    if isinstance(made, Line | Rule) and made.cond == core.Const(True):
        return replace(made, cond=None)
    if isinstance(made, Line):
        return replace(made, cond=None) if counts_anyway(made, _again) else made
    return _fold(made) if isinstance(made, core.Expr) else made


def _again(made: core.Expr) -> core.Expr:
    """The canonical form of what is composed of such forms."""
    return core.mapped(made, lambda node: _normal(distributed(simplified(node)), {}, 0))


def _fresh(node: core.Node, depth: int) -> Names:
    """The names that a node binds, each with what it is in canonical form."""
    fresh = {}
    for field in node.layout.binders:
        old = getattr(node, field)
        if old is not None and "~" in old:
            fresh[old] = f"v{depth}{field[0]}"
    if isinstance(node, Line) and node.each is not None:
        fresh[node.each[0]] = f"v{depth}e"
    return fresh


def _without_origin(node: core.Node) -> dict[str, object]:
    """The fields that say where a node comes from, what it is called and its type, emptied."""
    if isinstance(node, core.Expr):
        return {"type": UNKNOWN, "span": NOWHERE}
    if isinstance(node, core.Stmt):
        return {"span": NOWHERE, "clause": None}
    if isinstance(node, Line | Rule):
        return {"clause": "", "label": ""}
    return {"clause": ""} if isinstance(node, Case | Reaction) else {}


def _body(body: tuple[core.Node, ...], names: Names, depth: int) -> tuple[core.Node, ...]:
    """Statements one after the other: the names that one binds are in scope after it."""
    found, known = [], dict(names)
    for step, stmt in enumerate(body):
        made = _normal(stmt, known, depth + step)
        found.append(made)
        renamed = zip(core.bound_names(stmt), core.bound_names(made), strict=True)
        known |= {old: new for old, new in renamed if old != new}
    return tuple(found)


def _fold(item: core.Expr) -> core.Expr:
    """The expression with chains flattened and sorted, and double negation and constants folded."""
    if isinstance(item, core.All | core.Any):
        return _fold_chain(item)
    if isinstance(item, core.Not):
        return _fold_denial(item)
    if isinstance(item, core.Arith):
        return _fold_arithmetic(item)
    if isinstance(item, core.IfElse):
        return chosen(item)
    if isinstance(item, core.Member):
        return _fold_membership(item)
    if isinstance(item, core.Compare):
        return _fold_comparison(item)
    if isinstance(item, core.Builtin) and item.name == "largest":
        return _fold_largest(item)
    if isinstance(item, core.Exists) and isinstance(item.cond, core.Any):
        # some member meets one of several conditions: for one of them, some member meets it
        parts = (core.Exists(item.var, item.domain, part) for part in item.cond.of)
        return _fold_chain(core.Any(tuple(parts)))
    if isinstance(item, core.SetOp) and item.op == "+":
        first, *rest = sorted(dict.fromkeys(_union(item)), key=repr)
        for part in rest:
            first = core.SetOp("+", first, part)
        return first
    return item


def _fold_chain(chain: core.All | core.Any) -> core.Expr:
    """A conjunction or disjunction without repeats, without what decides nothing, in order."""
    same = type(chain)
    unit = isinstance(chain, core.All)
    parts: list[core.Expr] = []
    for part in chain.of:
        parts += part.of if isinstance(part, same) else [part]
    kept = [p for p in parts if not (isinstance(p, core.Const) and p.value is unit)]
    unique = list(dict.fromkeys(kept))
    if not unique:
        return core.Const(unit)
    return unique[0] if len(unique) == 1 else same(tuple(sorted(unique, key=repr)))


def _fold_denial(item: core.Not) -> core.Expr:
    """The contrary of a contrary, of what is known, or of each of several."""
    if isinstance(item.of, core.Not):
        return item.of.of
    if isinstance(item.of, core.Any):
        return _fold_chain(core.All(tuple(_fold(core.Not(part)) for part in item.of.of)))
    return core.Const(not item.of.value) if isinstance(item.of, core.Const) else item


def _fold_arithmetic(item: core.Arith) -> core.Expr:
    """A product without a factor of one, and a sum without nought."""
    neutral = _NEUTRAL.get(item.op)
    if neutral is None:
        return item
    if _is_number(item.right, neutral):
        return item.left
    return item.right if item.op != "-" and _is_number(item.left, neutral) else item


_NEUTRAL = {"*": 1, "+": 0, "-": 0}  # what changes nothing on the right


def _is_number(item: core.Expr, number: int) -> bool:
    return isinstance(item, core.Const) and type(item.value) is int and item.value == number


def _fold_membership(item: core.Member) -> core.Expr:
    """Membership in a union or difference of sets, as membership in each of them."""
    if not isinstance(item.of, core.SetOp):
        return item
    left, right = (_fold_membership(core.Member(item.item, of)) for of in _sides(item.of))
    if item.of.op == "+":
        return _fold_chain(core.Any((left, right)))
    return _fold_chain(core.All((left, _fold(core.Not(right)))))


def _sides(item: core.SetOp) -> tuple[core.Expr, core.Expr]:
    return item.left, item.right


def _known_numbers(*items: core.Expr) -> tuple[int, ...] | None:
    """The numbers that these are; none if one of them is not known."""
    values = [item.value for item in items if isinstance(item, core.Const)]
    found = tuple(value for value in values if type(value) is int)
    return found if len(found) == len(items) else None


_COMPARED: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def _fold_comparison(item: core.Compare) -> core.Expr:
    """A comparison; what it comes to if both numbers are known, or if it counts by now."""
    known = _known_numbers(item.left, item.right)
    if known is not None:
        return core.Const(_COMPARED[item.op](*known))
    made = counted(item)
    return item if made is item else _again(made)


def _fold_largest(item: core.Builtin) -> core.Expr:
    """The larger of nought and what is never less, as the latter."""
    other = floored(item)
    return other if other is not None and never_negative(other) else item


def _union(item: core.Expr) -> list[core.Expr]:
    if isinstance(item, core.SetOp) and item.op == "+":
        return [*_union(item.left), *_union(item.right)]
    return [item]


R = TypeVar("R", bound=core.Node)


def normal_record(record: R) -> R:
    """A line, rule, case or whatever has a clause of its own in canonical form, without its names.

    What an extension holds is in canonical form by `normal_extension`.
    """
    made = core.rebuild(core.rebuild(record, simplified), distributed)
    found = core.rebuild(
        made,
        inner=lambda part: _normal(part, {}, 0),
        body=lambda body: _body(body, {}, 0),
    )
    return _nameless(found)


def _nameless(record: R) -> R:
    """The record without the name of its clause, its label and its place in the text."""
    made = copy(record)
    for name, nothing in (("clause", ""), ("label", ""), ("span", NOWHERE)):
        if name in record.__dict__:
            object.__setattr__(made, name, nothing)
    return made
