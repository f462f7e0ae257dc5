"""The search bot: it takes what wins, sees nothing hidden, and plays the same again; the ladder's
sequential test decides as it should.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import rulelang
from interpreter.bots import search
from interpreter.bots.agents import random_agent
from interpreter.bots.courses import Courses
from interpreter.bots.estimates import Estimates
from interpreter.bots.greedy import Greedy
from interpreter.bots.search import Line, Search
from interpreter.conformance.pairs import exchanged
from interpreter.game.game import Game, State, load
from interpreter.simulation.outcome import play_out
from interpreter.simulation.rates import interval
from tests.benchmarks import ladder
from tests.benchmarks.ladder import Kept, Match, Played, Ratio

TICK, SEALED = "examples/classics/tic_tac_toe", "tests/good/sealed"


def after(game: Game, *cells: int) -> State:
    state = game.start(1)
    for cell in cells:
        state = state.choose(list(state.decisions[0].options())[cell])
    return state


def chosen(state: State, playouts: int = 120) -> object:
    return Search(1, playouts)(state, state.decisions[0]).value


def test_it_takes_the_row_and_stops_the_others() -> None:
    """a1 b1 are marked and c1 is free: the one completes the row, the other must take it.

    Options are numbered among the free cells, row by row: a1, then a2 as the third of those left.
    """
    game = load(TICK, players=2)
    assert chosen(after(game, 0, 2, 0, 2)) == 2
    assert chosen(after(game, 0, 3, 0)) == 2


@pytest.mark.parametrize("name", [SEALED, "tests/good/buried", "examples/classics/three_cards"])
def test_search_cannot_tell_what_is_hidden(name: str) -> None:
    """Where hidden pieces are exchanged for others, the same bot chooses the same."""
    game, told = load(name, players=2), 0
    for seed in range(40):
        rng, state = random.Random(seed), load_later(game, seed)
        if state.over or told >= 4:
            continue
        decision = rng.choice(state.decisions)
        twin = exchanged(state, decision.player, rng)
        if twin is None:
            continue
        same = next(d for d in twin.decisions if d.player == decision.player)
        assert Search(3, 3)(state, decision) == Search(3, 3)(twin, same)
        told += 1
    assert told >= 4


def load_later(game: Game, seed: int) -> State:
    rng, state = random.Random(seed), game.start(seed)
    for _ in range(seed % 12):
        if not state.over:
            state = state.choose(state.decisions[-1].sample(rng))
    return state


LOANS = """game loans "Loans"
  players: 2
state points of player: number = 0
state owed of player: number = 0
flow
  each p in turn
    choose n in {0 to 3} by p "how much"
    add n to p's points
    set p's owed to 2 * n
  each p in turn
    choose m in {0 to 1} by p "anything"
    subtract p's owed from p's points
rank
  highest player's points
"""


def test_it_leaves_the_line_of_the_greedy_bot_where_that_is_worse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each point that is taken now costs two later, which the greedy bot does not see; unless
    another line surpasses its own the search bot follows it.
    """
    (tmp_path / "loans.rules").write_text(LOANS, "utf-8")
    state = load(str(tmp_path / "loans.rules"), players=2).start(1)
    usual = [Greedy(seed, explores=False)(state, state.decisions[0]).value for seed in range(5)]
    assert usual == [3] * 5
    assert [Search(seed, 120)(state, state.decisions[0]).value for seed in range(5)] == [0] * 5
    monkeypatch.setattr(Estimates, "surpasses", lambda *_: False)
    assert [Search(seed, 120)(state, state.decisions[0]).value for seed in range(5)] == [3] * 5


TURNS = """game turns "Turns"
  players: 2
state points of player: number = 0
flow
  repeat 9 times
    each p in turn
      choose m in {0 to 1} by p "first"
      choose n in {0 to 1} by p "then"
      add 1 to p's points
rank
  highest player's points
"""


def test_lines_are_looked_at_at_the_same_moments(tmp_path: Path) -> None:
    """A line may end before its player's turn does: what is left of the turn is decided before the
    turns are counted, else he would seem to have had a turn less than after a whole line.
    """
    (tmp_path / "turns.rules").write_text(TURNS, "utf-8")
    courses = Courses(load(str(tmp_path / "turns.rules"), players=2).start(1), 0)
    bot, chance = Search(1, 40), courses.drawn(random.Random(1))
    half, whole = Line((("m", 0),), 0), Line((("m", 0), ("n", 1)), 0)
    for line in (half, whole):
        bot._playout(line, courses, chance)
    # One leads by 1 after each of his turns, and at the end nobody does.
    assert half.samples[0].leads == (0, 1, 1, 0) and whole.samples[0].leads == (1, 1, 1, 0)


def test_it_plays_the_same_again_and_beats_chance() -> None:
    """Of twelve games with each seat in turn it loses at most two, by 40 playouts a choice."""
    game = load(TICK, players=2)
    ends = []
    for _ in range(2):
        played = []
        for number in range(12):
            seat = number % 2
            agents = [Search(number, 40) if p == seat else random_agent(number) for p in (0, 1)]
            played.append(play_out(game.start(number), agents))
        ends.append([state.digest() for state in played])
        lost = sum(s.winners == [1 - n % 2] for n, s in enumerate(played))
        assert lost <= 2
    assert ends[0] == ends[1]


def test_more_playouts_are_asked_for_by_number() -> None:
    state = rulelang.load(TICK).start()
    assert rulelang.search_agent(1, playouts=5)(state).player == 1
    with pytest.raises(rulelang.InputError, match="playouts"):
        rulelang.search_agent(1, playouts=0)


def test_the_ladder_decides_as_wald_has_it() -> None:
    """Even play is never called better; 20 wins in a row are; few games decide nothing."""
    won, even = Ratio(0.5, 0.7), Ratio(0.5, 0.7)
    for _ in range(9):
        won.add(1.0)
    # 9 ln 1.4 = 3.03, above ln 19 = 2.94; of 8 wins 2.69
    assert won.verdict == "better" and won.games == 9
    even.add(0.5)
    assert even.verdict == ""
    for _ in range(60):
        even.add(0.5)
    assert even.verdict == "not better"
    low, high = interval(0.5, 100)
    assert (round(low, 3), round(high, 3)) == (0.404, 0.596)


def test_a_ladder_goes_on_where_it_was_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games that are kept are not played again; those of other playouts are, and a line that was
    cut off counts as none.
    """
    asked: list[int] = []

    def won(game: Game, number: int, *bots: object) -> float | None:
        asked.append(number)
        return None if number == 1 else 1.0

    monkeypatch.setattr(ladder, "played", won)
    game, where = load(TICK, players=2), tmp_path / "games.jsonl"
    few = Match("tic_tac_toe", "r", 2, (("deck", "a"),), "search", "greedy", 40)
    for most, whole, new in ((3, 2.5, [0, 1, 2]), (5, 4.5, [3, 4]), (5, 4.5, [])):
        row = ladder.matched(game, Kept(where, few), most)
        assert (row["games"], row["not_decided"]) == (most, 1) and asked == new
        assert row["won"] == round(whole / most, 3)
        asked.clear()
    with where.open("a") as out:
        out.write('{"game": "tic_tac')
    more = Match("tic_tac_toe", "r", 2, (("deck", "a"),), "search", "greedy", 80)
    ladder.matched(game, Kept(where, more), 2)
    assert asked == [0, 1] and Kept(where, few).games.keys() == {*range(5)}
    assert Kept(where, more).games.keys() == {0, 1}
    assert Kept(where, few).games[1] == Played(None, 0.0) and Kept(None, few).games == {}


@pytest.mark.parametrize("name", ["examples/classics/crazy_eights", SEALED])
def test_a_module_searches_as_the_reference_does(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the same chance both choose the same, and what is drawn later is the same too.

    Both also stay blind to what is hidden: exchanged pieces change no choice.
    """
    pytest.importorskip("wasmtime", reason="the extra `native` is not installed")
    monkeypatch.setattr(search, "FEW", 0)
    game, told, blind = load(name, players=2), 0, 0
    for seed in range(9):
        state, rng = load_later(game, 5 * seed), random.Random(seed)
        if state.over:
            continue
        decision = rng.choice(state.decisions)
        native, usual = Search(seed, 4), Search(seed, 4, native=False)
        chosen_now = native(state, decision)
        assert chosen_now == usual(state, decision)
        assert native.rng.getstate() == usual.rng.getstate() and not native.why_not
        told += 1
        twin = exchanged(state, decision.player, rng)
        if twin is not None:
            same = next(d for d in twin.decisions if d.player == decision.player)
            assert Search(seed, 4)(twin, same) == chosen_now
            blind += 1
    made = search.modules_of(game)
    assert told > 5 and blind > 1
    assert not isinstance(made, str) and not made.left and made.begun > 20


def test_what_a_module_cannot_say_the_reference_goes_on_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A module that stops in the middle of each playout changes no choice, and is given up."""
    pytest.importorskip("wasmtime", reason="the extra `native` is not installed")
    from interpreter.native.resuming import Resumed
    from interpreter.native.runtime import AskReference

    monkeypatch.setattr(search, "FEW", 0)
    game = load("examples/classics/crazy_eights", players=2)
    state, taken = game.start(3), Resumed.sample

    def stopping(self: Resumed, rng: random.Random, most: int) -> int:
        again = random.Random()
        again.setstate(rng.getstate())
        taken(self, again, min(most, 3))
        raise AskReference("on purpose")

    monkeypatch.setattr(Resumed, "sample", stopping)
    native, usual = Search(1, 24), Search(1, 24, native=False)
    for _ in range(5):
        decision = state.decisions[0]
        option = native(state, decision)
        assert option == usual(state, decision)
        state = state.choose(option)
    assert native.why_not == "a module leaves most playouts to the reference"
