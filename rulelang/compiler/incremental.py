"""Incremental compilation: a frame is a ruleset without its cards, decks and scenarios.

It is compiled once and completed again with any cards. Where they have other titles, only the words
for those are made again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rulelang.compiler.cards import CardMemo
from rulelang.compiler.decks import DeckMemo, enter_decks
from rulelang.compiler.memos import Memos
from rulelang.compiler.rows import read_rows
from rulelang.compiler.scenarios import ScenarioMemo
from rulelang.diagnostics import Report
from rulelang.elaborate.attempts import AttemptMemo
from rulelang.elaborate.bodies import compile_bodies
from rulelang.elaborate.declaration_memo import DeclarationMemo
from rulelang.elaborate.declarations import declare_all, titles_of
from rulelang.elaborate.symbols import SymbolTable
from rulelang.elaborate.titles import Titles
from rulelang.elaborate.type_checker import TypeChecker
from rulelang.elaborate.weave import WovenMemo
from rulelang.english.openings import with_library
from rulelang.phrases.lexicon import make_lexicon, rephrasings_of, synonyms_of
from rulelang.phrases.overlaps import OVERLAPS
from rulelang.phrases.readings import Glossary
from rulelang.ruleset import Clause, Ruleset
from rulelang.syntax.nodes import Node

# What sentences can be written, and how: nothing else that is declared names any of these.
_WORDINGS = frozenset(("pattern", "frame", "synonyms", "rephrase"))


@dataclass(frozen=True, eq=False)
class Basis:
    """All that a frame is made from: two frames of the same basis are equal.

    Declarations other than cards and scenarios, the titles of cards with their components, what may
    be cited, the variants, the added files, and the names of what was not read.
    """

    nodes: tuple[Node, ...]
    titles: tuple[tuple[str, tuple[str, ...]], ...]
    statements: frozenset[str] | None
    variants: frozenset[str]
    added: frozenset[str]
    unread: frozenset[str]
    reserved: frozenset[str]

    def same(self, other: Basis) -> bool:
        """Is it equal, each node being the very same? Equal nodes may stand on other lines."""
        return self._rest() == other._rest() and same_nodes(self.nodes, other.nodes)

    def same_but_titles(self, other: Basis) -> bool:
        """Is it equal but for titles, and for the names of added files that bring cards only?"""
        files = self.added ^ other.added
        alike = replace(self, titles=other.titles, added=other.added)
        return alike.same(other) and not any(node.span.file in files for node in self.nodes)

    def same_but_wordings(self, other: Basis) -> bool:
        """Is it equal but for the ways in which sentences can be written?"""
        mine, theirs = (
            tuple(node for node in basis.nodes if node.kind not in _WORDINGS)
            for basis in (self, other)
        )
        return self._rest() == other._rest() and same_nodes(mine, theirs)

    def _rest(self) -> tuple[object, ...]:
        return (
            self.titles,
            self.statements,
            self.variants,
            self.added,
            self.unread,
            self.reserved,
        )


def same_nodes(one: tuple[Node, ...], other: tuple[Node, ...]) -> bool:
    """Are these the very same nodes in the same order?"""
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))


def basis_of(
    before: list[Node],
    after: list[Node],
    report: Report,
    statements: frozenset[str] | None,
    variants: frozenset[str],
    added: frozenset[str],
) -> Basis:
    """The basis of the frame of these declarations, before and after variants were applied.

    Nodes are held as they were before, for variants make new ones each time.
    """
    return Basis(
        tuple(node for node in before if node.kind not in ("card", "scenario")),
        tuple((title, tuple(of)) for title, of in titles_of(after).items()),
        statements,
        variants,
        added,
        frozenset(report.unread),
        frozenset(report.reserved),
    )


class Frame:
    """All of a ruleset but cards, deck lists and scenarios, with memos of those compiled on it.

    It completes one ruleset at a time, for there is one symbol table and one glossary.
    """

    def __init__(
        self,
        basis: Basis,
        symbols: SymbolTable,
        checker: TypeChecker,
        glossary: Glossary,
        declarations: DeclarationMemo | None = None,
    ) -> None:
        """A frame of what was compiled, with memos that are still empty.

        `declarations` is what a frame of other declarations may take over.
        """
        self.basis, self.report = basis, symbols.report
        self.symbols, self.checker, self.glossary = symbols, checker, glossary
        self.rules, self.repeats = symbols.rules, symbols.repeats
        self.declarations = declarations or DeclarationMemo()
        self.cards = CardMemo()
        self.scenarios = ScenarioMemo()
        self.decks = DeckMemo()
        self.attempts: AttemptMemo = {}
        self.woven = WovenMemo()
        # What later passes found out about rulesets of this frame, each with what it depends on.
        self.memos = Memos()

    @property
    def next_number(self) -> int:
        """A number above those of all fresh names that it has so far."""
        return int(self.checker.fresh_name("").removeprefix("~"))

    def serves(self, basis: Basis) -> bool:
        """Is a frame of this basis the same, or the same but for words of titles?"""
        return (
            self.basis.same_but_titles(basis)
            and all(item.severity != "error" for item in self.report.found)
            and self.symbols.titles.agree_with(Titles(dict(basis.titles)))
        )

    def with_titles(self, basis: Basis) -> Frame | None:
        """A frame of another basis that has other titles only; this one must not be used any more.

        None where titles make another difference than that of words for them.
        """
        if not self.serves(basis):
            return None
        symbols = self.symbols
        titles = Titles(dict(basis.titles), symbols.titles.asked)
        symbols.titles, symbols.rules, symbols.repeats = titles, self.rules.copied(), self.repeats
        symbols.rules.added = basis.added
        said = [item for item in self.report.found if item.code not in OVERLAPS]
        symbols.report = Report(said, set(basis.unread), set(basis.reserved))
        glossary = self.glossary.with_words(self.checker)
        glossary.report_overlaps(symbols.report)
        made = Frame(basis, symbols, self.checker, glossary, self.declarations)
        made.cards, made.scenarios, made.memos = self.cards, self.scenarios, self.memos
        made.decks, made.attempts, made.woven = self.decks, self.attempts, self.woven
        return made

    def go_on_from(self, before: Frame) -> None:
        """Take over what was kept of the game before an edit, as far as it rests on what is the
        same.

        What cards print, which of them lists name, and what scenarios do rest on no wording; what
        cards say is held against what the glossary has taken over.
        """
        self.memos = before.memos.lasting()
        if before.basis.same_but_wordings(self.basis):
            self.cards, self.decks, self.scenarios = before.cards, before.decks, before.scenarios

    def declarations_for(self, basis: Basis) -> DeclarationMemo | None:
        """What a frame of this basis may take over, if the same is reported of what is the same."""
        mine = self.basis
        same = (mine.statements, mine.unread, mine.reserved) == (
            basis.statements,
            basis.unread,
            basis.reserved,
        )
        return self.declarations if same else None

    def open(self, report: Report) -> SymbolTable:
        """The symbol table with a copy of the ruleset to be completed, reporting to this report.

        The findings of the frame are reported again.
        """
        report.merge(self.report)
        self.symbols.rules = self.rules.copied()
        self.symbols.report = report
        self.symbols.repeats = dict(self.repeats)
        return self.symbols


def compile_frame(nodes: list[Node], basis: Basis, others: Sequence[Frame] = ()) -> Frame:
    """The frame of these declarations: what every one but cards, lists and scenarios says.

    Of other frames, those of the game before an edit and of the game without variants, it takes
    over what is the same: readings of each, and what was compiled of the last.
    """
    report = Report(unread=set(basis.unread), reserved=set(basis.reserved))
    nodes = with_library(nodes, report)
    rules = Ruleset(added=basis.added)
    symbols = SymbolTable(rules, report, basis.statements)
    declare_all(symbols, nodes)
    enter_decks(symbols, nodes)
    if not rules.id and nodes:
        report.add("no-game", nodes[0].span)
    first, before = max((other.next_number for other in others), default=1), None
    if others:
        before = others[-1].declarations_for(basis)
    checker, language, declarations = compile_bodies(symbols, nodes, first, before)
    read_rows(symbols, checker, nodes)
    rules.clauses = _as_written(rules.clauses, nodes)
    alike, reworded = synonyms_of(nodes), rephrasings_of(nodes, report)
    lexicon = make_lexicon(symbols, checker, language, alike, reworded)
    glossary = Glossary(lexicon)
    for other in others:
        glossary.take_over(other.glossary)
    glossary.report_overlaps(report)
    return Frame(basis, symbols, checker, glossary, declarations)


def _as_written(clauses: dict[str, Clause], nodes: Sequence[Node]) -> dict[str, Clause]:
    """The clauses in the order in which they are written, whichever was asked for first."""
    files = {file: n for n, file in enumerate(dict.fromkeys(node.span.file for node in nodes))}

    def place(clause: Clause) -> tuple[int, int, int, str]:
        at = clause.span
        return files.get(at.file, len(files)), at.line, at.column, clause.id

    return {clause.id: clause for clause in sorted(clauses.values(), key=place)}
