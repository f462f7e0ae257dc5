"""About how much work an expression is, so that cheap conditions are asked first and costly results are kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rulelang import core
from rulelang.ruleset import Ruleset

WORTH_KEEPING = 30  # about what looking a kept result up costs
_MEMBERS = 8  # members a loop is taken to have
_WHOLE = 60  # about what growing a part of a board costs
_LOOPS = core.Exists | core.Forall | core.Filter | core.Image | core.Best | core.Stable
_WIDE = {"footprints", "spots", "lines_of", "all", "board_sites", "spaces"}


def cost(ruleset: Ruleset, item: Any, depth: int = 0) -> int:
    """The work of an expression or of all in a tuple, in steps; what is kept counts as a look-up."""
    if isinstance(item, tuple):
        return sum(cost(ruleset, part, depth) for part in item)
    if not hasattr(item, "__dataclass_fields__") or depth > 8:
        return 0
    own = 1
    if isinstance(item, _LOOPS):
        inner = [getattr(item, name) for name in ("cond", "body", "key") if hasattr(item, name)]
        return 3 + cost(ruleset, item.domain, depth) + _MEMBERS * cost(ruleset, tuple(inner), depth)
    if isinstance(item, core.Apply):
        own = min(
            WORTH_KEEPING, 1 + cost(ruleset, ruleset.definitions[item.define].cases, depth + 1)
        )
    elif isinstance(item, core.Total):
        own = 1 + cost(ruleset, ruleset.tables[item.table].lines, depth + 1)
    elif isinstance(item, core.Groups | core.Reach | core.At | core.Accepts):
        own = _WHOLE
    elif isinstance(item, core.Builtin) and item.name in _WIDE:
        own = 4
    return own + sum(
        cost(ruleset, value, depth)
        for name, value in vars(item).items()
        if name not in ("type", "span", "clause")
    )


def work(ruleset: Ruleset, item: Any, known: dict[str, int]) -> int:
    """The work of an expression met for the first time, when nothing is kept yet; `known` is what definitions were found to be."""
    if isinstance(item, tuple):
        return sum(work(ruleset, part, known) for part in item)
    if not hasattr(item, "__dataclass_fields__"):
        return 0
    if isinstance(item, _LOOPS):
        inner = [getattr(item, name) for name in ("cond", "body", "key") if hasattr(item, name)]
        return 3 + work(ruleset, item.domain, known) + _MEMBERS * work(ruleset, tuple(inner), known)
    own = _WHOLE if isinstance(item, core.Groups | core.Reach | core.At | core.Accepts) else 1
    if isinstance(item, core.Apply | core.Total):
        name = item.define if isinstance(item, core.Apply) else f"score {item.table}"
        if name not in known:
            inside = (
                ruleset.definitions[name].cases
                if isinstance(item, core.Apply)
                else ruleset.tables[item.table].lines
            )
            known[name] = 0  # of what needs itself, no more can be said
            known[name] = work(ruleset, inside, known)
        own += known[name]
    return own + sum(
        work(ruleset, value, known)
        for name, value in vars(item).items()
        if name not in ("type", "span", "clause")
    )


def asked_in_play(ruleset: Ruleset) -> frozenset[str]:
    """The definitions that more than ends and ranks ask for: those a result may be met again of before the position changes."""
    found: set[str] = set()
    rest: list[Any] = [
        [e.rules for e in ruleset.events.values()],
        [e.body for e in ruleset.events.values()],
        [t.lines for t in ruleset.tables.values()],
        [(p.guard, p.body) for p in ruleset.procedures.values()],
        ruleset.flow,
        [(r.cond, r.body) for r in ruleset.reactions],
        [(x.cond, x.body) for x in ruleset.latches],
        ruleset.extensions,
    ]
    while rest:
        item = rest.pop()
        if isinstance(item, tuple | list):
            rest.extend(item)
        elif hasattr(item, "__dataclass_fields__") and not isinstance(item, type):
            if isinstance(item, core.Apply) and item.define not in found:
                found.add(item.define)
                rest.append(ruleset.definitions[item.define].cases)
            elif (
                isinstance(item, core.Groups | core.Reach)
                and item.relation
                and item.relation not in found
            ):
                found.add(item.relation)
                rest.append(ruleset.definitions[item.relation].cases)
            rest.extend(
                value
                for name, value in vars(item).items()
                if name not in ("type", "span", "params")
            )
    return frozenset(found)


def looks_back(ruleset: Ruleset, item: Any, seen: frozenset[str] = frozenset()) -> bool:
    """Does it read the position before the last event? Then what it found may not be kept."""
    if isinstance(item, tuple):
        return any(looks_back(ruleset, part, seen) for part in item)
    if not hasattr(item, "__dataclass_fields__"):
        return False
    if isinstance(item, core.At) and item.mode == "before":
        return True
    if (
        isinstance(item, core.Apply)
        and item.define not in seen
        and looks_back(ruleset, ruleset.definitions[item.define].cases, seen | {item.define})
    ):
        return True
    return any(
        looks_back(ruleset, value, seen)
        for name, value in vars(item).items()
        if name not in ("type", "span")
    )


def names_in(item: Any) -> set[str]:
    """The names an expression or several speak of, those it binds itself among them; with time words, any at all."""
    if isinstance(item, core.Var):
        return {item.name}
    if isinstance(item, core.At):
        return {"@time"}
    found: set[str] = set()
    if isinstance(
        item, core.Exists | core.Forall | core.Filter | core.Image | core.Best | core.Stable
    ):
        inner = names_in(
            [
                value
                for name, value in vars(item).items()
                if isinstance(value, core.Expr) and name != "domain"
            ]
        )
        return (inner - {item.var, getattr(item, "so_far", item.var)}) | names_in(item.domain)
    parts: Iterable[Any] = (
        item
        if isinstance(item, tuple | list)
        else vars(item).values()
        if isinstance(item, core.Expr)
        else ()
    )
    for part in parts:
        found |= names_in(part)
    return found


def parts_of(item: Any) -> Iterator[core.Expr]:
    """An expression and all within it."""
    if isinstance(item, core.Expr):
        yield item
        for value in vars(item).values():
            yield from parts_of(value)
    elif isinstance(item, tuple):
        for part in item:
            yield from parts_of(part)
