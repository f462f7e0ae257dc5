"""Connected parts of sets for generated code: each part is grown once for a position, and all who ask for one of its members are given it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, cast

from interpreter.model.position import Position
from rulelang.geometry.grid import Neighbors, reach

Thing = Any
Part = frozenset[Thing]
Partners = Callable[[Position, Thing], Part]
Holds = Callable[[Position, Thing, Thing], bool]


def neighbors_in(
    s: Position,
    relation: str,
    partners: Partners | None,
    both: bool,
    holds: Holds,
    seeds: Part,
    space: Part,
) -> Neighbors[Thing]:
    """The neighbors of a thing by a relation, either way round: its partners where they are known, else those of the space that it holds of."""
    if partners is None or None in space or None in seeds:
        work = s.setup.work

        def near(x: Thing) -> list[Thing]:
            work.visit(len(space))
            return [y for y in space if y != x and (holds(s, x, y) or holds(s, y, x))]

        return near
    return (
        partial(partners, s) if both else _turned(s, relation, partners, space | seeds).__getitem__
    )


def _turned(
    s: Position, relation: str, partners: Partners, things: Part
) -> dict[Thing, set[Thing]]:
    """Partners both ways round, from those of one side."""
    kept = cast("dict[Any, dict[Thing, set[Thing]]]", s.memo(0))  # no value, under such a key
    found = kept.get(("turned", relation, things))
    if found is None:
        found = kept[("turned", relation, things)] = {x: set(partners(s, x)) for x in things}
        for x in things:
            for y in partners(s, x) & things:
                found[y].add(x)
    return found


def parts_of(
    s: Position, relation: str | None, members: Part, neighbors: Neighbors[Thing]
) -> frozenset[Part]:
    """The connected parts of a set."""
    known = _known(s, relation, members)
    for x in members:
        if x not in known:
            _grow(known, x, members, neighbors)
    return frozenset(known.values())


def reached(
    s: Position, relation: str | None, seeds: Part, space: Part, neighbors: Neighbors[Thing]
) -> Part:
    """The seeds and all that hangs together with them within the space; by a relation, a seed outside it counts too."""
    known = _known(s, relation, space)
    inside = seeds & space if relation is None else seeds
    found: set[Part] = set()
    for x in inside:
        for y in (x,) if x in space else neighbors(x):
            if y in space:
                found.add(known.get(y) or _grow(known, y, space, neighbors))
    one = next(iter(found), inside)
    return one if len(found) < 2 and inside <= one else inside.union(*found)


def _known(s: Position, relation: str | None, space: Part) -> dict[Thing, Part]:
    """The parts found so far in this position, by each of their members."""
    kept = cast("dict[Any, dict[Thing, Part]]", s.memo(0))  # no value, under such a key
    return kept.setdefault(("parts", relation, space), {})


def _grow(known: dict[Thing, Part], x: Thing, space: Part, neighbors: Neighbors[Thing]) -> Part:
    part: Part = reach((x,), neighbors, space)
    known.update(dict.fromkeys(part, part))
    return part
