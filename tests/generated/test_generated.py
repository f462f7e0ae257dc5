"""Generated functions: made of names of our own, and of one mind with the reference evaluator."""

from __future__ import annotations

import ast
import builtins
import itertools
import json
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter.game.game import Game, game_of
from interpreter.game.loading import load_rules

ROOT = Path(__file__).resolve().parents[2]
GOOD = ("tic_tac_toe", "hex", "development", "sealed", "sights", "sims")
GAMES = [*(f"tests/good/{name}" for name in GOOD), "tests/benchmarks/canals", "big_city"]
OWN = re.compile(
    r"(?:[A-Za-z]{1,2}|done)\d+_?|p\d+|[smkrvxi]|env|rnd|total|found|follows|tried|number|card|you"
    r"|earlier|[wyq]_\d+|draw|changed|kept|key|got|_"
)


def pair(name: str) -> tuple[Game, Game]:
    """The same game on generated functions and on the reference evaluator."""
    loaded = load_rules(name, (), [], tests=False)
    return game_of(loaded, None, (), {}), game_of(loaded, None, (), {}, reference=True)


@pytest.mark.parametrize("name", GAMES)
def test_both_evaluators_play_the_same_game(name: str) -> None:
    """Legal moves, states, scores, logs and reasons agree at every step."""
    fast, slow = pair(name)
    for seed in range(1, 3):
        a, b, rng = fast.start(seed), slow.start(seed), random.Random(seed)
        for _ in range(40):
            assert a.position.canonical() == b.position.canonical()
            assert a.scores() == b.scores()
            if b.over:
                break
            at = rng.randrange(len(b.decisions))
            mine, theirs = a.decisions[at], b.decisions[at]
            assert (mine.player, mine.name, mine.prompt) == (
                theirs.player,
                theirs.name,
                theirs.prompt,
            )
            options = list(itertools.islice(theirs.options(), 60))
            assert list(itertools.islice(mine.options(), 60)) == options
            chosen = rng.choice(options)
            a, b = a.choose(chosen), b.choose(chosen)
            assert a.log[-2:] == b.log[-2:]


@pytest.mark.parametrize("name", GAMES)
def test_both_evaluators_refuse_the_same(name: str) -> None:
    """What would be accepted is the same of events with any values at all."""
    fast, slow = pair(name)
    a, rng = fast.start(1), random.Random(5)
    for _ in range(12):
        if a.over:
            break
        for event in fast.rules_source.events.values():
            domains = []
            for _, t in event.params:
                try:
                    domains.append(fast.setup.members(t))
                except ValueError:
                    domains.append([frozenset()])
            if not all(domains):
                continue
            for _ in range(8):
                values = tuple(rng.choice(d) for d in domains)
                failures = list(slow.rules.failures(a.position, event.name, values))
                assert fast.rules.accepts(a.position, event.name, values) == (not failures)
        a = a.choose(a.decisions[0].sample(rng))


@pytest.mark.parametrize("name", GAMES)
def test_generated_source_holds_no_text_of_an_author(name: str) -> None:
    """Names are of our own making, and the only strings are names that the grammar allows."""
    fast, _ = pair(name)
    module = fast.rules.generated.module
    for definition in fast.rules_source.definitions:
        module.definition(definition)
    for table in fast.rules_source.tables:
        module.total(table)
    for event in fast.rules_source.events:
        module.accepts(event)
    state = fast.start(1)
    state.choose(state.decisions[0].sample(random.Random(1)))
    module.compiled()
    for source in module.sources.values():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Name):
                assert OWN.fullmatch(node.id) or hasattr(builtins, node.id), node.id
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert re.fullmatch(r"[a-z][a-z_0-9:~@]*", node.value), node.value


def test_the_benchmark_gives_its_rows() -> None:
    """Each engine of a game has a row with its rate, and ratios to those it was measured beside;
    OpenSpiel only where it is installed.
    """
    command = [
        sys.executable,
        str(ROOT / "tests/benchmarks/playouts.py"),
        "--quick",
        "--seconds",
        "0.05",
        "--json",
        "--game",
        "tic_tac_toe",
    ]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = [row for row in json.loads(printed) if row["engine"] != "openspiel"]
    assert [(row["game"], row["engine"]) for row in rows] == [
        ("tic_tac_toe", name) for name in ("hand", "reference", "native")
    ]
    assert all(row["playouts_per_second"] > 0 for row in rows) and rows[0]["ratio_to_hand"] == 1
    assert rows[2]["ratio_to_reference"] > 5


def test_the_benchmark_of_a_large_board_gives_its_rows() -> None:
    """Both evaluators answer every question alike, and what hangs together is not found by testing
    every pair.
    """
    command = [
        sys.executable,
        str(ROOT / "tests/benchmarks/large_board.py"),
        "--size",
        "6",
        "--reference",
        "--json",
    ]
    rows = {
        row["question"]: row
        for row in json.loads(
            subprocess.run(command, capture_output=True, text=True, check=True).stdout
        )
    }
    assert all(row["ms"] > 0 for row in rows.values()) and all(
        rows[name]["ratio_to_reference"] > 5
        for name in ("networks without", "reach", "until stable")
    )


def test_the_benchmark_of_a_large_city_gives_its_rows() -> None:
    """Both evaluators find the same places for ten cards, and the same prices."""
    command = [
        sys.executable,
        str(ROOT / "tests/benchmarks/large_city.py"),
        "--json",
        "--blocks",
        "30",
        "--reference",
    ]
    legal, priced = json.loads(
        subprocess.run(command, capture_output=True, text=True, check=True).stdout
    )
    assert legal["moves"] == priced["moves"] > 100
    assert legal["ms"] > 0 and legal["ratio_to_reference"] > 0
