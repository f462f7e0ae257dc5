"""What a card's text does, as `explain` tells it: in plain English, of this card and its player."""

from __future__ import annotations

import functools

import pytest

from interpreter.authoring.explain_card import explain
from interpreter.game.loading import Loaded, load_rules
from rulelang.diagnostics.english import article, with_articles
from tests.english.test_grove import GROVE

DOES = {
    "+2 next to a pond.": "add 2, if it is adjacent to a pond (“adjacent to a pond”)",
    "+1 for each tree next to it.": (
        "add 1 for each tree that it is adjacent to (“1 for each tree adjacent to it”)"
    ),
    "+2 for each tree next to it, max. 6.": (
        "add 2 for each tree that it is adjacent to, but at most 6"
        " (“2 for each tree adjacent to it, at most 6”)"
    ),
    "Lose 2 if no pond is next to it.": (
        "take off 2, if it is not adjacent to a pond (“no pond is adjacent to it”)"
    ),
    "Requires 2 trees next to it.": (
        "“2 trees adjacent to it”: only if it is adjacent to at least 2 trees"
    ),
    "May not be planted next to a stone.": (
        "“not adjacent to a stone”: only if it is not adjacent to a stone"
    ),
    "May only be planted next to a pond or a stone.": (
        "“only adjacent to either a pond or a stone”: only if it is adjacent to a pond,"
        " or it is adjacent to a stone"
    ),
}


@functools.cache
def grove() -> Loaded:
    return load_rules(str(GROVE), checks=False, tests=False)


@pytest.mark.parametrize("text", DOES)
def test_what_a_text_does_is_told_in_plain_english(text: str) -> None:
    (said,), _ = explain(grove(), text)
    ((head, line),) = said.effects
    assert head.startswith("when it is played, adds to ")
    assert line == f"  {DOES[text]}"


def test_articles_go_by_sound() -> None:
    assert [
        article(word) for word in ("unit", "uncle", "hour", "euro", "oak", "one-way street")
    ] == [
        "a unit",
        "an uncle",
        "an hour",
        "a euro",
        "an oak",
        "a one-way street",
    ]
    assert with_articles("A oak, a [[oak]], a unit and a uninvited guest") == (
        "An oak, an [[oak]], a unit and an uninvited guest"
    )
