"""The ways in which a clause is broken, one at a time: comparison, number, connective, who, when,
order, a line gone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar, cast

from interpreter.proofs.card_operators import fields_asked, rows_broken
from rulelang import core
from rulelang.analysis.specialize import nothing_at_all
from rulelang.core.renaming import same_but_fresh_names
from rulelang.core.types import NUMBER, PLAYER, TRUTH
from rulelang.ruleset import (
    Case,
    Definition,
    Design,
    Ending,
    Event,
    Extension,
    Latch,
    Line,
    Procedure,
    RankLine,
    Reaction,
    Rule,
    Ruleset,
)
from rulelang.ruleset.normalize import normal_record

Clausal = Rule | Line | Case | Ending | RankLine | Procedure | Event | Reaction | Latch | Extension
Breakable = Clausal | Design

C = TypeVar(
    "C", Rule, Line, Case, Ending, RankLine, Procedure, Event, Reaction, Latch, Extension, Design
)

_OTHER = {">=": ">", ">": ">=", "<=": "<", "<": "<=", "=": "!=", "!=": "="}


@dataclass(frozen=True)
class Mutant:
    """A clause broken in one way: the record as it was, and as it is then (none: it is gone)."""

    clause: str
    way: str
    old: Breakable
    new: Breakable | None

    @property
    def is_equivalent(self) -> bool:
        """Does it say the same in canonical form?"""
        if self.new is None or isinstance(self.new, Design) or isinstance(self.old, Design):
            return self.new == self.old
        return normal_record(self.new) == normal_record(self.old)


def mutants(rules: Ruleset) -> Iterator[Mutant]:
    """Every clause of the rules (not of cards) broken in every way, in a fixed order."""
    for record in _records(rules):
        if not record.clause:
            continue
        for way, new in _broken(record):
            yield Mutant(record.clause, way, record, new)


def card_mutants(rules: Ruleset) -> Iterator[Mutant]:
    """Every card broken in every way: what is printed on it, and what its sentences say."""
    asked = fields_asked(rules)
    for design in rules.designs:
        if not design.title:
            continue
        for way, new in rows_broken(design, rules, asked):
            yield Mutant(design.clause, way, design, new)
        for extension in rules.extensions:
            if extension.clause.startswith(f"{design.clause}/"):
                for way, said in _broken(extension):
                    yield Mutant(extension.clause, way, extension, said)


def _records(rules: Ruleset) -> Iterator[Clausal]:
    for event in rules.events.values():
        yield event
        yield from (rule for rule in event.rules if rule.slot is None)
    for table in rules.tables.values():
        for line in table.lines:
            yield from (made for made in (line, *line.inner) if made.slot is None)
    for known in rules.definitions.values():
        yield from (case for case in known.cases if case.slot is None)
    yield from rules.endings
    yield from rules.ranks
    yield from rules.procedures.values()
    yield from rules.reactions
    yield from rules.latches


def _broken(record: Clausal) -> Iterator[tuple[str, Clausal | None]]:
    """The record broken in every way that fits it."""
    if isinstance(record, Rule | Line | Case | Ending | RankLine | Reaction):
        yield "a line gone", None
    if isinstance(record, Extension):
        yield "a sentence gone", None
    if isinstance(record, Rule | Line | Case | RankLine | Reaction) and record.cond is not None:
        yield "when: always", replace(record, cond=None)
        yield "when: the contrary", replace(record, cond=core.Not(record.cond, type=TRUTH))
    if isinstance(record, RankLine):
        yield "order: the other way round", replace(record, largest=not record.largest)
    inside = replace(record, rules=()) if isinstance(record, Event) else record
    for node in core.walk(inside):
        if node is inside or (isinstance(record, Line) and isinstance(node, Line)):
            continue
        for way, new in _ways(node):
            yield way, _with(record, node, new)
    if isinstance(record, Event | Procedure | Reaction | Latch):
        yield from _steps_broken(record)


def _steps_broken(record: Event | Procedure | Reaction | Latch) -> Iterator[tuple[str, Clausal]]:
    """The record without a step, and with two steps the other way round."""
    body = record.body
    for number in range(len(body)):
        rest = (*body[:number], *body[number + 1 :])
        yield f"a line gone: step {number + 1}", _doing(record, rest)
        if number and not _binds(body[number - 1]):
            turned = (*body[: number - 1], body[number], body[number - 1], *body[number + 1 :])
            yield f"order: step {number + 1} first", _doing(record, turned)


def _doing(record: Clausal, body: core.Body) -> Clausal:
    """The record with another body."""
    return core.rebuild(record, lambda node: node, body=lambda _: body)


def _binds(stmt: core.Node) -> bool:
    return bool(core.bound_names(stmt))


def _ways(node: core.Node) -> Iterator[tuple[str, core.Node]]:
    """A node of an expression broken in every way that fits it."""
    match node:
        case core.Compare():
            yield f"comparison: {_OTHER[node.op]}", replace(node, op=_OTHER[node.op])
        case core.Const(value=int() as value) if node.type == NUMBER and not isinstance(
            value, bool
        ):
            yield f"number: {value + 1}", replace(node, value=value + 1)
        case core.All() if len(node.of) > 1:
            yield "connective: or", core.Any(node.of, type=TRUTH)
        case core.Any() if len(node.of) > 1:
            yield "connective: and", core.All(node.of, type=TRUTH)
        case core.Exists():
            yield "connective: every", core.Forall(node.var, node.domain, node.cond, type=TRUTH)
        case core.Forall():
            yield "connective: some", core.Exists(node.var, node.domain, node.cond, type=TRUTH)
        case core.Choose() | core.May() | core.Take() if node.by is not None:
            yield "who: the first player", replace(node, by=core.Const(0, type=PLAYER))


def _with(record: Clausal, target: core.Node, new: core.Node) -> Clausal:
    """The record with one node, known by its identity, in place of another."""

    def change(node: core.Node) -> core.Node:
        return new if node is target else core.rebuild(node, change)

    return core.rebuild(record, change)


def broken(rules: Ruleset, mutant: Mutant) -> Ruleset:
    """The rules with the clause broken; the same object where they do not hold the clause so.

    Under variants they hold it with other names for what is bound in it.
    """
    found = [False]

    def one(record: Breakable) -> Iterator[Breakable]:
        if found[0] or record.clause != mutant.clause or not _says_the_same(record, mutant.old):
            yield record
            return
        found[0] = True
        made = mutant.new if record == mutant.old else _broken_likewise(record, mutant)
        if made is not None:
            yield made

    made = _replaced(rules, one)
    return made if found[0] else rules


def _says_the_same(record: Breakable, old: Breakable) -> bool:
    """Is it the clause that was broken, but for fresh names and, of an event, its rules?"""
    if record is old:
        return True
    if isinstance(record, Design) or isinstance(old, Design):
        return record == old
    if isinstance(record, Event) and isinstance(old, Event):
        record, old = replace(record, rules=()), replace(old, rules=())
    return same_but_fresh_names(record, old, spans=False)


def _broken_likewise(record: Breakable, mutant: Mutant) -> Breakable | None:
    """A record that says the same as one that was broken, broken in the same place and way."""
    if isinstance(record, Design) or isinstance(mutant.old, Design):
        return mutant.new
    ways = zip(_broken(mutant.old), _broken(record), strict=True)
    return next(theirs for (way, made), (_, theirs) in ways if (way, made) == _way_of(mutant))


def _way_of(mutant: Mutant) -> tuple[str, Breakable | None]:
    return mutant.way, mutant.new


def _giving_nothing(of: Definition) -> tuple[Case, ...]:
    """The cases of a definition of which no case is left: it gives what none holding gives."""
    return (Case(nothing_at_all(of.type), None, of.clause),) if of.cases else ()


def _replaced(rules: Ruleset, one: Callable[[Breakable], Iterator[Breakable]]) -> Ruleset:
    """The rules with each record as `one` gives it, if it gives any."""

    def some(records: Iterable[C]) -> list[C]:
        return [cast("C", made) for record in records for made in one(record)]

    def lines(of: Iterable[Line]) -> tuple[Line, ...]:
        return tuple(replace(m, inner=lines(m.inner)) if m.inner else m for m in some(of))

    def event(old: Event) -> Event:
        made = some([old])[0]
        return made if made is not old else replace(old, rules=tuple(some(old.rules)))

    return replace(
        rules,
        events={name: event(known) for name, known in rules.events.items()},
        tables={n: replace(t, lines=lines(t.lines)) for n, t in rules.tables.items()},
        definitions={
            n: replace(d, cases=tuple(some(d.cases)) or _giving_nothing(d))
            for n, d in rules.definitions.items()
        },
        procedures={name: some([known])[0] for name, known in rules.procedures.items()},
        endings=some(rules.endings),
        ranks=some(rules.ranks),
        reactions=some(rules.reactions),
        latches=some(rules.latches),
        extensions=some(rules.extensions),
        designs=some(rules.designs),
    )
