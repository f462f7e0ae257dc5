"""The ideas that everything else speaks of, told before they are used: how places lie to each
other, and the words that a game defines and uses most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from interpreter.paper.document import Line, Section
from interpreter.paper.steps import definitions_in
from rulelang import core
from rulelang.core.visit import walk
from rulelang.ruleset import Ruleset

_MOST = 12  # words that are told first; all others stand in the chapter of words
_OFTEN = 3  # places that speak of a word before it is one of these

# What the language's own words of place and order mean, by the words that need it.
_PLACES: tuple[tuple[frozenset[str], str, str], ...] = (
    (
        frozenset(["neighbors", "adjacent", "inner_sides", "outer_sides"]),
        "Neighbors",
        "Places that share a side. Those that meet at a corner only are no neighbors.",
    ),
    (
        frozenset(["surroundings", "touches_corner", "spots_around"]),
        "All around",
        "The places that share a side or a corner with a place.",
    ),
    (
        frozenset(["cells_within", "distance", "distance_across"]),
        "Steps",
        "From a place to its neighbor is one step; the distance is the fewest steps.",
    ),
    (
        frozenset(["groups", "reach"]),
        "Connected",
        "Places hang together if one can go from each to each by way of neighbors among them.",
    ),
    (frozenset(["run"]), "Straight on", "One place after the other in one direction, no gap."),
    (
        frozenset(["outer"]),
        "Outer edge",
        "The border with what lies outside; a hole within is not outside.",
    ),
    (
        frozenset(["row", "column", "site_at"]),
        "Rows and columns",
        "They are counted from 1, beginning at the top left.",
    ),
    (frozenset(["left"]), "To the left", "The player to the left comes next, clockwise."),
)


def basic(rules: Ruleset, reached: frozenset[str]) -> tuple[str, ...]:
    """The definitions that are told first, each after those it is made of."""
    uses = Counter(name for part in _parts(rules, reached) for name in set(definitions_in(part)))
    worded = [n for n in uses if n in reached and rules.definitions[n].reads]
    most = sorted((n for n in worded if uses[n] >= _OFTEN), key=lambda n: -uses[n])[:_MOST]
    found: dict[str, None] = {}

    def tell(name: str, above: frozenset[str]) -> None:
        for below in definitions_in(rules.definitions[name]):
            if below in most and below not in found and below not in above:
                tell(below, above | {below})
        found[name] = None

    for name in most:
        if name not in found:
            tell(name, frozenset([name]))
    return tuple(found)


def _parts(rules: Ruleset, reached: frozenset[str]) -> Iterable[object]:
    """What may speak of a word, part by part."""
    yield rules.flow
    yield from (*rules.procedures.values(), *rules.events.values(), *rules.tables.values())
    yield tuple(rules.ranks)
    yield from rules.endings
    yield from (rules.definitions[name] for name in sorted(reached))


def places(rules: Ruleset, reached: frozenset[str]) -> Section:
    """How places lie to each other, as far as these rules speak of it."""
    said: set[str] = set()
    for part in _parts(rules, reached):
        for node in walk(part):
            if isinstance(node, core.Builtin):
                said.add(node.name)
            elif isinstance(node, core.Groups | core.Reach) and node.relation is None:
                said |= {"groups", "neighbors"}
    lines = tuple(Line(text, label=label) for words, label, text in _PLACES if words & said)
    return Section("Places and seats", "places-and-seats", lines=lines)
