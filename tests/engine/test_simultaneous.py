"""Deciding at once: others' choices are unseen, unless they are open to a player.

Then he sees them as they are made, and undo knows it.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from compiling import findings
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.game.game import Game, Illegal, State, load

FEW = settings(max_examples=12, deadline=None, derandomize=True)
_loaded: dict[str, Game] = {}


def game_of(name: str, players: int) -> Game:
    if name not in _loaded:
        _loaded[name] = load(
            name, players=players, options={"level": 3} if name == "cities" else {}
        )
    return _loaded[name]


def some_state(game: Game, seed: int, moves: int) -> State:
    """A state met in random play, whoever decides first."""
    rng = random.Random(seed)
    state = game.start(seed)
    while not state.over and state.moves < moves:
        state = state.choose(rng.choice(state.decisions).sample(rng))
    return state


def known(state: State, viewer: int | None) -> dict[str, Any]:
    """What a viewer knows of a state, but for whose turn it is and what may be taken back."""
    return state.view(viewer) | {"decisions": None, "undo": None}


def done(state: State, player: int) -> bool:
    return player not in {d.player for d in state.decisions}


@FEW
@given(seed=st.integers(0, 10**6), moves=st.integers(0, 60))
def test_nobody_learns_a_choice_before_he_has_finished(seed: int, moves: int) -> None:
    """Whatever one player chooses at once, those who have not finished know the same, and onlookers
    too.
    """
    state = some_state(game_of("cities", 3), seed, moves)
    if state.over:
        return
    rng = random.Random(seed)
    decision = rng.choice(state.decisions)
    one, two = (state.choose(decision.sample(rng)) for _ in range(2))
    if (
        len({len(x.position.places[("stack", None)]) for x in (state, one, two)}) > 1
        or one.over
        or two.over
    ):
        return  # the last choice of a round: now all is told
    for viewer in (None, *range(3)):
        if viewer is None or (viewer != decision.player and not done(state, viewer)):
            assert known(one, viewer) == known(two, viewer) == known(state, viewer)


@FEW
@given(seed=st.integers(0, 10**6))
def test_the_order_of_those_who_decide_does_not_matter(seed: int) -> None:
    """The same choices, one player after the other or all mixed, come to the same state and the
    same views.
    """
    game = game_of("cities", 3)
    ends = []
    for order in ((0, 1, 2), (2, 1, 0), (1, 2, 0)):
        state = game.start(seed)
        rngs = [random.Random(seed + p) for p in range(3)]
        for p in order:
            while (
                any(d.player == p for d in state.decisions)
                and len(state.position.places[("stack", None)]) == 13
            ):
                state = state.choose(
                    next(d for d in state.decisions if d.player == p).sample(rngs[p])
                )
        ends.append(state)
    assert ends[0] == ends[1] == ends[2]
    assert ends[0].view(1) == ends[1].view(1)


def test_who_has_finished_sees_the_others_build() -> None:
    """After his last choice of the round a player sees the tiles the others have laid.

    They do not see his.
    """
    state = some_state(game_of("cities", 2), 5, 0)
    rng = random.Random(5)
    while not done(state, 1):
        state = state.choose(next(d for d in state.decisions if d.player == 1).sample(rng))
    assert (
        len(state.view(1)["boards"]["city"]["tiles"]) == 3
        and not state.view(0)["boards"]["city"]["tiles"]
    )
    later = state
    while len(later.view(0)["boards"]["city"]["tiles"]) == 0:
        before = later
        later = later.choose(next(d for d in later.decisions if d.player == 0).sample(rng))
    assert (
        len(later.view(1)["boards"]["city"]["tiles"]) == 4
        and len(later.view(0)["boards"]["city"]["tiles"]) == 1
    )
    assert any("found" in line.values() for line in later.view(1)["log"])
    with pytest.raises(Illegal):
        later.undo()  # the other has seen it
    assert before.undo() is before.parent


def test_a_choice_nobody_watches_can_be_taken_back() -> None:
    """While nobody looks on, undo goes back.

    The last choice of one who then looks at others stands.
    """
    state = some_state(game_of("cities", 2), 5, 0)
    rng = random.Random(5)
    first = state
    for _ in range(3):  # which tile, where, how turned
        first = first.choose(first.decisions[0].sample(rng))
        assert first.undo() is first.parent
    while not done(first, 1):
        first = first.choose(next(d for d in first.decisions if d.player == 1).sample(rng))
    with pytest.raises(Illegal):
        first.undo()


def test_what_a_watcher_sees_holds_together() -> None:
    """No piece lies in two places of what he sees, and what is not open to him is as it was."""
    state = some_state(game_of("tests/good/partners", 4), 1, 0)
    rng = random.Random(1)
    state = state.choose(state.decisions[0].sample(rng))
    for viewer in range(4):
        s = state.seen_by(viewer)
        everywhere = [piece for pieces in s.places.values() for piece in pieces]
        assert len(everywhere) == len(set(everywhere)) == len(s.where)
        assert all(s.where[piece] == key for key, pieces in s.places.items() for piece in pieces)
        assert (len(s.places[("laid", 0)]) == 1) == (viewer in (0, 2))
    assert state.seen_by(None) is state.position


HIDDEN = b"""
game peek "Peek"
  players: 2
component card of player
place hand of player: card, private, full
state mood of player: number = 0, hidden
flow
  each p at once open to q when count of {x in p's hand where x's title = ""} > 0, q's mood = 0
    choose x in p's hand by p
    move x to p's hand
"""


def test_who_may_watch_depends_on_what_he_knows() -> None:
    """The condition may read only what the watcher knows; each thing he does not know is told."""
    found, _ = findings({"peek.rules": HIDDEN})
    assert [(item.code, "`hand`" in item.message, "`mood`" in item.message) for item in found] == [
        ("T023", True, False),
        ("T023", False, True),
    ]
