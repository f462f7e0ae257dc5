"""Dependencies of a card's lints on other cards: their print, and what their texts add.

All of it is asked of a query, so that a result stands while what it depends on is equal.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property

from rulelang.core.renaming import same_but_fresh_names
from rulelang.queries.database import Database, Query
from rulelang.ruleset import Design, Extension, Ruleset

# The "designs" of a component, a "field" of it, or what texts bring: "define" name place, "steps"
# of a procedure, "heard" of an event.
Source = tuple[str, ...]


class Said(Query[Source, Hashable]):
    """What cards say there, as a value: while it is the same, so is all that follows from it."""

    others: Others

    def work(self, key: Source) -> Hashable:
        """It is looked up among the cards."""
        return self.others.said(key)


class Meaning(Query[tuple[Source, str, str], tuple[Extension, ...]]):
    """What the texts of a card mean there, by a source or none, its component and its title; that
    the rules decide alone.
    """

    others: Others

    def work(self, key: tuple[Source, str, str]) -> tuple[Extension, ...]:
        """It is looked up among what texts bring."""
        return self.others.meant(*key)

    def same(self, one: tuple[Extension, ...], other: tuple[Extension, ...]) -> bool:
        """Do they mean the same, wherever they stand?"""
        return same_but_fresh_names(one, other, spans=False)


class Others:
    """All designs and what texts add to definitions; what is asked is recorded."""

    def __init__(self, rules: Ruleset, database: Database | None = None) -> None:
        """Nothing was asked yet."""
        self.rules = rules
        self.database = database or Database()
        self._said, self.meaning = self.database.of(Said), self.database.of(Meaning)
        self._said.others = self.meaning.others = self
        self._borne: dict[tuple[str, str, str, str], list[Extension]] = {}

    def _ask(self, source: Source) -> None:
        """Record that something is read, and of texts what they mean."""
        if not self.database.is_new(source):
            return
        said = self._said(source)
        if source[0] not in ("designs", "field"):
            assert isinstance(said, tuple)
            for component, title, _ in said:
                self.meaning((source, component, title))

    def designs(self, component: str) -> list[Design]:
        """The designs of a component."""
        self._ask(("designs", component))
        return self._designs.get(component, [])

    def printed(self, design: Design, field: str) -> None:
        """Note that a field of a design is read."""
        self._ask(("field", design.component, field))

    def added(self, define: str, slot: str, bearer: Design | None = None) -> list[Extension]:
        """What texts add to a definition at this place.

        Given the card that is played, that is without what applies only as another is played.
        """
        self._ask(("define", define, slot))
        whole = self._added.get((define, slot), [])
        if bearer is None:
            return whole
        key = (define, slot, bearer.component, bearer.title)
        if key not in self._borne:
            self._borne[key] = [
                e for e in whole if e.lifetime != "played" or (e.component, e.title) == key[2:]
            ]
        return self._borne[key]

    def done(self, target: str) -> None:
        """Note that it is asked what an event or a procedure does: who waits for the one, and what
        texts bring into the other.
        """
        self._ask(("heard", target))
        self._ask(("steps", target))

    def heard(self, event: str) -> bool:
        """Does some text wait for an event?"""
        return bool(self._adding.get(("heard", event)))

    def said(self, source: Source) -> Hashable:
        """What was read there, as a value: while it is the same, so is all that follows from it."""
        if source[0] == "designs":
            return tuple((d.title, d.clause) for d in self._designs.get(source[1], ()))
        if source[0] == "field":
            return tuple(dict(d.values).get(source[2]) for d in self._designs.get(source[1], ()))
        found: dict[tuple[str, str], list[str]] = {}
        for e in self._adding.get(source, ()):
            found.setdefault((e.component, e.title), []).append(self._sentence(e))
        return tuple((*card, tuple(sentences)) for card, sentences in found.items())

    def meant(self, source: Source, component: str, title: str) -> tuple[Extension, ...]:
        """What the texts of a card bring there, or anywhere where no source is given."""
        whole = self._of_card.get((component, title), ())
        return tuple(e for e in whole if source in ((), _source(e)))

    def _sentence(self, e: Extension) -> str:
        """The sentence that brings something."""
        label = self.rules.clauses[e.clause].label if e.clause in self.rules.clauses else ""
        number = label.removeprefix("sentence ")
        design = self._by_title.get((e.component, e.title))
        if design is None or not number.isdecimal() or int(number) > len(design.sentences):
            return label
        return design.sentences[int(number) - 1]

    @cached_property
    def _by_title(self) -> dict[tuple[str, str], Design]:
        return {(d.component, d.title): d for d in self.rules.designs}

    @cached_property
    def _designs(self) -> dict[str, list[Design]]:
        found: dict[str, list[Design]] = {}
        for design in self.rules.designs:
            found.setdefault(design.component, []).append(design)
        return found

    @cached_property
    def _added(self) -> dict[tuple[str, str], list[Extension]]:
        found: dict[tuple[str, str], list[Extension]] = {}
        for e in self.rules.extensions:
            if e.kind == "define":
                found.setdefault((e.target, e.slot), []).append(e)
        return found

    @cached_property
    def _adding(self) -> dict[Source, list[Extension]]:
        """What texts bring, by where."""
        found: dict[Source, list[Extension]] = {}
        for e in self.rules.extensions:
            at = _source(e)
            if at is not None:
                found.setdefault(at, []).append(e)
        return found

    @cached_property
    def _of_card(self) -> dict[tuple[str, str], list[Extension]]:
        found: dict[tuple[str, str], list[Extension]] = {}
        for e in self.rules.extensions:
            found.setdefault((e.component, e.title), []).append(e)
        return found


def _source(e: Extension) -> Source | None:
    """Where an addition is read by the lints of other cards; none if nowhere."""
    match e.kind:
        case "define":
            return ("define", e.target, e.slot)
        case "steps":
            return ("steps", e.target)
        case "reaction":
            return ("heard", e.target if e.reaction is None else e.reaction.event)
        case _:
            return None
