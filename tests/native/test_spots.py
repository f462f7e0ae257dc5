"""Where a tile may lie: only ways that meet what is known before play, of one copy of a board."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("wasmtime", reason="the extra `native` is not installed")

import native_peer
from native_peer import Tally

from interpreter.game.game import Game
from interpreter.model.position import empty_position
from interpreter.native.lowering import lowered
from interpreter.native.program import Program
from interpreter.native.runtime import Instance
from interpreter.native.shared import Shared
from interpreter.native.spots import ways_among
from interpreter.native.values import laying_ground
from rulelang import core
from rulelang.core.types import element
from tests.native.test_growing import game

RUGS = """
game rugs "Rugs"
  players: 3

component rug of player
  form: shape
  pieces title, form, copies
    | Rug XX/X. COPIES

board floor of player
  grid: square, grown from rug
  cells: square

place store of player: rug, full

define right_way(x: list of square) = (first of x)'s column < (last of x)'s column
define either(x: list of square) = (first of x)'s row < (last of x)'s row or x is right_way
define bare(x: list of square) = no s in x where s in squares
define covered(x: list of square) = not x is bare
define places(p: player, r: rug) = {x in spots_around(r, p's floor) where COND}

event lay(p: player, r: rug, at: list of square)
  put r at at

rules of lay(p, r, at)
  "in store"  r in p's store
  "beside"    at in spots_around(r, p's floor)
  "low"       (p's floor's squares + at)'s height < 6

flow
  repeat 4 times
    each p in turn
      if some r in p's store where some x in places(p, r) where can lay(p, r, x)
        choose r in p's store by p "which"
        choose at in places(p, r) by p "where"
        do lay(p, r, at)

rank
  highest 10 * player's floor's width + player's floor's height
"""


def _rugs(cond: str, copies: int, folder: Path) -> Game:
    return game(RUGS.replace("COND", cond).replace("COPIES", str(copies)), folder)


@pytest.mark.parametrize("copies", [2, 16])
@pytest.mark.parametrize(
    ("cond", "ways"),
    [
        # The corner's last cell lies below its first one as it is, right of it after three turns,
        # else to the left or above.
        ("x is right_way", 1),
        ("x is either", 2),
        ("x is right_way, x is bare", 1),
        ("(first of x)'s column < (first of x)'s row", None),
    ],
)
def test_only_ways_that_meet_what_is_known(
    cond: str, ways: int | None, copies: int, tmp_path: Path
) -> None:
    """Where a condition is one on the way to be turned, no others are looked at; games are
    the same in both engines.
    """
    played = _rugs(cond, copies, tmp_path)
    tally, native = Tally(), Instance(lowered(played.engine))
    for seed in range(4):
        native_peer.play(played, native, seed, 30, tally)
    assert not tally.left
    assert tally.compared > 30
    left = _left_of(played)
    assert left == ways


def _left_of(played: Game) -> int | None:
    """How many ways are looked at, by the first condition; none if all are."""
    program = Program(played.engine, empty_position(played.engine.setup, 0))
    known = Shared(program).known
    found = played.engine.setup.rules.definitions["places"].cases[0].value
    assert isinstance(found, core.Filter)
    first = found.cond.of[0] if isinstance(found.cond, core.All) else found.cond
    laying = element(found.domain.type)
    assert laying is not None
    ground = laying_ground(program.setup, laying)
    assert ground is not None
    if not program.is_static(first):
        return None
    only = known.layings(first, found.var, laying)
    some = None if only is None else ways_among(ground, only)
    return None if some is None else len(some)


def test_what_a_board_has_grown_to_is_not_known_before(tmp_path: Path) -> None:
    """A definition is known before play if it asks the grid alone."""
    played = _rugs("x is either", 2, tmp_path)
    program = Program(played.engine, empty_position(played.engine.setup, 0))
    known = {
        name: program.is_static(made.cases) for name, made in program.ruleset.definitions.items()
    }
    assert known == {
        "right_way": True,
        "either": True,
        "bare": False,
        "covered": False,
        "places": False,
    }
