"""What a text does, under which circumstances, in which order: all that is read one by one is read
together, and what means the same along one axis does so along all others.
"""

from __future__ import annotations

import functools
import itertools
from pathlib import Path

import pytest

from interpreter.game.loading import load_rules
from rulelang.phrases.phrase import Reading
from rulelang.phrases.readings import Glossary

GROVE = Path(__file__).parents[1] / "good" / "grove"

OPENED = '  open "factors"\n  open "bounds"\n'
OPENINGS = """
opening factor of worth at "factors"
  thing: x
  here: at

opening bound of worth at "bounds"
  thing: x
  here: at
  amounts "{n}", "{n} point(s)"
"""
EFFECTS = {  # in one line those that mean the same
    "more": ("receive 2 points", "+2", "it is worth 2 more", "its value goes up by 2", "get 2"),
    "less": ("lose 2 points", "-2", "it is worth 2 less", "its value drops by 2", "deduct 2"),
    "double": ("double its value", "doubled", "it counts double", "it doubles in value", "x2"),
    "triple": ("triple its value", "tripled", "it counts triple", "x3"),
    "half": ("halve its value", "halved", "it counts half", "it is worth half as much"),
    "nothing": ("it is worth nothing", "it scores nothing", "it has no value"),
}
CIRCUMSTANCES = {
    "there": (
        "next to a pond",
        "if it is next to a pond",
        "if a pond is adjacent",
        "when it touches a pond",
        "provided it borders a pond",
        "if one of its neighbors is a pond",
        "with a pond next to it",
    ),
    "elsewhere": (
        "unless it is next to a pond",
        "unless a pond is adjacent",
        "if no pond is adjacent",
        "except next to a pond",
        "if it is not next to a pond",
    ),
    "two": ("next to two ponds", "if at least two ponds are adjacent", "next to 2+ ponds"),
}
FAMILIES = (  # of Big City, in each those that mean the same
    (
        "No residence may be built next to it.",
        "Residences may not be built next to it.",
        "You can't build residences next to it.",
        "Nobody may build a residence next to it.",
        "Prevents residences from being built next to it.",
        "It is forbidden to build a residence next to it.",
        "Does not allow residences next to it.",
        "Residences are not allowed next to it.",
        "Never build a residence next to it.",
    ),
    (
        "Residences built next to it later score 2 more.",
        "Each later residence next to it gains 2 points.",
        "+2 for residences built next to it.",
        "Gives +2 to residences built next to it.",
        "Residences get 2 points more if built next to it.",
        "Every residence later built next to it scores 2 extra points.",
    ),
    (
        "You get 2 points each time a residence is built next to it.",
        "You receive 2 points for each residence later built next to it.",
        "For each residence built next to it later, you score 2 points.",
        "Every residence later built next to it gives you 2 points.",
        "Whenever someone builds a residence next to it, you score 2 points.",
    ),
    (
        "Only one may be built.",
        "May only be built once.",
        "No more than one of these may be built.",
    ),
    ("You may draw a card.", "Lets you draw a card.", "You get to draw a card."),
    ("Only if a park is adjacent.", "Requires that a park is adjacent."),
)
CELLS = list(itertools.product(EFFECTS, CIRCUMSTANCES))


@pytest.fixture(scope="module")
def glossary(tmp_path_factory: pytest.TempPathFactory) -> Glossary:
    """Of the grove, where cards may also say how often something counts, and within what bounds."""
    text = (GROVE / "grove.rules").read_text("utf-8")
    head, opened, rest = text.partition('score worth(x: plant, at: set of plot)\n  open "cards"\n')
    assert opened
    path = tmp_path_factory.mktemp("grove") / "grove.rules"
    path.write_text(f"{head}{opened}{OPENED}{rest}{OPENINGS}", "utf-8")
    return load_rules(str(path), checks=False, tests=False).compiled.glossary


def sentences(effect: str, circumstance: str) -> list[str]:
    """Every way to say the effect under every way to say the circumstance, in both orders."""
    found = []
    for does, under in itertools.product(EFFECTS[effect], CIRCUMSTANCES[circumstance]):
        found.append(f"{does} {under}.")
        if does[0].isalpha() and not does.endswith("ed") and does != "x2" and does != "x3":
            found.append(f"{under}, {does}.")
    return [said[0].upper() + said[1:] for said in found]


@pytest.mark.parametrize(("effect", "circumstance"), CELLS)
def test_every_way_to_say_it_is_read_alike(
    effect: str, circumstance: str, glossary: Glossary
) -> None:
    """Each has one reading, and all of a cell have the same."""
    found = {said: glossary.readings_if_any(said) for said in sentences(effect, circumstance)}
    assert {said: len(readings) for said, readings in found.items() if len(readings) != 1} == {}
    assert len({_meaning(readings) for readings in found.values()}) == 1


@pytest.mark.parametrize("texts", FAMILIES, ids=lambda texts: texts[0])
def test_families_of_sentences_mean_the_same(texts: tuple[str, ...]) -> None:
    found = {said: city().readings_if_any(said) for said in texts}
    assert {said: len(readings) for said, readings in found.items() if len(readings) != 1} == {}
    assert len({_meaning(readings) for readings in found.values()}) == 1


@functools.cache
def city() -> Glossary:
    return load_rules("big_city", checks=False, tests=False).compiled.glossary


def _meaning(readings: list[Reading]) -> str:
    return repr(readings[0].meaning)
