"""The compiled ruleset as a whole: declarations by name, clauses, scenarios, rulings, variants."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field, replace

from rulelang.core.expr import Expr
from rulelang.core.stmt import Body
from rulelang.core.visit import Record
from rulelang.diagnostics.source import NOWHERE, Span
from rulelang.ruleset.clauses import (
    Advice,
    Definition,
    Ending,
    Event,
    Extension,
    Latch,
    Procedure,
    RankLine,
    Reaction,
    Rule,
    State,
    Table,
)
from rulelang.ruleset.components import Board, Component, Deck, Design, Group, Kind, Pair, Place
from rulelang.ruleset.layouts import PieceLayout
from rulelang.ruleset.maps import PointMap


@dataclass(frozen=True)
class Clause:
    """A line of the rules that can be named: what overlays replace, refusals name, coverage counts
    and mutation takes away.
    """

    id: str
    kind: str
    owner: str
    label: str
    cites: tuple[str, ...]
    span: Span = NOWHERE


@dataclass(frozen=True)
class Answer(Record):
    """A value that a play gives by name, and whose answer it is, where that is said."""

    name: str
    value: Expr
    player: Expr | None = None


@dataclass(frozen=True)
class Item(Record):
    """Something that is expected to be asked, offered or known: as written, and all it may mean."""

    text: str
    meanings: tuple[Expr, ...]


@dataclass(frozen=True)
class Told(Record):
    """What is expected to be asked of a player, offered to him, or known to him.

    `matter` is "asked", "offered" or "known"; the items are all there is, unless there may be
    others beside them, or are what must not be there.
    """

    matter: str
    player: Expr | None
    place: Expr | None
    others: bool
    denied: bool
    items: tuple[Item, ...]


@dataclass(frozen=True)
class Step(Record):
    """One step of a scenario, with its values still to be read in the scenario's state.

    `reasons` are the labels a refusal must name beside what it `cites`; of the lines of a score
    the label is empty where none is written.
    """

    kind: str
    span: Span
    name: str = ""
    number: int = 0
    settings: tuple[tuple[str, str | None], ...] = ()
    rows: tuple[str, ...] = ()
    legend: tuple[tuple[str, Expr, Expr | None], ...] = ()
    body: Body = ()
    player: Expr | None = None
    args: tuple[Answer, ...] = ()
    cond: tuple[Expr, ...] = ()
    cites: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    told: Told | None = None
    lines: tuple[tuple[str, Expr, str], ...] = ()
    deck: Deck | None = None


@dataclass(frozen=True)
class Scenario(Record):
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
    """A named overlay, and the variants it is declared over."""

    name: str
    title: str
    cites: tuple[str, ...]
    span: Span = NOWHERE
    over: tuple[str, ...] = ()


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
    decks: dict[str, Deck] = field(default_factory=dict)
    layouts: dict[str, PieceLayout] = field(default_factory=dict)  # by component
    maps: dict[str, PointMap] = field(default_factory=dict)  # by kind
    added: frozenset[str] = frozenset()  # the files that were added to the rules
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
    advice: list[Advice] = field(default_factory=list)
    reactions: list[Reaction] = field(default_factory=list)
    latches: list[Latch] = field(default_factory=list)
    endings: list[Ending] = field(default_factory=list)
    ranks: list[RankLine] = field(default_factory=list)
    hurdles: list[RankLine] = field(default_factory=list)  # who fails one cannot win
    options: dict[str, tuple[str | int, ...]] = field(default_factory=dict)
    variants: dict[str, Variant] = field(default_factory=dict)
    extensions: list[Extension] = field(default_factory=list)
    scenarios: list[Scenario] = field(default_factory=list)
    rulings: list[Ruling] = field(default_factory=list)
    clauses: dict[str, Clause] = field(default_factory=dict)

    def copied(self) -> Ruleset:
        """The same again, to which other things may be added."""
        made = copy(self)
        made.__dict__.update(
            {
                name: value.copy()
                for name, value in self.__dict__.items()
                if isinstance(value, dict | list)
            }
        )
        return made

    def played_with(self, deck: str | None) -> Ruleset:
        """The rules with as many copies as a deck list says, without texts of cards not in play.

        Under no list there are as many as the cards say, and one at least of those that lists are
        about.
        """
        return self.dealt(self.decks.get(deck or ""))

    def copies_with(self, known: Deck | None) -> list[int]:
        """How many copies of each design are played under a list, or under none."""
        if known is not None:
            return known.copies_of_all(self.designs, self.added)
        listed = {name for other in self.decks.values() for name in other.components}
        return [d.copies or (1 if d.component in listed else 0) for d in self.designs]

    def dealt(self, known: Deck | None) -> Ruleset:
        """The rules played with this list, or with none."""
        designs = [
            d if d.copies == n else replace(d, copies=n)
            for d, n in zip(self.designs, self.copies_with(known), strict=True)
        ]
        gone = {(d.component, d.title) for d in designs if not d.copies} - {
            (d.component, d.title) for d in designs if d.copies
        }
        if not gone and designs == self.designs:
            return self
        kept = [e for e in self.extensions if (e.component, e.title) not in gone]
        unsaid = {e.clause for e in self.extensions} - {e.clause for e in kept}
        return replace(
            self,
            designs=designs,
            extensions=kept,
            clauses={name: c for name, c in self.clauses.items() if name not in unsaid},
        )
