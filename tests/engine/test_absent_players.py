"""A player whom the rules name and who does not play: a fault or a failed scenario that says so,
and never a traceback.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.cli.main import main
from interpreter.game.game import Game, load
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
    assert str(fault.value) == why
    assert main(["simulate", str(tmp_path), "--players", "2", "--games", "1"]) == 1
    assert f"fault: game 1: {why}" in capsys.readouterr().out


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
