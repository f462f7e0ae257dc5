"""Which terminals of the grammar of card sentences are found in a text."""

from __future__ import annotations

import re

import pytest

from rulelang.phrases.earley import EarleyParser
from rulelang.phrases.phrase import regex_of
from rulelang.syntax.lark_adapter import EarleyGrammar, EarleyRule

PHRASES = ("May/can draw", "the Lake(s)", "Bed & Breakfast", "Bed", "if", "non-", "each/every card")
TERMINALS = tuple((f"T{index}", regex_of(phrase)) for index, phrase in enumerate(PHRASES))
GRAMMAR = EarleyGrammar(
    tuple(EarleyRule("start", (name,)) for name, _ in TERMINALS), (*TERMINALS, ("WS", r"[ \t]+"))
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
