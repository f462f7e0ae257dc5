"""Decisions at once in a module, where some have nothing to decide, and chance begun anew."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("wasmtime", reason="the extra `native` is not installed")

import native_peer
from native_peer import Tally
from test_growing import game

from interpreter.native.lowering import lowered
from interpreter.native.runtime import Instance

STAKES = """
game stakes "Stakes"
  players: 4

state stake of player: number = 0
state made of player: number = 0
state coins of player: number = 0

procedure wager(p: player)
  add 1 to p's made   # each sees his own alone until all have chosen
  if p's stake > 1
    choose n in {0 to 2 + sum of (q's made for q in players)} by p "how much"
    add n to p's coins
    if n > 1
      may "More?" by p
        add 5 to p's coins

flow
  each p in turn
    choose n in {1 to 3} by p "stake"
    set p's stake to n
  repeat 5 times
    each p at once
      do wager(p)
    let lucky = chance(players)
    add 1 to lucky's coins

rank
  highest player's coins
"""


def test_who_has_nothing_to_decide_is_passed_over(tmp_path: Path) -> None:
    """Random games are the same whether branches are played out together or choice by choice."""
    played = game(STAKES, tmp_path)
    native, ends = Instance(lowered(played.engine)), set[bytes]()
    for seed in range(40):
        native.seed(seed)
        native.playouts(1)
        whole = native.state
        ends.add(whole)
        native.seed(seed)
        native.ask("again")
        while native.ask("playout", 1):
            pass
        assert native.state == whole
    assert len(ends) > 30
    tally = Tally()
    for seed in range(4):
        native_peer.play(played, native, seed, 60, tally)
    assert not tally.left and tally.compared > 40


def test_a_branch_that_is_done_does_not_choose_again(tmp_path: Path) -> None:
    """After so many moves a playout stops in the middle, and goes on where it stopped."""
    played = game(STAKES, tmp_path)
    native = Instance(lowered(played.engine))
    for seed in range(20):
        native.seed(seed)
        native.ask("again")
        moves, once = 0, native.ask("playout", 1 << 20)
        native.seed(seed)
        native.ask("again")
        while made := native.ask("playout", 3):
            assert made <= 3
            moves += made
        assert moves == once


def test_chance_begins_anew_with_each_game(tmp_path: Path) -> None:
    """Nothing is left of the numbers drawn before: a game begins alike after another has ended."""
    rules = STAKES.replace("repeat 5 times", "repeat 15 times")
    rules = rules.replace(
        "flow\n", "flow\n  let first = chance(players)\n  add 9 to first's coins\n"
    )
    played = game(rules, tmp_path)
    native, other = (Instance(lowered(played.engine)) for _ in range(2))
    for seed in (3, 3, 4, 3):
        native.start(seed)
        other.start(seed)
        native_peer.same(
            "the beginning",
            played.start(seed).position.canonical()[0],
            native.position().canonical()[0],
        )
        for instance in (native, other):
            while (now := instance.open()).ended is None:
                seats = instance.seats()
                seat = seats[0] if seats else None
                with instance.at(seat):
                    option = instance.options()[-1]
                assert now is not None
                instance.choose(option, seat)
        assert native.state == other.state
    native.start(3)
    last = native.state
    fresh = Instance(lowered(played.engine))
    fresh.start(3)
    assert fresh.state == last
