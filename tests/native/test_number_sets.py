"""Sets of numbers that definitions give: kept until the state changes, and looked up by."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("wasmtime", reason="the extra `native` is not installed")

import native_peer
from native_peer import Tally, reference

from interpreter.game.game import Game
from interpreter.game.loading import load_rules
from interpreter.native import expressions, outlines
from interpreter.native.lowering import lowered
from interpreter.native.runtime import Instance

FIELDS = """
game furrows "Furrows"
  players: 2

board land of player
  grid: square, 4 by 3
  cells: acre

state crop of acre: number = 0
state reach of player: number = 1
state step of player: number = 2
state kept of player: number = 0
state empty_now: truth = false

define near(p: player) gives set of number =
    {1 to 12 / (3 - p's step) rounded down} + {c's column for c in sown(p)}
define low(p: player) gives set of number = {p's reach to p's reach + 1} - {p's step}
define sown(p: player) gives set of acre = {c in p's land's acres where c's crop > 0}
define open_at(p: player) gives set of acre =
    {c in {b in p's land's acres where not empty_now} where c's column in near(p),
      c's row in low(p)}
define late(p: player) gives set of acre =
    {c in p's land's acres where c's crop = 0, c's row in low(p)}

event sow(p: player, n: number)
  set site_at(p's land, n, 1)'s crop to n
  set p's reach to n
  set p's kept to 100 * count of open_at(p) + 10 * count of late(p) + sum of near(p)

event stride(p: player, n: number)
  set empty_now to n > p's reach
  set p's step to n
  set p's kept to count of open_at(p)

flow
  repeat 6 times
    each p in turn
      choose n in {1 to 3} by p "column"
      do sow(p, n)
      choose m in {0 to 4} by p "step"
      do stride(p, m)

rank
  highest player's kept
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """The game in the reference."""
    path = tmp_path_factory.mktemp("furrows") / "furrows.rules"
    path.write_text(FIELDS, "utf-8")
    return reference(load_rules(str(path), tests=False))


@pytest.fixture(params=[0, 10**6])
def native(game: Game, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Instance:
    """Its module, where what definitions give is kept and where it is not."""
    monkeypatch.setattr(outlines, "BIG", request.param)
    return Instance(lowered(game.engine))


def test_numbers_are_what_they_are_in_this_state(game: Game, native: Instance) -> None:
    """Each choice changes the sets, and a division by 0 is a fault where one is looked for."""
    tally = Tally()
    for seed in range(1, 9):
        native_peer.play(game, native, seed, 24, tally)
    assert not tally.left and tally.compared > 40


def test_acres_in_numbers_worked_out_by_hand(native: Instance) -> None:
    """Sown in column 2: columns 1 to 12 are near, rows 2 and 3 but for the step of 2 are low."""
    native.start(1)
    native.choose(2)  # one row of four acres, of which none is sown: 4 near, 4 late, 1 + … + 12
    assert native.scores() == [400 + 40 + 78, 0]
    native.choose(0)  # a step of 0: columns 1 to 4, and both rows
    assert native.scores() == [8, 0]


def test_members_are_looked_up_by_their_numbers(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is first asked of acres is looked up; what is asked behind another condition is too, if
    that left only acres of which it is asked as well.
    """
    found: list[bool] = []
    lanes = expressions.Expressions._numbered_lanes

    def noted(self: expressions.Expressions, *args: object) -> object:
        made = lanes(self, *args)  # type: ignore[arg-type]  # as it is called
        found.append(made is not None)
        return made

    monkeypatch.setattr(expressions.Expressions, "_numbered_lanes", noted)
    lowered(game.engine)
    assert sum(found) >= 3


BEADS = """
game beads "Beads"
  players: 2

component bead
  size: number
  weight: number
  pieces title, size, weight, copies
    | Grain 0   63 2
    | Pearl 63  0  3
    | Stone 64  5  3
    | Rock  200 63 2

place bag: bead, full
place string of player: bead
state kept of player: number = 0

define sizes(p: player) gives set of number = {b's size for b in p's string}
define weights(p: player) gives set of number = {b's weight for b in p's string}
define both(p: player) gives set of number = sizes(p) + {b's weight for b in p's string}

event weigh(p: player, b: bead)
  move b to p's string
  set p's kept to sum of sizes(p) + 1000 * sum of weights(p) + 1000000 * sum of both(p)
  add 100000000 * (10 * count of both(p) + count of sizes(p)) to p's kept

flow
  repeat 5 times
    each p in turn
      choose b in bag by p "bead"
      do weigh(p, b)

rank
  highest player's kept
"""


def test_small_numbers_and_large_ones_are_gathered_alike(tmp_path: Path) -> None:
    """Up to 63, from 64 on, and both in one set: each number once."""
    (tmp_path / "beads.rules").write_text(BEADS, "utf-8")
    beads, tally = reference(load_rules(str(tmp_path / "beads.rules"), tests=False)), Tally()
    native = Instance(lowered(beads.engine))
    for seed in range(1, 6):
        native_peer.play(beads, native, seed, 10, tally)
    assert not tally.left and tally.compared == 50


WIDE = """
game strips "Strips"
  players: 1

component peg
  pieces title, copies
    | Peg 3

board field
  grid: square, SIDE by SIDE
  cells: acre
  lies: peg on acre

place bag: peg, full
state reached of player: number = 0

define near(n: number) gives set of number = {n - 1 to n + count of bag}

flow
  repeat while bag is not empty
    choose at in {s in acres where s's column in near(p1's reached), s's row < 2} by p1 "where"
    put first of bag at at
    add 7 to p1's reached

rank
  highest player's reached
"""


@pytest.mark.parametrize("side", [30, 45])
def test_members_of_a_large_board_are_looked_up_too(side: int, tmp_path: Path) -> None:
    """However many acres and columns there are: each number has a set of its own."""
    path = tmp_path / "strips.rules"
    path.write_text(WIDE.replace("SIDE", str(side)), "utf-8")
    played = reference(load_rules(str(path), tests=False))
    native, tally = Instance(lowered(played.engine)), Tally()
    native.start(1)
    assert len(native.options()) == 3  # from -1 to 3, of which columns 1 to 3 are, in one row
    for seed in range(3):
        native_peer.play(played, native, seed, 5, tally)
    assert not tally.left and tally.compared > 9
