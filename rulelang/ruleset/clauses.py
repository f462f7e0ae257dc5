"""The clauses of a ruleset as records: what holds, what happens, and what cards add.

Definitions, score tables, events and their rules, procedures, reactions, latches and ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from rulelang.core.expr import Binding, Expr
from rulelang.core.stmt import Body, Said
from rulelang.core.types import Type
from rulelang.core.visit import EventName, Record
from rulelang.diagnostics.source import NOWHERE, Span

Params: TypeAlias = tuple[tuple[str, Type], ...]


@dataclass(frozen=True)
class State(Record):
    """A variable of the table: one, or one for each member of a type.

    `visibility` is as for places.
    """

    name: str
    of: Type | None
    type: Type
    initial: Expr
    visibility: str
    clause: str = ""
    reads: str = ""  # how its value is told; nothing if it is not told


@dataclass(frozen=True)
class Case(Record):
    """A value of a definition under a condition; `slot` is where cards' cases enter instead."""

    value: Expr | None
    cond: Expr | None
    clause: str
    slot: str | None = None


@dataclass(frozen=True)
class Definition(Record):
    """A named condition, set, number or relation; the first case that holds counts, none holding
    gives false, 0, empty or none.
    """

    name: str
    params: Params
    type: Type
    cases: tuple[Case, ...]
    reads: tuple[str, ...]
    clause: str
    span: Span = NOWHERE


@dataclass(frozen=True)
class Line(Record):
    """One line of a score table: an operation on the running total, once or for each member, under
    a condition.
    """

    op: str  # start + - times exactly floor cap slot one
    amount: Expr | None
    label: str
    each: Binding | None
    cond: Expr | None
    clause: str
    slot: str | None = None
    inner: tuple[Line, ...] = ()


@dataclass(frozen=True)
class Table(Record):
    """An ordered table of labelled, cited lines."""

    name: str
    params: Params
    lines: tuple[Line, ...]
    clause: str
    reads: tuple[str, ...] = ()


@dataclass(frozen=True)
class Rule(Record):
    """One requirement of an event."""

    label: str
    need: Expr | None
    cond: Expr | None
    clause: str
    slot: str | None = None


TypedBinding: TypeAlias = tuple[str, Expr, Type]


@dataclass(frozen=True)
class Advice(Record):
    """What is said, and how gravely, where a condition does not hold before play: once, or of each
    member of a set.
    """

    label: str
    severity: str  # "error" | "warning" | "note"
    each: TypedBinding | None
    need: Expr
    cond: Expr | None
    says: tuple[Said, ...]
    fixes: tuple[tuple[Said, ...], ...]
    clause: str


@dataclass(frozen=True)
class Event(Record):
    """The only thing that changes state: what it must meet and what it does."""

    name: str
    params: Params
    rules: tuple[Rule, ...]
    body: Body
    clause: str
    reads: tuple[str, ...] = ()


@dataclass(frozen=True)
class Procedure(Record):
    """What is done in which order; an action is a procedure a player may take, under a guard."""

    name: str
    params: Params
    title: str
    guard: Expr | None
    body: Body
    clause: str
    is_action: bool
    gives: Type | None = None


@dataclass(frozen=True)
class Reaction(Record):
    """What follows an event, seen in the state after it."""

    event: EventName
    params: Params
    cond: Expr | None
    body: Body
    clause: str


@dataclass(frozen=True)
class Latch(Record):
    """What happens once in a game, as soon as its condition holds after an event."""

    name: str
    cond: Expr
    body: Body
    clause: str


@dataclass(frozen=True)
class Ending(Record):
    """When the game is over: at once, or when a unit of play finishes."""

    name: str
    unit: str | None
    cond: Expr
    clause: str


@dataclass(frozen=True)
class RankLine(Record):
    """A key by which players are ranked, in order; `player` is the player."""

    largest: bool
    key: Expr
    cond: Expr | None
    clause: str


@dataclass(frozen=True)
class Extension(Record):
    """Lines, rules, cases, a reaction or steps that a card adds where the rules say they may enter.

    They hold for as long as its text says.

    `card` is the bearing piece, `you` its player; `lifetime` is "while", "until" or "played".
    """

    target: str
    kind: str  # "score" | "rules" | "define" | "reaction" | "steps"
    slot: str
    lines: tuple[Line, ...]
    rules: tuple[Rule, ...]
    cases: tuple[Case, ...]
    reaction: Reaction | None
    lifetime: str
    cond: Expr | None
    component: str
    title: str
    clause: str
    pattern: str = ""
    body: Body = ()
