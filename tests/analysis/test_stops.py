"""What may stop the game is told, also through what it calls and what cards add to that."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.game.loading import load_rules
from rulelang.analysis.stops import Stops
from rulelang.ruleset import Ruleset

RULES = """game booth "Booth"
  players: 2
  citations: "BT"

component ware
  price: number
  pieces title, price, copies
    | Salt   3 2
    | Candle 1 2

place store: ware, full
state days: number = 0
state share: number = 1

define dear(x: ware) gives truth = x's price > 2
define parted(x: ware) gives number = x's price / share rounded down
define called_twice(x: ware) gives truth = parted(x) > 1
define opened(x: ware) gives truth
  open "sorts"
  otherwise dear(x)

pattern "Sold in parts."
  as played
    define opened at "sorts"
      true  when parted(x) > 1

action wait(p: player) "Wait"
  add 1 to days

flow
  repeat
    each p in turn
      take one of wait by p

end finished when days >= 2
rank
  highest days
"""


def _rules(tmp_path: Path, more: str = "") -> Ruleset:
    (tmp_path / "booth.rules").write_text(RULES + more, "utf-8")
    compiled = load_rules(str(tmp_path), checks=False, tests=False).compiled
    assert not compiled.report.errors
    return compiled.rules


@pytest.mark.parametrize(
    ("name", "may"),
    [("dear", False), ("parted", True), ("called_twice", True), ("opened", False)],
)
def test_a_division_stops_and_so_does_what_calls_it(tmp_path: Path, name: str, may: bool) -> None:
    rules = _rules(tmp_path)
    cases = rules.definitions[name].cases
    assert Stops(rules).may([(case.cond, case.value) for case in cases]) is may


def test_what_a_card_adds_to_a_word_counts(tmp_path: Path) -> None:
    asks = "\ndefine asks(x: ware) gives truth = opened(x)\n"
    card = '\ncard "Lamp" of ware\n  price: 2\n  text\n    | Sold in parts.\n'
    for more, may in ((asks, False), (asks + card, True)):
        rules = _rules(tmp_path, more)
        assert Stops(rules).may([case.value for case in rules.definitions["asks"].cases]) is may
