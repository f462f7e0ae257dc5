"""The cost model: about how much work an expression is to evaluate, in steps.

By it cheap conditions are evaluated first, and results that are dear are memoised.
"""

from __future__ import annotations

from rulelang import core
from rulelang.analysis.calls import Callee, body_of, callees, walk_calls
from rulelang.builtins.record import WHOLE
from rulelang.builtins.registry import builtin
from rulelang.ruleset import Ruleset

WORTH_KEEPING = 30  # about what looking up a memoised result costs
_MEMBERS = 8  # members a loop is taken to have
_DEPTH = 8  # calls inside calls that are looked into
_LOOPS = core.Exists | core.Forall | core.Filter | core.Image | core.Best | core.Stable


def cost(ruleset: Ruleset, item: object, depth: int = 0) -> int:
    """The steps that nodes take where results of definitions are memoised and may be looked up."""
    if depth > _DEPTH:
        return 0
    return sum(_cost(ruleset, node, depth) for node in core.nodes_in(item))


def _cost(ruleset: Ruleset, node: core.Node, depth: int) -> int:
    if isinstance(node, _LOOPS):
        inner = cost(ruleset, list(core.inner_children(node)), depth)
        return 3 + cost(ruleset, node.domain, depth) + _MEMBERS * inner
    own = 1
    if isinstance(node, core.Apply):
        own += cost(ruleset, body_of(ruleset, ("define", node.define)), depth + 1)
        own = min(WORTH_KEEPING, own)
    elif isinstance(node, core.Total):
        own += cost(ruleset, body_of(ruleset, ("score", node.table)), depth + 1)
    elif isinstance(node, core.Groups | core.Reach | core.At | core.Accepts):
        own = WHOLE
    elif isinstance(node, core.Builtin):
        own = builtin(node.name).cost
    return own + cost(ruleset, list(core.children(node)), depth)


def work(ruleset: Ruleset, item: object, known: dict[Callee, int]) -> int:
    """The steps that nodes take when nothing is memoised; `known` is filled by callee."""
    return sum(_work(ruleset, node, known) for node in core.nodes_in(item))


def _work(ruleset: Ruleset, node: core.Node, known: dict[Callee, int]) -> int:
    if isinstance(node, _LOOPS):
        inner = work(ruleset, list(core.inner_children(node)), known)
        return 3 + work(ruleset, node.domain, known) + _MEMBERS * inner
    own = WHOLE if isinstance(node, core.Groups | core.Reach | core.At | core.Accepts) else 1
    if isinstance(node, core.Apply | core.Total):
        (callee,) = callees(node)
        if callee not in known:
            known[callee] = 0  # a recursive call counts nothing
            known[callee] = work(ruleset, body_of(ruleset, callee), known)
        own += known[callee]
    return own + work(ruleset, list(core.children(node)), known)


def asked_in_play(ruleset: Ruleset) -> frozenset[str]:
    """The definitions called by more than ends and ranks.

    Only of these can a memoised result be met again before the position changes.
    """
    items = [
        [(e.rules, e.body) for e in ruleset.events.values()],
        [t.lines for t in ruleset.tables.values()],
        [(p.guard, p.body) for p in ruleset.procedures.values()],
        ruleset.flow,
        [(r.cond, r.body) for r in ruleset.reactions],
        [(x.cond, x.body) for x in ruleset.latches],
        ruleset.extensions,
    ]
    called: set[Callee] = set()
    for _ in walk_calls(ruleset, items, called):
        pass
    return frozenset(name for kind, name in called if kind == "define")


def looks_back(ruleset: Ruleset, item: object) -> bool:
    """Does it read the position before the last event? Then its result may not be memoised."""
    return any(
        isinstance(node, core.At) and node.mode == "before" for node in walk_calls(ruleset, item)
    )


def names_in(item: object) -> set[str]:
    """The free names of an expression or several; with words of time in it, also `@time`."""
    found = core.free_names(item)
    if any(isinstance(node, core.At) for node in core.walk(item)):
        found.add("@time")
    return found
