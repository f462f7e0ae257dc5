"""How much a position lacks for an event, counted by parts."""

from __future__ import annotations

import pytest

from interpreter.game.game import Game, load
from interpreter.proofs.shortfall import Aim, aims, short_of
from rulelang.core.types import PieceT

PLOTS = """game plots "Plots"
  players: 1
component house
  rooms: number
  pieces title, rooms
    | "Hut" 1
    | "Hall" 4
component permit
  address: number
  pieces title, address
    | "A" 1
    | "B" 2
    | "C" 3
place supply: house, full
place built: house
place hand of player: permit
place stack: permit, full
state masons: number = 0
define allowed(p: player, n: number) = some k in p's hand where k's address = n
event build(p: player, h: house, n: number)
  move h to built
rules of build(p, h, n)
  "permits"  every m in {n to 3}: allowed(p, m)
  "masons"   masons >= h's rooms
action raise_house(p: player) "Build"
  choose h in supply by p "What?"
  choose n in {1 to 3} by p "From which on?"
  do build(p, h, n)
flow
  repeat
    each p in turn
      take one of raise_house by p
rank
  highest masons
scenario "nothing"
  players 1
  expect masons = 0
"""


@pytest.fixture(scope="module")
def plots(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("plots") / "plots.rules"
    path.write_text(PLOTS, "utf-8")
    return load(str(path))


def test_what_is_lacking_is_counted_by_its_parts(plots: Game) -> None:
    """From 1 on three permits are lacking, from 3 on one; and four masons for the hall."""
    s = plots.start(1).position
    hall = plots.setup.by_title["house", "hall"][0]
    found = list(aims(plots, s, 0, hall, PieceT("house")))
    assert found == [Aim("build", (0, hall, n)) for n in (1, 2, 3)]
    assert [short_of(plots, s, aim) for aim in found] == [3 + 4, 2 + 4, 1 + 4]
    permit = plots.setup.by_title["permit", "c"][0]
    s.move(permit, ("hand", 0))
    s.assign("masons", None, 3)
    assert [short_of(plots, s, aim) for aim in found] == [2 + 1, 1 + 1, 0 + 1]
