"""From statement to clause to scenario and back: a clause is exercised if, taken away, a scenario that cites its statement fails."""
from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from interpreter.loading import Loaded
from interpreter.scenario import Runner
from rulelang.ruleset import Clause


@dataclass
class Coverage:
    """How much of a rulebook is encoded and exercised; lists name statements in the rulebook's order."""

    statements: int = 0
    mechanical: int = 0
    encoded: int = 0
    exercised: int = 0
    by_absence: int = 0
    uncited_clauses: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    not_exercised: list[str] = field(default_factory=list)
    failing: list[str] = field(default_factory=list)
    clauses: dict[str, list[str]] = field(default_factory=dict)
    scenarios: dict[str, list[str]] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The counts as plain data."""
        return {
            "statements": self.statements, "mechanical": self.mechanical, "encoded": self.encoded, "exercised": self.exercised,
            "by_absence": self.by_absence, "uncited_clauses": self.uncited_clauses, "missing": self.missing,
            "not_exercised": self.not_exercised, "failing": self.failing,
        }  # fmt: skip


def coverage(loaded: Loaded, progress: Callable[[int, int], None] | None = None) -> Coverage:
    """Run all scenarios once, then again without each cited clause: only those scenarios that cite its statement and looked at it."""
    rules = loaded.compiled.rules
    found = Coverage(statements=len([s for s in loaded.statements.values() if not s.id.startswith("OQ")]))
    mechanical = [s.id for s in loaded.statements.values() if s.mechanical]
    found.mechanical = len(mechanical)
    outcomes = {o.name: o for o in (Runner(loaded, record=True).run(s) for s in rules.scenarios)}
    found.failing = [name for name, o in outcomes.items() if not o.passed]
    by_statement: dict[str, list[Clause]] = {}
    for clause in rules.clauses.values():
        for cite in clause.cites:
            by_statement.setdefault(cite, []).append(clause)
    citing: dict[str, list[str]] = {}
    for name, outcome in outcomes.items():
        for cite in outcome.cites:
            citing.setdefault(cite, []).append(name)
    decided: dict[tuple[str, str], bool] = {}
    removed: dict[str, Runner] = {}
    for number, statement in enumerate(mechanical, 1):
        if progress is not None:
            progress(number, len(mechanical))
        clauses = by_statement.get(statement, [])
        names = [n for n in citing.get(statement, []) if outcomes[n].passed]
        found.clauses[statement] = [c.id for c in clauses]
        found.scenarios[statement] = names
        if clauses:
            found.encoded += 1
            if any(_exercises(loaded, clause, name, outcomes[name].touched, decided, removed) for clause in clauses for name in names):
                found.exercised += 1
            else:
                found.not_exercised.append(statement)
        elif names:
            found.encoded += 1
            found.exercised += 1
            found.by_absence += 1
        else:
            found.missing.append(statement)
    kinds = ("line", "rule", "sentence", "case", "action", "end", "event", "row", "place", "board", "define", "score")
    found.uncited_clauses = [c.id for c in rules.clauses.values() if c.kind in kinds and not c.cites and not _inside_cited(rules.clauses, c)]
    return found


def _inside_cited(clauses: dict[str, Clause], clause: Clause) -> bool:
    """A definition's only case, or a define whose cases are cited, needs no citation of its own."""
    return any(other.cites and other.owner == clause.owner for other in clauses.values())


# kinds of clauses that play does not look at by name: whether they matter is found by taking them away
_UNWATCHED = ("row", "card", "pieces", "component", "kind", "group", "game", "board", "place", "state", "flow", "step")


def _exercises(
    loaded: Loaded, clause: Clause, name: str, touched: frozenset[str], decided: dict[tuple[str, str], bool], removed: dict[str, Runner]
) -> bool:
    """Does this scenario fail without this clause?"""
    key = (clause.id, name)
    if key not in decided:
        if clause.id not in touched and clause.kind not in _UNWATCHED:
            decided[key] = False
        else:
            runner = removed.get(clause.id)
            if runner is None:
                runner = removed[clause.id] = Runner(without_clause(loaded, clause), frozenset({clause.id}))
            scenario = next(s for s in loaded.compiled.rules.scenarios if s.name == name)
            decided[key] = not runner.run(scenario).passed
    return decided[key]


def without_clause(loaded: Loaded, clause: Clause) -> Loaded:
    """The same ruleset; a printed piece is taken out of the box, everything else is taken away while running."""
    if clause.kind not in ("row", "card", "pieces", "component"):
        return loaded
    made = copy(loaded)
    made.compiled = copy(loaded.compiled)
    made.compiled.rules = copy(loaded.compiled.rules)
    component = clause.owner.removeprefix("component ")
    keep = [
        d for d in loaded.compiled.rules.designs
        if not (d.clause == clause.id or (clause.kind in ("pieces", "component") and d.component == component))
    ]  # fmt: skip
    made.compiled.rules.designs = keep
    return made
