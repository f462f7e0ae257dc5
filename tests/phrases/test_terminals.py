"""Which terminals of the grammar of card sentences are found in a text."""

from __future__ import annotations

import re

import pytest

from rulelang.phrases.earley import EarleyParser
from rulelang.phrases.phrase import regex_of

PHRASES = ("May/can draw", "the Lake(s)", "Bed & Breakfast", "Bed", "if", "non-", "each/every card")
GRAMMAR = "\n".join(
    [
        "start: " + " | ".join(f"T{index}" for index in range(len(PHRASES))),
        *(f"T{index}: /{regex_of(phrase)}/i" for index, phrase in enumerate(PHRASES)),
        r"%ignore /[ \t]+/",
    ]
)


@pytest.mark.parametrize(
    "text",
    [
        "can draw each card",
        "If THE LAKES bed",
        "the Lake & breakfast",
        "bed&breakfast, non-lake",
        "bedroom drift",
        "the La\u212ae",  # the sign of kelvin is a k in another case
        "",
    ],
)
def test_found_are_the_terminals_that_match(text: str) -> None:
    """The index leaves out no terminal that matches somewhere in a text, and adds none."""
    found = EarleyParser(GRAMMAR).terminals_in(text)
    known = {f"T{i}" for i, p in enumerate(PHRASES) if re.search(regex_of(p), text, re.IGNORECASE)}
    assert {name for name in found if name.startswith("T")} == known
