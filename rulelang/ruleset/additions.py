"""Lines of tables that add nothing: a condition that leaves out only what adds nothing is none.

The law: with and without such a condition a table comes to the same.
"""

from __future__ import annotations

from collections.abc import Callable

from rulelang import core
from rulelang.ruleset.clauses import Line

_NOTHING = core.Const(0)


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
        if line.cond == folded(core.Compare(">", many, _NOTHING)) and never_negative(many):
            return True
        larger = floored(many)
        if larger is not None and line.cond == folded(core.Compare(">", larger, _NOTHING)):
            return True
    return False


def floored(e: core.Expr) -> core.Expr | None:
    """The number of which this is the larger of it and nought, if it is such a number."""
    if not (isinstance(e, core.Builtin) and e.name == "largest"):
        return None
    of = e.args[0]
    if not (isinstance(of, core.SetOf) and len(of.items) == 2 and _NOTHING in of.items):
        return None
    first, second = of.items
    return second if first == _NOTHING else first


def _times_a_number(amount: core.Arith) -> bool:
    """Is it something times a number other than 0, or a number that a text gives?"""
    return amount.op == "*" and isinstance(amount.left, core.Const) and amount.left != _NOTHING


def never_negative(e: core.Expr) -> bool:
    """Is this number known to be nought or more?"""
    if isinstance(e, core.Const):
        return isinstance(e.value, int) and e.value >= 0
    if isinstance(e, core.Arith):
        return e.op in ("+", "*", "/") and never_negative(e.left) and never_negative(e.right)
    if isinstance(e, core.Builtin) and e.name == "sum":
        return all(isinstance(a, core.Image) and never_negative(a.body) for a in e.args)
    return isinstance(e, core.Builtin) and e.name == "count"
