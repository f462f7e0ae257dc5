"""Which games can be begun, and how a form says what is wanted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from interpreter.bots.names import BOT_NAMES
from interpreter.game.catalog import Entry
from interpreter.studio.storage.store import PERSON, Settings
from rulelang.diagnostics.english import counted, ranged
from rulelang.ruleset import OPTION

MOST_SEATS = 8  # that a form offers where the rules set no end
NOBODY = ""


class Unclear(Exception):
    """A form that cannot be meant; says why."""


@dataclass(frozen=True)
class Offer:
    """A game that can be begun, by its number on the start page."""

    number: int
    rules: str  # its id, or the path of its rules
    entry: Entry

    @property
    def title(self) -> str:
        """The game's title."""
        return self.entry.title

    @property
    def low(self) -> int:
        """How many play at least."""
        return self.entry.players[0]

    @property
    def high(self) -> int:
        """How many play at most, here."""
        return self.entry.players[1] or max(MOST_SEATS, self.low)

    @property
    def options(self) -> dict[str, tuple[str | int, ...]]:
        """The options with their values, without the deck list."""
        return {name: values for name, values in self.entry.options.items() if name != OPTION}

    @property
    def said(self) -> str:
        """Who can play, and what can be chosen, in a line."""
        chosen = (
            (len(self.entry.variants), "variant"),
            (len(self.options), "option"),
            (len(self.entry.decks), "deck list"),
        )
        players = ranged(*self.entry.players, "player")
        return ", ".join([players, *(counted(n, word) for n, word in chosen if n)])

    def seats(self) -> list[str]:
        """Who sits where unless somebody says otherwise: a person against bots, as few as can."""
        taken = min(max(2, self.low), self.high)
        return [PERSON, *["greedy"] * (taken - 1), *[NOBODY] * (self.high - taken)]


def kinds() -> list[tuple[str, str]]:
    """What may sit in a seat, with its words."""
    bots = [(name, f"a bot: {name}") for name in BOT_NAMES]
    return [(PERSON, "a person"), *bots, (NOBODY, "nobody")]


def wanted(offer: Offer, form: Mapping[str, Sequence[str]]) -> tuple[Settings, tuple[str, ...]]:
    """The settings and seats that a form asks for; raises Unclear."""
    known = {kind for kind, _ in kinds()}
    seats = list(form.get("seat", ()))[: offer.high]
    if any(kind not in known for kind in seats):
        raise Unclear("that is nobody who could take a seat")
    taken = tuple(kind for kind in seats if kind != NOBODY)
    if not offer.low <= len(taken) <= offer.high:
        many = ranged(offer.low, offer.high, "player")
        raise Unclear(f"{offer.title} is for {many}, and {len(taken)} sit there")
    variants = tuple(dict.fromkeys(form.get("variant", ())))
    if not set(variants) <= {variant.id for variant in offer.entry.variants}:
        raise Unclear("there is no such variant")
    return Settings(offer.rules, len(taken), variants, _options(offer, form)), taken


def _options(offer: Offer, form: Mapping[str, Sequence[str]]) -> dict[str, str | int]:
    """The options that are set; raises Unclear for a value there is not."""
    allowed: dict[str, tuple[str | int, ...]] = dict(offer.options)
    if offer.entry.decks:
        allowed[OPTION] = tuple(deck.id for deck in offer.entry.decks)
    found: dict[str, str | int] = {}
    for name, values in form.items():
        option = name.removeprefix("option.")
        if option == name or not values or not values[0]:
            continue
        value = next((v for v in allowed.get(option, ()) if str(v) == values[0]), None)
        if value is None:
            raise Unclear(f"there is no such value of {option}")
        found[option] = value
    return found
