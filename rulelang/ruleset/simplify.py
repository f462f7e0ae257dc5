"""Sets within sets: filters of filters and members of them, as one condition.

`{x in {y in S where a} where b}` is `{x in S where a and b}`, and `z in {y in S where a}` is
`z in S and a`. The first step towards the canonical form takes the second of each, so that texts
put together in another order have one meaning. Its laws: what it gives means the same, and holds
no filter of a filter where no name would be captured; done twice it does no more. That so many are
at least one is said as their existence, and of two values the one that is meant stands alone where
that is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulelang import core
from rulelang.core.types import TRUTH

_FILTERING = (core.Filter, core.Exists, core.Image)  # a condition that members must meet
_SOME = {(">=", 1), (">", 0), ("!=", 0)}  # a count so compared says that there is one
_NONE = {("=", 0), ("<", 1), ("<=", 0)}


def simplified(node: core.Node) -> core.Node:
    """The node with filters of filters made one, and membership in what is composed told apart."""
    made = core.rebuild(node, simplified)
    if isinstance(made, core.Member):
        return _membership(made)
    if isinstance(made, core.Compare):
        return counted(made)
    if isinstance(made, core.IfElse):
        return chosen(made)
    if isinstance(made, core.Forall) and isinstance(made.domain, core.Filter):
        inner = _cond_on(made.domain, core.Var(made.var), made.var)
        if inner is None:
            return made
        either = core.Any((core.Not(inner, type=TRUTH), made.cond), type=TRUTH)
        return replace(made, domain=made.domain.domain, cond=either)
    if isinstance(made, _FILTERING) and isinstance(made.domain, core.Filter):
        inner = _cond_on(made.domain, core.Var(made.var), made.var)
        if inner is not None:
            cond = core.All((inner, made.cond), type=TRUTH)
            made = replace(made, domain=made.domain.domain, cond=cond)
    return _asked_once(made) if isinstance(made, _FILTERING) else made


def _asked_once(made: core.Filter | core.Exists | core.Image) -> core.Node:
    """The node without asking what its members are taken from whether they are in it."""
    known = _membership(core.Member(core.Var(made.var), made.domain, type=TRUTH))
    conds = tuple(_conjuncts(made.cond))
    kept = tuple(cond for cond in conds if cond != known)
    if len(kept) == len(conds) or not kept:
        return made
    return replace(made, cond=kept[0] if len(kept) == 1 else core.All(kept, type=TRUTH))


def _conjuncts(cond: core.Expr) -> Iterator[core.Expr]:
    """The conditions that all hold where this one does."""
    if isinstance(cond, core.All):
        for item in cond.of:
            yield from _conjuncts(item)
    else:
        yield cond


def chosen(made: core.IfElse) -> core.Expr:
    """One of two values, where it is known which."""
    if not isinstance(made.cond, core.Const):
        return made
    return made.then if made.cond.value else made.other


def counted(made: core.Compare) -> core.Expr:
    """A comparison of how many there are; that there is one at all, as their existence."""
    many, number = made.left, made.right
    if not (
        isinstance(many, core.Builtin)
        and many.name == "count"
        and isinstance(many.args[0], core.Filter)
        and isinstance(number, core.Const)
        and isinstance(number.value, int)
    ):
        return made
    those = many.args[0]
    some = core.Exists(those.var, those.domain, those.cond, type=TRUTH)
    if (made.op, number.value) in _SOME:
        return some
    return core.Not(some, type=TRUTH) if (made.op, number.value) in _NONE else made


def _membership(made: core.Member) -> core.Expr:
    """Membership of a named value, asked of the parts of the set."""
    item, of = made.item, made.of
    if not isinstance(item, core.Var):
        return made
    if isinstance(of, core.Filter):
        inner = _cond_on(of, item)
        if inner is None:
            return made
        among = _membership(replace(made, of=of.domain))
        return core.All((among, inner), type=TRUTH)
    if isinstance(of, core.SetOp):
        left, right = (_membership(replace(made, of=part)) for part in (of.left, of.right))
        if of.op == "+":
            return core.Any((left, right), type=TRUTH)
        return core.All((left, core.Not(right, type=TRUTH)), type=TRUTH)
    return made


def _cond_on(of: core.Filter, item: core.Var, under: str = "") -> core.Expr | None:
    """The condition of a filter as one on this value, which may be bound by the name `under`.

    None if a name would come to mean something else.
    """
    if item.name in set(_bound_in(of.cond)):
        return None
    if under and under != of.var and under in core.free_names(of.cond):
        return None
    renamed = _renamed(of.cond, of.var, item)
    assert isinstance(renamed, core.Expr)
    return renamed


def _bound_in(expr: core.Expr) -> Iterator[str]:
    return (name for node in core.walk(expr) for name in core.bound_names(node))


def _renamed(node: core.Node, name: str, item: core.Var) -> core.Node:
    """The node with another name for a value."""
    if isinstance(node, core.Var):
        return replace(node, name=item.name) if node.name == name else node
    if name in core.bound_names(node):
        return node
    return core.rebuild(node, lambda part: _renamed(part, name, item))
