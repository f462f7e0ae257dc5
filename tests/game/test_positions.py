"""Positions from plain data: checked whole, by names, for every player's board."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from interpreter.game.game import Game, State, game_of, load
from interpreter.game.loading import load_rules
from interpreter.game.position_checks import impossible
from interpreter.game.position_data import PositionData
from interpreter.model.errors import InputError
from interpreter.model.values import Fault
from rulelang.core.values import Json

ROOT = Path(__file__).parents[2]
GOOD = sorted(p for p in (ROOT / "tests/good").iterdir() if any(p.glob("*.rules")))

RULES = """
game plots "Plots"
  players: 2

component house
  form: shape
  copies_made: number = 0
  pieces title, form, copies
    | Hut   X     1
    | Hall  XX    2
    | Court XX/X. 1

component rug
  pieces title
    | Long
    | Round

component slab of player
  form: shape
  pieces title, form
    | Big   XX/XX
    | Small X

component secret
  pieces title, copies
    | Star 2
    | Moon 1

board yard of player
  grid: square, 4 by 3
  cells: plot
  sides: fence
  home: house on plot
  floor: rug on plot

board path of player
  grid: square, grown from slab
  cells: stone

place box: house, full
place pack: secret, hidden, full
place hand of player: secret, private
place shown: secret
state turns: number = 0
state debt of player: number = 0
state wet of plot: truth = false

event build(p: player, x: house, at: set of plot)
  add 1 to turns
  subtract 1 from p's debt
  put x at at

rules of build(p, x, at)
  "its form"  at in footprints(x's form, p's yard)

event unroll(x: rug, at: set of plot)
  put x at at

event soak(at: set of plot)
  for each b in at
    set b's wet to true

event lay(x: slab, at: list of stone)
  put x at at

action pass(p: player) "Pass"
  add 1 to turns

flow
  repeat
    each p in turn
      take one of pass by p
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("plots")
    (path / "plots.rules").write_text(RULES, "utf-8")
    return game_of(load_rules(str(path)), 2, (), {})


RIGHT: dict[str, dict[str, Json]] = {
    "forms": {
        "put": [
            {"piece": "Hall", "at": ["a1 of p1", "a2 of p1"]},
            {"piece": "Hall", "at": ["b1 of p2", "c1 of player 2"]},
            {"piece": "Court", "at": ["c2 of p1", "d1 of p1", "d2 of p1"]},
            {"piece": "Long", "at": ["a3 of p1", "b3 of p1"]},
        ]
    },
    "pictures": {
        "boards": {
            "yard of p1": {"rows": [". H", "L ."], "legend": {"H": "Hut", "L": "Long"}},
            "yard of p2": {"rows": ["w . w"], "legend": {"w": True}},
            "path of p2": {"rows": [". s"], "legend": {"s": {"piece": "Small", "of": "p2"}}},
        }
    },
    "variables": {"state": {"turns": 2, "debt": {"p2": -3}, "wet": {"b1 of p2": True}}},
    "tiles": {"tiles": [{"piece": "Big", "board": "path of p1", "at": ["d4", "e4", "d5", "e5"]}]},
    "secrets": {
        "places": {"hand of p1": ["Star"], "hand of p2": ["Moon"]},
        "known": {"Star in hand of p1": ["p2"], "Moon": [1]},
    },
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_can_be_is_taken(game: Game, name: str) -> None:
    """By the names texts use; and what is written of it is the same again."""
    state = game.position(RIGHT[name])
    assert impossible(game, state.position) == []
    PositionData.model_validate(RIGHT[name])
    written = {k: v for k, v in state.to_json().items() if k != "control"}
    again = game.position(json.loads(json.dumps(written)))
    assert again.position.where == state.position.where
    assert again.position.vars == state.position.vars
    assert again.position.known == state.position.known


def test_names_mean_what_they_say(game: Game) -> None:
    """Each player's own board, the piece that lies hidden, the variable of a cell."""
    s = game.position(RIGHT["forms"]).position
    cells = game.setup.boards["yard"].cells
    halls = [p for p in game.setup.by_component["house"] if game.presenter.piece(p) == "Hall"]
    assert [at[2] for p in halls if (at := s.where[p]) is not None] == [
        (0, 4),
        (cells + 1, cells + 2),
    ]
    s = game.position(RIGHT["pictures"]).position
    assert sorted(index for index, _ in s.changed("wet")) == [cells, cells + 2]
    s = game.position(RIGHT["secrets"]).position
    (star,), (moon,) = s.places[("hand", 0)], s.places[("hand", 1)]
    assert s.known == {star: frozenset({1}), moon: frozenset({0})}


WRONG: dict[str, tuple[dict[str, Json], str]] = {
    "a double on a diagonal": (
        {"put": [{"piece": "Hall", "at": ["a1 of p1", "b2 of p1"]}]},
        r"Hall does not cover cells in this way: a1 of player 1, b2 of player 1",
    ),
    "a form too small": ({"put": [{"piece": "Court", "at": ["a1 of p1", "b1 of p1"]}]}, "Court"),
    "a rug torn": ({"put": [{"piece": "Long", "at": ["a1 of p1", "c1 of p1"]}]}, "Long does not"),
    "over two boards": (
        {"put": [{"piece": "Hall", "at": ["a1 of p1", "a2 of p2"]}]},
        "Hall lies on the boards of several players",
    ),
    "two on one site": (
        {
            "put": [
                {"piece": "Hut", "at": "a1 of p1"},
                {"piece": "Hall", "at": ["a1 of p1", "a2 of p1"]},
            ]
        },
        "two pieces on one site",
    ),
    "a piece too many": (
        {"places": {"hand of p1": ["Star", "Star", "Star"]}},
        r"each piece is placed once \(of Star there are 2\)",
    ),
    "a tile as it is not cut": (
        {"tiles": [{"piece": "Big", "board": "path of p1", "at": ["d4", "e4", "f4", "g4"]}]},
        "Big does not lie as it is cut",
    ),
    "a tile upon another": (
        {
            "tiles": [
                {"piece": "Big", "board": "path of p1", "at": ["d4", "e4", "d5", "e5"]},
                {"piece": "Small", "board": "path of p1", "at": ["e5"]},
            ]
        },
        "Small lies on Big",
    ),
    "a number no rule makes": (
        {"state": {"turns": -1}},
        "turns is -1, and no rule makes it less than 0",
    ),
    "whose board": ({"put": [{"piece": "Hut", "at": "a1"}]}, "no plot 'a1'"),
    "a board of nobody": ({"boards": {"yard": ["."]}}, "say whose board it is, as in 'yard of p1'"),
    "a sign": ({"boards": {"yard of p1": ["H"]}}, "the sign H is explained by no legend"),
    "a picture too large": ({"boards": {"yard of p1": [". . . . ."]}}, "larger than the board"),
    "a secret that lies open": (
        {"places": {"shown": ["Moon"]}, "known": {"Moon": ["p1"]}},
        "known, Moon: it lies open",
    ),
    "a secret of two": (
        {"places": {"hand of p1": ["Star"]}, "known": {"Star": ["p2"]}},
        "it lies in hand of p1, pack; say which",
    ),
    "a player who is not there": ({"places": {"hand of p3": []}}, "'p3' is no player"),
    "a form of data": ({"put": [{"at": "a1"}]}, "put.0.piece: it is missing"),
    "a pair cut short": ({"state": {"turns": [[None]]}}, r"\[\[None\]\] is no number"),
    "a number past all bounds": ({"state": {"turns": 10**5000}}, "64 bits"),
    "a way into the flow": (
        {"turn": {"procedure": "pass", "player": 3}, "flow": True},
        "there is no player 3",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_is_refused(game: Game, name: str) -> None:
    """With what is wrong, in the words of the rules."""
    data, why = WRONG[name]
    with pytest.raises(InputError, match=why):
        game.position(data)


def test_all_that_is_wrong_is_told(game: Game) -> None:
    """Not the first alone."""
    data = {**WRONG["a secret that lies open"][0], "state": {"turns": "x", "moods": 1}}
    with pytest.raises(InputError, match=r"'x' is no number; .*'moods'.*; known, Moon"):
        game.position(data)


def test_the_flow_is_entered_at_a_turn(game: Game) -> None:
    """With `flow`, play goes on from there; without, it ends with the procedure."""
    turn: dict[str, Json] = {"procedure": "pass", "player": "p2"}
    state = game.position({"turn": turn, "flow": True, "state": {"turns": 4}})
    assert [spec.player for spec in state.specs] == [1]
    assert [spec.player for spec in state.play(1, action="pass").specs] == [0]
    assert game.position({"turn": turn}).specs == []


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.name)
def test_what_play_leads_to_is_possible(path: Path) -> None:
    """No position that is reached is refused; as bare data it comes back, in its form."""
    game = load(str(path))
    for seed in (1, 2):
        for state in _played(game, seed):
            assert impossible(game, state.position) == []
        data = {k: v for k, v in state.to_json().items() if k != "control"}
        PositionData.model_validate(data)
        assert game.position(data).position.where == state.position.where


def _played(game: Game, seed: int) -> list[State]:
    """The states of the first choices of a game by chance."""
    rng, states = random.Random(seed), [game.start(seed)]
    while not states[-1].over and len(states) < 40:
        decision = rng.choice(states[-1].decisions)
        if next(decision.options(), None) is None:  # a game may come to a dead end
            break
        try:
            states.append(states[-1].choose(decision.sample(rng)))
        except Fault:  # a number may grow past its bound
            break
    return states


def test_the_schema_is_the_documented_one() -> None:
    """What docs/position.schema.json holds is what is checked."""
    schema = json.loads((ROOT / "docs/position.schema.json").read_text("utf-8"))
    assert schema == PositionData.model_json_schema()
