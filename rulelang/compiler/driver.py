"""Declarations become a ruleset: every body compiled, every clause named, contributions read from card texts; all mistakes in one report."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from rulelang.compiler import cards, scenarios
from rulelang.compiler.compiled import Compiled
from rulelang.compiler.decks import read_decks
from rulelang.compiler.incremental import Basis, Frame, basis_of
from rulelang.diagnostics import Report
from rulelang.diagnostics.source import Source
from rulelang.elaborate.weave import enter_steps
from rulelang.syntax.nodes import Node
from rulelang.syntax.parser import INDEPENDENT, parse_source
from rulelang.syntax.variants import apply_variants


@dataclass
class Kept:
    """What goes on from one compilation of a ruleset to the next: frames, for each set of variants the last, and what is whole already."""

    frames: dict[frozenset[str], Frame] = field(default_factory=dict)
    whole: dict[frozenset[str], tuple[Basis, list[Node], Compiled]] = field(default_factory=dict)

    def frame(self, nodes: list[Node], basis: Basis) -> Frame:
        """The frame of these declarations, made if what it rests on is not as it was."""
        known = self.frames.get(basis.variants)
        if known is None or not known.basis.same(basis):
            known = self.frames[basis.variants] = Frame(nodes, basis)
        return known

    def ready(self, nodes: list[Node], basis: Basis) -> Compiled | None:
        """What was compiled of the very same declarations for its scenarios alone, given away once."""
        known = self.whole.pop(basis.variants, None)
        if (
            known is None
            or not known[0].same(basis)
            or len(known[1]) != len(nodes)
            or any(a is not b for a, b in zip(known[1], nodes, strict=True))
        ):
            return None
        return known[2]


def compile_sources(
    sources: Iterable[Source],
    statements: frozenset[str] | None = None,
    variants: Iterable[str] = (),
) -> Compiled:
    """Compile one ruleset from its texts, in order; whatever is wrong is in the report and what could be compiled is in the ruleset."""
    report = Report()
    nodes: list[Node] = []
    for source in sources:
        nodes += parse_source(source, report)
    return compile_nodes(nodes, report, statements, variants)


def compile_nodes(
    nodes: list[Node],
    report: Report,
    statements: frozenset[str] | None = None,
    variants: Iterable[str] = (),
    added: Iterable[str] = (),
    kept: Kept | None = None,
) -> Compiled:
    """Compile parsed declarations under the chosen variants; without any, scenarios that name variants are compiled under those.

    `added` are the files that were added to the rules. With `kept`, what was compiled with it before is not to be used any more.
    """
    chosen, files = frozenset(variants), frozenset(added)
    kept = Kept() if kept is None else kept
    made = _compile_under(nodes, report, statements, chosen, files, kept)
    for other in [] if chosen else sorted(scenarios.variants_played(nodes), key=sorted):
        more = _compile_under(nodes, Report(), statements, other, files, kept, ahead=True)
        made.rules.scenarios += more.rules.scenarios
        report.found += [item for item in more.report.found if item not in report.found]
    made.rules.scenarios.sort(key=lambda s: s.span)
    return made


def _compile_under(
    nodes: list[Node],
    report: Report,
    statements: frozenset[str] | None,
    variants: frozenset[str],
    added: frozenset[str],
    kept: Kept,
    ahead: bool = False,
) -> Compiled:
    before, nodes = nodes, apply_variants(nodes, sorted(variants), report)
    report.independent += [node.span for node in nodes if node.kind in INDEPENDENT]
    basis = basis_of(before, nodes, report, statements, variants, added)
    ready = kept.ready(before, basis)
    if ready is not None:
        report.merge(ready.report)
        ready.glossary.lexicon.names.report = report
        return replace(ready, report=report)
    frame = kept.frame(nodes, basis)
    names = frame.open(report)
    refused = cards.read_cards(names, frame.exprs, frame.glossary, nodes, frame.cards)
    read_decks(names, nodes, refused)
    enter_steps(names.rules)
    scenarios.compile_scenarios(names, frame.exprs, nodes, variants, frame.told)
    made = Compiled(names.rules, lambda: frame.glossary, report, tuple(refused), frame.remembered)
    if ahead:
        kept.whole[variants] = (basis, before, made)
    return made
