"""Numbered blocks in the making: registers, labels, and bodies cut where somebody must decide.

Values in scope are registers of one list: procedures do not call themselves, so each of their names has one register. A block gives the number of
the next, -1 - d when decision d is open, OVER, or what is said of play at once: a fork, or a seat that is done.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from interpreter.generated.effects import Registers, Steps
from interpreter.generated.module import Module
from interpreter.generated.scopes import Fetched
from interpreter.generated.sets import Expressions
from rulelang import core
from rulelang.analysis.writes import finishes, statements, writes
from rulelang.core.types import SetT

OVER = -1_000_000
DONE = -1_000_001  # a seat's part of play at once has come to its end
CLOSED = -1_000_002  # the region that is searched has come to its end
FORK = -1_000_003  # and below: fork k is at FORK - k


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


@dataclass
class Region:
    """The body of a `maximize`: the functions of its value and of the most it can become, and the actions that stand aside.

    For each of these that its body comes to, outer ones first: the register that is none unless the action is being carried out, and the block at its end.
    """

    value: str
    bound: str
    aside: tuple[str, ...]
    exits: tuple[tuple[int, int], ...]


class InRegisters:
    """The scope of functions that take the registers: a way to fetch names, and to pass them on with one more."""

    param = "r"

    def __init__(self, program: Blocks, owner: str) -> None:
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


class Blocks:
    """The blocks of a ruleset as they are written; control and decisions are added by the rooms above."""

    def __init__(self, module: Module) -> None:
        """Nothing is written yet."""
        self.module, self.rules = module, module.ruleset
        self.slots: dict[tuple[str, str], int] = {}
        self.blocks: list[str] = []
        self.choices: list[Choice] = []
        self.forks: list[Fork] = []
        self.regions: list[Region] = []
        self.mark, self.searched = (
            self.slot("", "@maximize"),
            self.slot("", "@searched"),
        )  # the open regions, innermost first; the one that is searched
        self.entries: dict[str, int] = {}
        self.ends: dict[str, int] = {}
        self.marks: dict[
            int, int
        ] = {}  # a call or a choice of actions -> the block to come back to; a `maximize` -> its region
        self.sure: dict[str, set[str]] = {}
        self.searches = any(
            isinstance(s, core.Maximize)
            for s in statements(
                [self.rules.flow, *(p.body for p in self.rules.procedures.values())]
            )
        )
        self.open: list[str] = []
        self.helpers = 0

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

    def _helper(
        self,
        owner: str,
        stem: str,
        write: Callable[[Expressions], None],
        params: tuple[str, ...] = ("r",),
    ) -> str:
        self.helpers += 1
        name = f"{stem}_{self.helpers}"
        function = self._function(owner)
        write(function)
        self.module.add(name, function, params)
        return name

    def _value(self, owner: str, e: core.Expr) -> str:
        """A function for a value: (position, registers) -> value."""
        return self._helper(owner, "w", lambda f: f.line(f"return {f.gen(e)}"))

    # ---------------------------------------------------------------------------------------- bodies
    def _run(
        self, owner: str, body: core.Body, pc: int, f: Expressions, after: str, label: int
    ) -> None:
        """Write a block from one statement on, and the blocks that follow it."""
        steps = Steps(self.module, f, lambda stmt: self._look(f, stmt))
        while pc < len(body):
            stmt = body[pc]
            if not isinstance(stmt, core.Choose | core.Take | core.May):
                steps.count(1)
            if isinstance(stmt, core.Do) and stmt.target in self.rules.events:
                steps.propose(stmt, checked=_foreseen(body, pc))
            elif self.plain(stmt):
                steps.step(stmt)
            else:
                if (
                    isinstance(stmt, core.Choose)
                    and stmt.mode == "one"
                    and isinstance(stmt.domain.type, SetT)
                ):
                    self._certain(owner, stmt.var)
                rest = (
                    after if pc + 1 == len(body) else str(self._later(owner, body, pc + 1, after))
                )
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
        touched = [
            e.name
            for e in self.rules.endings
            if e.unit is None
            and ("*" in changed or self.module.reads.all(e.cond) & (changed | {"*"}))
        ]
        if touched:
            one = self._one_change(stmt)
            value = (
                f"{self.module.ends(tuple(touched))}(s)"
                if one is None
                else f"{self.module.ends(tuple(touched), one[0])}(s, {f.gen(one[1])})"
            )
            with f.block(f"if {value}:"):
                f.line(f"return {OVER}")

    def _one_change(self, stmt: core.Stmt) -> tuple[str, core.Expr] | None:
        """The variable and member a statement changes, if it changes one value only."""
        if (
            isinstance(stmt, core.Assign)
            and stmt.index is not None
            and isinstance(stmt.index, core.Var)
        ):
            return stmt.state, stmt.index
        if (
            isinstance(stmt, core.Do)
            and stmt.target in self.rules.events
            and not self.module.answers(stmt.target)
        ):
            event = self.rules.events[stmt.target]
            inner = self._one_change(event.body[0]) if len(event.body) == 1 else None
            given = dict(zip([p for p, _ in event.params], stmt.args, strict=True))
            if (
                inner is not None
                and isinstance(inner[1], core.Var)
                and isinstance(given.get(inner[1].name), core.Var)
            ):
                return inner[0], given[inner[1].name]
        return None

    def plain(self, stmt: core.Stmt) -> bool:
        """Does it run without a decision, a procedure or another way of play?"""
        if isinstance(
            stmt, core.Choose | core.Take | core.May | core.Each | core.Maximize | core.Give
        ):
            return False
        if isinstance(stmt, core.ForEach) and stmt.by is not None:
            return False
        if isinstance(stmt, core.Do):
            return stmt.target in self.rules.events
        inner = [
            *getattr(stmt, "then", ()),
            *getattr(stmt, "other", ()),
            *getattr(stmt, "body", ()),
        ]
        return all(self.plain(s) for s in inner)


def _foreseen(body: core.Body, pc: int) -> bool:
    """Did the choice just before make sure that this event is accepted?"""
    for stmt in reversed(body[:pc]):
        if isinstance(stmt, core.Choose):
            return stmt.mode == "one"
        if not isinstance(stmt, core.Let):
            return False
    return False
