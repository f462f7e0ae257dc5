"""What goes wrong in one scenario is told of it, and the others are run all the same."""

from __future__ import annotations

import pytest

from interpreter.game.loading import load_rules
from interpreter.scenarios import scenario as scenarios
from interpreter.scenarios.runner import Trial


def test_a_mistake_ends_one_scenario(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception nobody provided for fails the scenario it happens in, with its words."""
    loaded = load_rules("tests/good/echoes")
    first = loaded.compiled.rules.scenarios[0]
    step = Trial.step

    def broken(self: Trial, which: object) -> None:
        if which in first.steps:
            raise TypeError("no such thing")
        step(self, which)

    monkeypatch.setattr(Trial, "step", broken)
    found = scenarios.run_all(loaded)
    assert len(found) == len(loaded.compiled.rules.scenarios) and not found[0].passed
    assert "TypeError: no such thing" in found[0].message and found[1].message != found[0].message
