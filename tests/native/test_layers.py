"""Pieces on layers of boards: put, moved and taken off, and what words say of them."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("wasmtime", reason="the extra `native` is not installed")

import native_peer
import not_lowered
from native_peer import Tally, reference

from interpreter.game.loading import load_rules
from interpreter.model.values import Fault
from interpreter.native.lowering import lowered
from interpreter.native.runtime import Instance

GOOD = Path(__file__).resolve().parents[1] / "good"
GARDEN = """
game garden "Garden"
  players: 2

component bed
  pieces title, copies
    | Rose 3
    | Lily 2

component post of player
  pieces copies
    | 2

board lawn of player
  grid: square, 3 by 3
  cells: plot
  sides: edge
  grows: bed on plot
  stands: post on edge

place shed: bed, full
place chest of player: post, full
state seen of player: number = 0
state around of player: set of plot = {}
state rails of player: set of edge = {}

event plant(p: player, b: bed, at: set of plot)
  put b at at
  set p's around to at's neighbors + {x in at's surroundings where x's grows is none}
  set p's rails to at's inner_sides
  set p's seen to count of at's outer_sides + 10 * count of p's lawn's beds
  add 100 * count of b's plots to p's seen

event stake(p: player, at: edge)
  put first of p's chest at at

event clear(p: player, b: bed)
  set p's seen to (if b's holder = p then 1 otherwise 0) + count of b's plots
  move b to shed

rules of plant(p, b, at)
  "room"    every c in at: c's grows is none
  "a line"  at in lines_of(p's lawn, 2) + lines_of(p's lawn, 1)

action grow(p: player) "Grow"
  choose b in shed by p "bed"
  choose c in p's lawn's plots where c's grows is none by p "plot"
  choose d in c's neighbors + {c} where d's grows is none by p "and plot"
  do plant(p, b, {c, d})

action fence(p: player) "Fence" when p's chest is not empty
  choose e in edges where e's owner = p and e's stands is none by p "edge"
  do stake(p, e)

action reap(p: player) "Reap" when p's lawn's beds is not empty
  choose b in p's lawn's beds by p "bed"
  do clear(p, b)

action rest(p: player) "Rest"
  do nothing

flow
  repeat 12 times
    each p in turn
      take one of grow, fence, reap, rest by p

rank
  highest player's seen
"""


def test_pieces_lie_alike_on_layers(tmp_path: Path) -> None:
    """After each choice what lies where is the same, on one site or several, and is found again."""
    path = tmp_path / "garden.rules"
    path.write_text(GARDEN, "utf-8")
    game = reference(load_rules(str(path), tests=False))
    native, tally = Instance(lowered(game.engine)), Tally()
    for seed in range(1, 5):
        native_peer.play(game, native, seed, 60, tally)
    assert not tally.left and tally.compared > 100


def test_a_second_piece_on_a_site_is_the_same_fault(tmp_path: Path) -> None:
    """What the reference says of it the module says, and keeps the state before."""
    path = tmp_path / "garden.rules"
    path.write_text(GARDEN.replace(" and e's stands is none", ""), "utf-8")
    game = reference(load_rules(str(path), tests=False))
    native, state = Instance(lowered(game.engine)), game.start(1)
    native.start(1)

    def fence() -> None:
        nonlocal state
        names = [option.value for option in state.decisions[0].options()]
        at = names.index("fence")
        native.choose(native.options()[at])
        state = state.choose(list(state.decisions[0].options())[at])

    def first() -> None:
        nonlocal state
        native.choose(native.options()[0])
        state = state.choose(next(iter(state.decisions[0].options())))

    fence()
    first()  # the first edge of one
    fence()
    first()  # and of the other
    fence()
    before = native.state
    with pytest.raises(Fault) as mine:
        native.choose(native.options()[0])
    with pytest.raises(Fault) as theirs:
        state.choose(next(iter(state.decisions[0].options())))
    assert str(mine.value) == str(theirs.value)
    assert native.state == before


def test_what_is_missing_is_counted_to_the_end() -> None:
    """A construct that is not lowered hides none that comes after it."""
    names = {"hex": [], "tables": []}
    for name, expected in names.items():
        game = reference(load_rules(str(GOOD / name), tests=False))
        assert not_lowered.census(game) == expected
    game = reference(load_rules(str(GOOD / "moments"), tests=False))
    found = [one.construct for one in not_lowered.census(game)]
    assert found[0].startswith("what must always hold") and len(set(found)) > 1
