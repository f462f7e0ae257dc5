"""Checks of maps that are no grid: links are relations of points, and what is shown lies open."""

from __future__ import annotations

from rulelang import core
from rulelang.core.types import PLAYER, TRUTH, KindT, Type, element, non_optional
from rulelang.diagnostics import Report
from rulelang.elaborate.hidden_information import hidden_reads
from rulelang.ruleset import PointMap, Ruleset, State


def check_maps(rules: Ruleset, report: Report) -> None:
    """Report what a map cannot draw."""
    for point_map in rules.maps.values():
        for name in point_map.links:
            _check_link(rules, report, point_map, name)
        for name in point_map.shows:
            _check_shown(rules, report, point_map, name)


def _check_link(rules: Ruleset, report: Report, point_map: PointMap, name: str) -> None:
    known, kind = rules.definitions.get(name), point_map.kind
    types = [t for _, t in known.params] if known is not None else []
    if known is None or known.type != TRUTH or not _are_points(types, kind, 2):
        expected = f"a relation of two, as in `define {name}(x: {kind}, y: {kind}) = …`"
        _wrong(rules, report, point_map, "links", expected)
    elif any(True for _ in hidden_reads(rules, known.cases, core.Const(-1))):
        _hidden(rules, report, point_map, "links", name)


def _check_shown(rules: Ruleset, report: Report, point_map: PointMap, name: str) -> None:
    known, variable, kind = rules.definitions.get(name), rules.states.get(name), point_map.kind
    if variable is not None and is_drawn(variable, kind):
        if variable.visibility != "public":
            _hidden(rules, report, point_map, "shows", name)
    elif known is None or not _are_points([t for _, t in known.params], kind, 1):
        expected = (
            f"a variable that holds a {kind} or a set of them, one `of {kind}`, "
            f"or a definition of one {kind}"
        )
        _wrong(rules, report, point_map, "shows", expected)
    elif any(True for _ in hidden_reads(rules, known.cases, core.Const(-1))):
        _hidden(rules, report, point_map, "shows", name)


def is_drawn(variable: State, kind: str) -> bool:
    """Does a variable hold points, or something for each of them?"""
    held = non_optional(variable.type)
    inner = element(held) or held
    holds_points = isinstance(inner, KindT) and inner.name == kind
    return _is_point(variable.of, kind) or (holds_points and variable.of in (None, PLAYER))


def _is_point(t: Type | None, kind: str) -> bool:
    return isinstance(t, KindT) and t.name == kind


def _are_points(types: list[Type], kind: str, count: int) -> bool:
    return len(types) == count and all(_is_point(t, kind) for t in types)


def _wrong(rules: Ruleset, report: Report, point_map: PointMap, key: str, expected: str) -> None:
    clause = rules.clauses.get(f"{point_map.clause}/{key}") or rules.clauses[point_map.clause]
    report.add("bad-setting", clause.span, key=key, expected=expected)


def _hidden(rules: Ruleset, report: Report, point_map: PointMap, key: str, name: str) -> None:
    clause = rules.clauses.get(f"{point_map.clause}/{key}") or rules.clauses[point_map.clause]
    report.add("hidden-knowledge", clause.span, what=f"what `{name}` reads")
