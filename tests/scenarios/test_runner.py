"""The table of steps is complete, and scenarios end with a verdict."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

from interpreter.game.loading import load_rules
from interpreter.scenarios.runner import STEPS
from interpreter.scenarios.scenario import run_all
from rulelang.compiler import scenarios as compiler

ROOT = Path(__file__).parents[2]


def test_every_kind_of_step_is_carried_out() -> None:
    """The kinds of steps that are compiled are those of the table, and no others."""
    made = set(re.findall(r'\bStep\("(\w+)"', inspect.getsource(compiler)))
    assert set(STEPS) == made | {"players", "seed"}


def test_scenarios_of_a_game_hold() -> None:
    """Each passes, and tells which clauses were looked at on the way."""
    loaded = load_rules(str(ROOT / "tests/good/tic_tac_toe"))
    outcomes = run_all(loaded, record=True)
    assert outcomes and all(outcome.passed for outcome in outcomes)
    assert any(outcome.touched for outcome in outcomes)


def test_what_a_scenario_looks_at_does_not_hang_on_those_before_it() -> None:
    """What is kept in a game from one scenario to the next is noted again where it is asked for."""
    loaded = load_rules("cities")
    after_others = {one.name: one.touched for one in run_all(loaded, record=True)}
    for name in ("level 3: thirteen for terraces", "level 3: sixteen for attractions"):
        (alone,) = run_all(loaded, names={name}, record=True)
        assert alone.touched == after_others[name]
        assert "define clear" in alone.touched
