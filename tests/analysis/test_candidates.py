"""Relations on boards: partners are looked for where a definition leaves them possible, and none is
missed.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.game.game import Game, game_of
from interpreter.game.loading import Loaded, load_rules
from interpreter.model.position import Position
from rulelang import core
from rulelang.analysis.candidates import partners

# relations of cells, of pieces and of pairs: plain ones, and those whose other thing is told by a
# step, a neighbor, what lies there, or not at all
BOUND = {
    "beside": ("spot", "x adjacent y"),
    "at_the_corner": ("spot", "x touches_corner y, some t in y's stack where t's dry"),
    "eastward": ("spot", "step(x, east) = y"),
    "back": ("spot", "x = step(y, north)"),
    "led": (
        "spot",
        "some d in directions where (step(x, d) = y and (d in {north, south} or top(y's stack)'s "
        "dry))",
    ),
    "two_away": ("spot", "some t in x's neighbors where t in y's neighbors"),
    "around": ("spot", "y in x's surroundings - x's neighbors"),
    "same": ("spot", "x = y"),
    "named": ("spot", "is_next(x, y)"),
    "chosen": ("spot", "if x's row = 1 then x adjacent y otherwise y in {x, step(x, south)}"),
    "picked": ("spot", "y in dry_beside(x) or x in dry_beside(y)"),
    "two_steps": ("spot", "distance(x, y) = 2"),
    "close": ("tile", "distance(x's spots, y's spot) < 3"),
    "closest": ("port", "distance(y's spot, x's spot) <= 1"),
    "together": (
        "tile",
        "some s in x's spots where (s in y's spots or (some t in s's neighbors where t in y's "
        "spots))",
    ),
    "near_by": ("tile", "some s in y's spots where s adjacent x's spot"),
    "lying_by": ("tile", "x's spots's neighbors touches_corner y's spot"),
    "wired": ("port", "x's way = y's way, x's spot adjacent y's spot"),
    "changed": ("port", "x's spot = y's spot"),
    "cased": (
        "port",
        "x's spot adjacent y's spot when x's way = y's way\n"
        "  otherwise x's spot = y's spot, top(x's stack)'s dry",
    ),
    "only_so": ("port", "y's way = x's way, x's spot's row = y's spot's row"),
}
BOUND |= {  # alike in something
    "like": ("tile", "x's hue = y's hue, x's dry"),
    "on_one": ("tile", "x's spot = y's spot"),
    "north_of": ("tile", "step(x's spot, south) = y's spot"),
    "nowhere": ("tile", "x's spot is none, x's hue = y's hue"),
    "turned_out": ("spot", "step(x, north) = step(y, south)"),
    "covered_alike": ("port", "top(x's spot's stack) = top(y's spot's stack), x's way != y's way"),
    "counted": (
        "spot",
        "count of {t in x's stack where t's dry} = count of {t in y's stack where t's dry}",
    ),
}
ONE_WAY = {
    "aimed": ("spot", "y in aims(x)"),
    "aimed_at": ("tile", "x in seen_from(y)"),
    "aimed_apart": ("port", "x's way != y's way, y's spot in aims(x's spot)"),
}
FREE = {
    "far": ("spot", "distance(x, y) > 2"),
    "very_far": ("spot", "distance(x, y) <= 20"),
    "lower": ("spot", "x's row < y's row"),
    "unlike": ("tile", "x's hue != y's hue"),
    "not_beside": ("spot", "not (x adjacent y)"),
    "either": ("spot", "x adjacent y or x's column < y's column"),
    "aligned": (
        "spot",
        "some d in {north, east} where (step(x, d) = step(y, d) or x's column = y's column)",
    ),
    "halved": (
        "spot",
        "x's row / 2 rounded up = y's row / 2 rounded up",
    ),  # what may stop the game is asked only of what is meant
}
ALL = {**BOUND, **ONE_WAY, **FREE}


def text() -> str:
    lines = [
        "define parts_plain(s: set of spot, t: set of spot) = groups(s)",
        "define all_plain(s: set of spot, t: set of spot) = reach(s)",
        "define within_plain(s: set of spot, t: set of spot) = reach(s, t)",
        "define near_plain(s: set of spot, t: set of spot) = reach(s, t, 2)",
    ]
    for name, (item, body) in ALL.items():
        body = body.replace("top(x's stack)", "top(x's spot's stack)") if item == "port" else body
        define = f"define {name}(x: {item}, y: {item}) gives truth"
        lines += [define, f"  {body}"] if "otherwise x's" in body else [f"{define} = {body}"]
        for ask, gives, of in (
            ("parts", f"set of set of {item}", f"groups(s, {name})"),
            ("all", f"set of {item}", f"reach(s, {name})"),
            ("within", f"set of {item}", f"reach(s, {name}, t)"),
            ("near", f"set of {item}", f"reach(s, {name}, t, 2)"),
        ):
            lines.append(
                f"define {ask}_{name}(s: set of {item}, t: set of {item}) gives {gives} = {of}"
            )
    return (
        """game relations "Relations"
  players: 2
kind way: water, wire
kind hue: red, blue
kind port(spot: spot, way: way)
component tile of player
  hue: hue
  dry: truth
  pieces hue, dry, copies
    | red  true  4
    | blue false 4
board land of player
  grid: square, 4 by 3
  cells: spot
  stack: tile on spot, stacked
  flat: tile on spot
define is_next(c: spot, d: spot) gives truth
  step(c, west) = d  when c's row = 2
  step(d, west) = c  when c's row = 1
  otherwise false
define aims(c: spot) gives set of spot
  {step(c, east), step(c, south)}  when c's column < 3
  c's surroundings  when top(c's stack)'s dry
define seen_from(c: tile) gives set of tile
  {b in tiles where b's spot = step(c's spot, north)}  when c's hue = red
define dry_beside(c: spot) = {s in c's neighbors where top(s's stack)'s dry}
"""
        + "\n".join(lines)
        + """
action nothing(p: player) "Nothing"
  do nothing
flow
  repeat
    each p in turn
      take one of nothing by p
rank
  highest 0
"""
    )


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    path = tmp_path_factory.mktemp("relations") / "relations.rules"
    path.write_text(text(), "utf-8")
    return load_rules(str(path))


@pytest.fixture(scope="module")
def pair(loaded: Loaded) -> tuple[Game, Game]:
    """The game, and the same without anything being kept."""
    return game_of(loaded, 2, (), {}), game_of(loaded, 2, (), {}, keeps=False)


def scattered(game: Game, seed: int) -> Position:
    """A position in which some tiles lie over cells of some board, in one layer or the other."""
    rng, s = random.Random(seed), game.start(0).position.copy()
    info = game.setup.boards["land"]
    for tile in rng.sample(range(len(game.setup.pieces)), rng.randrange(len(game.setup.pieces))):
        low, layer = rng.randrange(2) * info.cells, rng.choice(["stack", "flat"])
        cells = {low + rng.randrange(info.cells) for _ in range(rng.randrange(1, 4))}
        if layer == "stack" or not any(c in s.on["flat"] for c in cells):
            s.put(tile, layer, tuple(sorted(cells)))
    return s


def members(game: Game, item: str) -> list[object]:
    """All there are of a type, and none where a set may hold it."""
    spots = list(range(2 * game.setup.boards["land"].cells))
    return {
        "spot": [*spots, None],
        "tile": [*range(len(game.setup.pieces)), None],
        "port": [(spot, way) for spot in spots for way in range(2)],
    }[item]


@pytest.mark.parametrize("name", [*ALL, "plain"])
@settings(max_examples=12, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6))
def test_parts_and_reach_are_those_of_all_pairs(
    pair: tuple[Game, Game], name: str, seed: int
) -> None:
    """Of any set in any position, the connected parts and what can be reached, by a relation or
    side by side, are what testing every pair gives.
    """
    fast, slow = pair
    rng = random.Random(seed)
    s = scattered(fast, seed)
    everything = members(fast, ALL.get(name, ("spot",))[0])
    one, two = (frozenset(rng.sample(everything, rng.randrange(len(everything)))) for _ in range(2))
    for ask in ("parts", "all", "within", "near"):
        args = (frozenset([*one][:2]), two) if ask != "parts" else (one, two)
        assert fast.rules.definition(f"{ask}_{name}")(s, args) == slow.rules.definition(
            f"{ask}_{name}"
        )(s.copy(), args), ask


@pytest.mark.parametrize("name", ALL)
def test_partners_are_sought_where_they_can_be(loaded: Loaded, name: str) -> None:
    """A relation that holds between few things by its definition is known to, from one side or
    both, and no other.
    """
    rules = loaded.compiled.rules
    found = [partners(rules, name, of) for of, _ in rules.definitions[name].params]
    assert found.count(None) == (0 if name in BOUND else 1 if name in ONE_WAY else 2)


@pytest.mark.parametrize("game", ["tests/good/sims", "tests/benchmarks/canals", "simcity"])
def test_networks_of_services_are_looked_up(game: str) -> None:
    """What leads from a cell to the next by a step is found from the step, in games with networks
    of several services.
    """
    rules = load_rules(game, tests=False).compiled.rules
    values = tuple(c.value for d in rules.definitions.values() for c in d.cases)
    used = {
        part.relation
        for part in core.walk(values)
        if isinstance(part, core.Groups | core.Reach) and part.relation is not None
    }
    assert used
    for name in used:
        assert None not in [
            partners(rules, name, of) for of, _ in rules.definitions[name].params
        ], name
