"""Edits at random: whatever was edited before, a check finds what one from nothing does."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from interpreter.authoring.check import Unit, judge
from rulelang.analysis import card_lints
from rulelang.compiler.driver import CompileCache
from rulelang.diagnostics import CODES
from rulelang.ruleset import Design
from tests.analysis.test_card_lints import ORCHARD
from tests.tools.random_edits import Edited

PLANTS = (
    ("Ivy", "flower", "Only beside a Pond.", "Never beside a Pond."),
    ("Elm", "tree", "Uproot it when another Elm is planted.", "Add 2 per tree."),
    ("Moss", "flower", "Seed of 0.", "Add 0 if beside an Oak."),
    ("Lily", "pond", "Add 1 if with at least 3 Lilies.", "Take 1 along."),
    ("Fern", "flower", "Gain 1 when a Fern is planted, and 1 for each Ivy.", "Bud of 1."),
)


def test_a_check_after_random_edits_finds_what_one_from_nothing_does(tmp_path: Path) -> None:
    """Every answer is that of a check that has nothing kept, and some edits change what is found.

    `python tests/tools/random_edits.py` makes more of them, in larger games.
    """
    rows = "".join(
        f'card "{title}" of plant\n  sort: {sort}\n  text\n    | {one}\n    | {two}\n'
        for title, sort, one, two in PLANTS
    )
    (tmp_path / "orchard.rules").write_text(ORCHARD + rows, "utf-8")
    edited = Edited(tmp_path / "orchard.rules", tmp_path / "rules", random.Random(5))
    found = [edited.step() for _ in range(8)]
    assert len({tuple(map(str, told)) for told in found}) > 3


def test_another_rule_judges_only_the_cards_that_rest_on_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a bud there is none to begin with: that is said of the one card that has one, and
    the others are not looked at again, wherever their lines stand now.
    """
    card = 'card "Moss" of plant\n  sort: flower\n  text\n    | Bud of 0.\n'
    path, kept, judged = tmp_path / "orchard.rules", CompileCache(), list[str]()
    once = card_lints._Lints.card

    def counted(lints: card_lints._Lints, design: Design) -> None:
        judged.append(design.title)
        once(lints, design)

    monkeypatch.setattr(card_lints._Lints, "card", counted)
    codes = []
    for amount in ("1", "0  # none\n"):
        path.write_text(ORCHARD.replace("otherwise 1", f"otherwise {amount}") + card, "utf-8")
        judged.clear()
        found = judge(Unit(str(path)), kept)[1]
        codes.append([item.code for item in found if item.code == CODES["does-nothing"].code])
    assert codes == [[], [CODES["does-nothing"].code]]
    assert judged == ["Moss"]


def test_a_card_is_judged_again_where_what_it_looks_at_of_others_is_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No Oak is a pond, so a text that asks for one never applies: until an Oak is one, or another
    card is called so. Other cards that come make no difference, and nobody is judged for them.
    """
    text = "Add 1 if beside an Oak that is a pond."
    fern = f'card "Fern" of plant\n  sort: flower\n  text\n    | {text}\n'
    path, kept, judged = tmp_path / "orchard.rules", CompileCache(), list[str]()
    once = card_lints._Lints.card

    def counted(lints: card_lints._Lints, design: Design) -> None:
        judged.append(design.title)
        once(lints, design)

    monkeypatch.setattr(card_lints._Lints, "card", counted)

    def plant(title: str, sort: str) -> str:
        return f'card "{title}" of plant\n  sort: {sort}\n'

    oak = plant("Oak", "tree")
    seen = []
    for cards in (
        oak + plant("Elm", "tree"),
        oak + plant("Ash", "tree"),
        oak + plant("Pool", "pond"),
        plant("Oak", "pond") + plant("Pool", "pond"),
        oak + plant("Oak [2]", "pond"),
        oak + plant("Elm", "tree"),
    ):
        path.write_text(ORCHARD.replace(oak, "") + cards + fern, "utf-8")
        judged.clear()
        found = judge(Unit(str(path)), kept)[1]
        again = "Fern" in judged
        assert found == judge(Unit(str(path)), CompileCache())[1]
        seen.append((again, [i.code for i in found if i.code == CODES["never-applies"].code]))
    never = [CODES["never-applies"].code]
    assert [codes for _, codes in seen] == [never, never, never, [], [], never]
    assert [again for again, _ in seen] == [True, False, False, True, True, True]
