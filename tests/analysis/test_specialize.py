"""What is left of rules for the cards there are: what only other cards would ask of is gone."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.game.loading import load_rules
from interpreter.proofs.operators import Mutant, broken, mutants
from rulelang.analysis.specialize import specialized
from rulelang.ruleset import Ruleset

MARKET = """game market "Market"
  players: 2
  citations: "MK"

component ware
  price: number
  pieces title, price, copies
    | Salt   3 2
    | Candle 1 2

place store: ware, full
place stall of player: ware
state earned of player: number = 0
state asked: number = 0
state told: number = 0

define banned(x: ware) gives truth                                           [MK-001]
  open "bans"
  otherwise false                                                            [MK-001]
define homemade gives set of ware = {x in wares where x is added}            [MK-002]
define among_them(n: number) gives set of ware = {x in homemade where x's price > n}   [MK-002]
define dear(x: ware) gives truth = x's price > 2                             [MK-003]

score limit(p: player)                                                       [MK-004]
  start 5 "five"                                                             [MK-004]
  open "limits"
  at least 0 "never less than nothing"                                       [MK-004]

score worth(p: player, x: ware)                                              [MK-005]
  start x's price "price"                                                    [MK-005]
  + count of p's stall "stall"  when count of p's stall != 0                 [MK-005]
  + count of among_them(1) "others"                                          [MK-005]
  at least 0 "never less than nothing"                                       [MK-005]

event sell(p: player, x: ware)
  add worth(p, x) to p's earned
  move x to p's stall

score gift(p: player)                                                        [MK-007]
  open "gifts"

event note(p: player)                                                        [MK-007]
  set asked to 1
  set told to 2

event greet(p: player)                                                       [MK-007]
  add gift(p) to p's earned
  add 1 to p's earned
  subtract 2 from p's earned

rules of sell(p, x)
  "room"    count of p's stall < limit(p)                                    [MK-004]
  "no ban"  x is not banned                                                  [MK-001]

flow
  repeat
    each p in turn
      choose x in store by p "Sell what?"
      do sell(p, x)
      do note(p)
      do greet(p)
      if store is empty
        finish game
    finish round                                                             [MK-006]

rank
  highest player's earned                                                    [MK-006]
  highest gift(player)                                                       [MK-007]
"""
HOMEMADE = """for market
card "Honey" of ware
  price: 4
"""


@pytest.fixture(scope="module")
def market(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("market") / "market.rules"
    path.write_text(MARKET, "utf-8")
    return path


@pytest.fixture(scope="module")
def rules(market: Path) -> Ruleset:
    loaded = load_rules(str(market))
    assert not loaded.compiled.report.errors
    return loaded.compiled.rules


def _is_the_same(rules: Ruleset, mutant: Mutant, more_cards: bool = False) -> bool:
    made = broken(rules, mutant)
    return specialized(made, more_cards) == specialized(rules, more_cards)


def _mutant(rules: Ruleset, clause: str, way: str) -> Mutant:
    return next(m for m in mutants(rules) if m.clause == clause and m.way == way)


@pytest.mark.parametrize(
    ("clause", "way"),
    [
        ("define dear", "comparison: >="),  # nothing asks of it
        ("define dear", "a line gone"),
        ("define among_them", "comparison: >="),  # of no homemade ware
        ("define homemade", "a line gone"),
        ("score limit/never less than nothing", "number: 1"),  # 5 is more
        ("score limit/never less than nothing", "a line gone"),
        ("score worth/never less than nothing", "a line gone"),  # no price is below 0
        ("score worth/others", "a line gone"),
        ("event greet", "a line gone: step 1"),  # nobody gives anything
        ("event greet", "order: step 3 first"),  # what is added and taken comes to the same
        ("rank/line#2", "order: the other way round"),
    ],
)
def test_what_only_other_cards_would_ask_of_is_gone(rules: Ruleset, clause: str, way: str) -> None:
    mutant = _mutant(rules, clause, way)
    assert _is_the_same(rules, mutant)
    assert not _is_the_same(rules, mutant, more_cards=True)


@pytest.mark.parametrize(
    ("clause", "way"),
    [
        ("define banned/case", "a line gone"),  # none of its cases holding gives false anyway
        ("score worth/stall", "when: always"),  # nothing is added of nothing
        ("event note", "order: step 2 first"),
    ],
)
def test_what_says_the_same_with_all_cards_is_left_as_it_was(
    rules: Ruleset, clause: str, way: str
) -> None:
    assert _is_the_same(rules, _mutant(rules, clause, way), more_cards=True)


@pytest.mark.parametrize(
    ("clause", "way"),
    [
        ("score limit/five", "number: 6"),
        ("rules of sell/room", "comparison: <="),
        ("rules of sell/room", "a line gone"),
        ("score worth/price", "a line gone"),
        ("score worth/stall", "when: the contrary"),
        ("score worth/stall", "a line gone"),
        ("score worth/never less than nothing", "number: 1"),
        ("event sell", "order: step 2 first"),  # what it is worth hangs on what lies in the stall
        ("event greet", "a line gone: step 2"),
        ("rank/line", "order: the other way round"),
    ],
)
def test_what_changes_play_is_not_taken_for_the_same(rules: Ruleset, clause: str, way: str) -> None:
    assert not _is_the_same(rules, _mutant(rules, clause, way))


def test_a_homemade_card_brings_back_what_is_asked_of_such(market: Path) -> None:
    added = market.with_name("honey.rules")
    added.write_text(HOMEMADE, "utf-8")
    rules = load_rules(str(market), (), [(added.name, added)]).compiled.rules
    assert not _is_the_same(rules, _mutant(rules, "define among_them", "comparison: >="))
    assert _is_the_same(rules, _mutant(rules, "define dear", "comparison: >="))
