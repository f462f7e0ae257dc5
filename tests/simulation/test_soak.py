"""Many random games in one process: a sample of what `python tests/tools/soak.py` plays."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import soak

from interpreter.game.game import Game

TICK = str(Path(__file__).resolve().parents[1] / "good" / "tic_tac_toe")


def test_memory_is_flat_and_nothing_is_raised() -> None:
    """A ruleset under all its settings; in a process of its own, whose size nothing else blurs."""
    command = [sys.executable, soak.__file__, "--games", "16", "--rounds", "4", "--seed", "1"]
    command += ["--only", "the_city"]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    *rounds, one, ended, flat = made.stdout.splitlines()
    assert len(rounds) == 4 and re.fullmatch(r"   16 games, \d+ MB, 0 exceptions", rounds[-1])
    assert one == "the_city: 16 games under 4 settings"
    assert (ended, flat) == ("   16 over", "memory is flat")


def test_what_is_raised_is_told_with_its_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception of one game is kept, and the others are played; growth is told, too."""

    def fails(game: Game, seed: int) -> str:
        if game.players == 3:
            raise KeyError("three")
        return "over"

    monkeypatch.setattr(soak, "play", fails)
    monkeypatch.setattr(soak, "size", lambda: 100)
    found = list(soak.soak(["the_city"], 4, 1, 0))[-1]
    assert found.ended["over"] == 4 - len(found.raised)
    assert all("--players 3" in told and "three" in told for told in found.raised)
    assert 0 < len(found.raised) < 4
    assert not soak.Soak(sizes=[100, 100, 150]).flat and soak.Soak(sizes=[100, 120, 121]).flat


LET_GO = """
import gc, weakref
from interpreter.bots.search import modules_of
from interpreter.game.game import load
made = load({game!r})
modules = modules_of(made)
assert not isinstance(modules, str) and modules is modules_of(made)
modules.resumed.enter(made.start(0).position)
known = weakref.ref(made)
del made, modules
gc.collect()
assert known() is None
"""


def test_a_game_is_let_go_of_with_what_was_worked_out_of_it() -> None:
    """Its module speaks of it: kept anywhere else than in the game, they would keep it, too.

    In a process of its own, for the collector looks through all that other tests have made.
    """
    made = subprocess.run(
        [sys.executable, "-c", LET_GO.format(game=TICK)], capture_output=True, text=True
    )
    assert made.returncode == 0, made.stderr
