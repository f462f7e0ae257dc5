"""How a scenario begins: pieces put, the flow entered in the middle, places not there yet."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_expectations import GAME, messages

LOOPS = """
game talk "Talk"
  players: 3

state first: player = p2
state said of player: number = 0
state rounds: number = 0
state late: truth = false

action speak(p: player) "Speak"
  add 1 to p's said

procedure turn(p: player)
  take one of speak by p

procedure close_round
  add 1 to rounds
  take one of speak by first

flow
  let lucky = chance(players)
  add 7 to lucky's said
  repeat 2 times
    each p in turn from first
      do turn(p)
    do close_round
  if late
    for each p in players
      do turn(p)
"""


def test_the_flow_is_entered_in_the_middle(tmp_path: Path) -> None:
    """What comes after is as if play had come there: the players after him, then the rest."""
    assert not messages(
        tmp_path,
        """
        start at turn(p3)
        expect asked of p3: action
        play p3: speak()
        expect asked of p1: action
        play p1: speak()
        expect deciding = {p2}, rounds = 1
        play p2: speak()
        expect deciding = {p2}, rounds = 1
        play p2: speak()
        expect deciding = {p3}, sum of (p's said for p in players) = 4
        """,
        LOOPS,
    )


def test_conditions_on_the_way_decide_between_places(tmp_path: Path) -> None:
    """The place whose conditions hold is meant; where several are alike, that is told."""
    assert not messages(tmp_path, "start at speak(p1)\nexpect asked of p1: action", LOOPS)
    (alike,) = messages(tmp_path, "given\n  set late to true\nstart at turn(p1)", LOOPS)
    assert alike == "the flow comes to turn(p1) in 2 ways, at line 25, 29"
    (several,) = messages(tmp_path, "start at speak(p2)", LOOPS)
    assert several == "the flow comes to speak(p2) in 2 ways, at line 14, 18"
    unused = LOOPS + "\nprocedure never(p: player)\n  add 1 to p's said\n"
    (nowhere,) = messages(tmp_path, "start at never(p1)", unused)
    assert nowhere == "the flow does not come to never(p1)"


def test_so_many_pieces_of_a_title(tmp_path: Path) -> None:
    """From where they lie, no more than there are."""
    assert not messages(
        tmp_path,
        """
        given
          move 1 "Apple" from store to p1's basket
          move "Bread" from store to p2's basket
        expect count of p1's basket = 1, "Apple" in p1's basket, "Apple" in store
        expect "Bread" in p2's basket, "Bread" not in store
        given
          move "Apple" from p1's basket to p2's basket
        expect count of p2's basket = 2, "Apple" in store
        """,
    )
    (told,) = messages(tmp_path, 'given\n  move 3 "Apple" from store to p1\'s basket')
    assert told == "there are not 3 of the store where it is Apple, but 2"


def test_rules_move_so_many_too(tmp_path: Path) -> None:
    """In an event the same statement moves as many as there are."""
    event = '\nevent sweep(p: player)\n  move 5 "Apple" from store to p\'s basket\n'
    steps = 'play p1: sweep()\nexpect count of p1\'s basket = 2, "Apple" not in store'
    assert not messages(tmp_path, steps, GAME + event)


GROWN = """
game slabs "Slabs"
  players: 2

component slab
  number: number
  form: shape
  pieces number, form
    | 1 XX/XX
    | 2 XXX

board terrace of player
  grid: square, grown from slab
  cells: stone
  labels: stone_number

place pile: slab, full

define stone_number(s: stone) gives number = 10 * s's slab's number + s's number
define numbered(n: number) gives stone or none = the {s in stones where stone_number(s) = n}
define second gives slab or none = the {x in pile where x's number = 2}

event lay(p: player, x: slab, at: list of stone)
  put x at at

rules of lay(p, x, at)
  "beside it"  at in spots(x, p's terrace)
"""


@pytest.mark.parametrize("player", ["p1", "p2"])
def test_a_cell_is_named_before_it_is_there(tmp_path: Path, player: str) -> None:
    """By its column and row in the picture, on every player's board."""
    steps = f"""
    board terrace of {player}
      | 11 12
      | 13 14
    expect ground_at({player}'s terrace, 2, 2) = numbered(14), numbered(21) = none
    play {player}: lay(x: second, at: {{ground_at({player}'s terrace, 3, 1),
        ground_at({player}'s terrace, 4, 1), ground_at({player}'s terrace, 5, 1)}})
    expect not refused, numbered(21) = ground_at({player}'s terrace, 3, 1),
        numbered(12) adjacent numbered(21), ground_at({player}'s terrace, 5, 1) = numbered(23)
    """
    assert not messages(tmp_path, steps, GROWN)
    apart = steps.replace("3, 1),\n", "4, 1),\n").replace("4, 1), ground", "5, 1), ground")
    assert "beside it" in messages(tmp_path, apart, GROWN)[0]


PLOTS = """
game plots "Plots"
  players: 2

component house
  form: shape
  pieces title, form
    | Hut  X
    | Hall XX

board yard
  grid: square, 3 by 3
  cells: plot
  home: house on plot

place box: house, full
state turns: number = 0

event build(x: house, at: set of plot)
  add 1 to turns
  put x at at

rules of build(x, at)
  "its form"  at in footprints(x's form, yard)
"""
IMPOSSIBLE = {
    "a diagonal": ('put "Hall" at {site_at(yard, 1, 1), site_at(yard, 2, 2)}', "does not cover"),
    "two on one plot": (
        'put "Hut" at {site_at(yard, 1, 1)}\n  put "Hall" at {site_at(yard, 1, 1)}',
        "two pieces on one site of home",
    ),
    "a counter below 0": ("set turns to -2", "turns is -2, and no rule makes it less than 0"),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_what_is_given_must_be_possible(tmp_path: Path, name: str) -> None:
    """A position that no play could lead to is no beginning; it is told at the lines given."""
    given, why = IMPOSSIBLE[name]
    (told,) = messages(tmp_path, f"given\n  {given}\nexpect turns = 0", PLOTS)
    assert why in told


def test_a_region_may_be_covered_for_short(tmp_path: Path) -> None:
    """Under `given` the form of a piece is not asked for."""
    steps = """
    given
      put "Hall" at {b in yard's plots where b's row < 3}
    expect count of {b in yard's plots where b's home is none} = 3
    """
    assert not messages(tmp_path, steps, PLOTS)
