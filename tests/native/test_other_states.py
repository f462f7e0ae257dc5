"""Other states than that which is played, sets of numbers, and procedures that give something."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("wasmtime", reason="the extra `native` is not installed")

import native_peer
from native_peer import Tally, reference

from interpreter.game.loading import load_rules
from interpreter.native.lowering import lowered
from interpreter.native.runtime import Instance

LEDGER = """
game ledger "Ledger"
  players: 2

kind account: rent, food, books, travel

component slip
  pieces title, copies
    | Slip 6

place pile of player: slip
place stock: slip, full

state sums of account: set of number = {}
state all_sums: set of number = {}
state last of player: number = 0
state balance of player: number = 0
state turn of player: number = 0
state seen of player: number = 0
state gone: set of number = {3, 40}
state rich of player: truth = false

define late(c: account, n: number) gives set of number = {k in c's sums where k > n} - gone
define worth(p: player) gives number = p's balance + 10 * p's seen

event pay(p: player, c: account, n: number)
  set c's sums to c's sums + {n, p's turn}
  set all_sums to (if n > 6 then {} otherwise all_sums) + {n}
  add n to p's balance

event note(p: player, c: account, n: number)
  set c's sums to c's sums + {n, p's turn}
  for each d in accounts where d != c
    if count of d's sums > 2
      set d's sums to {}

event take(p: player, s: slip)
  move s to p's pile
  add count of p's pile to p's balance

rules of pay(p, c, n)
  "not all at once"  (supposing note(p, c, n): count of late(c, 2) + count of p's pile) < 5
  "worth it"  (supposing take(p, first of stock): worth(p)) >= worth(p)  when stock is not empty

event forget(c: account)
  set c's sums to c's sums - late(c, 0)

when pay(p, c, n) if before(count of c's sums) < count of c's sums
  add before(worth(p)) - worth(p) to p's seen
  if n > 4, stock is not empty
    do take(p, first of stock)
  add before(count of stock) to p's seen

when take(p, s)
  add 100 * before(count of stock) to p's seen

once wealthy when some p in players where p's balance > 40
  do nothing

procedure asked(p: player) gives number
  may "Nothing this time?" by p
    give 0
  choose n in {1 to 8} by p "how much"
  add 1 to p's turn
  if n = 8
    give count of all_sums
  give n

procedure halved(n: number) gives number
  if n > 4
    give n / 2 rounded down
  give n

flow
  repeat 12 times
    each p in turn
      let n = asked(p)
      let m = halved(n)
      choose c in accounts where can pay(p, c, n + m) or c is travel by p "account"
      if can pay(p, c, n + m), n > 0
        do pay(p, c, n + m)
      otherwise
        do forget(c)
      for each k in all_sums
        if k > 9
          may "Away with {k}?" by p
            set all_sums to all_sums - {k}
      for each k in all_sums
        set p's last to k
      set p's rich to ever("wealthy")
      if n in all_sums, count of all_sums > 3, sum of all_sums > 20
        set all_sums to {}

rank
  highest worth(player)
"""


def test_what_would_be_and_what_was_are_alike(tmp_path: Path) -> None:
    """What an event would leave, what was before it, and numbers that are noted are the same."""
    path = tmp_path / "small.rules"
    path.write_text(LEDGER, "utf-8")
    game = reference(load_rules(str(path), tests=False))
    native, tally = Instance(lowered(game.engine)), Tally()
    for seed in range(1, 4):
        native_peer.play(game, native, seed, 90, tally)
    assert not tally.left and tally.compared > 150
