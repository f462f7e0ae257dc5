"""The record of a built-in word: type rule, reads, cost, value of none, wording, implementation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Never, Protocol, TypeAlias

from rulelang import core
from rulelang.builtins.world import Declarations, Game, Position
from rulelang.core.types import UNKNOWN, Type
from rulelang.core.values import Value, nothing_of

# The type of the result for arguments of these types; none if they do not fit.
TypeRule: TypeAlias = Callable[[Declarations, tuple[Type, ...]], Type | None]
# What evaluates a word where it stands: a function of a position and the values of the arguments,
# none of which is none (but members of a set may be). Its type rule lets no others through, so that
# each function says for itself what they are.
Function: TypeAlias = (
    Callable[[Position, Never], Value]
    | Callable[[Position, Never, Never], Value]
    | Callable[[Position, Never, Never, Never], Value]
)
# A site, piece or member, or a set or list of them, where a word takes either.
OneOrMore: TypeAlias = "int | frozenset[int | None] | tuple[int | None, ...]"
# Makes that function for one game.
Implementation: TypeAlias = Callable[[core.Builtin, Game], Function]


class Word(Protocol):
    """A function of a position and the values of the arguments, as those that call it see it."""

    def __call__(self, s: Position, /, *values: Value) -> Value:
        """The value of the word; there are as many values as it takes, of the types it takes."""


# The parts of a position that a word reads, where it stands.
ReadRule: TypeAlias = Callable[[core.Builtin, Declarations], frozenset[str]]
# The words for an expression, given the words for its arguments.
Wording: TypeAlias = Callable[[core.Builtin, Sequence[str], Declarations], str]

# Read sets: besides these, "layer:NAME" stands for what lies in a layer.
ANYTHING = "*"
NOTHING_READ: frozenset[str] = frozenset()
ANYTHING_READ = frozenset([ANYTHING])
TILES = frozenset(["tiles"])  # the cells that boards have now
WHERE = frozenset(["where"])  # where pieces are

# Costs, in steps.
STEP = 1
WIDE = 4  # it gives as much as a whole board, or all pieces
WHOLE = 60  # it searches a board


def each(value: OneOrMore) -> Sequence[int]:
    """The members of a set or list, none aside, or the one value there is."""
    return (value,) if isinstance(value, int) else [x for x in value if x is not None]


class Basis(Enum):
    """What the value of a word depends on before a game begins, besides its arguments."""

    ARGUMENTS = "nothing else"
    MEMBERS = "what there is of a type"
    TEXTS = "what the texts of pieces name"
    ANYTHING = "anything"


@dataclass(frozen=True, kw_only=True)
class Builtin:
    """All that is known of one built-in word. What has a default is safe to leave out."""

    name: str
    arity: int
    # None for an internal word: no author writes it, and the elaborator that makes it types it.
    result: TypeRule | None
    implement: Implementation
    reads: frozenset[str] | ReadRule
    cost: int
    written: str  # how authors write it, for the documentation; empty for an internal word
    meaning: str  # what it gives, for the documentation and for messages
    wording: str | Wording  # how it is read aloud: a template of its arguments, or a function
    told: str = ""  # the same for a stranger, in a rulebook; empty if `wording` serves him, too
    negated: str = ""  # for a truth: how its contrary is read aloud
    of_none: Callable[[Type], Value] = nothing_of  # its value where an argument is none
    wanted: tuple[Type, ...] = ()  # what bare words as arguments are first taken to stand for
    relation: bool = False  # is it also written between its arguments?
    basis: Basis = Basis.ANYTHING
    partners: str = ""  # of a relation: the word for all that stand in it to one thing
    inverse: str = ""  # the word v such that x is in this word of y just when y is in v of x
    never_none: bool = False  # is none never among the members of its value?
    size_only: bool = False  # does it tell no more of a set than how many members it has?

    @property
    def internal(self) -> bool:
        """Is it a word that no author writes?"""
        return self.result is None

    def wanted_at(self, index: int) -> Type:
        """The type that a bare word as this argument is first taken to be of, if it may be."""
        return self.wanted[index] if index < len(self.wanted) else UNKNOWN

    def type_of(self, rules: Declarations, types: tuple[Type, ...]) -> Type | None:
        """The type of the result; none if the arguments do not fit or no author writes the word."""
        if self.result is None or len(types) != self.arity:
            return None
        return self.result(rules, types)

    def sources(self, node: core.Builtin, rules: Declarations) -> frozenset[str]:
        """The parts of a position that the word itself reads, its arguments aside."""
        return self.reads(node, rules) if callable(self.reads) else self.reads

    def worded(self, node: core.Builtin, args: Sequence[str], rules: Declarations) -> str:
        """The word in English, given the words for its arguments."""
        if isinstance(self.wording, str):
            return self.wording.format(*args)
        return self.wording(node, args, rules)


def _unknown(node: core.Builtin, game: Game) -> Function:
    raise ValueError(f"there is no built-in word {node.name}")


# What is taken to hold of a word that has no record: it may read anything, and costs the most.
UNKNOWN_WORD = Builtin(
    name="",
    arity=0,
    result=None,
    implement=_unknown,
    reads=ANYTHING_READ,
    cost=WHOLE,
    written="",
    meaning="",
    wording=lambda node, args, rules: f"{node.name} of {' and '.join(args)}",
)
