"""What cards add to open lists: each addition under the card that bears it, and many of one moment found by the card that is played."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from rulelang.ruleset import Extension, Params
from rulelang.types import PLAYER, PieceT

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
    return [e for e in module.ruleset.extensions if (e.kind, e.target, e.slot) == (kind, target, slot)]


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
    function.line(f"{you} = {module.constants.name('player_of', lambda rules: rules.player_of)}(s, {card})")
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
def additions(module: Module, function: Expressions, slot: tuple[str, str, str], params: Params, carried: str, add: Add) -> None:
    """Write the additions to a slot in their order; `carried` are the values that go through them (a total), or none where they answer at once."""
    for number, (played, run) in enumerate(_runs(extensions(module, *slot))):
        titles = {(e.component, e.title) for e in run}
        at = next((i for i, (_, t) in enumerate(params) if played and t == PieceT(run[0].component)), None)
        if played and at is not None and len(titles) >= _MANY:
            _look_up(module, function, (*slot, number), run, at, params, carried, add)
            continue
        for e in run:
            depth = each_bearer(module, function, e, params)
            if depth >= 0:
                add(function, e)
                close_bearer(function, depth)


def _runs(found: list[Extension]) -> Iterator[tuple[bool, list[Extension]]]:
    """Stretches of additions that hold for the moment a card of one component is played, and those between them."""
    run: list[Extension] = []
    for e in found:
        if run and (e.lifetime, e.component) != (run[0].lifetime, run[0].component):
            yield run[0].lifetime == "played", run
            run = []
        run.append(e)
    if run:
        yield run[0].lifetime == "played", run


def _look_up(module: Module, function: Expressions, key: Any, run: list[Extension], at: int, params: Params, carried: str, add: Add) -> None:
    titles = list(dict.fromkeys((e.component, e.title) for e in run))
    answer = module.constants.named["missing"]
    names = params_of(params) + ([part.strip() for part in carried.split(",")] if carried else [])
    found = []
    for title in titles:
        inner = module.expressions([*scope_of(params), *((n, n) for n in names if n == "total")])
        inner.names["card"] = f"p{at}"
        inner.names["you"] = next((f"p{i}" for i, (_, t) in enumerate(params) if t == PLAYER), "None")
        inner.sure.add("card")
        for e in run:
            if (e.component, e.title) == title:
                add(inner, e)
        inner.line(f"return {carried or answer}")
        name = f"U{len(module.sources)}_"
        module.add(name, inner, names)
        found.append(name)
    table = f"U{len(module.sources)}"
    module.sources[table] = f"{table} = ({', '.join(found)},)\n"
    order = {title: number for number, title in enumerate(titles)}

    def column(rules: Any) -> list[int]:
        return [order.get((piece.design.component, piece.design.title), -1) for piece in rules.setup.pieces]

    which = function.fresh()
    function.line(f"{which} = {module.constants.name(('run', key), column)}[p{at}] if p{at} is not None else -1")
    with function.block(f"if {which} >= 0:"):
        call = f"{table}[{which}](s, {', '.join(names)})"
        if carried:
            function.line(f"{carried} = {call}")
        else:
            function.line(f"{which} = {call}")
            function.line(f"if {which} is not {answer}: return {which}")
