"""The benchmarks run, and give their rows."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_benchmark_gives_its_rows() -> None:
    """Each engine of a game has a row with its rate, and ratios to those it was measured beside;
    OpenSpiel only where it is installed.
    """
    command = [
        sys.executable,
        str(ROOT / "tests/benchmarks/playouts.py"),
        "--quick",
        "--seconds",
        "0.05",
        "--json",
        "--game",
        "tic_tac_toe",
    ]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = [row for row in json.loads(printed) if row["engine"] != "openspiel"]
    assert [(row["game"], row["engine"]) for row in rows] == [
        ("tic_tac_toe", name) for name in ("hand", "reference", "native")
    ]
    assert all(row["playouts_per_second"] > 0 for row in rows) and rows[0]["ratio_to_hand"] == 1
    assert rows[2]["ratio_to_reference"] > 5


def test_the_benchmark_of_a_large_board_gives_its_rows() -> None:
    """Kept or not, every question is answered alike.

    What hangs together is not found by testing every pair.
    """
    command = [
        sys.executable,
        str(ROOT / "tests/benchmarks/large_board.py"),
        "--size",
        "6",
        "--forgetful",
        "--json",
    ]
    rows = {
        row["question"]: row
        for row in json.loads(
            subprocess.run(command, capture_output=True, text=True, check=True).stdout
        )
    }
    assert all(row["ms"] > 0 for row in rows.values()) and all(
        rows[name]["ratio_to_forgetful"] > 5
        for name in ("networks without", "reach", "until stable")
    )


def test_the_benchmark_of_a_large_city_gives_its_rows() -> None:
    """Kept or not, the same places are found for ten cards, and the same prices."""
    command = [
        sys.executable,
        str(ROOT / "tests/benchmarks/large_city.py"),
        "--json",
        "--blocks",
        "30",
        "--forgetful",
    ]
    legal, priced = json.loads(
        subprocess.run(command, capture_output=True, text=True, check=True).stdout
    )
    assert legal["moves"] == priced["moves"] > 100
    assert legal["ms"] > 0 and legal["ratio_to_forgetful"] > 0
