"""From statement to clause to scenario and back: a clause is exercised if, taken away, a scenario
that cites its statement fails.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field, replace

from interpreter.game.loading import Loaded, overlay
from interpreter.scenarios.scenario import Runner, variants_of
from rulelang.core.values import Json
from rulelang.english import FOLDER, UNIT
from rulelang.ruleset import Clause, Scenario
from rulelang.syntax.nodes import Node


@dataclass
class Coverage:
    """How much of a rulebook is encoded and exercised; lists name statements in the rulebook's
    order.
    """

    statements: int = 0
    mechanical: int = 0
    encoded: int = 0
    exercised: int = 0
    by_absence: int = 0
    uncited_clauses: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    not_exercised: list[str] = field(default_factory=list)
    failing: list[str] = field(default_factory=list)
    clauses: dict[str, list[Clause]] = field(default_factory=dict)
    scenarios: dict[str, list[str]] = field(default_factory=dict)

    def count(self, statement: str, exercised: bool, by_absence: bool) -> None:
        """Count a statement that is encoded, be it by what no clause says."""
        self.encoded += 1
        self.exercised += exercised
        self.by_absence += by_absence
        if not exercised:
            self.not_exercised.append(statement)

    def as_json(self) -> dict[str, Json]:
        """The counts as plain data."""
        return {
            "statements": self.statements,
            "mechanical": self.mechanical,
            "encoded": self.encoded,
            "exercised": self.exercised,
            "by_absence": self.by_absence,
            "uncited_clauses": self.uncited_clauses,
            "missing": self.missing,
            "not_exercised": self.not_exercised,
            "failing": self.failing,
        }


def coverage(
    loaded: Loaded, progress: Callable[[int, int], None] | None = None, only: str | None = None
) -> Coverage:
    """Run all scenarios once, then again without each cited clause: only those scenarios that cite
    its statement and looked at it.

    A scenario played with variants is held against the clauses there are under them. `only` asks
    about a single statement, whatever it counts for.
    """
    asked = [s for s in loaded.compiled.rules.scenarios if only is None or only in s.cites]
    mechanical = _mechanical(loaded) if only is None else [only]
    runner = Runner(loaded, record=True)
    outcomes = {o.name: o for o in map(runner.run, asked)}
    trials = _Trials(loaded, runner.overlaid)
    found = Coverage(
        statements=sum(not name.startswith("OQ") for name in loaded.statements),
        mechanical=len(mechanical),
        failing=[name for name, o in outcomes.items() if not o.passed],
    )
    for number, statement in enumerate(mechanical, 1):
        if progress is not None:
            progress(number, len(mechanical))
        passed = [s for s in asked if statement in s.cites and outcomes[s.name].passed]
        _judge(found, trials, statement, [(s, outcomes[s.name].touched) for s in passed])
    found.uncited_clauses = trials.uncited()
    return found


def _judge(
    found: Coverage,
    trials: _Trials,
    statement: str,
    citing: list[tuple[Scenario, frozenset[str]]],
) -> None:
    """Whether a statement is encoded and exercised, by scenarios and the clauses they looked at."""
    clauses = found.clauses[statement] = trials.citing(statement)
    found.scenarios[statement] = [scenario.name for scenario, _ in citing]
    if not clauses and not citing:
        found.missing.append(statement)
        return
    exercised = not clauses or any(trials.exercise(statement, s, seen) for s, seen in citing)
    found.count(statement, exercised, by_absence=not clauses)


def _mechanical(loaded: Loaded) -> list[str]:
    """The statements that count for coverage."""
    return [s.id for s in loaded.statements.values() if s.mechanical]


def _inside_cited(clauses: dict[str, Clause], clause: Clause) -> bool:
    """A definition's only case, or a define whose cases are cited, needs no citation of its own."""
    return any(other.cites and other.owner == clause.owner for other in clauses.values())


# kinds of clauses that play does not look at by name: whether they matter is found by taking them
# away
_UNWATCHED = (
    "row",
    "card",
    "pieces",
    "component",
    "kind",
    "group",
    "game",
    "board",
    "place",
    "state",
    "flow",
    "step",
    "variant",
)
_PRINTED = ("row", "card", "pieces", "component")
_TOLD = (
    "line",
    "rule",
    "sentence",
    "case",
    "action",
    "end",
    "event",
    "row",
    "place",
    "board",
    "define",
    "score",
)


class _Trials:
    """Scenarios run again without one clause; what does not change by that is compiled once."""

    def __init__(self, loaded: Loaded, overlaid: dict[tuple[str, ...], Loaded]) -> None:
        """`overlaid` is the ruleset under the variants that scenarios are played with; a variant no
        scenario is played with counts by itself.
        """
        played = {name for variants in overlaid for name in variants}
        alone: dict[tuple[str, ...], Loaded] = {
            (name,): overlay(loaded, (name,))
            for name in loaded.compiled.rules.variants
            if name not in played
        }
        self.loaded = loaded
        self.under: dict[tuple[str, ...], Loaded] = {(): loaded, **overlaid, **alone}
        self.decided: dict[tuple[str, str], bool] = {}
        self.runners: dict[tuple[str, tuple[str, ...]], Runner] = {}

    def citing(self, statement: str) -> list[Clause]:
        """The clauses that cite a statement, under whatever variants."""
        return list(
            dict.fromkeys(
                c
                for made in self.under.values()
                for c in made.compiled.rules.clauses.values()
                if statement in c.cites
            )
        )

    def uncited(self) -> list[str]:
        """The clauses that cite nothing and whose definition or table cites nothing either.

        What a card says, its pattern cites; wordings that all games share cite no rulebook, nor do
        those that are made for the units of openings.
        """
        found: dict[str, None] = {}
        for made in self.under.values():
            clauses = made.compiled.rules.clauses
            said = {
                e.clause
                for e in made.compiled.rules.extensions
                if e.pattern in clauses and clauses[e.pattern].cites
            }
            found |= {
                c.id: None
                for c in clauses.values()
                if c.kind in _TOLD
                and not c.cites
                and not c.span.file.startswith(FOLDER)
                and UNIT not in c.id
                and c.id not in said
                and not _inside_cited(clauses, c)
            }
        return list(found)

    def exercise(self, statement: str, scenario: Scenario, touched: frozenset[str]) -> bool:
        """Does this scenario fail without some clause that cites the statement?"""
        variants = variants_of(scenario)
        if variants not in self.under:  # it is not played, and expects just that
            self.under[variants] = overlay(self.loaded, variants)
        clauses = self.under[variants].compiled.rules.clauses.values()
        return any(
            self.fails(clause, scenario, touched) for clause in clauses if statement in clause.cites
        )

    def fails(self, clause: Clause, scenario: Scenario, touched: frozenset[str]) -> bool:
        """Does this scenario fail without this clause?"""
        key = (clause.id, scenario.name)
        if key not in self.decided:
            looked_at = clause.id in touched or clause.kind in _UNWATCHED
            self.decided[key] = (
                looked_at and not self.runner(clause, variants_of(scenario)).run(scenario).passed
            )
        return self.decided[key]

    def runner(self, clause: Clause, variants: tuple[str, ...]) -> Runner:
        """What runs scenarios with these variants and without this clause."""
        if clause.kind not in (*_PRINTED, "variant"):
            variants = ()  # it is taken away while running, whatever the variants
        key = (clause.id, variants)
        if key not in self.runners:
            overlaid = {name: made for name, made in self.under.items() if name}
            if variants:
                overlaid[variants] = without_clause(self.under[variants], clause, variants)
            self.runners[key] = Runner(
                without_clause(self.loaded, clause, ()), frozenset({clause.id}), overlaid=overlaid
            )
        return self.runners[key]


def without_clause(loaded: Loaded, clause: Clause, variants: tuple[str, ...]) -> Loaded:
    """The same ruleset; a printed piece is taken out of the box, a variant changes nothing,
    everything else is taken away while running.
    """
    if clause.kind == "variant" and clause.owner.removeprefix("variant ") in variants:
        emptied = [
            _empty(node)
            if node.kind == "variant" and f"variant {node.part(0).text}" == clause.owner
            else node
            for node in loaded.nodes
        ]
        return overlay(replace(loaded, nodes=tuple(emptied)), variants)
    if clause.kind not in _PRINTED:
        return loaded
    made = replace(loaded, compiled=copy(loaded.compiled))
    made.compiled.rules = copy(loaded.compiled.rules)
    component = clause.owner.removeprefix("component ")
    keep = [
        d
        for d in loaded.compiled.rules.designs
        if not (
            d.clause == clause.id
            or (clause.kind in ("pieces", "component") and d.component == component)
        )
    ]
    made.compiled.rules.designs = keep
    return made


def _empty(variant: Node) -> Node:
    """A variant of this name that changes nothing."""
    return replace(
        variant,
        parts=tuple(
            part
            for part in variant.parts
            if part is None or part.kind in ("NAME", "STRING", "CITE")
        ),
    )
