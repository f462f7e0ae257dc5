"""The call graph: which definitions and tables expressions call, and all nodes reached by calls."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang import core
from rulelang.core.visit import Role
from rulelang.ruleset.ruleset import Ruleset

Callee = tuple[str, str]  # "define" or "score", and the name of the definition or table

_KINDS = {Role.DEFINITION: "define", Role.TABLE: "score"}
_CALLING: dict[type[core.Node], tuple[tuple[str, str], ...]] = {}
"""By class of nodes: the fields that name what is called, each with what that is (a memo)."""


def callees(node: core.Node) -> Iterator[Callee]:
    """The definitions and tables that a node calls by name, relations among them."""
    sort = type(node)
    if sort not in _CALLING:
        roles = sort.layout.roles.items()
        _CALLING[sort] = tuple((field, _KINDS[role]) for field, role in roles if role in _KINDS)
    for field, kind in _CALLING[sort]:
        name = getattr(node, field)
        if name is not None:
            yield kind, name


def body_of(rules: Ruleset, callee: Callee) -> tuple[core.Node, ...]:
    """The cases of a definition, or the lines of a table, as the rules alone give them."""
    kind, name = callee
    return rules.definitions[name].cases if kind == "define" else rules.tables[name].lines


def walk_calls(
    rules: Ruleset, item: object, called: set[Callee] | None = None
) -> Iterator[core.Node]:
    """All nodes of the item and of what they call, through all calls; each callee once.

    `called` holds the callees that are not entered (again); those met are added to it.
    """
    called = set() if called is None else called
    for node in core.walk(item):
        yield node
        for callee in callees(node):
            if callee not in called:
                called.add(callee)
                yield from walk_calls(rules, body_of(rules, callee), called)
