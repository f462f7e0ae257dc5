"""A text read as on a card of a title: one that is given, or the one that the text calls its own.

Who writes a text for a card calls it by its title. Where no card of the game is called so, the text
is read as on a card that is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from interpreter.game.loading import Loaded
from rulelang.phrases.proper_names import limited_titles, unknown_names
from rulelang.ruleset import Design

_POINTING = re.compile(r"\b(?:the|this) ", re.IGNORECASE)


@dataclass(frozen=True)
class OwnCard:
    """A card that a text is read on, and the game with its title."""

    loaded: Loaded
    design: Design

    def read(self, texts: Sequence[str]) -> int:
        """How many of these sentences have a meaning on this card."""
        glossary = self.loaded.compiled.glossary
        return sum(bool(glossary.readings_if_any(text, self.design)) for text in texts)


def on_card(loaded: Loaded, title: str, texts: Sequence[str]) -> OwnCard | None:
    """The card of this title, or of the kind that reads most of these sentences if there is none.

    None in a game whose pieces have no titles.
    """
    cards = list(_cards(loaded, title))
    return (
        max(cards, key=lambda card: card.read(texts)) if len(cards) > 1 else next(iter(cards), None)
    )


def supposed(loaded: Loaded, texts: Sequence[str]) -> OwnCard | None:
    """The card that a text speaks of as its own, where more of its sentences are read on that.

    It bears a name in the text that the game has not; where there is none, it is any card that is
    called by the word for such cards, or that of a title which the game has and the text names as
    the only one. None if it may be several cards, or none.
    """
    lexicon = loaded.compiled.glossary.lexicon
    before = sum(bool(loaded.compiled.glossary.readings_if_any(text)) for text in texts)
    if before == len(texts):
        return None
    said = " ".join(texts)
    names = unknown_names(said, lexicon)
    found = [card for titles in names if (card := _best(loaded, titles, texts, before))]
    if not names and _POINTING.search(said):
        card = _best(loaded, ("",), texts, before)
        if card is not None:
            return card
    if not names:
        known = limited_titles(said, lexicon)
        found = [card for title in known if (card := _best(loaded, (title,), texts, before))]
    most = max((card.read(texts) for card in found), default=0)
    best = [card for card in found if card.read(texts) == most]
    return best[0] if len(best) == 1 else None


def _best(
    loaded: Loaded, titles: Sequence[str], texts: Sequence[str], before: int
) -> OwnCard | None:
    """The card of the first of these titles on which more sentences are read than before."""
    for title in titles:
        card = on_card(loaded, title, texts)
        if card is not None and card.read(texts) > before:
            return card
    return None


def _cards(loaded: Loaded, title: str) -> Iterator[OwnCard]:
    """The card of a title, or one of each kind of cards that may have it, the usual ones first."""
    rules = loaded.compiled.rules
    known = [d for d in rules.designs if title and d.title.lower() == title.lower()]
    if known:
        yield OwnCard(loaded, known[0])
        return
    titled = [design for design in rules.designs if design.title]
    bearing = [design for design in titled if design.text] or titled
    for component, _ in Counter(design.component for design in bearing).most_common():
        if not title:
            yield OwnCard(loaded, Design("", component, (), 1, ""))
            continue
        make = partial(loaded.compiled.glossary.with_title, title, component)
        compiled = replace(loaded.compiled, make_glossary=make)
        yield OwnCard(replace(loaded, compiled=compiled), Design(title, component, (), 1, ""))
