"""The machine: runs statements from data alone (bodies by number, frames in the position), stopping wherever somebody must decide."""

from __future__ import annotations

from typing import Any

from interpreter.engine.clauses import Rules
from interpreter.engine.events import Effects
from interpreter.model.mutations import MAX_STEPS
from interpreter.model.position import Activation, Block, Position
from interpreter.model.values import Fault
from rulelang import core
from rulelang.core import Body
from rulelang.core.types import Type
from rulelang.core.values import ordered

Value = Any


class Machine(Effects):
    """Runs positions of one game."""

    def __init__(self, rules: Rules) -> None:
        """Bodies are numbered in the order of the ruleset, so that a frame is data."""
        super().__init__(rules)
        self.bodies: list[Body] = []
        self.numbers: dict[int, int] = {}
        self.maximized: dict[int, core.Maximize] = {}
        self.bound: list[tuple[str, ...]] = []  # the names that statements of a body give values to
        self.items: dict[int, Type] = {}  # the body of a `for each` -> what its members are
        self.loops: dict[int, core.Each] = {}  # the body of an `each` -> the statement
        self._number(self.ruleset.flow)
        for procedure in self.ruleset.procedures.values():
            self._number(procedure.body)
        for latch in self.ruleset.latches:
            self._number(latch.body)

    def _number(self, body: Body) -> int:
        known = self.numbers.get(id(body))
        if known is not None:
            return known
        number = self.numbers[id(body)] = len(self.bodies)
        self.bodies.append(body)
        self.bound.append(tuple(name for stmt in body for name in _given(stmt)))
        for stmt in body:
            for name in ("then", "other", "body"):
                inner = getattr(stmt, name, None)
                if isinstance(inner, tuple):
                    self._number(inner)
            if isinstance(stmt, core.Maximize):
                self.maximized[self.numbers[id(stmt.body)]] = stmt
            if isinstance(stmt, core.ForEach):
                self.items[self.numbers[id(stmt.body)]] = stmt.item
            elif isinstance(stmt, core.Each):
                self.loops[self.numbers[id(stmt.body)]] = stmt
        return number

    def number(self, body: Body) -> int:
        """The number of a body; bodies of scenarios are numbered when first met."""
        return self.numbers[id(body)] if id(body) in self.numbers else self._number(body)

    # ---------------------------------------------------------------------------------------- running
    def begin(self, s: Position) -> None:
        """Open the flow."""
        s.stack = [Activation("flow", {}, [Block(self.number(self.ruleset.flow))])]

    def call(
        self, s: Position, name: str, values: tuple[Value, ...], result: str | None = None
    ) -> None:
        """Open a procedure or action."""
        procedure = self.ruleset.procedures[name]
        self.rules.touch(procedure.clause)
        self.rules.fired.add(procedure.clause)
        env = dict(zip([p for p, _ in procedure.params], values, strict=True))
        s.stack.append(Activation(name, env, [Block(self.number(procedure.body))], result))

    def run(self, s: Position, floor: tuple[int, int] | None = None) -> None:
        """Run until somebody must decide, the game is over, or (for a search) the block at `floor` is closed."""
        steps = 0
        while s.ended is None and s.stack:
            if floor is not None and (len(s.stack), len(s.stack[-1].blocks)) < floor:
                return
            if s.branches:
                if not self._join(s):
                    return
                continue
            act = s.stack[-1]
            if not act.blocks:
                self._return(s)
                continue
            block = act.blocks[-1]
            body = self.bodies[block.body]
            if block.pc >= len(body):
                if self._close(s, act, block):
                    return
                continue
            stmt = body[block.pc]
            s.learned = s.learned or self.disclosures.shows(stmt, act.env, self.actor)
            if self.waits(stmt):
                if stmt.clause not in self.rules.without:
                    if not (isinstance(stmt, core.Choose) and self.empty_choice(s, act, stmt)):
                        return
                    act.env[stmt.var] = () if stmt.mode == "order" else frozenset()
                block.pc += 1
                continue
            steps += 1
            if steps > MAX_STEPS:
                raise Fault(
                    f"{MAX_STEPS} steps without a decision, in {act.name}, line {stmt.span.line}"
                )
            block.pc += 1
            self.step(s, act, stmt)
            if s.dirty:
                s.dirty = False
                self.after_change(s)

    def empty_choice(self, s: Position, act: Activation, stmt: core.Choose) -> bool:
        """Is there nothing to choose several of, or to put in order? Then nobody is asked."""
        if stmt.mode == "one":
            return False
        value = self.rules.evaluator.value
        if stmt.high is not None and value(stmt.high, s, act.env) <= 0:
            return True
        env = dict(act.env)
        for item in self.rules.func(stmt.domain)(s, env):
            env[stmt.var] = item
            if self.rules.func(stmt.cond)(s, env):
                return False
        return True

    def waits(self, stmt: core.Stmt) -> bool:
        """Does this statement need somebody's decision?"""
        return isinstance(stmt, core.Choose | core.Take | core.May)

    def _return(self, s: Position) -> None:
        act = s.stack.pop()
        if act.result is not None and s.stack:
            s.stack[-1].env[act.result] = act.given
        if act.name == "flow" and not s.stack and s.stream == 0:
            self._end(s, "flow", self.ruleset.flow_clause)

    def _close(self, s: Position, act: Activation, block: Block) -> bool:
        """A block is at its end: leave it or go round again; says whether a decision is needed first."""
        for name in self.bound[block.body]:
            act.env.pop(
                name, None
            )  # nothing outside the block may use it: positions that differ in it alone are one
        if block.kind == "" or block.kind == "maximize":
            act.blocks.pop()
        elif block.kind == "each":
            var, rest = block.data
            if rest:
                act.env[var] = rest[0]
                block.data, block.pc = (var, rest[1:]), 0
            else:
                act.blocks.pop()
        elif block.kind == "choice":  # the next member is the chooser's to name
            var, rest, player = block.data
            if not rest:
                act.blocks.pop()
            elif len(rest) == 1:
                act.env[var] = rest[0]
                block.data, block.pc = (var, (), player), 0
            else:
                return True
        elif block.kind == "while":
            stmt = self.bodies[block.data[0]][block.data[1]]
            assert isinstance(stmt, core.Repeat) and stmt.cond is not None
            s.learned = s.learned or self.disclosures.shows(stmt, act.env, self.actor)
            if self.rules.holds(s, stmt.cond, act.env):
                block.pc = 0
            else:
                act.blocks.pop()
        elif block.kind == "times":
            left = block.data[0] - 1
            if left > 0:
                block.data, block.pc = (left,), 0
            else:
                act.blocks.pop()
        elif block.kind == "forever":
            block.pc = 0
        return False

    # ---------------------------------------------------------------------------------------- statements
    def step(self, s: Position, act: Activation, stmt: core.Stmt) -> None:
        """One statement that needs no decision."""
        if stmt.clause is not None and self.rules.gone(stmt.clause):
            return
        if stmt.clause is not None:
            self.rules.fired.add(stmt.clause)
        env = act.env
        value = self.rules.evaluator.value
        if isinstance(stmt, core.If):
            body = stmt.then if value(stmt.cond, s, env) else stmt.other
            if body:
                act.blocks.append(Block(self.number(body)))
        elif isinstance(stmt, core.ForEach):
            members = tuple(ordered(value(stmt.domain, s, env)))
            if stmt.by is not None and len(members) > 1:
                act.blocks.append(
                    Block(
                        self.number(stmt.body),
                        len(stmt.body),
                        "choice",
                        (stmt.var, members, value(stmt.by, s, env)),
                    )
                )
            elif members:
                env[stmt.var] = members[0]
                act.blocks.append(Block(self.number(stmt.body), 0, "each", (stmt.var, members[1:])))
        elif isinstance(stmt, core.Repeat):
            self._repeat(s, act, stmt)
        elif isinstance(stmt, core.Each):
            self._each(s, act, stmt)
        elif isinstance(stmt, core.Maximize):
            number = self.number(stmt.body)
            act.blocks.append(Block(number, 0, "maximize", (number,)))
        elif isinstance(stmt, core.Do):
            values = tuple(value(a, s, env) for a in stmt.args)
            if stmt.target in self.ruleset.events:
                self.propose(s, stmt.target, values)
            else:
                self.call(s, stmt.target, values, stmt.result)
        elif isinstance(stmt, core.Give):
            act.given = value(stmt.value, s, env)
            act.blocks.clear()
        else:
            self.effect(s, env, stmt)

    def _repeat(self, s: Position, act: Activation, stmt: core.Repeat) -> None:
        number = self.number(stmt.body)
        if stmt.times is not None:
            n = self.rules.evaluator.value(stmt.times, s, act.env)
            if n > 0:
                act.blocks.append(Block(number, 0, "times", (n,)))
        elif stmt.cond is not None:
            if self.rules.holds(s, stmt.cond, act.env):
                here = act.blocks[-1]
                act.blocks.append(Block(number, 0, "while", (here.body, here.pc - 1)))
        else:
            act.blocks.append(Block(number, 0, "forever"))

    def _each(self, s: Position, act: Activation, stmt: core.Each) -> None:
        n = self.setup.players
        number = self.number(stmt.body)
        if stmt.mode == "in turn":
            first = (
                0 if stmt.start is None else self.rules.evaluator.value(stmt.start, s, act.env) or 0
            )
            order = tuple((first + i) % n for i in range(n))
            act.env[stmt.var] = order[0]
            act.blocks.append(Block(number, 0, "each", (stmt.var, order[1:])))
            return
        base = s.copy()
        base.branches, base.commits = {}, {}
        for p in range(n):
            branch = base.copy()
            branch.stack = [Activation(act.name, {**act.env, stmt.var: p}, [Block(number)])]
            branch.stream, branch.drawn = 1 + p + n * (s.drawn + 1), 0
            self.run(branch)
            s.learned |= branch.learned
            s.branches[p] = branch
            s.commits[p] = ()
        act.env["@each"] = (stmt.var, number)

    def _join(self, s: Position) -> bool:
        """When every branch has run out, replay their choices in seat order on the common position; says whether it did."""
        if any(b.stack and b.ended is None for b in s.branches.values()):
            return False
        commits, streams = s.commits, {p: (b.stream) for p, b in s.branches.items()}
        s.branches, s.commits = {}, {}
        act = s.stack[-1]
        var, number = act.env.pop("@each")
        stream, drawn = s.stream, s.drawn
        for p in sorted(commits):
            s.stream, s.drawn = streams[p], 0
            depth = len(s.stack)
            s.stack.append(Activation(act.name, {**act.env, var: p}, [Block(number)]))
            floor = (depth + 1, 0)
            self.run(s, floor)
            for choice in commits[p]:
                self.decide(s, choice)
                self.run(s, floor)
            while len(s.stack) > depth:
                s.stack.pop()
        s.stream, s.drawn = stream, drawn + 1
        s.learned = True
        return True

    # ---------------------------------------------------------------------------------------- choosing
    def decide(self, s: Position, value: Value) -> None:
        """Take a decision that is open at the top of the stack; the value must have been checked."""
        act = s.stack[-1]
        block = act.blocks[-1]
        if block.kind == "choice" and block.pc >= len(self.bodies[block.body]):
            var, rest, player = block.data
            act.env[var] = value
            block.data, block.pc = (var, tuple(x for x in rest if x != value), player), 0
            return
        stmt = self.bodies[block.body][block.pc]
        block.pc += 1
        if stmt.clause is not None:
            self.rules.fired.add(stmt.clause)
        if isinstance(stmt, core.Choose):
            act.env[stmt.var] = value
        elif isinstance(stmt, core.Take):
            self.call(s, value, (self.rules.evaluator.value(stmt.by, s, act.env),))
        elif isinstance(stmt, core.May) and value:
            act.blocks.append(Block(self.number(stmt.body)))


def _given(stmt: core.Stmt) -> tuple[str, ...]:
    """The names a statement gives values to, for the statements after it in its block."""
    if isinstance(stmt, core.Let | core.Chance | core.Choose):
        return (stmt.var,)
    return (stmt.result,) if isinstance(stmt, core.Do) and stmt.result is not None else ()
