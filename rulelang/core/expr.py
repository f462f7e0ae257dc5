"""Core values, conditions and sets: what can be worked out from a state and the names in scope."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from rulelang.core.access import ANYTHING, NOTHING, Source, SourceKind, Sources
from rulelang.core.types import UNKNOWN, Type
from rulelang.core.values import Value
from rulelang.core.visit import (
    Binder,
    DefinitionName,
    EventName,
    Name,
    Node,
    PlaceName,
    StateName,
    TableName,
)
from rulelang.diagnostics.source import NOWHERE, Span


@dataclass(frozen=True)
class Expr(Node):
    """A value that can be worked out from a state and the names in scope."""

    type: Type = field(default=UNKNOWN, compare=False, kw_only=True)
    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)

    def __init_subclass__(cls, reads: Sources | None = None) -> None:
        """No expression writes or shows anything by itself."""
        super().__init_subclass__(reads=reads, writes=NOTHING, shows=())


Outer: TypeAlias = Expr  # evaluated outside the names that its node binds
Binding: TypeAlias = tuple[str, Expr]  # a bound name and the set it ranges over
Scope: TypeAlias = tuple[tuple[str, Expr], ...]  # names and what they stand for


# ------------------------------------------------------------------------------------------- values
@dataclass(frozen=True)
class Const(Expr, reads=NOTHING):
    """A number, truth, text, shape, none, or the index of a kind's member or a player."""

    value: Value


@dataclass(frozen=True)
class Var(Expr, reads=NOTHING):
    """A name in scope."""

    name: Name


@dataclass(frozen=True)
class Setting(Expr, reads=NOTHING):
    """The value of an option, constant during a game."""

    name: str


@dataclass(frozen=True)
class Read(Expr, reads=(Source(SourceKind.VARIABLE, "state"),)):
    """A variable of the table, of one member if it has one for each."""

    state: StateName
    index: Expr | None


@dataclass(frozen=True)
class Attribute(Expr, reads=NOTHING):
    """A printed field of a piece, or one part of a pair."""

    name: str
    of: Expr


@dataclass(frozen=True)
class Contents(Expr, reads=(Source(SourceKind.PLACE, "place"),)):
    """The pieces in a place, of one member if there is one for each; a list if the place is
    ordered.
    """

    place: PlaceName
    index: Expr | None


@dataclass(frozen=True)
class Titled(Expr, reads=NOTHING):
    """All pieces that bear this title."""

    component: str
    title: str


@dataclass(frozen=True)
class Builtin(Expr, reads=(Source(SourceKind.BUILTIN, "name"),)):
    """A word of the language's own vocabulary applied to values: geometry, counting, order, time of
    play.
    """

    name: str
    args: tuple[Expr, ...]


@dataclass(frozen=True)
class Apply(Expr, reads=(Source(SourceKind.DEFINITION, "define"),)):
    """A definition applied to values."""

    define: DefinitionName
    args: tuple[Expr, ...]


@dataclass(frozen=True)
class Total(Expr, reads=(Source(SourceKind.TABLE, "table"),)):
    """What a score table comes to."""

    table: TableName
    args: tuple[Expr, ...]


@dataclass(frozen=True)
class Arith(Expr, reads=NOTHING):
    """+ - * and / rounded down or up, over whole numbers."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True)
class IfElse(Expr, reads=NOTHING):
    """One of two values."""

    cond: Expr
    then: Expr
    other: Expr


# --------------------------------------------------------------------------------------- conditions
@dataclass(frozen=True)
class Compare(Expr, reads=NOTHING):
    """= != < <= > >= between values of one type; order exists for numbers and for kinds declared in
    order.
    """

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True)
class Member(Expr, reads=NOTHING):
    """Is the value in the set or list?"""

    item: Expr
    of: Expr


@dataclass(frozen=True)
class Not(Expr, reads=NOTHING):
    """The contrary."""

    of: Expr


@dataclass(frozen=True)
class All(Expr, reads=NOTHING):
    """Every condition holds; none at all is true."""

    of: tuple[Expr, ...]


@dataclass(frozen=True)
class Any(Expr, reads=NOTHING):
    """Some condition holds; none at all is false."""

    of: tuple[Expr, ...]


@dataclass(frozen=True)
class Exists(Expr, reads=NOTHING):
    """Some member of the domain meets the condition."""

    var: Binder
    domain: Outer
    cond: Expr


@dataclass(frozen=True)
class Forall(Expr, reads=NOTHING):
    """Every member of the domain meets the condition."""

    var: Binder
    domain: Outer
    cond: Expr


@dataclass(frozen=True)
class Accepts(Expr, reads=(Source(SourceKind.RULES, "event"),)):
    """Would the event be accepted with these values, by every rule of it?"""

    event: EventName
    args: tuple[Expr, ...]


# --------------------------------------------------------------------------------------------- sets
@dataclass(frozen=True)
class SetOf(Expr, reads=NOTHING):
    """The set of these values, or where its type is a list, the list of them."""

    items: tuple[Expr, ...]


@dataclass(frozen=True)
class SetOp(Expr, reads=NOTHING):
    """Union (+), difference (-) of sets."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True)
class Range(Expr, reads=NOTHING):
    """The whole numbers from one to another, both included."""

    low: Expr
    high: Expr


@dataclass(frozen=True)
class Filter(Expr, reads=NOTHING):
    """The members that meet the condition; a list stays a list."""

    var: Binder
    domain: Outer
    cond: Expr


@dataclass(frozen=True)
class Image(Expr, reads=NOTHING):
    """What the body gives for each member that meets the condition: a set, or a list with
    repeats.
    """

    var: Binder
    domain: Outer
    cond: Expr
    body: Expr
    repeats: bool


@dataclass(frozen=True)
class Best(Expr, reads=NOTHING):
    """All members whose key is largest (or smallest): ties stay."""

    var: Binder
    domain: Outer
    key: Expr
    largest: bool


@dataclass(frozen=True)
class Pick(Expr, reads=NOTHING):
    """The first member in the stable order, or none of an empty set."""

    of: Expr


@dataclass(frozen=True)
class Stable(Expr, reads=NOTHING):
    """Drop every member that fails the condition given the set so far, all at once, again and again
    until none falls.
    """

    var: Binder
    so_far: Binder
    domain: Outer
    cond: Expr


@dataclass(frozen=True)
class Groups(Expr, reads=(Source(SourceKind.TILES), Source(SourceKind.DEFINITION, "relation"))):
    """The connected components of a set, by adjacency on the board or by a declared relation."""

    of: Expr
    relation: DefinitionName | None


@dataclass(frozen=True)
class Reach(Expr, reads=(Source(SourceKind.TILES), Source(SourceKind.DEFINITION, "relation"))):
    """All that can be reached from the seeds, within a set by adjacency or along a declared
    relation, perhaps in so many steps; the seeds count.
    """

    seeds: Expr
    within: Expr | None
    relation: DefinitionName | None
    steps: Expr | None


@dataclass(frozen=True)
class At(Expr, reads=ANYTHING):
    """The body read in another state: after the event being judged, before the one that just
    happened, supposing another.
    """

    mode: str
    event: EventName | None
    args: tuple[Expr, ...]
    body: Expr


@dataclass(frozen=True)
class Slot(Expr, reads=ANYTHING):
    """A wording not yet filled: what its meaning may speak of is bound here.

    Only templates hold one; compiled rules never do.
    """

    name: str
    scope: Scope
