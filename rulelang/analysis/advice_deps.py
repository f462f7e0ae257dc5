"""Dependencies of advice and laws of the setup, so that answers may be kept while they are equal.

A question asked before play may depend on what is printed on all pieces alone, or also on how many
play, on what texts add, and on what texts name.
"""

from __future__ import annotations

import functools
from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from rulelang import core
from rulelang.analysis.calls import Callee, body_of, callees
from rulelang.builtins.record import Basis
from rulelang.builtins.registry import builtin
from rulelang.compiler.compiled import Compiled
from rulelang.core.types import KindT, PieceT, element
from rulelang.ruleset import Case, Extension, Line, Ruleset

Added = dict[
    tuple[str, str], list[Extension]
]  # (sort, name of a definition or table) -> what texts add to it


@dataclass(frozen=True)
class Dependencies:
    """Besides the frame of the rules."""

    pieces: bool = False  # what pieces there are, or what is printed on them
    fields: frozenset[str] = frozenset()  # which of what is printed
    players: bool = False  # how many play
    texts: frozenset[tuple[str, str]] = (
        frozenset()
    )  # what texts add to these definitions and tables
    names: bool = False  # what texts name; whether it is there, any definition may say
    more: bool = False  # anything else


def dependencies(
    rules: Ruleset, items: Iterable[object], added: Added | None = None
) -> Dependencies:
    """What these expressions depend on, through all they call; on anything, if it is not known."""
    found = _Walk(rules, added_by_texts(rules) if added is None else added)
    for item in items:
        found.item(item)
    many = found.players or any(c.per_player for c in rules.components.values())
    return Dependencies(
        found.pieces or found.more,
        frozenset(found.fields),
        many or found.more,
        frozenset(found.texts),
        found.names or found.more,
        found.more,
    )


def added_by_texts(rules: Ruleset) -> Added:
    """What texts add to each definition and table."""
    found: Added = {}
    for e in rules.extensions:
        found.setdefault((e.kind, e.target), []).append(e)
    return found


class _Walk:
    def __init__(self, rules: Ruleset, added: Added) -> None:
        self.rules, self.added = rules, added
        self.pieces = self.players = self.names = self.more = False
        self.texts: set[tuple[str, str]] = set()
        self.fields: set[str] = set()
        self.called: set[tuple[str, str]] = set()

    def item(self, item: object) -> None:
        """Add what nodes depend on, through all they call."""
        for node in core.nodes_in(item):
            self._node(node)
            self.item(list(core.children(node)))

    def _node(self, node: core.Node) -> None:
        """Add what a node depends on by itself and by what it calls."""
        if isinstance(node, core.Apply | core.Total):
            for callee in callees(node):
                self._call(callee)
        elif isinstance(node, core.Builtin):
            self.word(node)
        elif isinstance(node, core.Stmt) or node.access.reads:
            self.more = True
        elif isinstance(node, core.Attribute | core.Titled | core.Setting):
            self.pieces = True  # a deck list is a setting
            if isinstance(node, core.Attribute):
                self.fields.add(node.name)

    def _call(self, callee: Callee) -> None:
        if callee in self.called:
            return
        self.called.add(callee)
        body = body_of(self.rules, callee)
        parts = [part for part in core.walk(body) if isinstance(part, Case | Line)]
        if any(part.slot is not None for part in parts):
            self.texts.add(callee)
        self.item(body)
        for e in self.added.get(callee, ()):
            self.item((e.cases, e.lines, e.cond))

    def word(self, item: core.Builtin) -> None:
        basis = builtin(item.name).basis
        if basis is Basis.TEXTS:
            self.names = self.pieces = True
            self.texts |= {
                ("define", name)
                for name, known in self.rules.definitions.items()
                if any(case.slot is not None for case in known.cases)
            }
        elif basis is Basis.MEMBERS:
            self.pieces = self.pieces or isinstance(element(item.type), PieceT)
            if not isinstance(element(item.type), KindT | PieceT):
                self.players = (
                    True  # players, or places of a board that is as large as there are players
                )
        elif basis is not Basis.ARGUMENTS:
            self.more = True


# ------------------------------------------------------ what it went by, to be held against what is
class Prints(dict[str, Hashable]):
    """What is printed on the pieces of the last rules, by what was asked of it."""


class Bases:
    """What answers rest on, as values: rules of one frame that have such a value in common give the
    same answer.
    """

    def __init__(self, compiled: Compiled) -> None:
        """What is printed on pieces, and how many deck lists count of them, is worked out once, and
        is the same object while it stays equal.
        """
        self.rules = rules = compiled.rules
        self.kept = compiled.memos.of(Prints)
        lists = tuple(
            (deck.name, deck.components, deck.counts, deck.players, deck.partial)
            for deck in rules.decks.values()
        )
        self.pieces = self._same(
            "pieces",
            (tuple((d.component, d.title, d.copies, d.clause) for d in rules.designs), lists),
        )
        self.prints = self._same("values", tuple(d.values for d in rules.designs))
        self.titled = all(
            d.title for d in rules.designs
        )  # what has no title is told by what is printed on it
        self.column = functools.cache(
            lambda name: self._same(
                f"field {name}", tuple(dict(d.values).get(name) for d in rules.designs)
            )
        )
        self.added = added_by_texts(rules)
        self.texts = {(d.component, d.title): d.sentences for d in rules.designs}
        self.there = functools.cache(
            lambda deck: [
                d
                for d, n in zip(
                    rules.designs, rules.copies_with(rules.decks.get(deck or "")), strict=True
                )
                if n
            ]
        )
        self.of = functools.cache(self._of)

    def _same(self, key: str, value: Hashable) -> Hashable:
        """The value, as the object it was the last time if it is equal: then nothing need be looked
        through to see that.
        """
        if key not in self.kept or self.kept[key] != value:
            self.kept[key] = value
        return self.kept[key]

    def _of(self, by: Dependencies, deck: str | None = None) -> Hashable:
        """What a question that goes by this rests on, asked of a game with a deck list or with
        none. Whose texts say nothing to it says the same.
        """
        if by.more:
            return (
                self.pieces,
                self.prints,
                tuple(self.texts.items()),
                tuple(d.nouns for d in self.rules.designs),
            )
        adding = {(e.component, e.title) for key in by.texts for e in self.added.get(key, ())}
        texts = tuple(
            (d.clause, d.sentences) for d in self.there(deck) if (d.component, d.title) in adding
        )
        whole = by.names or not self.titled  # what is named may be so by any field
        printed = self.prints if whole else tuple(self.column(name) for name in sorted(by.fields))
        return (
            self.pieces,
            printed,
            texts,
            tuple(d.nouns for d in self.there(deck)) if by.names else (),
        )
