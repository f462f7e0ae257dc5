"""Commands start quickly: what they do not need is not loaded, and the catalogue of games is
kept.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter.bots.agents import BOTS
from interpreter.bots.names import BOT_NAMES
from interpreter.game import cache, catalog

ROOT = Path(__file__).resolve().parents[2]
HEAVY = {"lark", "networkx", "pydantic", "rich", "rulelang.core"}


def loaded(cache_folder: Path, *words: str) -> set[str]:
    """The modules a command line has loaded when it ends."""
    code = (
        "import sys\nfrom interpreter.cli.main import main\n"
        f"status = main({list(words)!r})\n"
        "print(' '.join(sys.modules), file=sys.stderr)\nsys.exit(status)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": str(ROOT), cache.VARIABLE: str(cache_folder)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.split())


def test_the_names_of_bots_are_those_of_the_bots() -> None:
    """The command line knows every bot without loading their code."""
    assert tuple(sorted(BOTS)) == BOT_NAMES


@pytest.mark.parametrize("word", ["--version", "--help"])
def test_help_and_version_load_nothing_heavy(word: str, tmp_path: Path) -> None:
    """Neither the compiler nor a library of others is loaded for a page of help."""
    assert not loaded(tmp_path, word) & HEAVY


def test_a_kept_catalogue_loads_nothing_heavy(tmp_path: Path) -> None:
    """Once the games were listed, listing them again parses nothing."""
    assert "lark" in loaded(tmp_path, "games")
    assert not loaded(tmp_path, "games") & HEAVY


def test_networkx_is_loaded_only_for_a_graph(tmp_path: Path) -> None:
    """Rules without a circle are checked without it."""
    assert "networkx" not in loaded(tmp_path, "check", "tests/good/tic_tac_toe")


def test_a_board_of_squares_is_played_without_networkx(tmp_path: Path) -> None:
    """Only the points of a map that is no grid are laid out as a graph."""
    words = ("play", "tests/good/tic_tac_toe", "--seats", "me,me")
    assert not loaded(tmp_path, *words) & {"networkx", "interpreter.scenarios.transcript"}


def test_the_entry_of_a_path_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is declared once, and anew when a file is another."""
    rules = tmp_path / "mine.rules"
    rules.write_bytes((ROOT / "tests/good/tic_tac_toe/tic_tac_toe.rules").read_bytes())
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "kept"))
    first, declared = catalog.entry(rules), catalog._declared
    monkeypatch.setattr(catalog, "_declared", None)
    assert catalog.entry(rules) == first
    monkeypatch.setattr(catalog, "_declared", declared)
    text = rules.read_text(encoding="utf-8")
    assert first.title in text
    rules.write_text(text.replace(first.title, "Another", 1), encoding="utf-8")
    assert catalog.entry(rules).title == "Another"


def test_a_kept_catalogue_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept is what is declared; what is damaged or foreign is made anew."""
    fresh = list(catalog.games())
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path))
    assert list(catalog.games()) == fresh
    entries = sorted(tmp_path.iterdir())
    assert len(entries) == len(fresh)
    assert list(catalog.games()) == fresh
    entries[0].write_bytes(b"rubbish")
    for path in entries[1:]:  # whole, but of another shape
        cache.write(path.stem, json.dumps({"id": path.stem, "players": "many"}).encode())
    assert list(catalog.games()) == fresh
