"""What a variant changes: the same bots on the same seeds, without it and with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interpreter.cli.main import main
from interpreter.simulation.balance import ALIKE, UNDECIDED, Played
from interpreter.simulation.comparison import LESS, MORE, Comparison, Measure
from tests.simulation.test_balance import files

RICH = """for orchard

variant rich "Rich soil"
  replace event plant(p: player, x: tree) reads "{p} plants {x}"
    move x to p's grove
    add 2 * x's value to p's points

variant frost "Frost"
  replace event plant(p: player, x: tree) reads "{p} buries {x}"
    move x to p's grove
    add x's value to p's points
"""
ASKED = ("--bot", "random", "--games", "25", "--json")


def variants(folder: Path) -> tuple[str, str]:
    """The orchard, and a file of two variants."""
    game, added = files(folder, 3)
    Path(added).write_text(RICH, "utf-8")
    return game, added


def test_a_file_of_variants_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Eight trees of 3 are 12 for each of two players, and 12 more where each counts twice; who
    plants what stays as it was, so that nothing else changes. Other words change nothing at all.
    """
    game, added = variants(tmp_path)
    assert main(["balance", game, added, *ASKED]) == 1
    rich, frost = json.loads(capsys.readouterr().out)
    assert (rich["variant"], frost["variant"]) == ("rich", "frost")
    measures = {found["measure"]: found for found in rich["measures"]}
    assert measures["score"]["verdict"] == MORE and measures["score"]["without"] == 12
    assert measures["score"]["with_less_without"] == [12, 12, 12]
    assert {measures[name]["verdict"] for name in ("first_seat", "choices")} == {ALIKE}
    assert {found["verdict"] for found in frost["measures"]} == {ALIKE}
    assert rich["played_more"] == rich["played_less"] == []


def test_a_variant_is_named_in_place_of_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, added = variants(tmp_path)
    assert main(["balance", game, "frost", "--with", added, *ASKED]) == 0
    assert json.loads(capsys.readouterr().out)[0]["variant"] == "frost"
    assert main(["balance", game, "frist", "--with", added, *ASKED]) == 2
    assert "did you mean 'frost'" in capsys.readouterr().err
    assert main(["balance", game, "frist.rules", "--with", added, *ASKED]) == 1
    assert "F007" in capsys.readouterr().out
    assert main(["balance", game, added, "--like", "Apple", *ASKED]) == 2
    assert "there are no cards" in capsys.readouterr().err


def test_what_matters_is_points_or_a_share() -> None:
    """Of 40 choices 5 % are 2: 1 more or fewer does not matter, and 3 fewer is fewer."""
    games = [Played((1.0, -1.0), (5, 3), (1.0, 0.0), (), n) for n in (40, 39, 41)]
    measure, fewer = Measure("choices"), Measure("choices")
    for n in range(30):
        measure.add(games[0], games[1 + n % 2])
        fewer.add(games[0], Played((1.0, -1.0), (5, 3), (1.0, 0.0), (), 37 - n % 2))
    assert measure.least(1.0) == 2.0 and abs(measure.change.mean) < 1e-12
    assert measure.verdict(0.05, 1.0) == ALIKE and fewer.verdict(0.05, 1.0) == LESS
    lead = Measure("lead")
    assert lead.least(1.5) == 1.5 and lead.verdict(0.05, 1.0) == UNDECIDED


def test_titles_are_told_that_are_played_more_and_less() -> None:
    """Two games: the pear twice without and never with, the plum once more with it."""
    found = Comparison("orchard", "rich", 2, "random", 1.0, 0.05)
    plays = [(("Pear", 0, None), ("Plum", 1, None)), (("Plum", 0, None), ("Plum", 1, None))]
    for _ in range(2):
        one, two = (Played((0.0, 0.0), (1, 1), (0.5, 0.5), titles, 4) for titles in plays)
        found.games += 1
        found.add(one, two)
    assert found.played() == ([("Plum", 1.0)], [("Pear", -1.0)])
