"""Conditions of some member: what "or" joins inside is joined outside, and "not" stands inmost.

"Some x that is a or b" is "some x that is a, or some x that is b", and "every x that is a" is "no x
that is not a". The second step towards the canonical form takes the second of each. Its laws: what
it gives means the same, and done twice it does no more; a condition that would become more than
`_MOST` parts stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import product

from rulelang import core
from rulelang.core.types import TRUTH

_MOST = 16  # parts that one condition is made into


def distributed(node: core.Node) -> core.Node:
    """The node with "or" carried out of "some", and "not" into "and" and "or"."""
    made = core.rebuild(node, distributed)
    if isinstance(made, core.Member) and isinstance(made.of, core.SetOf) and made.of.items:
        return _any(core.Compare("=", made.item, one, type=TRUTH) for one in made.of.items)
    if isinstance(made, core.Member) and _is_everything(made.of):
        return core.Const(True, type=TRUTH)
    if isinstance(made, core.Not):
        return _contrary(made.of)
    if isinstance(made, core.Forall):
        some = core.Exists(made.var, made.domain, _contrary(made.cond), type=TRUTH)
        return _contrary(_some(some))
    return _some(made) if isinstance(made, core.Exists) else made


def _is_everything(domain: core.Expr) -> bool:
    """Is it the set of all there are of a component or kind?"""
    return isinstance(domain, core.Builtin) and domain.name == "all"


def _some(made: core.Exists) -> core.Expr:
    """A condition of some member as several such conditions, one for each way to meet it."""
    if isinstance(made.domain, core.Titled):
        return _some(_of_all(made, made.domain))
    domains = list(_united(made.domain))
    ways = _ways(made.cond)
    if len(domains) * len(ways) > _MOST:
        return made
    return _any(replace(made, domain=d, cond=way) for d, way in product(domains, ways))


def _of_all(made: core.Exists, titled: core.Titled) -> core.Exists:
    """A condition of some piece of a title, as one of some piece of its component."""
    named = core.Member(core.Var(made.var), titled, type=TRUTH)
    everything = core.Builtin("all", (core.Const(titled.component),), type=titled.type)
    return replace(made, domain=everything, cond=core.All((named, made.cond), type=TRUTH))


def _united(domain: core.Expr) -> Iterable[core.Expr]:
    if isinstance(domain, core.SetOp) and domain.op == "+":
        return [*_united(domain.left), *_united(domain.right)]
    return [domain]


def _ways(cond: core.Expr) -> list[core.Expr]:
    """The condition as alternatives, each without "or"; as it is if they are too many."""
    if isinstance(cond, core.Any):
        return [way for part in cond.of for way in _ways(part)]
    if isinstance(cond, core.All):
        parts = [_ways(part) for part in cond.of]
        count = 1
        for ways in parts:
            count *= len(ways)
        if count <= _MOST:
            return [core.All(tuple(chosen), type=TRUTH) for chosen in product(*parts)]
    return [cond]


def _contrary(cond: core.Expr) -> core.Expr:
    if isinstance(cond, core.Not):
        return cond.of
    if isinstance(cond, core.Any):
        return core.All(tuple(_contrary(part) for part in cond.of), type=TRUTH)
    if isinstance(cond, core.All):
        return _any(_contrary(part) for part in cond.of)
    return core.Not(cond, type=TRUTH)


def _any(parts: Iterable[core.Expr]) -> core.Expr:
    found = tuple(parts)
    return found[0] if len(found) == 1 else core.Any(found, type=TRUTH)
