"""Equal sets said in different ways: filters of filters and members of them, as one condition.

`{x in {y in S where a} where b}` is `{x in S where a and b}`, `z in {y in S where a}` is
`z in S and a`, and `some x in S where (a or b)` is one of a or one of b. Normal forms take the
second of each, so that texts put together in another order have one meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product

from rulelang import core
from rulelang.core.types import TRUTH
from rulelang.ruleset.clauses import Line

MAX_CASES = 8  # into which a condition is told apart
_NOTHING = core.Const(0)
_FILTERING = (core.Filter, core.Exists, core.Image)  # a condition that members must meet


def simplified(node: core.Node) -> core.Node:
    """The node with filters of filters made one, and membership in what is composed told apart."""
    made = core.rebuild(node, simplified)
    if isinstance(made, core.Member):
        return _membership(made)
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
    return _told_apart(made) if isinstance(made, core.Exists) else made


def _told_apart(made: core.Exists) -> core.Expr:
    """That one exists that meets some of several conditions: that one exists for some of them."""
    cases = _cases(made.cond)
    if not 1 < len(cases) <= MAX_CASES:
        return made
    return core.Any(tuple(replace(made, cond=case) for case in cases), type=TRUTH)


def _cases(cond: core.Expr) -> list[core.Expr]:
    """Conditions of which one holds exactly if this one does."""
    if isinstance(cond, core.Any):
        return [case for part in cond.of for case in _cases(part)]
    if not isinstance(cond, core.All):
        return [cond]
    parts = [_cases(part) for part in cond.of]
    total = 1
    for part in parts:
        total *= len(part)
    if total == 1 or total > MAX_CASES:
        return [cond]
    return [core.All(tuple(chosen), type=TRUTH) for chosen in product(*parts)]


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


# ------------------------------------------------------------------------ lines that add nothing
def counts_anyway(line: Line, folded: Callable[[core.Expr], core.Expr]) -> bool:
    """Does the condition of this line in normal form only leave out that nothing is added?

    `folded` gives the normal form of a comparison of what is in normal form.
    """
    amount = line.amount
    if line.op not in ("+", "-") or line.each is not None or amount is None:
        return False
    several = isinstance(amount, core.Arith) and _times_a_number(amount)
    counted = [amount, amount.right] if several and isinstance(amount, core.Arith) else [amount]
    for many in counted:
        if line.cond == folded(core.Compare("!=", many, _NOTHING)):
            return True
        if line.cond == folded(core.Compare(">", many, _NOTHING)) and _never_negative(many):
            return True
    return False


def _times_a_number(amount: core.Arith) -> bool:
    """Is it something times a number other than 0, or a number that a text gives?"""
    return amount.op == "*" and isinstance(amount.left, core.Const) and amount.left != _NOTHING


def _never_negative(e: core.Expr) -> bool:
    if isinstance(e, core.Const):
        return isinstance(e.value, int) and e.value >= 0
    if isinstance(e, core.Arith):
        return e.op in ("+", "*", "/") and _never_negative(e.left) and _never_negative(e.right)
    if isinstance(e, core.Builtin) and e.name == "sum":
        return all(isinstance(a, core.Image) and _never_negative(a.body) for a in e.args)
    return isinstance(e, core.Builtin) and e.name == "count"
