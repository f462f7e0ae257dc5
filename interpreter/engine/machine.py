"""The machine: runs statements from data alone, stopping wherever somebody must decide.

Bodies are known by number and frames stand in the position, so that a state of play is data.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple, Never

from interpreter.engine.bodies import Bodies
from interpreter.engine.clauses import Rules
from interpreter.engine.events import Effects
from interpreter.model.position import Activation, Block, Position
from interpreter.model.values import Fault
from rulelang import core
from rulelang.core.values import Value, nothing_of, number, ordered

AT_ONCE = "@each"  # the value in scope under which players decide at once


class Loop(NamedTuple):
    """What a loop over members has still to do: the name for a member, and those that are left.

    `by` is who chooses the order, where somebody does.
    """

    var: str
    rest: tuple[Value, ...]
    by: tuple[Value, ...]


def loop_of(block: Block) -> Loop:
    """What an open block of kind "each" or "choice" has still to do."""
    var, rest, *by = block.data
    assert isinstance(var, str) and isinstance(rest, tuple)
    return Loop(var, rest, tuple(by))


def at_once_of(act: Activation) -> tuple[str, int]:
    """The name for a player, and the number of the body, while players decide at once."""
    held = act.env[AT_ONCE]
    assert isinstance(held, tuple)
    var, body = held
    assert isinstance(var, str)
    return var, number(body)


class Machine:
    """Runs positions of one game."""

    def __init__(self, rules: Rules, effects: Effects) -> None:
        """Statements that change a position are carried out by `effects`."""
        self.rules, self.setup, self.effects = rules, rules.setup, effects
        self.ruleset, self.work = rules.setup.rules, rules.setup.work

    def unlogged(self) -> Machine:
        """A machine that comes to the same and writes down no events, nor why one is refused."""
        made = Machine(self.rules, Effects(self.rules, logs=False))
        made.numbered = self.numbered
        return made

    @cached_property
    def numbered(self) -> Bodies:
        """All bodies that control may stand in; a game that nobody plays needs none."""
        return Bodies(self.ruleset)

    @property
    def bodies(self) -> list[core.Body]:
        """All bodies that control may stand in, by number."""
        return self.numbered.all

    # -------------------------------------------------------------------------------- running
    def begin(self, s: Position) -> None:
        """Open the flow."""
        s.stack = [Activation("flow", {}, [Block(self.numbered.flow)])]

    def call(
        self, s: Position, name: str, values: tuple[Value, ...], result: str | None = None
    ) -> None:
        """Open a procedure or action."""
        procedure = self.ruleset.procedures[name]
        self.rules.touch(procedure.clause)
        self.rules.fired.add(procedure.clause)
        env = dict(zip([p for p, _ in procedure.params], values, strict=True))
        s.stack.append(Activation(name, env, [Block(self.numbered.procedures[name])], result))

    def run(self, s: Position, floor: tuple[int, int] | None = None) -> None:
        """Run until somebody must decide or the game is over.

        A search runs no further than until the block at `floor` (activation and block, counted
        from 1) is closed.
        """
        with self.work.question():
            self._run(s, floor)

    def _run(self, s: Position, floor: tuple[int, int] | None) -> None:
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
            elif not self._go_on(s, act, act.blocks[-1]):
                return

    def _go_on(self, s: Position, act: Activation, block: Block) -> bool:
        """Run the next statement, or leave the block; says no if somebody must decide first."""
        body = self.bodies[block.body]
        stmt = body[min(block.pc, len(body) - 1)] if body else None
        try:
            if stmt is None or block.pc >= len(body):
                return not self._close(s, act, block)
            return self._advance(s, act, block, stmt)
        except Fault as fault:
            line = stmt.span.line if stmt is not None else 0
            raise fault.within(self.clause_of(act), line) from None

    def clause_of(self, act: Activation) -> str:
        """The clause whose statements an activation runs."""
        known = self.ruleset.procedures.get(act.name)
        return self.ruleset.flow_clause if known is None else known.clause

    def _advance(self, s: Position, act: Activation, block: Block, stmt: core.Stmt) -> bool:
        """Run the next statement; says no if somebody must decide it."""
        s.learned = s.learned or self.effects.disclosures.shows(stmt, act.env, s.actor)
        asks = isinstance(stmt, core.Choose | core.Take | core.May)
        if asks and stmt.clause not in self.rules.without:
            if not (isinstance(stmt, core.Choose) and self.empty_choice(s, act, stmt)):
                return False
            act.env[stmt.var] = () if stmt.mode == "order" else frozenset()
        self.work.step()
        block.pc += 1
        if not asks:
            self.step(s, act, stmt)
        if s.dirty:
            s.dirty = False
            self.effects.after_change(s)
        return True

    def empty_choice(self, s: Position, act: Activation, stmt: core.Choose) -> bool:
        """Is there nothing to choose several of, or to put in order? Then nobody is asked."""
        if stmt.mode == "one":
            return False
        if stmt.high is not None and self.rules.number(stmt.high, s, act.env) <= 0:
            return True
        return not any(
            self.rules.holds(s, stmt.cond, {**act.env, stmt.var: item})
            for item in self.rules.members(stmt.domain, s, act.env)
        )

    def _return(self, s: Position) -> None:
        act = s.stack.pop()
        if act.result is not None and s.stack:
            gives, given = self.ruleset.procedures[act.name].gives, act.given
            # a procedure that has come to its end without `give` gives nothing of its type
            nothing = nothing_of(gives) if gives is not None else None
            s.stack[-1].env[act.result] = nothing if given is None else given
        if act.name == "flow" and not s.stack and s.stream == 0:
            self.effects.end(s, "flow", self.ruleset.flow_clause)

    # -------------------------------------------------------------------------------- blocks
    def _close(self, s: Position, act: Activation, block: Block) -> bool:
        """A block is at its end: leave it or go round again.

        Says whether a decision is needed first.
        """
        for name in self.numbered.given[block.body]:
            # nothing outside may use it: positions that differ in it alone are one
            act.env.pop(name, None)
        if block.kind == "choice" and len(loop_of(block).rest) > 1:
            return True  # the next member is the chooser's to name
        if CLOSING[block.kind](self, s, act, block):
            self.work.step()
        else:
            act.blocks.pop()
        return False

    def _once(self, s: Position, act: Activation, block: Block) -> bool:
        return False

    def _next_member(self, s: Position, act: Activation, block: Block) -> bool:
        var, rest, by = loop_of(block)
        if rest:
            act.env[var] = rest[0]
            block.data, block.pc = (var, rest[1:], *by), 0
        return bool(rest)

    def _while(self, s: Position, act: Activation, block: Block) -> bool:
        body, pc = map(number, block.data)
        stmt = self.bodies[body][pc]
        assert isinstance(stmt, core.Repeat) and stmt.cond is not None
        s.learned = s.learned or self.effects.disclosures.shows(stmt, act.env, s.actor)
        block.pc = 0
        return self.rules.holds(s, stmt.cond, act.env)

    def _times(self, s: Position, act: Activation, block: Block) -> bool:
        left = number(block.data[0]) - 1
        block.data, block.pc = (left,), 0
        return left > 0

    def _forever(self, s: Position, act: Activation, block: Block) -> bool:
        block.pc = 0
        return True

    # -------------------------------------------------------------------------------- statements
    def step(self, s: Position, act: Activation, stmt: core.Stmt) -> None:
        """The statement just before the place of the innermost block, if it needs no decision."""
        if stmt.clause is not None:
            if self.rules.gone(stmt.clause):
                return
            self.rules.fired.add(stmt.clause)
        handler = CONTROL[type(stmt)]
        if handler is None:
            self.effects.perform_in_play(s, act.env, stmt)
        else:
            handler(self, s, act, stmt)  # type: ignore[arg-type]  # it stands under its class

    def _inside(self, act: Activation, part: str = "body") -> int:
        """The number of the body held by the statement just before the innermost place."""
        here = act.blocks[-1]
        return self.numbered.inside(here.body, here.pc - 1, part)

    def _if(self, s: Position, act: Activation, stmt: core.If) -> None:
        holds = self.rules.holds(s, stmt.cond, act.env)
        if stmt.then if holds else stmt.other:
            act.blocks.append(Block(self._inside(act, "then" if holds else "other")))

    def _for_each(self, s: Position, act: Activation, stmt: core.ForEach) -> None:
        members = tuple(ordered(self.rules.members(stmt.domain, s, act.env)))
        inside = self._inside(act)
        if stmt.by is not None and len(members) > 1:
            by = self.rules.value(stmt.by, s, act.env)
            data = (stmt.var, members, by)
            act.blocks.append(Block(inside, len(stmt.body), "choice", data))
        elif members:
            act.env[stmt.var] = members[0]
            act.blocks.append(Block(inside, 0, "each", (stmt.var, members[1:])))
            self.work.step()

    def _repeat(self, s: Position, act: Activation, stmt: core.Repeat) -> None:
        inside = self._inside(act)
        if stmt.times is not None:
            n = self.rules.number(stmt.times, s, act.env)
            if n > 0:
                act.blocks.append(Block(inside, 0, "times", (n,)))
                self.work.step()
        elif stmt.cond is not None:
            if self.rules.holds(s, stmt.cond, act.env):
                here = act.blocks[-1]
                act.blocks.append(Block(inside, 0, "while", (here.body, here.pc - 1)))
                self.work.step()
        else:
            act.blocks.append(Block(inside, 0, "forever"))
            self.work.step()

    def _maximize(self, s: Position, act: Activation, stmt: core.Maximize) -> None:
        inside = self._inside(act)
        act.blocks.append(Block(inside, 0, "maximize", (inside,)))

    def _do(self, s: Position, act: Activation, stmt: core.Do) -> None:
        values = tuple(self.rules.value(a, s, act.env) for a in stmt.args)
        if stmt.target in self.ruleset.events:
            self.effects.propose(s, stmt.target, values)
        else:
            self.call(s, stmt.target, values, stmt.result)

    def _give(self, s: Position, act: Activation, stmt: core.Give) -> None:
        act.given = self.rules.value(stmt.value, s, act.env)
        act.blocks.clear()

    def _each(self, s: Position, act: Activation, stmt: core.Each) -> None:
        n = self.setup.players
        inside = self._inside(act)
        if stmt.mode == "in turn":
            start = None if stmt.start is None else self.rules.value(stmt.start, s, act.env)
            first = number(start or 0)
            order = tuple((first + i) % n for i in range(n))
            act.env[stmt.var] = order[0]
            act.blocks.append(Block(inside, 0, "each", (stmt.var, order[1:])))
            self.work.step()
            return
        base = s.copy()
        base.branches, base.commits = {}, {}
        for p in range(n):
            branch = base.copy()
            branch.stack = [Activation(act.name, {**act.env, stmt.var: p}, [Block(inside)])]
            branch.stream, branch.drawn = 1 + p + n * (s.drawn + 1), 0
            self.run(branch)
            s.learned |= branch.learned
            s.branches[p] = branch
            s.commits[p] = ()
        act.env[AT_ONCE] = (stmt.var, inside)

    def _join(self, s: Position) -> bool:
        """When every branch has run out, replay their choices in seat order on the common position.

        Says whether it did.
        """
        if any(b.stack and b.ended is None for b in s.branches.values()):
            return False
        commits, streams = s.commits, {p: (b.stream) for p, b in s.branches.items()}
        s.branches, s.commits = {}, {}
        act = s.stack[-1]
        var, body = at_once_of(act)
        del act.env[AT_ONCE]
        stream, drawn = s.stream, s.drawn
        for p in sorted(commits):
            s.stream, s.drawn = streams[p], 0
            depth = len(s.stack)
            s.stack.append(Activation(act.name, {**act.env, var: p}, [Block(body)]))
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

    def at_once(self, s: Position) -> core.Each:
        """The statement by which players decide at once here."""
        return self.numbered.at_once(at_once_of(s.stack[-1])[1])

    def restart_at_once(self, s: Position) -> None:
        """Let all players begin anew to decide at once, as if nobody had decided yet."""
        act = s.stack[-1]
        block = act.blocks[-1]
        del act.env[AT_ONCE]
        self.step(s, act, self.bodies[block.body][block.pc - 1])

    # -------------------------------------------------------------------------------- choosing
    def decide(self, s: Position, value: Value) -> None:
        """Take a decision open at the top of the stack; the value must have been checked."""
        act = s.stack[-1]
        block = act.blocks[-1]
        if block.kind == "choice" and block.pc >= len(self.bodies[block.body]):
            var, rest, by = loop_of(block)
            act.env[var] = value
            block.data, block.pc = (var, tuple(x for x in rest if x != value), *by), 0
            return
        stmt = self.bodies[block.body][block.pc]
        block.pc += 1
        if stmt.clause is not None:
            self.rules.fired.add(stmt.clause)
        if isinstance(stmt, core.Choose):
            act.env[stmt.var] = value
        elif isinstance(stmt, core.Take):
            assert isinstance(value, str)
            self.call(s, value, (self.rules.value(stmt.by, s, act.env),))
        elif isinstance(stmt, core.May) and value:
            act.blocks.append(Block(self._inside(act)))


# How a block goes round again at its end, by its kind; what says no is left.
CLOSING: dict[str, Callable[[Machine, Position, Activation, Block], bool]] = {
    "": Machine._once,
    "maximize": Machine._once,
    "each": Machine._next_member,
    "choice": Machine._next_member,
    "while": Machine._while,
    "times": Machine._times,
    "forever": Machine._forever,
}

# What each class of statement does to control; none where it only changes the position. The
# machine stops before a decision. A test holds the table against all classes of the core.
CONTROL: dict[type[core.Stmt], Callable[[Machine, Position, Activation, Never], None] | None] = {
    core.Let: None,
    core.Chance: None,
    core.Assign: None,
    core.Move: None,
    core.Draw: None,
    core.Put: None,
    core.Shuffle: None,
    core.Reveal: None,
    core.Finish: None,
    core.Do: Machine._do,
    core.Give: Machine._give,
    core.If: Machine._if,
    core.ForEach: Machine._for_each,
    core.Repeat: Machine._repeat,
    core.Each: Machine._each,
    core.Maximize: Machine._maximize,
    core.Choose: None,
    core.Take: None,
    core.May: None,
}
