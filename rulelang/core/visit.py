"""The visitor: children, traversal and rebuilding of core objects and records that hold them.

What a field of a node class is (a child expression, a body, a name it binds, a reference to a
definition, a place, ...) is declared by the field's annotation and worked out once, when the class
is made. An annotation that is not known raises TypeError there, so no field can be forgotten.
"""

from __future__ import annotations

import builtins
import importlib
import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from operator import attrgetter, is_
from typing import ClassVar, TypeAlias, TypeVar, cast

from rulelang.core.access import ANYTHING, NOTHING, Access, Sources

# What a field that is only a name refers to.
Name: TypeAlias = str  # a value in scope
Binder: TypeAlias = str  # a name given to a value, for what stands inside or after it
DefinitionName: TypeAlias = str
TableName: TypeAlias = str
EventName: TypeAlias = str
ProcedureName: TypeAlias = str
TargetName: TypeAlias = str  # an event or a procedure
StateName: TypeAlias = str
PlaceName: TypeAlias = str
LayerName: TypeAlias = str


class Role(Enum):
    """What a field of a node is."""

    EXPRESSION = "expression"  # a child, or children in a tuple
    OUTER = "outer"  # a child in which the names that the node binds are not in scope
    BODY = "body"  # statements one after the other
    RECORD = "record"  # a child that is a record of a ruleset
    BINDER = "binder"  # a name that the node binds, in its children or in the statements after it
    BINDING = "binding"  # a bound name with the expression it ranges over, and perhaps its type
    PARAMS = "params"  # bound names with their types
    NAME = "name"  # a reference to a name in scope
    DEFINITION = "definition"
    TABLE = "table"
    EVENT = "event"
    PROCEDURE = "procedure"
    TARGET = "target"
    STATE = "state"
    PLACE = "place"
    LAYER = "layer"
    DATA = "data"  # anything else: no node is in it


_ALIASES = {
    "Outer": Role.OUTER,
    "Said": Role.EXPRESSION,
    "Asked": Role.OUTER,
    "Scope": Role.EXPRESSION,
    "Body": Role.BODY,
    "Binder": Role.BINDER,
    "Binding": Role.BINDING,
    "TypedBinding": Role.BINDING,
    "Params": Role.PARAMS,
    "Name": Role.NAME,
    "DefinitionName": Role.DEFINITION,
    "TableName": Role.TABLE,
    "EventName": Role.EVENT,
    "ProcedureName": Role.PROCEDURE,
    "TargetName": Role.TARGET,
    "StateName": Role.STATE,
    "PlaceName": Role.PLACE,
    "LayerName": Role.LAYER,
    "Value": Role.DATA,
}
_CHILDREN = frozenset({Role.EXPRESSION, Role.OUTER, Role.BODY, Role.RECORD, Role.BINDING})
_OUTER = frozenset({Role.OUTER, Role.BINDING})
_CHANGING = _CHILDREN | {Role.BINDER}


@dataclass(frozen=True)
class Layout:
    """The fields of a node class by role, in the order of their declaration."""

    roles: Mapping[str, Role]
    changing: tuple[tuple[str, Role], ...]  # the fields that `rebuild` may change
    children: tuple[str, ...]  # the fields that hold nodes
    binders: tuple[str, ...]  # the fields that are a bound name
    values: Callable[[Node], object] | None  # what is in `children`: one value, or a tuple of them


@dataclass(frozen=True)
class Node:
    """A core object, or a record of a compiled ruleset that holds core objects."""

    layout: ClassVar[Layout]
    access: ClassVar[Access]

    def __init_subclass__(
        cls,
        reads: Sources | None = None,
        writes: Sources | None = None,
        shows: tuple[str, ...] | None = None,
    ) -> None:
        """Work out the roles of the fields; raises TypeError for one whose role is not declared.

        What the class reads, writes and shows is declared here; it is not inherited.
        """
        super().__init_subclass__()
        cls.access = Access(
            ANYTHING if reads is None else reads,
            ANYTHING if writes is None else writes,
            shows,
            declared=None not in (reads, writes, shows),
        )
        roles = {
            name: _role(cls, owner, name, annotation)
            for owner in reversed(cls.__mro__)
            for name, annotation in inspect.get_annotations(owner).items()
            if "ClassVar" not in annotation
        }
        children = tuple(name for name, role in roles.items() if role in _CHILDREN)
        binders = tuple(name for name, role in roles.items() if role is Role.BINDER)
        changing = tuple((name, role) for name, role in roles.items() if role in _CHANGING)
        values = attrgetter(*children) if children else None
        cls.layout = Layout(roles, changing, children, binders, values)


@dataclass(frozen=True)
class Record(Node, reads=NOTHING, writes=NOTHING, shows=()):
    """A record of a compiled ruleset. Only what is inside it reads, writes and shows anything."""

    def __init_subclass__(cls) -> None:
        """See `Node`."""
        super().__init_subclass__(reads=NOTHING, writes=NOTHING, shows=())


def _role(cls: type[Node], owner: type, field: str, annotation: str) -> Role:
    """The role that an annotation declares."""
    found = {_role_of_word(cls, owner, field, word) for word in re.findall(r"[\w.]*\w", annotation)}
    found.discard(Role.DATA)
    if len(found) > 1:
        raise TypeError(f"{cls.__name__}.{field}: {annotation} has more than one role")
    return found.pop() if found else Role.DATA


def _role_of_word(cls: type[Node], owner: type, field: str, word: str) -> Role:
    """The role that one name in an annotation stands for."""
    *modules, last = word.split(".")
    if last in _ALIASES:
        return _ALIASES[last]
    if word == "None":
        return Role.DATA
    room: object = importlib.import_module(owner.__module__)
    for name in modules:
        room = getattr(room, name)
    known = getattr(room, last, getattr(builtins, last, None))
    if word == owner.__name__ or (isinstance(known, type) and issubclass(known, Node)):
        base = cls if known is None else known
        is_expression = any(ancestor.__name__ == "Expr" for ancestor in base.__mro__)
        return Role.EXPRESSION if is_expression else Role.RECORD
    if isinstance(known, type):
        return Role.DATA
    raise TypeError(f"{cls.__name__}.{field}: what role has {word}?")


AnyNode = TypeVar("AnyNode", bound=Node)


Nested = TypeVar("Nested")


def children(node: Node) -> Iterator[Node]:
    """The nodes directly inside a node, in the order of its fields."""
    values = node.layout.values
    return nodes_in(values(node)) if values is not None else iter(())


def nodes_in(value: object) -> Iterator[Node]:
    """The outermost nodes of a value: itself, or those in nested tuples and lists."""
    if isinstance(value, Node):
        yield value
    elif isinstance(value, tuple | list):
        for part in value:
            yield from nodes_in(part)


def outer_children(node: Node) -> Iterator[Node]:
    """The children in which the names that the node binds are not in scope."""
    for field, role in node.layout.roles.items():
        if role in _OUTER:
            yield from nodes_in(getattr(node, field))


def inner_children(node: Node) -> Iterator[Node]:
    """The children in which the names that the node binds are in scope."""
    for field in node.layout.children:
        if node.layout.roles[field] not in _OUTER:
            yield from nodes_in(getattr(node, field))


def walk(item: object) -> Iterator[Node]:
    """Yield a node, or the nodes of nested tuples and lists, with all inside: outer ones first."""
    stack = [item]
    pop, push = stack.pop, stack.append
    while stack:
        item = pop()
        if isinstance(item, Node):
            yield item
            values = item.layout.values
            if values is not None:
                push(values(item))
        elif isinstance(item, tuple | list):
            stack += item[::-1]


def bound_names(node: Node) -> tuple[str, ...]:
    """The names that a node binds by fields that are only a name."""
    found = (getattr(node, name) for name in node.layout.binders)
    return tuple(name for name in found if name is not None)


def rebuild(
    node: AnyNode,
    inner: Callable[[Node], Node],
    outer: Callable[[Node], Node] | None = None,
    body: Callable[[tuple[Node, ...]], tuple[Node, ...]] | None = None,
    names: Mapping[str, str] | None = None,
    **fields: object,
) -> AnyNode:
    """A node of the same class with `inner` applied to each child; the node itself if none changes.

    `outer` is applied instead where the names bound by the node are not in scope, `body` to the
    statements of a body together; `names` renames what the node binds; `fields` are set as given.
    """
    names, outer = names or {}, outer or inner
    changed = fields
    values = node.__dict__
    for field, role in node.layout.changing:
        old = new = values[field]
        if role is Role.BODY and body is not None:
            new = body(old)
        elif role is Role.BINDER:
            new = names.get(old, old)
        elif role is not Role.BINDING:
            change = outer if role is Role.OUTER else inner
            new = change(old) if isinstance(old, Node) else _mapped(old, change)
        elif old is not None:
            new = mapped((names.get(old[0], old[0]), *old[1:]), outer)
            new = old if _very_same(old, new) else new
        if new is not old:
            changed[field] = new
    return copied(node, **changed) if changed else node


def copied(node: AnyNode, **changed: object) -> AnyNode:
    """The node with other values in these fields, made much faster than by `replace`.

    A node is nothing but its fields: no class of nodes has slots or a `__post_init__`.
    """
    made = object.__new__(type(node))
    made.__dict__.update(node.__dict__)
    made.__dict__.update(changed)
    return made


def mapped(value: Nested, change: Callable[[Node], Node]) -> Nested:
    """A node, or nested tuples, with a change of each outermost node; the same object if none.

    The type stays as long as `change` gives what may stand where its argument stood.
    """
    return cast(Nested, _mapped(value, change))


def _mapped(value: object, change: Callable[[Node], Node]) -> object:
    """The same, of which no type is told."""
    if isinstance(value, Node):
        return change(value)
    if not value or not isinstance(value, tuple):
        return value
    made = [change(part) if isinstance(part, Node) else _mapped(part, change) for part in value]
    return value if _very_same(value, made) else tuple(made)


def _very_same(old: Sequence[object], new: Sequence[object]) -> bool:
    """Do two sequences of one length hold the very same objects?"""
    return all(map(is_, old, new))


def free_names(item: object) -> set[str]:
    """The names that an expression, or several, refer to without binding them."""
    if isinstance(item, tuple | list):
        return set().union(*(free_names(part) for part in item))
    if not isinstance(item, Node):
        return set()
    outer, inner, bound = set[str](), set[str](), set[str]()
    for field, role in item.layout.roles.items():
        value = getattr(item, field)
        match role:
            case Role.NAME:
                outer.add(value)
            case Role.OUTER:
                outer |= free_names(value)
            case Role.EXPRESSION | Role.RECORD | Role.BODY:
                inner |= free_names(value)
            case Role.BINDER if value is not None:
                bound.add(value)
            case Role.BINDING if value is not None:
                bound.add(value[0])
                outer |= free_names(value[1:])
            case Role.PARAMS:
                bound |= {name for name, _ in value}
            case _:
                pass
    return outer | (inner - bound)
