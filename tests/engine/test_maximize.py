"""Laws of the search under `maximize`: it agrees with trying everything, and a declared bound
changes nothing but the time.
"""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from interpreter.game.game import Game, State, game_of, load
from interpreter.game.loading import load_rules

WALL = """
game wall "A wall"
  players: 1
  citations: "WA"
component brick
  form: shape
  pieces title, form, copies
    | long   XXX 2
    | middle XX  2
    | short  X   2
board wall_board
  grid: square, 7 by 1
  cells: gap
  laid: brick on gap
place heap: brick, full
event lay(p: player, b: brick, at: set of gap)
  put b at at
rules of lay(p, b, at)
  "from the heap"  b in heap
  "free"           every g in at: g's laid is none
  "in its form"    at in footprints(b's form, wall_board)
define fitting(p: player) gives set of brick =
    {b in heap where some at in footprints(b's form, wall_board) where can lay(p, b, at)}
define filled = count of {g in gaps where g's laid is not none}
flow
  maximize filled BOUND
    repeat while fitting(p1) is not empty
      choose b in fitting(p1) by p1
      choose at in footprints(b's form, wall_board) by p1
      do lay(p1, b, at)
rank
  highest filled
"""


def game(tmp_path: Path, bound: str) -> Game:
    path = tmp_path / f"wall{len(bound)}.rules"
    path.write_text(WALL.replace(" BOUND", bound), "utf-8")
    return load(str(path))


def best_of_all(state: State) -> int:
    """The most that is filled at the end of any way to play on, tried without the search: every
    option the rules alone allow.
    """
    s, decider = state.position, state.game.decider
    specs = decider.open(s)
    if not specs:
        return len(s.on["laid"])
    found = 0
    for option in list(decider.plain_options(s, specs[0])):
        later = s.copy()
        decider.machine.decide(later, option)
        decider.machine.run(later)
        found = max(found, best_of_all(State(state.game, later)))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_the_search_agrees_with_trying_everything(tmp_path: Path, seed: int) -> None:
    """After two thirds of the wall, what is offered is what can still fill as much as any run
    could.
    """
    made, rng = game(tmp_path, ""), random.Random(seed)
    state = made.start(seed)
    for _ in range(4):
        state = state.choose(state.decisions[0].sample(rng))
    while not state.over:
        most = best_of_all(state)
        decision = state.decisions[0]
        s, spec = state.position, made.decider.open(state.position)[0]
        for value in list(made.decider.plain_options(s, spec)):
            later = s.copy()
            made.machine.decide(later, value)
            made.machine.run(later)
            offered = value in [option.value for option in decision.options()]
            assert offered == (best_of_all(State(made, later)) == most)
        state = state.choose(decision.sample(rng))
    assert len(state.position.on["laid"]) == 7


@pytest.mark.parametrize("seed", range(4))
def test_a_bound_changes_nothing_but_the_time(tmp_path: Path, seed: int) -> None:
    """With a bound and without, the same options are kept; with it fewer positions are tried."""
    made, rng = game(tmp_path, " at most 7"), random.Random(seed)
    state = made.start(seed)
    while not state.over:
        s, decider = state.position, made.decider
        spec, region = decider.open(s)[0], decider.maximizing(s)
        assert region is not None
        unbound = replace(region, target=replace(region.target, bound=None))
        searches = [decider.new_search(s, known, {}) for known in (region, unbound)]
        options = list(decider.plain_options(s, spec))
        assert searches[0].goal == searches[1].goal
        assert searches[0].tried <= searches[1].tried
        assert [searches[0].keeps(o) for o in options] == [searches[1].keeps(o) for o in options]
        state = state.choose(state.decisions[0].sample(rng))


@pytest.mark.parametrize("name", ["wall", "card_city_xl"])
def test_a_goal_that_is_known_is_the_one_that_would_be_found(tmp_path: Path, name: str) -> None:
    """From decision to decision the same options are kept as by a search that knows nothing, also
    after an action nobody is bound by.
    """
    made = game(tmp_path, "") if name == "wall" else load(name, players=2, variants=["architect"])
    state, rng, known = made.start(3), random.Random(3), 0
    while not state.over and known < 40:
        s, decider = state.position, made.decider
        region, decision = decider.maximizing(s), state.decisions[0]
        if region is not None:
            promised, anew = decider.search(s, region), decider.new_search(s, region, {})
            assert promised.goal == anew.goal and anew.tried > 0
            known += promised.tried == 0
            options = list(decider.plain_options(s, decider.open(s)[0]))
            assert [promised.keeps(o) for o in options] == [anew.keeps(o) for o in options]
        state = state.choose(decision.sample(rng))
    assert known > 2


LIFTING = """  let first_laid = chance({b in heap where b is "short"})
  put first_laid at {site_at(wall, 1, 1)}
  let second_laid = chance({b in heap where b is "middle"})
  put second_laid at {site_at(wall, 3, 1), site_at(wall, 4, 1)}
  repeat 3 times
    let dealt = chance(heap)
    move dealt to p1's barrow
  do restoration(p1)"""


def test_the_same_options_are_kept_within_an_action_that_stands_aside(tmp_path: Path) -> None:
    """With results kept and without it is the same at every decision of a game in which bricks are
    lifted out.
    """
    text = Path("tests/good/bricks/bricks.rules").read_text("utf-8").split("# Three and one")[0]
    path = tmp_path / "bricks.rules"
    path.write_text(text.replace("  do masonry(p1)", LIFTING), "utf-8")
    loaded, within, dropped = load_rules(str(path)), 0, 0
    made, plain = (game_of(loaded, None, (), {}, keeps=keeps) for keeps in (True, False))
    for seed in range(12):
        state, other, rng = made.start(seed), plain.start(seed), random.Random(seed)
        while not state.over:
            decision = state.decisions[0]
            listed = [option.value for option in decision.options()]
            assert [option.value for option in other.decisions[0].options()] == listed
            if decision.name in ("spot", "tool"):
                options = list(made.decider.plain_options(state.position, decision.spec))
                within, dropped = within + 1, dropped + len(options) - len(listed)
            # the lever is used as soon as it may be
            lever = [o for o in decision.options() if o.value == "lever"]
            chosen = lever[0] if lever else decision.sample(rng)
            state, other = state.choose(chosen), other.choose(chosen)
    assert within > 10 and dropped > 0
