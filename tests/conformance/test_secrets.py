"""Secrets: of two states that differ only in what a player may not know, he has the same view.

A sealed choice shows to nobody before all are in.
"""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interpreter.game.game import Game, State, load
from interpreter.model.position import Position

SEALED = ["tests/good/sealed", "the_city"]
SOME = settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize=True,
)
_games: dict[tuple[str, int], Game] = {}


def game_of(name: str, players: int) -> Game:
    if (name, players) not in _games:
        _games[name, players] = load(name, players=players)
    return _games[name, players]


def together(state: State, rng: random.Random) -> State:
    """Random play on to a moment when all decide at once."""
    for _ in range(rng.randint(0, 40)):
        if state.over:
            break
        state = state.choose(state.decisions[0].sample(rng))
    while not state.over and len(state.position.branches) < state.game.players:
        state = state.choose(state.decisions[0].sample(rng))
    return state


def views(state: State, but: int | None = None) -> list[dict[str, object]]:
    """What everybody (but one) sees, an onlooker without a seat among them.

    Left out is whether the last choice may be taken back, for that tells of the past.
    """
    return [
        {**state.view(q), "undo": None}
        for q in (None, *range(state.game.players))
        if but is None or q != but
    ]


def but_who_is_done(seen: list[dict[str, object]]) -> list[dict[str, object]]:
    """Views without who has still to decide, which all may know."""
    return [{**view, "decisions": None} for view in seen]


@pytest.mark.parametrize("name", SEALED)
@SOME
@given(seed=st.integers(0, 10**6), players=st.integers(2, 5))
def test_two_sealed_choices_look_alike(name: str, seed: int, players: int) -> None:
    """Until the last has chosen nobody can tell what another chose, nor how far he is.

    Once he is done, others see that he is.
    """
    rng = random.Random(seed)
    state = together(game_of(name, players).start(seed), rng)
    if state.over:
        return
    mine = rng.choice(state.decisions)
    before = views(state, mine.player)
    under_way, done = [], []
    for option in itertools.islice(mine.options(), 40):
        later = state.choose(option)
        while later.position.branches and any(d.player == mine.player for d in later.decisions):
            under_way.append(views(later, mine.player))
            later = later.choose(
                next(d for d in later.decisions if d.player == mine.player).sample(rng)
            )
        if later.position.branches:
            done.append(views(later, mine.player))
    assert (
        under_way or done or len(state.decisions) == 1
    )  # a single one to choose: with him all are in
    assert all(seen == before for seen in under_way)
    assert all(seen == done[0] for seen in done)
    assert all(but_who_is_done(seen) == but_who_is_done(before) for seen in done)


def swapped(position: Position, one: int, two: int) -> Position:
    """The same position, in every branch of it, with two pieces in each other's places."""
    made = position.copy()
    made.memos = {}
    for key, pieces in made.places.items():
        made.places[key] = tuple({one: two, two: one}.get(piece, piece) for piece in pieces)
    made.where[one], made.where[two] = made.where[two], made.where[one]
    made.branches = {seat: swapped(branch, one, two) for seat, branch in made.branches.items()}
    return made


@pytest.mark.parametrize("name", SEALED)
@SOME
@given(seed=st.integers(0, 10**6), players=st.integers(2, 5))
def test_hands_and_piles_look_alike_from_outside(name: str, seed: int, players: int) -> None:
    """Another card in a hand, a pile or a plan makes no difference to those who may not look into
    it.
    """
    rng = random.Random(seed)
    game = game_of(name, players)
    state = together(game.start(seed), rng)
    s = state.position
    closed = {
        key: [p for p in pieces if not s.known.get(p)]
        for key, pieces in s.places.items()
        if game.rules_source.places[key[0]].visibility != "public"
    }
    filled = [key for key, pieces in closed.items() if pieces]
    if state.over or len(filled) < 2:
        return
    here, there = rng.sample(filled, 2)
    other = State(game, swapped(s, rng.choice(closed[here]), rng.choice(closed[there])))
    owners = {
        key[1] for key in (here, there) if game.rules_source.places[key[0]].visibility == "private"
    }
    for seat, (one, two) in enumerate(zip(views(state), views(other), strict=True), -1):
        if seat not in owners:
            assert one == two
