"""What a statement may change, named as `needs` names what is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rulelang import core
from rulelang.core.types import OptionalT, PieceT, Type, element
from rulelang.ruleset import Ruleset


def statements(bodies: Iterable[core.Stmt | core.Body]) -> Iterator[core.Stmt]:
    """All statements of these bodies, and those within them."""
    for item in bodies:
        if isinstance(item, tuple):
            yield from statements(item)
        else:
            yield item
            for name in ("then", "other", "body"):
                yield from statements(getattr(item, name, ()))


def writes(rules: Ruleset, stmt: core.Stmt) -> frozenset[str]:
    """The sources a statement may change, with all that follows it."""
    found: set[str] = set()
    _walk(rules, stmt, found, set())
    return frozenset(found)


def _walk(rules: Ruleset, stmt: core.Stmt, found: set[str], seen: set[str]) -> None:
    if isinstance(stmt, core.Assign):
        found.add(f"state:{stmt.state}")
    elif isinstance(stmt, core.Move | core.Put):
        found |= _pieces(rules, stmt.what.type)
    elif isinstance(stmt, core.Draw):
        found |= _component(rules, rules.places[stmt.place].holds)
    elif isinstance(stmt, core.Shuffle):
        found.add(f"place:{stmt.place}")
    elif isinstance(stmt, core.Reveal):
        found.add("known")
    elif isinstance(stmt, core.Do) and stmt.target not in seen:
        seen.add(stmt.target)
        for inner in bodies(rules, stmt.target):
            _walk(rules, inner, found, seen)
    for name in ("then", "other", "body"):
        for inner in getattr(stmt, name, ()):
            _walk(rules, inner, found, seen)


def bodies(rules: Ruleset, target: str) -> list[core.Stmt]:
    """The statements of an event with all that follows it, or of a procedure."""
    if target not in rules.events:
        return list(rules.procedures[target].body)
    found = list(rules.events[target].body)
    for reaction in rules.reactions:
        if reaction.event == target:
            found += reaction.body
    for e in rules.extensions:
        if e.reaction is not None and e.target == target:
            found += e.reaction.body
    return found


def _pieces(rules: Ruleset, t: Type) -> set[str]:
    inner: Any = t
    while True:
        if isinstance(inner, OptionalT):
            inner = inner.of
        elif element(inner) is not None and element(inner) != inner:
            inner = element(inner)
        else:
            break
    names = [inner.name] if isinstance(inner, PieceT) else list(rules.components)
    return {source for name in names for source in _component(rules, name)}


def _component(rules: Ruleset, name: str) -> set[str]:
    found = {"where", "known"} | {
        f"place:{place.name}" for place in rules.places.values() if place.holds == name
    }
    for board in rules.boards.values():
        found |= {f"layer:{layer.name}" for layer in board.layers if layer.component == name}
        if board.grown_from == name:
            found.add("tiles")
    return found


def finishes(rules: Ruleset, stmt: core.Stmt, seen: frozenset[str] = frozenset()) -> bool:
    """Does it end a round or the game by itself?"""
    if isinstance(stmt, core.Finish):
        return True
    if (
        isinstance(stmt, core.Do)
        and stmt.target not in seen
        and any(finishes(rules, s, seen | {stmt.target}) for s in bodies(rules, stmt.target))
    ):
        return True
    return any(
        finishes(rules, s, seen)
        for name in ("then", "other", "body")
        for s in getattr(stmt, name, ())
    )
