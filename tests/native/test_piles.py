"""Stacks on the sites of a board: laid on, taken from, and read from the top and from below."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("wasmtime", reason="the extra `native` is not installed")

import native_peer
from native_peer import Tally, reference

from interpreter.game.loading import load_rules
from interpreter.native.lowering import lowered
from interpreter.native.runtime import Instance

HEAPS = """
game heaps "Heaps"
  players: 2

kind hue: red, blue

component plank
  hue: hue
  pieces title, hue, copies
    | Red  red  5
    | Blue blue 4

component coin of player
  pieces copies
    | 4

board yard
  grid: square, 2 by 2
  cells: plot
  pile: plank on plot, stacked
  heap: coin on plot, stacked

place shed: plank, full
place purse of player: coin, full
state seen: number = 0
state lain of plot: number = 0

define red_at(l: plot) gives plank or none = last of {b in l's pile where b's hue = red}

event build(b: plank, at: set of plot)
  put b at at

event settle
  for each l in plots
    set l's lain to 0
    for each b in l's pile
      set l's lain to 3 * l's lain + (if b's hue = red then 1 otherwise 2)
  set seen to count of {l in plots where red_at(l) is not none}
  add 10 * count of yard's planks to seen
  add 100 * count of {l in plots where top of l's pile = red_at(l)} to seen
  add 1000 * count of joined({b's plots for b in yard's planks}) to seen
  add 10000 * count of {l in plots where l's heap is empty} to seen
  add 100000 * count of {c in yard's coins where top of c's plot's heap = c} to seen

event spend(c: coin, at: plot)
  put c at at

event fetch(p: player, c: coin)
  move c to p's purse

event fell(b: plank)
  move b to shed

action raise(p: player) "Raise"
  choose b in planks by p "plank"
  choose c in plots by p "plot"
  choose d in c's neighbors + {c} by p "and plot"
  do build(b, {c, d})

action drop(p: player) "Drop" when p's purse is not empty
  choose l in plots by p "plot"
  do spend(first of p's purse, l)

action shift(p: player) "Shift"
  choose c in yard's coins by p "coin"
  choose l in plots by p "plot"
  do spend(c, l)

action take(p: player) "Take" when some c in yard's coins where c's owner = p
  choose c in yard's coins where c's owner = p by p "coin"
  do fetch(p, c)

action clear(p: player) "Clear"
  choose b in yard's planks by p "plank"
  do fell(b)

flow
  repeat 40 times
    each p in turn
      take one of raise, drop, shift, take, clear by p
      do settle()

rank
  highest count of player's purse
"""


def test_pieces_lie_alike_in_stacks(tmp_path: Path) -> None:
    """Planks over two plots and coins on one lie in the same order, wherever one is taken out."""
    path = tmp_path / "heaps.rules"
    path.write_text(HEAPS, "utf-8")
    game = reference(load_rules(str(path), tests=False))
    native, tally = Instance(lowered(game.engine)), Tally()
    for seed in range(1, 4):
        native_peer.play(game, native, seed, 150, tally)
    assert not tally.left and tally.compared == 3 * 150
