"""Score tables worked out line by line: which lines count, and what each does to the running total."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter.evaluator.expressions import Env
from interpreter.model.position import Position
from rulelang.core.values import ordered
from rulelang.ruleset import Line, Params

if TYPE_CHECKING:
    from interpreter.engine.clauses import Rules

Value = Any


@dataclass(frozen=True)
class Counted:
    """A line of a table that counted: what it did to the running total, and for which member if it counts for each."""

    op: str
    label: str
    amount: int
    clause: str
    total: int
    member: Value = None


@dataclass(frozen=True)
class Tally:
    """A table worked out: with which values, what it came to, and the lines that counted, in order."""

    table: str
    args: tuple[Value, ...]
    total: int
    lines: tuple[Counted, ...]


def tally(rules: Rules, s: Position, name: str, values: tuple[Value, ...]) -> Tally:
    """A table worked out line by line."""
    table = rules.setup.rules.tables[name]
    rules.touch(table.clause)
    env = dict(zip([p for p, _ in table.params], values, strict=True))
    env["total"] = 0
    used: list[Counted] = []
    for line in table.lines:
        _line(rules, s, line, env, used, name, table.params, values)
    return Tally(name, values, env["total"], tuple(used))


def _line(
    rules: Rules,
    s: Position,
    line: Line,
    env: Env,
    used: list[Counted],
    name: str,
    params: Params,
    values: tuple[Value, ...],
    source: str = "",
    alternatives: bool = False,
) -> bool:
    """Apply a line; says whether it counted."""
    func = rules.evaluator.func
    if line.op == "one":
        return any(
            _line(rules, s, inner, env, used, name, params, values, alternatives=True)
            for inner in line.inner
        )
    if line.slot:
        if rules.gone(line.clause):
            return False
        counted = False
        for extension, bound in rules.extensions(s, "score", name, line.slot, params, values):
            for inner in extension.lines:
                inner_env = {**env, **bound}
                if _line(rules, s, inner, inner_env, used, name, params, values, extension.clause):
                    counted = True
                env["total"] = inner_env["total"]
                if counted and alternatives:
                    return True
        return counted
    clause = source or line.clause
    if rules.gone(clause) or (source and rules.gone(line.clause)):
        return False
    members: list[Value] = [None] if line.each is None else ordered(func(line.each[1])(s, env))
    counted = False
    for member in members:
        if line.each is not None:
            env[line.each[0]] = member
        if line.cond is not None and not func(line.cond)(s, env):
            continue
        assert line.amount is not None
        amount = func(line.amount)(s, env)
        before = env["total"]
        env["total"] = _OPS[line.op](before, amount)
        if line.op in ("floor", "cap") and env["total"] == before:
            continue
        used.append(Counted(line.op, line.label, amount, clause, env["total"], member))
        rules.fired.add(clause)
        counted = True
    return counted


_OPS: dict[str, Callable[[int, int], int]] = {
    "start": lambda total, n: n,
    "+": lambda total, n: total + n,
    "-": lambda total, n: total - n,
    "times": lambda total, n: total * n,
    "exactly": lambda total, n: n,
    "floor": max,
    "cap": min,
}
