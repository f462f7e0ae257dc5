"""A memo of advice: for other players or after an edit, only what may differ is asked anew."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import cast

from interpreter.game.advice import Advised, CardsTold, Told, advised, of_cards, place_of
from interpreter.game.game import Game
from interpreter.game.loading import Loaded
from interpreter.game.setup_laws import broken_laws
from interpreter.model.position import Position, empty_position
from rulelang.analysis.advice_deps import (
    Bases,
    Brought,
    Dependencies,
    OpenToTexts,
    Printed,
    Prints,
)
from rulelang.analysis.calls import Callee
from rulelang.analysis.own_looks import looks_at_one
from rulelang.analysis.reads import Reads
from rulelang.core.renaming import same_but_fresh_names
from rulelang.queries.database import Asked, Database, Query, Question
from rulelang.ruleset import Advice, Design, Extension, Noun, Ruleset
from rulelang.ruleset.parts import PartName, Parts, is_same_part

MAX_TOLD = 1 << 13  # cards, under settings, of which it is kept what advice says
Setting = tuple[str | None, int | None]  # a deck list and how many play, where that matters


class Answers(Query[tuple[int, Setting], tuple[Advised, ...]]):
    """What each piece of advice says under a setting."""

    counsel: Counsel | None = None  # none before anything is asked

    def __init__(self, database: Database) -> None:
        """Nothing was asked yet."""
        super().__init__(database)
        self.likely: dict[Noun, str] = {}  # which designs are what texts name, to be tried first

    def work(self, key: tuple[int, Setting]) -> tuple[Advised, ...]:
        """It is asked of a game that is set up so."""
        assert self.counsel is not None
        return self.counsel.asked(*key)


class OfCards(Query[int, CardsTold]):
    """What is told of cards, so far, by advice that looks at nothing but the card itself."""

    counsel: Counsel

    def work(self, key: int) -> CardsTold:
        """Nothing is known of any card yet, and all that will be holds as long as these rules."""
        self.counsel.regards(("advice", key))
        return {}


@dataclass(frozen=True, eq=False)
class Regard:
    """What rules regard besides all that they call; another one where any of these is another.

    What texts add to them is no part of it: of that each answer rests on what its own cards say.
    """

    by: Dependencies
    rules: tuple[Asked, ...] = ()  # what they call, and all else of the rules they rest on
    advice: Advice | None = None  # that it is of, if it is of any

    def is_like(self, other: Regard) -> bool:
        """Do rules regard the same, and are all that they call the very same as well?"""
        mine, theirs = self.rules, other.rules
        return (
            self.by == other.by
            and len(mine) == len(theirs)
            and all(a[0] is b[0] and a[1] is b[1] for a, b in zip(mine, theirs, strict=True))
        )

    def means_as(self, other: Regard) -> bool:
        """Is it of one piece of advice that regards the same and calls the same in two games?"""
        mine = {question.of[1]: answer for question, answer in self.rules}
        theirs = {question.of[1]: answer for question, answer in other.rules}
        every = ("advice", "")  # of which this piece is one
        mine.pop(every, None)
        theirs.pop(every, None)
        return (
            self.by == other.by
            and self.advice is not None
            and same_but_fresh_names(self.advice, other.advice, spans=False)
            and mine.keys() == theirs.keys()
            and all(is_same_part(part, theirs[name]) for name, part in mine.items())
        )


class Regards(Query[tuple[str, int], Regard]):
    """What a piece of "advice" or a "law" of the setup regards."""

    counsel: Counsel

    def __init__(self, database: Database) -> None:
        """Nothing was asked yet, and nothing compared with what the game without variants has."""
        super().__init__(database)
        self.compared: dict[int, tuple[Regard, Regard, bool]] = {}

    def work(self, key: tuple[str, int]) -> Regard:
        """It is looked for in all that it calls."""
        made = self.database.recorded(lambda: self.counsel.rules_of(*key))
        rules = tuple(one for one in made.asked if one[0].of[0] is Parts)
        what, number = key
        advice = self.counsel.rules.advice[number] if what == "advice" else None
        return Regard(self.database.rest_on(made), rules, advice)

    def same(self, one: Regard, other: Regard) -> bool:
        """Is it known of before, and the same? What was read from a cache is not known yet."""
        return isinstance(one, Regard) and one.is_like(other)


class LawsKept(Query[tuple[int, Setting], bool]):
    """Is a law of the setup kept under a setting?"""

    counsel: Counsel

    def work(self, key: tuple[int, Setting]) -> bool:
        """It is asked of a game that is set up so."""
        return self.counsel.kept(*key)


class Counsel:
    """The advice of the rules on a setup, for any number of players and any deck list."""

    def __init__(self, loaded: Loaded, make: Callable[[int, str | None], Game]) -> None:
        """Answers that still stand are not asked for again; games are made only for others."""
        self.loaded, self.rules = loaded, loaded.compiled.rules
        self.make = functools.cache(make)
        self.empty = functools.cache(self._empty)
        self.bases = Bases(loaded.compiled)
        self.regards = loaded.compiled.queries.of(Regards)
        self.answers = loaded.compiled.queries.of(Answers)
        self.laws = loaded.compiled.queries.of(LawsKept)
        self.of_cards = loaded.compiled.queries.of(OfCards)
        self.answers.counsel = self.laws.counsel = self.of_cards.counsel = self
        self.regards.counsel = self
        self.beside = _beside(loaded)
        self.game: tuple[int, str | None] = (0, None)  # of which the answer is asked

    @functools.cached_property
    def designs(self) -> dict[str, Design]:
        """Designs by their clauses."""
        return {design.clause: design for design in self.rules.designs}

    def said(self, players: int, deck: str | None, cards_only: bool = False) -> list[Advised]:
        """The advice on a game for so many players with a deck list, if the rules have lists."""
        return [
            item
            for number, advice in enumerate(self.rules.advice)
            if of_cards(advice) or not cards_only
            for item in self._said(number, players, deck)
        ]

    def allowed(self, players: int, deck: str | None) -> bool:
        """Do the laws of the setup allow a game for so many with a deck list?"""
        self.game = (players, deck)
        return all(self.laws((number, self._setting("law", number))) for number in self.lasting)

    @functools.cached_property
    def lasting(self) -> list[int]:
        """The numbers of the laws of the setup; first those that no card makes a difference to."""
        if not self.rules.invariants:
            return []
        laws = Reads(self.rules).laws
        found = [number for number, law in enumerate(self.rules.invariants) if law in laws]
        return sorted(found, key=lambda number: self.regards(("law", number)).by.pieces)

    def _setting(self, what: str, number: int) -> Setting:
        """As much of the game that is asked about as makes a difference."""
        by, (players, deck) = self.regards((what, number)).by, self.game
        looks = what == "advice" or by.pieces or bool(by.texts)
        return deck if looks else None, players if by.players else None

    def kept(self, number: int, setting: Setting) -> bool:
        """Is a law kept in the game that is asked about, as in each of this setting?"""
        self.bases.rest_on(self.regards(("law", number)).by, setting[0])
        return self.rules.invariants[number].clause not in broken_laws(self.make(*self.game))

    def _said(self, number: int, players: int, deck: str | None) -> list[Advised]:
        self.game = (players, deck)
        found = self.answers((number, self._setting("advice", number)))
        return [self._now(item, deck) for item in found]

    def asked(self, number: int, setting: Setting) -> tuple[Advised, ...]:
        """What advice says in the game that is asked about, as in each of this setting."""
        advice = self.rules.advice[number]
        self.bases.rest_on(self.regards(("advice", number)).by, setting[0])
        self.bases.rest_on_lists(setting[0])  # where rows are left out, that is told
        known = self._told_without_variants(number, setting)
        if known is not None:
            return known
        game, position = self.make(*self.game), self.empty(*self.game)
        game.setup.likely.update(self.answers.likely)
        told = self._told_of_cards(number, setting)
        found = tuple(advised(game, only=advice, position=position, told=told))
        self.answers.likely = game.setup.likely
        return found

    def _told_without_variants(self, number: int, setting: Setting) -> tuple[Advised, ...] | None:
        """What advice says in the game without variants, if all that this rests on is the same
        here.
        """
        counsel, advice = self.beside, self.rules.advice[number]
        there = counsel.numbers.get(advice.clause) if counsel is not None else None
        if counsel is None or there is None:
            return None
        found = counsel.answers.asked_for((there, setting))
        is_same = found is not None and all(
            self._rests_on_same(counsel, number, question, answer)
            for question, answer in found.asked
        )
        return found.answer if found is not None and is_same else None

    def _rests_on_same(
        self, other: Counsel, number: int, question: Question, answer: object
    ) -> bool:
        """Is what an answer of another counsel rests on the same here, of advice by its number?"""
        kind, key = question.of
        queries = self.loaded.compiled.queries
        if kind is Regards:
            return self._regards_same(number, other, cast("Regard", answer))
        if kind is Prints:
            return queries.of(Prints)(cast("Printed", key)) == answer
        if kind is Brought:
            brought, those = queries.of(Brought), cast("tuple[Extension, ...]", answer)
            return brought.same(brought(cast("tuple[Callee, str]", key)), those)
        if kind is Parts:
            return is_same_part(self.bases.parts(cast("PartName", key)), answer)
        if kind is OpenToTexts:
            return queries.of(OpenToTexts)(cast("str", key)) == answer
        return kind is OfCards  # it begins with nothing

    def _regards_same(self, number: int, other: Counsel, there: Regard) -> bool:
        """Does advice regard the same as it does in the game without variants, and call the same?

        Beside which other advice it stands does not matter.
        """
        here = self.regards(("advice", number))
        known = self.regards.compared.get(number)
        if known is None or known[:2] != (here, there):
            known = self.regards.compared[number] = here, there, here.means_as(there)
        return known[2]

    @functools.cached_property
    def numbers(self) -> dict[str, int]:
        """The numbers of all advice by its clauses."""
        return {advice.clause: number for number, advice in enumerate(self.rules.advice)}

    def _told_of_cards(self, number: int, setting: Setting) -> Told | None:
        """What is known of advice on each card, if it looks at nothing else."""
        if not _is_of_one_card(self.rules, self.rules.advice[number]):
            return None
        known, deck = self.of_cards(number), self.rules.decks.get(setting[0] or "")
        if len(known) > MAX_TOLD:
            known.clear()
        return Told(known, (setting[1], deck is not None and deck.partial))

    def rules_of(self, what: str, number: int) -> Dependencies:
        """Records the rules that advice or a law rests on; gives what else it regards."""
        if what == "advice":
            advice = self.rules.advice[number]
            self.bases.parts(("advice", ""))
            self.bases.parts(("clauses", advice.clause))
            return self.bases.rest_on_rules(_items(advice))
        self.bases.parts(("invariants", ""))
        law = self.rules.invariants[number]
        return self.bases.rest_on_rules((law.need, law.cond))

    def _empty(self, players: int, deck: str | None) -> Position:
        """The position of a game in which nothing has happened; all its advice shares its memos."""
        return empty_position(self.make(players, deck).setup, 0)

    def _now(self, item: Advised, deck: str | None) -> Advised:
        """The same advice at its present place, for an edit may have moved other cards."""
        design = self.designs[item.design.clause] if item.design is not None else None
        clause = self.rules.clauses[item.clause.id]
        return Advised(
            clause, design, replace(item.finding, span=place_of(self.rules, deck, clause, design))
        )


def _beside(loaded: Loaded) -> Counsel | None:
    """The counsel of the game without variants, where this is one with some and that was asked."""
    queries = loaded.kept.queries.get(frozenset()) if loaded.kept is not None else None
    if queries is None or queries is loaded.compiled.queries:
        return None
    return queries.of(Answers).counsel


def _items(advice: Advice) -> list[object]:
    """All that advice asks and says."""
    return [advice.each or (), advice.need, advice.cond, advice.says, advice.fixes]


def _is_of_one_card(rules: Ruleset, advice: Advice) -> bool:
    """Does it say the same of a card whatever others there are?"""
    if advice.each is None or not of_cards(advice):
        return False
    return looks_at_one(rules, advice.each[0], _items(advice)[1:])
