"""What was worked out is kept until what it reads changes: games are the same as if each change
dropped all that is kept.
"""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("wasmtime", reason="the extra `native` is not installed")

import native_peer

from interpreter.game.game import Game, game_of
from interpreter.game.loading import load_rules
from interpreter.native import epochs, outlines
from interpreter.native.lowering import lowered
from interpreter.native.runtime import Instance

ROOT = Path(__file__).resolve().parents[2]
GAMES = 6
RULES = {
    "examples/classics/hare_and_hounds": 2,
    "examples/classics/crazy_eights": 3,
    "card_city_xl": 2,
    "simcity": 2,
}


def _played(game: Game) -> tuple[list[tuple[int, bytes]], int]:
    """How games end that are played by the same chance, and how many sets of sources there are."""
    native = Instance(lowered(game.engine))
    native.start(1)
    found = []
    for seed in range(GAMES):
        native.seed(seed)
        found.append((native.playouts(1), native.state))
    functions = native.game.module.functions
    everything = next(f for f in functions if f.name == "all_changed")
    return found, len(everything.body) - 1


@pytest.mark.parametrize("rules", RULES)
def test_games_are_the_same_whatever_is_kept(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """So they are where all is kept that looks through members, in small rules, too."""
    monkeypatch.setattr(outlines, "BIG", 0)
    monkeypatch.setattr(outlines, "LARGE", 20)
    loaded = load_rules(str(ROOT / rules) if "/" in rules else rules, tests=False)
    options = {"deck": "city_of_two"} if rules == "simcity" else {}
    game = game_of(loaded, RULES[rules], (), options)
    by_sources, sets = _played(game)
    monkeypatch.setattr(epochs, "MOST_SETS", 0)
    together, none = _played(game)
    assert by_sources == together
    assert sets > 1 and none == 0


NETS = """
game nets "Nets"
  players: 2

component stone
  pieces title, copies
    | Stone 40

board field
  grid: square, 6 by 4
  cells: spot
  lies: stone on spot

place heap: stone, full, ordered, hidden
state points of player: number = 0

define joins(this: spot, other: spot) = other in this's neighbors, this's lies is none
define net(seeds: set of spot) gives set of spot = reach(seeds, joins, spots, 2)

event lay(p: player, at: spot, more: number)
  put top of heap at at
  add more to p's points

flow
  repeat 5 times
    each p in turn
      choose at in spots where at's lies is none and count of net({at}) > at's column + 3 by p
      do lay(p, at, count of net(at's neighbors) + count of net({at}))

rank
  highest player's points
"""


def test_what_is_reached_from_many_sets_is_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sets share the few rows there are, and each is given what is its own."""
    monkeypatch.setattr(outlines, "BIG", 0)
    path = tmp_path / "nets.rules"
    path.write_text(NETS, "utf-8")
    game = game_of(load_rules(str(path), tests=False), 2, (), {})
    native, tally = Instance(lowered(game.engine)), native_peer.Tally()
    assert any(f.name == "define_net" for f in native.game.module.functions)
    for seed in range(4):
        native_peer.play(game, native, seed, 20, tally)
    assert tally.compared > 40 and not tally.left
