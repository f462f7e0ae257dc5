"""Builders of set expressions in core: all of a type, neighbors of others, pieces on sites, look-
ups.
"""

from __future__ import annotations

from typing import TypeVar

from rulelang import core
from rulelang.core.types import (
    PLAYER,
    TEXT,
    TRUTH,
    KindT,
    ListT,
    OptionalT,
    PieceT,
    SetT,
    SiteT,
    Type,
    element,
    site_type,
)
from rulelang.ruleset import Ruleset

Nested = TypeVar("Nested")
_YES = core.Const(True, type=TRUTH)


def replaced(item: Nested, old: core.Expr, new: core.Expr) -> Nested:
    """A node, or nested tuples of nodes, with one expression in place of another."""

    def change(node: core.Node) -> core.Node:
        return new if node == old else core.rebuild(node, change)

    return core.mapped(item, change)


def is_finite(t: Type) -> bool:
    """Can its members be numbered?"""
    return isinstance(t, KindT | PieceT | SiteT) or t == PLAYER


def all_of(t: Type) -> core.Expr:
    """All there are of a type."""
    return core.Builtin("all", (core.Const(str(t), type=TEXT),), type=SetT(t))


def many(e: core.Expr) -> core.Expr:
    """A set, or the set of one value."""
    return e if element(e.type) is not None else core.SetOf((e,), type=SetT(e.type))


def joined(e: core.Expr) -> core.Expr:
    """All members of the members of a set of sets."""
    return core.Builtin("joined", (e,), type=element(e.type) or e.type)


def over(var: str, domain: core.Expr, each: core.Expr) -> core.Expr:
    """All members of a set made of each member of the domain."""
    if not any(isinstance(part, core.Var) and part.name == var for part in core.walk(each)):
        return each
    if isinstance(each, core.SetOf) and len(each.items) == 1:
        return core.Image(var, domain, _YES, each.items[0], False, type=each.type)
    return joined(core.Image(var, domain, _YES, each, False, type=SetT(each.type)))


def beside(word: str, cells: core.Expr) -> core.Expr:
    """The cells beside any of these."""
    item = site_type(cells.type)
    assert item is not None
    if isinstance(cells, core.SetOf) and len(cells.items) == 1:
        return core.Builtin(word, cells.items, type=SetT(item))
    var = core.Var(f"{item.name}~beside", type=item)
    return over(var.name, cells, core.Builtin(word, (var,), type=SetT(item)))


def lying(rules: Ruleset, t: Type, sites: core.Expr, stem: str) -> core.Expr | None:
    """The pieces of a component that lie on any of these sites, in whatever layer they may; none if
    in no layer.
    """
    found: core.Expr | None = None
    layers = [
        layer
        for board in rules.boards.values()
        for layer in board.layers
        if isinstance(t, PieceT) and layer.component == t.name
    ]
    for layer in layers:
        var = core.Var(f"{stem}~{layer.name}", type=element(sites.type) or sites.type)
        lies = core.Builtin(
            "on",
            (var, core.Const(layer.name, type=TEXT)),
            type=ListT(t) if layer.stacked else OptionalT(t),
        )
        here = over(var.name, sites, lies if layer.stacked else core.SetOf((lies,), type=SetT(t)))
        found = here if found is None else core.SetOp("+", found, here, type=here.type)
    return found


def looked_up(t: Type, key: core.Expr, value: core.Expr) -> core.Expr:
    """Of all there are of a type those of which something is as told; it speaks of a member by the
    name `member` gives, the value does not.
    """
    return core.Filter(
        member(t).name, all_of(t), core.Compare("=", key, value, type=TRUTH), type=SetT(t)
    )


def member(t: Type) -> core.Var:
    """The name of a member in a set that is looked up."""
    return core.Var(f"~{t}", type=t)


def is_looked_up(e: core.Expr) -> bool:
    """Is it a set made by `looked_up`?"""
    return isinstance(e, core.Filter) and e.var.startswith("~")
