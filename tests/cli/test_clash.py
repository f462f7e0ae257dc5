"""Another distribution that owns a package `interpreter` is found before ours is imported."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import clashing_wheel
import pytest

import rulelang.__main__ as script

ROOT = Path(__file__).resolve().parents[2]


def test_no_clash_here() -> None:
    """This installation is whole."""
    assert script.clash() is None


def test_the_owners_are_read_from_the_records(tmp_path: Path) -> None:
    """Whoever installed files of that package is named; whoever only sounds like it is not."""
    with zipfile.ZipFile(clashing_wheel.write(tmp_path / "dist")) as wheel:
        wheel.extractall(tmp_path / "site")
    for name, line in [
        ("rulelang-0.1.0", "interpreter/__init__.py,,"),
        ("innocent-2.0", "innocent/interpreter/__init__.py,,"),
        ("alike-3.0", "interpreters/__init__.py,,"),
    ]:
        folder = tmp_path / "site" / f"{name}.dist-info"
        folder.mkdir()
        (folder / "RECORD").write_text(f"x.py,,\n{line}\n")
    assert script.other_owners(tmp_path / "site") == ["made-up-interpreter"]


def test_a_package_that_is_found_first_is_told(tmp_path: Path) -> None:
    """One that hides ours is never imported; the message names its owner and what to do."""
    with zipfile.ZipFile(clashing_wheel.write(tmp_path / "dist")) as wheel:
        wheel.extractall(tmp_path / "site")
    done = subprocess.run(
        [sys.executable, "-m", "rulelang", "games"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": f"{tmp_path / 'site'}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2 and done.stdout == ""
    assert "made-up-interpreter" in done.stderr and "venv" in done.stderr
    assert "another interpreter" not in done.stderr and "Traceback" not in done.stderr


def test_a_missing_package_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half an installation says so."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert "not installed whole" in (script.clash() or "")
