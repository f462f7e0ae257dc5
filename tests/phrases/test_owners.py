"""Who has what, who builds and what is saved: in other words, each as a plain wording says it."""

from __future__ import annotations

import functools

import pytest

from interpreter.game.loading import Loaded, load_rules
from rulelang.phrases.phrase import Reading

SAME = [
    ("the_city", "Scores 1 point for every shop symbol that its owner has in his tableau.",
     "1 point for each shop symbol you have."),
    ("the_city", "Bonus of 2 points for having a School.", "2 points if you have a School."),
    ("the_city", "One point is awarded each round for each School in the owner's tableau.",
     "1 point for each School you have."),
    ("the_city", "May be built by owners of a School only.", "Requires a School."),
    ("the_city", "Unless you own Schools, you may not build it.",
     "Build it only if you have Schools."),
    ("the_city", "A School in your tableau prevents you from building it.",
     "May not be built with a School."),
    ("the_city", "More than one of these per player is forbidden.", "Limit: 1 per player."),
    ("the_city", "You save 2 cards when you build Schools.", "Schools cost you 2 less."),
    ("the_city", "A discount of 2 for owners of a School.", "Costs 2 less if you have a School."),
    ("the_city", "Three cards are drawn by its owner when this is built.",
     "When you build it, draw 3 cards."),
    ("the_city", "Give every other player one card from the deck when you build it.",
     "When you build it, every other player draws 1 card."),
    ("the_city", "Upon building a car development, draw a card.",
     "Each time you build a development with a car, draw a card."),
    ("the_city", "Use it in place of a School.", "Counts as a School."),
    ("the_city", "1 point for each shop in front of you and in that of an opponent you choose.",
     "1 point for each shop here and in one other tableau."),
    ("the_city", "You get double points for Parks.", "Your Parks score double."),
    ("big_city", "2 points to the player with the most parks.",
     "The player with the most parks receives 2 points."),
]  # fmt: skip
NOT_SO = [
    # What somebody else has is not had by you.
    ("the_city", "2 points if you have a School in play.",
     "2 points if there is a School in play."),
    # What is paid to others is not counted by them.
    ("simcity", "When built, gives $2 to each player but the one who built it.",
     "Receive $2 for each other player."),
]  # fmt: skip


@functools.cache
def loaded(game: str) -> Loaded:
    return load_rules(game, checks=False, tests=False)


def only_reading(game: str, text: str) -> Reading:
    (found,) = loaded(game).compiled.glossary.readings(text)
    return found


@pytest.mark.parametrize(("game", "said", "plain"), SAME, ids=lambda text: text)
def test_other_words_mean_the_same(game: str, said: str, plain: str) -> None:
    assert only_reading(game, said).means_as(only_reading(game, plain))


@pytest.mark.parametrize(("game", "said", "other"), NOT_SO, ids=lambda text: text)
def test_like_words_mean_something_else(game: str, said: str, other: str) -> None:
    told = only_reading(game, other)
    assert not any(
        told.means_as(one) for one in loaded(game).compiled.glossary.readings_if_any(said)
    )


@pytest.mark.parametrize(
    "text",
    [
        # Of what another player builds, “its owner” may be that player.
        "When another player builds a Mall, its owner draws 1 card.",
        "Whenever you build a Mall, they draw 1 card.",
    ],
)
def test_who_is_meant_is_not_guessed(text: str) -> None:
    assert not loaded("the_city").compiled.glossary.readings_if_any(text)
