"""The course of a scenario: its states step by step, and games that go on from one of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api.position import position_of
from interpreter.cli.main import main
from interpreter.game.loading import load_rules
from interpreter.scenarios.course import Course, NoCourse, course, played_on, scenario_of
from interpreter.scenarios.scenario import Runner

ROWS = Path(__file__).resolve().parents[1] / "good" / "tic_tac_toe" / "tic_tac_toe.rules"
PATH = """game path "Path"
  players: 2
state steps of player: number = 0
state bread of player: number = 0

procedure set_out
  set p1's bread to 5

action walk(p: player) "Walk"
  choose n in {1, 2} by p "far"
  add n to p's steps

action eat(p: player) "Eat"
  subtract 1 from p's bread

procedure turn(p: player)
  take one of walk, eat by p

flow
  do set_out
  repeat
    each p in turn
      do turn(p)

scenario "in the middle"
  players 2
  given
    set p2's steps to 7
  expect p2's steps = 7
  play p2: walk(n: 2)
  expect p2's steps = 8, p1's steps = 0
  play p2: eat()
  expect p2's bread = 4

scenario "in the flow"
  start
  play p1: walk(n: 1)
  expect asked of p2: action

scenario "for too many"
  players 3
  expect p1's steps = 0
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("course") / "path.rules"
    made.write_text(PATH, "utf-8")
    return made


def _course(path: Path, title: str) -> Course:
    loaded = load_rules(str(path))
    assert not loaded.compiled.report.errors, loaded.compiled.report.errors
    return course(Runner(loaded), scenario_of(loaded, title))


def test_each_step_has_the_state_before_and_after_it(path: Path) -> None:
    found = _course(path, "in the middle")
    steps = [position_of(state).state["steps"].get("player 2", 0) for state in found.states]
    assert steps == [0, 0, 7, 7, 9, 9, 9, 9]
    assert found.known == (0, 0, 0, 0, 0, 1, 1, 2)
    line = PATH.split("\n").index("  play p2: walk(n: 2)") + 1
    assert (found.before(line), found.given()) == (3, 2)


def test_a_game_goes_on_where_the_flow_comes_to_what_is_played(path: Path) -> None:
    found = _course(path, "in the middle")
    state = played_on(found, found.given())
    (decision,) = state.specs
    assert (decision.player, decision.name) == (1, "action")
    assert position_of(state).state["bread"] == {}, "what comes before that turn is not done again"
    (decision,) = played_on(_course(path, "in the flow"), 2).specs
    assert decision.player == 1
    state = played_on(found, len(found.steps))
    assert position_of(state).state["bread"]["player 1"] == 5, "else it begins from this position"
    assert position_of(state).state["steps"]["player 2"] == 9


def test_boards_are_as_the_scenario_lays_them() -> None:
    found = _course(ROWS, "a taken cell is refused")
    state = played_on(found, found.given())
    marks = position_of(state).state["mark"]
    assert len(marks) == 1 and [spec.player for spec in state.specs] == [0]


def test_what_has_no_game_is_told(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    loaded = load_rules(str(path))
    with pytest.raises(NoCourse, match="its settings are refused"):
        course(Runner(loaded), scenario_of(loaded, "for too many"))
    with pytest.raises(NoCourse, match="no scenario “never”"):
        scenario_of(loaded, "never")
    for more in (["--scenario", "never"], ["--scenario", "in the flow", "--players", "2"]):
        assert main(["play", str(path), *more]) == 2
    assert "under the settings of the scenario" in capsys.readouterr().err


def test_bots_play_on_from_a_scenario(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = PATH.split("\n").index("  play p1: walk(n: 1)") + 2
    words = ["play", str(ROWS), "--scenario", "a taken cell is refused", "--bots", "random,random"]
    assert main([*words, "--line", str(line), "--json"]) == 0
    assert '"moves": ' in capsys.readouterr().out
