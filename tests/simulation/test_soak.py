"""Many random games in one process: a sample of what `python tests/tools/soak.py` plays."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import pytest
import soak

from interpreter.bots.playouts import playouts_of
from interpreter.game.game import Game, load

TICK = str(Path(__file__).resolve().parents[1] / "good" / "tic_tac_toe")


def test_memory_is_flat_and_nothing_is_raised() -> None:
    """Two rulesets under all their settings, from state to state and in place."""
    found = list(soak.soak(["the_city", "cities"], 32, 4, 1))[-1]
    assert found.games == {"the_city": 16, "cities": 16} and found.ended["over"] == 32
    assert len(found.settings["the_city"]) == 4 and len(found.settings["cities"]) == 12
    assert not found.raised and found.flat and len(found.sizes) == 4


def test_what_is_raised_is_told_with_its_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception of one game is kept, and the others are played; growth is told, too."""

    def fails(game: Game, seed: int, by_states: bool) -> str:
        if game.players == 3:
            raise KeyError("three")
        return "over"

    monkeypatch.setattr(soak, "play", fails)
    found = list(soak.soak(["the_city"], 4, 1, 0))[-1]
    assert found.ended["over"] == 4 - len(found.raised)
    assert all("--players 3" in told and "three" in told for told in found.raised)
    assert 0 < len(found.raised) < 4
    assert not soak.Soak(sizes=[100, 100, 150]).flat and soak.Soak(sizes=[100, 120, 121]).flat


def test_a_game_is_let_go_of_with_what_was_worked_out_of_it() -> None:
    """Its playouts speak of it: kept anywhere else than in the game, they would keep it, too."""
    made = load(TICK)
    playouts = playouts_of(made)
    assert playouts is not None and playouts is playouts_of(made)
    assert playouts.playout(0).over
    known = weakref.ref(made)
    del made, playouts
    gc.collect()
    assert known() is None
