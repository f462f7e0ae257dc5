"""Where the sentences of a card's text end."""

from __future__ import annotations

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
