"""What can count at all in a game as it is set up: what settings and the pieces in play shut out is not missed when bots never see it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.game.game import Game
from interpreter.model.position import empty_position
from rulelang import core
from rulelang.core.types import PieceT

Known = dict[str, Any]


def lasting(game: Game) -> frozenset[str]:
    """The sentences that say once for all what their cards are; they hold from the outset, wherever the card is in play."""
    reads = game.rules.needs.reads
    return frozenset(
        e.clause
        for e in game.rules_source.extensions
        if e.kind == "define" and not reads.of("define", e.target)
    )


def shut_out(game: Game) -> frozenset[str]:
    """Ends, latches, reactions and actions that cannot come up, whatever is played: settings are against them, or no piece in play is what they ask for."""
    return _Settled(game).shut_out()


class _Settled:
    """What is known of conditions before a game begins, from its settings and the fields of its pieces."""

    def __init__(self, game: Game) -> None:
        self.game, self.rules = game, game.rules_source
        self.start = empty_position(game.setup, 0)
        self.reads = game.rules.needs.reads

    def shut_out(self) -> frozenset[str]:
        """The clauses of what cannot be."""
        rules = self.rules
        ends, others = (
            [(x.clause, x.cond) for x in rules.endings],
            [(x.clause, x.cond) for x in rules.latches],
        )
        conditions = [*ends, *others, *((x.clause, x.cond) for x in rules.reactions)]
        never = [
            clause
            for clause, cond in conditions
            if cond is not None and self.truth(cond, {}) is False
        ]
        reached = self._reached()
        return frozenset(
            [
                *never,
                *(
                    p.clause
                    for p in rules.procedures.values()
                    if p.is_action and p.name not in reached
                ),
            ]
        )

    # ---------------------------------------------------------------------------------------- conditions
    def truth(self, cond: core.Expr, known: Known) -> bool | None:
        """Is the condition so, whatever is played? None where that depends."""
        if isinstance(cond, core.All | core.Any):
            found = [self.truth(part, known) for part in cond.of]
            decisive = isinstance(cond, core.Any)
            if decisive in found:
                return decisive
            return None if None in found else not decisive
        if isinstance(cond, core.Not):
            inner = self.truth(cond.of, known)
            return None if inner is None else not inner
        if isinstance(cond, core.Apply) and not cond.args:
            first = self.rules.definitions[cond.define].cases[0]
            if first.cond is None and not first.slot and first.value is not None:
                return self.truth(first.value, {})
        if self.reads.all([cond]) or not _free(cond) <= known.keys():
            return None
        return self.game.rules.holds(self.start, cond, known)

    # ---------------------------------------------------------------------------------------- actions
    def _reached(self) -> set[str]:
        """The procedures and actions that some game may come to."""
        found: set[str] = set()
        left = list(self._called(self.rules.flow))
        while left:
            name = left.pop()
            procedure = self.rules.procedures.get(name)
            if procedure is None or name in found:
                continue
            if procedure.guard is not None and self.truth(procedure.guard, {}) is False:
                continue
            if procedure.is_action and not self._has_choices(procedure.body):
                continue
            found.add(name)
            left += self._called(procedure.body)
        return found

    def _called(self, body: core.Body) -> Iterator[str]:
        """What the statements call or offer, but for branches that are never taken."""
        for stmt in body:
            if isinstance(stmt, core.If):
                so = self.truth(stmt.cond, {})
                yield from self._called(stmt.then if so is not False else ())
                yield from self._called(stmt.other if so is not True else ())
                continue
            if isinstance(stmt, core.Take):
                yield from stmt.actions
            elif isinstance(stmt, core.Do):
                yield stmt.target
            inner = getattr(stmt, "body", ())
            yield from self._called(inner)

    def _has_choices(self, body: core.Body) -> bool:
        """Is there a piece in play for each choice the action begins with?"""
        for stmt in body:
            if (
                isinstance(stmt, core.Choose)
                and stmt.mode == "one"
                and isinstance(stmt.item, PieceT)
            ):
                pieces = self.game.setup.by_component.get(stmt.item.name, ())
                if all(self.truth(stmt.cond, {stmt.var: piece}) is False for piece in pieces):
                    return False
            if not isinstance(stmt, core.Choose | core.Let):
                break
        return True


def _free(expr: core.Expr) -> set[str]:
    """The names an expression does not bind itself."""
    used: set[str] = set()
    bound: set[str] = set()

    def walk(item: Any) -> None:
        if isinstance(item, tuple | list):
            for part in item:
                walk(part)
        elif isinstance(item, core.Expr):
            if isinstance(item, core.Var):
                used.add(item.name)
            bound.update(
                str(name)
                for name in (getattr(item, "var", None), getattr(item, "so_far", None))
                if name
            )
            walk([value for name, value in item.__dict__.items() if name not in ("type", "span")])

    walk(expr)
    return used - bound
