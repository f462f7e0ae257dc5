"""What statements that a card brings come to, run once in a position: the first member of each
choice is taken, and how much there was to choose from is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from interpreter.engine.clauses import Rules
from interpreter.engine.events import Effects
from interpreter.model.position import Position
from interpreter.model.values import Fault
from rulelang import core
from rulelang.core.values import Value, ordered
from rulelang.diagnostics.english import spoken

MOST_ROUNDS = 20  # of a repetition
MOST_DEEP = 6  # procedures within each other

Scope = dict[str, Value]


class Judge(Protocol):
    """By which rules it is run."""

    @property
    def rules(self) -> Rules:
        """What judges."""

    @property
    def effects(self) -> Effects:
        """What carries events out by these rules."""


def run(judge: Judge, s: Position, body: core.Body, env: Scope) -> list[str]:
    """Change a position by these statements; gives what was asked and refused on the way.

    Raises Fault where procedures lie deeper within each other than `MOST_DEEP`.
    """
    return list(_Run(judge, s).body(body, env, 0))


class _Run:
    """One run in a position."""

    def __init__(self, judge: Judge, s: Position) -> None:
        self.rules, self.effects, self.s = judge.rules, judge.effects, s

    def body(self, body: core.Body, env: Scope, deep: int) -> Iterator[str]:
        """The statements one after the other; what they name is in scope for the rest."""
        if deep > MOST_DEEP:
            raise Fault("it does procedures too deep within each other")
        for stmt in body:
            yield from self.step(stmt, env, deep)

    def step(self, stmt: core.Stmt, env: Scope, deep: int) -> Iterator[str]:
        """One statement."""
        match stmt:
            case core.Let():
                env[stmt.var] = self.rules.value(stmt.value, self.s, env)
            case core.If():
                then = self.rules.holds(self.s, stmt.cond, env)
                yield from self.body(stmt.then if then else stmt.other, dict(env), deep)
            case core.ForEach():
                for item in ordered(self.rules.members(stmt.domain, self.s, env)):
                    yield from self.body(stmt.body, {**env, stmt.var: item}, deep)
            case core.Each():
                for player in range(self.s.setup.players):
                    yield from self.body(stmt.body, {**env, stmt.var: player}, deep)
            case core.Repeat():
                yield from self.repeat(stmt, env, deep)
            case core.Choose():
                yield self.choose(stmt, env)
            case core.May():
                yield "it may be left out"
                yield from self.body(stmt.body, dict(env), deep)
            case core.Take():
                yield f"one of {', '.join(stmt.actions)}"
            case core.Maximize():
                yield from self.body(stmt.body, env, deep)
            case core.Do():
                yield from self.do(stmt, env, deep)
            case core.Give() | core.Finish():
                yield spoken(type(stmt).__name__.lower())
            case _:
                self.effects.perform_statement(self.s, env, stmt)

    def repeat(self, stmt: core.Repeat, env: Scope, deep: int) -> Iterator[str]:
        """So many times, or while a condition holds."""
        if stmt.times is not None:
            times = min(self.rules.number(stmt.times, self.s, env), MOST_ROUNDS)
            yield f"{times} times"
        else:
            times = MOST_ROUNDS
        for _ in range(times):
            if stmt.cond is not None and not self.rules.holds(self.s, stmt.cond, env):
                return
            yield from self.body(stmt.body, dict(env), deep)

    def choose(self, stmt: core.Choose, env: Scope) -> str:
        """Take the first of what may be chosen, and say among how many."""
        there = [
            item
            for item in ordered(self.rules.members(stmt.domain, self.s, env))
            if self.rules.holds(self.s, stmt.cond, {**env, stmt.var: item})
        ]
        if stmt.mode == "one":
            if not there:
                raise Fault("there is nothing to choose")
            env[stmt.var] = there[0]
            return f"a choice among {len(there)}"
        if stmt.mode == "order":
            env[stmt.var] = tuple(there)
            return f"an order of {len(there)}"
        number, size = self.rules.number, len(there)
        low = number(stmt.low, self.s, env) if stmt.low is not None else 0
        high = min(size, number(stmt.high, self.s, env) if stmt.high is not None else size)
        env[stmt.var] = frozenset(there[:high])
        return f"a choice of {low} to {high} among {size}"

    def do(self, stmt: core.Do, env: Scope, deep: int) -> Iterator[str]:
        """An event, if it is not refused, or a procedure."""
        values = tuple(self.rules.value(arg, self.s, env) for arg in stmt.args)
        procedure = self.s.setup.rules.procedures.get(stmt.target)
        if procedure is not None:
            inner = dict(zip([name for name, _ in procedure.params], values, strict=True))
            yield from self.body(procedure.body, inner, deep + 1)
        elif self.rules.accepts(self.s, stmt.target, values):
            yield f"{spoken(stmt.target)} {values}"
            self.effects.perform(self.s, stmt.target, values)
        else:
            yield f"{spoken(stmt.target)} is refused"
