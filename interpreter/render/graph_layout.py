"""Graph drawing: places for the points of a graph, near to one another where they are linked.

Where that can be, no two links cross. The same graph always gets the same places.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from typing import TypeAlias

import networkx as nx

Graph: TypeAlias = "nx.Graph[int, dict[str, object], dict[str, object]]"  # its nodes are points
Spot = tuple[float, float]
Spots = dict[int, Spot]
Link = tuple[int, int]

_SWEEPS = 80  # of points moved to where their distances are best
_WORK = 600_000  # pairs looked at in all sweeps
_STILL = 0.002  # what a sweep moves the points by when they are in place
_CLEAR = 0.35  # how far a point keeps from links that pass it
_MOST_JUDGED = 400  # links of a drawing that is held against others
_CROWDED = 20.0  # what it costs, beside the stress, that a point lies on a link
_STEPS = (1.0, 0.5, 0.2)  # how much of its way a point may go where it must not cross a link
_AROUND = tuple((r * x, r * y) for r in (0.4, 0.1) for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)))
_BETWEEN = 1.0  # from one connected part to the next
_WIDE = 1.6  # how much wider than high several parts are laid out
_SPREAD = 3.0  # how much larger a drawing becomes at most, so that its nearest points are apart


@lru_cache(maxsize=64)
def graph_layout(points: int, links: frozenset[Link]) -> tuple[Spot, ...]:
    """A place for each point, down and to the right of (0, 0); the nearest are about 1 apart.

    `links` join two different points each, either way round.
    """
    each = sorted({(min(link), max(link)) for link in links})
    parts = sorted(sorted(part) for part in nx.connected_components(_graph(range(points), each)))
    placed = [_turned(_drawn(part, [link for link in each if link[0] in part])) for part in parts]
    found = _side_by_side([_apart(part) for part in placed])
    return tuple(found[point] for point in range(points))


# --------------------------------------------------------------------------------- a connected part
def _graph(points: Iterable[int], links: list[Link]) -> Graph:
    """A graph built in one order, for how it is embedded hangs on that."""
    graph: Graph = nx.Graph()
    graph.add_nodes_from(points)
    graph.add_edges_from(links)
    return graph


def _drawn(points: list[int], links: list[Link]) -> Spots:
    """The best of several drawings of a part: that with the fewest crossings and points on links,
    and among those the one that shows distances best.
    """
    if len(points) == 1:
        return {points[0]: (0.0, 0.0)}
    graph = _graph(points, links)
    rows = dict(nx.all_pairs_shortest_path_length(graph))
    far = {p: {q: float(rows[p][q]) for q in points} for p in points}
    planar, embedding = nx.check_planarity(graph)
    starts = [_circle(points), _by_pivots(points, far)]
    if planar:
        assert isinstance(embedding, nx.PlanarEmbedding)
        starts.append(_fitted(nx.combinatorial_embedding_to_pos(embedding), far))
    drawings = [_relaxed(start, far) for start in starts]
    if len(links) > _MOST_JUDGED:
        return drawings[-1]
    if planar and min(_faults(drawing, links) for drawing in drawings):
        drawings.append(_untangled(starts[-1], far, links))
    return min(drawings, key=lambda d: (_faults(d, links), round(_stress(d, far), 6)))


def _circle(points: list[int]) -> Spots:
    """All points on a circle, in their order."""
    turn = 2 * math.pi / len(points)
    radius = len(points) / (2 * math.pi)
    return {
        point: (-radius * math.cos(n * turn), -radius * math.sin(n * turn))
        for n, point in enumerate(points)
    }


def _by_pivots(points: list[int], far: Mapping[int, Mapping[int, float]]) -> Spots:
    """Each point by how far it is from two points that are far from one another and from a third;
    a little aside, so that no two fall together.
    """
    first = max(points, key=lambda p: (far[points[0]][p], -p))
    last = max(points, key=lambda p: (far[first][p], -p))
    aside = max(points, key=lambda p: (min(far[first][p], far[last][p]), -p))
    return {
        p: ((far[first][p] - far[last][p]) / 2 + 0.01 * n, far[aside][p] + 0.013 * n * n % 0.1)
        for n, p in enumerate(points)
    }


def _fitted(spots: Mapping[int, Spot], far: Mapping[int, Mapping[int, float]]) -> Spots:
    """Places made larger or smaller so that distances are about those in the graph."""
    pairs = list(combinations(sorted(spots), 2))
    lengths = [math.dist(spots[p], spots[q]) or 1e-9 for p, q in pairs]
    wanted = sum(length / far[p][q] for (p, q), length in zip(pairs, lengths, strict=True))
    given = sum((length / far[p][q]) ** 2 for (p, q), length in zip(pairs, lengths, strict=True))
    scale = wanted / given
    return {p: (float(x) * scale, float(y) * scale) for p, (x, y) in spots.items()}


def _relaxed(start: Spots, far: Mapping[int, Mapping[int, float]]) -> Spots:
    """Places improved by stress majorization: point by point to where its distances from all others
    are nearest to those in the graph, which is the energy of Kamada and Kawai.
    """
    spots = dict(start)
    for _ in range(max(1, min(_SWEEPS, _WORK // len(spots) ** 2))):
        moved = 0.0
        for point in spots:
            to = _best_for(point, spots, far)
            moved = max(moved, math.dist(spots[point], to))
            spots[point] = to
        if moved < _STILL:
            break
    return spots


def _untangled(start: Spots, far: Mapping[int, Mapping[int, float]], links: list[Link]) -> Spots:
    """Places improved likewise, but so that no link comes to cross another, and with room between
    points and the links that pass them.
    """
    spots = dict(start)
    ends = {p: [b if a == p else a for a, b in links if p in (a, b)] for p in spots}
    each = (len(_STEPS) + len(_AROUND)) * 2 * len(links) * len(links)
    for _ in range(max(1, min(_SWEEPS, _WORK // each))):
        before = dict(spots)
        for point, (x, y) in before.items():
            to_x, to_y = _best_for(point, spots, far)
            ways = [(x + step * (to_x - x), y + step * (to_y - y)) for step in _STEPS]
            ways += [(x + dx, y + dy) for dx, dy in _AROUND]
            costs = [
                _cost(point, at, spots, ends[point], links) + _stress_of(point, at, spots, far)
                for at in ((x, y), *ways)
            ]
            spots[point] = ((x, y), *ways)[costs.index(min(costs))]
        if max(math.dist(before[p], spots[p]) for p in spots) < _STILL:
            break
    return spots


def _best_for(point: int, spots: Spots, far: Mapping[int, Mapping[int, float]]) -> Spot:
    """Where the stress of one point is least, by the bound that majorizes it."""
    x, y = spots[point]
    sum_x = sum_y = weights = 0.0
    for other, (ox, oy) in spots.items():
        if other == point:
            continue
        wanted = far[point][other]
        weight = 1 / (wanted * wanted)
        length = math.hypot(x - ox, y - oy)
        pull = wanted / length if length > 1e-9 else 0.0
        sum_x += weight * (ox + pull * (x - ox))
        sum_y += weight * (oy + pull * (y - oy))
        weights += weight
    return sum_x / weights, sum_y / weights


def _cost(point: int, at: Spot, spots: Spots, ends: list[int], links: list[Link]) -> float:
    """What it costs that a point is there: nothing if it and its links keep clear of all others,
    and more than anything if links cross.
    """
    room = _CLEAR
    for a, b in links:
        if point in (a, b):
            continue
        room = min(room, _to_segment(at, spots[a], spots[b]))
        for end in ends:
            if end not in (a, b) and _cross(at, spots[end], spots[a], spots[b]):
                return math.inf
    for end in ends:
        for other, spot in spots.items():
            if other not in (point, end):
                room = min(room, _to_segment(spot, at, spots[end]))
    return _CROWDED * (_CLEAR - room) / _CLEAR


def _stress_of(point: int, at: Spot, spots: Spots, far: Mapping[int, Mapping[int, float]]) -> float:
    """How much the distances of one point differ from those in the graph."""
    return sum(
        ((math.dist(at, spot) - far[point][other]) / far[point][other]) ** 2
        for other, spot in spots.items()
        if other != point
    )


# --------------------------------------------------------------------------------- how good it is
def _faults(spots: Spots, links: list[Link]) -> int:
    """Links that cross, points that lie on a link that passes them, and points that lie nearly on
    one another.
    """
    crossings = sum(
        _cross(spots[a], spots[b], spots[c], spots[d])
        for (a, b), (c, d) in combinations(links, 2)
        if len({a, b, c, d}) == 4
    )
    hidden = sum(
        _to_segment(spot, spots[a], spots[b]) < _CLEAR / 2
        for a, b in links
        for point, spot in spots.items()
        if point not in (a, b)
    )
    close = sum(math.dist(one, two) < _CLEAR for one, two in combinations(spots.values(), 2))
    return crossings + hidden + close


def _stress(spots: Spots, far: Mapping[int, Mapping[int, float]]) -> float:
    """How much distances differ from those in the graph."""
    return sum(
        ((math.dist(spots[p], spots[q]) - far[p][q]) / far[p][q]) ** 2
        for p, q in combinations(spots, 2)
    )


def _cross(a: Spot, b: Spot, c: Spot, d: Spot) -> bool:
    """Do two segments have a point in common?"""
    one, two = _side(a, b, c), _side(a, b, d)
    three, four = _side(c, d, a), _side(c, d, b)
    return one * two <= 0 and three * four <= 0 and (one != two or three != four)


def _side(a: Spot, b: Spot, c: Spot) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _to_segment(at: Spot, a: Spot, b: Spot) -> float:
    """How far a place is from a segment."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    along = ((at[0] - a[0]) * dx + (at[1] - a[1]) * dy) / length if length else 0.0
    along = min(max(along, 0.0), 1.0)
    return math.hypot(at[0] - a[0] - along * dx, at[1] - a[1] - along * dy)


# -------------------------------------------------------------------------------- put on the page
def _turned(spots: Spots) -> Spots:
    """Turned so that it is widest from left to right, its first point on the left and above."""
    count = len(spots)
    mx, my = sum(x for x, _ in spots.values()) / count, sum(y for _, y in spots.values()) / count
    xx = sum((x - mx) ** 2 for x, _ in spots.values())
    yy = sum((y - my) ** 2 for _, y in spots.values())
    xy = sum((x - mx) * (y - my) for x, y in spots.values())
    angle = 0.5 * math.atan2(2 * xy, xx - yy)
    cos, sin = math.cos(angle), math.sin(angle)
    turned = {
        p: ((x - mx) * cos + (y - my) * sin, (y - my) * cos - (x - mx) * sin)
        for p, (x, y) in spots.items()
    }
    x, y = turned[min(turned)]
    right, below = -1 if x > 1e-9 else 1, -1 if y > 1e-9 else 1
    return {p: (x * right, y * below) for p, (x, y) in turned.items()}


def _apart(spots: Spots) -> Spots:
    """Made larger where the nearest points would touch, and moved to the corner."""
    nearest = min((math.dist(a, b) for a, b in combinations(spots.values(), 2)), default=1.0)
    scale = min(max(1.0, 1 / max(nearest, 1e-9)), _SPREAD)
    left, top = min(x for x, _ in spots.values()), min(y for _, y in spots.values())
    return {p: ((x - left) * scale, (y - top) * scale) for p, (x, y) in spots.items()}


def _side_by_side(parts: list[Spots]) -> Spots:
    """Parts in rows, none of which is much longer than all are high."""
    sizes = [(max(x for x, _ in part.values()), max(y for _, y in part.values())) for part in parts]
    ground = sum((w + _BETWEEN) * (h + _BETWEEN) for w, h in sizes)
    longest = max(math.sqrt(ground * _WIDE), max((w for w, _ in sizes), default=0.0) + _BETWEEN)
    found: Spots = {}
    left = top = deepest = 0.0
    for part, (width, height) in zip(parts, sizes, strict=True):
        if left and left + width + _BETWEEN > longest + 1e-9:
            left, top, deepest = 0.0, top + deepest + _BETWEEN, 0.0
        found |= {p: (x + left, y + top) for p, (x, y) in part.items()}
        left, deepest = left + width + _BETWEEN, max(deepest, height)
    return found


def on_grid(spots: tuple[Spot, ...], furthest: int) -> tuple[tuple[int, int], ...]:
    """A column and a row from 1 for each place, no two alike, about as the places lie; as near to
    one another as that can be, within so many columns and rows where it can.
    """
    size = max((max(spot) for spot in spots), default=0.0)
    for scale in _scales(size, furthest):
        found = [(round(x * scale) + 1, round(y * scale) + 1) for x, y in spots]
        if len(set(found)) == len(found):
            return tuple(found)
    columns = math.ceil(math.sqrt(len(spots)))
    return tuple((n % columns + 1, n // columns + 1) for n in range(len(spots)))


def _scales(size: float, furthest: int) -> Iterator[float]:
    scale = 1.0
    while size * scale < furthest:
        yield scale
        scale *= 1.25
