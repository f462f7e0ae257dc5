"""What a text calls its own card: its title, the end of that, or the word for such things."""

from __future__ import annotations

import pytest

from interpreter.game.loading import load_rules
from rulelang.phrases.own_names import in_short

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
    ],
)
def test_a_card_speaks_of_itself_in_short(text: str, read: bool) -> None:
    made = load_rules("tests/good/grove", added=[("willow.rules", CARD.format(text))])
    assert (not made.findings()) is read
