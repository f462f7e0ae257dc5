"""Positions of the reference written as states of a module: play goes on from them alike."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

pytest.importorskip("wasmtime", reason="the extra `native` is not installed")

from native_peer import offered, reference, told_alike

from interpreter.game.game import Game
from interpreter.game.loading import load_rules
from interpreter.native.entering import Entering
from interpreter.native.lowering import lowered
from interpreter.native.resuming import Resumed
from interpreter.native.runtime import Instance
from interpreter.native.values import NotLowered
from tests.native.test_growing import QUILTS
from tests.native.test_native_maximize import PAVING
from tests.native.test_piles import HEAPS

TREE = Path(__file__).resolve().parents[2]
PROGRAMS = {
    "quilts": QUILTS.replace("COPIES", "1"),
    "paving": PAVING.replace("BOUND", ""),
    "heaps": HEAPS,
}


def game_of(name: str, folder: Path) -> Game:
    """A game of the tree, or of one of these texts."""
    path = folder / "small.rules"
    path.write_text(PROGRAMS.get(name, ""), "utf-8")
    return reference(load_rules(str(path if name in PROGRAMS else TREE / name), tests=False))


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("tests/good/sealed", 6),  # decisions at once, some taken already
        ("examples/classics/crazy_eights", 20),
        ("quilts", 4),
        ("paving", 10),
        ("heaps", 20),
    ],
)
def test_play_goes_on_from_a_position(name: str, least: int, tmp_path: Path) -> None:
    """The state, who decides what, the options and scores are those of the position."""
    game = game_of(name, tmp_path)
    resumed, compared = Resumed(Instance(lowered(game.engine))), 0
    for seed in range(1, 6):
        state, rng = game.start(seed), random.Random(seed)
        while state.decisions and compared < least:
            resumed.enter(state.position)
            told_alike(state, resumed.instance)
            if state.decisions[0].spec.mode not in ("some", "order"):
                offered(state, resumed.instance)
            compared += 1
            state = state.choose(rng.choice(state.decisions).sample(rng))
    assert compared >= least


def test_where_nobody_decides_is_not_entered(tmp_path: Path) -> None:
    """A position that a module knows no place for is said to be so."""
    game = game_of("examples/classics/tic_tac_toe", tmp_path)
    position = game.start(1).position.copy()
    entering = Entering(lowered(game.engine))
    entering.common(position)
    position.stack[-1].blocks[-1].pc += 7
    with pytest.raises(NotLowered, match="a decision that a module does not know"):
        entering.common(position)
    position.stack = []
    with pytest.raises(NotLowered, match="nobody decides"):
        entering.common(position)
