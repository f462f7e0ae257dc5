"""Write sets: which parts of a position statements may change, named as in `reads`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from rulelang import core
from rulelang.builtins.record import ANYTHING
from rulelang.core.access import Source, SourceKind
from rulelang.core.types import OptionalT, PieceT, Type, element
from rulelang.ruleset import Ruleset


def statements(bodies: Iterable[core.Stmt | core.Body]) -> Iterator[core.Stmt]:
    """All statements of these bodies, and those within them, outer ones first."""
    return (node for node in core.walk(list(bodies)) if isinstance(node, core.Stmt))


def statements_of(rules: Ruleset) -> Iterator[core.Stmt]:
    """All statements of a ruleset, those that cards bring among them."""
    return statements(
        [
            rules.flow,
            *(procedure.body for procedure in rules.procedures.values()),
            *(event.body for event in rules.events.values()),
            *(reaction.body for reaction in rules.reactions),
            *(latch.body for latch in rules.latches),
            *(e.reaction.body for e in rules.extensions if e.reaction is not None),
        ]
    )


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


def writes(rules: Ruleset, stmt: core.Stmt) -> frozenset[str]:
    """The write set of a statement, with all that it does and that follows it."""
    return frozenset(_writes(rules, stmt, set()))


def _writes(rules: Ruleset, item: object, done: set[str]) -> Iterator[str]:
    """The write set of statements; `done` are the events and procedures already looked into."""
    for stmt in core.walk(item):
        for source in stmt.access.writes:
            if source.kind is SourceKind.BODY:
                for target in _targets(stmt, source):
                    if target not in done:
                        done.add(target)
                        yield from _writes(rules, bodies(rules, target), done)
            else:
                yield from _written(rules, stmt, source)


def within(rules: Ruleset, item: object) -> frozenset[str]:
    """The events and procedures that run within statements, or within one another there."""
    found: set[str] = set()
    left: list[object] = [item]
    while left:
        for stmt in core.walk(left.pop()):
            for source in stmt.access.writes:
                new = _targets(stmt, source) if source.kind is SourceKind.BODY else ()
                left += [bodies(rules, target) for target in new if target not in found]
                found.update(new)
    return frozenset(found)


def _targets(stmt: core.Node, source: Source) -> tuple[str, ...]:
    """The events and procedures that a field names: one, or several in a tuple."""
    found: str | tuple[str, ...] = getattr(stmt, source.field)
    return (found,) if isinstance(found, str) else found


def _written(rules: Ruleset, stmt: core.Node, source: Source) -> Iterable[str]:
    """The sources that one part of a class's declaration stands for at a statement."""
    field = getattr(stmt, source.field) if source.field else None
    match source.kind:
        case SourceKind.VARIABLE:
            return [f"state:{field}"]
        case SourceKind.PLACE:
            return [f"place:{field}"]
        case SourceKind.KNOWN:
            return ["known"]
        case SourceKind.TILES:
            return ["tiles"]
        case SourceKind.PIECES:
            assert isinstance(field, core.Expr)
            return _pieces(rules, field.type)
        case SourceKind.HELD:
            return _component(rules, rules.places[str(field)].holds)
        case SourceKind.DEFINITION | SourceKind.TABLE | SourceKind.RULES | SourceKind.BUILTIN:
            return [ANYTHING]  # what these name is read, never written
        case SourceKind.ANYTHING | SourceKind.BODY:
            return [ANYTHING]
        case _:
            assert_never(source.kind)


def _pieces(rules: Ruleset, t: Type) -> set[str]:
    """What changes when pieces of a type move; of any component if the type does not say."""
    while True:
        inner = t.of if isinstance(t, OptionalT) else element(t)
        if inner is None or inner == t:
            break
        t = inner
    names = [t.name] if isinstance(t, PieceT) else list(rules.components)
    return {source for name in names for source in _component(rules, name)}


def _component(rules: Ruleset, name: str) -> set[str]:
    """What changes when pieces of a component move."""
    found = {"where", "known"}
    found |= {f"place:{place.name}" for place in rules.places.values() if place.holds == name}
    for board in rules.boards.values():
        found |= {f"layer:{layer.name}" for layer in board.layers if layer.component == name}
        if board.grown_from == name:
            found.add("tiles")
    return found


def finishes(rules: Ruleset, stmt: core.Stmt, seen: frozenset[str] = frozenset()) -> bool:
    """Does the statement end a round or the game by itself, or what it does?"""
    for inner in statements([stmt]):
        if isinstance(inner, core.Finish):
            return True
        if isinstance(inner, core.Do) and inner.target not in seen:
            seen |= {inner.target}
            if any(finishes(rules, s, seen) for s in bodies(rules, inner.target)):
                return True
    return False
