"""Reachability of clauses under given settings, before any play.

Which ends, reactions, latches and actions can come up at all with these options and pieces, so
that a simulation does not report as missing what could never happen.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.game.game import Game
from interpreter.model.position import empty_position
from rulelang import core
from rulelang.core.types import PieceT
from rulelang.core.values import Value
from rulelang.ruleset import Ending, Latch, Reaction

Known = dict[str, Value]

COUNTED = (
    "line",
    "sentence",
    "action",
    "end",
    "reaction",
    "latch",
)  # clauses that some game should see


def lasting(game: Game) -> frozenset[str]:
    """The sentences that define their card once for all: they hold wherever it is in play."""
    reads = game.rules.reads
    return frozenset(
        e.clause
        for e in game.rules_source.extensions
        if e.kind == "define" and not reads.of("define", e.target)
    )


def shut_out(game: Game) -> frozenset[str]:
    """The clauses of ends, latches, reactions and actions that cannot come up in this game.

    The settings are against them, or no piece in play is what they ask for.
    """
    return _BeforePlay(game).shut_out()


def never_fired(game: Game, fired: set[str]) -> list[str]:
    """The clauses that could count in this game and are not among those that did.

    They are table lines, actions, ends, reactions, latches and sentences of cards in play. A
    clause that the settings make impossible, or that asks for a piece that is not in play, is
    not missed.
    """
    known = fired | shut_out(game)
    return [
        c.id
        for c in game.rules_source.clauses.values()
        if c.kind in COUNTED and not c.owner.startswith("pattern") and c.id not in known
    ]


class _BeforePlay:
    """Partial evaluation of conditions before play, from settings and the fields of pieces."""

    def __init__(self, game: Game) -> None:
        self.game, self.rules = game, game.rules_source
        self.start = empty_position(game.setup, 0)
        self.reads = game.rules.reads

    def shut_out(self) -> frozenset[str]:
        """The clauses that cannot come up, whatever is played."""
        rules = self.rules
        conditional: tuple[Ending | Latch | Reaction, ...] = (
            *rules.endings,
            *rules.latches,
            *rules.reactions,
        )
        never = {
            known.clause
            for known in conditional
            if known.cond is not None and self.truth(known.cond, {}) is False
        }
        reached = self._reached()
        unreached = {
            known.clause
            for known in rules.procedures.values()
            if known.is_action and known.name not in reached
        }
        return frozenset(never | unreached)

    # ---------------------------------------------------------------------------- conditions
    def truth(self, cond: core.Expr, known: Known) -> bool | None:
        """The truth of a condition that holds whatever is played; none where that depends."""
        if isinstance(cond, core.All | core.Any):
            return self._joined(cond, known)
        if isinstance(cond, core.Not):
            inner = self.truth(cond.of, known)
            return None if inner is None else not inner
        if isinstance(cond, core.Apply) and not cond.args:
            first = self.rules.definitions[cond.define].cases[0]
            if first.cond is None and not first.slot and first.value is not None:
                return self.truth(first.value, {})
        if self.reads.all([cond]) or not core.free_names(cond) <= known.keys():
            return None
        return self.game.rules.holds(self.start, cond, known)

    def _joined(self, cond: core.All | core.Any, known: Known) -> bool | None:
        found = [self.truth(part, known) for part in cond.of]
        decisive = isinstance(cond, core.Any)
        if decisive in found:
            return decisive
        return None if None in found else not decisive

    # ------------------------------------------------------------------------------- actions
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
        """The procedures that statements call or offer, without branches never taken."""
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
        """Whether there is a piece in play for each choice the action begins with."""
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
