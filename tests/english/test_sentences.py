"""Where the sentences of a card's text end."""

from __future__ import annotations

import re

import pytest

from tests.tools.corpus import sentences


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("3 by a pond. Otherwise 1. Draw a card.", ["3 by a pond; otherwise 1.", "Draw a card."]),
        ("3 by a pond. Otherwise, 1.", ["3 by a pond; otherwise, 1."]),
        ("3 by a pond.  If not, 1.", ["3 by a pond;  if not, 1."]),
        ("3 by a pond. If not by a hut, 1.", ["3 by a pond.", "If not by a hut, 1."]),
        ("Otherwise 1.", ["Otherwise 1."]),
    ],
)
def test_what_holds_otherwise_goes_on_with_the_sentence_before_it(
    text: str, said: list[str]
) -> None:
    """Of the same length, so that findings are told where they stand."""
    assert sentences(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "Look at the top two cards.  Keep one. Draw a card.",
            ["Look at the top two cards;  keep one.", "Draw a card."],
        ),
        ("Draw two cards. The others stay.", ["Draw two cards; the others stay."]),
        ("Draw two cards. Put it by a pond.", ["Draw two cards.", "Put it by a pond."]),
        ("Put one by a pond. Keep one.", ["Put one by a pond.", "Keep one."]),
        ("Draw two cards, then discard one. Keep one.", None),
        (
            "Choose a player when you build it. You both draw a card.",
            ["Choose a player when you build it; you both draw a card."],
        ),
        ("Build a hut. You both draw a card.", None),
        ("Worth 5. By a pond it is 9 instead.", ["Worth 5; by a pond it is 9 instead."]),
        ("Draw a card. Instead of this, pay 2.", None),
        ("A pond. By a hut it stands well. It is a hut instead.", None),
        (
            "You may build it on a pond. No vote needed.",
            ["You may build it on a pond; no vote needed."],
        ),
        ("It stands by a pond. No vote needed.", None),
    ],
)
def test_what_was_seen_chosen_or_said_goes_on_in_the_next_sentence(
    text: str, said: list[str] | None
) -> None:
    """Of the same length; none where the next sentence speaks for itself."""
    found = sentences(text)
    assert found == (said or re.findall(r"[^ .][^.]*\.", text))
    assert sum(map(len, found)) <= len(text)
