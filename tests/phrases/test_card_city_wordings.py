"""What people write on homemade buildings of Card City XL: many wordings of one meaning, what is
not read as what it resembles, and what has two meanings.
"""

from __future__ import annotations

import functools

import pytest

from interpreter.game.loading import load_rules
from rulelang.phrases.readings import Glossary, Reading
from rulelang.ruleset.components import Design

TITLE = "Kiosk"
ALIKE = {  # one meaning each
    "Lose 1 VP for each adjacent industry.": (
        "Penalty of 1 VP for each neighboring Industry.",
        "In final scoring, 1 VP is deducted for each Industry touching the Kiosk.",
        "Your final score goes down by 1 for each Industry standing next to it.",
        "One point less in the final count for every Industry beside this card.",
        "For every adjacent Industry, subtract 1 Victory Point from your final score.",
    ),
    "Receive 3 VP.": (
        "Add 3 points to your final score.",
        "3 VP are awarded at the end of the game.",
        "When the game ends, its owner gains 3 VP.",
    ),
    "Receive 1 VP for each adjacent residence.": (
        "When the game ends, the owner of this card gets one point per neighboring Residence.",
        "One Victory Point is awarded for each Residence with which this card shares an edge.",
        "Add up the Residences next to it and take that many VP.",
    ),
    "+2 VP if it is next to a park.": (
        "+2 VP, but only with a Park next to it.",
        "The Kiosk scores 2 VP, but only with a Park as neighbor.",
    ),
    "May not be built next to an industry.": (
        "Building it adjacent to an Industry is forbidden.",
        "Keep it off spaces beside Industries when you construct it.",
        "You can construct this card provided that there isn't any Industry next to it.",
    ),
    "Costs $3 instead of $5.": (
        "To build it, you pay only $3 instead of $5.",
        "Its construction price is reduced from $5 to $3.",
        "Instead of $5, the construction of this card costs $3.",
    ),
    "Each industry you buy costs you $2 less.": (
        "When you buy an Industry, pay $2 less.",
        "Discount of $2 whenever you purchase an Industry.",
        "Each Industry bought by you is cheaper by 2 dollars.",
        "Your purchases of Industries cost $2 less each.",
    ),
    "Receive $2 each turn.": (
        "Phase 4: get $2 extra.",
        "Whenever you collect your revenue, collect $2 for this card.",
        "Each turn, gain $2 on top of your normal revenue.",
    ),
    "Counts as 2 culture buildings.": (
        "For the development of Residential Districts, this card counts as two Culture Buildings.",
        "During development, this Kiosk is considered to be two Culture Buildings.",
        "It provides 2 Culture Buildings toward the growth of any Residential District next to it.",
    ),
    "Counts as a leisure.": (
        "This card is both a Commerce and a Leisure.",
        "In addition to being a Commerce, this card counts as a Leisure.",
    ),
    "Supports 8 cards instead of 5.": (
        "8 cards, not 5, are supported by it.",
        "Your City Size Limit increases by 8 for this card, not by 5.",
    ),
}
APART = (  # not the same, and neither is read as the other
    (
        "$1 for each of these each turn.",
        "If you have parks in your city, $1 for each of them each turn.",
    ),
    ("Counts as 2 culture buildings.", "Counts as a leisure."),
    ("You may buy 2 industries each turn.", "You may buy 2 parks each turn."),
    ("You may buy 3 industries each turn instead of 1.", "You may buy 2 industries each turn."),
    ("+2 VP, but only with a park next to it.", "+2 VP, and it requires a park next to it."),
    (
        "You may not have more than one Kiosk in your city.",
        "Requires at most one Kiosk in your city.",
    ),
)
OF_TWO_MEANINGS = ("1 VP for any Residence card adjacent to it.",)
SAID_BEFORE = {  # what “each of them” is
    "If you have parks in your city, you get $1 for each of them each turn.": "parks in your city",
    "If there are parks next to it, you get 1 VP for each of them.": "parks next to it",
    "If parks are next to it, each of them brings 1 VP.": "parks next to it",
}


@functools.cache
def glossary() -> tuple[Glossary, Design]:
    """The wordings of the game, and a card of this title without a text."""
    sort = "sort: leisure\n  one_color: leisure\n  split: undivided"
    added = f'for card_city_xl\n\ncard "{TITLE}" of building\n  {sort}\n'
    loaded = load_rules("card_city_xl", added=[("c.rules", added)], checks=False, tests=False)
    (design,) = (one for one in loaded.compiled.rules.designs if one.title == TITLE)
    return Glossary(loaded.compiled.glossary.lexicon), design


def readings(text: str) -> tuple[Reading, ...]:
    words, design = glossary()
    return tuple(words.readings_if_any(text, design))


def meaning(text: str) -> object:
    """What a sentence of one meaning does."""
    (one,) = readings(text)
    return one.meaning


@pytest.mark.parametrize(
    ("said", "plain"), [(said, plain) for plain, others in ALIKE.items() for said in others]
)
def test_wordings_of_one_meaning(said: str, plain: str) -> None:
    assert meaning(said) == meaning(plain)


@pytest.mark.parametrize(("one", "other"), APART)
def test_what_only_looks_alike(one: str, other: str) -> None:
    assert meaning(one) != meaning(other)


@pytest.mark.parametrize("text", OF_TWO_MEANINGS)
def test_both_meanings_are_told(text: str) -> None:
    assert len(readings(text)) == 2


@pytest.mark.parametrize("text", SAID_BEFORE)
def test_each_of_them_is_what_was_spoken_of(text: str) -> None:
    """Not a copy of the card, which “of them” would be alone."""
    (one,) = readings(text)
    assert one.form is not None and f"each of the {SAID_BEFORE[text]}" in one.form.text
