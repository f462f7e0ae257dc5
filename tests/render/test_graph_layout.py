"""Places for the points of a graph: without crossings where that can be, always the same, and no
two points on one another.
"""

from __future__ import annotations

import math
from itertools import combinations

import networkx as nx
import pytest

from interpreter.render.graph_layout import Spot, graph_layout, on_grid

CUBE = nx.hypercube_graph(3)
GRAPHS = {
    "cube": nx.convert_node_labels_to_integers(CUBE, ordering="sorted"),
    "wheel": nx.wheel_graph(9),
    "tree": nx.balanced_tree(2, 4),
    "fans": nx.disjoint_union(nx.wheel_graph(6), nx.star_graph(4)),
    "rungs": nx.circular_ladder_graph(5),
    "K4": nx.complete_graph(4),
}


def links_of(graph: nx.Graph[int]) -> frozenset[tuple[int, int]]:
    return frozenset((min(link), max(link)) for link in graph.edges)


def turn(a: Spot, b: Spot, c: Spot) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def crossings(spots: tuple[Spot, ...], links: frozenset[tuple[int, int]]) -> int:
    """Pairs of links without a common end whose inner parts meet."""
    return sum(
        turn(spots[a], spots[b], spots[c]) * turn(spots[a], spots[b], spots[d]) < 0
        and turn(spots[c], spots[d], spots[a]) * turn(spots[c], spots[d], spots[b]) < 0
        for (a, b), (c, d) in combinations(links, 2)
        if len({a, b, c, d}) == 4
    )


@pytest.mark.parametrize("name", GRAPHS)
def test_planar_graphs_are_drawn_without_crossings(name: str) -> None:
    """The cube needs more than distances: drawn by them alone its two faces cross."""
    links = links_of(GRAPHS[name])
    spots = graph_layout(len(GRAPHS[name]), links)
    assert crossings(spots, links) == 0
    assert min(math.dist(a, b) for a, b in combinations(spots, 2)) > 0.5


def test_what_is_not_planar_is_drawn_with_few_crossings() -> None:
    """The best drawing of five points that are all linked has one crossing; that by distances, on a
    circle, has five.
    """
    whole = nx.complete_graph(5)
    spots = graph_layout(5, links_of(whole))
    assert len(set(spots)) == 5 and 1 <= crossings(spots, links_of(whole)) <= 5


def test_the_same_graph_has_the_same_places() -> None:
    """However its links are given, and whenever it is asked for."""
    links = links_of(GRAPHS["cube"])
    first = graph_layout(8, links)
    graph_layout.cache_clear()
    assert graph_layout(8, frozenset((b, a) for a, b in links)) == first


def test_linked_points_are_near_one_another() -> None:
    """On a chain each lies nearest to the points before and behind it."""
    spots = graph_layout(9, links_of(nx.path_graph(9)))
    for point in range(1, 8):
        near = sorted(range(9), key=lambda other: math.dist(spots[point], spots[other]))
        assert set(near[1:3]) == {point - 1, point + 1}


def test_parts_lie_side_by_side() -> None:
    """What hangs together lies apart from the rest; single points stand in rows."""
    spots = graph_layout(6, frozenset({(0, 1), (2, 3)}))
    boxes = [spots[0:2], spots[2:4], spots[4:5], spots[5:6]]
    for one, other in combinations(boxes, 2):
        assert min(math.dist(a, b) for a in one for b in other) >= 1 - 1e-9
    assert graph_layout(4, frozenset()) == ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0))


def test_places_on_a_grid_are_no_two_alike() -> None:
    """Those that stand so keep their columns and rows; others move apart."""
    assert on_grid(((0.0, 0.0), (2.0, 1.0)), 60) == ((1, 1), (3, 2))
    close = on_grid(((0.0, 0.0), (0.4, 0.0), (0.0, 1.0)), 60)
    assert len(set(close)) == 3 and max(max(spot) for spot in close) <= 60
