"""Brackets in readings: as few as tell them apart."""

from __future__ import annotations

import pytest

from rulelang.phrases.brackets import fewest_brackets


@pytest.mark.parametrize(
    ("texts", "shown"),
    [
        # one reading needs none
        (["Costs [[[2 cards] more]]."], ["Costs 2 cards more."]),
        # what all have in brackets tells nothing apart, nor do brackets round one word
        (
            ["by a [[Lake] or [River]] [with a road]", "by a [Lake] or [River [with a road]]"],
            ["by a [Lake or River] with a road", "by a Lake or [River with a road]"],
        ),
        # words that differ may stand before what is alike
        (
            [
                "at [both [a Lake] and [either [a Park] or [a Pond]]]",
                "at [either [both [a Lake] and [a Park]] or [a Pond]]",
            ],
            [
                "at both a Lake and [either a Park or a Pond]",
                "at either [both a Lake and a Park] or a Pond",
            ],
        ),
        # the innermost are enough, unless others tell apart
        (["x [a [b c]]", "x a [b c d]"], ["x a [b c]", "x a [b c d]"]),
        (["x [a [b c]]", "x a [b c]"], ["x [a b c]", "x a b c"]),
        (
            ["[x y] [a [b c]] d", "[x y] a [b c] d", "[x y] a b [c d]"],
            ["x y [a [b c]] d", "x y a [b c] d", "x y a b [c d]"],
        ),
        # one that would be left without any shows what goes with what others have in brackets
        (
            ["Needs [2 [oaks or elms]] near.", "Needs [2 oaks or elms] near."],
            ["Needs 2 [oaks or elms] near.", "Needs [2 oaks or elms] near."],
        ),
        # round the same words twice, where nothing else tells apart
        (["x [[a b]] c", "x [a b] c"], ["x [[a b]] c", "x [a b] c"]),
    ],
)
def test_fewest_brackets(texts: list[str], shown: list[str]) -> None:
    """Those that tell readings apart stay, and all that differed differ."""
    assert fewest_brackets(texts) == shown
