"""The compiler's driver: parsed declarations to a ruleset, with all findings in one report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from rulelang.compiler import cards, scenarios
from rulelang.compiler.compiled import Compiled
from rulelang.compiler.decks import read_decks
from rulelang.compiler.incremental import Basis, Frame, basis_of, compile_frame, same_nodes
from rulelang.diagnostics import Diagnostic, Report
from rulelang.diagnostics.source import Source, Span
from rulelang.elaborate.attempts import enter_attempts
from rulelang.elaborate.weave import enter_steps
from rulelang.english import FOLDER
from rulelang.queries.database import Database
from rulelang.syntax.nodes import Node
from rulelang.syntax.parser import INDEPENDENT
from rulelang.syntax.variants import apply_variants


@dataclass(frozen=True)
class GameRead:
    """The declarations of a game from the cache folder, cut to what its frame there leaves to ask.

    `key` names all they were read from; `independent` are the spans of those no other depends on.
    """

    key: str
    id: str
    nodes: tuple[Node, ...]
    independent: tuple[Span, ...]
    sources: dict[str, Source]


# What is compiled besides declarations and variants: the statements there are, the added files, and
# the names of what was not read and of what is reserved.
AskedFor = tuple[frozenset[str] | None, frozenset[str], frozenset[str], frozenset[str]]
Decoded = dict[str, tuple[bytes, Source]]  # by the names of files


@dataclass
class CompileCache:
    """What one compilation of a ruleset passes to the next, for each set of variants.

    That is the last frame, what was compiled in full for its scenarios alone, and the queries that
    later passes ask. `game` is set
    where the frame comes from the cache folder, `stored` is the key of the last that went there.
    `decoded` are the texts of the files.
    """

    frames: dict[frozenset[str], Frame] = field(default_factory=dict)
    whole: dict[frozenset[str], tuple[AskedFor, tuple[Node, ...], Compiled]] = field(
        default_factory=dict
    )

    queries: dict[frozenset[str], Database] = field(default_factory=dict)
    decoded: Decoded = field(default_factory=dict)
    game: GameRead | None = None
    stored: str = ""

    def frame(self, nodes: list[Node], basis: Basis) -> Frame:
        """The frame of these declarations, compiled anew if its basis is not the same."""
        known = self.frames.get(basis.variants)
        if known is None or not known.basis.same(basis):
            made = known.with_titles(basis) if known is not None else None
            whole = self.frames.get(frozenset()) if basis.variants else None
            others = [frame for frame in (known, whole) if frame is not None]
            if made is None:
                made = compile_frame(nodes, basis, others)
                if known is not None:
                    made.go_on_from(known)
            known = self.frames[basis.variants] = made
        return known

    def ready(
        self, nodes: list[Node], variants: frozenset[str], asked: AskedFor
    ) -> Compiled | None:
        """The full result for the very same declarations, if any; it is handed out once."""
        known = self.whole.pop(variants, None)
        if known is None or known[0] != asked:
            return None
        return known[2] if same_nodes(known[1], tuple(nodes)) else None


def compile_nodes(
    nodes: list[Node],
    report: Report,
    statements: frozenset[str] | None = None,
    variants: Iterable[str] = (),
    added: Iterable[str] = (),
    cache: CompileCache | None = None,
) -> Compiled:
    """Compile parsed declarations under the chosen variants.

    Without any, scenarios that name variants are compiled under those. `added` are the files that
    were added to the rules. A result made with the same cache before must not be used any more.
    """
    chosen, files = frozenset(variants), frozenset(added)
    cache = CompileCache() if cache is None else cache
    made = _compile_under(nodes, report, statements, chosen, files, cache)
    for other in [] if chosen else sorted(scenarios.variants_played(nodes), key=sorted):
        more = _compile_under(nodes, Report(), statements, other, files, cache, ahead=True)
        made.rules.scenarios += more.rules.scenarios
        report.found += [item for item in more.report.found if item not in report.found]
    made.rules.scenarios.sort(key=lambda s: s.span)
    report.found[:] = _of_the_game(report.found)
    return made


def _of_the_game(found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The findings without those in the shared library that follow from the game's own errors."""
    own = [item for item in found if not item.span.file.startswith(FOLDER)]
    return own if any(item.severity == "error" for item in own) else list(found)


def _compile_under(
    nodes: list[Node],
    report: Report,
    statements: frozenset[str] | None,
    variants: frozenset[str],
    added: frozenset[str],
    cache: CompileCache,
    ahead: bool = False,
) -> Compiled:
    before = nodes
    asked = (statements, added, frozenset(report.unread), frozenset(report.reserved))
    ready = cache.ready(before, variants, asked) if not report.found else None
    if ready is not None:
        report.merge(ready.report)
        ready.glossary.lexicon.symbols.report = report
        return replace(ready, report=report)
    nodes = apply_variants(nodes, sorted(variants), report)
    report.independent += [node.span for node in nodes if node.kind in INDEPENDENT]
    basis = basis_of(before, nodes, report, statements, variants, added)
    frame = cache.frame(nodes, basis)
    whole = cache.frames.get(frozenset()) if variants else None
    if whole is not None:  # what is read of its cards by now
        frame.glossary.take_over(whole.glossary)
    symbols = frame.open(report)
    refused = cards.read_cards(symbols, frame.checker, frame.glossary, nodes, frame.cards)
    read_decks(symbols, nodes, refused, frame.decks)
    enter_attempts(symbols.rules, report, frame.attempts)
    enter_steps(symbols.rules, frame.woven)
    scenarios.compile_scenarios(frame.checker, nodes, variants, frame.scenarios)
    queries = cache.queries.setdefault(variants, Database())
    queries.revise()
    refusals = tuple(refused)
    made = Compiled(symbols.rules, lambda: frame.glossary, report, refusals, frame.memos, queries)
    if ahead:
        cache.whole[variants] = (asked, tuple(before), made)
    return made
