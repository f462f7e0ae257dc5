"""Sentences taken apart: what each part says by itself, and what keeps them together."""

from __future__ import annotations

import functools

import pytest
from lark.exceptions import UnexpectedInput

from interpreter.game.loading import load_rules
from rulelang.phrases.apart import joints
from rulelang.phrases.readings import Glossary, Reading
from rulelang.ruleset import Design

CARDS = {
    "the_city": 'for the_city\n\ncard "Kiosk" of development\n  cost: 2\n',
    "big_city": 'for big_city\n\ncard "Kiosk" of building\n  class: special\n  form: "X"\n',
}

APART = (
    ("the_city", "Cost 4, 2 points and 1 income.", "Cost 4.", "2 points.", "1 income."),
    ("the_city", "Counts as a School; 1 income.", "Counts as a School.", "1 income."),
    (
        "the_city",
        "Only one per player, and 1 more point if you have a Mall.",
        "Only one per player.",
        "1 more point if you have a Mall.",
    ),
    (
        "the_city",
        "2 income, 1 more point if you have a Mall.",
        "2 income.",
        "1 more point if you have a Mall.",
    ),
    ("the_city", "Scores 3; a point for each car.", "Scores 3.", "1 point for each car."),
    (
        "big_city",
        "Counts as a park; 4 points, 2 less if a factory is adjacent.",
        "Counts as a park.",
        "4 points.",
        "2 less if a factory is adjacent.",
    ),
)

TOGETHER = (
    ("the_city", "You may draw a card and score 2 points."),  # both may be left
    ("the_city", "Costs 4, 2 less if you have Parks."),  # 2 of the price
    ("the_city", "At most 2 per player, 1 more if you have a School."),  # 1 more of these
    ("the_city", "Your Malls cost 1 less and count double."),  # they do
    ("the_city", "Draw a card when you build it, 2 cards if you have a School."),  # instead
    ("big_city", "Draw an extra card, 2 more on the outskirts."),  # 2 more cards
    ("big_city", "Whoever builds next to it later loses 1 point and draws a card."),  # he does
)


@functools.cache
def reads(game: str) -> tuple[Glossary, Design]:
    plain = load_rules(game, added=[("kiosk.rules", CARDS[game])], checks=False, tests=False)
    designs = {design.title: design for design in plain.compiled.rules.designs}
    return Glossary(plain.compiled.glossary.lexicon), designs["Kiosk"]


def read(game: str, text: str) -> list[Reading]:
    glossary, design = reads(game)
    try:
        return glossary.readings(text, design)
    except UnexpectedInput:
        return []


@pytest.mark.parametrize(("game", "text", "parts"), [(g, t, p) for g, t, *p in APART])
def test_each_part_says_what_it_says_by_itself(game: str, text: str, parts: list[str]) -> None:
    """All that the parts mean, and nothing else, in one reading."""
    (whole,) = read(game, text)
    alone = [made for part in parts for (one,) in [read(game, part)] for made in one.meaning]
    assert list(whole.meaning) == alone


@pytest.mark.parametrize(("game", "text"), TOGETHER)
def test_what_one_part_owes_to_the_other_is_not_read_without_it(game: str, text: str) -> None:
    assert read(game, text) == []


def test_what_is_done_on_an_occasion_is_done_then_in_both_parts() -> None:
    """“And” goes on behind “each time”; a sentence with a subject of its own does not."""
    (both,) = read("the_city", "Each time you survey, draw a card and score 2 points.")
    assert [made.lifetime for made in both.extensions] == ["while", "while"]
    (one,) = read("the_city", "Each time you survey, draw a card, and it costs 4.")
    assert [made.lifetime for made in one.extensions] == ["while", "played"]


def test_an_amount_on_top_is_not_instead() -> None:
    (one,) = read("the_city", "1 point, 1 more point if you have a Mall.")
    (other,) = read("the_city", "1 point, plus 1 more point if you have a Mall.")
    lines = [line for made in one.meaning for line in made.lines]
    assert [line.cond is None for line in lines] == [True, False]
    assert lines == [line for made in other.meaning for line in made.lines]


def test_joints_are_words_and_marks_between_sentences() -> None:
    found = [(joint.first, joint.second) for joint in joints("Sing, dance; and leap, but rest.")]
    assert found == [
        ("Sing", "dance; and leap, but rest."),
        ("Sing, dance", "leap, but rest."),
        ("Sing, dance; and leap", "rest."),
    ]
