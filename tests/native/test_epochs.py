"""What was worked out is kept until what it reads changes: games are the same as if each change
dropped all that is kept.
"""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("wasmtime", reason="the extra `native` is not installed")

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
