"""What is on the table: kinds and their members, pieces, boards and places, as records."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field

from rulelang.core.types import Type
from rulelang.core.values import Value
from rulelang.diagnostics.english import spoken
from rulelang.diagnostics.source import NOWHERE, Span
from rulelang.syntax.nodes import CITE


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
class Noun:
    """What a card's text names, as it is read: a title, or what is so by a field or a definition;
    asked for, or only excluded.
    """

    text: str
    component: str
    title: str = ""
    field: str = ""
    members: frozenset[int] = frozenset()
    define: str = ""  # gives the set of those that are so, of a member of a kind that no field has
    asked: bool = True


@dataclass(frozen=True)
class Design:
    """One printed design of a component: a title, field values, how many copies exist (for each
    player, if the component is a player's).
    """

    title: str
    component: str
    values: tuple[tuple[str, Value], ...]
    copies: int
    clause: str
    text: tuple[tuple[str, Span], ...] = ()
    span: Span = NOWHERE
    origin: str = ""
    nouns: tuple[Noun, ...] = field(default=(), compare=False, repr=False)  # what its text names

    @property
    def sentences(self) -> tuple[str, ...]:
        """Its text without citations: all that its meaning hangs on."""
        return tuple(_uncited(text) for text, _ in self.text)


@functools.lru_cache(maxsize=8192)
def _uncited(text: str) -> str:
    """A sentence without its citations."""
    return CITE.sub("", text).strip()


@dataclass(frozen=True)
class Deck:
    """A deck list: of these components exactly what it counts is in play; it is made for so many
    players.
    """

    name: str
    title: str
    components: tuple[str, ...]
    counts: tuple[tuple[tuple[str, str], int], ...]  # (component, title) -> how many
    players: tuple[int, int | None]
    clause: str
    origin: str = ""
    places: tuple[tuple[tuple[str, str], Span], ...] = field(
        default=(), compare=False, repr=False
    )  # where each is counted
    partial: bool = field(
        default=False, compare=False, repr=False
    )  # are rows left out of it that could not be read?

    def is_for(self, players: int) -> bool:
        """Is it made for so many players?"""
        low, high = self.players
        return low <= players and (high is None or players <= high)

    def place(self, design: Design) -> Span | None:
        """Where a design is counted, if it is."""
        return dict(self.places).get((design.component, design.title))

    def copies(self, design: Design, added: frozenset[str]) -> int:
        """How many of a design are in play; a card of another file that was added comes along
        unless the list names it.
        """
        return self.copies_of_all([design], added)[0]

    def copies_of_all(self, designs: list[Design], added: frozenset[str]) -> list[int]:
        """The same of many designs, one after the other."""
        listed = dict(self.counts)

        def unlisted(design: Design) -> int:
            own = design.component not in self.components or (
                design.origin in added and design.origin != self.origin
            )
            return design.copies if own else 0

        return [
            listed[key] if (key := (d.component, d.title)) in listed else unlisted(d)
            for d in designs
        ]


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


OPTION = "deck"  # what a player calls the choice between deck lists
WHOLE = "all"  # its value for every card of the box
EVERYBODY: tuple[int, int | None] = (1, None)  # whatever number of players


@dataclass(frozen=True)
class Ground:
    """What a board's cells are for so many players: the grid, its columns and rows (numbers or
    names of options).
    """

    grid: str
    width: int | str
    height: int | str
    players: tuple[int, int | None]


@dataclass(frozen=True)
class Board:
    """A graph of sites; sizes are numbers or names of options; grown ones have cells only where
    tiles lie; `shows` is told of cells where it is drawn.
    """

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
    shows: tuple[str, ...] = ()
    others: tuple[Ground, ...] = ()  # for some numbers of players; before the one for all

    def ground(self, players: int) -> Ground:
        """What its cells are for this many players."""
        for other in self.others:
            low, high = other.players
            if low <= players and (high is None or players <= high):
                return other
        return Ground(self.grid, self.width, self.height, EVERYBODY)

    def layer(self, name: str) -> Layer | None:
        """The layer of that name, if there is one."""
        return next((layer for layer in self.layers if layer.name == name), None)


@dataclass(frozen=True)
class Place:
    """A container: whose, ordered or not, who sees what is in it, which fields show even face down,
    what it holds at the start.
    """

    name: str
    of: Type | None
    holds: str
    ordered: bool
    visibility: str  # "public" | "private" | "hidden"
    shows: tuple[str, ...]
    full: bool
    full_by: str | None
    clause: str = ""
    title: str = ""  # how it is called in sentences; nothing if by its name

    @property
    def called(self) -> str:
        """How it is called in sentences: “cards gained”."""
        return self.title or spoken(self.name)
