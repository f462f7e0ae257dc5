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
state coins of player: number = 2 reads "{coins} coins"
state owed of player: number = 0 reads "{owed} to pay"
state purse of player: number = 0, private reads "{purse} in the purse"
state mayor: player or none = none reads "{mayor} is mayor"
state wet of player: truth = false reads "is wet"
state points of player: number = 0 reads "{points} points"
score worth(p: player) reads "what {p} is given"
  + 2 "high water"  when level is high
event reward(p: player) reads "{p} is rewarded"
  add worth(p) to p's points
event tax(p: player) reads "the tide is taxed"
  add 3 to p's left's coins
  subtract 2 from p's coins
  add 2 to p's left's owed
  if p's owed > 0
    subtract 1 from p's owed
  add 4 to p's purse
  set mayor to p's left
  set p's wet to true
  set p's left's wet to true
action rise(p: player) "Let it rise"
  do reward(p)
  set level to high
  set flooded to true
  set secret to high
  add 1 to count_of
  do tax(p)
action fall(p: player) "Let it fall"
  do reward(p)
  set level to low
  set flooded to false
  set mayor to none
  subtract 1 from p's owed
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
    of_table = ["the water is high", "the quay is under water", "player 2 is mayor"]
    assert changes(begun, risen, 1, True)[:3] == of_table
    fallen = risen.play(1, action="fall")
    assert changes(risen, fallen, None, True) == [
        "the water is low",
        "no longer: the quay is under water",
        "no longer: player 2 is mayor",
    ]


def test_numbers_of_players_whoever_changed_them(tide: Game) -> None:
    """With by how much; what is private only to whom it belongs, the scores only where they were
    not told, and nothing of himself to whoever chose it."""
    begun = tide.start(1)
    risen = begun.play(0, action="rise")
    coins = "player 2: 5 coins (+3), 2 to pay (+2), is wet"
    assert changes(begun, risen, 1, True)[3:] == ["player 1: 0 coins (-2)", coins]
    assert changes(begun, risen, 0, True)[3:] == [
        "player 1: 0 coins (-2), 4 in the purse (+4)",
        coins,
    ]
    fallen = risen.play(1, action="fall")
    assert changes(risen, fallen, 0, False)[-1] == "player 2: 2 points (+2)"
    assert changes(risen, fallen, 0, True)[-1] == "no longer: player 2 is mayor"


def test_what_happened_is_told_in_order(tide: Game) -> None:
    """To whoever looks later: each action, what came of it, and what it changed, with the scores
    as they were."""
    screen = Listener()
    table = Table(tide.start(1), {}, screen, None, commands.command, answer)
    table.teller.facing = 1
    table.state = table.state.play(0, action="rise").play(1, action="fall")
    table.teller.recap(table.state)
    told = [line.strip() for line in screen.said]
    assert told == [
        "player 2, this happened so far:",
        "player 1: Let it rise",
        "player 1 is rewarded (nothing)",
        "the tide is taxed",
        "player 1: 0, player 2: 0",
        "now: the water is high; the quay is under water; player 2 is mayor; "
        "player 1: 0 coins (-2); player 2: 5 coins (+3), 2 to pay (+2), is wet",
        "player 2: Let it fall",
        "player 2 is rewarded (worth 2: + 2 high water)",
        "player 1: 0, player 2: 2",
        "now: the water is low; no longer: the quay is under water; no longer: player 2 is mayor",
    ]


def test_it_is_told_at_the_table_and_nothing_is_counted_as_nothing(tide: Game) -> None:
    """After the choice that brought it; an event that counted nothing says so."""

    class Typed(Listener):
        lines = iter(["", "rise", "", "", "fall"])

        def ask(self, prompt: str) -> str | None:
            return next(self.lines, None)

    screen = Typed()
    state = Table(tide.start(1), {}, screen, None, commands.command, answer).play()
    told = [log.told(state, entry, None) for entry in state.log]
    rewarded = [line for line in told if "rewarded" in line]
    assert rewarded == [
        "player 1 is rewarded (nothing)",
        "player 2 is rewarded (worth 2: + 2 high water)",
    ]
    at = screen.said.index("  the tide is taxed")
    assert screen.said[at + 1] == "  player 1: 0, player 2: 0"
    assert screen.said[at + 2].startswith("  now: the water is high; the quay is under water; ")
