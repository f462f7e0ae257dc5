"""The core objects: frozen, typed, first-order. What text means is a tree of these and nothing else.

Spans, types and clause names stand outside equality: two texts with equal core objects mean the same.
"""
from __future__ import annotations

from dataclasses import dataclass, field

from rulelang.source import NOWHERE, Span
from rulelang.types import UNKNOWN, Type


@dataclass(frozen=True)
class Expr:
    """A value that can be worked out from a state and the names in scope."""

    type: Type = field(default=UNKNOWN, compare=False, kw_only=True)
    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


# ------------------------------------------------------------------------------------------------ values
@dataclass(frozen=True)
class Const(Expr):
    """A number, truth, text, shape, none, or the index of a kind's member or a player."""

    value: object


@dataclass(frozen=True)
class Var(Expr):
    """A name in scope."""

    name: str


@dataclass(frozen=True)
class Setting(Expr):
    """The value of an option, constant during a game."""

    name: str


@dataclass(frozen=True)
class Read(Expr):
    """A variable of the table, of one member if it has one for each."""

    state: str
    index: Expr | None


@dataclass(frozen=True)
class Attribute(Expr):
    """A printed field of a piece, or one part of a pair."""

    name: str
    of: Expr


@dataclass(frozen=True)
class Contents(Expr):
    """The pieces in a place, of one member if there is one for each; a list if the place is ordered."""

    place: str
    index: Expr | None


@dataclass(frozen=True)
class Titled(Expr):
    """All pieces that bear this title."""

    component: str
    title: str


@dataclass(frozen=True)
class Builtin(Expr):
    """A word of the language's own vocabulary applied to values: geometry, counting, order, time of play."""

    name: str
    args: tuple[Expr, ...]


@dataclass(frozen=True)
class Apply(Expr):
    """A definition applied to values."""

    define: str
    args: tuple[Expr, ...]


@dataclass(frozen=True)
class Total(Expr):
    """What a score table comes to."""

    table: str
    args: tuple[Expr, ...]


@dataclass(frozen=True)
class Arith(Expr):
    """+ - * and / rounded down or up, over whole numbers."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True)
class IfElse(Expr):
    """One of two values."""

    cond: Expr
    then: Expr
    other: Expr


# ------------------------------------------------------------------------------------------------ conditions
@dataclass(frozen=True)
class Compare(Expr):
    """= != < <= > >= between values of one type; order exists for numbers and for kinds declared in order."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True)
class Member(Expr):
    """Is the value in the set or list?"""

    item: Expr
    of: Expr


@dataclass(frozen=True)
class Not(Expr):
    """The contrary."""

    of: Expr


@dataclass(frozen=True)
class All(Expr):
    """Every condition holds; none at all is true."""

    of: tuple[Expr, ...]


@dataclass(frozen=True)
class Any(Expr):
    """Some condition holds; none at all is false."""

    of: tuple[Expr, ...]


@dataclass(frozen=True)
class Exists(Expr):
    """Some member of the domain meets the condition."""

    var: str
    domain: Expr
    cond: Expr


@dataclass(frozen=True)
class Forall(Expr):
    """Every member of the domain meets the condition."""

    var: str
    domain: Expr
    cond: Expr


@dataclass(frozen=True)
class Accepts(Expr):
    """Would the event be accepted with these values, by every rule of it?"""

    event: str
    args: tuple[Expr, ...]


# ------------------------------------------------------------------------------------------------ sets
@dataclass(frozen=True)
class SetOf(Expr):
    """The set of these values, or where its type is a list, the list of them."""

    items: tuple[Expr, ...]


@dataclass(frozen=True)
class SetOp(Expr):
    """Union (+), difference (-) of sets."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True)
class Range(Expr):
    """The whole numbers from one to another, both included."""

    low: Expr
    high: Expr


@dataclass(frozen=True)
class Filter(Expr):
    """The members that meet the condition; a list stays a list."""

    var: str
    domain: Expr
    cond: Expr


@dataclass(frozen=True)
class Image(Expr):
    """What the body gives for each member that meets the condition: a set, or a list with repeats."""

    var: str
    domain: Expr
    cond: Expr
    body: Expr
    repeats: bool


@dataclass(frozen=True)
class Best(Expr):
    """All members whose key is largest (or smallest): ties stay."""

    var: str
    domain: Expr
    key: Expr
    largest: bool


@dataclass(frozen=True)
class Pick(Expr):
    """The first member in the stable order, or none of an empty set."""

    of: Expr


@dataclass(frozen=True)
class Stable(Expr):
    """Drop every member that fails the condition given the set so far, all at once, again and again until none falls."""

    var: str
    so_far: str
    domain: Expr
    cond: Expr


@dataclass(frozen=True)
class Groups(Expr):
    """The connected components of a set, by adjacency on the board or by a declared relation."""

    of: Expr
    relation: str | None


@dataclass(frozen=True)
class Reach(Expr):
    """All that can be reached from the seeds, within a set by adjacency or along a declared relation; the seeds count."""

    seeds: Expr
    within: Expr | None
    relation: str | None


@dataclass(frozen=True)
class At(Expr):
    """The body read in another state: after the event being judged, before the one that just happened, supposing another."""

    mode: str
    event: str | None
    args: tuple[Expr, ...]
    body: Expr


@dataclass(frozen=True)
class Slot(Expr):
    """A wording not yet filled: what its meaning may speak of is bound here. Only templates hold one; compiled rules never do."""

    name: str
    scope: tuple[tuple[str, Expr], ...]


# ------------------------------------------------------------------------------------------------ effects and control
@dataclass(frozen=True)
class Stmt:
    """One step of an event or procedure; `clause` names it if it is cited."""

    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)
    clause: str | None = field(default=None, compare=False, kw_only=True)


Body = tuple[Stmt, ...]


@dataclass(frozen=True)
class Let(Stmt):
    """Name a value."""

    var: str
    value: Expr


@dataclass(frozen=True)
class Chance(Stmt):
    """Name a member drawn at random, each equally likely; the outcome is logged."""

    var: str
    of: Expr


@dataclass(frozen=True)
class Assign(Stmt):
    """Give a variable of the table a value."""

    state: str
    index: Expr | None
    value: Expr


@dataclass(frozen=True)
class Move(Stmt):
    """Move pieces to a place: on top, to the bottom, or where order is nothing."""

    what: Expr
    place: str
    index: Expr | None
    bottom: bool


@dataclass(frozen=True)
class Draw(Stmt):
    """Move so many pieces from the top of one place to another; as many as there are, if fewer."""

    count: Expr
    source: Contents
    place: str
    index: Expr | None


@dataclass(frozen=True)
class Put(Stmt):
    """Put a piece on sites: a layer of the board, or (a tile) its own new cells."""

    what: Expr
    layer: str
    sites: Expr


@dataclass(frozen=True)
class Shuffle(Stmt):
    """Put an ordered place in random order."""

    place: str
    index: Expr | None


@dataclass(frozen=True)
class Reveal(Stmt):
    """Show pieces to everybody, or to some, until they move."""

    what: Expr
    to: Expr | None


@dataclass(frozen=True)
class Do(Stmt):
    """Propose an event (refused if a rule of it fails) or run a procedure; `result` names what the procedure gives."""

    target: str
    args: tuple[Expr, ...]
    result: str | None = None


@dataclass(frozen=True)
class Give(Stmt):
    """The procedure's result."""

    value: Expr


@dataclass(frozen=True)
class Finish(Stmt):
    """A unit of play (a round, the game) is over: the ends that wait for it are looked at."""

    unit: str


@dataclass(frozen=True)
class If(Stmt):
    """One of two bodies."""

    cond: Expr
    then: Body
    other: Body


@dataclass(frozen=True)
class ForEach(Stmt):
    """The body for each member of a set fixed at the start, in the stable order or in an order a player chooses as he goes."""

    var: str
    domain: Expr
    by: Expr | None
    body: Body
    item: Type = field(default=UNKNOWN, compare=False)


@dataclass(frozen=True)
class Repeat(Stmt):
    """The body again and again: while a condition holds, so many times, or until an end."""

    cond: Expr | None
    times: Expr | None
    body: Body


@dataclass(frozen=True)
class Each(Stmt):
    """The body for each player: in turn from one, or at once (each decides unseen, effects join in seat order)."""

    var: str
    mode: str  # "in turn" | "at once" | "at once sealed"
    start: Expr | None
    body: Body


@dataclass(frozen=True)
class Choose(Stmt):
    """A decision: one member, k of them, any number, or an order; only what meets `cond` and leads to no dead end is offered."""

    var: str
    mode: str  # "one" | "some" | "order"
    low: Expr | None
    high: Expr | None
    domain: Expr
    cond: Expr
    by: Expr
    prompt: str
    item: Type = field(default=UNKNOWN, compare=False)


@dataclass(frozen=True)
class Take(Stmt):
    """A decision between actions; one whose guard fails, or that could not be completed, is not offered."""

    actions: tuple[str, ...]
    by: Expr


@dataclass(frozen=True)
class May(Stmt):
    """A decision to run the body or not."""

    prompt: str
    by: Expr
    body: Body


@dataclass(frozen=True)
class Maximize(Stmt):
    """Of all complete runs of the body from here, only those ending with the largest value are legal."""

    value: Expr
    body: Body
