"""A memo of advice: for other players or after an edit, only what may differ is asked anew."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace

from interpreter.game.advice import Advised, advised, of_cards, place_of
from interpreter.game.game import Game
from interpreter.game.loading import Loaded
from interpreter.game.setup_laws import broken_laws
from interpreter.model.position import Position, empty_position
from rulelang.analysis.advice_deps import Bases, Dependencies, dependencies
from rulelang.ruleset import Advice, Design


@dataclass(frozen=True)
class Asked:
    """What a question goes by, what that was when it was asked, and the answer."""

    by: Dependencies
    basis: Hashable
    answer: tuple[Advised, ...]


class Answers(dict[Hashable, Asked]):
    """The questions asked last, by the advice and the setting."""


class LawsKept(dict[Hashable, tuple[Hashable, bool]]):
    """By the setting: what the laws of the setup go by, and whether all were kept."""


class Counsel:
    """The advice of the rules on a setup, for any number of players and any deck list."""

    def __init__(self, loaded: Loaded, make: Callable[[int, str | None], Game]) -> None:
        """Answers of rules with the same frame are remembered; games are made only for others."""
        self.loaded, self.rules = loaded, loaded.compiled.rules
        self.make = functools.cache(make)
        self.empty = functools.cache(self._empty)
        self.bases = Bases(loaded.compiled)
        self.regards = functools.cache(self._regards)
        self.known = loaded.compiled.memos.of(Answers)
        self.laws = loaded.compiled.memos.of(LawsKept)

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
        if not self.rules.invariants:
            return True
        by = dependencies(
            self.rules, [(law.need, law.cond) for law in self.rules.invariants], self.bases.added
        )
        key, basis = (
            (deck if by.pieces else None, players if by.players else None),
            (by, self.bases.of(by, deck if by.pieces else None)),
        )
        known = self.laws.get(key)
        if known is None or known[0] != basis:
            known = self.laws[key] = (basis, not broken_laws(self.make(players, deck)))
        return known[1]

    def _said(self, number: int, players: int, deck: str | None) -> list[Advised]:
        by = self.regards(number)
        key = (number, deck, players if by.players else None)
        known = self.known.get(key)
        basis = self.bases.of(by, deck)
        if known is None or known.by != by or known.basis != basis:
            game = self.make(players, deck)
            known = self.known[key] = Asked(
                by,
                basis,
                tuple(
                    advised(
                        game, only=self.rules.advice[number], position=self.empty(players, deck)
                    )
                ),
            )
        return [self._now(item, deck) for item in known.answer]

    def _empty(self, players: int, deck: str | None) -> Position:
        """The position of a game in which nothing has happened; all its advice shares its memos."""
        return empty_position(self.make(players, deck).setup, 0)

    def _regards(self, number: int) -> Dependencies:
        advice: Advice = self.rules.advice[number]
        return dependencies(
            self.rules,
            [advice.each or (), advice.need, advice.cond, advice.says, advice.fixes],
            self.bases.added,
        )

    def _now(self, item: Advised, deck: str | None) -> Advised:
        """The same advice at its present place, for an edit may have moved other cards."""
        design = self.designs[item.design.clause] if item.design is not None else None
        clause = self.rules.clauses[item.clause.id]
        return Advised(
            clause, design, replace(item.finding, span=place_of(self.rules, deck, clause, design))
        )
