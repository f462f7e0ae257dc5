"""What is offered in place of a sentence that is not read."""

from __future__ import annotations

import functools

import pytest

from interpreter.game.loading import load_rules
from rulelang.phrases.readings import Glossary
from rulelang.phrases.word_weights import counts_alike, denials
from tests.english.test_grove import GROVE

# sentences that are not read, with an offer that says what was meant
MEANT = {
    "It shall gain 2 points for each tree next to it.": "Gain 2 points for each tree next to it.",
    "+2 for each adjacent tree, or so we counted.": "+2 for each adjacent tree.",
    "+2 for each tre next to it.": "+2 for each tree next to it.",
    "Worthy of 1 point if there is no stone.": "Receive 1 point if there is no stone.",
    "+2 for each adjacent tree, whatever the age of a tree.": "+2 for each adjacent tree.",
    "+2 for each frightfully adjacent tree.": "+2 for each adjacent tree.",
    "+2 for each adjacent rtee.": "+2 for each adjacent tree.",
}


@functools.cache
def glossary() -> Glossary:
    return load_rules(str(GROVE), checks=False, tests=False).compiled.glossary


@pytest.mark.parametrize("text", MEANT)
def test_what_was_meant_is_offered(text: str) -> None:
    """It is read, and has the meaning of the sentence that was meant."""
    assert not glossary().readings_if_any(text)
    (meant,) = glossary().readings(MEANT[text])
    offers = glossary().offers.near(text)
    assert meant.meaning in [offer.reading.meaning for offer in offers]
    assert all(len(glossary().readings(offer.text)) == 1 for offer in offers)


@pytest.mark.parametrize(
    "text",
    ["May certainly not be planted next to a pond.", "Gain 3, certainly, if next to a pond."],
)
def test_no_offer_denies_or_counts_otherwise(text: str) -> None:
    """It has the denials and the numbers of what was written."""
    offers = glossary().offers.near(text)
    assert offers
    assert all(denials(offer.text) == denials(text) for offer in offers)
    assert all(("3" in offer.text) == ("3" in text) for offer in offers)


def test_what_has_nothing_in_common_is_not_offered() -> None:
    assert glossary().offers.near("Roses are red and violets are blue.") == []


@pytest.mark.parametrize(
    ("said", "text", "alike"),
    [
        ("3 points for every 2 trees.", "For every two trees three points.", True),
        ("Gain 2, and 5 at the end.", "Two, but at the end five.", True),
        ("Worth 2 points at least 8 trees away.", "8 points, beside at least two trees.", False),
        ("Worth 12 - 2.", "2, not 12.", False),
    ],
)
def test_numbers_are_not_exchanged(said: str, text: str, alike: bool) -> None:
    """They come in the order of the sentence, or each before the word that it stands before."""
    assert counts_alike(said, text) is alike
