"""Definitions, tables and requirements as functions, with what cards add to them."""
from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.evaluate import nothing_of
from interpreter.generated.costs import cost
from rulelang.ruleset import Extension, Line, Params, Rule
from rulelang.types import PLAYER, PieceT

if TYPE_CHECKING:
    from interpreter.generated.module import Module
    from interpreter.generated.sets import Expressions

_APPLY = {"start": "{t} = {n}", "+": "{t} = {t} + {n}", "-": "{t} = {t} - {n}", "times": "{t} = {t} * {n}", "exactly": "{t} = {n}",
          "floor": "{t} = {n}", "cap": "{t} = {n}"}  # fmt: skip


def _params(params: Params) -> list[str]:
    return [f"p{i}" for i in range(len(params))]


def _scope(params: Params) -> list[tuple[str, str]]:
    return [(name, f"p{i}") for i, (name, _) in enumerate(params)]


# ------------------------------------------------------------------------------------------------ what cards add
def extensions(module: Module, kind: str, target: str, slot: str) -> list[Extension]:
    """The additions to a slot, in the order of the rules."""
    return [e for e in module.ruleset.extensions if (e.kind, e.target, e.slot) == (kind, target, slot)]


def each_bearer(module: Module, function: Expressions, e: Extension, params: Params) -> int:
    """Open the lines under which an addition applies, its card and player bound; gives how deep they go (-1: it never applies)."""
    key = (e.component, e.title)
    ids = module.constants.name(("bearers", key), lambda rules: rules._titles.get(key, ()))
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


# ------------------------------------------------------------------------------------------------ definitions
def write_definition(module: Module, name: str, made: str) -> None:
    """A definition's function; a costly one keeps what it found until something it reads changes."""
    known = module.ruleset.definitions[name]
    function = module.expressions(_scope(known.params))
    for case in known.cases:
        if case.slot:
            for e in extensions(module, "define", name, case.slot):
                depth = each_bearer(module, function, e, known.params)
                if depth < 0:
                    continue
                for inner in e.cases:
                    _case(function, inner.cond, inner.value, e.clause)
                close_bearer(function, depth)
        elif _case(function, case.cond, case.value):
            break
    else:
        function.line(f"return {function.literal(nothing_of(known.type))}")
    params = _params(known.params)
    if not module.is_kept(name):
        module.add(made, function, params)
        return
    module.add(f"{made}_", function, params)
    module.keep(made, f"{made}_", params, module.reads.of("define", name), finite=module.is_finite(name))


def _case(function: Expressions, cond: object, value: object, source: str = "") -> bool:
    """A case; says whether it holds always."""
    if cond is None:
        _fired(function, source)
        function.line(f"return {function.gen(value)}")  # type: ignore[arg-type]
        return True
    function.line(f"if {function.test(cond)}:")  # type: ignore[arg-type]
    function.depth += 1
    _fired(function, source)
    function.line(f"return {function.gen(value)}")  # type: ignore[arg-type]
    function.depth -= 1
    return False


def _fired(function: Expressions, clause: str) -> None:
    """Note that a clause counted."""
    if clause:
        function.line(f"{function.constants.name('fired', lambda rules: rules.fired)}.add({function.literal(clause)})")


# ------------------------------------------------------------------------------------------------ tables
def write_table(module: Module, name: str, made: str) -> None:
    """A table's function: the running total, line by line."""
    table = module.ruleset.tables[name]
    function = module.expressions([*_scope(table.params), ("total", "total")])
    function.line("total = 0")
    for line in table.lines:
        _line(module, function, line, name, table.params, None)
    function.line("return total")
    module.add(made, function, _params(table.params))


def _line(module: Module, function: Expressions, line: Line, table: str, params: Params, done: str | None, source: str = "") -> None:
    """One line; inside `one of`, `done` is the name that says whether some line has counted already."""
    if line.op == "one":
        done = function.fresh("done")
        function.line(f"{done} = False")
        for inner in line.inner:
            with function.block(f"if not {done}:"):
                _line(module, function, inner, table, params, done)
        return
    if line.slot:
        for e in extensions(module, "score", table, line.slot):
            if done:
                function.line(f"if not {done}:")
                function.depth += 1
            depth = each_bearer(module, function, e, params)
            if depth >= 0:
                for inner in e.lines:
                    if done:
                        function.line(f"if not {done}:")
                        function.depth += 1
                    _line(module, function, inner, table, params, done, e.clause)
                    function.depth -= 1 if done else 0
                close_bearer(function, depth)
            else:
                function.line("pass")
            function.depth -= 1 if done else 0
        return
    if line.each is not None:
        with function.loop(line.each[0], line.each[1], stable=True):
            _count(function, line, done, source or line.clause)
    else:
        _count(function, line, done, source or line.clause)


def _count(function: Expressions, line: Line, done: str | None, clause: str) -> None:
    depth = function.depth
    if line.cond is not None:
        function.line(f"if {function.test(line.cond)}:")
        function.depth += 1
    assert line.amount is not None
    amount = function.number(line.amount)
    if line.op in ("floor", "cap"):  # a bound counts only where it changes something
        amount = function.named(amount)
        function.line(f"if total {'<' if line.op == 'floor' else '>'} {amount}:")
        function.depth += 1
    function.line(_APPLY[line.op].format(t="total", n=amount))
    _fired(function, clause)
    if done:
        function.line(f"{done} = True")
    function.depth = depth


# ------------------------------------------------------------------------------------------------ requirements
def write_accepts(module: Module, event: str, asked: frozenset[int], made: str) -> None:
    """The test of an event's rules, cheap ones first: pure conditions hold or fail in whatever order they are asked."""
    known = module.ruleset.events[event]
    function = module.expressions(_scope(known.params))
    for i, (_, t) in enumerate(known.params):
        if isinstance(t, PieceT):
            function.line(f"if p{i} is None: return False")
            function.sure.add(known.params[i][0])
    left = [rule for i, rule in enumerate(known.rules) if i not in asked]
    for rule in sorted(left, key=lambda r: 1_000_000 if r.slot else cost(module.ruleset, (r.cond, r.need))):
        _require(module, function, rule, event, known.params)
    if module.ruleset.invariants:
        function.line(f"return not {module.constants.name('broken', lambda rules: rules.broken)}(s, {event!r}, ({', '.join([*_params(known.params), ''])}))")
    else:
        function.line("return True")
    module.add(made, function, _params(known.params))


def _require(module: Module, function: Expressions, rule: Rule, event: str, params: Params) -> None:
    if rule.slot:
        for e in extensions(module, "rules", event, rule.slot):
            depth = each_bearer(module, function, e, params)
            if depth < 0:
                continue
            for inner in e.rules:
                _judge(function, inner, e.clause)
            close_bearer(function, depth)
    else:
        _judge(function, rule, "")


def _judge(function: Expressions, rule: Rule, source: str) -> None:
    assert rule.need is not None
    depth = function.depth
    if rule.cond is not None:
        function.line(f"if {function.test(rule.cond)}:")
        function.depth += 1
    if source:
        function.line(f"if not {function.test(rule.need)}:")
        function.depth += 1
        _fired(function, source)
        function.line("return False")
    else:
        function.guard(rule.need, "return False")
        function.line("pass")
    function.depth = depth


def write_refusals(module: Module, event: str, made: str) -> None:
    """The clauses of an event's rules that fail, all of them, in the order of the rules."""
    known = module.ruleset.events[event]
    function = module.expressions(_scope(known.params))
    pieces = [f"p{i}" for i, (_, t) in enumerate(known.params) if isinstance(t, PieceT)]
    if pieces:
        function.line(f"if {' or '.join(f'{p} is None' for p in pieces)}: return [{function.literal(known.clause)}]")
    function.line("found = []")
    for rule in known.rules:
        if rule.slot:
            for e in extensions(module, "rules", event, rule.slot):
                depth = each_bearer(module, function, e, known.params)
                if depth < 0:
                    continue
                for inner in e.rules:
                    _refusal(function, inner, e.clause)
                close_bearer(function, depth)
        else:
            _refusal(function, rule, rule.clause)
    function.line("return found")
    module.add(made, function, _params(known.params))


def _refusal(function: Expressions, rule: Rule, clause: str) -> None:
    assert rule.need is not None
    depth = function.depth
    if rule.cond is not None:
        function.line(f"if {function.test(rule.cond)}:")
        function.depth += 1
    function.line(f"if not {function.test(rule.need)}:")
    function.depth += 1
    function.line(f"found.append({function.literal(clause)})")
    function.depth = depth
