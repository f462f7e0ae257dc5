"""Attempts: events offered by what a player knows, and refused by what he does not.

In syntax an attempt is one statement; in the core it is three that every engine knows. First an
event of its own is proposed, which changes nothing and has those rules of the attempted event that
read only what its player may know: they say what is offered. Then, if the attempted event is
accepted by all its rules, it happens; otherwise what the author wrote for that case.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rulelang import core
from rulelang.core.types import PLAYER
from rulelang.core.visit import Node, rebuild
from rulelang.diagnostics import Report
from rulelang.diagnostics.english import spoken
from rulelang.elaborate.hidden_information import NOBODY, Reader, hidden_reads, reads_hidden
from rulelang.elaborate.placeholders import OFFER, Attempt
from rulelang.elaborate.type_checker import TRUE
from rulelang.ruleset import Event, Extension, Rule, Ruleset

AttemptMemo = dict[str, tuple[core.Body, bool]]  # of procedures, by name: has a body an attempt?


def enter_attempts(rules: Ruleset, report: Report, memo: AttemptMemo) -> None:
    """Put an offer, a question and an event in place of every attempt."""
    for procedure in list(rules.procedures.values()):
        known = memo.get(procedure.name)
        if known is None or known[0] is not procedure.body:
            known = memo[procedure.name] = procedure.body, _has_attempt(procedure.body)
        if known[1]:
            written = _Attempts(rules, report, procedure.body)
            rules.procedures[procedure.name] = replace(
                procedure, body=written.entered(procedure.body)
            )
    if _has_attempt(rules.flow):
        rules.flow = _Attempts(rules, report, rules.flow).entered(rules.flow)
    for number, e in enumerate(rules.extensions):
        if _has_attempt(e.body):
            written = _Attempts(rules, report, e.body)
            rules.extensions[number] = replace(e, body=written.entered(e.body))


def _has_attempt(body: core.Body) -> bool:
    return any(isinstance(part, Attempt) for part in core.walk(body))


class _Attempts:
    """Rewrites the attempts of one body."""

    def __init__(self, rules: Ruleset, report: Report, body: core.Body) -> None:
        """Where each name of the body was taken from is found once."""
        self.rules, self.report = rules, report
        self.taken_from: dict[str, core.Expr] = {}
        for part in core.walk(body):
            if isinstance(part, core.Let):
                self.taken_from[part.var] = part.value
            elif isinstance(part, core.Choose | core.ForEach):
                self.taken_from[part.var] = part.domain

    def entered(self, body: core.Body) -> core.Body:
        """The body without attempts."""
        found: list[core.Stmt] = []
        for stmt in self._inside(body):
            assert isinstance(stmt, core.Stmt)
            found += self._written(stmt) if isinstance(stmt, Attempt) else [stmt]
        return tuple(found)

    def _inside(self, body: tuple[Node, ...]) -> Iterator[Node]:
        def same(node: Node) -> Node:
            return node

        def inner(held: tuple[Node, ...]) -> tuple[Node, ...]:
            return self.entered(tuple(s for s in held if isinstance(s, core.Stmt)))

        return (rebuild(stmt, same, body=inner) for stmt in body)

    def _written(self, stmt: Attempt) -> list[core.Stmt]:
        """The offer, and whether the event follows it."""
        happens = core.Do(stmt.event, stmt.args, span=stmt.span)
        accepted = core.Accepts(stmt.event, stmt.args, type=TRUE.type)
        return [
            core.Do(self._offer(stmt), stmt.args, span=stmt.span, clause=stmt.clause),
            core.If(accepted, (happens,), stmt.refused, span=stmt.span),
        ]

    def _offer(self, stmt: Attempt) -> str:
        """The event by which an attempt is offered; it is made when it is first needed."""
        event = self.rules.events[stmt.event]
        own = [
            name for (name, _), arg in zip(event.params, stmt.args, strict=True) if arg == stmt.by
        ]
        secret = {
            name
            for (name, _), arg in zip(event.params, stmt.args, strict=True)
            if self._is_secret(arg, stmt.by)
        }
        known = _Known(self.rules, event, own, secret)
        name = f"{OFFER}{event.name}" + "".join(f" by {param}" for param in own)
        name += "".join(f" without {param}" for param in sorted(secret))
        if name not in self.rules.events:
            if known.is_all():
                self.report.add("needless-attempt", stmt.span, event=event.name)
            self.rules.events[name] = known.offer(name)
            self.rules.extensions += known.extensions(name)
        return name

    def _is_secret(self, value: core.Expr, by: core.Expr) -> bool:
        """May the player not know where a value comes from?"""
        if reads_hidden(self.rules, value, by):
            return True
        names = {part.name for part in core.walk(value) if isinstance(part, core.Var)}
        return any(
            self._is_secret(self.taken_from[name], by) for name in names if name in self.taken_from
        )


@dataclass(frozen=True)
class _Known:
    """The rules of an event that one of its players can judge himself.

    He goes by the names `own`; what the values of the names `secret` are he does not know.
    """

    rules: Ruleset
    event: Event
    own: list[str]
    secret: set[str]

    def is_all(self) -> bool:
        """Does he know all rules, and may no text of a card add another?"""
        rules = self.event.rules
        return not self.rules.invariants and all(
            rule.slot is None and self._judges(rule, self._by()) for rule in rules
        )

    def offer(self, name: str) -> Event:
        """An event that only has these rules, and changes nothing."""
        by = self._by()
        rules = tuple(r for r in self.event.rules if r.slot is not None or self._judges(r, by))
        values = ", ".join(f"{spoken(param)} {{{param}}}" for param, _ in self.event.params)
        said = self.event.reads or (f"{spoken(self.event.name)}: {values}",)
        reads = tuple(f"attempt: {text}" for text in said)
        return replace(
            self.event, name=name, rules=rules, body=(core.Let("nothing", TRUE),), reads=reads
        )

    def extensions(self, name: str) -> list[Extension]:
        """What cards add to these rules."""
        first = next((param for param, t in self.event.params if t == PLAYER), None)
        found = []
        for e in self.rules.extensions:
            if (e.kind, e.target) != ("rules", self.event.name):
                continue
            you = (core.Var("you"),) if e.lifetime == "played" and first in self.own else ()
            rules = tuple(rule for rule in e.rules if self._judges(rule, self._by(you)))
            if rules and not reads_hidden(self.rules, e.cond, self._by(you)):
                found.append(replace(e, target=name, rules=rules))
        return found

    def _by(self, more: tuple[core.Expr, ...] = ()) -> Reader:
        names: tuple[core.Expr, ...] = tuple(core.Var(param) for param in self.own)
        return (*names, *more) or NOBODY

    def _judges(self, rule: Rule, by: Reader) -> bool:
        named = {part.name for part in core.walk(rule) if isinstance(part, core.Var)}
        hidden = any(True for _ in hidden_reads(self.rules, (rule.need, rule.cond), by))
        return not hidden and not named & self.secret
