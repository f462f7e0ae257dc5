"""What the rules change of the table itself is told, in the words of its variables."""

from __future__ import annotations

import pytest

from interpreter.game import log
from interpreter.game.changes import changes
from interpreter.game.game import Game, load
from interpreter.render.screen import Listener
from interpreter.table import commands
from interpreter.table.input import answer
from interpreter.table.session import Table

RULES = """game tide "Tide"
  players: 2
kind water: low "low", high "high"
state level: water = low reads "the water is {level}"
state flooded: truth = false reads "the quay is under water"
state active: player or none = none reads "{active}'s turn"
state count_of: number = 0 reads "{count_of} waves"
state secret: water = low, hidden
state points of player: number = 0 reads "{points} points"
score worth(p: player) reads "what {p} is given"
  + 2 "high water"  when level is high
event reward(p: player) reads "{p} is rewarded"
  add worth(p) to p's points
action rise(p: player) "Let it rise"
  do reward(p)
  set level to high
  set flooded to true
  set secret to high
  add 1 to count_of
action fall(p: player) "Let it fall"
  do reward(p)
  set level to low
  set flooded to false
flow
  repeat 2 times
    each p in turn
      set active to p
      take one of rise, fall by p
rank
  highest player's points
"""


@pytest.fixture(scope="module")
def tide(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("tide") / "tide.rules"
    path.write_text(RULES, "utf-8")
    return load(str(path))


def test_what_holds_and_what_no_longer_holds(tide: Game) -> None:
    """A kind's member and a truth; no number, nobody's turn, and nothing hidden."""
    begun = tide.start(1)
    risen = begun.play(0, action="rise")
    assert changes(begun, risen, 1) == ["the water is high", "the quay is under water"]
    fallen = risen.play(1, action="fall")
    assert changes(risen, fallen, None) == [
        "the water is low",
        "no longer: the quay is under water",
    ]
    assert changes(begun, fallen, 0) == []


def test_it_is_told_at_the_table_and_nothing_is_counted_as_nothing(tide: Game) -> None:
    """After the choice that brought it; an event that counted nothing says so."""

    class Typed(Listener):
        lines = iter(["rise", "fall"])

        def ask(self, prompt: str) -> str | None:
            return next(self.lines, None)

    screen = Typed()
    state = Table(tide.start(1), {}, screen, None, commands.command, answer).play()
    rewarded = [log.told(state, entry, None) for entry in state.log]
    assert rewarded == [
        "player 1 is rewarded (nothing)",
        "player 2 is rewarded (worth 2: + 2 high water)",
    ]
    at = screen.said.index("  player 1 is rewarded (nothing)")
    assert screen.said[at + 1 : at + 4] == [
        "  player 1: 0, player 2: 0",
        "  now: the water is high",
        "  now: the quay is under water",
    ]
