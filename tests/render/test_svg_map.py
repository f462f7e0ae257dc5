"""Maps that are no grid, as pictures: points with what is there, links, and what can be chosen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter.game.game import Game, load
from interpreter.render.look import Look
from interpreter.render.points import ROLE, draw_map
from interpreter.render.svg import draw_svg, draw_targets
from interpreter.render.svg_elements import Target

RULES = """game brook "Brook"
  players: 2
kind ford: mill, bridge, weir, pool
component boat of player
  number: number
  pieces number
    | 1
layout ford
  points: mill at 1 1, bridge at 2 1, weir at 2 2, pool at 4 1
  links: leads, joins
  shows: heron, afloat, muddy
state heron: ford = weir
place berth of ford: boat
define afloat(x: ford) = x's berth
define leads(x: ford, y: ford) = x is mill and (y is bridge or y is pool)
define joins(x: ford, y: ford) = {x, y} = {weir, bridge}
define muddy(x: ford) reads "{x} is muddy" = x is pool
flow
  move boats to bridge's berth
  choose f in {x in fords where x is not heron} by p1 "Where does the heron fly?"
  set heron to f
  choose g in fords by p1 "And now?"
  set heron to g
rank
  highest 0
"""
POINTS = RULES.splitlines(keepends=True)[8]


@pytest.fixture(scope="module")
def brook(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("brook") / "brook.rules"
    path.write_text(RULES, "utf-8")
    return load(str(path))


def words(svg: str) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg)


def test_points_links_and_what_is_there(brook: Game) -> None:
    """Names, signs and marks at points; the link that would pass through the bridge bends around
    it, and those that lead one way have an arrow.
    """
    svg = draw_svg(brook.start(1))
    assert svg is not None
    drawn = words(svg)
    assert drawn[:4] == ["mill", "bridge", "B11", "B12"]  # one boat of each player
    assert drawn[4:8] == ["weir", "He", "pool", "*"]
    assert drawn[-2:] == ["*", "it is muddy"]
    assert svg.count("<rect") == 1 + 4 + 3  # the ground, the points, what lies there
    paths = [[float(n) for n in re.findall(r"[-\d.]+", d)] for d in re.findall(r' d="(.*?)"', svg)]
    level, bent, upright = paths  # each from its start by the point that bends it to its end
    assert level[1] == level[3] == level[5] and upright[0] == upright[2] == upright[4]
    assert bent[1] == bent[5] and abs(bent[3] - bent[1]) / 2 > 23  # more than half a point is high
    assert (bent[1] + bent[3]) / 2 > 0  # and not beyond the edge of the picture
    assert svg.count("<polygon") == 2


def test_points_that_can_be_chosen_are_areas(brook: Game) -> None:
    """Each over its point, with what a page asks for; other points have none."""
    targets = {("ford", ROLE, 1): Target("open", (("options", "a<b"),), "fly & rest")}
    drawing = draw_targets(brook.start(1), None, targets)
    assert drawing is not None
    (svg,) = drawing.pictures
    assert svg.count('class="target open"') == 1
    assert '<g id="b0-areas-point1"><rect' in svg
    assert 'data-options="a&lt;b"' in svg and "<title>fly &amp; rest</title>" in svg


def test_only_what_changed_is_drawn_again(brook: Game) -> None:
    """The heron flies from one point to another: two points, and nothing else."""
    state = brook.start(1)
    (decision,) = state.decisions
    later = state.choose(next(iter(decision.options())))
    before, now = draw_targets(state, None, {}), draw_targets(later, None, {})
    assert before is not None and now is not None and before.sizes == now.sizes
    assert [name for name, _ in now.since(before)] == ["b0-points-0", "b0-points-2"]


def test_points_without_places_lie_by_their_links(tmp_path: Path) -> None:
    """A layout of links alone: linked points next to one another, in letters as in the picture."""
    path = tmp_path / "brook.rules"
    path.write_text(RULES.replace(POINTS, ""), "utf-8")
    game = load(str(path))
    state = game.start(1)
    svg = draw_svg(state)
    assert svg is not None and words(svg)[0] == "mill"
    paths = [[float(n) for n in re.findall(r"[-\d.]+", d)] for d in re.findall(r' d="(.*?)"', svg)]
    assert len(paths) == 3 and svg == draw_svg(game.start(2))
    drawn = "\n".join(line.plain for line in draw_map(game, state.position, "ford", Look()))
    assert all(name in drawn for name in ("mill", "bridge:", "weir:He", "pool*"))
