"""Boards that grow: what tiles bring, where the next may lie, what is too far from the middle."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("wasmtime", reason="the extra `native` is not installed")

import native_peer
from native_peer import Tally, reference

from interpreter.game.game import Game, load
from interpreter.game.loading import load_rules
from interpreter.native.grounds import ground_of
from interpreter.native.lowering import lowered
from interpreter.native.runtime import AskReference, Instance
from interpreter.simulation.engines import NATIVE, REFERENCE, Manner
from interpreter.simulation.simulate import simulate

QUILTS = """
game quilts "Quilts"
  players: 2

component patch of player
  form: shape
  pieces title, form, copies
    | Hook  XX/X.       COPIES
    | Bar   XX          COPIES
    | Bit   X           COPIES
    | Frame XXX/X.X/XXX COPIES

component button of player
  shape: shape
  color: text
  pieces title, shape, color, copies
    | bow    XX  "red"  1
    | button X   "blue" 2
    | corner XX/X. "red" 1

board quilt of player
  grid: square, grown from patch
  cells: square
  sides: seam
  corners: knot
  held: button on square

place basket of player: patch, full
place box of player: button, full
place tray of player: button, ordered
state marked of player: number = 0
state marks of square: number = 0
state latest of player: patch or none = none

define free(p: player, at: list of square) = no s in at where s in p's quilt's squares
define straight(s: square) = joined({run(s, d, s's owner's quilt's squares) for d in directions})
define around(t: patch) = {s in t's squares where s's surroundings is not empty}
define longest(p: player) = largest of (count of g for g in groups(p's quilt's squares))

event lay(p: player, t: patch, at: list of square)
  put t at at
  set p's latest to t
  for each s in at
    add (first of at)'s column - (last of at)'s row + s's number to s's marks

rules of lay(p, t, at)
  "in the basket"  t in p's basket
  "free"           free(p, at)
  "beside"         at in spots_around(t, p's quilt)
  "not far"        ({s in squares where s's owner = p} + at)'s width < 6
  "not tall"       (p's quilt's squares + at)'s height < 6

event pin(p: player, b: button, at: set of square)
  put b at at

rules of pin(p, b, at)
  "bare ones"  every s in at: s's held is none
  "a button"   b in p's box
  "its own"    every s in at: s's patch's owner = p
  "its shape"  at in footprints(b's shape, p's quilt)

event unpick(p: player, t: patch)
  for each b in {b in buttons where some s in b's squares where s in t's squares}
    move b to p's box
  move t to p's basket

rules of unpick(p, t)
  "not the latest"  t != p's latest

action sew(p: player) "Sew" when p's basket is not empty
  choose t in p's basket by p "patch"
  choose place in spots(t, p's quilt) by p "place"
  choose turns in {-2 to 5} by p "turns"
  do lay(p, t, turned(place, turns))

action fasten(p: player) "Fasten"
  choose b in p's box by p "button"
  choose at in footprints(b's shape, p's quilt) by p "squares"
  do pin(p, b, at)

action sort(p: player) "Sort" when count of p's box > 2
  choose order row of p's box by p "in which order"
  for each b in row
    move b to p's tray
  draw 2 from p's tray to p's box

action fold(p: player) "Fold" when p's tray is not empty
  let twice = p's marked * 2
  choose b in p's tray where twice < 9 by p "button"
  add 1 to p's marked
  move b to p's box

action undo(p: player) "Undo"
  choose t in p's quilt's patches by p "patch"
  do unpick(p, t)

flow
  repeat 9 times
    each p in turn
      take one of sew, fasten, sort, fold, undo by p

score worth(p: player)
  + 1000 * p's quilt's width + 100 * p's quilt's height "extent"
  + 10 * longest(p) "longest"
  + sum of (s's marks for s in p's quilt's squares) "marks"
  + count of {s in p's quilt's seams where s is outer} "rim"
  + count of {s in p's quilt's seams where count of s's cells = 2} "within"
  + count of joined({s's ends for s in p's quilt's seams}) "ends"
  + count of p's quilt's knots + count of p's latest's squares's outer_sides "knots"
  + count of {b in p's quilt's buttons where b's color = "red", b's title != "bow"} "corners"
  + 50 * count of {b in p's quilt's buttons where b's squares in footprints("XX", p's quilt)} "two"
  + sum of (count of straight(b's square) for b in p's quilt's buttons) "sights"
  + sum of (count of b's square's neighbors for b in p's quilt's buttons) "neighbors"
  + sum of (7 * count of b's square's surroundings for b in p's quilt's buttons) "surroundings"
  + 3 * count of p's latest's squares's neighbors "beside the latest"
  + count of joined({around(t) for t in p's quilt's patches}) "around"
  + sum of (s's column for s in p's latest's squares) "latest"

rank
  highest worth(player)
"""


def game(rules: str, folder: Path) -> Game:
    """A game of the reference with these rules."""
    path = folder / "small.rules"
    path.write_text(rules, "utf-8")
    return reference(load_rules(str(path), tests=False))


@pytest.mark.parametrize(("grid", "copies"), [("hex", 1), ("square", 4)])
def test_tiles_come_and_go_alike(grid: str, copies: int, tmp_path: Path) -> None:
    """After each choice all is as in the reference, on a whole canvas and in a window of one."""
    rules = QUILTS.replace("grid: square", f"grid: {grid}")
    if copies > 1:
        at_once = "each p at once open to q when q's latest is not none"
        rules = rules.replace("each p in turn", at_once)
    played = game(rules.replace("COPIES", str(copies)), tmp_path)
    info = played.setup.boards["quilt"]
    assert ground_of(info).whole is (copies == 1)
    tally, native = Tally(), Instance(lowered(played.engine))
    native_peer.play(played, native, 1, 50, tally)
    assert not tally.left
    assert tally.compared > 40


def test_bots_draw_alike(tmp_path: Path) -> None:
    """Games of random bots are the same by both engines: places and sets are drawn alike."""
    path = tmp_path / "small.rules"
    path.write_text(QUILTS.replace("COPIES", "1").replace("9 times", "6 times"), "utf-8")
    played = load(str(path))
    usual = simulate([played], 4, 2, Manner(engine=REFERENCE, counts=False))
    native = simulate([played], 4, 2, Manner(engine=NATIVE, counts=False))
    assert native.hash == usual.hash
    assert native.engines == {NATIVE: 4}


def test_who_goes_too_far_is_left_to_the_reference(tmp_path: Path) -> None:
    """Where the next tile might lie beyond what is kept the choice is undone and not told."""
    rules = QUILTS.replace("COPIES", "12").replace("repeat 9 times", "repeat")
    rules = rules.replace(" < 6", " > 0").replace("highest worth(player)", "highest 1")
    played = game(rules, tmp_path)
    native, asked = Instance(lowered(played.engine)), False
    native.start()
    for _ in range(200):
        before, last = native.state, native.options()[-1]
        values = native.values()
        if "sew" in values:
            last = native.options()[values.index("sew")]
        elif last == 5:  # turns
            last = 0
        try:
            native.choose(last)
        except AskReference:
            assert native.state == before
            asked = True
            break
    assert asked


def test_a_branch_may_be_left_after_any_choice(tmp_path: Path) -> None:
    """Who decides at once plays on in his branch: choice by choice each game is the same."""
    at_once = "each p at once open to q when q's latest is not none"
    played = game(QUILTS.replace("COPIES", "4").replace("each p in turn", at_once), tmp_path)
    native = Instance(lowered(played.engine))
    for seed in range(5):
        native.seed(seed)
        assert native.playouts(1) > 20
        whole = native.state
        native.seed(seed)
        native.ask("again")
        while native.ask("playout", 1):
            pass
        assert native.state == whole
