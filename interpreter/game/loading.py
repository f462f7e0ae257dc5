"""Files at the edge: rulesets are found, read and compiled; findings come back with the texts they
quote.
"""

from __future__ import annotations

import functools
import os
import re
import stat
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import rulesets
from interpreter.game import cache, rules_cache
from interpreter.game.files import held_below, is_file, read_file
from interpreter.game.gc_pause import gc_paused
from interpreter.model.errors import RulelangError
from interpreter.model.work import leave_room
from rulelang.compiler.compiled import Compiled
from rulelang.diagnostics import Diagnostic, Report, draw, nearest
from rulelang.diagnostics.source import (
    MAX_BYTES,
    Source,
    Span,
    decode_for_quoting,
    decode_source,
)
from rulelang.ruleset import Clause, Ruleset
from rulelang.syntax.nodes import Node

if TYPE_CHECKING:  # the compiler takes long to load, and what is kept needs none
    from rulelang.compiler.driver import CompileCache, Decoded

_STATEMENT = re.compile(r"^- ((?:[A-Z]+)-\d+)((?: ?\[[a-z]+\])*) (.*)$", re.MULTILINE)
_TESTS = ("scenario", "ruling")  # declarations that play does not need


class RulesError(RulelangError):
    """Rules that cannot be used; holds the findings and the texts they quote."""

    def __init__(self, found: list[Diagnostic], sources: dict[str, Source]) -> None:
        """The findings, in the order of the text."""
        self.found, self.sources = found, sources
        super().__init__("\n\n".join(draw(item, sources.get) for item in found))


class Unlawful(RulesError):
    """Settings that the rules forbid; `broken` are the clauses that do, `cites` the statements
    those rest on.
    """

    def __init__(
        self, found: list[Diagnostic], sources: dict[str, Source], broken: Sequence[Clause]
    ) -> None:
        """The findings, and the clauses they are told by."""
        super().__init__(found, sources)
        self.broken = frozenset(clause.id for clause in broken)
        self.cites = tuple(cite for clause in broken for cite in clause.cites)


@dataclass(frozen=True)
class Statement:
    """A statement of a rulebook: its id, tags and words."""

    id: str
    tags: tuple[str, ...]
    text: str

    @property
    def mechanical(self) -> bool:
        """Does it count for coverage? Open questions do not, nor what is social alone."""
        return not self.id.startswith("OQ") and self.tags != ("social",)


@dataclass
class Loaded:
    """A compiled ruleset with its texts, findings and rulebook."""

    id: str
    compiled: Compiled
    sources: dict[str, Source] = field(default_factory=dict)
    statements: dict[str, Statement] = field(default_factory=dict)
    added: tuple[str, ...] = ()
    nodes: Sequence[Node] = ()
    kept: CompileCache | None = (
        None  # what the next compilation of these texts, or of nearly these, may use again
    )

    @cached_property
    def played(self) -> dict[str | None, Ruleset]:
        """What was made already of the ruleset for each deck list."""
        return {}

    def played_with(self, deck: str | None) -> Ruleset:
        """The rules with a deck list (none: without one), shared by all games set up so."""
        if deck not in self.played:
            self.played[deck] = self.compiled.rules.played_with(deck)
        return self.played[deck]

    @cached_property
    def rules_hash(self) -> str:
        """A hash of what the rules mean: it takes long, and is asked for with every record."""
        from interpreter.game.rules_hash import rules_hash

        return rules_hash(self.compiled.rules)

    def findings(self) -> list[Diagnostic]:
        """All findings, in the order of the text."""
        return self.compiled.report.sorted()

    def draw(self, item: Diagnostic) -> str:
        """A finding as a person reads it."""
        return draw(item, lambda file: self.sources.get(file) or _shared(file))


def _shared(file: str) -> Source | None:
    """The text of a file of the shared wordings."""
    from rulelang.english.library import sources as shared_wordings

    return next((source for source in shared_wordings() if source.file == file), None)


def read_source(
    path: Path,
    name: str,
    report: Report,
    quoted: dict[str, Source] | None = None,
    decoded: Decoded | None = None,
) -> Source | None:
    """The text of a file, or none with a finding; what is refused is put among the quoted texts,
    for the finding to quote. What was `decoded` of the same bytes is not decoded again.
    """
    try:
        raw = read_file(path, MAX_BYTES)
    except OSError as error:
        report.add("unreadable", Span(name, 1, 1, 1, 2), why=error.strerror or "unknown")
        return None
    known = decoded.get(name) if decoded is not None else None
    if known is not None and known[0] == raw:
        return known[1]
    source = checked_source(name, raw, report, quoted if quoted is not None else {})
    if source is not None and decoded is not None:
        decoded[name] = raw, source
    return source


def checked_source(
    name: str, raw: bytes, report: Report, quoted: dict[str, Source]
) -> Source | None:
    """A text that may be parsed, or none with findings; what is refused is put among the quoted
    texts.
    """
    source, flaws = decode_source(name, raw)
    for flaw in flaws:
        report.add_text_error(flaw)
    if source is None:
        quoted[name] = decode_for_quoting(name, raw)
    return source


def rulebook_of(path: Path) -> str:
    """The text of the rulebook beside the rules of a folder or file; empty if there is none that
    can be read.
    """
    book = (path if path.is_dir() else path.parent) / "rulebook.md"
    try:
        return read_file(book, MAX_BYTES)[:MAX_BYTES].decode("utf-8", "replace")
    except OSError:
        return ""


def statements_in(rulebook: str) -> dict[str, Statement]:
    """The statements of a rulebook, by id."""
    found = {}
    for match in _STATEMENT.finditer(rulebook):
        tags = tuple(re.findall(r"\[([a-z]+)\]", match.group(2)))
        found[match.group(1)] = Statement(match.group(1), tags, match.group(3))
    return found


def folder_of(name: str) -> Path:
    """The folder of a ruleset by its id or path; raises RulesError if there is none."""
    known = rulesets.ids()
    if name in known:
        return rulesets.root() / name
    path = Path(name)
    if _is_there(path, stat.S_ISDIR) and (any(path.glob("*.rules")) or held_below(path)):
        return path
    report = Report()
    folder = _is_there(path, stat.S_ISDIR)
    if not folder and (_is_there(path) or is_file(path)):
        return path
    if folder:
        report.add("unreadable", Span(str(path), 0, 0, 0, 0), why=f"no .rules files are in {path}")
        raise RulesError(report.found, {})
    if path.suffix or len(path.parts) > 1:
        report.add("not-found", Span("", 0, 0, 0, 0), path=name)
        raise RulesError(report.found, {})
    near = nearest(name, known, 1)
    fix = (
        f"Did you mean `{near[0]}`?"
        if near
        else ("Games are: " + ", ".join(known) if known else None)
    )
    report.add("unknown-game", Span("", 0, 0, 0, 0), name=name, fix=fix)
    raise RulesError(report.found, {})


def _is_there(path: Path, what: Callable[[int], bool] = lambda _: True) -> bool:
    """Is there something of that name, of what sort it be? A link that leads nowhere is there."""
    try:
        return what(path.stat().st_mode)
    except ValueError:
        return False
    except OSError:
        return what(0) and os.path.islink(path)


def rules_files(path: Path) -> list[Path]:
    """The .rules files of a folder, at every depth, or the file itself."""
    if not path.is_dir():
        return [path]
    held = (file for file in held_below(path) if file.suffix == ".rules")
    return sorted({*path.rglob("*.rules"), *held})


def shown(path: Path) -> str:
    """A path as it is quoted: relative to where one stands, if it lies below."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except (OSError, RuntimeError, ValueError):  # elsewhere, or a link that leads to itself
        return str(path)


@gc_paused()
def load_rules(
    name: str,
    variants: Iterable[str] = (),
    added: Iterable[tuple[str, str | Path]] = (),
    checks: bool = True,
    tests: bool = True,
    kept: CompileCache | None = None,
) -> Loaded:
    """Compile a ruleset from its folder or file, with added files given as (name, path) or (name,
    text); findings are in the result.

    Without `tests` the ruleset's own scenarios and rulings are not read: play does not need them,
    and a mistake in one does not stop it.
    With `kept`, what was loaded with it before is not to be used any more.
    """
    folder = folder_of(name)
    files = [(shown(path), path) for path in rules_files(folder)]
    request = _Request(folder, files, list(added), tuple(variants), checks, tests)
    if kept is not None or cache.folder() is None:
        return request.compiled(kept)
    texts = request.texts()
    return request.compiled() if texts is None else _restored(request, texts)


@dataclass(frozen=True)
class _Request:
    """What is to be compiled: the files of a ruleset and added ones, each by name, and how."""

    folder: Path
    files: list[tuple[str, Path]]
    added: list[tuple[str, str | Path]]
    variants: tuple[str, ...]
    checks: bool
    tests: bool

    def texts(self) -> dict[str, bytes] | None:
        """All these files as they are now; none if one cannot be read, or two have one name."""
        found: dict[str, bytes] = {}
        for name, what in (*self.files, *self.added):
            try:
                raw = _encoded(what) if isinstance(what, str) else read_file(what, MAX_BYTES)
            except OSError:
                return None
            if found.setdefault(name, raw) is not raw:
                return None
        return found

    def key(self, texts: dict[str, bytes], rulebook: str) -> str:
        """The name in the cache of what is compiled of these texts."""
        flags = f"{self.checks} {self.tests} {sorted(set(self.variants))} {len(self.added)}"
        named = (part for text in texts.items() for part in text)
        return cache.key_of("rules", [flags, self.folder.stem, rulebook, *named])

    def compiled(
        self, kept: CompileCache | None = None, texts: dict[str, bytes] | None = None, key: str = ""
    ) -> Loaded:
        """Compile it, of these texts or of what is in the files.

        A bad card is left out; everything else that is wrong is an error.
        """
        from rulelang.compiler.driver import compile_nodes

        leave_room()
        report = Report()
        game, names, nodes, sources = self._parsed(report, kept, texts)
        statements = statements_in(rulebook_of(self.folder))
        cites = frozenset(statements) or None
        compiled = compile_nodes(nodes, report, cites, self.variants, names, kept)
        if self.checks:
            from rulelang.analysis.ruleset_checks import check_ruleset

            check_ruleset(compiled)
        declarations = rules_cache.Declarations(key, functools.partial(tuple[Node, ...], nodes))
        return Loaded(game, compiled, sources, statements, tuple(names), declarations, kept)

    def nodes(self, texts: dict[str, bytes]) -> tuple[Node, ...]:
        """All declarations of these texts that can be read; compiling them tells what is wrong."""
        return tuple(self._parsed(Report(), None, texts)[2])

    def _parsed(
        self, report: Report, kept: CompileCache | None, texts: dict[str, bytes] | None
    ) -> tuple[str, list[str], list[Node], dict[str, Source]]:
        """The game, the names of the added files that are not refused, all declarations, and the
        texts by name.
        """
        from rulelang.syntax.parser import parse_source

        sources: dict[str, Source] = {}
        known = kept.game if kept is not None else None
        if known is None:
            decoded = kept.decoded if kept is not None else {}
            game, nodes = self._declared(report, sources, texts, decoded)
        else:
            game, nodes = known.id, list(known.nodes)
            sources |= known.sources
            report.independent += known.independent
        names = []
        for label, what in self.added:
            found = _added(label, what if texts is None else texts[label], report, sources)
            if found is not None:
                names.append(label)
                sources[found.file] = found
                nodes += _of_game(game, parse_source(found, report), report)
        return game, names, nodes, sources

    def _declared(
        self,
        report: Report,
        sources: dict[str, Source],
        texts: dict[str, bytes] | None,
        decoded: Decoded,
    ) -> tuple[str, list[Node]]:
        """The game that the ruleset's own files declare, and their declarations."""
        from rulelang.syntax.parser import parse_source

        nodes: list[Node] = []
        for gone in decoded.keys() - dict(self.files).keys():
            del decoded[gone]
        for name, path in self.files:
            source = (
                read_source(path, name, report, sources, decoded)
                if texts is None
                else checked_source(name, texts[name], report, sources)
            )
            if source is not None:
                sources[name] = source
                nodes += parse_source(source, report, () if self.tests else _TESTS)
        declared = next((n.part(0).text for n in nodes if n.kind == "game"), None)
        return declared or self.folder.stem, _of_game(declared, nodes, report)


def _added(
    label: str, what: str | bytes | Path, report: Report, sources: dict[str, Source]
) -> Source | None:
    """The text of an added file; none with findings if it is refused."""
    if isinstance(what, Path):
        return read_source(what, label, report, sources)
    raw = _encoded(what) if isinstance(what, str) else what
    return checked_source(label, raw, report, sources)


def _of_game(game: str | None, nodes: Iterable[Node], report: Report) -> list[Node]:
    """The declarations without the lines that say for which game they are; another is reported."""
    found = []
    for node in nodes:
        if node.kind != "speaks":
            found.append(node)
        elif game is not None and node.part(0).text != game:
            report.add("wrong-game", node.part(0).span, found=node.part(0).text, wanted=game)
    return found


def _restored(request: _Request, texts: dict[str, bytes]) -> Loaded:
    """The ruleset of these texts as it was kept, or else compiled, and kept for the next time."""
    rulebook = rulebook_of(request.folder)
    key = request.key(texts, rulebook)
    whole = functools.cache(lambda: request.compiled(None, texts, key))
    known = rules_cache.restore(key, lambda: whole().compiled.glossary)
    if known is None:
        rules_cache.store(key, whole().id, whole().compiled)
        return whole()
    return Loaded(
        known.game,
        known.compiled,
        {name: decode_for_quoting(name, raw) for name, raw in texts.items()},
        statements_in(rulebook),
        tuple(name for name, _ in request.added),
        rules_cache.Declarations(key, lambda: request.nodes(texts)),
    )


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@gc_paused()
def overlay(loaded: Loaded, variants: Iterable[str]) -> Loaded:
    """The same texts compiled under variants."""
    chosen = sorted(set(variants))
    base = loaded.nodes.key if isinstance(loaded.nodes, rules_cache.Declarations) else ""
    key = cache.key_of("overlay", [base, *chosen]) if base and loaded.kept is None else ""

    def compiled() -> Compiled:
        from rulelang.compiler.driver import compile_nodes

        leave_room()
        statements = frozenset(loaded.statements) or None
        nodes, kept = list(loaded.nodes), loaded.kept
        return compile_nodes(nodes, Report(), statements, chosen, loaded.added, kept)

    whole = functools.cache(compiled)
    known = rules_cache.restore(key, lambda: whole().glossary)
    if known is None:
        rules_cache.store(key, loaded.id, whole())
    return replace(loaded, compiled=whole() if known is None else known.compiled)


def beside(loaded: Loaded, name: str, text: str) -> Loaded:
    """The same texts compiled with one more, as if it had been added under this name."""
    from rulelang.compiler.driver import compile_nodes
    from rulelang.syntax.parser import parse_source

    report, sources = Report(), dict(loaded.sources)
    nodes = list(loaded.nodes)
    source = checked_source(name, _encoded(text), report, sources)
    if source is not None:
        sources[name] = source
        nodes += _of_game(loaded.id, parse_source(source, report), report)
    statements, added = frozenset(loaded.statements) or None, (*loaded.added, name)
    compiled = compile_nodes(nodes, report, statements, (), added)
    return replace(loaded, compiled=compiled, sources=sources, nodes=nodes, added=added, kept=None)


def fatal(loaded: Loaded) -> list[Diagnostic]:
    """The errors for which a ruleset cannot be played: all but those about a single added card,
    which is left out.
    """
    refused = set(loaded.compiled.refused)
    return [
        item for item in loaded.compiled.report.errors if not _of_card(loaded, item.span, refused)
    ]


def _of_card(loaded: Loaded, span: Span, refused: set[str]) -> bool:
    """Is this finding about an added card that was left out?"""
    within = (
        node
        for node in loaded.nodes
        if node.kind in ("variant", "deck") and node.span.file == span.file
    )
    return (
        span.file in loaded.added
        and bool(refused)
        and not any(node.span.line <= span.line <= node.span.end_line for node in within)
    )
