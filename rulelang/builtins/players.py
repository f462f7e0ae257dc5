"""Built-in words about players and about what has happened."""

from __future__ import annotations

from rulelang import core
from rulelang.builtins.record import ANYTHING_READ, NOTHING_READ, STEP, Builtin, Function
from rulelang.builtins.world import Declarations, Game
from rulelang.core.types import PLAYER, TEXT, TRUTH, Type, fits


def _neighbor(rules: Declarations, args: tuple[Type, ...]) -> Type | None:
    return PLAYER if fits(args[0], PLAYER) else None


def _happened(rules: Declarations, args: tuple[Type, ...]) -> Type | None:
    return TRUTH if args[0] == TEXT else None


def _left(node: core.Builtin, game: Game) -> Function:
    return lambda s, player: (player + 1) % game.players


def _right(node: core.Builtin, game: Game) -> Function:
    return lambda s, player: (player - 1) % game.players


def _ever(node: core.Builtin, game: Game) -> Function:
    return lambda s, name: name in s.ever


RECORDS = (
    Builtin(
        name="left",
        arity=1,
        result=_neighbor,
        implement=_left,
        reads=NOTHING_READ,
        cost=STEP,
        written="x's left",
        meaning="the next player clockwise",
        wording="{0}'s left",
        told="the player to the left of {0}",
    ),
    Builtin(
        name="right",
        arity=1,
        result=_neighbor,
        implement=_right,
        reads=NOTHING_READ,
        cost=STEP,
        written="x's right",
        meaning="the previous player",
        wording="{0}'s right",
        told="the player to the right of {0}",
    ),
    Builtin(
        name="ever",
        arity=1,
        result=_happened,
        implement=_ever,
        reads=ANYTHING_READ,
        cost=STEP,
        written="ever(x)",
        meaning="has this latch or end ever come true",
        wording="{0} is ever",
        negated="{0} is not ever",
    ),
)
