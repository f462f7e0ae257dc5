"""Maps that are no grid: drawn from the places of their points, checked like any layout."""

from __future__ import annotations

from pathlib import Path

import pytest
from compiling import findings

from interpreter.game.game import Game, load
from interpreter.render.look import Look
from interpreter.render.points import draw_map, lying
from interpreter.render.table import table
from interpreter.table.inspect import look
from interpreter.table.menu import Menu

ROOT = Path(__file__).resolve().parents[2]

RULES = """game brook "Brook"
  players: 2
kind ford: mill, bridge, weir, pool
layout ford
  points: mill at 1 1, bridge at 2 1, weir at 2 2, pool at 4 2
  links: leads
  shows: heron, nests, traps, depth, muddy
state heron: ford = weir
state nests: set of ford = {mill}
state traps of player: ford or none = none
state depth of ford: number = 0
define leads(x: ford, y: ford) = (x is mill and y is bridge) or (y is weir and x is not weir)
define muddy(x: ford) reads "{x} is muddy" = x is pool
flow
  set p2's traps to pool
  set bridge's depth to 7
  choose f in {x in fords where x is not heron} by p1 "Where does the heron fly?"
  set heron to f
rank
  highest 0
"""


@pytest.fixture(scope="module")
def brook(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("brook") / "brook.rules"
    path.write_text(RULES, "utf-8")
    return load(str(path))


def plain(game: Game, look: Look) -> list[str]:
    return [line.plain for line in draw_map(game, game.start(1).position, "ford", look)]


def test_links_and_what_is_at_points(brook: Game) -> None:
    """Level, upright and slanting links; signs, numbers and marks at points."""
    assert plain(brook, Look()) == [
        "mill:Ne----bridge:7",
        "       \\       |",
        "           \\   |",
        "            weir:He----------------pool*:T2",
        "He heron · Ne nests · T2 traps of player 2 · * it is muddy",
    ]
    boxes = plain(brook, Look(boxes=True))
    assert "─" in boxes[0] and "│" in boxes[1]


def test_points_that_can_be_chosen_bear_numbers(brook: Game) -> None:
    """Of the decision's options; the one that cannot be chosen bears none."""
    state = brook.start(1)
    menu = Menu.of(state, state.decisions[0])
    drawn = plain(brook, Look(pointed=menu.sites()))
    assert menu.texts == ["mill", "bridge", "pool"]
    assert drawn[0] == "mill:Ne 1----bridge:7 2"
    assert "weir:He---" in drawn[3] and drawn[3].endswith("---pool*:T2 3")


def test_a_point_is_looked_at_and_lies_on_the_table(brook: Game) -> None:
    """By its name, in words."""
    state = brook.start(1)
    assert look(state, "weir", 0) == ["weir: heron"]
    assert lying(brook, state.position, "ford", 3) == ["traps of player 2", "it is muddy"]
    assert any("weir:He" in line.plain for line in table(state, Look(0, 80)))


def test_the_hounds_and_the_hare_are_drawn() -> None:
    """The classics' map: eleven points, their paths, and who is where."""
    game = load(str(ROOT / "examples/classics/hare_and_hounds"))
    drawn = [line.plain for line in draw_map(game, game.start(1).position, "point", Look())]
    assert [line.count("Ho") for line in drawn] == [1, 0, 0, 1, 0, 0, 1, 1]
    assert drawn[3].startswith("a2:Ho---") and drawn[3].endswith("e2:Ha")
    assert drawn[1].split() == ["/", "|", "\\", "|", "/", "|", "\\"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (", pool at 4 2", "", "a place for every member; pool has none"),
        ("pool at 4 2", "pool at 2 2", "a place of its own for pool; weir is there"),
        ("pool at 4 2", "pool at 4 99", "its column and row, from 1 to 60"),
        ("pool at 4 2", "pool 4 2", "as in `pool at 1 2`"),
        (", pool at 4 2", ", pool at 4 2, lake at 5 5", "as in `mill at 1 2`"),
        ("  links: leads", "  link: leads", "`link` is no setting here"),
        ("links: leads", "links: muddy", "a relation of two"),
        ("links: leads", "links: nothing", "a relation of two"),
        ("shows: heron", "shows: leads", "a variable that holds a ford"),
        ("ford: number = 0", "ford: number = 0, hidden", "`depth` reads"),
        ("state heron:", "layout ford\n  links: leads\nstate heron:", "a kind with a layout"),
    ],
)
def test_a_map_that_cannot_be_drawn_is_told(old: str, new: str, said: str) -> None:
    """One message, on the author's line."""
    assert old in RULES
    found, _ = findings({"brook.rules": RULES.replace(old, new, 1).encode()})
    errors = [f for f in found if f.severity == "error"]
    assert len(errors) == 1 and said in errors[0].message, [f.message for f in errors]


def test_a_map_is_drawn_narrow_where_it_must_be() -> None:
    """On a small screen points stand closer; no name is cut in two."""
    game = load(str(ROOT / "examples/classics/hare_and_hounds"))
    position = game.start(1).position
    narrow = [line.plain for line in draw_map(game, position, "point", Look(width=30))]
    assert max(map(len, narrow)) <= 30 and not any("further" in line for line in narrow)
    assert [line.count("Ho") for line in narrow] == [1, 0, 0, 1, 0, 0, 1, 1]
