"""A set asked by `is` or `=` to be one thing: an error that shows the ways to say what is meant."""

from __future__ import annotations

import pytest

from rulelang.diagnostics import CODES
from tests.tools.compiling import findings

GAME = """game court "Court"
  players: 2

kind rank: countess, guard "guard" / "guards"
group noble: countess
kind suit: red, black

component card
  rank: rank
  suits: set of suit
  pieces title, rank, suits, copies
    | Old   guard    red       2
    | Young countess red,black 1

place box: card, full
place hand of player: card
state seen of player: set of rank = {}
state mine of player: rank = guard
define young(c: card) = c is "Young"
"""
SET_AS_ONE, WRONG = CODES["set-as-one"].code, CODES["wrong-type"].code
SAID: dict[str, str | None] = {
    # the condition -> the code of what is said against it
    "p's hand is guard": SET_AS_ONE,
    "p's hand is not guard": SET_AS_ONE,
    "p's hand is noble": SET_AS_ONE,
    "p's hand is red": SET_AS_ONE,
    'p\'s hand is "Old"': SET_AS_ONE,
    "p's hand is young": SET_AS_ONE,
    "p's hand is c": SET_AS_ONE,
    "p's hand is (guard or countess)": SET_AS_ONE,
    "p's hand = guard": SET_AS_ONE,
    "p's hand != guard": SET_AS_ONE,
    "guard = p's hand": SET_AS_ONE,
    'p\'s hand = "Old"': SET_AS_ONE,
    "p's hand's rank is guard": SET_AS_ONE,
    "p's hand's rank is noble": SET_AS_ONE,
    "p's seen is guard": SET_AS_ONE,
    "p's seen is p's mine": SET_AS_ONE,
    "c's suits is red": SET_AS_ONE,
    "{countess, guard} is guard": SET_AS_ONE,
    "players is p": SET_AS_ONE,
    "p's hand is none": WRONG,
    "some x in p's hand where x is guard": None,
    "every x in p's hand: x is noble": None,
    "p's hand = guards": None,
    "p's hand = {c}": None,
    "p's hand is empty": None,
    "p's hand is box": None,
    "guard in p's seen": None,
    "p's seen = {guard}": None,
    "p's mine is noble": None,
    "c is red": None,
    'c is "Old"': None,
    'c = "Old"': None,
    "c is guard": None,
}


@pytest.mark.parametrize("said", SAID)
def test_a_set_is_not_one_thing(said: str) -> None:
    """Each condition means one thing, or is told."""
    text = GAME + f"define asked(p: player, c: card) = {said}\n"
    found, _ = findings({"court.rules": text.encode()})
    wanted = SAID[said]
    assert {d.code for d in found} == ({wanted} if wanted else set()), [d.message for d in found]


def test_the_fix_of_a_set_that_is_none_says_empty() -> None:
    """A set is empty, never none."""
    text = GAME + "define asked(p: player) = p's hand is none\n"
    (found,), _ = findings({"court.rules": text.encode()})
    assert found.fixes == ("A set is never none; say `is empty`.",)
