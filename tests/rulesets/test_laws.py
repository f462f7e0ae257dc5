"""Laws every ruleset keeps while it is played: copies do not share, pieces are conserved, options
are accepted, games end, history repeats.
"""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rulesets
from interpreter.game.game import Game, State, load
from interpreter.game.loading import load_rules
from interpreter.scenarios.scenario import run_all
from rulelang.compiler.driver import CompileCache
from rulelang.core.values import ordered
from rulelang.ruleset import OPTION

GOOD = sorted(p for p in Path("tests/good").iterdir() if p.is_dir() and any(p.glob("*.rules")))
GAMES = [*map(str, GOOD), *rulesets.ids()]
FEW = settings(
    max_examples=3,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize=True,
)
_loaded: dict[str, Game] = {}


def game_of(name: str) -> Game:
    """The game as it is set up unless told otherwise.

    With deck lists, the smallest of them, so that games are not long.
    """
    if name not in _loaded:
        rules = load_rules(name, tests=False).compiled.rules
        deck = min(rules.decks.values(), key=lambda d: sum(n for _, n in d.counts), default=None)
        players = max(deck.players[0], rules.players[0]) if deck else None
        _loaded[name] = load(name, players=players, options={OPTION: deck.name} if deck else None)
    return _loaded[name]


@pytest.mark.parametrize("name", GAMES)
def test_scenarios_hold(name: str) -> None:
    """Every scenario of the ruleset passes, and the ruleset has no finding at all."""
    loaded = load_rules(name, kept=CompileCache())  # each set of variants is compiled once
    assert [loaded.draw(item) for item in loaded.findings()] == []
    failed = [f"{o.name}, line {o.span.line}: {o.message}" for o in run_all(loaded) if not o.passed]
    assert failed == []
    assert loaded.compiled.rules.scenarios


def census(state: State) -> list[int]:
    """How often each piece is somewhere: in a place, on a layer (once, however many sites), or as a
    tile.
    """
    s = state.position
    counts = [0] * len(s.where)
    for pieces in s.places.values():
        for piece in pieces:
            counts[piece] += 1
    for cells in s.on.values():
        for piece in {p for here in cells.values() for p in here}:
            counts[piece] += 1
    for tiles in s.tiles.values():
        for piece in {p for p, _ in tiles.values()}:
            counts[piece] += 1
    return counts


@pytest.mark.parametrize("name", GAMES)
@FEW
@given(seed=st.integers(0, 10**6))
def test_a_game_keeps_the_laws(name: str, seed: int) -> None:
    """Random play ends by an end of the rules.

    On the way nothing is lost, shared or changed behind one's back; replays repeat.
    """
    game = game_of(name)
    rng = random.Random(seed)
    state = game.start(seed)
    where = [at is not None for at in state.position.where]
    while not state.over:
        decision = rng.choice(state.decisions)
        option = decision.sample(rng)
        before = state.position.canonical()
        later = state.choose(option)
        assert state.position.canonical() == before
        if state.moves % 7 == 0:
            copy = state.position.copy()
            assert copy.canonical() == before and copy.digest() == state.digest()
            assert all(n <= 1 for n in census(later))
            assert all(n == 1 for n, was in zip(census(later), where, strict=True) if was)
        state = later
    assert state.ended_by in {e.name for e in game.rules_source.endings} | {"game", "flow"}
    assert game.replay(game.record(state)) == state


@pytest.mark.parametrize("name", GAMES)
@FEW
@given(seed=st.integers(0, 10**6))
def test_options_are_unique_stable_and_accepted(name: str, seed: int) -> None:
    """What is listed is listed once, in the same order again, and can be chosen."""
    game = game_of(name)
    rng = random.Random(seed)
    state = game.start(seed)
    for _ in range(12):
        if state.over:
            break
        decision = rng.choice(state.decisions)
        options = list(itertools.islice(decision.options(), 60))
        assert options == list(itertools.islice(decision.options(), 60))
        assert len({repr(o) for o in options}) == len(options)
        for option in rng.sample(options, min(4, len(options))):
            state.choose(option)
        state = state.choose(decision.sample(rng))


@pytest.mark.parametrize("name", GAMES)
@FEW
@given(seed=st.integers(0, 10**6))
def test_what_is_remembered_is_what_would_be_found_anew(name: str, seed: int) -> None:
    """Play from a position with all results kept and with none kept comes to the same state."""
    game = game_of(name)
    rng = random.Random(seed)
    state = game.start(seed)
    for _ in range(40):
        if state.over:
            break
        option = state.decisions[0].sample(rng)
        bare = state.position.copy()
        bare.memos, bare.geometry = {}, {}
        anew = State(game, bare).choose(option)
        state = state.choose(option)
        assert anew == state


def test_sets_of_sets_have_one_order() -> None:
    """Inclusion is no order: however a set of sets came about, its members stand in one order."""
    members = [
        frozenset({5}),
        frozenset({1, 9}),
        frozenset({3}),
        frozenset({1}),
        frozenset({3, 5, 9}),
    ]
    orders = {
        tuple(map(tuple, map(sorted, ordered(frozenset(order)))))
        for order in itertools.permutations(members)
    }
    assert orders == {((1,), (3,), (5,), (1, 9), (3, 5, 9))}
