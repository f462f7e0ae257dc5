"""Read and write sets: what a node reads, writes and may show by itself, as its class declares.

What the children of a node read and write comes on top. A class that declares nothing is taken to
read and write anything and to show the values of all its children.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class SourceKind(Enum):
    """What part of a position is meant, or where to look for it."""

    ANYTHING = "anything at all"
    VARIABLE = "the variable of the table that a field names"
    PLACE = "the order of the place that a field names, and what is in it"
    PIECES = "where pieces are that an expression in a field gives"
    HELD = "where pieces are that the place named by a field holds"
    TILES = "the cells that boards have now"
    KNOWN = "what players know"
    BUILTIN = "what the built-in word named by a field reads"
    DEFINITION = "what the definition named by a field reads, if it names one"
    TABLE = "what the score table named by a field reads"
    RULES = "what the rules of the event named by a field read"
    BODY = "what the event or procedures named by a field do"


@dataclass(frozen=True)
class Source:
    """A part of a position that a node reads or writes, in terms of one of its fields."""

    kind: SourceKind
    field: str = ""


Sources = tuple[Source, ...]
NOTHING: Sources = ()
ANYTHING: Sources = (Source(SourceKind.ANYTHING),)


@dataclass(frozen=True)
class Access:
    """What a node class reads and writes, and the fields whose values it may show.

    A value is shown if who sees the node carried out can tell it: whether a branch is taken, what
    a name or variable is set to. None stands for all fields.
    """

    reads: Sources = ANYTHING
    writes: Sources = ANYTHING
    shows: tuple[str, ...] | None = None
    declared: bool = True
