"""What was once given a meaning not intended is read as meant, called ambiguous, or refused."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import pytest

from interpreter.game.loading import Loaded, load_rules
from rulelang.phrases.phrase import Reading
from rulelang.ruleset import Design
from tests.tools.corpus import STUBS

TITLES = ("Kiosk", "Playground", "School")
SAME = [
    # New coverage is counted in what is near, too.
    ("simcity", "Kiosk", "+$1 per block within 3 blocks (New Coverage Only).",
     "Receive $1 for each block within 3 blocks, New Coverage Only."),
    # What a relative clause says is said of the things, not of this card.
    ("simcity", "Kiosk", "$2 for every Forest or Lake within two blocks that isn't next to a Park.",
     "Receive $2 for each Forest or Lake within two blocks that is not adjacent to a Park."),
    ("simcity", "Kiosk", "Receive $2 for each block that is not a Park.",
     "Receive $2 for each block other than a Park."),
    # A condition of the moment of building holds no longer than that.
    ("card_city_xl", "Kiosk", "No industry may be next door when you construct this.",
     "Not next to an industry."),
    # “Each one” is what was spoken of before.
    ("the_city", "Playground", "If you have Schools, you receive 2 points for each one.",
     "If you have Schools, receive 2 points for each of the Schools."),
    # A second demand behind a comma is no case in which the first is asked.
    ("big_city", "Kiosk", "May only be built next to a park, but only in the center.",
     "May only be built next to a park, and only in the center."),
    # What is said of whoever builds it comes once, as “when you build it”.
    ("card_city_xl", "Kiosk", "Whoever builds it gets $2.", "When you build it, receive $2."),
    ("card_city_xl", "Kiosk", "The player who builds it loses $1.", "When you build it, lose $1."),
    ("card_city_xl", "Kiosk", "When constructed: each other player pays you $1.",
     "When built, each other player pays you $1."),
    ("simcity", "Kiosk", "The player who builds it gets 3 coins if the city has a Park.",
     "When you build it, receive 3 dollars if the city has a Park."),
    # A demand under its name is one of this card.
    ("big_city", "Kiosk", "Prerequisite: no adjacent factory.", "Requires no adjacent factory."),
    # Cards that are taken are drawn: they are nothing that costs less.
    ("simcity", "Kiosk", "Take 2 cards.", "Draw 2 cards."),
    # “More” is on top of what there is, and no value of its own.
    ("big_city", "Kiosk", "From now on, residences get 2 more points.",
     "All residences built later receive 2 more points."),
    ("big_city", "Kiosk", "Residences next to a park score 1 less from now on.",
     "All residences built next to a park later lose 1."),
    ("big_city", "Kiosk", "5 points next to a park, 2 points otherwise.",
     "5 points if next to a park, otherwise 2 points."),
    ("simcity", "Kiosk", "Earns $1 for every residential block within 5.",
     "Receive $1 for each residential block within 5 blocks."),
    ("simcity", "Kiosk", "Forests may never be rezoned while this is in the city.",
     "Forests may not be rezoned."),
    # What comes on top may go without the unit.
    ("the_city", "Kiosk", "2 points, and 3 more if you have a Mall.",
     "2 points, plus 3 points if you have a Mall."),
]  # fmt: skip
NOT_SAME = [
    ("simcity", "Kiosk", "Receive $1 for each block within 3 blocks, New Coverage Only.",
     "Receive $1 for each block within 3 blocks."),
    ("simcity", "Kiosk", "$2 for every Forest or Lake within two blocks that isn't next to a Park.",
     "Receive $2 for each Forest or Lake within two blocks if it is not next to a Park."),
    ("card_city_xl", "Kiosk", "No industry may be next door when you construct this.",
     "No industry may be next door."),
    ("card_city_xl", "Kiosk", "Whoever builds it gets $2.", "Receive $2 each turn."),
    ("big_city", "Kiosk", "Score 1 point for each of your residences next to a park.",
     "Score 1 point for each residence next to a park."),
    ("big_city", "Kiosk", "Each church is worth 2 more points from now on.",
     "Each church is worth 2 points from now on."),
    # What may be drawn need not be.
    ("the_city", "Kiosk", "When you build it, you may draw 1 card.",
     "When you build it, draw 1 card."),
    ("simcity", "Kiosk", "You may draw 2 cards.", "Draw 2 cards."),
    ("big_city", "Kiosk", "You may draw another card.", "Draw another card."),
]  # fmt: skip
REFUSED = [
    ("simcity", "Kiosk", "New Coverage Only."),
    ("simcity", "Kiosk", "Receive 1 for each Hotel, New Coverage Only."),
    ("simcity", "Kiosk", "Each other player may draw a card."),
    ("the_city", "Kiosk", "When built, each other player may draw 1 card."),
    ("the_city", "Kiosk", "When another player builds a Mall, its owner scores 1 point."),
    ("the_city", "Kiosk", "When another player builds a Mall, its builder draws 1 card."),
    ("the_city", "Kiosk",
     "In the round in which you build this, all other players receive one card less as income."),
    ("card_city_xl", "School", "2 points, provided the school touches it."),
    ("big_city", "Kiosk", "Covers 2 properties but costs only 1 property card."),
    ("big_city", "Kiosk", "May only be built after city hall with a park next to it."),
    # How often something is done limits no building; cards drawn are not only looked at.
    ("big_city", "Kiosk", "Once per game, draw an extra card."),
    ("big_city", "Kiosk", "Draw two cards from one stack."),
    ("card_city_xl", "Kiosk", "Take 2 cards."),
]  # fmt: skip
AMBIGUOUS = [
    ("big_city", "Kiosk", "2 points, and 3 if it is next to a park."),  # in all, or on top
    ("the_city", "Kiosk", "You pay one card less for every development with a show symbol."),
    ("card_city_xl", "Kiosk", "1 VP for each Residence around it."),
    ("simcity", "Kiosk", "Put it right by a Lake and pocket an additional $3!"),
]


@functools.cache
def loaded(game: str) -> Loaded:
    """The game with a card of each title that it has none of."""
    known = load_rules(game, checks=False, tests=False).compiled.glossary.lexicon.names_of_things
    cards = [f'card "{t}" of {STUBS[game]}' for t in TITLES if t.lower() not in known]
    text = "\n\n".join((f"for {game}", *cards)) + "\n"
    return load_rules(game, added=[("c.rules", text)], checks=False, tests=False)


def readings(game: str, title: str, text: str) -> Sequence[Reading]:
    """How the card of this title is read that says so."""
    compiled = loaded(game).compiled
    cards: dict[str, Design] = {card.title: card for card in compiled.rules.designs}
    return compiled.glossary.readings_if_any(text, cards.get(title))


@pytest.mark.parametrize(("game", "title", "said", "plain"), SAME)
def test_it_is_read_as_meant(game: str, title: str, said: str, plain: str) -> None:
    """In other words that leave nothing open it means the same."""
    (one,) = readings(game, title, said)
    (other,) = readings(game, title, plain)
    assert one.means_as(other)


@pytest.mark.parametrize(("game", "title", "said", "wrong"), NOT_SAME)
def test_it_is_not_read_otherwise(game: str, title: str, said: str, wrong: str) -> None:
    """What is left out in the other words is heard."""
    (one,) = readings(game, title, said)
    (other,) = readings(game, title, wrong)
    assert not one.means_as(other)


@pytest.mark.parametrize(("game", "title", "said"), REFUSED)
def test_what_has_no_place_is_refused(game: str, title: str, said: str) -> None:
    """Rather than read as something near it."""
    assert not readings(game, title, said)


@pytest.mark.parametrize(("game", "title", "said"), AMBIGUOUS)
def test_what_a_careful_reader_sees_twice_is_ambiguous(game: str, title: str, said: str) -> None:
    """Both meanings are shown."""
    assert len(readings(game, title, said)) == 2
