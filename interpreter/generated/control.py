"""Control as blocks: branches, loops, turns, play at once, procedures."""

from __future__ import annotations

from interpreter.generated.blocks import CLOSED, DONE, FORK, Blocks, Choice, Fork, Region, Unwritten
from interpreter.generated.sets import Expressions
from rulelang import core
from rulelang.analysis.writes import statements
from rulelang.core.values import nothing_of
from rulelang.diagnostics.english import spoken


class Control(Blocks):
    """Adds what leads from block to block."""

    def _if(
        self, owner: str, body: core.Body, pc: int, stmt: core.If, f: Expressions, after: str
    ) -> None:
        then = str(self._later(owner, stmt.then, 0, after)) if stmt.then else after
        other = str(self._later(owner, stmt.other, 0, after)) if stmt.other else after
        f.line(f"return {then} if {f.test(stmt.cond)} else {other}")

    def _members(
        self, owner: str, stmt: core.ForEach | core.Each, f: Expressions, members: str, after: str
    ) -> None:
        """A loop over members fixed at its start."""
        self._certain(owner, stmt.var)
        rest = self.slot(owner, f"@rest {stmt.var} {id(stmt)}")
        again = self._label()
        inside = str(self._later(owner, stmt.body, 0, str(again)))
        var = f"r[{self.slot(owner, stmt.var)}]"
        f.line(f"m = tuple({members})")
        f.line(f"if not m: return {after}")
        f.line(f"{var} = m[0]; r[{rest}] = m[1:]; {f.work()}.steps += 1")
        f.line(f"return {inside}")
        g = self._function(owner)
        g.line(f"m = r[{rest}]")
        g.line(f"if not m: return {after}")
        g.line(f"{var} = m[0]; r[{rest}] = m[1:]; {f.work()}.steps += 1")
        g.line(f"return {inside}")
        self._close(again, g)

    def _foreach(
        self, owner: str, body: core.Body, pc: int, stmt: core.ForEach, f: Expressions, after: str
    ) -> None:
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
            g.line(f"{var} = m[0]; r[{rest}] = (); {f.work()}.steps += 1")
            g.line(f"return {inside}")
        g.line(f"return {-1 - len(self.choices)}")
        self._close(again, g)

        def apply(h: Expressions) -> None:
            h.line(f"{var} = v; r[{rest}] = tuple([x for x in r[{rest}] if x != v])")
            h.line(f"return {inside}")

        name = stmt.var.split("~")[0]
        by = self._helper(owner, "w", lambda h: h.line(f"return r[{who}]"))
        self.choices.append(
            Choice(
                "member",
                name,
                spoken(name),
                by,
                self._helper(owner, "y", apply, ("r", "v")),
                domain=rest,
            )
        )

    def _each(
        self, owner: str, body: core.Body, pc: int, stmt: core.Each, f: Expressions, after: str
    ) -> None:
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

    def _repeat(
        self, owner: str, body: core.Body, pc: int, stmt: core.Repeat, f: Expressions, after: str
    ) -> None:
        again = self._label()
        g = self._function(owner)
        if stmt.times is not None:
            left = self.slot(owner, f"@left {id(stmt)}")
            inside = str(self._later(owner, stmt.body, 0, str(again)))
            f.line(f"r[{left}] = {f.gen(stmt.times)}")
            f.line(f"if r[{left}] <= 0: return {after}")
            f.line(f"{f.work()}.steps += 1")
            f.line(f"return {inside}")
            g.line(f"r[{left}] -= 1")
            g.line(f"if r[{left}] <= 0: return {after}")
            g.line(f"{f.work()}.steps += 1")
            g.line(f"return {inside}")
            self._close(again, g)
            return
        f.line(f"return {again}")
        if stmt.cond is not None:
            g.guard(stmt.cond, f"return {after}")
        g.line(f"{f.work()}.steps += 1")
        self._run(owner, stmt.body, 0, g, str(again), again)

    def _do(
        self, owner: str, body: core.Body, pc: int, stmt: core.Do, f: Expressions, after: str
    ) -> None:
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
        self.marks[id(stmt)] = int(back)
        self._enter(f, stmt.target, values, back)

    def _enter(self, f: Expressions, name: str, values: list[str], back: str) -> None:
        procedure = self.rules.procedures[name]
        for (param, _), value in zip(procedure.params, values, strict=True):
            f.line(f"r[{self.slot(name, param)}] = {value}")
        nothing = nothing_of(procedure.gives) if procedure.gives is not None else None
        f.line(f"r[{self.slot(name, '@given')}] = {nothing!r}")
        f.line(f"r[{self.slot(name, '@back')}] = {back}")
        f.line(f"return {self._procedure(name)}")

    def _procedure(self, name: str) -> int:
        """The first block of a procedure."""
        if name in self.open:
            raise Unwritten(f"{name} runs itself")
        if name not in self.entries:
            self.open.append(name)
            end = self.ends[name] = self._label()
            self.entries[name] = self._later(name, self.rules.procedures[name].body, 0, str(end))
            self.open.pop()
            self._forget(name, end)
        return self.entries[name]

    def _forget(self, name: str, end: int) -> None:
        """A procedure that is done leaves no values behind, so that a search knows equal positions again."""
        g = self._function(name)
        g.line(f"b = r[{self.slot(name, '@back')}]")
        slots = sorted(
            number
            for (owner, var), number in self.slots.items()
            if owner == name and var != "@given"
        )
        for number in slots if self.searches else ():
            g.line(f"r[{number}] = None")
        g.line("return b")
        self._close(end, g)

    def _give(
        self, owner: str, body: core.Body, pc: int, stmt: core.Give, f: Expressions, after: str
    ) -> None:
        f.line(f"r[{self.slot(owner, '@given')}] = {f.gen(stmt.value)}")
        f.line(f"return {self.ends[owner]}")

    def _maximize(
        self, owner: str, body: core.Body, pc: int, stmt: core.Maximize, f: Expressions, after: str
    ) -> None:
        """A region is open while its number stands in the register of regions; a search stops where its own is closed."""
        number, end = len(self.regions), self._label()
        self.marks[id(stmt)] = number
        region = Region(
            self._value(owner, stmt.value),
            self._value(owner, stmt.bound) if stmt.bound is not None else "",
            stmt.aside,
            (),
        )
        self.regions.append(region)
        f.line(f"r[{self.mark}] = ({number}, r[{self.mark}])")
        f.line(f"return {self._later(owner, stmt.body, 0, str(end))}")
        region.exits = self._exits(stmt)
        g = self._function(owner)
        g.line(f"if r[{self.searched}] is r[{self.mark}]: return {CLOSED}")
        g.line(f"r[{self.mark}] = r[{self.mark}][1]")
        g.line(f"return {after}")
        self._close(end, g)

    def _exits(self, stmt: core.Maximize) -> tuple[tuple[int, int], ...]:
        """The register and the last block of each action that stands aside, outer ones first."""
        within = self._reached(stmt.body)
        inner = {
            name: self._reached(self.rules.procedures[name].body)
            for name in stmt.aside
            if name in within
        }
        outer_first = sorted(inner, key=lambda name: (-len(inner[name]), name))
        return tuple((self.slot(name, "@back"), self.ends[name]) for name in outer_first)

    def _reached(self, body: core.Body) -> set[str]:
        """The procedures and actions that a body comes to."""
        found: set[str] = set()
        waiting = [body]
        while waiting:
            for stmt in statements(waiting.pop()):
                names = (
                    stmt.actions
                    if isinstance(stmt, core.Take)
                    else (stmt.target,)
                    if isinstance(stmt, core.Do) and stmt.target in self.rules.procedures
                    else ()
                )
                waiting += [self.rules.procedures[n].body for n in names if n not in found]
                found.update(names)
        return found
