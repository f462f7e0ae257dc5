"""What advice and laws of the setup go by: the print of all pieces alone, or also who plays, what texts say, what texts name."""

from __future__ import annotations

import functools
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

from rulelang import core
from rulelang.builtins.record import Basis
from rulelang.builtins.registry import builtin
from rulelang.compiler.compiled import Compiled
from rulelang.core.types import KindT, PieceT, element
from rulelang.ruleset import Case, Extension, Line, Ruleset

_PLAIN = (
    core.Const,
    core.Var,
    core.Setting,
    core.Attribute,
    core.Titled,
    core.Arith,
    core.IfElse,
    core.Compare,
    core.Member,
    core.Not,
    core.All,
    core.Any,
    core.Exists,
    core.Forall,
    core.SetOf,
    core.SetOp,
    core.Range,
    core.Filter,
    core.Image,
    core.Best,
    core.Pick,
    Case,
    Line,
)


Added = dict[
    tuple[str, str], list[Extension]
]  # (sort, name of a definition or table) -> what texts add to it


@dataclass(frozen=True)
class Regards:
    """Besides the frame of the rules."""

    pieces: bool = False  # what pieces there are, or what is printed on them
    fields: frozenset[str] = frozenset()  # which of what is printed
    players: bool = False  # how many play
    texts: frozenset[tuple[str, str]] = (
        frozenset()
    )  # what texts add to these definitions and tables
    names: bool = False  # what texts name; whether it is there, any definition may say
    more: bool = False  # anything else


def regards(rules: Ruleset, items: Iterable[Any], added: Added | None = None) -> Regards:
    """What these expressions go by, through all they call; of what is not known to be still, all."""
    found = _Walk(rules, added_by_texts(rules) if added is None else added)
    for item in items:
        found.item(item)
    many = found.players or any(c.per_player for c in rules.components.values())
    return Regards(
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

    def item(self, item: Any) -> None:
        if isinstance(item, tuple):
            for part in item:
                self.item(part)
        elif isinstance(item, core.Apply | core.Total):
            name, kind = (
                (item.define, "define") if isinstance(item, core.Apply) else (item.table, "score")
            )
            self.item(item.args)
            if (kind, name) not in self.called:
                self.called.add((kind, name))
                parts = (
                    self.rules.definitions[name].cases
                    if kind == "define"
                    else self.rules.tables[name].lines
                )
                if any(
                    part.slot is not None
                    for whole in parts
                    for part in (whole, *getattr(whole, "inner", ()))
                ):
                    self.texts.add((kind, name))
                self.item(parts)
                for e in self.added.get((kind, name), ()):
                    self.item((e.cases, e.lines, e.cond))
        elif isinstance(item, core.Builtin):
            self.word(item)
            self.item(item.args)
        elif isinstance(item, _PLAIN):
            self.pieces = self.pieces or isinstance(
                item, core.Attribute | core.Titled | core.Setting
            )  # a deck list is a setting
            self.fields |= {item.name} if isinstance(item, core.Attribute) else set()
            for child in core.children(item):
                self.item(child)
        elif isinstance(item, core.Expr | core.Stmt):
            self.more = True

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


# ------------------------------------------------------------------------------------------------ what it went by, to be held against what is
class Bases:
    """What answers rest on, as values: rules of one frame that have such a value in common give the same answer."""

    def __init__(self, compiled: Compiled) -> None:
        """What is printed on pieces, and how many deck lists count of them, is worked out once, and is the same object while it stays equal."""
        self.rules = rules = compiled.rules
        self.remembered: dict[str, Hashable] = compiled.remembered.setdefault("prints", {})
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
        """The value, as the object it was the last time if it is equal: then nothing need be looked through to see that."""
        if key not in self.remembered or self.remembered[key] != value:
            self.remembered[key] = value
        return self.remembered[key]

    def _of(self, by: Regards, deck: str | None = None) -> Hashable:
        """What a question that goes by this rests on, asked of a game with a deck list or with none. Whose texts say nothing to it says the same."""
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
