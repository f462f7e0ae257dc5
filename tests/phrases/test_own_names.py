"""What a text calls its own card: its title, the end of that, or the word for such things."""

from __future__ import annotations

import pytest

from interpreter.game.loading import load_rules
from rulelang.phrases.own_names import as_subject, in_short, with_it_for_kind

NAMES, EPITHETS = ("tree", "pool", "house"), ("little", "nice", "new")


@pytest.mark.parametrize(
    ("title", "text", "said"),
    [
        ("Clinic", "The little clinic costs 3.", "It costs 3."),
        ("ice-cream stand", "2 from this nice, little ice-cream stand.", "2 from it."),
        ("Country house", "A park beside this house.", "A park beside it."),
        ("Country house", "A park beside the house.", "A park beside the house."),  # or another one
        ("Swimming hall", "The hall's neighbors.", "Its neighbors."),
        ("Oak", "This tree is worth 3.", "It is worth 3."),
        ("Oak", "The tree is worth 3.", "The tree is worth 3."),
        ("Oak", "This treehouse is worth 3.", "This treehouse is worth 3."),
        ("Oak", "The rotten oak falls.", "The rotten oak falls."),
        ("Spa", "The \u017fpa costs 3.", "It costs 3."),  # the long s is an s
    ],
)
def test_a_name_for_this_card_is_it(title: str, text: str, said: str) -> None:
    """What other things are called, too, is this card only after “this”; no word is dropped."""
    found = in_short(text, title, NAMES, EPITHETS)
    assert len(found) == len(text)
    assert " ".join(found.split()).replace(" .", ".").lower() == said.lower()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Oak: 3 points.", "3 points."),
        ("An oak's value is 3.", "its value is 3."),
        ("Oak gives 3.", "it gives 3."),
        ("+2 next to an oak.", "+2 next to an oak."),  # another one
        ("Oakwood gives 3.", "Oakwood gives 3."),
    ],
)
def test_a_title_at_the_beginning_is_this_card(text: str, said: str) -> None:
    assert " ".join(as_subject(text, "Oak").split()) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The plant's value is 3.", "Its value is 3."),
        ("2 if the plant is by a pond.", "2 if it is by a pond."),
        ("2 for each plant by the plant.", "2 for each plant by the plant."),  # which of them?
    ],
)
def test_the_sort_of_a_card_is_this_card_if_it_speaks_of_no_other(text: str, said: str) -> None:
    assert " ".join(with_it_for_kind(text, "plant").split()).lower() == said.lower()


def test_words_unknown_to_the_game_stand_before_a_name_of_this_card() -> None:
    """But only after “this”: behind “the” they may tell one thing from another."""
    said = "This smelly tree costs 3, the smelly oak 4."
    found = in_short(said, "Oak", NAMES, (), {"smelly"})
    assert " ".join(found.split()) == "it costs 3, the smelly oak 4."


CARD = """for grove

card "Crooked willow" of plant
  what: tree
  text
    | {}
"""


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("The little willow gives 2 points if it is next to a pond.", True),
        ("Whoever builds it receives 2 points.", True),
        ("The shrub gives 2 points.", False),
        ("A crooked willow gives 2 points.", True),
        ("The plant gives 2 points.", True),
    ],
)
def test_a_card_speaks_of_itself_in_short(text: str, read: bool) -> None:
    made = load_rules("tests/good/grove", added=[("willow.rules", CARD.format(text))])
    assert (not made.findings()) is read
