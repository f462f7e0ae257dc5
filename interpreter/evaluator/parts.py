"""Connected parts of sets: each is grown once for a position, and found by any of its members."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias, cast

from interpreter.model.memo import ANY_CHANGE
from interpreter.model.position import Position
from rulelang.core.values import Value
from rulelang.geometry.grid import reach

Part: TypeAlias = frozenset[Value]
Near: TypeAlias = Callable[[Value], Iterable[Value]]  # the neighbours of a thing
Known: TypeAlias = dict[Value, Part]


def parts_of(s: Position, relation: str | None, members: Part, near: Near) -> frozenset[Part]:
    """The connected parts of a set."""
    known = _known(s, relation, members)
    for x in members:
        if x not in known:
            _grow(known, x, members, near)
    return frozenset(known.values())


def reached(s: Position, relation: str | None, seeds: Part, space: Part, near: Near) -> Part:
    """The seeds and all that hangs together with them within the space.

    By a relation a seed outside it counts, too.
    """
    known = _known(s, relation, space)
    inside = seeds & space if relation is None else seeds
    found: set[Part] = set()
    for x in inside:
        for y in (x,) if x in space else near(x):
            if y in space:
                found.add(known.get(y) or _grow(known, y, space, near))
    one = next(iter(found), inside)
    return one if len(found) < 2 and inside <= one else inside.union(*found)


def _known(s: Position, relation: str | None, space: Part) -> Known:
    """The parts found so far in this position, by each of their members."""
    # Under keys of this kind parts are kept, and nothing else.
    kept = cast("dict[object, Known]", s.memo(ANY_CHANGE))
    return kept.setdefault(("parts", relation, space), {})


def _grow(known: Known, x: Value, space: Part, near: Near) -> Part:
    part: Part = reach((x,), near, space)
    known.update(dict.fromkeys(part, part))
    return part
