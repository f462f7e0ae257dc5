"""Bounds on boards that grow: tiles are counted, not the cells on which nothing lies."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.authoring.check import check
from interpreter.game.game import load
from rulelang.geometry.grid import MAX_GROWN

MEADOWS = """for cities

card "Meadow" of tile
  number: 25
  nw: park
  ne: park
  sw: park
  se: park
  copies: 300
"""

# Each strip is laid to the right of those before it, from the middle of the board on.
STRIPS = """game strips "Strips"
  players: 1

component strip
  form: shape = "FORM"
  pieces copies
    | COPIES

board table
  grid: square, grown from strip
  cells: field

place box: strip, full

event lay(x: strip, at: list of field)
  put x at at

flow
  repeat while box is not empty
    choose at in spots(first of box, table) by p1 "spot"
    do lay(first of box, at)

rank
  highest count of box
"""


def test_three_hundred_tiles_can_be_added_to_a_set_of_24(tmp_path: Path) -> None:
    """All are there to be laid: 24 and 300 for each of two players."""
    path = tmp_path / "meadows.rules"
    path.write_text(MEADOWS, "utf-8")
    assert not check([str(path)]).found
    game = load("cities", players=2, with_=[path])
    assert len(game.setup.by_component["tile"]) == 2 * (24 + 300)


def strips(tmp_path: Path, form: str, copies: int) -> Path:
    path = tmp_path / "strips.rules"
    path.write_text(STRIPS.replace("FORM", form).replace("COPIES", str(copies)), "utf-8")
    return path


def test_no_tile_is_laid_over_the_edge(tmp_path: Path) -> None:
    """Strips of ten are laid as far east as they may be: 15 in the row of the first, from column
    156, counted from 0, and then others whose last cell lies on the edge, never over it.
    """
    game = load(str(strips(tmp_path, "X" * 10, 20)))
    state, grid = game.start(), game.setup.boards["table"].grid
    assert grid.width == grid.height == MAX_GROWN
    for _ in range(20):
        options = list(state.decisions[0].options())
        for cells in (option.value for option in options):
            assert (
                len({c // MAX_GROWN for c in cells}) == 1
                or len({c % MAX_GROWN for c in cells}) == 1
            )
        state = state.choose(max(options, key=lambda o: [c % MAX_GROWN for c in o.value]))
    laid = state.position.present("table", 0)
    assert len(laid) == 200 and max(c % MAX_GROWN for c in laid) == 314


@pytest.mark.parametrize(("length", "fits"), [(157, True), (158, False)])
def test_a_tile_longer_than_half_the_board_is_too_long(
    tmp_path: Path, length: int, fits: bool
) -> None:
    """From the middle it would reach over the edge."""
    found = check([str(strips(tmp_path, "X" * length, 2))]).found
    assert [d.code for d in found] == ([] if fits else ["T026"])
