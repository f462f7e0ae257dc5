"""A card with mistakes is left out, and scenarios that do not need it are run all the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interpreter.cli.main import main

CARDS = """for court

card "Nobody" of card

card "New Guard" of card
  rank: guard

scenario "two guards are not all three"
  players 2
  given
    move "New Guard" to p1's hand
  expect not holds_all_guards(p1)

scenario "nobody is not there"
  players 2
  given
    move "Nobody" to p1's hand
  expect count of p1's hand = 1
"""


def test_scenarios_are_run_beside_a_card_that_is_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cards.rules"
    path.write_text(CARDS, "utf-8")
    assert main(["test", str(path), "--rules", "tests/good/court", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["passed"] == 1 and told["failed"] == 1
    status = {row["name"]: row["status"] for row in told["scenarios"]}
    assert status == {
        "two guards are not all three": "passed",
        "nobody is not there": "failed",
    }
    assert "T033" in {item["code"] for item in told["diagnostics"]}
