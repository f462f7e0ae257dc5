"""The notebook of the examples runs from the card's text to its report."""

from __future__ import annotations

import importlib.util
import sys

import pytest

NOTEBOOK = "examples/notebook/too_strong.py"
MISSING = "the extra `notebook` is not installed"


def test_the_notebook_comes_to_a_report(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its card is read without a finding and played; each cost has a verdict and an interval."""
    pytest.importorskip("marimo", reason=MISSING)
    pytest.importorskip("altair", reason=MISSING)
    monkeypatch.setattr(sys, "argv", [NOTEBOOK, "--games", "40"])
    spec = importlib.util.spec_from_file_location("too_strong", NOTEBOOK)
    assert spec is not None and spec.loader is not None
    notebook = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(notebook)
    _, found = notebook.app.run()
    assert found["findings"] == [] and all(row["played in"] for row in found["rows"])
    assert any("other Corner Bakery" in meaning for meaning in found["meanings"])
    assert [row["cost"] for row in found["rows"]] == [0, 2, 4]
    assert all(row["verdict"] for row in found["rows"])
    assert {"low", "high"} <= found["rows"][0].keys()
    assert found["chart"].to_dict()["width"] == 420
