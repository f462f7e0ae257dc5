"""Sets of few members on large boards: looked through one by one, they are the sets they were."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("wasmtime", reason="the extra `native` is not installed")

import native_peer
from native_peer import Tally
from test_growing import QUILTS, game

from interpreter.game.game import Game
from interpreter.native import few
from interpreter.native.grounds import ground_of
from interpreter.native.lowering import lowered
from interpreter.native.runtime import Instance

MORE = """
define paired(around: set of square) gives truth
  every s in around: some o in around where (o != s and o's patch = s's patch)
define crowded(around: set of square, most: number) = count of around > most
define beside(t: patch) = {s in t's squares where not crowded(s's surroundings, 6)}
define numbers_by(s: square) = sum of (o's number for o in s's surroundings)
define lonely(t: patch) = every s in beside(t): s's neighbors is empty
define at_an_edge(s: square) = some o in s's neighbors where o's patch != s's patch
define at_rest(p: player, at: list of square) gives truth =
    paired(at's neighbors) or at's surroundings is empty or count of at's neighbors < 4

rules of lay(p, t, at)
  "at rest" at_rest(p, at) when p's quilt's patches is not empty

score width(p: player)
  + count of {s in p's quilt's squares where at_an_edge(s)} "edges"
  + 10 * count of joined({beside(t) for t in p's quilt's patches}) "roomy"
  + sum of (numbers_by(s) for s in p's latest's squares) "numbers"
  + 100 * count of {t in p's quilt's patches where lonely(t)} "lonely"

rank
"""
RULES = QUILTS.replace("COPIES", "4").replace("\nrank\n", MORE)
RULES = RULES.replace("highest worth(player)", "highest width(player)")


def _ends(played: Game, seeds: range) -> list[bytes]:
    """The states in which random games end, by seed."""
    native, found = Instance(lowered(played.engine)), []
    for seed in seeds:
        native.seed(seed)
        native.playouts(1)
        found.append(native.state)
    return found


def test_one_by_one_is_as_all_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Random games are the same whether sets of few are looked through as bits or one by one."""
    played = game(RULES, tmp_path)
    ground = ground_of(played.setup.boards["quilt"])
    assert ground.size("cell") > 64 * 4
    asked = {True: 0, False: 0}
    are_few = few.are_few

    def counted(*given: object) -> bool:
        found = are_few(*given)  # type: ignore[arg-type]
        asked[found] += 1
        return found

    monkeypatch.setattr(few, "are_few", counted)
    one_by_one = _ends(played, range(40))
    assert asked[True] > 10
    assert asked[False] > 10
    monkeypatch.setattr(few, "are_few", lambda *given: False)
    assert _ends(played, range(40)) == one_by_one


def test_few_are_as_in_the_reference(tmp_path: Path) -> None:
    """After each choice all that these rules ask is as the reference has it."""
    played = game(RULES, tmp_path)
    tally, native = Tally(), Instance(lowered(played.engine))
    native_peer.play(played, native, 3, 40, tally)
    assert not tally.left
    assert tally.compared > 30


def test_what_is_around_a_tile_at_the_edge(tmp_path: Path) -> None:
    """Cells beside a laying end at the edge of what is kept; no row runs into the next."""
    ground = ground_of(game(RULES, tmp_path).setup.boards["quilt"])
    cells, layings = ground.around_cells(False), ground.around_layings(False)
    assert len(cells[0]) == 2
    assert len(cells[ground.width - 1]) == 2
    for first in (0, ground.width - 1, ground.width, ground.stride("cell") - 1):
        for way, turn in enumerate(ground.turns):
            row = layings[first * len(ground.turns) + way]
            assert bool(row) == (first in ground.fits(turn))
            for n in row:
                assert any(
                    abs(n // ground.width - (first + d) // ground.width) <= 1
                    and abs(n % ground.width - (first + d) % ground.width) <= 1
                    for d in ground.deltas(turn)
                )
