"""Pages of results: one file without scripts, with a chart of every interval."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter.cli.main import main
from interpreter.simulation.charts import Interval, Section, page
from tests.simulation.test_balance import files
from tests.simulation.test_comparison import RICH


@pytest.fixture(autouse=True)
def _altair() -> None:
    for library in ("altair", "vl_convert"):
        pytest.importorskip(library, reason="the extra `study` is not installed")


def test_a_page_needs_no_script_and_nothing_from_elsewhere() -> None:
    rows = [Interval("A & B", "alike", 0.5, -1.0, 2.0)]
    made = page("Balance", [Section("<b>", "points", rows, [["one <i>", "  two"]])])
    assert "<svg" in made and "A &amp; B" in made and "&lt;b&gt;" in made
    assert "one &lt;i&gt;<br>two" in made
    assert "<script" not in made and not re.search(r"(?:src|href)=[\"']?http", made)


def test_a_section_without_intervals_has_no_chart() -> None:
    assert "<svg" not in page("Balance", [Section("game", "points", [], [["never played"]])])


def test_the_command_writes_cards_and_variants(tmp_path: Path) -> None:
    game, added = files(tmp_path, 12)
    made, asked = tmp_path / "page.html", ["--bot", "random", "--games", "25"]
    assert main(["balance", game, added, *asked, "--html", str(made)]) == 1
    assert "Quince" in made.read_text("utf-8")
    Path(added).write_text(RICH, "utf-8")
    assert main(["balance", game, added, *asked, "--html", str(made)]) == 1
    assert made.read_text("utf-8").count("<svg") == 2
