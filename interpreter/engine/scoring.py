"""Score tables worked out line by line: the running total, and each table's lines as functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from interpreter.engine.additions import Additions, Values
from interpreter.engine.noted import Noted
from interpreter.evaluator.expressions import Func, scope_of
from interpreter.model.position import Position
from interpreter.model.tally import Counted
from interpreter.model.values import Fault, bounded
from rulelang import core
from rulelang.core.identity import IdentityMap
from rulelang.core.values import Value, members, number, ordered
from rulelang.ruleset import Extension, Line, Table

OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "start": lambda total, n: n,
    "+": lambda total, n: bounded(total + n),
    "-": lambda total, n: bounded(total - n),
    "times": lambda total, n: bounded(total * n),
    "exactly": lambda total, n: n,
    "floor": max,
    "cap": min,
}

Scope: TypeAlias = dict[str, Value]
Summing: TypeAlias = Callable[[Position, Values, "RunningTotal"], None]
Applied: TypeAlias = Callable[[Position, Scope, Values, "RunningTotal"], bool]
"""Applies a line; says whether it counted."""


class RunningTotal:
    """A table being worked out line by line."""

    def __init__(self, told: bool = True) -> None:
        """Begins at 0 with no line counted; the lines that counted are kept if they are `told`."""
        self.total, self._told = 0, told
        self.lines: list[Counted] = []

    def count(self, op: str, label: str, amount: int, clause: str, member: Value) -> bool:
        """Apply a line; a floor or cap that changes nothing does not count. Returns whether."""
        before, self.total = self.total, OPERATIONS[op](self.total, amount)
        if op in ("floor", "cap") and self.total == before:
            return False
        if self._told:
            self.lines.append(Counted(op, label, amount, clause, self.total, member))
        return True


class Tables:
    """The functions of one game's score tables."""

    def __init__(
        self, noted: Noted, func: Callable[[core.Expr], Func], additions: Additions
    ) -> None:
        """`func` gives the function of an expression that is part of a question."""
        self.noted, self._func, self._additions = noted, func, additions
        self._made: dict[str, Summing] = {}

    def sum(self, name: str) -> Summing:
        """The function that works a table out: it adds its lines to a running total."""
        made = self._made.get(name)
        if made is None:
            made = self._made[name] = self._summing(self.noted.setup.rules.tables[name])
        return made

    def _summing(self, table: Table) -> Summing:
        noted, scope_for = self.noted, scope_of(table.params)
        lines = [self._line(table, line) for line in table.lines]

        def summing(s: Position, values: Values, total: RunningTotal) -> None:
            noted.touch(table.clause)
            scope = scope_for(values)
            for line in lines:
                line(s, scope, values, total)

        return summing

    def _line(
        self, table: Table, line: Line, source: str = "", alternative: bool = False
    ) -> Applied:
        """A line; `source` is the card's clause it stands in."""
        if line.op == "one":
            inner = [self._line(table, one, alternative=True) for one in line.inner]
            return lambda s, scope, values, total: any(
                one(s, scope, values, total) for one in inner
            )
        if line.slot:
            return self._added(table, line, alternative)
        count = self._count(line, source or line.clause)
        made = count if line.each is None else self._each(line.each, count)
        return self._unless_gone(made, source, line) if self.noted.watched else made

    def _unless_gone(self, made: Applied, source: str, line: Line) -> Applied:
        """The line, unless it was taken away, or the card's clause it stands in."""
        gone = self.noted.gone

        def applied(s: Position, scope: Scope, values: Values, total: RunningTotal) -> bool:
            if gone(source or line.clause) or (source and gone(line.clause)):
                return False
            return made(s, scope, values, total)

        return applied

    def _count(self, line: Line, clause: str) -> Applied:
        """One line counted once, or for the member that its name stands for."""
        assert line.amount is not None
        cond = None if line.cond is None else self._func(line.cond)
        amount, op, label = self._func(line.amount), line.op, line.label
        noted, place = self.noted, self.noted.place(clause)
        var = None if line.each is None else line.each[0]

        def count(s: Position, scope: Scope, values: Values, total: RunningTotal) -> bool:
            scope["total"] = total.total
            try:
                if cond is not None and not cond(s, scope):
                    return False
                member = None if var is None else scope[var]
                counted = total.count(op, label, number(amount(s, scope)), clause, member)
            except Fault as fault:
                raise fault.within(*place) from None
            if counted:
                noted.fired.add(clause)
            return counted

        return count

    def _each(self, each: tuple[str, core.Expr], count: Applied) -> Applied:
        """A line counted for each member of a set, in the stable order."""
        var, domain, work = each[0], self._func(each[1]), self.noted.work

        def for_each(s: Position, scope: Scope, values: Values, total: RunningTotal) -> bool:
            scope["total"] = total.total
            listed = ordered(members(domain(s, scope)))
            work.visit(len(listed))
            inner, counted = dict(scope), False
            for member in listed:
                inner[var] = member
                counted |= count(s, inner, values, total)
            return counted

        return for_each

    def _added(self, table: Table, line: Line, alternative: bool) -> Applied:
        """What cards add in a slot: all of it, or as an alternative the first that counts."""
        noted = self.noted
        adding = self._additions.to("score", table.name, line.slot or "", table.params)
        made: IdentityMap[Extension, list[Applied]] = IdentityMap()

        def added(s: Position, scope: Scope, values: Values, total: RunningTotal) -> bool:
            if noted.watched and noted.gone(line.clause):
                return False
            counted = False
            for extension, bound in adding(s, values):
                lines = made.get(extension)
                if lines is None:
                    lines = made.keep(
                        extension,
                        [self._line(table, one, extension.clause) for one in extension.lines],
                    )
                inner = {**scope, **bound}
                for one in lines:
                    counted |= one(s, inner, values, total)
                    if counted and alternative:
                        return True
            return counted

        return added
