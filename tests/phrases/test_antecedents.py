"""“It” in a condition is what its sentence speaks of, and the card only where that is plain."""

from __future__ import annotations

import re

import pytest

from interpreter.authoring.explain_card import explain
from interpreter.game.loading import Loaded, load_rules
from rulelang.phrases.antecedents import other_antecedent, with_several_named

THINGS = {"tree", "old tree", "pond"}


@pytest.mark.parametrize(
    ("text", "said", "as_relative"),
    [
        (
            "Each tree counts 2 if it touches a pond.",
            "each tree",
            "Each tree that touches a pond counts 2.",
        ),
        (
            "An old tree counts 2, provided that it is alone, at the end.",
            "an old tree",
            "An old tree that is alone counts 2, at the end.",
        ),
        ("Each tree counts 2 if a pond touches it.", "each tree", None),
        ("When you build a tree, add 2 if it touches a pond.", "a tree", None),
        ("When a tree is built, add 2 if it touches a pond.", "a tree", None),
        (
            "Every tree scores 1 when it is built.",
            "every tree",
            "Every tree that is built scores 1.",
        ),
        (
            "If you have a tree, its points count twice.",
            "a tree",
            "the points of your tree count twice.",
        ),
        ("Got a tree? Its points count twice.", "a tree", "the points of your tree count twice."),
    ],
)
def test_it_is_what_the_sentence_speaks_of(text: str, said: str, as_relative: str | None) -> None:
    """A condition of it is said as a relative clause where that says the same."""
    found = other_antecedent(text, THINGS.__contains__)
    assert found is not None
    assert (found.said, found.as_relative) == (said, as_relative)


@pytest.mark.parametrize(
    "text",
    [
        "Trees count 2 if it touches a pond.",  # they are many
        "Add 2 for each tree if it touches a pond.",
        "If it touches a pond, each tree counts 2.",
        "If a tree touches it, add 2.",
        "Each opponent loses 1 if it touches a pond.",
        "Each tree counts 2 if it         touches a pond.",  # stands for a title of so many letters
        "Each tree counts 2 as long as it stands.",
        "Discard a tree when you build it.",
        "Each tree beside it counts 2.",
        "If you have a tree beside it, its points count twice.",
    ],
)
def test_it_is_the_card(text: str) -> None:
    """What is no single thing, comes later or cannot be meant is not what “it” means."""
    assert other_antecedent(text, THINGS.__contains__) is None


@pytest.fixture(scope="module")
def big_city() -> Loaded:
    return load_rules("big_city", checks=False, tests=False)


def read(loaded: Loaded, text: str) -> list[str]:
    """What a text on a School is read as, as effects; messages where it is not read."""
    (sentence,) = explain(loaded, text, title="School")[0]
    lines = [line for effect in sentence.effects for line in effect]
    return lines or [one.message for one in sentence.diagnostics]


def test_a_condition_of_another_thing_is_read_of_that(big_city: Loaded) -> None:
    """Which residences touch a park is asked of each; whether the card does, of the card."""
    of_each = read(big_city, "Each residence is worth 2 more points if it touches a park.")
    assert of_each == read(big_city, "Each residence that touches a park is worth 2 more points.")
    for named in ("the School", "this card", "this"):
        of_card = read(
            big_city, f"Each residence is worth 2 more points if {named} touches a park."
        )
        assert of_card == read(
            big_city, "If it touches a park, each residence is worth 2 more points."
        )
        assert of_card != of_each


def test_what_has_no_relative_clause_is_refused(big_city: Loaded) -> None:
    """No reading of the card is given, and the message says what “it” means."""
    (said,) = read(big_city, "Each residence is worth 2 more points if a park touches it.")
    assert re.search("“it” means “each residence”", said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("If you have trees, gain 1 for each of them.", "each of the trees."),
        ("If trees are alone, each of them gains 1.", "each of the trees alone gains 1."),
        ("If trees are old, gain 1 for each of them.", ""),  # which they are is left open
    ],
)
def test_each_of_them_is_what_was_spoken_of(text: str, said: str) -> None:
    found = with_several_named(text, {"trees", "trees alone"}.__contains__)
    assert found is not None
    assert found.endswith(said)
    assert bool(found) == bool(said)


@pytest.mark.parametrize(
    "text",
    ["Gain 1 for each of them.", "If you have trees, gain 1.", "If rich, 1 for each of them."],
)
def test_nothing_was_spoken_of_before(text: str) -> None:
    assert with_several_named(text, {"trees"}.__contains__) is None
