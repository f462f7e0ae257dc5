"""Sets of sets: found by a relation, put in order, looked through and chosen from."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

pytest.importorskip("wasmtime", reason="the extra `native` is not installed")

import native_peer
from native_peer import Tally, reference

from interpreter.game.game import Game
from interpreter.game.loading import load_rules
from interpreter.native import families, outlines
from interpreter.native.lowering import lowered
from interpreter.native.positions import Positions
from interpreter.native.resuming import Resumed
from interpreter.native.runtime import AskReference, Instance
from interpreter.simulation.engines import NATIVE, REFERENCE, Manner
from interpreter.simulation.simulate import simulate

PATCHES = """
game patches "Patches"
  players: 2

kind hue: red, blue
kind end: head, tail

component chip
  hue: hue
  back: hue
  pieces title, hue, back, copies
    | Plain red  red  5
    | Mixed red  blue 5
    | Other blue blue 5

board mat
  grid: square, 4 by 3
  cells: spot
  lies: chip on spot

kind half(spot: spot, end: end)

place bag: chip, full
state points of player: number = 0
state told: number = 0
state turn of spot: number = 0
state marked: set of spot = {}

define color(h: half) gives hue or none =
    if h's end = head then h's spot's lies's hue otherwise h's spot's lies's back
define looks(s: spot) gives number = s's turn * 3 - s's turn / 2 rounded down
define faced(h: half) gives set of half
  {half(t, head) for t in h's spot's neighbors where t's lies is not none
      and looks(t) < 40} + {half(h's spot, e) for e in {head, tail} where e != h's end}
define meets(g: half, h: half) = h in faced(g)
define halves(c: hue) gives set of half
  {half(s, head) for s in spots where s's lies's hue = c} + {half(s, tail)
      for s in spots where s's lies's back = c}
define patches_of(c: hue) gives set of set of half = groups(halves(c), meets)
define large gives set of set of half
  {d in patches_of(red) + patches_of(blue) where count of d + 0 * told > 1}
define ground(d: set of half) gives set of spot = {h's spot for h in d}
define left_of(d: set of half) gives number = count of {e in large where no h in e where h in d}

event lay(p: player, c: chip, s: spot)
  put c at s
  set s's turn to count of bag
  add sum of (count of patches_of(h) for h in hues) + 3 * count of patches_of(red) to p's points
  add count of large to p's points

event tell(n: number)
  set told to (told * 31 + n) - (told * 31 + n) / 1000003 rounded down * 1000003

event take_up(p: player, at: set of spot, n: number)
  move {s's lies for s in at} to bag
  set marked to at
  add n to p's points

action place(p: player) "Place" when bag is not empty
  choose c in bag by p "chip"
  choose s in spots where s's lies is none by p "spot"
  do lay(p, c, s)

action clear(p: player) "Clear" when large is not empty
  choose d in large where count of d < 9 by p "patch"
  for each e in large
    do tell((first of ground(e))'s column * 5 + count of e)
  do take_up(p, ground(d), left_of(d) + count of joined({ground(e) for e in large}))

flow
  repeat 18 times
    each p in turn
      take one of place, clear by p

rank
  highest player's points
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """The game of these rules."""
    path = tmp_path_factory.mktemp("patches") / "patches.rules"
    path.write_text(PATCHES, "utf-8")
    return reference(load_rules(str(path), tests=False))


def test_sets_of_sets_are_alike(game: Game) -> None:
    """The parts that a relation connects are the same, and come in the same order."""
    native, tally = Instance(lowered(game.engine)), Tally()
    for seed in range(1, 4):
        native_peer.play(game, native, seed, 60, tally)
    assert not tally.left and tally.compared > 100


def _ends(native: Instance) -> list[tuple[int, bytes]]:
    """How games end that are played inside the module, or where they were left."""
    found = []
    for seed in range(12):
        native.seed(seed)
        try:
            moves = native.playouts(1)
        except AskReference:
            moves = 0
        found.append((moves, native.state))
    assert any(moves for moves, _ in found)
    return found


def test_sets_of_sets_are_kept_until_they_change(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a definition gives is what it would be now, be it kept or too large for that."""
    ends, tally = _ends(Instance(lowered(game.engine))), Tally()
    monkeypatch.setattr(outlines, "BIG", 0)
    for most in (0, 2, families.MOST_KEPT):
        monkeypatch.setattr(families, "MOST_KEPT", most)
        native = Instance(lowered(game.engine))
        made = {f.name for f in native.game.module.functions}
        assert {"define_patches_of", "define_large"} <= made
        assert _ends(native) == ends
        native_peer.play(game, native, 1, 60, tally)
    assert not tally.left and tally.compared > 100


def test_whole_games_with_choices_of_sets_are_alike(game: Game) -> None:
    """Bots that choose sets at random play the same games in both engines."""
    usual = simulate([game], 8, 3, Manner(engine=REFERENCE, counts=False))
    native = simulate([game], 8, 3, Manner(engine=NATIVE, counts=False))
    assert usual.hash == native.hash
    assert native.engines == {NATIVE: 8}


def test_the_last_set_of_a_loop_is_noted(tmp_path: Path) -> None:
    """A position that is read has it in scope, as the reference has, until its block is left."""
    asked = PATCHES.replace("  do take_up(p,", '  choose s in spots by p "spot"\n  do take_up(p,')
    (tmp_path / "patches.rules").write_text(asked, "utf-8")
    game = reference(load_rules(str(tmp_path / "patches.rules"), tests=False))
    native, state, rng = Resumed(Instance(lowered(game.engine))), game.start(1), random.Random(1)
    native.instance.start(1)
    met = 0
    while not state.over:
        read = Positions(native.made).read(native.instance.state, ())
        assert read.digest() == state.position.digest()
        met += any(name.startswith("e~") for act in read.stack for name in act.env)
        option = rng.choice(list(state.decisions[0].options()))
        state = state.choose(option)
        native.take(option.value)
    assert met


def test_sets_are_chosen_action_by_action_in_batches(game: Game) -> None:
    """Of each pair in a set both parts, then done: as in games that are played alone."""
    pytest.importorskip("numpy", reason="the extra `environments` is not installed")
    from interpreter.environments.batch import Batch
    from interpreter.environments.table import Rules, Table

    rules, rng, longest = Rules(game), random.Random(1), 0
    batch, tables = Batch(rules, 2, 1), [Table.start(rules, seed) for seed in (1, 2)]
    while not all(table.over for table in tables):
        taken = [0, 0]
        for number, table in enumerate(tables):
            if table.over:
                continue
            (player,) = table.deciding
            assert batch.legal[number].nonzero()[0].tolist() == table.legal(player)
            assert batch.state(number).position.digest() == table.state.position.digest()
            taken[number] = rng.choice(table.legal(player))
            tables[number] = table.after(player, taken[number])
            if table.state.specs[0].name == "d" and player in tables[number].under_way:
                longest = max(longest, len(tables[number].under_way[player].taken))
        batch.step(taken)
    assert batch.over.all() and not batch.stopped and longest >= 4
