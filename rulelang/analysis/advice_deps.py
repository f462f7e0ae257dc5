"""Dependencies of advice and laws of the setup, so that answers may be kept while they are equal.

A question asked before play may depend on what is printed on all pieces alone, or also on how many
play, on what texts add, and on what texts name.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from rulelang import core
from rulelang.analysis.calls import Callee, body_of, callees
from rulelang.builtins.record import Basis
from rulelang.builtins.registry import builtin
from rulelang.compiler.compiled import Compiled
from rulelang.core.renaming import same_but_fresh_names
from rulelang.core.types import PLAYER, KindT, PieceT, element
from rulelang.core.values import Value
from rulelang.queries.database import Query
from rulelang.ruleset import Case, Definition, Design, Extension, Line, Ruleset
from rulelang.ruleset.parts import SETTING, Parts, recording

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
    names: bool = False  # what texts name; whether it is there, definitions say that it names
    more: bool = False  # anything else


def dependencies(
    rules: Ruleset,
    items: Iterable[object],
    added: Added | None = None,
    are_open: Callable[[], Iterable[str]] | None = None,
) -> Dependencies:
    """What these expressions depend on, through all they call; on anything, if it is not known.

    `are_open` tells which definitions texts may add to, where that need not be looked for.
    """
    are_open = are_open or functools.partial(_open_to_texts, rules.definitions)
    found = _Walk(rules, added_by_texts(rules) if added is None else added, are_open)
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


def _open_to_texts(definitions: Mapping[str, Definition]) -> Iterator[str]:
    """The names of the definitions that texts may add to."""
    for name, known in definitions.items():
        if any(case.slot is not None for case in known.cases):
            yield name


class _Walk:
    def __init__(self, rules: Ruleset, added: Added, are_open: Callable[[], Iterable[str]]) -> None:
        self.rules, self.added, self.are_open = rules, added, are_open
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
            self.texts |= {("define", name) for name in self.are_open()}
        elif basis is Basis.MEMBERS:
            member = element(item.type)
            # A board may be as large as there are players, or pieces.
            self.pieces = self.pieces or not (isinstance(member, KindT) or member == PLAYER)
            self.players = self.players or not isinstance(member, KindT | PieceT)
        elif basis is not Basis.ARGUMENTS:
            self.more = True


# ------------------------------------------------------ what it went by, to be held against what is
EVERY = "*"  # in place of a deck list: all cards there are
Printed = tuple[str, ...]
"""What is asked of the pieces: "pieces", "values" or a "field", each of those of a deck list if one
is named, or what texts say "there" or "nouns".
"""


class Prints(Query[Printed, Hashable]):
    """What is printed on the pieces, and what their texts say, by what is asked of it: a source."""

    bases: Bases

    def work(self, key: Printed) -> Hashable:
        """It is looked up among the cards."""
        return self.bases.printed(key)


class Brought(Query[tuple[Callee, str], tuple[Extension, ...]]):
    """What the texts of the cards of a deck list add to a definition or table; that follows from
    the rules and from what the texts say.
    """

    bases: Bases

    def work(self, key: tuple[Callee, str]) -> tuple[Extension, ...]:
        """It is looked up among what texts bring."""
        return self.bases.brought(*key)

    def same(self, one: tuple[Extension, ...], other: tuple[Extension, ...]) -> bool:
        """Do they bring the same, wherever they stand?"""
        return same_but_fresh_names(one, other, spans=False)


class OpenToTexts(Query[str, tuple[str, ...]]):
    """The names of those of the "definitions" that texts may add to."""

    def work(self, key: str) -> tuple[str, ...]:
        """They are looked for among all of them."""
        known = self.database.of(Parts)((key, ""))
        return tuple(_open_to_texts(dict(cast("tuple[tuple[str, Definition], ...]", known))))


_SETTING = (
    *("kinds", "pairs", "groups", "components", "boards"),
    *("options", "maps"),
)
_POSITION = ("places", "states")  # what positions hold, of which nothing is read unless it is known
_RULES = ("definitions", "tables", "events", "procedures", "reactions", "invariants", "latches")


class Bases:
    """What answers rest on besides the rules they call, as values that are recorded."""

    def __init__(self, compiled: Compiled) -> None:
        """Whatever is asked for is read of these rules."""
        self.rules = rules = compiled.rules
        self.prints, self.texts_bring = compiled.queries.of(Prints), compiled.queries.of(Brought)
        self.prints.bases = self.texts_bring.bases = self
        self.parts, self.open = compiled.queries.of(Parts), compiled.queries.of(OpenToTexts)
        self.noted = recording(self.parts)
        self.titled = all(
            d.title for d in rules.designs
        )  # what has no title is told by what is printed on it
        self.added = added_by_texts(rules)
        self.played = functools.cache(self._played)
        self.there = functools.cache(self._there)
        self.adding = functools.cache(self._bearers)

    def _there(self, deck: str) -> list[Design]:
        """The designs that are played under a deck list, or with "" under none."""
        return [design for design, _ in self.played(deck)]

    def _bearers(self, callee: Callee) -> frozenset[tuple[str, str]]:
        """The cards whose texts add to a definition or table, by component and title."""
        return frozenset((e.component, e.title) for e in self.added.get(callee, ()))

    @functools.cached_property
    def fields(self) -> dict[str, dict[str, Value]]:
        """What is printed on each design, by its clause and by field."""
        return {design.clause: dict(design.values) for design in self.rules.designs}

    def printed(self, key: Printed) -> Hashable:
        """What is printed on the pieces, and what their texts say, as a value."""
        rules = self.rules
        match key:
            case ("pieces", *deck):
                return self._pieces(deck)
            case ("values", *deck):
                return tuple(d.values for d, _ in self.played(*deck))
            case ("field", name, *deck):
                return tuple(self.fields[d.clause].get(name) for d, _ in self.played(*deck))
            case ("nouns", deck):
                return tuple(d.nouns for d in self.there(deck))
            case ("texts",):
                return tuple((d.component, d.title, d.sentences, d.nouns) for d in rules.designs)
            case ("there", kind, name, deck):
                return self._adding((kind, name), deck)
            case _:
                raise KeyError(key)

    def _played(self, deck: str | None = None) -> list[tuple[Design, int]]:
        """The designs that are played under a deck list with their copies, or all designs."""
        if deck is None:
            return [(design, design.copies) for design in self.rules.designs]
        copies = self.rules.copies_with(self.rules.decks.get(deck))
        return [(d, n) for d, n in zip(self.rules.designs, copies, strict=True) if n]

    def _pieces(self, deck: list[str]) -> Hashable:
        """What pieces there are, and how many the deck list counts of them, or each if none is
        named.
        """
        decks = self.rules.decks
        asked = [decks[name] for name in deck if name in decks] if deck else decks.values()
        lists = tuple(
            (deck.name, deck.components, deck.counts, deck.players, deck.partial) for deck in asked
        )
        pieces = tuple((d.component, d.title, n, d.clause) for d, n in self.played(*deck))
        return pieces, lists, self.titled

    def _adding(self, callee: Callee, deck: str) -> Hashable:
        """The cards of a deck list whose texts add to a definition or table, with what they say."""
        adding = self.adding(callee)
        if not adding:
            return ()
        cards = (d for d in self.there(deck) if (d.component, d.title) in adding)
        return tuple((d.clause, d.sentences) for d in cards)

    def brought(self, callee: Callee, deck: str) -> tuple[Extension, ...]:
        """What the texts of the cards of a deck list, or of every card, add to a definition or
        table.
        """
        if deck == EVERY:
            return tuple(self.added.get(callee, ()))
        found = self.added.get(callee, ())
        if not found:
            return ()
        there = {(d.component, d.title) for d in self.there(deck)}
        return tuple(e for e in found if (e.component, e.title) in there)

    def rest_on_lists(self, deck: str | None) -> None:
        """Record what pieces a deck list counts, and what is missing there."""
        self.prints(("pieces", deck or ""))

    def rest_on(self, by: Dependencies, deck: str | None = None) -> None:
        """Record what a question that goes by this rests on besides the rules it calls, asked of a
        game with a deck list or with none.
        """
        self.of(by, deck)
        for callee in sorted(by.texts):
            self.texts_bring((callee, deck or ""))
        for field in _RULES if by.more else ():
            self.parts((field, ""))
        if by.names and not by.more:
            self._rest_on_named(deck or "")

    def _rest_on_named(self, deck: str) -> None:
        """Record by what definitions something is what the texts of a deck list name, through all
        that these call.
        """
        named = {noun.define for design in self.there(deck) for noun in design.nouns}
        self.prints(("nouns", deck))
        fresh: list[Callee] = [("define", name) for name in named if name]
        called = set(fresh)
        while fresh:
            callee = fresh.pop()
            brought = [(e.cases, e.lines, e.cond) for e in self.added.get(callee, ())]
            for node in core.walk((body_of(self.noted, callee), brought)):
                more = [one for one in callees(node) if one not in called]
                called.update(more)
                fresh += more

    def rest_on_rules(self, items: Iterable[object]) -> Dependencies:
        """Record the rules that these expressions call; gives what else they depend on."""
        for field in _SETTING:
            self.parts((field, ""))
        self.parts(SETTING)
        by = dependencies(self.noted, items, self.added, lambda: self.open("definitions"))
        for field in _POSITION if by.more else ():
            self.parts((field, ""))
        for callee in sorted(by.texts):
            self.texts_bring((callee, EVERY))
        return by

    def of(self, by: Dependencies, deck: str | None = None) -> Hashable:
        """What a question that goes by this rests on, asked of a game with a deck list or with
        none. Whose texts say nothing to it says the same.
        """
        if not by.pieces and not by.texts:
            return ()
        played = () if deck is None else (deck,)
        asked: list[Printed] = [("pieces", *played)]
        if by.more:
            asked += [("values",), ("texts",)]
        else:
            whole = by.names or not self.titled  # what is named may be so by any field
            fields = sorted(by.fields)
            asked += [("values", *played)] if whole else [("field", f, *played) for f in fields]
            asked += [("there", *callee, deck or "") for callee in sorted(by.texts)]
            asked += [("nouns", deck or "")] if by.names else []
        return tuple(self.prints(key) for key in asked)
