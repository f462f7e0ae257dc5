"""The generated module of a ruleset: which functions it has, for any game that is set up with it."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.generated.choices import write_members, write_ones, write_viable
from interpreter.generated.clauses import write_accepts, write_definition, write_table
from interpreter.generated.functions import Functions
from interpreter.generated.partners import possible, write_index, write_partners
from interpreter.generated.sets import Expressions
from interpreter.generated.source import Fetched
from rulelang import core


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

    def expression(self, e: core.Expr) -> str:
        """The function of an expression: (position, values by name) -> value."""

        def write(made: str) -> None:
            function = self.scoped()
            value = function.gen(e)
            function.line(f"return {value}")
            self.add(made, function, ["env"])

        return self.of_object("x", e, write)

    # ---------------------------------------------------------------------------------------- choices
    def members(self, stmt: core.Choose) -> str:
        """What may stand for a choice, its filter met: (position, values by name) -> tuple."""
        return self.of_object("m", stmt, lambda made: write_members(self, stmt, made))

    def viable(self, body: core.Body, pc: int) -> str:
        """Can a body be completed from here? (position, values by name) -> truth."""
        return self.of_object("v", body, lambda made: write_viable(self, body, pc, made), pc)

    def ones(self, body: core.Body, pc: int) -> str:
        """The options of a choice of one: (position, values by name) -> iterator."""
        return self.of_object("o", body, lambda made: write_ones(self, body, pc, made), pc)

    # ---------------------------------------------------------------------------------------- functions to be written
    def expressions(self, names: Iterable[tuple[str, str]]) -> Expressions:
        """A function to be written, with these names in scope."""
        return Expressions(self, self.constants, dict(names))

    def scoped(self) -> Expressions:
        """A function to be written that takes the values in scope by name."""
        function = self.expressions(())
        function.names = Fetched(function.head, lambda name: f"env[{name!r}]")
        return function
