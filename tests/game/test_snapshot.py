"""A state written as JSON goes on as if it had never stopped.

One that was cut, edited or is of other rules is refused.
"""

from __future__ import annotations

import json
import random
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from interpreter.game.game import Game, State, load
from interpreter.model.values import Fault

GAMES = [
    *map(str, sorted(p for p in Path("tests/good").iterdir() if any(p.glob("*.rules")))),
    "big_city",
]


def played(game: Game, moves: int, seed: int) -> State:
    rng = random.Random(seed)
    state = game.start(seed)
    with suppress(Fault):  # the numbers of some programs outgrow 64 bits: then as far as they come
        while not state.over and state.moves < moves:
            state = state.choose(rng.choice(state.decisions).sample(rng))
    return state


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("moves", [0, 1, 7, 40])
def test_a_written_state_goes_on(name: str, moves: int) -> None:
    """Read back by another game object, it has the same hash, tells every viewer the same, and goes
    on in the same way.
    """
    state = played(load(name), moves, moves)
    again = load(name).position(json.loads(json.dumps(state.to_json())))
    assert again == state and again.digest() == state.digest() and again.moves == state.moves
    for viewer in (*range(state.game.players), None):
        assert {**again.view(viewer), "undo": None} == {**state.view(viewer), "undo": None}
    rng = random.Random(moves)
    for _ in range(12):
        if state.over:
            break
        option = rng.choice(state.decisions).sample(rng)
        try:
            state = state.choose(option)
        except Fault as fault:
            with pytest.raises(Fault, match=re.escape(str(fault))):
                again.choose(option)
            break
        again = again.choose(option)
        assert again == state


def edited(data: dict[str, Any], *path: Any, to: Any) -> dict[str, Any]:
    inner: Any = data
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = to
    return data


@pytest.mark.parametrize(
    ("path", "to", "why"),
    [
        (("seed",), 9, "not as it was written"),
        (("control", "drawn"), 0, "not as it was written"),
        (("control", "stack"), [], "not as it was written"),
        (("control",), [], "not as it was written"),
        (("places",), {}, "not as it was written"),
        (("luck",), 3, "not as it was written"),
    ],
)
def test_a_changed_state_is_refused(path: tuple[Any, ...], to: Any, why: str) -> None:
    """Nothing of what was written may be changed, be it where pieces lie or how far play has
    come.
    """
    game = load("tests/good/development")
    with pytest.raises(ValueError, match=why):
        game.position(edited(played(game, 5, 1).to_json(), *path, to=to))


def test_a_state_of_other_rules_is_refused() -> None:
    """A state under one option is none of the game under another."""
    small, large = (load("tests/good/hex", options={"size": size}) for size in (5, 7))
    with pytest.raises(ValueError, match="other options"):
        large.position(played(small, 3, 1).to_json())


@pytest.mark.parametrize("change", [{"body": 9999}, {"pc": 9999}, {"name": 7}])
def test_a_sealed_state_that_cannot_be_is_refused(change: dict[str, Any]) -> None:
    """Even a state with the right seal is held against the rules: no step that is not there."""
    from interpreter.game.snapshot import seal

    game = load("tests/good/development")
    data = played(game, 5, 1).to_json()
    block = data["control"]["stack"][-1]["blocks"][-1]
    block[0], block[1] = change.get("body", block[0]), change.get("pc", block[1])
    if "name" in change:
        data["control"]["stack"][-1]["name"] = "no such procedure"
    data["control"]["seal"] = seal(data)
    with pytest.raises(ValueError, match=r"\w"):
        game.position(data)
