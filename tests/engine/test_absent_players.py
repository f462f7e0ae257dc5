"""A player whom the rules name and who does not play: a fault or a failed scenario that says so,
and never a traceback.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.cli.main import main
from interpreter.game.game import Game, game_of, load
from interpreter.game.loading import load_rules
from interpreter.model.values import Fault
from interpreter.scenarios.scenario import run_all

RULES = """
game few "Few"
  players: 2 to 4
component stone of player
  pieces copies
    | 3
place bag of player: stone, full
place heap: stone
state chief: player = p4
state coins of player: number = 0
action fill(p: player) "Fill"
  add p4's coins to p's coins
action call_him(p: player) "Order"
  take one of fill by p4
action ask(p: player) "Ask"
  choose s in p's bag by chief "stone"
  move s to heap
action beware(p: player) "Beware"
  if count of players = 4
    move first of p4's bag to heap
flow
  repeat 2 times
    each p in turn
      take one of DONE by p
  finish evening
end all_done at evening when count of players > 1
rank
  lowest count of player's bag
"""


def game(tmp_path: Path, done: str, players: int = 2) -> Game:
    (tmp_path / "few.rules").write_text(RULES.replace("DONE", done), "utf-8")
    return load(str(tmp_path), players=players)


@pytest.mark.parametrize(
    ("done", "why"),
    [
        ("fill", "what is player 4's is asked for, and 2 play; ask for `count of players` first"),
        ("call_him", "player 4 is to decide “action”, line 14, and 2 play"),
        ("ask", "player 4 is to decide “stone”, line 16, and 2 play"),
    ],
)
def test_rules_that_need_one_player_more_are_at_fault(
    tmp_path: Path, done: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With four he plays; with two it is told what is lacking."""
    state = game(tmp_path, done, 4).start(0)
    assert state.choose(next(state.decisions[0].options())).moves == 1
    with pytest.raises(Fault) as fault:
        state = game(tmp_path, done).start(0)
        state.choose(next(state.decisions[0].options()))
    assert fault.value.why == why
    assert main(["simulate", str(tmp_path), "--players", "2", "--games", "1"]) == 1
    assert f"not decided: game 1: {why}" in capsys.readouterr().out


def test_rules_that_ask_who_plays_are_not(tmp_path: Path) -> None:
    """A player may be named where he plays."""
    state = game(tmp_path, "beware").start(0)
    while not state.over:
        state = state.choose(next(state.decisions[0].options()))
    assert state.scores() == [3, 3]


@pytest.mark.parametrize(
    "step",
    [
        "given\n    set chief to p3",
        "expect count of p3's bag = 0",
        "play p3: fill()",
        "play p1: lend(q: p3)",
    ],
)
def test_a_scenario_names_who_plays(tmp_path: Path, step: str) -> None:
    """Wherever it names another, it fails there and says for how many it is."""
    text = (
        RULES.replace("DONE", "fill")
        + 'event lend(p: player, q: player)\n  set chief to q\nscenario "names a third"\n'
        f"  players 2\n  {step}\n"
    )
    (tmp_path / "few.rules").write_text(text, "utf-8")
    (outcome,) = run_all(load_rules(str(tmp_path)))
    assert (
        not outcome.passed and outcome.message == "p3 does not play: the scenario is for 2 players"
    )
    assert outcome.span.line == text.splitlines().index(f"  {step}".splitlines()[0]) + 1


BOARDS = """
game plots "Plots"
  players: 2 to 4
board plot of player
  grid: square, 2 by 2
  cells: bed
state wet of bed: truth = false
action count_them(p: player) "Count"
  choose n in {count of p4's plot's beds} by p
  finish game
flow
  each p in turn
    take one of count_them by p
rank
  highest player's turn
state turn of player: number = 0
"""


@pytest.mark.parametrize("keeps", [True, False])
@pytest.mark.parametrize("rules", [RULES.replace("DONE", "fill"), BOARDS])
def test_every_evaluator_asks_who_plays(tmp_path: Path, rules: str, keeps: bool) -> None:
    """A variable or a board of a player who does not play is a fault that names him."""
    (tmp_path / "few.rules").write_text(rules, "utf-8")
    state = game_of(load_rules(str(tmp_path)), 2, (), {}, keeps=keeps).start(0)
    with pytest.raises(Fault, match="what is player 4's is asked for, and 2 play"):
        while not state.over:
            state = state.choose(next(state.decisions[0].options()))


def test_an_error_of_the_program_is_not_told_as_one_of_the_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A number that is looked for and not found stays what it is, however large."""

    def broken(*_: object) -> None:
        raise KeyError(99)

    made = game(tmp_path, "beware")
    state = made.start(0)
    monkeypatch.setattr(made.machine, "decide", broken)
    with pytest.raises(KeyError):
        state.choose(next(state.decisions[0].options()))
    monkeypatch.setattr(made.machine, "run", broken)
    with pytest.raises(KeyError):
        made.start(0)
