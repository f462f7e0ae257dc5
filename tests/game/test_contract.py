"""The interpreter's contract as the design lists it: each line of the listing runs, on Big City and
on the small games.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from interpreter.engine.decisions import Option
from interpreter.game.game import Game, Illegal, State, load
from interpreter.game.record_error import RecordError

HOSPITAL = "examples/homemade/hospital.rules"


@pytest.fixture(scope="module")
def game() -> Game:
    return load("big_city", players=3, variants=[], options={}, with_=[HOSPITAL])


def some_state(game: Game, moves: int, seed: int = 7) -> State:
    rng = random.Random(seed)
    state = game.start(seed=seed)
    while not state.over and state.moves < moves:
        state = state.choose(state.decisions[0].sample(rng))
    return state


def test_the_listing_runs(game: Game) -> None:
    """Load, start, look at the open decisions, sample, choose: the state before stays what it
    was.
    """
    state = game.start(seed=7)
    before = state.digest()
    for d in state.decisions:
        assert d.player in range(3) and d.prompt
        options = list(d.options())
        assert len(options) == d.count() > 0
        option = d.sample(random.Random(1))
        assert option in options
        later = state.choose(option)
        assert later != state
    assert state.digest() == before


def test_why_not_names_every_failed_line(game: Game) -> None:
    """A bank far from any business before city hall: both lines are told, with their statements."""
    state = game.position(
        {"boards": {"city": ["11 12 13", "14 15 16", "17 18 19"]}, "places": {"hand of p1": []}}
    )
    reasons = state.why_not(0, "build", b="bank", at=[14])
    cites = {c for r in reasons for c in r.cites}
    assert {"BC-134", "BC-143", "BC-046"} <= cites
    two = next(r for r in reasons if "BC-143" in r.cites)
    assert "2 more" in two.repair and "0" in two.found


def test_explanations_add_up(game: Game) -> None:
    """The lines of every table in a game's log, applied in order, come to the table's total."""
    state = some_state(game, 400)
    for entry in state.log:
        for tally in entry.totals:
            total = 0
            for line in tally.lines:
                total = {
                    "start": line.amount,
                    "+": total + line.amount,
                    "-": total - line.amount,
                    "times": total * line.amount,
                    "exactly": line.amount,
                    "floor": max(total, line.amount),
                    "cap": min(total, line.amount),
                }[line.op]
                assert total == line.total
            assert total == tally.total


def test_only_events_are_explained(game: Game) -> None:
    """Of a line of the log that tells of no event there is nothing to explain."""
    state = some_state(game, 12)
    assert {entry.kind for entry in state.log} > {"event"}
    assert all((state.explain(entry) is None) == (entry.kind != "event") for entry in state.log)


def test_views_hide_hands(game: Game) -> None:
    """Another player's view holds no card of my hand, and mine does."""
    state = some_state(game, 12)
    mine = game.presenter.data
    hand = state.position.places[("hand", 0)]
    assert hand
    own, other = json.dumps(state.view(0)), json.dumps(state.view(1))
    from rulelang.core.types import PieceT

    for piece in hand:
        name = json.dumps(mine(piece, PieceT("property_card"), state.position))
        assert name in own
        assert name not in other


def test_paired_states_look_alike(game: Game) -> None:
    """Two states that differ only in what a viewer may not know give him equal bytes."""
    state = some_state(game, 12)
    twin = state.position.copy()
    hand = twin.places[("hand", 0)]
    cards = game.setup.fields["home"]
    card = hand[0]
    stack = ("stack", cards[card])
    other = twin.places[stack][-1]
    twin.places[("hand", 0)] = tuple(other if p == card else p for p in hand)
    twin.places[stack] = tuple(card if p == other else p for p in twin.places[stack])
    twin.where[card], twin.where[other] = stack, ("hand", 0)
    twin.touch()
    paired = State(game, twin, state.parent, state.choice)
    assert json.dumps(paired.view(1)["places"]) == json.dumps(state.view(1)["places"])
    assert json.dumps(paired.view(0)["places"]) != json.dumps(state.view(0)["places"])


def test_records_replay_to_the_same_hash(game: Game) -> None:
    """A record, through JSON, ends in the same state."""
    state = some_state(game, 200)
    record = json.loads(json.dumps(game.record(state)))
    again = game.replay(record)
    assert again == state and hash(again) == hash(state)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"game": "chess"}, "of the game chess"),
        ({"rules": "0" * 64}, "another version"),
        ({"seed": "x"}, "seed"),
        ({"choices": [{"player": 0, "name": "n", "value": "nowhere#99"}]}, "choice 1"),
        ({"digest": "f" * 64}, "another state"),
        ({"extra": 1}, "extra"),
    ],
)
def test_bad_records_are_refused(game: Game, change: dict[str, Any], why: str) -> None:
    """A record of another game, version or shape, with an illegal choice, or edited, is refused by
    name.
    """
    record = {**game.record(some_state(game, 20)), **change}
    with pytest.raises(RecordError, match=why):
        game.replay(record)


def test_illegal_and_stale_choices_leave_the_state(game: Game) -> None:
    """What cannot be chosen is refused with reasons; nothing changes."""
    state = some_state(game, 30)
    before = state.digest()
    for option in [
        Option(state.decisions[0].player, "nonsense", 1),
        Option(2 - state.decisions[0].player, state.decisions[0].name, 10**9),
        Option(state.decisions[0].player, state.decisions[0].name, "no such thing"),
    ]:
        with pytest.raises(Illegal):
            state.choose(option)
    assert state.digest() == before


def test_undo_knows_what_was_shown(game: Game) -> None:
    """A choice that drew a card stands; one that showed nothing is taken back."""
    rng = random.Random(3)
    state = game.start(seed=3)
    kept = taken = 0
    while not state.over and state.moves < 120:
        later = state.choose(state.decisions[0].sample(rng))
        if later.position.learned:
            kept += 1
            with pytest.raises(Illegal):
                later.undo()
        else:
            taken += 1
            assert later.undo() is state
        state = later
    assert kept and taken


def test_positions_from_plain_data_come_back(game: Game) -> None:
    """What a state writes, `position` reads: pieces, sites, variables."""
    state = some_state(game, 150)
    again = game.position(json.loads(json.dumps(state.to_json())))
    assert again.position.places == state.position.places
    assert again.position.on == state.position.on
    assert again.position.tiles == state.position.tiles
    assert again.position.vars == state.position.vars


@pytest.mark.parametrize(
    "data",
    [
        {"nowhere": 1},
        {"boards": {"city": ["11 12"]}},
        {"places": {"hand of p9": []}},
        {"state": {"luck": 3}},
        {"put": [{"piece": "dragon", "sites": [1]}]},
    ],
)
def test_bad_positions_are_named(game: Game, data: dict[str, Any]) -> None:
    """A position that cannot be is refused with a word on what is wrong."""
    with pytest.raises(ValueError, match=r"\w"):
        game.position(data)
