"""Everyday wordings on a card of Big City: each means what a plain sentence does, and no more."""

from __future__ import annotations

import functools

import pytest

from interpreter.game.loading import load_rules
from rulelang.phrases.readings import Glossary
from rulelang.ruleset import Design

CARD = 'for big_city\n\ncard "Kiosk" of building\n  class: special\n  form: "X"\n'

ALIKE = (
    ("There is a penalty of 3 if a factory borders on it.", "Lose 3 if adjacent to a factory."),
    ("2 points are added for an adjacent park, but no more than once.", "+2 beside a park."),
    ("A factory beside it lowers its value by 3.", "Lose 3 if adjacent to a factory."),
    ("Place it by a park and you earn 2 points.", "+2 beside a park."),
    ("The Kiosk doubles its value if a streetcar runs along it.", "Doubled beside a streetcar."),
    ("Score 7 points when you place it; bonuses come on top.", "Worth 7."),
    ("Its value is 12 and never changes.", "Always worth 12."),
    ("12 points, no bonus, no penalty, no doubling.", "Always worth 12."),
    ("Without two neighboring residences you may not place it.", "Needs 2 adjacent residences."),
    (
        "Provided two residences or more are adjacent, it can be built, otherwise not.",
        "Needs 2 adjacent residences.",
    ),
    ("Building it by a factory is forbidden.", "Not next to a factory."),
    ("It may be placed anywhere except next to a factory.", "Not next to a factory."),
    ("As long as there is no park, it can't be placed.", "May only be built if there is a park."),
    ("Placement is permitted only on the outskirts.", "Only on the outskirts."),
    ("It must be on the outskirts, otherwise it can't be placed.", "Only on the outskirts."),
    ("You get 1 extra point for each residence that borders on it.", "+1 per adjacent residence."),
    (
        "When a residence is built beside this building, its value rises by two.",
        "Residences built next to it: +2.",
    ),
    ("Businesses built next to it: x2.", "A business that is built beside it counts double."),
    ("When you place this one next to a park, score 2.", "When you place it by a park, score 2."),
    ("After you build this one, score 2.", "After you build this, score 2."),
    ("If a business is built next to it, its value is doubled.", "Doubles adjacent businesses."),
    (
        "May be placed unless its neighborhood has one already.",
        "May not be built if its neighborhood has one.",
    ),
    ("An opponent builds a church: you get 2 points.", "+2 each time an opponent places a church."),
    ("2 points are deducted from everybody else.", "All other players lose 2 points."),
    # An amount behind another comes on top of it, if it is said to; else it is so much instead.
    ("2 points, and 3 more beside a park.", "2 points, plus 3 if adjacent to a park."),
    ("2 points, 3 beside a park.", "2 points, or 3 beside a park."),
    ("Worth 3 and another 2 if a park is adjacent.", "Worth 3, plus 2 if a park is adjacent."),
    ("2 points, plus 1 more for each adjacent park.", "2 points plus 1 for each adjacent park."),
    ("Gives 2 points, or 4 next to a park.", "2 points, or 4 beside a park."),
    # What others get, and what they bring
    ("Businesses next to it gain 2 points.", "Businesses built next to it get 2 points more."),
    ("Adjacent parks add 2 points.", "+2 per adjacent park."),
    ("Later parks and homes beside it lose 1.", "Parks and homes built next to it later lose 1."),
    # The card by its title
    ("Kiosk scores 2 points.", "It scores 2 points."),
    ("The player gets 2 points.", "It scores 2 points."),
    ("Your Kiosk gives 1 point for each adjacent park.", "+1 per adjacent park."),
    ("When you build a Kiosk, you get 2 points.", "When you build it, you get 2 points."),
    ("You get 2 points from it.", "You get 2 points."),
    ("Gives 4, and one more for each adjacent park.", "4 plus 1 for each adjacent park."),
    ("Building the Kiosk gives you 2 points.", "When you build it, you get 2 points."),
    ("Put it next to a park or not at all.", "Must be built next to a park."),
    ("Anywhere except next to a factory.", "Not next to a factory."),
    ("+2 if park adjacent.", "+2 if a park is adjacent."),
    ("+2 as long as a park is next to it.", "+2 if a park is adjacent."),
)


@functools.cache
def on_a_card() -> tuple[Glossary, Design]:
    """The glossary of the game, and a card that says nothing yet."""
    loaded = load_rules("big_city", added=[("kiosk.rules", CARD)], checks=False, tests=False)
    kiosk = next(one for one in loaded.compiled.rules.designs if one.title == "Kiosk")
    return loaded.compiled.glossary, kiosk


@pytest.mark.parametrize(("said", "plain"), ALIKE)
def test_it_has_the_one_meaning_of_a_plain_sentence(said: str, plain: str) -> None:
    glossary, kiosk = on_a_card()
    (one,), (other,) = glossary.readings(said, kiosk), glossary.readings(plain, kiosk)
    assert one.means_as(other)


@pytest.mark.parametrize(
    "said",
    [
        "Riverside: +2 points.",  # an unknown name is no reason
        "It is built by another player: +2.",
        "Beside a park; +2.",  # what a semicolon keeps apart is no condition
    ],
)
def test_what_says_something_is_not_left_out(said: str) -> None:
    glossary, kiosk = on_a_card()
    assert not glossary.readings_if_any(said, kiosk)


def test_one_thing_before_a_colon_is_its_presence_or_each_of_them() -> None:
    glossary, kiosk = on_a_card()
    assert len(glossary.readings("Park adjacent: +2.", kiosk)) > 1
    assert len(glossary.readings("Park adjacent: +2 (once).", kiosk)) == 1


def test_not_here_and_there_are_two_demands() -> None:
    """“Not in the center” does not say when the rest is asked."""
    glossary, kiosk = on_a_card()
    (one,) = glossary.readings("Not in the city center; it must be on the outskirts.", kiosk)
    assert all(rule.cond is None for part in one.meaning for rule in part.rules)
    assert sum(len(part.rules) for part in one.meaning) == 2


def test_you_may_be_who_has_the_card_or_whoever_builds() -> None:
    """Where more is said to be got, the value of what is built may be meant."""
    glossary, kiosk = on_a_card()
    told = "If you place a residence next to it, you earn 2 additional points."
    assert len(glossary.readings(told, kiosk)) == 2
