"""The engines play the very same games: choices, results, and which clauses counted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("wasmtime", reason="the extra `native` is not installed")

from race import race

from interpreter.cli.main import main
from interpreter.game.game import Game, game_of, load
from interpreter.game.loading import load_rules
from interpreter.simulation.engines import FEW, NATIVE, REFERENCE, Manner, uncertain
from interpreter.simulation.simulate import Simulation, simulate

ROOT = Path(__file__).resolve().parents[2]
CLASSICS = sorted((ROOT / "examples/classics").iterdir())


def told(found: Simulation) -> dict[str, object]:
    """What is told of a simulation, but for the clock and the engine."""
    return {
        name: value
        for name, value in found.as_json().items()
        if name not in ("seconds", "engine", "engines")
    }


def alike(game: Game, games: int, seed: int) -> Simulation:
    """The same games by both engines; the simulation by the native one."""
    usual = simulate([game], games, seed, Manner(engine=REFERENCE))
    native = simulate([game], games, seed, Manner(engine=NATIVE))
    if not native.told:  # which clauses counted it cannot say
        never, seen = list[str](), dict[str, int]()
        usual = replace(usual, told=False, never_fired=never, seen=seen)
    assert told(native) == told(usual)
    return native


@pytest.mark.parametrize("path", CLASSICS, ids=lambda path: path.name)
def test_the_classics_are_played_alike(path: Path) -> None:
    """Each game is the same to the last byte, and every clause counted in as many games."""
    game = load(str(path))
    found = alike(game, 3, 7)
    assert found.engines == {NATIVE: 3} and found.told
    assert not uncertain(game)


@pytest.mark.parametrize("name", ["sealed", "buried", "expectations", "choices"])
def test_choices_at_once_and_of_several_are_drawn_alike(name: str) -> None:
    """So are games in which players decide at once, cards judge, and several are chosen."""
    assert alike(load(str(ROOT / "tests/good" / name)), 6, 3).engines.get(NATIVE, 0) > 2


def test_a_city_of_cards_is_played_alike() -> None:
    """A whole game with a search, relations and sets of sets is the same in both engines."""
    game = load("card_city_xl", players=2)
    usual = simulate([game], 1, 3, Manner(engine=REFERENCE, counts=False))
    native = simulate([game], 1, 3, Manner(engine=NATIVE, counts=False))
    assert usual.hash == native.hash
    assert native.engines == {NATIVE: 1}


def test_several_are_drawn_from_many_as_python_draws(tmp_path: Path) -> None:
    """Few of many members are drawn one by one, many of few from a pool."""
    rules = """
game draws "Draws"
  players: 2

board field
  grid: square, 8 by 8
  cells: cell

state sum: number = 0
state held of cell: player or none = none

event take(p: player, c: cell) reads "{p} takes a cell"
  set c's held to p

flow
  repeat 3 times
    each p in turn
      choose 0 to 30 few in {c in cells where c's row + c's column < 12} by p "cells"
      for each c in few
        do take(p, c)
      choose 3 to 4 more in cells by p "more"
      for each c in more
        do take(p, c)
      choose order row of {c in cells where c's held is p, c's row < 7} by p "row"
      for each c in row
        set sum to (sum + c's column) * 3 - (sum / 1000 rounded down) * 3000

rank
  highest count of {c in cells where c's held is player} + sum
"""
    path = tmp_path / "draws.rules"
    path.write_text(rules, "utf-8")
    assert alike(load(str(path)), 4, 1).engines == {NATIVE: 4}


def test_a_game_that_breaks_off_is_told_by_the_reference(tmp_path: Path) -> None:
    """A number past 64 bits ends a game undecided, with the same words."""
    path = tmp_path / "race.rules"
    path.write_text(race("900000000 * 900000000"), "utf-8")
    found = alike(load(str(path)), 3, 1)
    assert found.not_decided == 3 and found.engines == {REFERENCE: 3}


def test_an_engine_is_forced_and_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The option or the environment names the engine; what cannot be is said, and played."""
    path = tmp_path / "race.rules"
    path.write_text(race("900000000"), "utf-8")
    ask = ["simulate", str(path), "--games", "2", "--json"]
    assert main([*ask, "--engine", "native"]) == 0
    assert '"engine": "native"' in capsys.readouterr().out
    monkeypatch.setenv("RULELANG_ENGINE", "reference")
    assert main(ask) == 0
    assert '"engine": "reference"' in capsys.readouterr().out
    assert main([*ask, "--engine", "native", "--bot", "hasty"]) == 0
    known = capsys.readouterr()
    assert '"engine": "reference"' in known.out and "at random alone" in known.err
    monkeypatch.setenv("RULELANG_ENGINE", "quick")
    assert main(ask) == 2
    assert "the engines are auto, reference" in capsys.readouterr().err


def test_many_games_are_played_natively_unless_clauses_are_asked_for() -> None:
    """Of cards that judge it is known after some games that each has counted."""
    game = load(str(ROOT / "tests/good/expectations"))
    usual = simulate([game], FEW, 1, Manner(counts=False))
    assert uncertain(game)
    assert told(simulate([game], FEW, 1, Manner(engine="auto"))) == told(usual)
    mixed = simulate([game], FEW, 1, Manner(engine="auto", counts=False))
    assert mixed.never_fired == usual.never_fired and mixed.hash == usual.hash
    assert mixed.engines[NATIVE] > 5 and mixed.engines[REFERENCE] > 0


def test_without_keeping_the_same_games_are_played() -> None:
    """What is kept changes no answer."""
    path = str(CLASSICS[0])
    made = game_of(load_rules(path, tests=False), None, (), {}, keeps=False)
    found = simulate([made], 1, 7, Manner(engine=REFERENCE))
    assert told(found) == told(simulate([load(path)], 1, 7))
    assert found.engine == REFERENCE
