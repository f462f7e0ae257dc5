"""Turns that make no difference are not tried, and no others are left out; nor is a fault."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("wasmtime", reason="the extra `native` is not installed")

import native_peer
from native_peer import Tally

from interpreter.game.game import Game
from interpreter.model.position import empty_position
from interpreter.native.choices import Completion
from interpreter.native.lowering import lowered
from interpreter.native.program import Program, Scope
from interpreter.native.runtime import Instance
from interpreter.native.shared import Shared
from rulelang import core
from tests.native.test_growing import game

RUGS = """
game rugs "Rugs"
  players: 2

kind turn in order: none "as it is", half "half round"

component rug of player
  form: shape
  pieces title, form, copies
    | Rug FORM 4

board floor of player
  grid: square, grown from rug
  cells: square

place store of player: rug, full

define quarters(w: turn) gives number
  1  when w is half

define free(p: player, at: list of square) = no s in at where s in p's floor's squares

event lay(p: player, r: rug, at: list of square)
  put r at at

rules of lay(p, r, at)
  "in store"  r in p's store
  "free"      free(p, at)
  "beside"    at in spots_around(r, p's floor)
  "low"       (p's floor's squares + at)'s height < 6
  "near"      p's floor's squares is empty or some s in at where s's neighbors is not empty
  OTHER

procedure carpet(p: player)
  choose r in p's store by p "which"
  choose place in spots_around(r, p's floor) by p "where"
  choose way in turns by p "how"
  do lay(p, r, turned(place, quarters(way)))

flow
  repeat 4 times
    each p in turn
      if some r in p's store where some x in spots_around(r, p's floor) where can lay(p, r, x)
        do carpet(p)

rank
  highest player's floor's width
"""
SLANTED = "\"slanted\"  (first of at)'s column < (last of at)'s column"
STRAIGHT = '"wide"  at\'s width = 2'


def _rugs(form: str, other: str, folder: Path) -> Game:
    return game(RUGS.replace("FORM", form).replace("OTHER", other), folder)


def _asked_of(played: Game) -> core.Expr:
    """The condition on the place of a rug by which the rest of the procedure can be completed."""
    shared = Shared(Program(played.engine, empty_position(played.engine.setup, 0)))
    body = played.engine.setup.rules.procedures["carpet"].body
    after = next(n for n, stmt in enumerate(body) if getattr(stmt, "var", "").startswith("place"))
    found = Completion(shared.program.ruleset, shared.faults.possible).of(body, after + 1, Scope())
    assert isinstance(found, core.Exists)
    return shared.turning.without(found.var, found.cond)


@pytest.mark.parametrize(
    ("form", "other", "idle"),
    [
        ("XX/XX", "", True),
        ("XX/XX", STRAIGHT, True),
        ("XX/XX", SLANTED, False),
        ("XX/X.", "", False),
        ("XX", STRAIGHT, False),
    ],
)
def test_only_turns_that_make_no_difference_go(
    form: str, other: str, idle: bool, tmp_path: Path
) -> None:
    """What asks for the order of the cells, or a tile that covers others when it is turned, keeps
    its turns; and games are the same in both engines.
    """
    played = _rugs(form, other, tmp_path)
    words = (n.name for n in core.walk(_asked_of(played)) if isinstance(n, core.Builtin))
    assert ("turned" not in words) is idle
    tally, native = Tally(), Instance(lowered(played.engine))
    for seed in range(3):
        native_peer.play(played, native, seed, 30, tally)
    assert not tally.left
    assert tally.compared > 30


FAULTY = """
game thirds "Thirds"
  players: 1

state points of player: number = 0

define parts(n: number) gives number = 6 / (2 - n) rounded down

flow
  repeat 2 times
    if some n in {1 to 3} where (CONDS)
      add 1 to p1's points
    choose more in {0 to 1} by p1 "how much"
    add more to p1's points

rank
  highest player's points
"""


@pytest.mark.parametrize(
    ("conds", "faulty"),
    [
        ("parts(n) > 1 and p1's points > 5", True),
        ("p1's points > 5 and parts(n) > 1", False),
        ("n > 0 and p1's points > 5 and parts(n) > 1", False),
    ],
)
def test_what_settles_the_matter_hides_no_fault(conds: str, faulty: bool, tmp_path: Path) -> None:
    """A condition that fails alike for all members ends the look through them, unless another may
    still be a fault.
    """
    played = game(FAULTY.replace("CONDS", conds), tmp_path)
    theirs, _ = native_peer.attempt(lambda: played.start(1))
    assert (theirs is not None) is faulty
    tally = Tally()
    native_peer.compare(played, 1, 10, tally)
    assert not tally.left
    assert not tally.not_lowered
