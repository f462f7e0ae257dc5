"""Declarations become a ruleset: every body compiled, every clause named, contributions read from card texts; all mistakes in one report."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rulelang import cards, scenarios
from rulelang.bodies import Bodies
from rulelang.decks import enter_decks, read_decks
from rulelang.declare import declare_all
from rulelang.entering import enter_steps
from rulelang.messages import Report
from rulelang.names import Names
from rulelang.overlay import apply_variants
from rulelang.parsing import APART, parse_source
from rulelang.phrases import Glossary
from rulelang.ruleset import (
    Ruleset,
)  # fmt: skip
from rulelang.source import Source
from rulelang.syntax import Node


@dataclass
class Compiled:
    """What came of compiling: the ruleset, the phrases cards may use, the findings, and the titles of cards that were refused."""

    rules: Ruleset
    glossary: Glossary
    report: Report
    refused: tuple[str, ...] = ()


def compile_sources(sources: Iterable[Source], statements: frozenset[str] | None = None, variants: Iterable[str] = ()) -> Compiled:
    """Compile one ruleset from its texts, in order; whatever is wrong is in the report and what could be compiled is in the ruleset."""
    report = Report()
    nodes: list[Node] = []
    for source in sources:
        nodes += parse_source(source, report)
    return compile_nodes(nodes, report, statements, variants)


def compile_nodes(
    nodes: list[Node], report: Report, statements: frozenset[str] | None = None, variants: Iterable[str] = (), added: Iterable[str] = ()
) -> Compiled:
    """Compile parsed declarations under the chosen variants; without any, scenarios that name variants are compiled under those.

    `added` are the files that were added to the rules.
    """
    chosen, files = frozenset(variants), frozenset(added)
    made = _compile_under(nodes, report, statements, chosen, files)
    for other in [] if chosen else sorted(scenarios.variants_played(nodes), key=sorted):
        more = _compile_under(nodes, Report(), statements, other, files)
        made.rules.scenarios += more.rules.scenarios
        report.found += [item for item in more.report.found if item not in report.found]
    made.rules.scenarios.sort(key=lambda s: s.span)
    return made


def _compile_under(
    nodes: list[Node], report: Report, statements: frozenset[str] | None, variants: frozenset[str], added: frozenset[str]
) -> Compiled:
    nodes = apply_variants(nodes, sorted(variants), report)
    report.apart += [node.span for node in nodes if node.kind in APART]
    rules = Ruleset(added=added)
    names = Names(rules, report, statements)
    declare_all(names, nodes)
    enter_decks(names, nodes)
    if not rules.id and nodes:
        report.add("no-game", nodes[0].span)
    compiler = Bodies(names)
    compiler.run(nodes)
    glossary = Glossary(names, compiler.exprs, compiler.extensions)
    refused = cards.read_cards(names, compiler.exprs, glossary, nodes)
    read_decks(names, nodes, refused)
    enter_steps(rules)
    scenarios.compile_scenarios(names, compiler.exprs, compiler.stmts, nodes, variants)
    return Compiled(rules, glossary, report, tuple(refused))
