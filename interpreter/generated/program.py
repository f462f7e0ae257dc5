"""The program of a ruleset: its flow in blocks from the first to the last, with the decisions where it stops."""

from __future__ import annotations

from interpreter.generated.blocks import OVER, Choice, InRegisters, Unwritten
from interpreter.generated.choices import write_members
from interpreter.generated.control import Control
from interpreter.generated.module import Module
from interpreter.generated.sets import Expressions
from rulelang import core


class Program(Control):
    """All blocks and decisions of a ruleset; raises Unwritten where its play cannot be put in blocks."""

    def __init__(self, module: Module) -> None:
        """Everything is written at once."""
        super().__init__(module)
        if module.reads.invariants:
            raise Unwritten("invariants")
        over = self._label()
        self.start = self._label()
        self._run("flow", self.rules.flow, 0, self._function("flow"), str(over), self.start)
        final = module.expressions(())
        final.line('s.ended = "flow"')
        final.line(f"return {OVER}")
        module.add(self.blocks[over], final, ["r"])

    # ---------------------------------------------------------------------------------------- decisions
    def _choose(
        self, owner: str, body: core.Body, pc: int, stmt: core.Choose, f: Expressions, after: str
    ) -> None:
        var, scope = f"r[{self.slot(owner, stmt.var)}]", InRegisters(self, owner)

        def apply(h: Expressions) -> None:
            h.line(f"{var} = v")
            h.line(f"return {after}")

        choice = Choice(
            stmt.mode,
            stmt.var.split("~")[0],
            stmt.prompt,
            self._value(owner, stmt.by),
            self._helper(owner, "y", apply, ("r", "v")),
            stmt=stmt,
        )
        if stmt.mode == "one":
            choice.options = self.module.ones(body, pc, scope)
            choice.sample = self.module.sample(body, pc, scope)
        else:
            choice.domain = self.slot(owner, f"@domain {id(stmt)}")
            members = self.module.name(
                "m", ("r", id(stmt)), lambda made: write_members(self.module, stmt, made, scope)
            )
            if stmt.mode == "some":
                choice.low = self._value(owner, stmt.low) if stmt.low is not None else ""
                choice.high = self._value(owner, stmt.high) if stmt.high is not None else ""
            f.line(f"m = {members}(s, r)")
            none = "not m" + (f" or {f.gen(stmt.high)} <= 0" if stmt.high is not None else "")
            with f.block(f"if {none}:"):
                f.line(f"{f.work()}.steps += 1")
                f.line(f"{var} = {'()' if stmt.mode == 'order' else 'frozenset()'}")
                f.line(f"return {after}")
            f.line(f"r[{choice.domain}] = m")
        f.line(f"return {-1 - len(self.choices)}")
        self.choices.append(choice)

    def _take(
        self, owner: str, body: core.Body, pc: int, stmt: core.Take, f: Expressions, after: str
    ) -> None:
        by = self._value(owner, stmt.by)
        f.line(f"return {-1 - len(self.choices)}")
        choice = Choice("action", "action", "action", by, "", values=stmt.actions, stmt=stmt)
        self.choices.append(choice)
        self.marks[id(stmt)] = int(after)
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

    def _may(
        self, owner: str, body: core.Body, pc: int, stmt: core.May, f: Expressions, after: str
    ) -> None:
        inside = str(self._later(owner, stmt.body, 0, after)) if stmt.body else after
        by, scope = self._value(owner, stmt.by), InRegisters(self, owner)
        f.line(f"return {-1 - len(self.choices)}")
        viable = self.module.viable(stmt.body, 0, scope)
        apply = self._helper(
            owner, "y", lambda h: h.line(f"return {inside} if v else {after}"), ("r", "v")
        )
        self.choices.append(Choice("may", "may", stmt.prompt, by, apply, options=viable, stmt=stmt))
