"""How much a position lacks for an event: what its rules ask for and is not so, counted by parts.

A condition for every member of a set lacks as much as all its members do, a comparison of numbers
their difference; what has no parts lacks one where it does not hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from interpreter.game.game import Game
from interpreter.model.position import Position
from interpreter.model.values import Fault
from rulelang import core
from rulelang.core.types import PLAYER, TRUTH, PieceT
from rulelang.core.values import Value
from rulelang.ruleset import Extension, Procedure

MOST_PLACES = 240  # for one piece that are looked at
MOST = 9  # that one comparison may lack

Env = Mapping[str, Value]


@dataclass(frozen=True)
class Aim:
    """An event with a piece and a place that an action would come to."""

    event: str
    values: tuple[Value, ...]


def aims(game: Game, s: Position, player: int, piece: int, sort: PieceT) -> Iterator[Aim]:
    """The events that actions would come to if a player chose this piece, wherever it goes."""
    for procedure in game.rules_source.procedures.values():
        if procedure.is_action:
            try:
                yield from islice(_aims(game, s, procedure, player, piece, sort), MOST_PLACES)
            except (Fault, KeyError, ValueError, TypeError):
                continue


def _aims(
    game: Game, s: Position, procedure: Procedure, player: int, piece: int, sort: PieceT
) -> Iterator[Aim]:
    first = next((name for name, t in procedure.params if t == PLAYER), "")
    envs: list[dict[str, Value]] = [{first: player}]
    chosen = False
    for stmt in procedure.body:
        match stmt:
            case core.Choose(mode="one") if not chosen:
                if not _gives(stmt, sort):
                    return
                envs, chosen = [{**env, stmt.var: piece} for env in envs], True
            case core.Choose(mode="one"):
                envs = [
                    {**env, stmt.var: value}
                    for env in envs
                    for value in islice(game.rules.members(stmt.domain, s, env), MOST_PLACES)
                ]
            case core.Do() if chosen and stmt.target in game.rules_source.events:
                for env in envs:
                    yield Aim(stmt.target, tuple(game.rules.value(a, s, env) for a in stmt.args))
                return
            case _:
                return


def _gives(stmt: core.Choose, sort: PieceT) -> bool:
    """Are the members of a choice pieces of this sort?"""
    return getattr(stmt.domain.type, "of", None) == sort


def short_of(
    game: Game, s: Position, aim: Aim, but: str = "", also: Sequence[Extension] = ()
) -> int:
    """How much is lacking for an event by its rules, all but the sentence `but`, and for what the
    lines of `also` ask."""
    found = 0
    for failure in game.rules.failures(s, aim.event, aim.values):
        if but in (failure.rule.clause, *failure.also):
            continue
        env = dict(failure.env)
        found += 1 if failure.rule.need is None else lacking(game, s, failure.rule.need, env)
    for extension in also:
        found += min((lacking(game, s, c, e) for c, e in _asked(game, aim, extension)), default=0)
    return found


def _asked(game: Game, aim: Aim, extension: Extension) -> Iterator[tuple[core.Expr, Env]]:
    """What the lines of a sentence ask for, with what its table would be asked of."""
    table = game.rules_source.tables.get(extension.target)
    params = game.rules_source.events[aim.event].params
    if table is None or [t for _, t in table.params] != [t for _, t in params]:
        return
    env = dict(zip((name for name, _ in table.params), aim.values, strict=True))
    sort = PieceT(extension.component)
    env["card"] = next((v for (_, t), v in zip(params, aim.values, strict=True) if t == sort), None)
    env["you"] = next(
        (v for (_, t), v in zip(params, aim.values, strict=True) if t == PLAYER), None
    )
    for line in extension.lines:
        if line.cond is not None:
            yield line.cond, env


def lacking(game: Game, s: Position, expr: core.Expr, env: Env) -> int:
    """How much is lacking for a condition; nothing if it holds."""
    scope = dict(env)
    if game.rules.holds(s, expr, scope):
        return 0
    match expr:
        case core.All():
            return sum(lacking(game, s, part, env) for part in expr.of)
        case core.Any():
            return min((lacking(game, s, part, env) for part in expr.of), default=1)
        case core.Forall():
            each = game.rules.members(expr.domain, s, scope)
            return sum(lacking(game, s, expr.cond, {**env, expr.var: one}) for one in each)
        case core.Compare(op=">=" | ">" | "<=" | "<"):
            return _apart(game, s, expr, scope)
        case core.Apply(type=t) if t == TRUTH:
            return _by_definition(game, s, expr, scope)
    return 1


def _by_definition(game: Game, s: Position, expr: core.Apply, env: dict[str, Value]) -> int:
    """How much is lacking for what a definition of one case says."""
    known = game.rules_source.definitions[expr.define]
    (case, *more) = known.cases
    if more or case.cond is not None or case.value is None or case.slot is not None:
        return 1
    given = (game.rules.value(arg, s, env) for arg in expr.args)
    named = dict(zip((name for name, _ in known.params), given, strict=True))
    return max(1, lacking(game, s, case.value, named))


def _apart(game: Game, s: Position, expr: core.Compare, env: dict[str, Value]) -> int:
    left, right = (game.rules.value(side, s, env) for side in (expr.left, expr.right))
    if isinstance(left, int) and isinstance(right, int):
        return max(1, min(MOST, abs(left - right)))
    return 1
