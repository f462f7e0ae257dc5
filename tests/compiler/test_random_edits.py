"""Edits at random: whatever was edited before, a check finds what one from nothing does."""

from __future__ import annotations

import random
from pathlib import Path

from tests.tools.random_edits import Edited

ROOT = Path(__file__).resolve().parents[2]


def test_a_check_after_random_edits_finds_what_one_from_nothing_does(tmp_path: Path) -> None:
    """Every answer is that of a check that has nothing kept, and some edits change what is found.

    `python tests/tools/random_edits.py` makes more of them, in larger games.
    """
    edited = Edited(ROOT / "tests/good/kitchen", tmp_path / "rules", random.Random(20))
    found = [edited.step() for _ in range(5)]
    assert len({tuple(map(str, told)) for told in found}) > 2
