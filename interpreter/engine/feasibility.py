"""Looking ahead: what a choice may be made from, and whether what follows can be completed.

Only as far as nothing changes the position: beyond that nothing is foreseen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from interpreter.engine.clauses import Rules
from interpreter.engine.walker import Asked, Place, Proposed, Walker
from interpreter.evaluator.expressions import Env
from interpreter.model.memo import ANY_CHANGE
from interpreter.model.position import Position
from interpreter.model.symmetry import distinct
from rulelang import core
from rulelang.core.identity import IdentityMap
from rulelang.core.types import PieceT, Type
from rulelang.core.values import Value, ordered

Domain: TypeAlias = Callable[[Position, Env], tuple[Value, ...]]
Completion: TypeAlias = Callable[[Position, Env], bool]


class Lookahead:
    """Tells which members, actions and ends can still be reached from a position."""

    def __init__(self, rules: Rules, plain: Callable[[], Lookahead]) -> None:
        """The rules judge what is met; `plain` does so as the reference does."""
        self.rules, self.setup, self.walker = rules, rules.setup, Walker(rules)
        self.plain = plain
        self._members: IdentityMap[core.Choose, Domain] = IdentityMap()
        self._viable: dict[int, IdentityMap[core.Body, Completion]] = {}

    def members(self, s: Position, env: Env, stmt: core.Choose) -> tuple[Value, ...]:
        """The members of a choice's domain that meet its filter, in the stable order."""
        if self.rules.generated is not None:
            domain = self._members.get(stmt)
            if domain is None:
                made = self.rules.generated.members(stmt)
                domain = self.rules.asked(made, lambda s, env: self.plain().members(s, env, stmt))
                self._members.keep(stmt, domain)
            return domain(s, env)
        cond, inner = self.rules.func(stmt.cond), dict(env)
        found = []
        for item in ordered(self.rules.members(stmt.domain, s, env)):
            inner[stmt.var] = item
            if cond(s, inner):
                found.append(item)
        return tuple(found)

    def distinct(self, s: Position, items: Iterable[Value], item: Type) -> Iterator[Value]:
        """Of equal pieces in the same unordered public place only the first."""
        return distinct(s, items) if isinstance(item, PieceT) else iter(items)

    def candidates(self, s: Position, env: Env, stmt: core.Choose) -> Iterator[Value]:
        """The members of a choice, of pieces that nothing tells apart only the first."""
        return self.distinct(s, self.members(s, env, stmt), stmt.item)

    def offered(self, s: Position, name: str, player: int) -> bool:
        """Does the action's guard hold, and can it be completed as far as can be foreseen?"""
        procedure = self.setup.rules.procedures[name]
        if procedure.clause in self.rules.without:
            return False
        key, memo = ("offered", name, player), s.memo(ANY_CHANGE)
        found = memo.get(key)
        if found is None:
            place = self.walker.procedure(name, (player,))
            guard = procedure.guard is None or self.rules.holds(s, procedure.guard, place.scope)
            found = memo[key] = guard and self.viable(s, place)
        return bool(found)

    def viable(self, s: Position, place: Place) -> bool:
        """Can a body be completed from here, as far as nothing changes the position?

        Then its choices have options, and the event it comes to is accepted.
        """
        if self.rules.generated is not None:
            return self._completion(place.body, place.pc)(s, place.scope)
        met = self.walker.meet(s, place)
        if isinstance(met, Proposed):
            return self.rules.accepts(s, met.event, met.values)
        if isinstance(met, Asked) and isinstance(met.stmt, core.Choose):
            return self._answerable(s, met.at, met.stmt)
        return True

    def _completion(self, body: core.Body, pc: int) -> Completion:
        """The generated answer to `viable`."""
        assert self.rules.generated is not None
        known = self._viable.setdefault(pc, IdentityMap())
        found = known.get(body)
        if found is None:
            found = self.rules.asked(
                self.rules.generated.viable(body, pc),
                lambda s, env: self.plain().viable(s, Place(body, pc, env)),
            )
            known.keep(body, found)
        return found

    def _answerable(self, s: Position, at: Place, stmt: core.Choose) -> bool:
        """Has a choice an option from which the rest can be completed?"""
        if stmt.mode == "one":
            return any(
                self.viable(s, at.naming(stmt.var, item))
                for item in self.candidates(s, at.scope, stmt)
            )
        if stmt.low is None or stmt.mode == "order":
            return True
        low = self.rules.number(stmt.low, s, at.scope)
        return low <= 0 or len(self.members(s, at.scope, stmt)) >= low
