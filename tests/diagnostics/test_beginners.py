"""What authors who are new to the language write first, and what they are told: how it is said
here, and where a game does not go on.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from compiling import findings

from interpreter.game.game import load
from interpreter.simulation.outcome import play_game

TOWN = """game town "Town"
  players: 2 to 3
  moves: 40
component house
  rent: number
  pieces rent, copies
    | 1 4
component tile
  form: shape = "X"
board park
  grid: square, grown from tile
  cells: plot
place hand of player: house
place deck: house, ordered, full
state coins of player: number = 0
event earn(p: player, n: number)
  add n to p's coins
rules of earn(p, n)
  "something"  n > 0
score wealth(p: player, n: number)
  start n "coins"
procedure pay(p: player)
  do earn(p, 1)
"""

HABITS = {
    "define rich = coins > 3": (
        "`coins` is a variable of each player: say whose, as in `x's coins`."
    ),
    "define poor = hand is empty": "`hand` is a place of each player: say whose, as in `x's hand`.",
    "define dear(x: house) = rent > 1": "`rent` is of each house: say of which, as in `x's rent`.",
    "define best(p: player) = wealth > 1": "`wealth` takes values: write `wealth(p, n)`.",
    "define so(p: player) = pay(p)": (
        "`pay` is carried out by a line of its own, `do pay(p)`, or `let x = pay(p)` for what it "
        "gives."
    ),
    "define so = earn": "`earn` is carried out by a line of its own, `do earn(p, n)`.",
    "define so(p: player) = player's coins": (
        "`player` is a type; what is of it needs a name of its own, as in `some x in S` or `(x: "
        "player)`."
    ),
    "define so(x: house) = x's coins": (
        "`coins` is a variable of each player: say whose, as in `x's coins`."
    ),
    "define so = p4's coins": "The players are p1 to p3.",
    "define so = p0's coins": "The players are p1 to p3.",
    "flow\n  set p1's coins to chance({1 to 6})": (
        "Name what is drawn in a line before this one, then use the name."
    ),
    "event lay(t: tile, at: plot)\n  put t at at": (
        "The board grows from it: put it at the list of its new cells, as in `choose at in "
        "spots(x, park)` and `put x at at`."
    ),
    "event buy(x: house) reads \"{x's rent} is paid\"\n  move x to p1's hand": (
        "A slot names one of its own values, as in {p}; "
        "what is more is said by a definition that reads."
    ),
}


@pytest.mark.parametrize("text", HABITS)
def test_a_fix_says_how_it_is_said_here(text: str) -> None:
    found, _ = findings({"town.rules": (TOWN + text + "\n").encode()})
    assert [item.fixes for item in found] == [(HABITS[text],)]


STOPS = {
    "flow\n  repeat\n    do earn(p1, 1)\n": "steps without a decision, in flow, line 26",
    "action pass(p: player)\n  do nothing\nflow\n  repeat\n    take one of pass by p1\n": (
        "its bound of 40 moves; give it an `end` that comes, or set `moves` under `game`"
    ),
    'flow\n  choose x in p2\'s hand by p1 "house"\n  move x to deck\n': (
        "player 1 is to decide “house” (town.rules, line 25), and nothing can be chosen"
    ),
    "flow\n  choose n in {-3 to 0} by p1\n  do earn(p1, n)\n": (
        "player 1 is to decide “n” (town.rules, line 25), and nothing can be chosen"
    ),
    "action lose(p: player)\n  do earn(p, 0)\nflow\n  take one of lose by p2\n": (
        "player 2 is to decide “action” (town.rules, line 27), and nothing can be chosen"
    ),
}


ENDLESS, *OTHERS = STOPS


@pytest.mark.parametrize(
    ("text", "bot"),
    [(ENDLESS, "random"), *((text, bot) for text in OTHERS for bot in ("random", "greedy"))],
)
def test_a_game_that_does_not_go_on_says_where(
    text: str, bot: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("town.rules").write_text(TOWN + text, "utf-8")
    outcome = play_game(load("town.rules"), 1, bot)
    assert not outcome.finished and STOPS[text] in outcome.fault
