"""Dependencies of a card's lints on other cards: their print, and what their texts add.

All of it is asked of a query, so that a result stands while what it depends on is equal.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable
from functools import cached_property

from rulelang.core.identity import IdentityMap
from rulelang.core.renaming import but_fresh_names, same_but_fresh_names
from rulelang.diagnostics.english import unmarked
from rulelang.queries.database import Database, Query
from rulelang.ruleset import Design, Extension, Ruleset

# The "designs" of a component, or what texts bring: "define" name place, "steps" of a procedure,
# "heard" of an event.
Source = tuple[str, ...]

# What is looked at of the designs of a component, one after another: a field, or else
TITLE = "the title"
CALLED = "is called "  # and what a title must be
BORNE = "is titled "  # and a title in lower case
BROUGHT = "brings to "  # and a definition with a place in it


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


class Adds(Query[tuple[str, str, str], bool]):
    """Does some text add just this to a definition, at a place in it?"""

    others: Others

    def work(self, key: tuple[str, str, str]) -> bool:
        """It is looked up among what texts bring."""
        define, slot, said = key
        return said in self.others.additions(define, slot)


class Additions(Query[tuple[str, str], tuple[object, ...]]):
    """All that texts add to a definition, at a place in it, each once; and roughly how much."""

    others: Others

    def work(self, key: tuple[str, str]) -> tuple[object, ...]:
        """It is looked up among what texts bring."""
        found = self.others.additions(*key)
        return (*sorted(set(found)), _roughly(len(found)))


class Looked(Query[tuple[str, str], bool]):
    """That something is looked at of all designs of a component. Of all that was looked at together
    `OtherRows` tells what it is.
    """

    def work(self, key: tuple[str, str]) -> bool:
        """It is so as soon as it is asked."""
        return True


Row = tuple[str, str]  # what is looked at of a design, and its clause; none if others are alike


class Rows(Query[tuple[str, tuple[str, ...]], tuple[Row, ...]]):
    """What designs of a component are like in all that is looked at, each once, in some order."""

    others: Others

    def __init__(self, database: Database) -> None:
        """Nothing was looked at yet."""
        super().__init__(database)
        # By component and what is looked at: what it is of each design, by the design's identity.
        self.seen: dict[tuple[str, str], dict[int, tuple[Design, str]]] = {}
        # What each addition of a text that was looked at is.
        self.added: IdentityMap[Extension, str] = IdentityMap()

    def work(self, key: tuple[str, tuple[str, ...]]) -> tuple[Row, ...]:
        """It is looked up among the cards."""
        return self.others.rows(*key)


class OtherRows(Query[tuple[str, tuple[str, ...], str], str]):
    """The same of the designs but one, by its clause, as a digest.

    What holds of each design, or of some, for what is looked at of it holds as long as this is the
    same, whatever designs come and go. How many there are counts only roughly.
    """

    def work(self, key: tuple[str, tuple[str, ...], str]) -> str:
        """It is made of the rows of all."""
        component, looked, clause = key
        rows = self.database.of(Rows)((component, looked))
        said = "\n".join(row for row, of in rows if of != clause)
        return _digest(said)


class Others:
    """All designs and what texts add to definitions; what is asked is recorded."""

    def __init__(self, rules: Ruleset, database: Database | None = None) -> None:
        """Nothing was asked yet."""
        self.rules = rules
        self.database = database or Database()
        self._said, self.meaning = self.database.of(Said), self.database.of(Meaning)
        self._rows, self._looked = self.database.of(Rows), self.database.of(Looked)
        self._adds, self._additions = self.database.of(Adds), self.database.of(Additions)
        self._said.others = self.meaning.others = self._rows.others = self
        self._adds.others = self._additions.others = self
        self._before, self._rows.added = self._rows.added, IdentityMap()
        self._open: set[tuple[str, str]] = set()  # what was asked of cards that are not known
        self._columns: dict[tuple[str, str], list[str]] = {}
        self._borne: dict[tuple[str, str, str, str], list[Extension]] = {}

    def _ask(self, source: Source) -> None:
        """Record that something is read, and of texts what they mean."""
        if not self.database.is_new(source):
            return
        said = self._said(source)
        if source[0] != "designs":
            assert isinstance(said, tuple)
            for component, title, _ in said:
                self.meaning((source, component, title))

    def designs(self, component: str) -> list[Design]:
        """The designs of a component, to be looked at one after another."""
        self._look(component, "")
        return self._designs.get(component, [])

    def look(self, design: Design, at: str) -> None:
        """Note that something is looked at of a design among all of its component."""
        self._look(design.component, at)

    def _look(self, component: str, at: str) -> None:
        if self.database.is_new(("look", component, at)):
            self._looked((component, at))

    def tell_apart(self) -> None:
        """Note that it matters which designs there are, even of those that are all alike, and all
        that texts add to what was asked.
        """
        for component in self._designs:
            self._ask(("designs", component))
        for at in sorted(self._open):
            self._ask(("define", *at))

    def rest_on_looks(self, clause: str) -> None:
        """Record what was looked at of all designs but one, which is known otherwise."""
        looked: dict[str, set[str]] = {}
        for component, at in self.database.asked_of(Looked):
            looked.setdefault(component, set()).add(at)
        for component, what in looked.items():
            self.database.of(OtherRows)((component, tuple(sorted(what)), clause))

    def rows(self, component: str, looked: tuple[str, ...]) -> tuple[Row, ...]:
        """What the designs of a component are like in what is looked at, and to an eighth how many
        there are: of many more some question might take too many steps.
        """
        designs = self._designs.get(component, [])
        columns = [self._column(component, at) for at in looked]
        found: dict[str, str] = {}
        for design, *row in zip(designs, *columns, strict=True):
            said = "\x1f".join(row)
            found[said] = design.clause if said not in found else ""
        return (*sorted(found.items()), (_roughly(len(designs)), ""))

    def _column(self, component: str, at: str) -> list[str]:
        """What is looked at of each design of a component."""
        if (component, at) not in self._columns:
            designs = self._designs.get(component, [])
            if at.startswith(BROUGHT):
                bringing = self._bringing
                found = [bringing.get((at, component, d.title), "") for d in designs]
            else:
                known = self._rows.seen.get((component, at), {})
                now = {id(d): known.get(id(d)) or (d, _seen(d, at)) for d in designs}
                self._rows.seen[component, at] = now
                found = [said for _, said in now.values()]
            self._columns[component, at] = found
        return self._columns[component, at]

    @cached_property
    def _bringing(self) -> dict[tuple[str, str, str], str]:
        """What a card adds to a place in a definition, whatever card it is."""
        found: dict[tuple[str, str, str], str] = {}
        for (define, slot), some in self._added.items():
            for e in some:
                key = f"{BROUGHT}{define} {slot}", e.component, e.title
                found[key] = found.get(key, "") + self._said_by(e)
        return found

    def added(self, define: str, slot: str, bearer: Design) -> list[Extension]:
        """What texts add to a definition at this place, as a card is played, without what applies
        only as another is. If nothing else applies there, all of it is what that card is like.
        """
        if (define, slot) in self._lasts:
            self._ask(("define", define, slot))
        self.look(bearer, f"{BROUGHT}{define} {slot}")
        key = (define, slot, bearer.component, bearer.title)
        if key not in self._borne:
            whole = self._added.get((define, slot), [])
            self._borne[key] = [
                e for e in whole if e.lifetime != "played" or (e.component, e.title) == key[2:]
            ]
        return self._borne[key]

    def some_added(
        self, define: str, slot: str, may: Callable[[Extension], bool]
    ) -> Extension | None:
        """The first of all that texts add to a definition at this place of which something may be
        so; as long as it is there, it does not matter what else is.
        """
        self._open.add((define, slot))
        for e in self._added.get((define, slot), ()):
            if may(e):
                if self.database.is_new(("adds", define, slot, self._said_by(e))):
                    self._adds((define, slot, self._said_by(e)))
                return e
        if self.database.is_new(("additions", define, slot)):
            self._additions((define, slot))
        return None

    def additions(self, define: str, slot: str) -> list[str]:
        """What each text adds to a definition at this place, whatever card it is on."""
        return [self._said_by(e) for e in self._added.get((define, slot), ())]

    def _said_by(self, e: Extension) -> str:
        """What an addition says, whatever card it is on."""
        known = self._rows.added.get(e)
        if known is None:
            said = self._before.get(e) or _digest(but_fresh_names((e.lifetime, e.cond, e.cases)))
            known = self._rows.added.keep(e, said)
        return known

    @cached_property
    def _lasts(self) -> frozenset[tuple[str, str]]:
        """Where texts add something for whichever card is played. What cards are like says so."""
        found = (at for at, some in self._added.items() for e in some if e.lifetime != "played")
        return frozenset(found)

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


def _digest(said: str) -> str:
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()


def _roughly(number: int) -> str:
    """A number, to an eighth."""
    size = number.bit_length()
    return f"{size} {number >> max(0, size - 4)}"


def _seen(design: Design, at: str) -> str:
    """What is looked at of a design, if that follows from what is printed on it."""
    if at == TITLE:
        return unmarked(design.title)
    if at.startswith(CALLED):
        return str(unmarked(design.title) == at.removeprefix(CALLED))
    if at.startswith(BORNE):
        borne = design.title.lower(), unmarked(design.title).lower()
        return str(at.removeprefix(BORNE) in borne)
    value = next((held for name, held in design.values if name == at), None)
    return repr(sorted(map(repr, value)) if isinstance(value, frozenset) else value)


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
