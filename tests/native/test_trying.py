"""Draws that test few candidates: each option is as likely as any other, nothing else is drawn."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("wasmtime", reason="the extra `native` is not installed")

from native_peer import reference

from interpreter.game.game import Game
from interpreter.game.loading import load_rules
from interpreter.native.lowering import lowered
from interpreter.native.runtime import Instance
from tests.native.test_native_maximize import BOUNDS, PAVING

ROOT = Path(__file__).resolve().parents[2]
DRAWS = 120  # for each option
FORMS = """
game forms "Forms"
  players: 2

component stone
  heavy: number
  pieces title, heavy, copies
    | Pebble  0 12
    | Boulder 1 12

board field
  grid: square, 4 by 3
  cells: spot
  lies: stone on spot

place heap: stone, full, hidden
place hand of player: stone
state points of player: number = 0

event cover(p: player, x: stone, at: set of spot)
  put x at first of at
  add count of at to p's points

rules of cover(p, x, at)
  "all free"     every s in at: s's lies is none
  "not the rim"  no s in at where s's column = 4 + x's heavy
  "from hand"    x in p's hand

event fill(p: player, x: stone, at: spot, n: number)
  put x at at
  add n to p's points

rules of fill(p, x, at, n)
  "free"         at's lies is none
  "from hand"    x in p's hand
  "few stones"   count of {s in at's neighbors where s's lies is not none} < n + x's heavy

define around(s: spot) gives set of spot = {t in spots where t = s or t in s's neighbors}

procedure pair_up(p: player)
  if some x in p's hand where some s in spots where can cover(p, x, around(s))
    choose x in p's hand by p "which stone"
    choose at in {around(s) for s in spots} by p "which spots"
    do cover(p, x, at)

procedure single(p: player)
  if some x in p's hand where some s in spots where can fill(p, x, s, 3)
    choose x in p's hand by p "which stone"
    choose s in spots where s's column != 2 by p "which spot"
    choose n in {1 to 3} where n > 1 by p "how much"
    do fill(p, x, s, n)

flow
  repeat 2 times
    each p in turn
      draw 3 from heap to p's hand
      do single(p)
      do pair_up(p)

rank
  highest player's points
"""


def _game(text: str, folder: Path) -> Game:
    path = folder / "rules.rules"
    path.write_text(text, "utf-8")
    return reference(load_rules(str(path), tests=False))


def _compare(game: Game, seeds: int, least: int) -> None:
    """At each state of some games what is drawn is held against all options."""
    native, compared = Instance(lowered(game.engine)), 0
    assert any(f.name.startswith("fits_") for f in native.game.module.functions)
    for seed in range(1, seeds + 1):
        native.start(seed)
        while native.open().ended is None:
            options = native.options()
            before = native.state  # the best is known from here on, where it is wanted
            after = Counter[bytes]()
            for option in options:
                native.choose(option)
                after[native.state] += 1
                native.state = before
            drawn = Counter[bytes]()
            native.seed(seed)
            for _ in range(DRAWS * len(options)):
                native.ask("playout", 1)
                drawn[native.state] += 1
                native.state = before
            assert drawn.keys() == after.keys()
            for state, ways in after.items():
                assert abs(drawn[state] - DRAWS * ways) < 6 * (DRAWS * ways) ** 0.5
            compared += len(options) > 1
            native.choose(options[seed % len(options)])
    assert compared >= least


def test_single_members_and_numbers_and_sets(tmp_path: Path) -> None:
    """What leads to a dead end is never drawn, and all else as often."""
    _compare(_game(FORMS, tmp_path), 2, 10)


@pytest.mark.parametrize("bound", BOUNDS)
def test_what_keeps_the_best_in_reach(bound: str, tmp_path: Path) -> None:
    """In a block that is maximized, too."""
    rules = PAVING.replace(" BOUND", f" {bound}".rstrip()).replace("p fits s", "fits(p, s)")
    _compare(_game(rules, tmp_path), 2, 10)
