"""Which cards speak of which: what a text names, who names a card, and who says the same."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

from interpreter.authoring.small_positions import named_by
from interpreter.game.game import Game
from rulelang.ruleset import Design, Noun

FEW_TITLES = 12  # of a noun so rare that its cards are put into a list
MOST_TITLES = 3  # of one noun, and of those who name a card
_NUMBER = re.compile(r"\d+")

Key = tuple[str, str]  # a component and a title


@dataclass
class Kinship:
    """What the cards of a game have to do with each other by their texts, before play."""

    game: Game
    known: dict[Noun, frozenset[Key]] = field(default_factory=dict)

    @cached_property
    def designs(self) -> dict[Key, Design]:
        """The cards with a title."""
        return {(d.component, d.title): d for d in self.game.rules_source.designs if d.title}

    def named(self, design: Design, rare: bool = True) -> set[Key]:
        """The cards that a text names, by nouns of few cards or by any."""
        found = set[Key]()
        for noun in design.nouns:
            keys = self._of(noun) if noun.asked else frozenset()
            if not rare or len(keys) <= FEW_TITLES:
                found |= keys
        return found

    def _of(self, noun: Noun) -> frozenset[Key]:
        if noun not in self.known:
            pieces = self.game.setup.pieces
            found = (pieces[p].design for p in named_by(self.game, noun))
            self.known[noun] = frozenset((d.component, d.title) for d in found)
        return self.known[noun]

    @cached_property
    def askers(self) -> dict[Key, list[Key]]:
        """For each card those that name it and make something of it, by rare nouns first."""
        found: dict[Key, list[tuple[int, int, Key]]] = {}
        for number, (key, design) in enumerate(self.designs.items()):
            if self._makes_something(design):
                for noun in design.nouns:
                    named = self._of(noun) if noun.asked else frozenset()
                    for other in named - {key}:
                        found.setdefault(other, []).append((len(named), number, key))
        return {
            other: list(dict.fromkeys(key for _, _, key in sorted(rows)))
            for other, rows in found.items()
        }

    def _makes_something(self, design: Design) -> bool:
        return design.clause in self._counting

    @cached_property
    def _counting(self) -> frozenset[str]:
        return frozenset(
            e.clause.partition("/")[0]
            for e in self.game.rules_source.extensions
            if e.kind != "define"
        )

    @cached_property
    def _saying(self) -> dict[str, list[Key]]:
        found: dict[str, list[Key]] = {}
        for key, design in self.designs.items():
            for sentence in design.sentences:
                found.setdefault(_NUMBER.sub("#", sentence), []).append(key)
        return found

    def mates(self, design: Design) -> list[Key]:
        """The cards of which a sentence says the same but for numbers."""
        own = (design.component, design.title)
        said = dict.fromkeys(_NUMBER.sub("#", s) for s in design.sentences)
        return [key for s in said for key in self._saying.get(s, ()) if key != own]

    def needed(self, design: Design) -> list[Key]:
        """The cards that a list needs beside one: what it names and those name in turn, and some
        that name it."""
        found: dict[Key, None] = {}
        fresh = [design]
        for _ in range(2):
            keys = [k for d in fresh for k in self._some_named(d) if k not in found]
            found |= dict.fromkeys(keys)
            fresh = [self.designs[k] for k in keys if k in self.designs]
        own = (design.component, design.title)
        found |= dict.fromkeys(self.askers.get(own, [])[:MOST_TITLES])
        found.pop(own, None)
        return list(found)

    def _some_named(self, design: Design) -> list[Key]:
        found: dict[Key, None] = {}
        for noun in design.nouns:
            keys = sorted(self._of(noun)) if noun.asked else []
            if len(keys) <= FEW_TITLES:
                found |= dict.fromkeys(keys[:MOST_TITLES])
        return list(found)
