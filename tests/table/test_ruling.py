"""Disputes at the table: `rule` puts a play down as a scenario with a ruling to be filled in."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.game.game import Game, State, load
from interpreter.game.loading import Loaded, load_rules
from interpreter.render.screen import Listener
from interpreter.scenarios.scenario import run_all
from interpreter.table.commands import command
from interpreter.table.menu import Menu
from interpreter.table.session import Table

RULES = """game strip "Strip"
  players: 2
component stone of player
  colour: text
  pieces title, copies, colour
    | "Stone" 9 "grey"
    | "Boulder" 2 "white"
board meadow
  grid: square, 5 by 3
  cells: plot
  floor: stone on plot
place bag of player: stone, full
state points of player: number = 0
score worth(at: plot)
  start 2 "a stone"
  + 1 "beside a boulder" when some c in at's neighbors where c's floor is "Boulder"
event lay(p: player, b: stone, at: plot) reads "{p} lays {b} on {at}"
  add worth(at) to p's points
  put b at at
rules of lay(p, b, at)
  "free" at's floor is none
action set_one(p: player) "Lay"
  choose b in p's bag by p "Which stone?"
  choose at in plots by p "Where?"
  do lay(p, b, at)
action pass(p: player) "Pass"
  do nothing
flow
  repeat
    each p in turn
      take one of set_one, pass by p
end enough when some p in players where p's points > 40
rank
  highest player's points
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("strip") / "strip.rules"
    path.write_text(RULES, "utf-8")
    return path


@pytest.fixture(scope="module")
def strip(path: Path) -> Game:
    return load(str(path))


def asked(state: State, typed: str) -> list[str]:
    """What is told of a line at the table, where it is a command; the game stays as it was."""
    screen = Listener()
    table, menu = Table(state, {}, screen), Menu.of(state, state.decisions[0])
    assert command(table, typed, menu.decision, menu) and table.state is state
    return screen.said


def later(game: Game) -> State:
    """Two stones and a boulder lie, the boulder in the middle, and player 2 is to play."""
    state = game.start(1)
    for title, site in (("Stone", "a1"), ("Stone", "e3"), ("Boulder", "c2")):
        player = state.decisions[0].player
        state = state.choose(state.option(player, "action", "set_one"))
        state = state.choose(state.option(player, "b", title))
        state = state.choose(state.option(player, "at", site))
    return state


def held(path: Path, name: str) -> Loaded:
    """The rules with the file that was written; its scenario holds."""
    loaded = load_rules(str(path), (), [(name, Path(name))])
    assert not loaded.compiled.report.errors
    outcomes = run_all(loaded)
    assert [outcome.message for outcome in outcomes] == [""]
    return loaded


def test_a_play_in_question_becomes_a_scenario_of_what_bears_on_it(
    strip: Game, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The boulder beside the place stays, the two stones do not; 2 and 1 are 3."""
    monkeypatch.chdir(tmp_path)
    told = asked(later(strip), "rule lay stone c1")
    assert told[-1].startswith("Written to ruling-1.rules, with no more than bears on it")
    text = Path("ruling-1.rules").read_text("utf-8")
    assert text.count("  put ") == text.count("  put first of") + text.count('  put "Boulder"') == 1
    assert "play p2: set_one(" in text and "expect scored = 3, p2's points = 3" in text
    loaded = held(path, "ruling-1.rules")
    ruling = loaded.compiled.rules.rulings[0]
    assert ruling.settled == ("lay stone c1",) and ruling.name.startswith("To be decided")
    wrong = tmp_path / "wrong.rules"
    wrong.write_text(text.replace("scored = 3", "scored = 2"), "utf-8")
    again = load_rules(str(path), (), [("wrong.rules", wrong)])
    assert [outcome.passed for outcome in run_all(again)] == [False]


def test_a_refusal_in_question_is_expected_by_its_rules(
    strip: Game, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    asked(later(strip), "rule lay stone e3")
    text = Path("ruling-1.rules").read_text("utf-8")
    assert "expect refused by" in text and '"free"' in text
    assert text.count("    put ") == 1, "only what lies there already"
    held(path, "ruling-1.rules")
    asked(later(strip), "rule lay stone a1")
    assert Path("ruling-2.rules").exists() and Path("ruling-1.rules").read_text("utf-8") == text


def test_what_is_no_play_is_told_and_nothing_is_written(
    strip: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for typed in ("rule", "rule zz"):
        assert len(asked(strip.start(1), typed)) == 1
    assert not list(tmp_path.iterdir())
