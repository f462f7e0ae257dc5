"""Boards that do not fit the screen: rows and columns around what matters, and a legend of no more
than is drawn."""

from __future__ import annotations

import pytest

from interpreter.game.game import Game, State, load
from interpreter.render.board import draw_board
from interpreter.render.look import Look

RULES = """game plain "Plain"
  players: 2
component stone of player
  pieces title, copies
    | "Flint"  20
    | "Quartz" 1
board meadow
  grid: square, 30 by 30
  cells: plot
  floor: stone on plot
place bag of player: stone, full
event lay(p: player, s: stone, at: plot)
  put s at at
flow
  repeat
    each p in turn
      choose s in p's bag by p "Which stone?"
      choose at in plots by p "Where?"
      do lay(p, s, at)
rank
  highest 0
"""


@pytest.fixture(scope="module")
def meadow(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("plain") / "plain.rules"
    path.write_text(RULES, "utf-8")
    return load(str(path))


def laid(game: Game, *spots: tuple[str, int, int]) -> State:
    """Stones of these titles on these columns and rows, counted from 0."""
    state = game.start(1)
    s = state.position.copy()
    free = list(game.setup.by_component["stone"])
    for title, column, row in spots:
        stone = next(p for p in free if game.presenter.piece(p) == title)
        free.remove(stone)
        s.put(stone, "floor", (row * 30 + column,))
    return State(game, s)


def test_columns_are_windowed_and_the_legend_follows(meadow: Game) -> None:
    """What lies farthest from the rest is left out, and its sign; pointing brings it back."""
    state = laid(meadow, ("Flint", 2, 10), ("Flint", 3, 10), ("Flint", 4, 11), ("Quartz", 25, 10))
    look = Look(0, 60, False, near=True, height=15)
    drawn = [line.plain for line in draw_board(meadow, state.position, "meadow", 0, look)]
    text = "\n".join(drawn)
    assert max(map(len, drawn)) <= 60 and "further to the right" not in text
    assert "Fl" in text and "Quartz" not in text and "(more further out: `map`)" in text
    assert "c11" in text and "z11" not in text
    pointed = {("meadow", "cell", 10 * 30 + 26): "1"}
    other = Look(0, 60, False, near=True, height=15, pointed=pointed)
    text = "\n".join(line.plain for line in draw_board(meadow, state.position, "meadow", 0, other))
    assert "aa11" in text and "Quartz" in text and "Flint" not in text
    recent = frozenset({("meadow", 10 * 30 + 25)})
    last = Look(0, 60, False, near=True, height=15, recent=recent)
    text = "\n".join(line.plain for line in draw_board(meadow, state.position, "meadow", 0, last))
    assert "Quartz" in text and "Flint" not in text
