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

from interpreter.bots.playouts import Play, Playouts
from interpreter.bots.resume import resumed_play
from interpreter.game.game import Game, game_of
from interpreter.game.loading import load_rules
from interpreter.generated.blocks import Unwritten
from interpreter.model.position import Position

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
def test_both_evaluators_refuse_for_the_same_clauses(name: str) -> None:
    """What stands against events with any values at all is the same, in the same order."""
    fast, slow = pair(name)
    rules = fast.rules
    assert rules.generated is not None
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
                found = rules.generated.function(rules.generated.module.refusals(event.name))(
                    a.position, *values
                )
                assert found == [
                    f.rule.clause for f in slow.rules.failures(a.position, event.name, values)
                ]
                assert rules.accepts(a.position, event.name, values) == (not found)
        a = a.choose(a.decisions[0].sample(rng))


def table(s: Position) -> list[object]:
    """All of a position but how its play is written down."""
    found = list(s.canonical())
    return found[:6] + found[9:]


@pytest.mark.parametrize("name", GAMES)
def test_playouts_are_the_same_game(name: str) -> None:
    """Played in place by generated blocks, every decision, option and position is what the
    reference gives, to the end.
    """
    fast, slow = pair(name)
    playouts = Playouts(fast)
    for seed in range(2):
        play, b, rng = playouts.start(seed), slow.start(seed), random.Random(seed)
        while not b.over and b.moves < 150:
            assert play.seats or table(play.s) == table(b.position)
            d = min(b.decisions, key=lambda d: d.player)
            assert (play.player, play.open.choice.name, play.open.choice.prompt) == (
                d.player,
                d.name,
                d.prompt,
            )
            if d.spec.mode in ("some", "order"):
                line, chosen = play.line, d.sample(rng)
                assert line.registers[play.open.choice.domain] == d.spec.domain
                play.take(chosen.value)
            else:
                options = list(d.options())
                assert play.values() == [o.value for o in options]
                number = rng.randrange(len(options))
                chosen = options[number]
                play.move(number)
            b = b.choose(chosen)
        if b.over:
            assert play.over and play.s.ended == b.ended_by and play.scores() == b.scores()


@pytest.mark.parametrize(
    "name", ["tests/good/tic_tac_toe", "tests/good/hex", "tests/good/sealed", "big_city"]
)
def test_playouts_by_chance_choose_what_is_offered(name: str) -> None:
    """What is drawn is one of the options, and the same numbers give the same game."""
    fast, _ = pair(name)
    playouts = Playouts(fast)
    play, rng = playouts.start(3), random.Random(3)
    while not play.over and play.moves < 60:
        line = play.line
        drawn = play.open.draw(line.s, line.registers, rng.random)
        if play.open.choice.kind not in ("some", "order"):
            assert drawn in play.open.values(line.s, line.registers)
        play.take(drawn)
    one, two = playouts.playout(5), playouts.playout(5)
    assert outcome(one) == outcome(two)


@pytest.mark.parametrize(
    "name",
    [
        "tests/good/tic_tac_toe",
        "tests/good/sealed",
        "tests/good/development",
        "big_city",
        "card_city_xl",
    ],
)
def test_a_state_is_taken_up_in_place(name: str) -> None:
    """Wherever one decision is open, a state goes on in place as it does state by state.

    Several that are taken up share nothing.
    """
    game = game_of(load_rules(name, (), [], tests=False), 2, (), {})
    playouts, rng, state = Playouts(game), random.Random(4), game.start(4)
    taken: list[Play] = []
    entries = 0
    while not state.over and state.moves < 150:
        if rng.random() < 0.3 and not state.position.branches:
            taken = [*taken[-2:], resumed_play(playouts, state)]
            entries += 1
        elif state.position.branches:
            with pytest.raises(Unwritten):
                resumed_play(playouts, state)
        d = min(state.decisions, key=lambda d: d.player)
        chosen = d.sample(rng)
        for play in taken:
            assert (play.player, play.open.choice.name) == (d.player, d.name)
            if play.open.choice.kind in ("one", "some", "order"):
                play.take(chosen.value)
            else:
                play.move(play.values().index(chosen.value))
        state = state.choose(chosen)
        for play in taken:
            assert play.over == state.over and (
                play.seats or table(play.s) == table(state.position)
            )
    assert entries > 2


def outcome(play: Play) -> tuple[object, ...]:
    """How a game came out."""
    return play.moves, play.scores(), play.s.ended, play.s.digest()


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
        module.refusals(event)
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
    OpenSpiel and the native engine only where they are installed.
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
    rows = [row for row in json.loads(printed) if row["engine"] not in ("openspiel", "native")]
    assert [(row["game"], row["engine"]) for row in rows] == [
        ("tic_tac_toe", name) for name in ("hand", "reference", "generated")
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


@pytest.mark.parametrize(("early", "late"), [(0, 1), (2, 50), (3, 1), (1, 2), (7, 9)])
def test_a_number_of_an_author_is_never_taken_for_a_block(
    tmp_path: Path, early: int, late: int
) -> None:
    """Blocks are numbered, and so are choices, but numbers in a condition stay what they are."""
    (tmp_path / "blocks.rules").write_text(
        f"""game blocks "Blocks"
  players: 2
state points of player: number = 0
state round: number = 0
event gain(p: player)
  add 1 to p's points
procedure go(p: player)
  if (if round < 3 then {early} otherwise {late}) > {late - 1}
    may "take a point" by p
      do gain(p)
flow
  repeat
    add 1 to round
    each p in turn
      do go(p)
end long when round >= 6
rank
  highest player's points
""",
        "utf-8",
    )
    loaded = load_rules(str(tmp_path))
    fast, slow = (game_of(loaded, 2, (), {}, reference=r) for r in (False, True))
    play, state = Playouts(fast).start(0), slow.start(0)
    while not state.over:
        assert not play.over and play.player == state.decisions[0].player
        assert table(play.s) == table(state.position)
        play.move(1)
        state = state.choose([*state.decisions[0].options()][1])
    assert play.over and play.scores() == state.scores()
