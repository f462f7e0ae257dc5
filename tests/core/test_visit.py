"""The visitor reaches every node, once and outer ones first, and rebuilds only what changes."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from interpreter.game.loading import load_rules
from rulelang import core
from rulelang.analysis.reads import Reads
from rulelang.analysis.writes import writes
from rulelang.core.access import ANYTHING, Access
from rulelang.core.visit import Node, children, free_names, rebuild, walk
from rulelang.ruleset import Ruleset

X, Y = core.Var("x"), core.Var("y")
IS_ONE = core.Compare("=", X, core.Const(1))


def subclasses(cls: type[Node]) -> Iterator[type[Node]]:
    for sub in cls.__subclasses__():
        yield sub
        yield from subclasses(sub)


def by_reflection(item: object) -> Iterator[Node]:
    """All nodes found by looking into everything there is, without any declaration."""
    if isinstance(item, tuple | list):
        for part in item:
            yield from by_reflection(part)
    elif isinstance(item, Node):
        yield item
        for field in dataclasses.fields(item):
            yield from by_reflection(getattr(item, field.name))


@pytest.mark.parametrize(
    ("game", "tests"), [("simcity", False), ("big_city", False), ("cities", True)]
)
def test_walk_meets_every_node(game: str, tests: bool) -> None:
    """Nothing inside a ruleset is passed over, and the order is that of the fields."""
    rules = load_rules(game, tests=tests).compiled.rules
    items = [
        value if isinstance(value, list | tuple) else list(value.values())
        for value in vars(rules).values()
        if isinstance(value, list | tuple | dict)
    ]
    nodes = list(walk(items))
    assert len(nodes) > 1000
    assert [id(node) for node in nodes] == [id(node) for node in by_reflection(items)]
    for node in nodes:
        direct = list(children(node))
        inside = list(walk(node))[1:]
        assert [id(n) for part in direct for n in walk(part)] == [id(n) for n in inside]
        assert rebuild(node, lambda child: child) is node


def test_every_field_has_a_role() -> None:
    """Each field of each node class is declared; what could hold a node is not taken for data."""
    for cls in subclasses(Node):
        assert list(cls.layout.roles) == [field.name for field in dataclasses.fields(cls)], cls


def test_an_undeclared_annotation_is_refused() -> None:
    """A class whose field has no known role cannot be made."""
    with pytest.raises(TypeError, match=r"Odd\.part: what role has Unheard"):

        @dataclass(frozen=True)
        class Odd(Node):
            part: Unheard  # type: ignore[name-defined]  # noqa: F821  # that is the point


def test_rebuild_maps_children_by_scope() -> None:
    """What stands outside the names a node binds is mapped apart, and bound names are renamed."""
    node = core.Exists("x", core.Var("all"), IS_ONE)
    made = rebuild(
        node, inner=lambda n: core.Not(X), outer=lambda n: core.SetOf(()), names={"x": "z"}
    )
    assert made == core.Exists("z", core.SetOf(()), core.Not(X))
    body = (core.Let("a", core.Const(1)), core.Give(core.Var("a")))
    made_if = rebuild(core.If(X, body, ()), lambda n: n, body=lambda b: b[:1])
    assert made_if == core.If(X, body[:1], ())


def test_free_names() -> None:
    """A name is free in a domain though the node binds it, and bound in its condition."""
    assert free_names(core.Exists("x", X, IS_ONE)) == {"x"}
    assert free_names(core.Exists("x", Y, IS_ONE)) == {"y"}
    assert free_names((core.Exists("x", Y, IS_ONE), X)) == {"x", "y"}
    assert free_names(core.Stable("x", "y", core.Titled("card", "A"), core.Member(X, Y))) == set()


def test_every_node_class_declares_what_it_reads_writes_and_shows() -> None:
    """What a class does to a position is never left to a guess."""
    rooms = ("rulelang.core.", "rulelang.ruleset.")
    bases = (core.Expr, core.Stmt)
    found = [c for c in subclasses(Node) if c.__module__.startswith(rooms) and c not in bases]
    assert len(found) > 50
    for cls in found:
        assert cls.access.declared, cls
        sources = (*cls.access.reads, *cls.access.writes)
        fields = [source.field for source in sources if source.field]
        assert set(fields) <= set(cls.layout.roles), cls
        assert set(cls.access.shows or ()) <= set(cls.layout.children), cls


def test_an_undeclared_class_reads_and_writes_anything() -> None:
    """A class that says nothing is taken to do all there is, and its subclasses as well."""

    @dataclass(frozen=True)
    class Silent(core.Stmt):
        value: core.Expr

    assert Silent.access == Access(ANYTHING, ANYTHING, None, declared=False)
    rules = Ruleset()
    stmt = core.If(X, (Silent(X),), ())
    assert writes(rules, stmt) == {"*"}
    assert Reads(rules).all(stmt) == {"*"}
    assert Reads(rules).all(X) == frozenset()
