"""Looking ahead: what a choice may be made from, and whether what follows it can be completed as far as nothing changes the position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from interpreter.engine.machine import Machine
from interpreter.evaluator.expressions import Env
from interpreter.model.position import Position
from interpreter.model.symmetry import distinct, twin
from rulelang import core
from rulelang.core.types import PieceT, Type
from rulelang.core.values import ordered

Value = Any


class Lookahead:
    """Tells which members, actions and ends can still be reached from a position."""

    def __init__(self, machine: Machine) -> None:
        """Decisions are read from the machine's frames."""
        self.machine, self.rules = machine, machine.rules
        self.setup = machine.setup

    def members(self, s: Position, env: Env, stmt: core.Choose) -> tuple[Value, ...]:
        """The members of a choice's domain that meet its filter, in the stable order."""
        if self.rules.generated is not None:
            known: tuple[Value, ...] = self.rules.generated.members(stmt)(s, env)
            return known
        func = self.rules.evaluator.func
        inner = dict(env)
        cond = func(stmt.cond)
        found = []
        for item in ordered(func(stmt.domain)(s, inner)):
            inner[stmt.var] = item
            if cond(s, inner):
                found.append(item)
        return tuple(found)

    def distinct(self, s: Position, items: Iterable[Value], item: Type) -> Iterator[Value]:
        """Of pieces that nothing tells apart (equal design, same unordered public place) only the first."""
        return distinct(s, items) if isinstance(item, PieceT) else iter(items)

    def twin(self, s: Position, piece: Value) -> Any:
        """What equal pieces have in common."""
        return twin(s, piece)

    def offered(self, s: Position, name: str, player: int) -> bool:
        """Does the action's guard hold, and can it be completed as far as can be foreseen?"""
        procedure = self.setup.rules.procedures[name]
        if procedure.clause in self.rules.without:
            return False
        key = ("offered", name, player)
        found = s.memo(0).get(key)
        if found is None:
            env = {procedure.params[0][0]: player}
            guard = procedure.guard is None or self.rules.holds(s, procedure.guard, env)
            found = s.memo(0)[key] = guard and self.viable(s, procedure.body, 0, env)
        return bool(found)

    def viable(self, s: Position, body: core.Body, pc: int, env: Env) -> bool:
        """Can the rest of this block be completed, as far as nothing changes the position? Its choices must have options, its event be accepted."""
        if self.rules.generated is not None:
            return bool(self.rules.generated.viable(body, pc)(s, env))
        func = self.rules.evaluator.func
        while pc < len(body):
            stmt = body[pc]
            if stmt.clause is not None and stmt.clause in self.rules.without:
                pc += 1
                continue
            if isinstance(stmt, core.Let):
                env[stmt.var] = func(stmt.value)(s, env)
            elif isinstance(stmt, core.Choose):
                if stmt.mode != "one":
                    low = (
                        func(stmt.low)(s, dict(env))
                        if stmt.low is not None and stmt.mode == "some"
                        else 0
                    )
                    return low <= 0 or len(self.members(s, env, stmt)) >= low
                inner = dict(env)
                for item in self.distinct(s, self.members(s, env, stmt), stmt.item):
                    inner[stmt.var] = item
                    if self.viable(s, body, pc + 1, dict(inner)):
                        return True
                return False
            elif isinstance(stmt, core.If):
                chosen = stmt.then if func(stmt.cond)(s, env) else stmt.other
                if chosen:
                    return self.viable(s, chosen, 0, env)
            elif isinstance(stmt, core.Do):
                values = tuple([func(a)(s, dict(env)) for a in stmt.args])
                if stmt.target in self.setup.rules.events:
                    return self.rules.accepts(s, stmt.target, values)
                procedure = self.setup.rules.procedures[stmt.target]
                return self.viable(
                    s,
                    procedure.body,
                    0,
                    dict(zip([p for p, _ in procedure.params], values, strict=True)),
                )
            else:
                return True
            pc += 1
        return True

    def maximizing(self, s: Position) -> tuple[int, int] | None:
        """The innermost open `maximize` block as (activation, block), counted from 1; none if there is none."""
        for a in range(len(s.stack) - 1, -1, -1):
            for b in range(len(s.stack[a].blocks) - 1, -1, -1):
                if s.stack[a].blocks[b].kind == "maximize":
                    return a + 1, b + 1
        return None
