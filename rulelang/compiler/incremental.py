"""A ruleset without its cards: compiled once, and made whole again with any cards of the same titles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulelang.compiler.cards import CardMemo
from rulelang.compiler.decks import enter_decks
from rulelang.compiler.rows import read_rows
from rulelang.compiler.scenarios import Told
from rulelang.diagnostics import Report
from rulelang.elaborate.bodies import compile_bodies
from rulelang.elaborate.declarations import declare_all, titles_of
from rulelang.elaborate.symbols import SymbolTable
from rulelang.phrases.lexicon import make_lexicon
from rulelang.phrases.readings import Glossary
from rulelang.ruleset import Ruleset
from rulelang.syntax.nodes import Node


@dataclass(frozen=True, eq=False)
class Basis:
    """All that a frame is made from: declarations, each the very object it was, the titles of cards, and what can be cited or was not read."""

    nodes: tuple[Node, ...]
    titles: tuple[tuple[str, tuple[str, ...]], ...]
    statements: frozenset[str] | None
    variants: frozenset[str]
    added: frozenset[str]
    unread: frozenset[str]
    reserved: frozenset[str]

    def same(self, other: Basis) -> bool:
        """Does another frame come out equal? A text that was moved to other lines is another."""
        alike = len(self.nodes) == len(other.nodes) and all(
            a is b for a, b in zip(self.nodes, other.nodes, strict=True)
        )
        mine = (self.titles, self.statements, self.variants, self.added, self.unread, self.reserved)
        return alike and mine == (
            other.titles,
            other.statements,
            other.variants,
            other.added,
            other.unread,
            other.reserved,
        )


def basis_of(
    before: list[Node],
    after: list[Node],
    report: Report,
    statements: frozenset[str] | None,
    variants: frozenset[str],
    added: frozenset[str],
) -> Basis:
    """What the frame of declarations rests on; of those that variants change, as they stood before, for the changed ones are made anew each time."""
    rest = tuple(node for node in before if node.kind != "card")
    titles = tuple((title, tuple(of)) for title, of in titles_of(after).items())
    return Basis(
        rest,
        titles,
        statements,
        variants,
        added,
        frozenset(report.unread),
        frozenset(report.reserved),
    )


class Frame:
    """Everything but cards, deck lists and scenarios; what is found of it is kept with it.

    One ruleset at a time is made whole with it, for its names and its glossary are its own.
    """

    def __init__(self, nodes: list[Node], basis: Basis) -> None:
        """Compile what every declaration says."""
        self.basis, self.report = (
            basis,
            Report(unread=set(basis.unread), reserved=set(basis.reserved)),
        )
        self.names = names = SymbolTable(Ruleset(added=basis.added), self.report, basis.statements)
        declare_all(names, nodes)
        enter_decks(names, nodes)
        if not names.rules.id and nodes:
            self.report.add("no-game", nodes[0].span)
        self.exprs, language = compile_bodies(names, nodes)
        read_rows(names, self.exprs, nodes)
        self.glossary = Glossary(make_lexicon(names, self.exprs, language))
        self.glossary.report_overlaps(self.report)
        self.rules, self.repeats = names.rules, names.repeats
        self.cards = CardMemo()
        self.told = Told()
        self.remembered: dict[
            str, Any
        ] = {}  # what was found out about rulesets made whole with it, each with all that it hung on

    def open(self, report: Report) -> SymbolTable:
        """The names with a ruleset of their own to be made whole; what was found of the frame is found again."""
        report.merge(self.report)
        self.names.rules, self.names.report, self.names.repeats = (
            self.rules.copied(),
            report,
            dict(self.repeats),
        )
        return self.names
