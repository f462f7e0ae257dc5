"""Boards that grow: what tiles bring, where the next may lie, what is too far from the middle."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("wasmtime", reason="the extra `native` is not installed")

import native_peer
from native_peer import Tally, reference

from interpreter.game.game import Game, game_of
from interpreter.game.loading import load_rules
from interpreter.native.grounds import ground_of
from interpreter.native.lowering import lowered
from interpreter.native.runtime import AskReference, Instance

QUILTS = """
game quilts "Quilts"
  players: 2

component patch of player
  form: shape
  pieces title, form, copies
    | Hook XX/X. COPIES
    | Bar  XX    COPIES
    | Bit  X     COPIES

component button of player
  pieces title, copies
    | button 2

board quilt of player
  grid: square, grown from patch
  cells: square
  held: button on square

place basket of player: patch, full
place box of player: button, full
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

event pin(p: player, s: square)
  put first of p's box at s

rules of pin(p, s)
  "a bare one"  s's held is none
  "a button"    p's box is not empty
  "its own"     s's patch's owner = p

event unpick(p: player, t: patch)
  for each b in {b in buttons where b's square in t's squares}
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
  choose s in p's quilt's squares by p "square"
  do pin(p, s)

action undo(p: player) "Undo"
  choose t in p's quilt's patches by p "patch"
  do unpick(p, t)

flow
  repeat 9 times
    each p in turn
      take one of sew, fasten, undo by p

score worth(p: player)
  + 1000 * p's quilt's width + 100 * p's quilt's height "extent"
  + 10 * longest(p) "longest"
  + sum of (s's marks for s in p's quilt's squares) "marks"
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


@pytest.mark.parametrize("grid", ["square", "hex"])
@pytest.mark.parametrize("copies", [1, 4])
def test_tiles_come_and_go_alike(grid: str, copies: int, tmp_path: Path) -> None:
    """After each choice all is as in the reference, on a whole canvas and in a window of one."""
    rules = QUILTS.replace("grid: square", f"grid: {grid}")
    if copies > 1:
        at_once = "each p at once open to q when q's latest is not none"
        rules = rules.replace("each p in turn", at_once)
    played = game(rules.replace("COPIES", str(copies)), tmp_path)
    info = played.setup.boards["quilt"]
    assert ground_of(info).whole is (copies == 1)
    tally, native = Tally(), Instance(lowered(played.plain))
    for seed in range(2):
        native_peer.play(played, native, seed, 40, tally)
    assert not tally.left
    assert tally.compared > 60


def test_who_goes_too_far_is_left_to_the_reference(tmp_path: Path) -> None:
    """Where the next tile might lie beyond what is kept the choice is undone and not told."""
    rules = QUILTS.replace("COPIES", "12").replace("repeat 9 times", "repeat")
    played = game(rules.replace("'s width < 6", "'s width > 0"), tmp_path)
    native, asked = Instance(lowered(played.plain)), False
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


def test_cities_are_played_alike() -> None:
    """A game in which the next zone, view and place depend on what a city has grown to."""
    loaded = load_rules("cities", tests=False)
    played = game_of(loaded, 1, (), {"level": 3}, reference=True)
    tally = Tally()
    native = native_peer.instance_of(played, tally)
    assert native is not None, tally
    native_peer.play(played, native, 3, 40, tally)
    assert tally.compared > 30 and not tally.left
