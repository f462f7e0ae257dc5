"""Read sets: which parts of a position expressions read, through all that they call.

A memoised result stays valid until one of the sources it reads changes. Sources are named
`state:NAME`, `place:NAME`, `layer:NAME`, `tiles` (the cells that boards have), `where` (where
pieces are), `known` (what players know), and ANYTHING.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from rulelang import core
from rulelang.builtins.record import ANYTHING
from rulelang.builtins.registry import builtin
from rulelang.core.access import Source, SourceKind
from rulelang.ruleset import Extension, Rule, Ruleset


class Reads:
    """The read sets of a ruleset's clauses, whatever game is set up with it; memoised."""

    def __init__(self, rules: Ruleset) -> None:
        """Only the invariants are looked through at once."""
        self.rules = rules
        self.known: dict[tuple[str, str], frozenset[str]] = {}
        # Invariants that read what changes, so that every event is held against them; laws do not.
        self.invariants: tuple[Rule, ...] = ()
        self.laws = tuple(rule for rule in rules.invariants if self._lasts(rule))
        self.invariants = tuple(rule for rule in rules.invariants if rule not in self.laws)
        self.known = {}

    def of(self, kind: str, name: str) -> frozenset[str]:
        """The read set of a clause.

        It is a definition ("define"), a score table ("score") or the rules of an event ("rules").
        """
        key = (kind, name)
        if key not in self.known:
            self.known[key] = frozenset([ANYTHING])  # of a recursive call
            self.known[key] = self._read_set(self._clause(kind, name))
        return self.known[key]

    def all(self, item: object) -> frozenset[str]:
        """The read set of a node, or of the nodes of nested tuples and lists."""
        return self._read_set(self._sources(item))

    def _read_set(self, sources: Iterable[str]) -> frozenset[str]:
        found = frozenset(sources)
        return frozenset([ANYTHING]) if self.invariants or ANYTHING in found else found

    def _lasts(self, rule: Rule) -> bool:
        """Does it read nothing but the settings, the pieces there are and boards that are fixed?"""
        grown = any(board.grown_from is not None for board in self.rules.boards.values())
        return set(self._sources(rule)) <= (set() if grown else {"tiles"})

    def _clause(self, kind: str, name: str) -> Iterator[str]:
        """The sources of a definition, table or list of rules, and of what cards add to it."""
        if kind == "define":
            yield from self._sources(self.rules.definitions[name])
        elif kind == "score":
            yield from self._sources(self.rules.tables[name])
        else:
            yield from self._sources(self.rules.events[name].rules)
        for e in self.rules.extensions:
            if (e.kind, e.target) == (kind, name):
                yield from self._extension(e)

    def _extension(self, e: Extension) -> Iterator[str]:
        if e.lifetime != "played":
            yield "where"  # it counts only while the card that bears it lies where its text holds
        yield from self._sources((e.lines, e.rules, e.cases, e.cond))

    def _sources(self, item: object) -> Iterator[str]:
        for node in core.walk(item):
            for source in node.access.reads:
                yield from self._read(node, source)

    def _read(self, node: core.Node, source: Source) -> Iterator[str]:
        """The sources that one part of a class's declaration stands for at a node."""
        field = getattr(node, source.field) if source.field else ""
        match source.kind:
            case SourceKind.VARIABLE:
                yield f"state:{field}"
            case SourceKind.PLACE:
                yield f"place:{field}"
            case SourceKind.TILES:
                yield "tiles"
            case SourceKind.KNOWN:
                yield "known"
            case SourceKind.DEFINITION:
                if field is not None:
                    yield from self.of("define", field)
            case SourceKind.TABLE:
                yield from self.of("score", field)
            case SourceKind.RULES:
                yield from self.of("rules", field)
            case SourceKind.BUILTIN:
                assert isinstance(node, core.Builtin)
                yield from builtin(node.name).sources(node, self.rules)
            case SourceKind.ANYTHING | SourceKind.BODY | SourceKind.PIECES | SourceKind.HELD:
                yield ANYTHING
            case _:
                assert_never(source.kind)
