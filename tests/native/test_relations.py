"""What hangs together by a relation on a large board, and how far cells are from each other."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("wasmtime", reason="the extra `native` is not installed")

import native_peer
from native_peer import Tally, reference

from interpreter.game.loading import load_rules
from interpreter.native.lowering import lowered
from interpreter.native.runtime import Instance

WIRES = """
game wires "Wires"
  players: 2

kind lane: upper, lower

component wire
  bent: truth
  strong: truth
  pieces title, bent, strong, copies
    | Straight false false 40
    | Bent     true  false 40
    | Strong   false true  20

board field
  grid: square, 13 by 12
  cells: spot
  lies: wire on spot, stacked

kind port(spot: spot, lane: lane)

place reel: wire, full

state links: number = 0
state far: number = 0
state near: number = 0
state parts: number = 0
state counts: number = 0

define top_at(s: spot) gives wire or none = top of s's lies
define used gives set of spot = joined({w's spots for w in field's wires})
define runs(s: spot, l: lane) gives truth
  top_at(s)'s strong or (some d in {north, south} where step(s, d) in used)  when l = upper
  otherwise top_at(s) is not none
define joins(this: port, other: port)
  some d in directions where (step(this's spot, d) = other's spot and runs(this's spot, this's lane)
      and runs(other's spot, this's lane))  when this's lane = other's lane
  otherwise this's spot = other's spot, top_at(this's spot)'s bent
define ports_of(l: lane) gives set of port = {port(s, l) for s in used where runs(s, l)}
define every_port gives set of port = ports_of(upper) + ports_of(lower)
define nets gives set of set of port = groups(every_port, joins)
define spans gives set of set of spot =
    {w's spots for w in field's wires where count of w's spots > 1}
define large(n: number) gives set of set of port
  {}  when n = 0
  {g in nets where count of g > n}  when n < 4
  otherwise nets + {{port(s, upper)} for s in used}
define all_large gives set of set of port = joined({large(n) for n in {0, 1, 2, 3, 4}})

event lay(w: wire, at: set of spot)
  put w at at

event look(s: spot)
  set links to count of reach({port(s, lower)}, joins, every_port)
  add 1000 * count of reach({port(s, lower), port(s, upper)}, joins, every_port, 2) to links
  add 1000000 * count of reach({port(s, upper)}, joins, ports_of(upper), count of used - 4) to links
  set parts to count of nets
  add 100 * count of large(2) + 10000 * count of all_large to parts
  add 1000000 * largest of (count of g for g in large(5)) to parts
  set far to sum of (distance_across({s}, w's spots, spans) for w in field's wires)
  add 1000 * distance_across(s, s, {}) to far
  set near to count of cells_within(s, 2, spans)
  add 1000 * count of cells_within(s, count of used - 3, {}) to near

procedure string(p: player)
  choose s in {t in spots where t's column > 4, t's column < 9, t's row in {5, 6, 7}} by p "spot"
  choose n in s's neighbors + {s} by p "and spot"
  choose w in reel by p "wire"
  do lay(w, {s, n})

flow
  repeat 30 times
    each p in turn
      do string(p)
      choose s in used by p "look"
      do look(s)

rank
  highest links + counts
"""


def test_things_hang_together_alike(tmp_path: Path) -> None:
    """Parts, what is reached in some steps, and distances over what counts as one are the same."""
    path = tmp_path / "small.rules"
    path.write_text(WIRES, "utf-8")
    game = reference(load_rules(str(path), tests=False))
    native, tally = Instance(lowered(game.engine)), Tally()
    for seed in range(1, 2):
        native_peer.play(game, native, seed, 45, tally)
    assert not tally.left and tally.compared == 45
