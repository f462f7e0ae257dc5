"""Core effects and control: the steps of events, procedures and flows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from rulelang.core.access import ANYTHING, NOTHING, Source, SourceKind
from rulelang.core.expr import Contents, Expr, Outer
from rulelang.core.types import UNKNOWN, Type
from rulelang.core.visit import (
    Binder,
    LayerName,
    Node,
    PlaceName,
    ProcedureName,
    StateName,
    TargetName,
)
from rulelang.diagnostics.source import NOWHERE, Span


@dataclass(frozen=True)
class Stmt(Node):
    """One step of an event or procedure; `clause` names it if it is cited."""

    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)
    clause: str | None = field(default=None, compare=False, kw_only=True)


Body: TypeAlias = tuple[Stmt, ...]
Said: TypeAlias = str | Expr  # a text with values in it, part by part
Asked: TypeAlias = str | Outer  # the same, outside the names that its node binds


@dataclass(frozen=True)
class Let(Stmt, reads=NOTHING, writes=NOTHING, shows=("value",)):
    """Name a value."""

    var: Binder
    value: Outer


@dataclass(frozen=True)
class Chance(Stmt, reads=NOTHING, writes=NOTHING, shows=()):
    """Name a member drawn at random, each equally likely; the outcome is logged."""

    var: Binder
    of: Outer


@dataclass(frozen=True)
class Assign(Stmt, reads=NOTHING, writes=(Source(SourceKind.VARIABLE, "state"),), shows=("value",)):
    """Give a variable of the table a value."""

    state: StateName
    index: Expr | None
    value: Expr


@dataclass(frozen=True)
class Move(Stmt, reads=NOTHING, writes=(Source(SourceKind.PIECES, "what"),), shows=()):
    """Move pieces to a place: on top, to the bottom, or where order is nothing."""

    what: Expr
    place: PlaceName
    index: Expr | None
    bottom: bool


@dataclass(frozen=True)
class Draw(Stmt, reads=NOTHING, writes=(Source(SourceKind.HELD, "place"),), shows=()):
    """Move so many pieces from the top of one place to another; as many as there are, if fewer."""

    count: Expr
    source: Contents
    place: PlaceName
    index: Expr | None


@dataclass(frozen=True)
class Put(Stmt, reads=NOTHING, writes=(Source(SourceKind.PIECES, "what"),), shows=()):
    """Put a piece on sites: a layer of the board, or (a tile) its own new cells."""

    what: Expr
    layer: LayerName
    sites: Expr


@dataclass(frozen=True)
class Shuffle(Stmt, reads=NOTHING, writes=(Source(SourceKind.PLACE, "place"),), shows=()):
    """Put an ordered place in random order."""

    place: PlaceName
    index: Expr | None


@dataclass(frozen=True)
class Reveal(Stmt, reads=NOTHING, writes=(Source(SourceKind.KNOWN),), shows=()):
    """Show pieces to everybody, or to some, until they move."""

    what: Expr
    to: Expr | None


@dataclass(frozen=True)
class Do(
    Stmt,
    reads=(Source(SourceKind.BODY, "target"),),
    writes=(Source(SourceKind.BODY, "target"),),
    shows=(),
):
    """Propose an event (refused if a rule of it fails) or run a procedure; `result` names what the
    procedure gives.
    """

    target: TargetName
    args: tuple[Outer, ...]
    result: Binder | None = None


@dataclass(frozen=True)
class Give(Stmt, reads=NOTHING, writes=NOTHING, shows=()):
    """The procedure's result."""

    value: Expr


@dataclass(frozen=True)
class Finish(Stmt, reads=ANYTHING, writes=NOTHING, shows=()):
    """A unit of play (a round, the game) is over: the ends that wait for it are looked at."""

    unit: str


@dataclass(frozen=True)
class If(Stmt, reads=NOTHING, writes=NOTHING, shows=("cond",)):
    """One of two bodies."""

    cond: Expr
    then: Body
    other: Body


@dataclass(frozen=True)
class ForEach(Stmt, reads=NOTHING, writes=NOTHING, shows=("domain",)):
    """The body for each member of a set fixed at the start, in the stable order or in an order a
    player chooses as he goes.
    """

    var: Binder
    domain: Outer
    by: Outer | None
    body: Body
    item: Type = field(default=UNKNOWN, compare=False)


@dataclass(frozen=True)
class Repeat(Stmt, reads=NOTHING, writes=NOTHING, shows=("cond", "times")):
    """The body again and again: while a condition holds, so many times, or until an end."""

    cond: Expr | None
    times: Expr | None
    body: Body


@dataclass(frozen=True)
class Each(Stmt, reads=NOTHING, writes=NOTHING, shows=()):
    """The body for each player: in turn from one, or at once (each decides unseen, effects join in
    seat order; a watcher may look on when `open`).
    """

    var: Binder
    mode: str  # "in turn" | "at once" | "at once sealed"
    start: Outer | None
    body: Body
    watcher: Binder | None = None
    open: Expr | None = None  # read in the watcher's own branch


@dataclass(frozen=True)
class Choose(Stmt, reads=NOTHING, writes=NOTHING, shows=("domain", "cond")):
    """A decision: one member, k of them, any number, or an order; only what meets `cond` and leads
    to no dead end is offered.
    """

    var: Binder
    mode: str  # "one" | "some" | "order"
    low: Outer | None
    high: Outer | None
    domain: Outer
    cond: Expr
    by: Outer
    prompt: str  # as it is written
    item: Type = field(default=UNKNOWN, compare=False)
    asks: tuple[Asked, ...] = ()  # its parts, if values stand in it


@dataclass(frozen=True)
class Take(
    Stmt,
    reads=(Source(SourceKind.BODY, "actions"),),
    writes=(Source(SourceKind.BODY, "actions"),),
    shows=(),
):
    """A decision between actions; one whose guard fails, or that could not be completed, is not
    offered.
    """

    actions: tuple[ProcedureName, ...]
    by: Expr


@dataclass(frozen=True)
class May(Stmt, reads=NOTHING, writes=NOTHING, shows=()):
    """A decision to run the body or not."""

    prompt: str  # as it is written
    by: Expr
    body: Body
    asks: tuple[Said, ...] = ()  # its parts, if values stand in it


@dataclass(frozen=True)
class Maximize(Stmt, reads=NOTHING, writes=NOTHING, shows=()):
    """Of all complete runs of the body from here, only those ending with the largest value are
    legal.

    `bound` is never less than what the value can still become; the actions in `aside` are open, but
    what only they could reach binds nobody.
    """

    value: Expr
    body: Body
    bound: Expr | None = None
    aside: tuple[ProcedureName, ...] = ()
