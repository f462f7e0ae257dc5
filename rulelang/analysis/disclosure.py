"""Statements that show what is not public by what they do: whether a branch is taken, a player asked, a variable set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rulelang import core
from rulelang.analysis.hidden_information import NOBODY, hidden_reads
from rulelang.elaborate.type_checker import TRUE
from rulelang.ruleset import Ruleset

Env = dict[str, Any]


class Disclosures:
    """The statements of a ruleset that go by hidden or private things, each with what it reads them in."""

    def __init__(self, rules: Ruleset) -> None:
        """They are found once; most rulesets have few."""
        self.rules = rules
        self.secret: dict[int, tuple[core.Stmt, tuple[core.Expr, ...]]] = {}
        self.known: dict[tuple[int, str], bool] = {}
        for stmt in _all(_bodies(rules)):
            reading = tuple(expr for expr in _deciding(stmt) if self._reads(expr, NOBODY))
            if reading:
                self.secret[id(stmt)] = (stmt, reading)

    def shows(self, stmt: core.Stmt, env: Env, actor: int | None) -> bool:
        """Does carrying it out show what he who chose last may not know? What is private to himself he knows."""
        found = self.secret.get(id(stmt))
        if found is None:
            return False
        return not any(
            value == actor and self._own(stmt, found[1], name)
            for name, value in env.items()
            if isinstance(value, int)
        )

    def _own(self, stmt: core.Stmt, reading: tuple[core.Expr, ...], name: str) -> bool:
        key = (id(stmt), name)
        if key not in self.known:
            self.known[key] = not any(self._reads(expr, core.Var(name)) for expr in reading)
        return self.known[key]

    def _reads(self, expr: core.Expr, by: core.Expr) -> bool:
        return any(True for _ in hidden_reads(self.rules, expr, by))


def _bodies(rules: Ruleset) -> Iterator[core.Body]:
    yield rules.flow
    yield from (procedure.body for procedure in rules.procedures.values())
    yield from (event.body for event in rules.events.values())
    yield from (reaction.body for reaction in rules.reactions)
    yield from (latch.body for latch in rules.latches)
    for extension in rules.extensions:
        if extension.reaction is not None:
            yield extension.reaction.body


def _all(bodies: Iterable[core.Body]) -> Iterator[core.Stmt]:
    for body in bodies:
        for stmt in body:
            yield stmt
            yield from _all(getattr(stmt, name, ()) for name in ("then", "other", "body"))


def _deciding(stmt: core.Stmt) -> Iterator[core.Expr]:
    """What decides whether and how a statement is carried out, or what it names and sets for all to see."""
    if isinstance(stmt, core.If):
        yield stmt.cond
    elif isinstance(stmt, core.Repeat):
        yield from (expr for expr in (stmt.cond, stmt.times) if expr is not None)
    elif isinstance(stmt, core.Let | core.Assign):
        yield stmt.value
    elif isinstance(stmt, core.ForEach):
        yield stmt.domain
    elif isinstance(stmt, core.Choose) and stmt.mode != "one":
        yield from _asking(stmt)


def _asking(stmt: core.Choose) -> Iterator[core.Expr]:
    """What decides whether a choice of several is asked for: if there is anything to choose from. How many lie in a place is always known."""
    if not isinstance(stmt.domain, core.Contents) or stmt.cond != TRUE:
        yield from (stmt.domain, stmt.cond)
    elif stmt.domain.index is not None:
        yield stmt.domain.index
