"""Definitions, tables and requirements as functions, with what cards add to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.generated.additions import (
    additions,
    params_of,
    scope_of,
)
from rulelang.core.types import PieceT
from rulelang.core.values import nothing_of
from rulelang.ruleset import Extension, Line, Params, Rule

if TYPE_CHECKING:
    from interpreter.generated.module import Module
    from interpreter.generated.sets import Expressions

_APPLY = {
    "start": "{n}",
    "+": "total + {n}",
    "-": "total - {n}",
    "times": "total * {n}",
    "exactly": "{n}",
    "floor": "{n}",
    "cap": "{n}",
}
_GROWING = ("+", "-", "times")  # what may pass the bound on numbers


# ------------------------------------------------------------------------------------------------ definitions
def write_definition(module: Module, name: str, made: str) -> None:
    """A definition's function; a costly one keeps what it found until something it reads changes."""
    known = module.ruleset.definitions[name]
    function = module.expressions(scope_of(known.params))
    for case in known.cases:
        if case.slot:
            additions(module, function, ("define", name, case.slot), known.params, "", _add_cases)
        elif _case(function, case.cond, case.value):
            break
    else:
        function.line(f"return {function.literal(nothing_of(known.type))}")
    params = params_of(known.params)
    if not module.is_kept(name):
        module.add(made, function, params)
        return
    module.add(f"{made}_", function, params)
    module.keep(
        made, f"{made}_", params, module.reads.of("define", name), finite=module.is_finite(name)
    )


def _add_cases(function: Expressions, e: Extension) -> None:
    for inner in e.cases:
        _case(function, inner.cond, inner.value, e.clause)


def _case(function: Expressions, cond: object, value: object, source: str = "") -> bool:
    """A case; says whether it holds always."""
    if cond is None:
        _fired(function, source)
        function.line(f"return {function.gen(value)}")  # type: ignore[arg-type]  # it is an expression
        return True
    function.line(f"if {function.test(cond)}:")  # type: ignore[arg-type]  # it is an expression
    function.depth += 1
    _fired(function, source)
    function.line(f"return {function.gen(value)}")  # type: ignore[arg-type]  # it is an expression
    function.depth -= 1
    return False


def _fired(function: Expressions, clause: str) -> None:
    """Note that a clause counted."""
    if clause:
        function.line(
            f"{function.constants.name('fired', lambda rules: rules.fired)}.add({function.literal(clause)})"
        )


# ------------------------------------------------------------------------------------------------ tables
def write_table(module: Module, name: str, made: str) -> None:
    """A table's function: the running total, line by line."""
    table = module.ruleset.tables[name]
    function = module.expressions([*scope_of(table.params), ("total", "total")])
    function.line("total = 0")
    for line in table.lines:
        _line(module, function, line, name, table.params, None)
    function.line("return total")
    module.add(made, function, params_of(table.params))


def _line(
    module: Module,
    function: Expressions,
    line: Line,
    table: str,
    params: Params,
    done: str | None,
    source: str = "",
) -> None:
    """One line; inside `one of`, `done` is the name that says whether some line has counted already."""
    if line.op == "one":
        done = function.fresh("done")
        function.line(f"{done} = False")
        for inner in line.inner:
            with function.block(f"if not {done}:"):
                _line(module, function, inner, table, params, done)
        return
    if line.slot:

        def add(f: Expressions, e: Extension) -> None:
            for inner in e.lines:
                depth = f.depth
                if done:
                    f.line(f"if not {done}:")
                    f.depth += 1
                _line(module, f, inner, table, params, done, e.clause)
                f.depth = depth

        carried = f"total, {done}" if done else "total"
        additions(module, function, ("score", table, line.slot), params, carried, add)
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
    made = _APPLY[line.op].format(n=amount)
    function.line(f"total = {function.bounded(made) if line.op in _GROWING else made}")
    _fired(function, clause)
    if done:
        function.line(f"{done} = True")
    function.depth = depth


# ------------------------------------------------------------------------------------------------ requirements
def write_accepts(module: Module, event: str, asked: frozenset[int], made: str) -> None:
    """The test of an event's rules, cheap ones first: pure conditions hold or fail in whatever order they are asked."""
    known = module.ruleset.events[event]
    function = module.expressions(scope_of(known.params))
    for i, (_, t) in enumerate(known.params):
        if isinstance(t, PieceT):
            function.line(f"if p{i} is None: return False")
            function.sure.add(known.params[i][0])
    left = [rule for i, rule in enumerate(known.rules) if i not in asked]
    for rule in sorted(left, key=lambda r: (bool(r.slot), module.work((r.cond, r.need)))):
        _require(module, function, rule, event, known.params)
    if module.reads.invariants:
        function.line(
            f"return not {module.constants.name('broken', lambda rules: rules.broken)}(s, {event!r}, ({', '.join([*params_of(known.params), ''])}))"
        )
    else:
        function.line("return True")
    module.add(made, function, params_of(known.params))


def _require(module: Module, function: Expressions, rule: Rule, event: str, params: Params) -> None:
    if rule.slot:
        additions(module, function, ("rules", event, rule.slot), params, "", _add_rules)
    else:
        _judge(function, rule, "")


def _add_rules(function: Expressions, e: Extension) -> None:
    for inner in e.rules:
        _judge(function, inner, e.clause)


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
