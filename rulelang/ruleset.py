"""A compiled ruleset: declarations as records that hold core objects, every clause with its name, citations and place."""
from __future__ import annotations

from dataclasses import dataclass, field

from rulelang.core import Body, Expr
from rulelang.source import NOWHERE, Span
from rulelang.types import Type


@dataclass(frozen=True)
class Clause:
    """A line of the rules that can be named: what overlays replace, refusals name, coverage counts and mutation takes away."""

    id: str
    kind: str
    owner: str
    label: str
    cites: tuple[str, ...]
    span: Span = NOWHERE


@dataclass(frozen=True)
class Kind:
    """A finite list of values; `words` are their readings, singular and plural."""

    name: str
    members: tuple[str, ...]
    words: tuple[tuple[str, str], ...]
    ordered: bool = False
    clause: str = ""


@dataclass(frozen=True)
class Pair:
    """A product of two types."""

    name: str
    parts: tuple[tuple[str, Type], tuple[str, Type]]


@dataclass(frozen=True)
class Group:
    """A named set of members of one kind."""

    name: str
    words: tuple[str, str]
    kind: str
    members: tuple[int, ...]
    clause: str = ""


@dataclass(frozen=True)
class Design:
    """One printed design of a component: a title, field values, how many copies exist (for each player, if the component is a player's)."""

    title: str
    component: str
    values: tuple[tuple[str, object], ...]
    copies: int
    clause: str
    text: tuple[tuple[str, Span], ...] = ()
    span: Span = NOWHERE
    origin: str = ""


@dataclass(frozen=True)
class Component:
    """A sort of pieces and the fields printed on them."""

    name: str
    words: tuple[str, str]
    fields: tuple[tuple[str, Type], ...]
    per_player: bool
    clause: str = ""

    def field(self, name: str) -> Type | None:
        """The type of a field, if there is one of that name."""
        return dict(self.fields).get(name)


@dataclass(frozen=True)
class Layer:
    """What may lie on the sites of one role: one piece to a site unless stacked."""

    name: str
    component: str
    role: str
    stacked: bool


@dataclass(frozen=True)
class Board:
    """A graph of sites; sizes are numbers or names of options; grown boards have cells only where tiles lie."""

    name: str
    per_player: bool
    grid: str
    width: int | str
    height: int | str
    grown_from: str | None
    roles: tuple[tuple[str, str], ...]
    layers: tuple[Layer, ...]
    labels: str | None
    clause: str = ""

    def layer(self, name: str) -> Layer | None:
        """The layer of that name, if there is one."""
        return next((layer for layer in self.layers if layer.name == name), None)


@dataclass(frozen=True)
class Place:
    """A container: whose, ordered or not, who sees what is in it, which fields show even face down, what it holds at the start."""

    name: str
    of: Type | None
    holds: str
    ordered: bool
    visibility: str  # "public" | "private" | "hidden"
    shows: tuple[str, ...]
    full: bool
    full_by: str | None
    clause: str = ""


@dataclass(frozen=True)
class State:
    """A variable of the table: one, or one for each member of a type; `visibility` as for places."""

    name: str
    of: Type | None
    type: Type
    initial: Expr
    visibility: str
    clause: str = ""


Params = tuple[tuple[str, Type], ...]


@dataclass(frozen=True)
class Case:
    """A value of a definition under a condition; `slot` is where cards' cases enter instead."""

    value: Expr | None
    cond: Expr | None
    clause: str
    slot: str | None = None


@dataclass(frozen=True)
class Definition:
    """A named condition, set, number or relation; the first case that holds counts, none holding gives false, 0, empty or none."""

    name: str
    params: Params
    type: Type
    cases: tuple[Case, ...]
    reads: tuple[str, ...]
    clause: str
    span: Span = NOWHERE


@dataclass(frozen=True)
class Line:
    """One line of a score table: an operation on the running total, once or for each member, under a condition."""

    op: str  # start + - times exactly floor cap slot one
    amount: Expr | None
    label: str
    each: tuple[str, Expr] | None
    cond: Expr | None
    clause: str
    slot: str | None = None
    inner: tuple[Line, ...] = ()


@dataclass(frozen=True)
class Table:
    """An ordered table of labelled, cited lines."""

    name: str
    params: Params
    lines: tuple[Line, ...]
    clause: str
    reads: tuple[str, ...] = ()


@dataclass(frozen=True)
class Rule:
    """One requirement of an event."""

    label: str
    need: Expr | None
    cond: Expr | None
    clause: str
    slot: str | None = None


@dataclass(frozen=True)
class Event:
    """The only thing that changes state: what it must meet and what it does."""

    name: str
    params: Params
    rules: tuple[Rule, ...]
    body: Body
    clause: str
    reads: tuple[str, ...] = ()


@dataclass(frozen=True)
class Procedure:
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
class Reaction:
    """What follows an event, seen in the state after it."""

    event: str
    params: Params
    cond: Expr | None
    body: Body
    clause: str


@dataclass(frozen=True)
class Latch:
    """What happens once in a game, as soon as its condition holds after an event."""

    name: str
    cond: Expr
    body: Body
    clause: str


@dataclass(frozen=True)
class Ending:
    """When the game is over: at once, or when a unit of play finishes."""

    name: str
    unit: str | None
    cond: Expr
    clause: str


@dataclass(frozen=True)
class RankLine:
    """A key by which players are ranked, in order; `player` is the player."""

    largest: bool
    key: Expr
    cond: Expr | None
    clause: str


@dataclass(frozen=True)
class Extension:
    """Lines, rules, cases or a reaction that a card adds where the rules say they may enter, for as long as its text says.

    `card` is the bearing piece, `you` its player; `lifetime` is "while", "until", "played" or "turns".
    """

    target: str
    kind: str  # "score" | "rules" | "define" | "reaction"
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


@dataclass(frozen=True)
class Step:
    """One step of a scenario, with its values still to be read in the scenario's state."""

    kind: str
    span: Span
    name: str = ""
    number: int = 0
    settings: tuple[tuple[str, str | None], ...] = ()
    rows: tuple[str, ...] = ()
    legend: tuple[tuple[str, Expr, Expr | None], ...] = ()
    body: Body = ()
    player: Expr | None = None
    args: tuple[tuple[str, Expr], ...] = ()
    cond: tuple[Expr, ...] = ()
    cites: tuple[str, ...] = ()
    lines: tuple[tuple[str, Expr, str], ...] = ()


@dataclass(frozen=True)
class Scenario:
    """A position, what is played from it, what must come of it."""

    name: str
    cites: tuple[str, ...]
    steps: tuple[Step, ...]
    span: Span


@dataclass(frozen=True)
class Ruling:
    """A decided question: why, and the scenarios that hold it."""

    name: str
    cites: tuple[str, ...]
    reason: str
    settled: tuple[str, ...]
    span: Span


@dataclass(frozen=True)
class Variant:
    """A named overlay."""

    name: str
    title: str
    cites: tuple[str, ...]
    span: Span = NOWHERE


@dataclass
class Ruleset:
    """Everything compiled; dictionaries keep the order of declaration."""

    id: str = ""
    title: str = ""
    players: tuple[int, int | None] = (1, None)
    prefix: str = ""
    max_moves: int = 5000
    clause: str = ""
    kinds: dict[str, Kind] = field(default_factory=dict)
    pairs: dict[str, Pair] = field(default_factory=dict)
    groups: dict[str, Group] = field(default_factory=dict)
    components: dict[str, Component] = field(default_factory=dict)
    designs: list[Design] = field(default_factory=list)
    boards: dict[str, Board] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    states: dict[str, State] = field(default_factory=dict)
    definitions: dict[str, Definition] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    events: dict[str, Event] = field(default_factory=dict)
    procedures: dict[str, Procedure] = field(default_factory=dict)
    flow: Body = ()
    flow_clause: str = ""
    invariants: list[Rule] = field(default_factory=list)
    reactions: list[Reaction] = field(default_factory=list)
    latches: list[Latch] = field(default_factory=list)
    endings: list[Ending] = field(default_factory=list)
    ranks: list[RankLine] = field(default_factory=list)
    options: dict[str, tuple[str | int, ...]] = field(default_factory=dict)
    variants: dict[str, Variant] = field(default_factory=dict)
    extensions: list[Extension] = field(default_factory=list)
    scenarios: list[Scenario] = field(default_factory=list)
    rulings: list[Ruling] = field(default_factory=list)
    clauses: dict[str, Clause] = field(default_factory=dict)
