"""The classics are rules alone: short files that compile, whose scenarios hold and whose games end."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

from interpreter.game.game import game_of
from interpreter.game.loading import Loaded, load_rules
from interpreter.scenarios.scenario import run_all
from interpreter.simulation.simulate import simulate

CLASSICS = sorted(path for path in Path("examples/classics").iterdir() if path.is_dir())
MOST_LINES = 120


@functools.cache
def loaded(folder: Path) -> Loaded:
    """A game, compiled once."""
    return load_rules(str(folder))


def of_folder(folder: Path) -> str:
    return folder.name


@pytest.mark.parametrize("folder", CLASSICS, ids=of_folder)
def test_a_classic_is_short_and_rules_alone(folder: Path) -> None:
    """Its folder holds one file of rules with fewer lines than the bound, and no findings."""
    assert [path.name for path in folder.rglob("*")] == [f"{folder.name}.rules"]
    lines = (folder / f"{folder.name}.rules").read_text("utf-8").splitlines()
    assert len(lines) < MOST_LINES
    made = loaded(folder)
    assert [made.draw(item) for item in made.findings()] == []


@pytest.mark.parametrize("folder", CLASSICS, ids=of_folder)
def test_its_scenarios_hold(folder: Path) -> None:
    """What was worked out by hand comes about."""
    outcomes = run_all(loaded(folder))
    assert outcomes and [f"{o.name}: {o.message}" for o in outcomes if not o.passed] == []


@pytest.mark.parametrize("folder", CLASSICS, ids=of_folder)
def test_its_games_end_by_themselves(folder: Path) -> None:
    """Games by chance are finished: none is broken off by a fault or the bound on choices."""
    made = loaded(folder)
    game = game_of(made, made.compiled.rules.players[0], (), {})
    found = simulate([game], 3, 1)
    assert (found.finished, found.not_decided) == (3, 0)
