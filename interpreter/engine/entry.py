"""Entering the flow in the middle: the frames that stand open when play has come to a certain
procedure or action, found in what is written.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from interpreter.engine.machine import Machine
from interpreter.model.errors import InputError
from interpreter.model.position import Activation, Block, Position
from interpreter.model.values import Fault
from rulelang import core
from rulelang.core.types import PLAYER, Type
from rulelang.core.values import Value, ordered

MOST_VISITED = 20_000  # statements looked at on the way through the flow

Scope = dict[str, Value]


@dataclass(frozen=True)
class Way:
    """A way through the flow so far: open frames above this one, and what stands against it.

    `outer` are the frames that called this one, `blocks` those of this frame that are open around
    the body looked at. `doubts` counts the conditions on the way that do not hold now.
    """

    outer: tuple[Activation, ...]
    name: str
    scope: Scope
    blocks: tuple[Block, ...]
    result: str | None = None
    doubts: int = 0

    def into(self, block: Block, pc: int, named: Scope | None = None, doubt: bool = False) -> Way:
        """The way into a block held by the statement at `pc` of the innermost block."""
        *before, last = self.blocks
        blocks = (*before, replace(last, pc=pc + 1), block)
        scope = {**self.scope, **(named or {})}
        return replace(self, blocks=blocks, scope=scope, doubts=self.doubts + doubt)

    def frames(self, pc: int) -> list[Activation]:
        """The frames of a play that goes on with the statement at `pc` of the innermost block."""
        *before, last = self.blocks
        blocks = [*before, replace(last, pc=pc)]
        here = Activation(self.name, self.scope, blocks, self.result)
        return [act.copy() for act in (*self.outer, here)]


def enter(machine: Machine, s: Position, name: str, values: tuple[Value, ...]) -> None:
    """Open the flow where it does a procedure with these values, or lets a player take an action.

    Loops go on from there as if they had come there: `each p in turn` with the players after him.
    Raises InputError where the flow comes to it nowhere, or in several places alike.
    """
    search = _Search(machine, s, name, values)
    start = Way((), "flow", {}, (Block(machine.numbered.flow),))
    found = list(search.places(start))
    types = [t for _, t in machine.ruleset.procedures[name].params]
    said = f"{name}({', '.join(map(_said, values, types))})"
    if not found:
        raise InputError(f"the flow does not come to {said}")
    least = min(way.doubts for way, _ in found)
    best = [(way, pc) for way, pc in found if way.doubts == least]
    lines = sorted({machine.bodies[way.blocks[-1].body][pc].span.line for way, pc in best})
    if len(best) > 1:
        where = ", ".join(map(str, lines))
        raise InputError(f"the flow comes to {said} in {len(best)} ways, at line {where}")
    way, pc = best[0]
    s.stack = way.frames(pc)


def _said(value: Value, t: Type) -> str:
    return f"p{value + 1}" if t == PLAYER and isinstance(value, int) else str(value)


@dataclass
class _Search:
    """Looks for the places of a procedure or action; bounded by the statements it visits."""

    machine: Machine
    s: Position
    name: str
    values: tuple[Value, ...]
    visited: int = 0

    def places(self, way: Way) -> Iterator[tuple[Way, int]]:
        """Where the wanted procedure or action stands from the innermost block on."""
        number = way.blocks[-1].body
        scope = dict(way.scope)
        for pc, stmt in enumerate(self.machine.bodies[number]):
            self.visited += 1
            if self.visited > MOST_VISITED:
                raise InputError(f"{MOST_VISITED} statements were looked at; not decided")
            here = replace(way, scope=dict(scope))
            bound = self._wanted(stmt, here.scope)
            if bound is not None:
                yield replace(here, scope=bound), pc
            else:
                yield from self._inside(here, stmt, pc)
            self._name(stmt, scope)

    def _wanted(self, stmt: core.Stmt, scope: Scope) -> Scope | None:
        """What is in scope where the statement is the one wanted: a name that is given no value
        before has the value that is asked for.
        """
        if isinstance(stmt, core.Do) and stmt.target == self.name:
            args = stmt.args
        elif isinstance(stmt, core.Take) and self.name in stmt.actions:
            args = (stmt.by,)
        else:
            return None
        bound = dict(scope)
        for arg, value in zip(args, self.values, strict=True):
            if isinstance(arg, core.Var) and arg.name not in bound:
                bound[arg.name] = value
            elif self._value(arg, bound) != value:
                return None
        return bound

    def _value(self, expr: core.Expr, scope: Scope) -> Value | Exception:
        """The value here; or the error, where it asks for what is not settled yet."""
        try:
            return self.machine.rules.value(expr, self.s, scope)
        except (KeyError, Fault) as error:
            return error

    def _name(self, stmt: core.Stmt, scope: Scope) -> None:
        """Give the name that a statement gives a value to, for those after it."""
        if isinstance(stmt, core.Let):
            value = self._value(stmt.value, scope)
            if not isinstance(value, Exception):
                scope[stmt.var] = value
        elif isinstance(stmt, core.Chance):
            self.machine.effects.perform_statement(self.s.copy(), scope, stmt)

    def _inside(self, way: Way, stmt: core.Stmt, pc: int) -> Iterator[tuple[Way, int]]:
        """Where the wanted one stands inside a statement."""
        try:
            for inner in self._ways(way, stmt, pc):
                yield from self.places(inner)
        except KeyError:  # it goes by what players have not decided
            return

    def _ways(self, way: Way, stmt: core.Stmt, pc: int) -> Iterator[Way]:
        """The ways into what a statement holds."""
        rules, number = self.machine.rules, way.blocks[-1].body
        match stmt:
            case core.If():
                holds = rules.holds(self.s, stmt.cond, way.scope)
                for part, doubt in (("then", not holds), ("other", holds)):
                    block = Block(self.machine.numbered.inside(number, pc, part))
                    yield way.into(block, pc, doubt=doubt)
            case core.ForEach():
                members = tuple(ordered(rules.members(stmt.domain, self.s, way.scope)))
                yield from self._members(way, stmt, pc, members)
            case core.Each():
                if stmt.mode == "in turn":
                    yield from self._turns(way, stmt, pc)
            case core.Repeat() | core.May() | core.Maximize():
                yield self._again(way, stmt, pc)
            case core.Do():
                yield from self._called(way, stmt, pc)
            case _:
                return

    def _members(
        self, way: Way, stmt: core.ForEach, pc: int, members: tuple[Value, ...]
    ) -> Iterator[Way]:
        """The ways into a loop, with each member: in its order, or chosen before all others."""
        inside = self.machine.numbered.inside(way.blocks[-1].body, pc)
        by = () if stmt.by is None else (self.machine.rules.value(stmt.by, self.s, way.scope),)
        for index, member in enumerate(members):
            rest = members[index + 1 :] if not by else tuple(x for x in members if x != member)
            block = Block(inside, 0, "choice" if by else "each", (stmt.var, rest, *by))
            yield way.into(block, pc, {stmt.var: member})

    def _turns(self, way: Way, stmt: core.Each, pc: int) -> Iterator[Way]:
        """The ways into turns, with each player: those after him are still to come."""
        inside = self.machine.numbered.inside(way.blocks[-1].body, pc)
        count = self.machine.setup.players
        start = 0 if stmt.start is None else self._value(stmt.start, way.scope)
        first = start if isinstance(start, int) else 0
        order = tuple((first + i) % count for i in range(count))
        for index, player in enumerate(order):
            block = Block(inside, 0, "each", (stmt.var, order[index + 1 :]))
            yield way.into(block, pc, {stmt.var: player})

    def _again(self, way: Way, stmt: core.Repeat | core.May | core.Maximize, pc: int) -> Way:
        """The way into what is done again, perhaps, or as well as can be."""
        number = way.blocks[-1].body
        inside = self.machine.numbered.inside(number, pc)
        if isinstance(stmt, core.Maximize):
            return way.into(Block(inside, 0, "maximize", (inside,)), pc)
        if isinstance(stmt, core.May):
            return way.into(Block(inside), pc)
        if stmt.times is not None:
            times = self.machine.rules.number(stmt.times, self.s, way.scope)
            return way.into(Block(inside, 0, "times", (times,)), pc, doubt=times < 1)
        if stmt.cond is not None:
            holds = self.machine.rules.holds(self.s, stmt.cond, way.scope)
            return way.into(Block(inside, 0, "while", (number, pc)), pc, doubt=not holds)
        return way.into(Block(inside, 0, "forever"), pc)

    def _called(self, way: Way, stmt: core.Do, pc: int) -> Iterator[Way]:
        """The way into a procedure that is called."""
        known = self.machine.ruleset.procedures.get(stmt.target)
        if known is None or any(act.name == stmt.target for act in way.outer):
            return
        values = [self.machine.rules.value(arg, self.s, way.scope) for arg in stmt.args]
        scope = dict(zip((name for name, _ in known.params), values, strict=True))
        caller = way.frames(pc + 1)
        body = Block(self.machine.numbered.procedures[stmt.target])
        yield Way(tuple(caller), stmt.target, scope, (body,), stmt.result, way.doubts)
