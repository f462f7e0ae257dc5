"""Bots: they decide by what their player may know, play the same game again from the same seed, and
play better than chance.
"""

from __future__ import annotations

import json
import random
from functools import partial
from pathlib import Path

import pytest

from interpreter.bots.agents import BOTS
from interpreter.bots.determinize import imagined, seen_by
from interpreter.bots.greedy import Greedy
from interpreter.bots.hasty import Hasty
from interpreter.bots.planner import Planner, standing
from interpreter.conformance.pairs import exchanged
from interpreter.game.game import Game, State, load
from interpreter.simulation.outcome import play_game, play_out
from interpreter.simulation.reachable import never_fired
from interpreter.simulation.simulate import simulate

SEALED, TICK = "tests/good/sealed", "tests/good/tic_tac_toe"


def later(game: Game, moves: int, seed: int) -> State:
    rng = random.Random(seed)
    state = game.start(seed)
    while not state.over and state.moves < moves:
        state = state.choose(state.decisions[-1].sample(rng))
    return state


@pytest.mark.parametrize(("name", "moves"), [("big_city", 60), (SEALED, 9), ("the_city", 12)])
def test_an_imagined_state_looks_the_same_and_is_another(name: str, moves: int) -> None:
    """The player sees the places he saw, knows the pieces he knew, and what he could not see lies
    otherwise.
    """
    state = later(load(name, players=3), moves, 4)
    player = state.decisions[0].player
    found = imagined(state, player, random.Random(1))
    assert json.dumps(found.view(player)["places"]) == json.dumps(state.view(player)["places"])
    assert [d.prompt for d in found.decisions if d.player == player] == [
        d.prompt for d in state.decisions if d.player == player
    ]
    s, t = (x.position.branches.get(player, x.position) for x in (state, found))
    assert seen_by(s, player) == seen_by(t, player)
    assert s.places != t.places and s.seed != t.seed
    assert sorted(p for pieces in s.places.values() for p in pieces) == sorted(
        p for pieces in t.places.values() for p in pieces
    )


@pytest.mark.parametrize("name", ["big_city", SEALED, "the_city"])
def test_greedy_cannot_tell_what_is_hidden(name: str) -> None:
    """Where hidden pieces are exchanged for others, the same bot chooses the same."""
    game = load(name, players=2)
    told = 0
    for moves in range(8, 40, 4):
        state = later(game, moves, moves)
        if state.over:
            continue
        decision = state.decisions[0]
        twin = exchanged(state, decision.player, random.Random(moves))
        if twin is None:
            continue
        same = next(d for d in twin.decisions if d.player == decision.player)
        assert Greedy(3)(state, decision) == Greedy(3)(twin, same)
        told += 1
    assert told >= 3


PLEDGES = """game pledges "Pledges"
  players: 2
state points of player: number = 0
state pledged of player: number = 3, private
procedure promise(p: player)
  choose n in {0 to 5} by p "points to pledge"
  set p's pledged to n
event guess(p: player, n: number)
  for each q in players
    if q != p, q's pledged = n
      add 1 to p's points
flow
  each p in turn
    do promise(p)
  each p in turn
    choose n in {0 to 5} by p "guess"
    do guess(p, n)
rank
  highest player's points
"""


def test_secret_variables_are_forgotten(tmp_path: Path) -> None:
    """Another's secret number is in the imagined state what it was at first, the player's own what
    it is; guesses do not depend on it.
    """
    (tmp_path / "pledge.rules").write_text(PLEDGES, "utf-8")
    game = load(str(tmp_path / "pledge.rules"), players=2)
    guesses = set()
    for secret in (0, 1, 5):
        state = game.start(0).play(0, n=2).play(1, n=secret)
        assert imagined(state, 0, random.Random(1)).position.vars["pledged"] == {0: 2, 1: 3}
        guesses.add(Greedy(1)(state, state.decisions[0]).value)
    assert len(guesses) == 1


def test_greedy_does_not_look_at_sealed_choices() -> None:
    """What another has chosen while all decide at once changes nothing for who is yet to decide."""
    game = load(SEALED, players=2)
    state = later(game, 0, 5)
    mine = next(d for d in state.decisions if d.player == 1)
    other = next(d for d in state.decisions if d.player == 0)
    options = list(other.options())
    after = [state.choose(option) for option in (options[0], options[-1])]
    chosen = {
        Greedy(2)(s, next(d for d in s.decisions if d.player == 1)).value for s in (state, *after)
    }
    assert len(after) == 2 and len(chosen) == 1 and mine.takes(Greedy(2)(state, mine))


def test_greedy_takes_the_winning_cell() -> None:
    """Two in a row and a free third cell: that cell."""
    game = load(TICK, players=2)
    state = game.start(0)
    for cell in (0, 3, 1, 4):
        state = state.choose(next(o for o in state.decisions[0].options() if o.value == cell))
    for seed in range(5):
        option = Greedy(seed)(state, state.decisions[0])
        assert option.value == 2 and state.choose(option).winners == [0]


def test_plans_end_where_something_new_comes_up() -> None:
    """No plan goes on after a choice that showed something, and each stands as its state says."""
    state = later(load("big_city", players=2), 60, 8)
    while state.decisions[0].spec.mode != "action":
        state = state.choose(state.decisions[0].sample(random.Random(2)))
    player = state.decisions[0].player
    root = imagined(state, player, random.Random(1))
    plans = Planner(root, player, random.Random(1)).plans()
    assert {plan.steps[0].value for plan in plans} == {
        option.value for option in root.decisions[0].options()
    }
    for plan in plans:
        assert plan.standing == standing(plan.state, player)
        now = root
        for step in plan.steps[:-1]:
            now = now.choose(step)
            assert not now.position.learned


@pytest.mark.parametrize(
    ("name", "players", "games", "least"),
    [(TICK, 2, 20, 15), ("the_city", 2, 3, 3), ("big_city", 2, 2, 2)],
)
def test_greedy_beats_chance(name: str, players: int, games: int, least: int) -> None:
    """Greedy against random, in each seat by turns; the ladder tells of the other games."""
    game = load(name, players=players)
    won = 0
    for n in range(games):
        agents = [
            BOTS["greedy" if p == n % players else "random"](n * 64 + p) for p in range(players)
        ]
        won += play_out(game.start(n), agents).winners == [n % players]
    assert won >= least


@pytest.mark.parametrize("name", ["big_city", "the_city"])
def test_hasty_cannot_tell_what_is_hidden(name: str) -> None:
    """Where hidden pieces are exchanged for others, the same hasty bot chooses the same."""
    game = load(name, players=2)
    told = 0
    for moves in range(8, 40, 4):
        state = later(game, moves, moves)
        twin = (
            None
            if state.over
            else exchanged(state, state.decisions[0].player, random.Random(moves))
        )
        if twin is not None:
            decision = state.decisions[0]
            same = next(d for d in twin.decisions if d.player == decision.player)
            assert Hasty(3)(state, decision) == Hasty(3)(twin, same)
            told += 1
    assert told >= 3


@pytest.mark.parametrize("name", ["big_city", SEALED])
def test_hasty_plays_every_sort_of_game(name: str) -> None:
    """In turn or at once, its games end by the rules, and the same seed gives the same game."""
    game = load(name, players=3)
    first, again = play_game(game, 2, "hasty"), play_game(game, 2, "hasty")
    assert first == again and first.finished and not first.fault


def test_a_game_repeats_from_its_seed() -> None:
    """Seed and bots are all there is: the same end, move for move."""
    game = load(SEALED, players=3)
    assert (
        play_game(game, 7, "greedy") == play_game(game, 7, "greedy") != play_game(game, 8, "greedy")
    )


def test_processes_change_nothing_but_time() -> None:
    """One process or two, with two numbers of players: the same games in the same order."""
    games = [load(SEALED, players=players) for players in (2, 3)]
    alone = simulate(games, 2, 5, "random")
    spread = simulate(games, 2, 5, "random", processes=2, make=partial(_sealed))
    assert {**alone.as_json(), "seconds": 0} == {**spread.as_json(), "seconds": 0}
    assert (
        alone.games == 4
        and alone.by_players[3]["games"] == 2
        and list(map(len, alone.scores)) == [2, 2, 3, 3]
    )


def _sealed(players: int) -> Game:
    return load(SEALED, players=players)


def test_imagined_plays_do_not_count() -> None:
    """A winning line that a bot sees and a game does not play has not fired.

    A whole game's end has.
    """
    game = load(TICK, players=2)
    outcome = play_game(game, 3, "greedy")
    ends = {name for name in ("end three", "end full") if name in outcome.fired}
    assert len(ends) == 1 and outcome.finished
    assert never_fired(game, set(outcome.fired)) == [
        name for name in ("end three", "end full") if name not in ends
    ]


def test_simulations_tell_in_how_many_games_each_clause_counted() -> None:
    """What counted in a game is counted once for it; what never counted is not among them."""
    found = simulate([load(TICK, players=2)], 5, 1)
    assert not set(found.seen) & set(found.never_fired)
    assert all(1 <= games <= 5 for games in found.seen.values())
    ends = {name: games for name, games in found.seen.items() if name.startswith("end ")}
    assert sum(ends.values()) >= 5


STALLS = """game stalls "Stalls"
  players: 1
option goal: sold_out, rich
component stall
  price: number
pattern "A penny comes back."
  when buy(p, b) if b = card
    add 1 to p's money
card "Sweets" of stall
  price: 2
  text
    | A penny comes back.
card "Toys" of stall
  price: 5
card "Castle" of stall
  price: 9
place deck: stall, full
place market of player: stall
state money of player: number = 0
event buy(p: player, b: stall) reads "{p} buys {b}"
  move b to p's market
  add b's price to p's money
action buy_cheap(p: player) "Buy"
  choose b in deck where b's price < 9 by p "stall"
  do buy(p, b)
action buy_dear(p: player) "Buy what is dear"
  choose b in deck where b's price > 9 by p "stall"
  do buy(p, b)
flow
  each p in turn
    repeat 2 times
      take one of buy_cheap, buy_dear by p
end rich when goal is rich, p1's money > 6
rank
  highest player's money
"""


def test_what_settings_or_pieces_shut_out_is_not_missed(tmp_path: Path) -> None:
    """No stall costs more than 9 and nobody plays to be rich: neither is missed.

    The castle is in play and nobody bought it.
    """
    (tmp_path / "stalls.rules").write_text(STALLS, "utf-8")
    found = simulate([load(str(tmp_path / "stalls.rules"))], 3, 1)
    assert found.never_fired == [] and found.finished == 3
    assert found.played == {"buy": {"Sweets": 3, "Toys": 3}} and found.never_played == ["Castle"]
    assert found.seen['card "Sweets"/sentence 1'] == 3 and found.scores == [[8]] * 3
    rich = simulate([load(str(tmp_path / "stalls.rules"), options={"goal": "rich"})], 1, 1)
    assert rich.never_fired == [] and rich.seen["end rich"] == 1
