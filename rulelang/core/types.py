"""The finite types of the language and when one may stand for another."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Type:
    """A finite type."""

    def __str__(self) -> str:
        return "something"


@dataclass(frozen=True)
class Basic(Type):
    """A type the language brings: truth, number, text, shape, player, direction, and `unknown`,
    which fits everywhere so that one mistake is told once.
    """

    name: str

    def __str__(self) -> str:
        return self.name


TRUTH, NUMBER, TEXT, SHAPE, PLAYER, UNKNOWN, NONE = (
    Basic(name) for name in ("truth", "number", "text", "shape", "player", "unknown", "nothing")
)


@dataclass(frozen=True)
class KindT(Type):
    """A named list of values an author declared (also the values of an option)."""

    name: str

    def __str__(self) -> str:
        return self.name


DIRECTION = KindT("direction")


@dataclass(frozen=True)
class PieceT(Type):
    """The pieces of one component."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class SiteT(Type):
    """The sites of one board in one role: cell, side or corner; `name` is the author's word for
    them.
    """

    board: str
    role: str
    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class BoardT(Type):
    """A board itself (one, or one of each player)."""

    name: str

    def __str__(self) -> str:
        return f"board {self.name}"


@dataclass(frozen=True)
class PairT(Type):
    """A finite product of two types."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class SetT(Type):
    """A set: no order, no repeats."""

    of: Type

    def __str__(self) -> str:
        return f"set of {self.of}"


@dataclass(frozen=True)
class ListT(Type):
    """A list: order and repeats kept."""

    of: Type

    def __str__(self) -> str:
        return f"list of {self.of}"


@dataclass(frozen=True)
class OptionalT(Type):
    """A value or none."""

    of: Type

    def __str__(self) -> str:
        return f"{self.of} or none"


@dataclass(frozen=True)
class PhraseT(Type):
    """A wording of one sort, to be filled by a card's text; its meaning is of type `of`."""

    sort: str
    of: Type

    def __str__(self) -> str:
        return f"{self.sort} phrase"


def fits(found: Type, wanted: Type) -> bool:
    """May a value of the found type stand where the wanted type is asked for?"""
    if found == wanted or UNKNOWN in (found, wanted):
        return True
    if isinstance(wanted, OptionalT):
        return found == NONE or fits(found, wanted.of)
    if isinstance(
        found, OptionalT
    ):  # what is asked of none is false, 0, empty or none: a total language needs no test first
        return fits(found.of, wanted)
    if isinstance(found, SetT) and isinstance(wanted, SetT):
        return fits(found.of, wanted.of)
    if isinstance(found, ListT) and isinstance(wanted, ListT | SetT):
        return fits(found.of, wanted.of)
    return False


def element(collection: Type) -> Type | None:
    """What a set or list is made of; none for anything else."""
    if isinstance(collection, SetT | ListT):
        return collection.of
    return UNKNOWN if collection == UNKNOWN else None


def non_optional(t: Type) -> Type:
    """The type without `or none`."""
    return t.of if isinstance(t, OptionalT) else t


def site_type(t: Type) -> SiteT | None:
    """The site type inside sets, lists and `or none`, if it is one."""
    while True:
        inner = element(t)
        if inner is not None and inner != t:
            t = inner
        elif isinstance(t, OptionalT):
            t = t.of
        else:
            return t if isinstance(t, SiteT) else None
