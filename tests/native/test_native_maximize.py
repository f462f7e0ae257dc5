"""Blocks that are maximized: only what keeps the best end in reach may be chosen."""

from __future__ import annotations

import pytest

pytest.importorskip("wasmtime", reason="the extra `native` is not installed")

import native_peer
from native_peer import Tally, reference

from interpreter.game.game import Game
from interpreter.game.loading import load_rules
from interpreter.native.layout import STATE
from interpreter.native.lowering import lowered
from interpreter.native.runtime import Instance
from interpreter.native.state_keys import changing
from interpreter.simulation.engines import NATIVE, REFERENCE, Manner, uncertain
from interpreter.simulation.simulate import simulate
from rulelang import core

PAVING = """
game paving "Paving"
  players: 2

component slab
  size: number
  pieces title, size, copies
    | Long  3 3
    | Short 2 4
    | Chip  1 3

board path of player
  grid: square, 6 by 1
  cells: gap
  laid: slab on gap

place heap: slab, full, hidden
place cart of player: slab
state laid_now of player: number = 0

define covers(s: slab, west: gap) gives set of gap =
    {g in west's owner's path's gaps where g's column >= west's column,
      g's column < west's column + s's size}
define fits(p: player, s: slab) =
    some g in p's path's gaps where can lay(p, s, covers(s, g))

event lay(p: player, s: slab, at: set of gap)
  put s at at
  add count of at to p's laid_now

event clear(p: player)
  for each s in p's path's slabs
    move s to heap

rules of lay(p, s, at)
  "from the cart"  s in p's cart
  "free gaps"      every g in at: g's laid is none
  "whole"          count of at = s's size

procedure pave(p: player)
  maximize p's laid_now BOUND
    repeat while some s in p's cart where p fits s
      choose s in p's cart where p fits s by p "slab"
      choose n in {1 to 6} where can lay(p, s, covers(s, site_at(p's path, n, 1))) by p "gap"
      do lay(p, s, covers(s, site_at(p's path, n, 1)))

flow
  repeat 3 times
    each p in turn
      draw 4 from heap to p's cart
      do pave(p)
      move p's cart to heap
      do clear(p)

rank
  highest player's laid_now
"""
BOUNDS = ("", "at most p's laid_now + count of {g in p's path's gaps where g's laid is none}")


@pytest.fixture(scope="module", params=BOUNDS)
def game(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Game:
    """The game, with a bound for the search or without."""
    path = tmp_path_factory.mktemp("paving") / "paving.rules"
    rules = PAVING.replace(" BOUND", f" {request.param}".rstrip()).replace("p fits s", "fits(p, s)")
    path.write_text(rules, "utf-8")
    return reference(load_rules(str(path), tests=False))


def test_options_are_alike_where_the_best_is_wanted(game: Game) -> None:
    """What may be chosen is the same at every step, and so is what comes of it."""
    native, tally = Instance(lowered(game.engine)), Tally()
    for seed in range(1, 3):
        native_peer.play(game, native, seed, 60, tally)
    assert not tally.left and tally.compared > 25


def test_all_that_a_search_changes_tells_its_states_apart(game: Game) -> None:
    """All is looked at but what follows from it: how pieces lie in an unordered place, and on which
    site each is.
    """
    native = Instance(lowered(game.engine))
    layout, rules = native.layout, game.rules_source
    bodies = [n.body for n in core.walk([*rules.procedures.values()]) if type(n) is core.Maximize]
    seen, changed = set[int](), set[int]()
    for stretch in changing(rules, layout, bodies):
        seen |= set(range(stretch.at, stretch.at + stretch.size))
    for follows in [spot.offset for spot in layout.places] + [layout.spot]:
        seen |= set(range(follows, follows + 8 * (1 + len(game.setup.pieces) // 4)))
    native.start(5)
    while native.open().ended is None:
        before, player = native.state, native.open().player
        native.choose(native.options()[-1])
        if native.open().player == player:  # the block of his that was open still is
            pairs = enumerate(zip(before, native.state, strict=True), STATE)
            changed |= {at for at, (old, new) in pairs if old != new and at < layout.canonical}
    assert changed - seen == set()
    laid = layout.layers["laid"]
    assert changed & set(range(laid.at, laid.at + 2 * laid.sites))


def test_whole_games_are_alike_where_the_best_is_wanted(game: Game) -> None:
    """Bots that choose at random play the same games in both engines."""
    usual = simulate([game], 4, 3, Manner(engine=REFERENCE, counts=False))
    native = simulate([game], 4, 3, Manner(engine=NATIVE, counts=False))
    assert usual.hash == native.hash
    assert native.engines == {NATIVE: 4}


def test_a_search_tells_nothing_of_what_counted(game: Game) -> None:
    """What is tried counts in the reference, so that no clause is told by another."""
    assert uncertain(game) == frozenset(game.rules_source.clauses)
