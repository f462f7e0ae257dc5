"""Flows and procedures as numbered blocks: each a function that runs until somebody must decide and names the block that comes next.

Values in scope are registers of one list: procedures do not call themselves, so each of their names has one register. A block gives the number of
the next, -1 - d when decision d is open, OVER, or what is said of play at once: a fork, or a seat that is done.
"""
from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from interpreter.generated.choices import Fetched, write_members
from interpreter.generated.effects import Registers, Steps
from interpreter.generated.module import Module
from interpreter.generated.sets import Expressions
from interpreter.generated.writes import finishes, writes
from rulelang import core
from rulelang.names import spoken
from rulelang.types import SetT

OVER = -1_000_000
DONE = -1_000_001  # a seat's part of play at once has come to its end
FORK = -1_000_002  # and below: fork k is at FORK - k


class Unwritten(Exception):
    """These rules use a way of play that is not written out as blocks."""


@dataclass
class Choice:
    """A decision: its kind, and the names of the functions that say who decides, what may be chosen, and where play goes on."""

    kind: str  # "one" | "some" | "order" | "action" | "may" | "member"
    name: str
    prompt: str
    by: str
    apply: str
    options: str = ""
    sample: str = ""
    domain: int = -1  # the register that holds what is chosen from
    low: str = ""
    high: str = ""
    values: tuple[Any, ...] = ()
    stmt: core.Stmt | None = None


@dataclass
class Fork:
    """Play at once: the register of the player, the block each seat begins with, and where play goes on when all are done."""

    player: int
    after: str
    inside: int = 0

    def back(self, registers: list[Any]) -> int:
        """The block to go on with."""
        return registers[int(self.after[2:-1])] if self.after.startswith("r[") else int(self.after)


class InRegisters:
    """The scope of functions that take the registers: a way to fetch names, and to pass them on with one more."""

    param = "r"

    def __init__(self, program: Program, owner: str) -> None:
        """The names are those of one procedure."""
        self.program, self.owner = program, owner
        self.key = ("r", owner)

    def names(self, function: Expressions) -> dict[str, str]:
        """Each name is fetched once."""
        function.sure |= self.program.sure.get(self.owner, set())
        return Fetched(function, lambda name: f"r[{self.program.slot(self.owner, name)}]")

    def passing(self, function: Expressions, var: str, item: str) -> str:
        """The registers with one more value."""
        function.line(f"r[{self.program.slot(self.owner, var)}] = {item}")
        return "r"


class Program:
    """All blocks and decisions of a ruleset; raises Unwritten where its play cannot be put in blocks."""

    def __init__(self, module: Module) -> None:
        """Everything is written at once."""
        self.module, self.rules = module, module.ruleset
        self.slots: dict[tuple[str, str], int] = {}
        self.blocks: list[str] = []
        self.choices: list[Choice] = []
        self.forks: list[Fork] = []
        self.entries: dict[str, int] = {}
        self.sure: dict[str, set[str]] = {}
        self.open: list[str] = []
        self.helpers = 0
        if module.reads.invariants:
            raise Unwritten("invariants")
        over = self._label()
        self.start = self._label()
        self._run("flow", self.rules.flow, 0, self._function("flow"), str(over), self.start)
        final = module.expressions(())
        final.line('s.ended = "flow"')
        final.line(f"return {OVER}")
        module.add(self.blocks[over], final, ["r"])
        self._shorten()

    # ---------------------------------------------------------------------------------------- book-keeping
    def slot(self, owner: str, name: str) -> int:
        """The register of a name."""
        return self.slots.setdefault((owner, name), len(self.slots))

    def _label(self) -> int:
        self.blocks.append(f"b{len(self.blocks)}")
        return len(self.blocks) - 1

    def _function(self, owner: str) -> Expressions:
        function = self.module.expressions(())
        function.names = Registers(lambda name: self.slot(owner, name))
        function.sure = set(self.sure.get(owner, ()))
        function.moving = True
        return function

    def _close(self, label: int, function: Expressions) -> None:
        self.module.add(self.blocks[label], function, ["r"])

    def _certain(self, owner: str, name: str) -> None:
        self.sure.setdefault(owner, set()).add(name)

    def _helper(self, owner: str, stem: str, write: Callable[[Expressions], None], params: tuple[str, ...] = ("r",)) -> str:
        self.helpers += 1
        name = f"{stem}_{self.helpers}"
        function = self._function(owner)
        write(function)
        self.module.add(name, function, params)
        return name

    def _value(self, owner: str, e: core.Expr) -> str:
        """A function for a value: (position, registers) -> value."""
        return self._helper(owner, "w", lambda f: f.line(f"return {f.gen(e)}"))

    def _shorten(self) -> None:
        """Blocks that only name the next are passed over; a later block is called at once, so that most moves are one call."""
        sources, numbers = self.module.sources, {name: i for i, name in enumerate(self.blocks)}
        passed = {}
        for i, name in enumerate(self.blocks):
            found = re.fullmatch(r"def \w+\(s, r\):\n    return (-?\d+)\n", sources[name])
            if found:
                passed[i] = int(found.group(1))
        for name in [*self.blocks, *(c.apply for c in self.choices)]:
            own = numbers.get(name, -1)

            def target(m: re.Match[str], own: int = own) -> str:
                n = int(m.group(2))
                for _ in range(len(passed)):
                    n = passed.get(n, n)
                return m.group(1) + (f"{self.blocks[n]}(s, r)" if n > own else str(n))

            lines = [re.sub(r"(return |else )(\d+)\b", target, line) if "return " in line else line for line in sources[name].split("\n")]
            sources[name] = "\n".join(lines)

    # ---------------------------------------------------------------------------------------- bodies
    def _run(self, owner: str, body: core.Body, pc: int, f: Expressions, after: str, label: int) -> None:
        """Write a block from one statement on, and the blocks that follow it."""
        steps = Steps(self.module, f, lambda stmt: self._look(f, stmt))
        while pc < len(body):
            stmt = body[pc]
            if isinstance(stmt, core.Do) and stmt.target in self.rules.events:
                steps.propose(stmt, checked=_foreseen(body, pc))
            elif self.plain(stmt):
                steps.step(stmt)
            else:
                if isinstance(stmt, core.Choose) and stmt.mode == "one" and isinstance(stmt.domain.type, SetT):
                    self._certain(owner, stmt.var)
                rest = after if pc + 1 == len(body) else str(self._later(owner, body, pc + 1, after))
                getattr(self, f"_{type(stmt).__name__.lower()}")(owner, body, pc, stmt, f, rest)
                self._close(label, f)
                return
            pc += 1
        f.line(f"return {after}")
        self._close(label, f)

    def _later(self, owner: str, body: core.Body, pc: int, after: str) -> int:
        label = self._label()
        self._run(owner, body, pc, self._function(owner), after, label)
        return label

    def _look(self, f: Expressions, stmt: core.Stmt) -> None:
        """After a change: have the ends come that read what was changed?"""
        if finishes(self.rules, stmt):
            with f.block("if s.ended is not None:"):
                f.line(f"return {OVER}")
        changed = writes(self.rules, stmt)
        if self.module.marks_changes:
            with f.block(f"if s.dirty and {self.module.ends(None)}(s):"):
                f.line(f"return {OVER}")
            return
        touched = [e.name for e in self.rules.endings if e.unit is None and self.module.reads.all(e.cond) & (changed | {"*"})]
        if touched:
            one = self._one_change(stmt)
            value = f"{self.module.ends(tuple(touched))}(s)" if one is None else f"{self.module.ends(tuple(touched), one[0])}(s, {f.gen(one[1])})"
            with f.block(f"if {value}:"):
                f.line(f"return {OVER}")

    def _one_change(self, stmt: core.Stmt) -> tuple[str, core.Expr] | None:
        """The variable and member a statement changes, if it changes one value only."""
        if isinstance(stmt, core.Assign) and stmt.index is not None and isinstance(stmt.index, core.Var):
            return stmt.state, stmt.index
        if isinstance(stmt, core.Do) and stmt.target in self.rules.events and not self.module.answers(stmt.target):
            event = self.rules.events[stmt.target]
            inner = self._one_change(event.body[0]) if len(event.body) == 1 else None
            given = dict(zip([p for p, _ in event.params], stmt.args, strict=True))
            if inner is not None and isinstance(inner[1], core.Var) and isinstance(given.get(inner[1].name), core.Var):
                return inner[0], given[inner[1].name]
        return None

    def plain(self, stmt: core.Stmt) -> bool:
        """Does it run without a decision, a procedure or another way of play?"""
        if isinstance(stmt, core.Choose | core.Take | core.May | core.Each | core.Maximize | core.Give):
            return False
        if isinstance(stmt, core.ForEach) and stmt.by is not None:
            return False
        if isinstance(stmt, core.Do):
            return stmt.target in self.rules.events
        inner = [*getattr(stmt, "then", ()), *getattr(stmt, "other", ()), *getattr(stmt, "body", ())]
        return all(self.plain(s) for s in inner)

    # ---------------------------------------------------------------------------------------- control
    def _if(self, owner: str, body: core.Body, pc: int, stmt: core.If, f: Expressions, after: str) -> None:
        then = str(self._later(owner, stmt.then, 0, after)) if stmt.then else after
        other = str(self._later(owner, stmt.other, 0, after)) if stmt.other else after
        f.line(f"return {then} if {f.test(stmt.cond)} else {other}")

    def _members(self, owner: str, stmt: core.ForEach | core.Each, f: Expressions, members: str, after: str) -> None:
        """A loop over members fixed at its start."""
        self._certain(owner, stmt.var)
        rest = self.slot(owner, f"@rest {stmt.var} {id(stmt)}")
        again = self._label()
        inside = str(self._later(owner, stmt.body, 0, str(again)))
        var = f"r[{self.slot(owner, stmt.var)}]"
        f.line(f"m = tuple({members})")
        f.line(f"if not m: return {after}")
        f.line(f"{var} = m[0]; r[{rest}] = m[1:]")
        f.line(f"return {inside}")
        g = self._function(owner)
        g.line(f"m = r[{rest}]")
        g.line(f"if not m: return {after}")
        g.line(f"{var} = m[0]; r[{rest}] = m[1:]")
        g.line(f"return {inside}")
        self._close(again, g)

    def _foreach(self, owner: str, body: core.Body, pc: int, stmt: core.ForEach, f: Expressions, after: str) -> None:
        members = f.members(stmt.domain, stable=True)
        if stmt.by is None:
            self._members(owner, stmt, f, members, after)
            return
        self._certain(owner, stmt.var)
        rest, again = self.slot(owner, f"@rest {stmt.var} {id(stmt)}"), self._label()
        who = self.slot(owner, f"@by {stmt.var} {id(stmt)}")
        inside = str(self._later(owner, stmt.body, 0, str(again)))
        var = f"r[{self.slot(owner, stmt.var)}]"
        f.line(f"r[{rest}] = tuple({members}); r[{who}] = {f.gen(stmt.by)}")
        f.line(f"return {again}")
        g = self._function(owner)
        g.line(f"m = r[{rest}]")
        g.line(f"if not m: return {after}")
        with g.block("if len(m) == 1:"):
            g.line(f"{var} = m[0]; r[{rest}] = ()")
            g.line(f"return {inside}")
        g.line(f"return {-1 - len(self.choices)}")
        self._close(again, g)

        def apply(h: Expressions) -> None:
            h.line(f"{var} = v; r[{rest}] = tuple([x for x in r[{rest}] if x != v])")
            h.line(f"return {inside}")

        name = stmt.var.split("~")[0]
        by = self._helper(owner, "w", lambda h: h.line(f"return r[{who}]"))
        self.choices.append(Choice("member", name, spoken(name), by, self._helper(owner, "y", apply, ("r", "v")), domain=rest))

    def _each(self, owner: str, body: core.Body, pc: int, stmt: core.Each, f: Expressions, after: str) -> None:
        if stmt.mode != "in turn":
            self._certain(owner, stmt.var)
            f.line(f"return {FORK - len(self.forks)}")
            fork = Fork(self.slot(owner, stmt.var), after)
            self.forks.append(fork)
            fork.inside = self._later(owner, stmt.body, 0, str(DONE))
            return
        players = self.module.constants.name("players", lambda rules: rules.setup.players)
        if stmt.start is None:
            members = f"range({players})"
        else:
            first = f.named(f"({f.gen(stmt.start)}) or 0")
            members = f"[({first} + i) % {players} for i in range({players})]"
        self._members(owner, stmt, f, members, after)

    def _repeat(self, owner: str, body: core.Body, pc: int, stmt: core.Repeat, f: Expressions, after: str) -> None:
        again = self._label()
        g = self._function(owner)
        if stmt.times is not None:
            left = self.slot(owner, f"@left {id(stmt)}")
            inside = str(self._later(owner, stmt.body, 0, str(again)))
            f.line(f"r[{left}] = {f.gen(stmt.times)}")
            f.line(f"return {inside} if r[{left}] > 0 else {after}")
            g.line(f"r[{left}] -= 1")
            g.line(f"return {inside} if r[{left}] > 0 else {after}")
            self._close(again, g)
            return
        f.line(f"return {again}")
        if stmt.cond is not None:
            g.guard(stmt.cond, f"return {after}")
        self._run(owner, stmt.body, 0, g, str(again), again)

    def _do(self, owner: str, body: core.Body, pc: int, stmt: core.Do, f: Expressions, after: str) -> None:
        """A procedure: its values go to its registers, and the block to come back to with them."""
        values = [f.named(f.gen(a)) for a in stmt.args]
        back = after
        if stmt.result is not None:
            label = self._label()
            g = self._function(owner)
            g.line(f"r[{self.slot(owner, stmt.result)}] = r[{self.slot(stmt.target, '@given')}]")
            g.line(f"return {after}")
            self._close(label, g)
            back = str(label)
        self._enter(f, stmt.target, values, back)

    def _enter(self, f: Expressions, name: str, values: list[str], back: str) -> None:
        procedure = self.rules.procedures[name]
        for (param, _), value in zip(procedure.params, values, strict=True):
            f.line(f"r[{self.slot(name, param)}] = {value}")
        f.line(f"r[{self.slot(name, '@given')}] = None")
        f.line(f"r[{self.slot(name, '@back')}] = {back}")
        f.line(f"return {self._procedure(name)}")

    def _procedure(self, name: str) -> int:
        """The first block of a procedure."""
        if name in self.open:
            raise Unwritten(f"{name} runs itself")
        if name not in self.entries:
            self.open.append(name)
            self.entries[name] = self._later(name, self.rules.procedures[name].body, 0, f"r[{self.slot(name, '@back')}]")
            self.open.pop()
        return self.entries[name]

    def _give(self, owner: str, body: core.Body, pc: int, stmt: core.Give, f: Expressions, after: str) -> None:
        f.line(f"r[{self.slot(owner, '@given')}] = {f.gen(stmt.value)}")
        f.line(f"return r[{self.slot(owner, '@back')}]")

    def _maximize(self, owner: str, body: core.Body, pc: int, stmt: core.Maximize, f: Expressions, after: str) -> None:
        raise Unwritten("maximize")

    # ---------------------------------------------------------------------------------------- decisions
    def _choose(self, owner: str, body: core.Body, pc: int, stmt: core.Choose, f: Expressions, after: str) -> None:
        var, scope = f"r[{self.slot(owner, stmt.var)}]", InRegisters(self, owner)
        def apply(h: Expressions) -> None:
            h.line(f"{var} = v")
            h.line(f"return {after}")

        choice = Choice(stmt.mode, stmt.var.split("~")[0], stmt.prompt, self._value(owner, stmt.by), self._helper(owner, "y", apply, ("r", "v")), stmt=stmt)
        if stmt.mode == "one":
            choice.options = self.module.ones(body, pc, scope)
            choice.sample = self.module.sample(body, pc, scope)
        else:
            choice.domain = self.slot(owner, f"@domain {id(stmt)}")
            members = self.module.name("m", ("r", id(stmt)), lambda made: write_members(self.module, stmt, made, scope))
            if stmt.mode == "some":
                choice.low = self._value(owner, stmt.low) if stmt.low is not None else ""
                choice.high = self._value(owner, stmt.high) if stmt.high is not None else ""
            f.line(f"m = {members}(s, r)")
            none = "not m" + (f" or {f.gen(stmt.high)} <= 0" if stmt.high is not None else "")
            with f.block(f"if {none}:"):
                f.line(f"{var} = {'()' if stmt.mode == 'order' else 'frozenset()'}")
                f.line(f"return {after}")
            f.line(f"r[{choice.domain}] = m")
        f.line(f"return {-1 - len(self.choices)}")
        self.choices.append(choice)

    def _take(self, owner: str, body: core.Body, pc: int, stmt: core.Take, f: Expressions, after: str) -> None:
        by = self._value(owner, stmt.by)
        f.line(f"return {-1 - len(self.choices)}")
        choice = Choice("action", "action", "action", by, "", values=stmt.actions, stmt=stmt)
        self.choices.append(choice)
        self.module.held.append(stmt)

        def apply(h: Expressions) -> None:
            player = h.named(h.gen(stmt.by))
            for number, name in enumerate(stmt.actions):
                self._certain(name, self.rules.procedures[name].params[0][0])
                with h.block(f"if v == {number}:"):
                    self._enter(h, name, [player], after)

        choice.apply = self._helper(owner, "y", apply, ("r", "v"))
        choice.options = self._helper(owner, "q", lambda h: self._offers(h, stmt), ("r", "v"))

    def _offers(self, h: Expressions, stmt: core.Take) -> None:
        """Is the action of this number offered?"""
        player = h.named(h.gen(stmt.by))
        for number, name in enumerate(stmt.actions):
            procedure = self.rules.procedures[name]
            with h.block(f"if v == {number}:"):
                if procedure.guard is not None:
                    outer = h.names
                    h.names = {procedure.params[0][0]: player}
                    h.guard(procedure.guard, "return False")
                    h.names = outer
                scope = InRegisters(self, name)
                viable = self.module.viable(procedure.body, 0, scope)
                h.line(f"r[{self.slot(name, procedure.params[0][0])}] = {player}")
                h.line(f"return {viable}(s, r)")

    def _may(self, owner: str, body: core.Body, pc: int, stmt: core.May, f: Expressions, after: str) -> None:
        inside = str(self._later(owner, stmt.body, 0, after)) if stmt.body else after
        by, scope = self._value(owner, stmt.by), InRegisters(self, owner)
        f.line(f"return {-1 - len(self.choices)}")
        viable = self.module.viable(stmt.body, 0, scope)
        apply = self._helper(owner, "y", lambda h: h.line(f"return {inside} if v else {after}"), ("r", "v"))
        self.choices.append(Choice("may", "may", stmt.prompt, by, apply, options=viable, stmt=stmt))


def _foreseen(body: core.Body, pc: int) -> bool:
    """Did the choice just before make sure that this event is accepted?"""
    for stmt in reversed(body[:pc]):
        if isinstance(stmt, core.Choose):
            return stmt.mode == "one"
        if not isinstance(stmt, core.Let):
            return False
    return False
