"""Which terminals of the grammar of card sentences are found in a text."""

from __future__ import annotations

import re

import pytest

from interpreter.game.loading import load_rules
from rulelang.phrases.earley import EarleyParser
from rulelang.phrases.phrase import SynonymIndex, needed_words, regex_of
from rulelang.syntax.lark_adapter import Earley, EarleyGrammar, EarleyRule

PHRASES = ("May/can draw", "the Lake(s)", "Bed & Breakfast", "Bed", "if", "non-", "each/every card")
FAILING = (
    "Add 1 if a Soup is on the tabel.",
    "Add 1 if",
    "Add 1 if a  Soup soup is on the table.",
    "Add",
    "tabel",
    "Add 1 if a Soup is on the table and a",
    "Add 1 if a Soup is on the table.",
)
SYNONYMS = SynonymIndex([("you have", "you've got", "you own"), ("gives", "pay(s)")])
PATTERNS = [*map(regex_of, PHRASES), *(regex_of(p, SYNONYMS) for p in ("if you own", "gives {n}"))]
TERMINALS = tuple((f"T{index}", pattern) for index, pattern in enumerate(PATTERNS))
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
        "if you've got; if you have",
        "it pays {n}",
        "the big lakes may not draw",
        "may the can draw, the; lake",
        "May caf\u00e9s DRAW \u201cTHE LAKES\u201d \u2013 each Card",
        "the Lake\u017f",  # and the long s is an s
        "the La\u212ae",  # the sign of kelvin is a k in another case
        "May  draw each\tcard if  you've got it",  # blanks that are not single
        "",
    ],
)
def test_found_are_the_terminals_that_match(text: str) -> None:
    """The index leaves out no terminal that matches somewhere in a text, and adds none."""
    found = EarleyParser(GRAMMAR).terminals_in(text)
    known = {f"T{i}" for i, p in enumerate(PATTERNS) if re.search(p, text, re.IGNORECASE)}
    assert {name for name in found if name.startswith("T")} == known


@pytest.mark.parametrize("blank", [" ", "  ", "\n"])
def test_matches_are_those_of_the_regular_expressions(blank: str) -> None:
    """However blanks stand, a terminal matches just where its regular expression does."""
    text = "Can draw the Lakes, if You've got Bed & Breakfast; pays each card, non-Lake if you own "
    text += "Bed&breakfast"
    text = text.replace(" ", blank)
    patterns, said = Earley(GRAMMAR).matching(text)
    for name, pattern in TERMINALS:
        found = [match.span() for match in patterns[name].finditer(said)]
        assert found == [m.span() for m in re.finditer(pattern, text, re.IGNORECASE)], pattern


@pytest.mark.parametrize(
    ("phrase", "words"),
    [
        ("May/can draw", [{"may draw", "can draw"}, {"draw"}, {"may", "can"}]),
        ("each/every", [{"each", "every"}]),
        ("the Lake(s)", [{"the lake", "the lakes"}, {"lake", "lakes"}, {"the"}]),
        ("that you own", [{"that"}, {"have", "got", "you"}]),
        (
            "at the Lake(s)",
            [{"the lake", "the lakes"}, {"at the"}, {"lake", "lakes"}, {"the"}, {"at"}],
        ),
        ("gives", [{"gives", "pay", "pays"}]),
        ("non-", []),
        ("Co-op", [{"co op"}, {"co"}, {"op"}]),
        ("Mayor's", [{"mayor s"}, {"mayor"}, {"s"}]),
    ],
)
def test_needed_words(phrase: str, words: list[set[str]]) -> None:
    """One of each set of words stands in every match; the most telling set comes first."""
    assert needed_words(regex_of(phrase, SYNONYMS)) == tuple(map(frozenset, words))


def test_where_a_text_fails_is_told_as_by_all_rules() -> None:
    """Rules that cannot be read past their first part are left out, and nothing is told otherwise:
    neither the place nor what could stand there.
    """
    glossary = load_rules("tests/good/kitchen").compiled.glossary
    parser = glossary.parser
    assert parser is not None
    rules, whole = parser.grammar.rules, Earley(parser.grammar)
    ends = []
    for text in FAILING:
        stop = whole.stop(range(len(rules)), text)
        told = parser.failure(text)
        assert (stop is None) == (told is None)
        if stop is not None and told is not None:
            expected = {rules[place].parts[done] for place, done in stop.rules}
            assert (told.at, told.terminals) == (stop.at, expected) and expected
            ends.append(stop.at)
    assert None in ends and len(set(ends)) > 3
