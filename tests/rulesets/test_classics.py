"""The classics are rules alone: short files that compile, whose scenarios hold, whose games end."""

from __future__ import annotations

import functools
import importlib.util
import random
from pathlib import Path
from types import ModuleType

import pytest

from interpreter.game.game import game_of
from interpreter.game.loading import Loaded, load_rules
from interpreter.scenarios.scenario import run_all
from interpreter.simulation.simulate import simulate

CLASSICS = sorted(path for path in Path("examples/classics").iterdir() if path.is_dir())
MOST_LINES = 120
BY_HAND = {  # folder -> class of tests/benchmarks/hand.py; Crazy Eights shuffles otherwise
    "tic_tac_toe": "TicTacToe",
    "connect_four": "ConnectFour",
    "breakthrough": "Breakthrough",
    "hex": "Hex",
    "reversi": "Reversi",
    "hare_and_hounds": "HareAndHounds",
}


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


@functools.cache
def written_by_hand() -> ModuleType:
    """The games of the benchmarks that are written by hand."""
    spec = importlib.util.spec_from_file_location("hand", "tests/benchmarks/hand.py")
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.mark.parametrize("folder", [p for p in CLASSICS if p.name in BY_HAND], ids=of_folder)
def test_it_is_the_game_that_is_written_by_hand(folder: Path) -> None:
    """Move by move there are as many options as the plain program has; the same one is taken in
    both, and both end at once.
    """
    hand, rng = written_by_hand(), random.Random(5)
    game = game_of(loaded(folder), 2, (), {})
    for seed in range(3):
        state, plain = game.start(seed), getattr(hand, BY_HAND[folder.name])(rng)
        while not plain.over():
            moves = sorted(plain.legal())
            if moves == [hand.FORCED]:
                plain.apply(hand.FORCED)
                continue
            options = list(state.decisions[0].options())
            assert len(options) == len(moves)
            chosen = rng.randrange(len(moves))
            state = state.choose(options[chosen])
            plain.apply(moves[chosen])
        assert state.over
