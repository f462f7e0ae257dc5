"""Built-in words about sets and lists: size, sums, extremes, ends and unions."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rulelang import core
from rulelang.builtins.boards import all_sites
from rulelang.builtins.record import NOTHING_READ, STEP, TILES, WIDE, Basis, Builtin, Function
from rulelang.builtins.world import Declarations, Game, Position
from rulelang.core.types import (
    NUMBER,
    SHAPE,
    TRUTH,
    UNKNOWN,
    ListT,
    OptionalT,
    PieceT,
    SetT,
    SiteT,
    Type,
    element,
    fits,
)
from rulelang.core.values import Value, ordered
from rulelang.diagnostics.english import spoken


# ------------------------------------------------------------------------------------------- types
def _item(rules: Declarations, args: tuple[Type, ...]) -> Type | None:
    inner = element(args[0])
    return OptionalT(inner) if inner is not None and inner != UNKNOWN else inner


def _measure(rules: Declarations, args: tuple[Type, ...]) -> Type | None:
    return NUMBER if element(args[0]) is not None or args[0] == SHAPE else None


def _numbers(rules: Declarations, args: tuple[Type, ...]) -> Type | None:
    inner = element(args[0])
    return NUMBER if inner is not None and fits(inner, NUMBER) else None


def _emptiness(rules: Declarations, args: tuple[Type, ...]) -> Type | None:
    return TRUTH if element(args[0]) is not None else None


def _union(rules: Declarations, args: tuple[Type, ...]) -> Type | None:
    inner = element(args[0])
    return inner if isinstance(inner, SetT | ListT) else None


# ---------------------------------------------------------------------------------- implementations
def _count(node: core.Builtin, game: Game) -> Function:
    if element(node.args[0].type) is None:
        return lambda s, shape: len(game.shape(shape))
    return lambda s, members: len(members)


def _sum(node: core.Builtin, game: Game) -> Function:
    return lambda s, numbers: sum(numbers)


def _largest(node: core.Builtin, game: Game) -> Function:
    return lambda s, numbers: max(numbers, default=0)


def _smallest(node: core.Builtin, game: Game) -> Function:
    return lambda s, numbers: min(numbers, default=0)


def _empty(node: core.Builtin, game: Game) -> Function:
    return lambda s, members: not members


def _first(node: core.Builtin, game: Game) -> Function:
    def first(s: Position, members: Collection[Value]) -> Value:
        return ordered(members)[0] if members else None

    return first


def _last(node: core.Builtin, game: Game) -> Function:
    def last(s: Position, members: Collection[Value]) -> Value:
        return ordered(members)[-1] if members else None

    return last


def _top(node: core.Builtin, game: Game) -> Function:
    pile = node.args[0]
    if isinstance(pile, core.Builtin) and pile.name == "on":
        return lambda s, stack: stack[-1] if stack else None
    return _first(node, game)


def _joined(node: core.Builtin, game: Game) -> Function:
    return lambda s, sets: frozenset(member for members in sets for member in members)


def _pair(node: core.Builtin, game: Game) -> Function:
    return lambda s, first, second: (first, second)


def _all(node: core.Builtin, game: Game) -> Function:
    t = element(node.type)
    assert t is not None
    if isinstance(t, SiteT):
        board, role = game.boards[t.board], t.role
        return lambda s, name: all_sites(s, board, role)
    members = frozenset(game.members(t))
    return lambda s, name: members


def _reads_of_all(node: core.Builtin, rules: Declarations) -> frozenset[str]:
    return TILES if isinstance(element(node.type), SiteT) else NOTHING_READ


def _all_in_words(node: core.Builtin, args: Sequence[str], rules: Declarations) -> str:
    t = element(node.type)
    if isinstance(t, PieceT):
        return rules.components[t.name].words[1]
    return f"all {spoken(args[0])}s"


RECORDS = (
    Builtin(
        name="count",
        arity=1,
        result=_measure,
        implement=_count,
        reads=NOTHING_READ,
        cost=STEP,
        written="count of x",
        meaning="how many members or, of a shape, cells",
        wording="the number of {0}",
        wanted=(SetT(UNKNOWN),),
        basis=Basis.ARGUMENTS,
        size_only=True,
    ),
    Builtin(
        name="sum",
        arity=1,
        result=_numbers,
        implement=_sum,
        reads=NOTHING_READ,
        cost=STEP,
        written="sum of x",
        meaning="the sum of numbers",
        wording="{0}'s sum",
        told="the sum of {0}",
        wanted=(SetT(NUMBER),),
        basis=Basis.ARGUMENTS,
    ),
    Builtin(
        name="largest",
        arity=1,
        result=_numbers,
        implement=_largest,
        reads=NOTHING_READ,
        cost=STEP,
        written="largest of x",
        meaning="the largest of numbers, 0 of none",
        wording="{0}'s largest",
        told="the largest of {0}",
        wanted=(SetT(NUMBER),),
        basis=Basis.ARGUMENTS,
    ),
    Builtin(
        name="smallest",
        arity=1,
        result=_numbers,
        implement=_smallest,
        reads=NOTHING_READ,
        cost=STEP,
        written="smallest of x",
        meaning="the smallest of numbers, 0 of none",
        wording="{0}'s smallest",
        told="the smallest of {0}",
        wanted=(SetT(NUMBER),),
        basis=Basis.ARGUMENTS,
    ),
    Builtin(
        name="empty",
        arity=1,
        result=_emptiness,
        implement=_empty,
        reads=NOTHING_READ,
        cost=STEP,
        written="x is empty",
        meaning="has no members",
        wording="{0} is empty",
        negated="{0} is not empty",
        basis=Basis.ARGUMENTS,
        size_only=True,
    ),
    Builtin(
        name="first",
        arity=1,
        result=_item,
        implement=_first,
        reads=NOTHING_READ,
        cost=STEP,
        written="first of x",
        meaning="the first of a list, or of a set in its stable order; none if empty",
        wording="{0}'s first",
        told="the first of {0}",
        wanted=(SetT(UNKNOWN),),
        basis=Basis.ARGUMENTS,
    ),
    Builtin(
        name="last",
        arity=1,
        result=_item,
        implement=_last,
        reads=NOTHING_READ,
        cost=STEP,
        written="last of x",
        meaning="the last of a list, or of a set in its stable order; none if empty",
        wording="{0}'s last",
        told="the last of {0}",
        wanted=(SetT(UNKNOWN),),
        basis=Basis.ARGUMENTS,
    ),
    Builtin(
        name="top",
        arity=1,
        result=_item,
        implement=_top,
        reads=NOTHING_READ,
        cost=STEP,
        written="top of x",
        meaning="the piece on top: the first of a pile, the last laid on a stack of a site",
        wording="{0}'s top",
        told="the top of {0}",
    ),
    Builtin(
        name="joined",
        arity=1,
        result=_union,
        implement=_joined,
        reads=NOTHING_READ,
        cost=STEP,
        written="joined(x)",
        meaning="all members of the members of a set of sets",
        wording="{0}'s joined",
        told="all of {0} together",
    ),
    Builtin(
        name="pair",
        arity=2,
        result=None,
        implement=_pair,
        reads=NOTHING_READ,
        cost=STEP,
        written="",
        meaning="a pair of two values: what the name of a pair type makes",
        wording="pair of {0} and {1}",
        told="{0} with {1}",
    ),
    Builtin(
        name="all",
        arity=1,
        result=None,
        implement=_all,
        reads=_reads_of_all,
        cost=WIDE,
        written="",
        meaning="all members of a finite type: what a plural stands for",
        wording=_all_in_words,
        basis=Basis.MEMBERS,
        never_none=True,
    ),
)
