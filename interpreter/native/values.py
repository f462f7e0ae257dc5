"""How values of the language are held in registers: scalars, bit sets, and members one by one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from interpreter.model.setup import Setup
from interpreter.native import ir
from interpreter.native.grounds import Ground, ground_of
from interpreter.native.ir import Code, Ty
from rulelang.core.bounds import LARGEST, SMALLEST
from rulelang.core.types import (
    NUMBER,
    PLAYER,
    SHAPE,
    TEXT,
    TRUTH,
    KindT,
    ListT,
    OptionalT,
    PairT,
    PieceT,
    SetT,
    SiteT,
    Type,
    non_optional,
)
from rulelang.core.values import Value

NONE = -1  # a player, piece, site or member of a kind that is none
MAX_WORDS = 48  # of a set in registers
WORD = 64  # members
TEXTS = (TEXT, SHAPE)  # held by their numbers among all texts of a program


class NotLowered(Exception):
    """A construct that is not written for the native engine yet: the reference plays such games."""

    def __init__(self, construct: str, clause: str = "") -> None:
        """What it is, and the clause it stands in if that is known."""
        super().__init__(f"{construct}, in {clause}" if clause else construct)
        self.construct, self.clause = construct, clause


@dataclass(frozen=True)
class Scalar:
    """A number (64 bits), a truth, or an index (32 bits, `NONE` for none), within known bounds."""

    code: Code
    low: int
    high: int


@dataclass(frozen=True)
class Bits:
    """A set of the first so many indices: a bit for each, in words of 64."""

    words: tuple[Code, ...]
    size: int


@dataclass(frozen=True)
class Lane:
    """Every member of a type at once: a condition on it is worked out as the set it holds of."""

    size: int


@dataclass(frozen=True)
class Members:
    """Members that are given one by one, in the stable order; at most so many.

    `each` writes a loop: its argument writes what is done with a member. They are worked out when
    they are asked for, so they must be asked for before anything changes.
    """

    each: Callable[[Callable[[Lowered], None]], None]
    most: int
    touching: Callable[[Bits, Callable[[Lowered], None]], None] | None = None
    """Where the members are groups: only those that touch a set."""
    faulty: bool = False  # may working one of them out be a fault?
    frozen: bool = False  # do they stay the same whatever changes?
    loose: bool = False  # may one be given more than once, or not in order?
    bounds: tuple[int, int] = (SMALLEST, LARGEST)
    """Of numbers: none is less or more."""
    contains: Callable[[Lowered], Code] | None = None
    """Is this a member? Where that can be told without looking through them."""
    count: Callable[[], Code] | None = None
    """How many there are, in 64 bits; where that can be told so, too."""
    backwards: Callable[[Callable[[Lowered], None]], None] | None = None
    """The same loop from the last member to the first, where it can be written."""
    counted: bool = False  # does the loop itself count as work what it looks through?
    ascending: bool = False  # are these numbers that are given each once, the smallest first?
    few: bool = False  # are these so few indices that no set of bits is made of them?
    among: Callable[[frozenset[int]], Members | None] | None = None
    """Those of some indices alone, where they can be given without a look at the others."""


class Goal(NamedTuple):
    """Where to go, and whether if a condition holds or if it does not."""

    label: ir.Label
    sense: bool

    def turned(self) -> Goal:
        """The same place for the contrary condition."""
        return Goal(self.label, not self.sense)


Lowered: TypeAlias = Scalar | Bits | Members | Lane


def is_index(t: Type) -> bool:
    """Are values of this type, none aside, numbers from 0 to a size that is fixed for a game?

    A pair is the number of its place among all pairs in the stable order.
    """
    return t == PLAYER or isinstance(t, KindT | PieceT | SiteT | PairT)


def size_of(setup: Setup, t: Type) -> int:
    """How many indices a type has; for pieces, of all components together."""
    if isinstance(t, PieceT):
        return len(setup.pieces)
    if isinstance(t, PairT):
        first, second = parts_of_pair(setup, t)
        return size_of(setup, first) * size_of(setup, second)
    if isinstance(t, SiteT):
        return ground_of(setup.boards[t.board]).size(t.role)
    ground = laying_ground(setup, t)
    if ground is not None:
        return ground.size("cell") * len(ground.turns)
    return len(setup.members(t))


def laying_ground(setup: Setup, t: Type) -> Ground | None:
    """The ground on which a list of cells is a way to lay a tile; none of any other type.

    Such a list is held as one number: that of its first cell, and that of the way.
    """
    if not isinstance(t, ListT) or not isinstance(t.of, SiteT) or t.of.role != "cell":
        return None
    info = setup.boards[t.of.board]
    return None if info.board.grown_from is None else ground_of(info)


def parts_of_pair(setup: Setup, t: PairT) -> tuple[Type, Type]:
    """The types of a pair's parts; raises NotLowered where one is no index."""
    (_, first), (_, second) = setup.rules.pairs[t.name].parts
    if not is_index(first) or not is_index(second):
        raise NotLowered(f"a {t} of {first} and {second}")
    return first, second


def encoded(setup: Setup, t: Type, value: Value) -> int:
    """The number that a scalar value is held as."""
    if value is None:
        return NONE
    inner = non_optional(t)
    if isinstance(inner, PairT) and isinstance(value, tuple):
        first, second = parts_of_pair(setup, inner)
        a, b = (encoded(setup, part, x) for part, x in zip((first, second), value, strict=True))
        return a * size_of(setup, second) + b
    ground = laying_ground(setup, inner)
    if ground is not None and isinstance(value, tuple):
        return _kept(ground.laying([cell for cell in value if isinstance(cell, int)]))
    assert isinstance(value, int)
    if isinstance(inner, SiteT):
        return _kept(ground_of(setup.boards[inner.board]).number(inner.role, value))
    return int(value)


def _kept(number: int | None) -> int:
    if number is None:
        raise NotLowered("a place far from the middle of a board that grows")
    return number


def decoded(setup: Setup, t: Type, number: int) -> Value:
    """The scalar value that is held as a number."""
    inner = non_optional(t)
    if inner == NUMBER:
        return number
    if number == NONE:
        return None
    if isinstance(inner, PairT):
        first, second = parts_of_pair(setup, inner)
        a, b = divmod(number, size_of(setup, second))
        return decoded(setup, first, a), decoded(setup, second, b)
    if isinstance(inner, SiteT):
        return ground_of(setup.boards[inner.board]).site(inner.role, number)
    ground = laying_ground(setup, inner)
    if ground is not None:
        return ground.cells_of(number)
    return bool(number) if inner == TRUTH else number


def words_of(size: int) -> int:
    """How many words the bits of a set take."""
    return max(1, -(-size // WORD))


def scalar_type(t: Type) -> Ty | None:
    """The register a value of this type takes; none if it is no scalar."""
    if t == NUMBER:
        return Ty.I64
    inner = non_optional(t)
    return Ty.I32 if inner in (TRUTH, *TEXTS) or is_index(inner) else None


def set_element(t: Type) -> Type | None:
    """What a set is made of, if its members are indices."""
    return t.of if isinstance(t, SetT) and is_index(t.of) else None


def plain_scalar(setup: Setup, t: Type, code: Code) -> Scalar:
    """A value of a type of which no more is known."""
    if t == NUMBER:
        return Scalar(code, SMALLEST, LARGEST)
    inner = non_optional(t)
    if inner == TRUTH:
        return Scalar(code, NONE if isinstance(t, OptionalT) else 0, 1)
    if inner in TEXTS:
        return Scalar(code, NONE, LARGEST)
    high = size_of(setup, inner) - 1
    if inner == PLAYER:
        high = LARGEST  # a rule may name a player who does not play
    return Scalar(code, NONE if isinstance(t, OptionalT) else 0, high)


def constant(setup: Setup, t: Type, value: Value) -> Lowered | None:
    """A value that is known; none if it is no scalar and no set of indices in registers."""
    ty = scalar_type(t)
    if ty is not None and not isinstance(value, str | frozenset):
        if value is None and ty is Ty.I64:
            return None
        known = encoded(setup, t, value)
        return Scalar(ir.Const(ty, known), known, known)
    item = set_element(t)
    if item is not None and isinstance(value, frozenset) and narrow(setup, item):
        members = frozenset(encoded(setup, item, m) for m in value)
        size = size_of(setup, item)
        return bits_of(members, size) if max(members, default=0) < size else None
    return None


def narrow(setup: Setup, item: Type) -> bool:
    """Are sets of these indices held in registers?"""
    return words_of(size_of(setup, item)) <= MAX_WORDS


def bits_of(members: frozenset[int], size: int) -> Bits:
    """A set that is known."""
    assert all(0 <= member < size for member in members), members
    whole = sum(1 << member for member in members)
    mask = (1 << WORD) - 1
    return Bits(tuple(ir.i64(whole >> (WORD * at) & mask) for at in range(words_of(size))), size)


def everything(size: int) -> Bits:
    """The set of all indices."""
    return bits_of(frozenset(range(size)), size)
