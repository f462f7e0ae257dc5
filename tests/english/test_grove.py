"""The shared wordings, read in a game that declares no sentence of its own: tests/good/grove."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest
from lark.exceptions import UnexpectedInput

from interpreter.game.loading import load_rules
from interpreter.scenarios.scenario import Runner
from rulelang.phrases.readings import Glossary

GROVE = Path(__file__).parents[1] / "good" / "grove"

ALIKE = [  # sentences of one meaning
    (
        "+2 if next to two trees or a pond.",
        "Receive 2 if adjacent to a pond or two trees",
        "If it is bordering either two trees or a pond, gain 2 points!",
    ),
    (
        "+2 for each tree next to it, max 6.",
        "Receive 2 points per adjacent tree, up to 6 points.",
        "2 for every tree adjacent, at most 6;",
    ),
    (  # behind a comma alone, what has a sign goes on with the amount before it
        "Gain 3 points; +2 if next to a stone.",
        "Gain 3 points, +2 if next to a stone.",
        "3 points, +2 if it's beside a stone.",
    ),
    ("-1 unless there is a pond adjacent.", "Unless a pond is next to it, lose 1."),
    ("For each adjacent tree you earn 2 points.", "For every tree next to it, gain 2 points."),
    (
        "May only be planted where there is a tree next to it.",
        "Only where there's a tree adjacent.",
    ),
    ("+1 for a pond next to it.", "Gain 1 for having a pond adjacent."),
    ("Can't be planted next to a stone.", "May not be placed if it's beside a stone."),
    ("+3 if there's no pond or tree adjacent.", "+3 if there is no tree or pond next to it."),
    (
        "If next to a stone, lose 2 and gain 1 for each adjacent tree.",
        "Lose 2 if next to a stone; if next to a stone, gain 1 for each adjacent tree.",
    ),
    (  # a rule for planting is asked at another time than what the card brings then
        "May not be planted next to a stone, gives 2 points if a pond is adjacent.",
        "May not be planted next to a stone; gives 2 points if a pond is adjacent.",
    ),
    ("2 points, 4 points if next to a pond.", "4 points if next to a pond, otherwise 2 points."),
    ("Place next to a pond only.", "May only be planted next to a pond."),
    ("+3 next to a pond, even if a stone is adjacent.", "+3 next to a pond."),  # amounts add up
    ("For each adjacent tree, it provides 2 points.", "Gain 2 points for each adjacent tree."),
    ("It is impossible to place it beside a stone.", "May not be planted next to a stone."),
    ("4 points, halved if a stone is adjacent.", "4 points, but only half if next to a stone."),
    (  # no wording of the requirement has a place for the condition
        "May not be planted next to a stone unless there is a pond adjacent.",
        "Unless there's a pond next to it, it can't be planted next to a stone.",
    ),
    (
        "May not be planted beside a stone, if no pond is adjacent",
        "If no pond is next to it, this card may not be placed next to a stone.",
    ),
    (
        "If a tree is adjacent, may not be planted next to a stone unless a pond is adjacent.",
        "May not be planted next to a stone if a tree is adjacent, unless a pond is adjacent.",
    ),
    (  # what it brings instead of a number it brings only then
        "If a pond is adjacent, gives 4 points instead of 1.",
        "4 points if next to a pond, otherwise 1 point.",
    ),
    ("+2 if both ponds are adjacent.", "+2 if at least 2 ponds are adjacent."),
]
SEVERAL = {  # ambiguous sentences, with the number of their meanings
    "+2 if next to two trees or ponds.": 2,
    "+2 if next to a pond and a tree or a stone.": 2,
    "Gain 2 and lose 1 if next to a stone.": 2,
    "+2 and +1 if next to a stone.": 2,
    "Gain 2, lose 1 if next to a stone.": 2,
    "Gain 2, and may not be planted next to a tree unless there is a pond adjacent.": 2,
}
UNREAD = [
    "+2 if next to a dragon.",
    "Gain 2 if next to.",
    "Gain 2 next to a tree or.",
    "+2 for each tree next to it, max 6 frogs.",
    "If next to a stone, lose 2 and must be planted.",
    "Gain 3 points, 5 points if next to a dragon.",
]


CALLED_ALIKE = {  # of tests/good/grove, and what stands there instead
    "event set_out(p: player, x: plant, at: set of plot)\n  add worth(x, at) to p's points\n"
    "  put x at at": "event set_out(who: player, x: plant, so_many: set of plot)\n"
    "  add worth(x, so_many) to who's points\n  put x at so_many",
    "rules of set_out(p, x, at)": "rules of set_out(who, x, so_many)",
    'opening requirement of set_out at "cards"\n  thing: x\n  here: at\n  you: p': (
        'opening requirement of set_out at "cards"\n  thing: x\n  here: so_many\n  you: who\n\n'
        'opening quota of set_out at "cards"\n  thing: x\n  here: so_many\n  you: who'
    ),
    'synonyms "built"': (
        'card "Moss" of plant\n  what: pond\n  text\n    | At most two adjacent to it.\n\n'
        'synonyms "built"'
    ),
}

THREE_OTHERS = """
scenario "three others beside it are none of its kind"
  players 2
  given
    put "Oak" at plot_at(1, 1)
    put "Birch" at plot_at(2, 2)
    put "Elder" at plot_at(3, 1)
  expect can set_out(p1, "Moss", {plot_at(2, 1)})
"""


@functools.cache
def glossary() -> Glossary:
    return load_rules(str(GROVE), checks=False, tests=False).compiled.glossary


@pytest.mark.parametrize("texts", ALIKE, ids=lambda texts: texts[0])
def test_sentences_of_one_meaning(texts: tuple[str, ...]) -> None:
    """Each has one reading, and all have the same."""
    found = [glossary().readings(text) for text in texts]
    assert [len(readings) for readings in found] == [1] * len(texts)
    assert len({repr(readings[0].meaning) for readings in found}) == 1


@pytest.mark.parametrize("text", SEVERAL)
def test_every_meaning_is_found(text: str) -> None:
    """An ambiguous sentence has exactly its meanings."""
    assert len(glossary().readings(text)) == SEVERAL[text]


@pytest.mark.parametrize("text", UNREAD)
def test_what_is_not_understood_is_not_read(text: str) -> None:
    """No word is passed over."""
    with pytest.raises(UnexpectedInput):
        glossary().readings(text)


def test_a_condition_behind_a_sum_is_not_taken_for_all() -> None:
    """It may be the last amount's alone, so it is not read at all; in front it holds for both."""
    behind = "Gain 2 and 1 for each adjacent tree unless a stone is adjacent."
    front = "Unless a stone is adjacent, gain 2 and 1 for each adjacent tree."
    assert (len(glossary().readings(behind)), len(glossary().readings(front))) == (0, 1)


def test_what_a_wording_binds_captures_nothing(tmp_path: Path) -> None:
    """The game calls the thing and the actor as bound names and slots of shared wordings are."""
    text = (GROVE / "grove.rules").read_text("utf-8")
    for old, new in CALLED_ALIKE.items():
        assert old in text
        text = text.replace(old, new)
    path = tmp_path / "grove.rules"
    path.write_text(text + THREE_OTHERS, "utf-8")
    made = load_rules(str(path))
    assert not made.findings(), [made.draw(found) for found in made.findings()]
    runner = Runner(made)
    assert [runner.run(s).passed for s in made.compiled.rules.scenarios] == [True] * 6


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        ("+2 if opposite a pond.", "Write “+2 if adjacent to a pond.”"),
        # what stands between would be left out
        ("Glows in the dark beside a tree.", "Did you mean"),
        # with a wording in its place the sentence would still not be read to its end
        ("+2 if opposite a pond trees.", None),
    ],
)
def test_a_wording_before_a_noun_leaves_nothing_out(text: str, fix: str | None) -> None:
    """An unknown word before a member of a kind is told a wording that stands there, each once."""
    card = f'for grove\n\ncard "Zed" of plant\n  what: tree\n  text\n    | {text}\n'
    (found,) = load_rules(str(GROVE), added=[("zed.rules", card)]).findings()
    if fix is None:
        assert not any(told.startswith("Write ") for told in found.fixes)
        return
    (told,) = found.fixes
    assert told.startswith(fix)
    offered = told.removeprefix("Write ").rstrip(".").split(" or ")
    assert len(offered) == len(set(offered))
