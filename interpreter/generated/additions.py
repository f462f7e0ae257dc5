"""What cards add to open lists: each addition under the card that bears it, and many of one moment found by the card that is played."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

from rulelang.analysis.cost import looks_back
from rulelang.core.types import PLAYER, PieceT
from rulelang.ruleset import Extension, Params

if TYPE_CHECKING:
    from interpreter.generated.module import Module
    from interpreter.generated.sets import Expressions

Add = Callable[["Expressions", Extension], None]
_MANY = 4  # titles from which on a card's own additions are looked up instead of asked for one after another


def params_of(params: Params) -> list[str]:
    """The parameters of a clause's function."""
    return [f"p{i}" for i in range(len(params))]


def scope_of(params: Params) -> list[tuple[str, str]]:
    """The clause's own names for them."""
    return [(name, f"p{i}") for i, (name, _) in enumerate(params)]


def extensions(module: Module, kind: str, target: str, slot: str) -> list[Extension]:
    """The additions to a slot, in the order of the rules."""
    return [
        e for e in module.ruleset.extensions if (e.kind, e.target, e.slot) == (kind, target, slot)
    ]


def each_bearer(module: Module, function: Expressions, e: Extension, params: Params) -> int:
    """Open the lines under which an addition applies, its card and player bound; gives how deep they go (-1: it never applies)."""
    key = (e.component, e.title)
    ids = module.constants.name(("bearers", key), lambda rules: rules.bearers.get(key, ()))
    if e.lifetime == "played":
        at = next((i for i, (_, t) in enumerate(params) if t == PieceT(e.component)), None)
        if at is None:
            return -1
        you = next((f"p{i}" for i, (_, t) in enumerate(params) if t == PLAYER), "None")
        function.line(f"if p{at} in {ids}:")
        function.depth += 1
        function.names["card"], function.names["you"] = f"p{at}", you
        function.sure.add("card")
        return 1
    card = function.fresh("c")
    function.line(f"for {card} in {ids}:")
    function.depth += 1
    function.line(f"if s.where[{card}] is None: continue")
    you = function.fresh("y")
    function.line(
        f"{you} = {module.constants.name('player_of', lambda rules: rules.player_of)}(s, {card})"
    )
    function.names["card"], function.names["you"] = card, you
    function.sure.add("card")
    if e.cond is not None:
        if e.lifetime == "while":
            function.guard(e.cond, "continue")
        else:
            function.line(f"if {function.test(e.cond)}: continue")
    return 1


def close_bearer(function: Expressions, depth: int) -> None:
    """Close what `each_bearer` opened."""
    function.line("pass")
    function.depth -= depth
    function.names.pop("card", None)
    function.names.pop("you", None)


# ------------------------------------------------------------------------------------------------ many cards
def additions(
    module: Module,
    function: Expressions,
    slot: tuple[str, str, str],
    params: Params,
    carried: str,
    add: Add,
) -> None:
    """Write the additions to a slot in their order; `carried` are the values that go through them (a total), or none where they answer at once."""
    for number, run in enumerate(_runs(module, extensions(module, *slot))):
        titles = {(e.component, e.title) for e in run}
        played = run[0].lifetime == "played"
        at = next(
            (i for i, (_, t) in enumerate(params) if played and t == PieceT(run[0].component)), None
        )
        if played and at is not None and len(titles) >= _MANY:
            _look_up(module, function, (*slot, number), run, at, params, carried, add)
        elif _is_kept(module, run[0]):
            _in_force(module, function, (*slot, number), run, params, carried, add)
        else:
            for e in run:
                depth = each_bearer(module, function, e, params)
                if depth >= 0:
                    add(function, e)
                    close_bearer(function, depth)


def _runs(module: Module, found: list[Extension]) -> Iterator[list[Extension]]:
    """Stretches of additions that hold for the moment a card of one component is played, of those whose bearers can be kept, and of others."""
    for _, run in groupby(
        found, lambda e: e.component if e.lifetime == "played" else _is_kept(module, e)
    ):
        yield list(run)


def _is_kept(module: Module, e: Extension) -> bool:
    """Does it hold for a time, under a condition that can be kept until something it reads changes?"""
    return e.lifetime != "played" and e.cond is not None and not looks_back(module.ruleset, e.cond)


# complexity: one form of output, and the room goes with the native engine
def _look_up(
    module: Module,
    function: Expressions,
    key: Any,
    run: list[Extension],
    at: int,
    params: Params,
    carried: str,
    add: Add,
) -> None:
    """The additions of the one card that is played."""
    titles = list(dict.fromkeys((e.component, e.title) for e in run))
    you = next((f"p{i}" for i, (_, t) in enumerate(params) if t == PLAYER), "None")
    table = _table(
        module,
        [[e for e in run if (e.component, e.title) == title] for title in titles],
        (f"p{at}", you),
        params,
        carried,
        add,
    )
    order = {title: number for number, title in enumerate(titles)}

    def column(rules: Any) -> list[int]:
        return [
            order.get((piece.design.component, piece.design.title), -1)
            for piece in rules.setup.pieces
        ]

    which = function.fresh()
    function.line(
        f"{which} = {module.constants.name(('run', key), column)}[p{at}] if p{at} is not None else -1"
    )
    with function.block(f"if {which} >= 0:"):
        _call(module, function, f"{table}[{which}]", params_of(params), carried)


def _in_force(
    module: Module,
    function: Expressions,
    key: Any,
    run: list[Extension],
    params: Params,
    carried: str,
    add: Add,
) -> None:
    """The additions of all cards for which they are in force, which is worked out once for many questions."""

    def write(made: str) -> None:
        inner = module.expressions(())
        inner.line("found = []")
        for number, e in enumerate(run):
            depth = each_bearer(module, inner, e, ())
            inner.line(f"found.append(({number}, {inner.names['card']}, {inner.names['you']}))")
            close_bearer(inner, depth)
        inner.line("return tuple(found)")
        module.add(f"{made}_", inner, [])
        module.keep(made, f"{made}_", [], module.reads.all(tuple(e.cond for e in run)) | {"where"})

    table = _table(module, [[e] for e in run], ("card", "you"), params, carried, add)
    which, card, you = function.fresh(), function.fresh("c"), function.fresh("y")
    with function.block(f"for {which}, {card}, {you} in {module.name('b', key, write)}(s):"):
        _call(module, function, f"{table}[{which}]", [*params_of(params), card, you], carried)


def _table(
    module: Module,
    each: list[list[Extension]],
    bearer: tuple[str, str],
    params: Params,
    carried: str,
    add: Add,
) -> str:
    """A function for each of these lists of additions, in a table; the names of a bearer that is no parameter are further parameters."""
    names = [
        *dict.fromkeys([*params_of(params), *(name for name in bearer if name in ("card", "you"))]),
        *_carried(carried),
    ]
    found = []
    for added in each:
        inner = module.expressions([*scope_of(params), *((n, n) for n in names if n == "total")])
        inner.names["card"], inner.names["you"] = bearer
        inner.sure.add("card")
        for e in added:
            add(inner, e)
        inner.line(f"return {carried or module.constants.named['missing']}")
        found.append(f"U{len(module.sources)}_")
        module.add(found[-1], inner, names)
    table = f"U{len(module.sources)}"
    module.sources[table] = f"{table} = ({', '.join(found)},)\n"
    return table


def _carried(carried: str) -> list[str]:
    return [part.strip() for part in carried.split(",")] if carried else []


def _call(
    module: Module, function: Expressions, callee: str, values: list[str], carried: str
) -> None:
    """Call what a table holds: it carries values on, or answers where there is an answer."""
    call = f"{callee}(s, {', '.join([*values, *_carried(carried)])})"
    if carried:
        function.line(f"{carried} = {call}")
        return
    answer, missing = function.fresh(), module.constants.named["missing"]
    function.line(f"{answer} = {call}")
    function.line(f"if {answer} is not {missing}: return {answer}")
