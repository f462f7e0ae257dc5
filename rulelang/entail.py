"""Conditions held against each other: which can never hold together, whatever lies on the table."""
from __future__ import annotations

from collections.abc import Iterator

from rulelang import core
from rulelang.certain import Certain
from rulelang.inline import substituted, written_out
from rulelang.normal import normal
from rulelang.types import NUMBER, TRUTH, PieceT, element
from rulelang.unknowns import Copy

_FAR = 10**9
_FLIPPED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}

Amount = tuple[core.Expr, int, int]  # a number, and between which bounds it must lie


def contradict(one: core.Expr, two: core.Expr, certain: Certain) -> bool:
    """Can the two conditions never hold together?

    Decided for a condition and its contrary, for amounts out of each other's reach, and for things that are all of a sort there must be none of.
    """
    return _clash(_plain(written_out(one, certain.rules)), _plain(written_out(two, certain.rules)), certain)


def contradicts_itself(one: core.Expr, certain: Certain) -> bool:
    """Are there two parts of the condition that can never hold together?"""
    parts = _parts(_plain(written_out(one, certain.rules)))
    return any(_clash(a, b, certain) for index, a in enumerate(parts) for b in parts[index + 1 :])


def _clash(a: core.Expr, b: core.Expr, certain: Certain) -> bool:
    for x in _parts(a):
        for y in _parts(b):
            if isinstance(x, core.Any):
                if all(_clash(option, b, certain) for option in x.of):
                    return True
            elif isinstance(y, core.Any):
                if all(_clash(a, option, certain) for option in y.of):
                    return True
            elif _contrary(x, y) or any(_apart(m, n, certain) for m in _amounts(x) for n in _amounts(y)):
                return True
    return False


def _parts(e: core.Expr) -> tuple[core.Expr, ...]:
    return tuple(part for inner in e.of for part in _parts(inner)) if isinstance(e, core.All) else (e,)


def _plain(e: core.Expr, held: bool = True) -> core.Expr:
    """The condition (or its contrary) with `not` only before what has no parts."""
    if isinstance(e, core.Not):
        return _plain(e.of, not held)
    if isinstance(e, core.All | core.Any):
        same = isinstance(e, core.All) == held
        parts = tuple(_plain(part, held) for part in e.of)
        return core.All(parts, type=TRUTH) if same else core.Any(parts, type=TRUTH)
    if isinstance(e, core.Forall):
        return _plain(core.Exists(e.var, e.domain, _plain(e.cond, False), type=TRUTH), not held)
    if isinstance(e, core.Compare) and not held and (e.op in ("=", "!=") or e.left.type == NUMBER):
        return core.Compare(_FLIPPED[e.op], e.left, e.right, type=TRUTH, span=e.span)
    return e if held else core.Not(e, type=TRUTH)


def _contrary(x: core.Expr, y: core.Expr) -> bool:
    return normal(core.Not(x)) == normal(y) or normal(core.Not(y)) == normal(x)


def _amounts(e: core.Expr) -> Iterator[Amount]:
    """What a condition says of how much or many there is of something."""
    low, high = 1, _FAR
    if isinstance(e, core.Not):
        low, high, e = 0, 0, e.of
    if isinstance(e, core.Exists):
        yield _those(e), low, high
    elif isinstance(e, core.Builtin) and e.name == "empty":
        yield (e.args[0], 0, 0) if low else (e.args[0], 1, _FAR)
    elif isinstance(e, core.Compare) and isinstance(e.right, core.Const) and isinstance(e.right.value, int) and not isinstance(e.right.value, bool):
        n, far = e.right.value, _FAR
        bounds = {"=": (n, n), ">=": (n, far), ">": (n + 1, far), "<=": (-far, n), "<": (-far, n - 1)}.get(e.op)
        counted = isinstance(e.left, core.Builtin) and e.left.name == "count"
        if bounds is not None:
            yield e.left.args[0] if counted and isinstance(e.left, core.Builtin) else e.left, *bounds


def _those(e: core.Exists) -> core.Expr:
    """All of which there must be some."""
    whole = isinstance(e.cond, core.Const) and e.cond.value is True
    return e.domain if whole else core.Filter(e.var, e.domain, e.cond, type=e.domain.type)


def _apart(one: Amount, two: Amount, certain: Certain) -> bool:
    """Do two conditions leave no number for one amount, or ask for more of some things than there may be of all?"""
    if normal(one[0]) == normal(two[0]):
        return max(one[1], two[1]) > min(one[2], two[2])
    return (one[1] > two[2] and _among(one[0], two[0], certain)) or (two[1] > one[2] and _among(two[0], one[0], certain))


def _among(some: core.Expr, all_: core.Expr, certain: Certain) -> bool:
    """Are some things among others for certain: picked from the same, and by their print or by the same condition?"""
    if not isinstance(some, core.Filter) or element(some.type) is None:
        return False
    if normal(some.domain) == normal(all_):
        return True
    if not isinstance(all_, core.Filter) or normal(some.domain) != normal(all_.domain):
        return False
    item = element(some.type)
    asked = substituted(all_.cond, {all_.var: core.Var(some.var, type=item)}, certain.rules) if item is not None else all_.cond
    known = [normal(part) for part in _parts(some.cond)]
    open_parts = [part for part in _parts(asked) if normal(part) not in known]
    if not open_parts:
        return True
    if not isinstance(item, PieceT) or item.name in certain.growing:
        return False
    fits = [d for d in certain.designs.get(item.name, []) if certain.truth(some.cond, {some.var: Copy(d)}) is not False]
    return bool(fits) and all(certain.truth(part, {some.var: Copy(d)}) is True for d in fits for part in open_parts)
