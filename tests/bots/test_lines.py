"""Lines drawn by chance: legal play, edited in place, alone and the same for the same numbers."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from interpreter.bots.lines import Line, begun, drawn_of, several_of
from interpreter.engine.decisions import Option
from interpreter.game.game import Game, State, load
from interpreter.model.position import Position
from interpreter.model.values import Fault

SETS = """game baskets "Baskets"
  players: 2
kind fruit: apple, pear, plum
state taken of player: number = 0
state last: number = 0
procedure fill(p: player)
  choose any f in fruit by p
  set p's taken to p's taken + count of f
  choose n in {0 to 3} by p
  set last to n
flow
  repeat 4 times
    each p in turn
      do fill(p)
rank
  highest player's taken
"""


def table(s: Position) -> list[object]:
    """All of a position but its log, and how its play is written down."""
    found = list(s.canonical())
    return [*found[:6], *found[9:]]


def followed(made: Game, seed: int, taken: int) -> tuple[Line, State]:
    """A line of so many choices, and the state that the same choices lead to."""
    state = made.start(seed)
    line, draw = begun(state), random.Random(seed).random
    assert line is not None
    for _ in range(taken):
        if not line.open:
            break
        player = line.player
        state = state.choose(Option(player, *line.take_any(draw)))
    return line, state


@pytest.mark.parametrize("name", ["tic_tac_toe", "hex", "choices", "development"])
def test_a_line_comes_to_where_its_choices_lead(name: str) -> None:
    """Each choice is one that is offered, and leaves the position that a state has after it."""
    made = load(f"tests/good/{name}")
    for seed in range(3):
        line, state = followed(made, seed, 12)
        assert state.moves > 2 and table(line.s) == table(state.position)
        assert line.open == (bool(state.specs) and not state.position.branches)
        assert line.rounds == state.position.rounds


def test_a_copy_goes_on_alone() -> None:
    """What is chosen in one changes nothing in the other; the same numbers choose the same."""
    line, _ = followed(load("tests/good/hex"), 1, 5)
    before, other = table(line.s), line.copy()
    first = [other.take_any(random.Random(2).random) for _ in range(3)]
    assert table(line.s) == before != table(other.s)
    assert [line.take_any(random.Random(2).random) for _ in range(3)] == first


def test_sets_and_numbers_are_drawn(tmp_path: Path) -> None:
    """Sets of any size, numbers from end to end, and a choice of a number is known as one."""
    (tmp_path / "baskets.rules").write_text(SETS, "utf-8")
    made, sizes, numbers = load(str(tmp_path)), set(), set()
    for seed in range(30):
        line = begun(made.start(seed))
        draw = random.Random(seed).random
        while line is not None and line.open:
            number = line.about_number
            name, value = line.take_any(draw)
            assert number == (name == "n")
            if isinstance(value, frozenset):
                sizes.add(len(value))
            else:
                numbers.add(value)
        assert line is not None and line.worth(0) in {n + w for n in range(13) for w in (-1, 1)}
    assert sizes == {0, 1, 2, 3} and numbers == {0, 1, 2, 3}


def test_what_fits_is_drawn_by_the_numbers_given() -> None:
    """0.9 is the last of four, 0.5 the third; where nothing that is drawn fits, those that do are
    listed; where none does that is a fault.
    """
    drawn = iter([0.9, 0.5, 0.0])
    assert drawn_of("abcd", lambda x: x != "d", lambda: next(drawn), "x") == "c"
    assert drawn_of("abcd", lambda x: x == "a", lambda: 0.9, "x") == "a"
    with pytest.raises(Fault, match="nothing can be chosen for x"):
        drawn_of("abcd", lambda x: False, lambda: 0.9, "x")
    # From the end each changes places with the one drawn: 0.0 always takes the first.
    assert several_of("abc", None, lambda: 0.0) == ["b", "c", "a"]
    assert several_of("abc", (1, 3), lambda: 0.5) == several_of("abc", None, lambda: 0.5)[:2]
