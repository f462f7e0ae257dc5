"""Small boards counted by hand, and the laws every board keeps."""

from __future__ import annotations

from itertools import pairwise

import networkx as nx  # type: ignore[import-untyped, unused-ignore]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulelang.core.values import ordered
from rulelang.geometry.grid import (
    Grid,
    bounds,
    components,
    distance,
    distances,
    enclosed,
    hexes,
    outer_sides,
    outside,
    ray,
    reach,
    square,
    to_networkx,
)
from rulelang.geometry.shapes import (
    Shape,
    footprints,
    lines,
    orientations,
    parse_shape,
    straight,
    tile_spots,
    turned,
)

EMPTY: frozenset[int] = frozenset()
PICTURES = ("X", "XX", "XXX", "XX/X.", "XX/XX", ".XX/XX.", "XXX/.X.", "XXX/X..")


def whole(grid: Grid) -> frozenset[int]:
    return frozenset(range(grid.width * grid.height))


def near(grid: Grid, cell: int) -> tuple[int, ...]:
    return grid.neighbors[cell]


def draw_cells(grid: Grid, picture: str) -> frozenset[int]:
    rows = picture.split("/")
    return frozenset(
        grid.cell(c, r)
        for r, row in enumerate(rows)
        for c, letter in enumerate(row)
        if letter == "X"
    )


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    make = draw(st.sampled_from((square, hexes)))
    return make(draw(st.integers(1, 6)), draw(st.integers(1, 6)))


@st.composite
def boards(draw: st.DrawFn) -> tuple[Grid, frozenset[int]]:
    grid = draw(grids())
    bits = draw(st.lists(st.booleans(), min_size=len(grid.neighbors), max_size=len(grid.neighbors)))
    return grid, frozenset(cell for cell, bit in enumerate(bits) if bit)


# ---- counted by hand


def test_square_of_nine() -> None:
    grid = square(3, 3)
    assert grid is square(3, 3)
    assert grid.directions == ("north", "east", "south", "west")
    assert grid.neighbors == (
        (1, 3),
        (0, 2, 4),
        (1, 5),
        (0, 4, 6),
        (1, 3, 5, 7),
        (2, 4, 8),
        (3, 7),
        (4, 6, 8),
        (5, 7),
    )
    assert grid.surround[4] == (0, 1, 2, 3, 5, 6, 7, 8)
    assert grid.surround[0] == (1, 3, 4)
    assert [row[4] for row in grid.step] == [1, 5, 7, 3]
    assert [row[0] for row in grid.step] == [-1, 1, 3, -1]
    assert len(grid.cells_of_side) == 24
    assert len(grid.sides_of_corner) == 16
    assert sorted(len(sides) for sides in grid.sides_of_corner) == [2] * 4 + [3] * 8 + [4] * 4
    assert grid.position(5) == (2, 1)
    assert grid.cell(2, 1) == 5
    assert grid.cell(3, 0) == grid.cell(-1, 0) == grid.cell(0, 3) == -1
    # the top side of the top left cell joins the first two corners of the first row of corners
    assert grid.ends_of_side[grid.sides_of[0][0]] == (0, 1)


def test_hexes_of_nine() -> None:
    grid = hexes(3, 3)
    assert grid.neighbors[4] == (1, 2, 3, 5, 6, 7)
    assert grid.surround == grid.neighbors
    # an axial rhombus has two sharp ends and two blunt ones
    assert [len(row) for row in grid.neighbors] == [2, 4, 3, 4, 6, 4, 3, 4, 2]
    assert [row[4] for row in grid.step] == [2, 5, 7, 6, 3, 1]
    # 9 cells of 6 sides, of which 16 are shared: 54 - 16 sides; by Euler V = E - F + 1
    assert len(grid.cells_of_side) == 38
    assert len(grid.sides_of_corner) == 30
    assert {len(sides) for sides in grid.sides_of_corner} == {2, 3}


@pytest.mark.parametrize(("width", "height"), [(0, 1), (1, 0), (-1, 3)])
def test_a_grid_has_cells(width: int, height: int) -> None:
    with pytest.raises(ValueError, match="at least one"):
        square(width, height)


def test_a_ring_encloses_its_hole() -> None:
    grid = square(5, 5)
    ring = draw_cells(grid, "...../.XXX./.X.X./.XXX./.....")
    assert enclosed(grid, ring) == {12}
    assert outside(grid, ring) == whole(grid) - ring - {12}
    assert len(outer_sides(grid, ring)) == 12
    assert not outer_sides(grid, ring) & set(grid.sides_of[12])


def test_a_ring_on_the_edge_of_the_canvas() -> None:
    grid = square(3, 3)
    ring = whole(grid) - {4}
    assert outside(grid, ring) == EMPTY
    assert len(outer_sides(grid, ring)) == 12


def test_a_diagonal_contact_closes_a_gap() -> None:
    grid = square(5, 5)
    almost = draw_cells(grid, "...../..X../.X.X./..X../.....")
    assert 12 not in outside(grid, almost)
    assert len(outer_sides(grid, almost)) == 12
    opened = almost - {grid.cell(2, 1)}
    assert 12 in outside(grid, opened)


def test_hexes_have_no_diagonal_to_close_a_gap_with() -> None:
    grid = hexes(5, 5)
    ring = frozenset(grid.neighbors[12])
    assert 12 not in outside(grid, ring)
    assert len(outer_sides(grid, ring)) == 18
    assert all(12 in outside(grid, ring - {cell}) for cell in ring)


def test_an_empty_board() -> None:
    grid = square(3, 2)
    assert outside(grid, EMPTY) == whole(grid)
    assert outer_sides(grid, EMPTY) == EMPTY
    with pytest.raises(ValueError, match="bounds"):
        bounds(grid, EMPTY)


def test_bounds() -> None:
    grid = square(5, 4)
    assert bounds(grid, frozenset({grid.cell(3, 1), grid.cell(1, 2)})) == (1, 1, 3, 2)


def test_components_and_reach() -> None:
    grid = square(4, 2)
    items = draw_cells(grid, "X.XX/X..X")
    assert components(items, grid.neighbors.__getitem__) == (
        frozenset({0, 4}),
        frozenset({2, 3, 7}),
    )
    assert reach([7], grid.neighbors.__getitem__, items) == {2, 3, 7}
    assert reach([1], grid.neighbors.__getitem__, items) == EMPTY
    assert reach([1], grid.neighbors.__getitem__, None) == whole(grid)


def test_distance_goes_round_what_is_missing() -> None:
    grid = square(3, 3)
    assert distance(grid, 0, 8, None) == 4
    wall = whole(grid) - {1, 4}
    assert distance(grid, 0, 2, wall) == 6
    assert distance(grid, 0, 2, wall - {7}) == -1
    assert distance(grid, 0, 0, wall) == 0
    assert distance(grid, 1, 0, wall) == distance(grid, 0, 1, wall) == -1


def test_distance_on_hexes() -> None:
    grid = hexes(3, 3)
    assert distance(grid, 0, 8, None) == 4
    assert distance(grid, 2, 6, None) == 2


def test_ray_stops_at_the_first_gap() -> None:
    grid = square(5, 1)
    assert ray(grid, 0, 1, frozenset({1, 2, 4})) == (1, 2)
    assert ray(grid, 4, 3, whole(grid)) == (3, 2, 1, 0)
    assert ray(grid, 4, 1, whole(grid)) == ()


def test_lines() -> None:
    grid = square(3, 3)
    assert len(lines(grid, 3, whole(grid))) == 8
    assert {0, 4, 8} in lines(grid, 3, whole(grid))
    assert {2, 4, 6} in lines(grid, 3, whole(grid))
    # rows 6, columns 6, diagonals 4 each way
    assert len(lines(grid, 2, whole(grid))) == 20
    assert len(lines(grid, 1, whole(grid))) == 9
    assert lines(grid, 4, whole(grid)) == ()
    assert lines(grid, 3, frozenset({0, 1, 3, 4, 8})) == (frozenset({0, 4, 8}),)
    hexagons = hexes(3, 3)
    # three rows, three columns and the one long line between the blunt ends
    assert len(lines(hexagons, 3, whole(hexagons))) == 7
    with pytest.raises(ValueError, match="at least one cell"):
        lines(grid, 0, whole(grid))


def test_straight() -> None:
    grid = square(4, 3)
    assert straight(frozenset({1, 2, 3}), grid)
    assert straight(frozenset({0, 5, 10}), grid)
    assert straight(frozenset({7}), grid)
    assert not straight(frozenset({0, 2}), grid)
    assert not straight(frozenset({3, 4}), grid)
    assert not straight(frozenset({0, 1, 5}), grid)
    assert not straight(EMPTY, grid)


def test_parse_shape() -> None:
    assert parse_shape("XX/X.") == ((0, 0), (1, 0), (0, 1))
    assert parse_shape(".X/XX") == ((1, 0), (0, 1), (1, 1))
    assert parse_shape("..../.AA.") == ((0, 0), (1, 0))
    assert parse_shape(".X/X.", "hex") == ((1, 0), (0, 1))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "empty"),
        ("../..", "empty"),
        ("XX/X", "unequal numbers"),
        ("XY", "unequal"),
        ("X1", "only one letter"),
        ("X.X", "disconnected"),
        ("X./.X", "disconnected"),
    ],
)
def test_a_bad_picture_says_what_is_wrong(text: str, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        parse_shape(text)


@pytest.mark.parametrize(
    ("text", "kind", "ordered", "count"),
    [
        ("X", "square", False, 1),
        ("X", "square", True, 1),
        ("XX", "square", False, 2),
        ("XX", "square", True, 4),
        ("XX/X.", "square", False, 4),
        ("XX/XX", "square", False, 1),
        ("XX/XX", "square", True, 4),
        (".XX/XX.", "square", False, 2),
        ("XX", "hex", False, 3),
        ("XX", "hex", True, 6),
        ("XX/X.", "hex", False, 2),
        ("XX/X.", "hex", True, 6),
    ],
)
def test_orientations(text: str, kind: str, ordered: bool, count: int) -> None:
    assert len(orientations(parse_shape(text), kind, ordered)) == count


def test_a_turn_keeps_the_numbers_of_the_cells() -> None:
    # the domino read east, south, west, north from its first cell
    assert orientations(parse_shape("XX"), "square", ordered=True) == (
        ((0, 0), (1, 0)),
        ((0, 0), (0, 1)),
        ((1, 0), (0, 0)),
        ((0, 1), (0, 0)),
    )


def test_footprints() -> None:
    grid = square(2, 2)
    corner = parse_shape("XX/X.")
    every = ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3))
    assert footprints(grid, corner, whole(grid)) == tuple(map(frozenset, every))
    assert footprints(grid, corner, frozenset({0, 1, 3})) == (frozenset({0, 1, 3}),)
    nine = square(3, 3)
    assert len(footprints(nine, parse_shape("XX"), whole(nine))) == 12
    # a shape is turned, never turned over: in 3x3 each lies lying and standing, twice each
    s, z = (
        set(footprints(nine, parse_shape(text), whole(nine))) for text in (".XX/XX.", "XX./.XX")
    )
    assert len(s) == len(z) == 4
    assert not s & z


def test_spots_of_a_two_by_two_around_one_cell() -> None:
    grid = square(7, 7)
    block = parse_shape("XX/XX")
    middle = grid.cell(3, 3)
    spots = tile_spots(grid, block, frozenset({middle}))
    # two blocks along each of four sides, each in four rotations
    assert len(spots) == 32
    assert len({frozenset(spot) for spot in spots}) == 8
    assert all(middle not in spot for spot in spots)
    # in a corner of the canvas: beside it and below it one column or row each is left
    assert len({frozenset(spot) for spot in tile_spots(square(3, 3), block, frozenset({0}))}) == 2
    assert tile_spots(grid, block, EMPTY) == ()


def test_spots_of_a_two_by_two_that_may_touch_by_a_corner() -> None:
    grid = square(7, 7)
    spots = tile_spots(grid, parse_shape("XX/XX"), frozenset({grid.cell(3, 3)}), corners=True)
    # to the eight blocks along the sides come four at the corners
    assert len({frozenset(spot) for spot in spots}) == 12
    assert len(spots) == 48


def test_a_tile_turns_clockwise_in_its_place() -> None:
    grid = square(5, 5)
    block = tuple(grid.cell(c, r) for c, r in ((1, 1), (2, 1), (1, 2), (2, 2)))
    assert turned(grid, block, 0) == block
    # upper left goes to upper right, lower left to upper left
    assert turned(grid, block, 1) == tuple(
        grid.cell(c, r) for c, r in ((2, 1), (2, 2), (1, 1), (1, 2))
    )
    # an angle: the end of its row comes to stand below its corner
    angle = tuple(grid.cell(c, r) for c, r in ((1, 1), (2, 1), (3, 1), (1, 2)))
    assert turned(grid, angle, 1) == tuple(
        grid.cell(c, r) for c, r in ((2, 1), (2, 2), (2, 3), (1, 1))
    )
    # no room at the edge of the canvas
    assert turned(grid, tuple(grid.cell(c, 4) for c in range(3)), 1) == ()
    assert turned(grid, (), 1) == ()


def test_spots_of_a_domino_beside_one_cell_on_hexes() -> None:
    grid = hexes(7, 7)
    middle = grid.cell(3, 3)
    spots = tile_spots(grid, parse_shape("XX"), frozenset({middle}))
    # each of 6 neighbors pairs with 3 cells beyond, and the 6 neighbors make 6 pairs; two readings
    # of each
    assert len(spots) == 2 * (6 * 3 + 6)


# ---- laws


@given(grids())
def test_adjacency_is_symmetric(grid: Grid) -> None:
    for cell in whole(grid):
        assert grid.cell(*grid.position(cell)) == cell
        assert list(grid.neighbors[cell]) == sorted(set(grid.neighbors[cell]))
        assert list(grid.surround[cell]) == sorted(set(grid.surround[cell]))
        assert set(grid.neighbors[cell]) <= set(grid.surround[cell])
        assert all(cell in grid.neighbors[other] for other in grid.neighbors[cell])
        assert all(cell in grid.surround[other] for other in grid.surround[cell])
        for d, row in enumerate(grid.step):
            if row[cell] >= 0:
                assert grid.step[grid.opposite(d)][row[cell]] == cell
                assert grid.sides_of[cell][d] == grid.sides_of[row[cell]][grid.opposite(d)]


@given(grids())
def test_sides_and_corners_agree(grid: Grid) -> None:
    for side, cells in enumerate(grid.cells_of_side):
        assert 1 <= len(cells) <= 2
        assert all(side in grid.sides_of[cell] for cell in cells)
        assert all(side in grid.sides_of_corner[end] for end in grid.ends_of_side[side])
        assert len(cells) == 1 or cells[1] in grid.neighbors[cells[0]]
    assert sum(map(len, grid.sides_of_corner)) == 2 * len(grid.cells_of_side)
    # Euler: corners - sides + cells = 1 for a board without holes
    assert len(grid.sides_of_corner) - len(grid.cells_of_side) + len(grid.sides_of) == 1


@given(boards())
def test_outside_is_what_a_walk_from_off_the_canvas_reaches(
    board: tuple[Grid, frozenset[int]],
) -> None:
    grid, present = board
    absent = whole(grid) - present
    rim = [cell for cell in absent if any(row[cell] < 0 for row in grid.step)]
    assert outside(grid, present) == reach(rim, grid.neighbors.__getitem__, absent)
    assert outside(grid, present) | enclosed(grid, present) == absent
    assert not outside(grid, present) & enclosed(grid, present)


@given(boards())
def test_outer_sides_divide_present_from_outside(board: tuple[Grid, frozenset[int]]) -> None:
    grid, present = board
    beyond = outside(grid, present)
    expected = {
        side
        for side, cells in enumerate(grid.cells_of_side)
        if set(cells) & present and (len(cells) == 1 or set(cells) & beyond)
    }
    assert outer_sides(grid, present) == expected
    assert expected <= {side for cell in present for side in grid.sides_of[cell]}


@given(boards())
def test_components_partition(board: tuple[Grid, frozenset[int]]) -> None:
    grid, present = board
    parts = components(present, grid.neighbors.__getitem__)
    assert sum(map(len, parts)) == len(present)
    assert frozenset().union(*parts) == present
    assert [min(part) for part in parts] == sorted(min(part) for part in parts)
    assert set(parts) == {
        frozenset(part) for part in nx.connected_components(to_networkx(grid, present))
    }


@given(boards())
def test_the_graph_is_the_board(board: tuple[Grid, frozenset[int]]) -> None:
    grid, present = board
    graph = to_networkx(grid, present)
    assert set(graph.nodes) == present
    assert all(set(graph[cell]) == set(grid.neighbors[cell]) & present for cell in present)
    assert all(data["position"] == grid.position(cell) for cell, data in graph.nodes(data=True))
    assert all(
        set(grid.cells_of_side[data["side"]]) == {a, b} for a, b, data in graph.edges(data=True)
    )


@given(boards(), st.data())
def test_distance_is_the_shortest_walk(
    board: tuple[Grid, frozenset[int]], data: st.DataObject
) -> None:
    grid, present = board
    a, b = (data.draw(st.sampled_from(sorted(whole(grid)))) for _ in range(2))
    assert (
        distance(grid, a, b, None)
        == distance(grid, a, b, whole(grid))
        == distance(grid, b, a, None)
    )
    graph = to_networkx(grid, present)
    joined = a in present and b in present and nx.has_path(graph, a, b)
    assert distance(grid, a, b, present) == (nx.shortest_path_length(graph, a, b) if joined else -1)


@given(boards(), st.data())
def test_distances_count_what_is_joined_as_one(
    board: tuple[Grid, frozenset[int]], data: st.DataObject
) -> None:
    grid, _ = board
    cells = st.sampled_from(sorted(whole(grid)))
    joined = data.draw(st.frozensets(st.frozensets(cells, min_size=1, max_size=3), max_size=3))
    seed = data.draw(cells)
    graph = nx.DiGraph(to_networkx(grid, whole(grid)))
    for one, other in graph.edges:
        graph.edges[one, other]["steps"] = 1
    for together in joined:
        graph.add_edges_from(
            [(one, other, {"steps": 0}) for one in together for other in together if one != other]
        )
    walks = nx.single_source_dijkstra_path_length(graph, seed, weight="steps")
    assert distances(grid, frozenset({seed}), joined) == tuple(
        walks[cell] for cell in sorted(whole(grid))
    )


@given(boards(), st.data())
def test_a_ray_goes_straight_as_far_as_it_can(
    board: tuple[Grid, frozenset[int]], data: st.DataObject
) -> None:
    grid, present = board
    cell = data.draw(st.sampled_from(sorted(whole(grid))))
    d = data.draw(st.sampled_from(range(len(grid.directions))))
    path = (cell, *ray(grid, cell, d, present))
    assert set(path[1:]) <= present
    assert all(grid.step[d][first] == second for first, second in pairwise(path))
    assert grid.step[d][path[-1]] not in present


def congruent(grid: Grid, cells: tuple[int, ...], shape: Shape, ordered: bool) -> bool:
    spots = [grid.position(cell) for cell in cells]
    left, top = min(c for c, _ in spots), min(r for _, r in spots)
    moved = tuple((c - left, r - top) for c, r in spots)
    every = orientations(shape, grid.kind, ordered=True)
    return moved in every if ordered else set(moved) in [set(turned) for turned in every]


@given(boards(), st.sampled_from(PICTURES))
def test_every_footprint_is_congruent(board: tuple[Grid, frozenset[int]], picture: str) -> None:
    grid, within = board
    shape = parse_shape(picture)
    found = footprints(grid, shape, within)
    assert len(set(found)) == len(found)
    assert [sorted(cells) for cells in found] == sorted(sorted(cells) for cells in found)
    assert all(
        cells <= within and congruent(grid, tuple(cells), shape, ordered=False) for cells in found
    )
    # none is missed: place each rotation at each cell by hand
    every = {
        frozenset(
            grid.cell(grid.position(cell)[0] + c, grid.position(cell)[1] + r) for c, r in turned
        )
        for turned in orientations(shape, grid.kind)
        for cell in whole(grid)
    }
    assert set(found) == {cells for cells in every if cells <= within}


@given(boards(), st.sampled_from(PICTURES))
def test_turning_all_the_way_round_changes_nothing(
    board: tuple[Grid, frozenset[int]], picture: str
) -> None:
    grid, present = board
    for spot in tile_spots(grid, parse_shape(picture), present):
        once = turned(grid, spot, 1)
        assert not once or congruent(grid, once, parse_shape(picture), ordered=True)
        assert turned(grid, spot, len(grid.directions)) == spot


@given(boards(), st.sampled_from(PICTURES))
def test_spots_touch_and_do_not_cover(board: tuple[Grid, frozenset[int]], picture: str) -> None:
    grid, present = board
    shape = parse_shape(picture)
    spots = tile_spots(grid, shape, present)
    assert list(spots) == sorted(set(spots))
    assert all(congruent(grid, spot, shape, ordered=True) for spot in spots)
    touching = {
        cells
        for cells in footprints(grid, shape, whole(grid) - present)
        if any(set(near(grid, cell)) & present for cell in cells)
    }
    assert {frozenset(spot) for spot in spots} == touching
    turns = len(orientations(shape, grid.kind, ordered=True)) // len(orientations(shape, grid.kind))
    assert len(spots) == turns * len(touching)


@given(boards(), st.integers(1, 4))
def test_lines_are_the_straight_sets(board: tuple[Grid, frozenset[int]], n: int) -> None:
    grid, within = board
    found = lines(grid, n, within)
    assert len(set(found)) == len(found)
    assert all(len(run) == n and run <= within and straight(run, grid) for run in found)
    # along the directions of the grid, lines are exactly the rays cut to length
    if n > 1:
        cut = {
            frozenset((cell, *path[: n - 1]))
            for cell in within
            for d in range(len(grid.directions))
            if len(path := ray(grid, cell, d, within)) >= n - 1
        }
        assert cut <= set(found)
        assert grid.kind == "square" or cut == set(found)


@given(st.lists(st.frozensets(st.integers(0, 30), max_size=5), unique=True))
def test_sets_of_cells_have_one_order(sets: list[frozenset[int]]) -> None:
    """Smaller sets come first, then those whose members, by size, do.

    However the set came about, and of lists the order stays.
    """
    found = ordered(frozenset(sets))
    assert found == ordered(frozenset(reversed(sets))) and set(found) == set(sets)
    assert all((len(one), sorted(one)) < (len(two), sorted(two)) for one, two in pairwise(found))
    assert ordered(tuple(sets)) == sets
