"""The generated module of a ruleset: which functions it has, for any game that is set up with it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from interpreter.generated.choices import write_members, write_ones, write_sample, write_viable
from interpreter.generated.clauses import (
    write_accepts,
    write_definition,
    write_refusals,
    write_table,
)
from interpreter.generated.effects import answers, write_ends, write_event
from interpreter.generated.functions import Functions
from interpreter.generated.partners import possible, write_index, write_partners
from interpreter.generated.scopes import BY_NAME, InScope
from interpreter.generated.sets import Expressions
from rulelang import core
from rulelang.analysis.writes import statements
from rulelang.ruleset import Extension, Reaction


class Module(Functions):
    """The functions of definitions, tables, requirements, expressions and choices; options and the number of players are data to them."""

    def definition(self, name: str) -> str:
        """The function of a definition: (position, values...) -> value."""
        return self.name("d", name, lambda made: write_definition(self, name, made))

    def total(self, name: str) -> str:
        """The function of a table: (position, values...) -> number."""
        return self.name("t", name, lambda made: write_table(self, name, made))

    def partners(self, relation: str) -> tuple[str | None, bool]:
        """The function (position, thing) -> set of what it stands in a relation to, none where every pair must be tested; and does it look both ways?"""
        if relation not in self.possible:
            self.possible[relation] = possible(self, relation)
        sides = self.possible[relation]
        name = (
            self.name("n", relation, lambda made: write_partners(self, relation, sides, made))
            if sides != (None, None)
            else None
        )
        return name, None not in sides

    def index(self, var: str, domain: core.Expr, key: core.Expr) -> str:
        """The members of a set by what something is of them: (position) -> dictionary."""
        return self.name(
            "i", (var, domain, key), lambda made: write_index(self, var, domain, key, made)
        )

    def accepts(self, event: str, asked: frozenset[int] = frozenset()) -> str:
        """The test of an event, but for the rules of these numbers: (position, values...) -> truth."""
        return self.name("a", (event, asked), lambda made: write_accepts(self, event, asked, made))

    def refusals(self, event: str) -> str:
        """What stands against an event: (position, values...) -> the clauses that fail, in order."""
        return self.name("f", event, lambda made: write_refusals(self, event, made))

    def expression(self, e: core.Expr) -> str:
        """The function of an expression: (position, values by name) -> value."""

        def write(made: str) -> None:
            function = self.scoped()
            value = function.gen(e)
            function.line(f"return {value}")
            self.add(made, function, ["env"])

        self.held.append(e)
        return self.name("x", id(e), write)

    # ---------------------------------------------------------------------------------------- choices
    def members(self, stmt: core.Choose) -> str:
        """What may stand for a choice, its filter met: (position, values by name) -> tuple."""
        self.held.append(stmt)
        return self.name("m", id(stmt), lambda made: write_members(self, stmt, made))

    def viable(self, body: core.Body, pc: int, scope: InScope = BY_NAME) -> str:
        """Can a body be completed from here? (position, values in scope) -> truth."""
        self.held.append(body)
        return self.name(
            "v", (id(body), pc, scope.key), lambda made: write_viable(self, body, pc, made, scope)
        )

    def ones(self, body: core.Body, pc: int, scope: InScope = BY_NAME) -> str:
        """The options of a choice of one: (position, values in scope) -> iterator."""
        self.held.append(body)
        return self.name(
            "o", (id(body), pc, scope.key), lambda made: write_ones(self, body, pc, made, scope)
        )

    def sample(self, body: core.Body, pc: int, scope: InScope) -> str:
        """One option of a choice of one, by chance: (position, values in scope, draw) -> value."""
        self.held.append(body)
        return self.name(
            "g", (id(body), pc, scope.key), lambda made: write_sample(self, body, pc, made, scope)
        )

    # ---------------------------------------------------------------------------------------- what changes a position
    def event(self, name: str) -> str:
        """An event performed, with what follows it: (position, values...) -> nothing."""
        return self.name("e", name, lambda made: write_event(self, name, made))

    def answers(self, event: str) -> list[tuple[Reaction, Extension | None]]:
        """What follows an event: the rules' own reactions, then those of cards."""
        return list(answers(self.ruleset, event))

    @property
    def marks_changes(self) -> bool:
        """Must a position remember that it changed? Only where something waits for its moment."""
        return bool(self.ruleset.latches) or self.at_once

    @cached_property
    def at_once(self) -> bool:
        """Do seats play at once somewhere?"""
        bodies = [self.ruleset.flow, *(p.body for p in self.ruleset.procedures.values())]
        return any(isinstance(s, core.Each) and s.mode != "in turn" for s in statements(bodies))

    def ends(self, names: tuple[str, ...] | None, changed: str | None = None) -> str:
        """Have these ends come (none named: any, after what waited for its moment)? (position[, the one member of `changed` that changed]) -> truth."""
        return self.name("z", (names, changed), lambda made: write_ends(self, names, changed, made))

    # ---------------------------------------------------------------------------------------- functions to be written
    def expressions(self, names: Iterable[tuple[str, str]]) -> Expressions:
        """A function to be written, with these names in scope."""
        return Expressions(self, self.constants, dict(names))

    def scoped(self, scope: InScope = BY_NAME) -> Expressions:
        """A function to be written that takes the values in scope."""
        function = self.expressions(())
        function.names = scope.names(function)
        return function
