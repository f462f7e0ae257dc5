"""The generated module of a ruleset: which functions it has, for any game that is set up with it."""
from __future__ import annotations

from collections.abc import Iterable

from interpreter.generated.choices import write_members, write_ones, write_viable
from interpreter.generated.clauses import write_accepts, write_definition, write_refusals, write_table
from interpreter.generated.functions import Functions
from interpreter.generated.sets import Expressions
from rulelang import core


class Scope(dict[str, str]):
    """The names of a running procedure: each is fetched once from its values when it is first met."""

    def __init__(self, function: Expressions) -> None:
        """The function that fetches them, whose parameter `env` holds the values."""
        super().__init__()
        self.function = function

    def __missing__(self, name: str) -> str:
        return self.function.head(f"env[{name!r}]")


class Module(Functions):
    """The functions of definitions, tables, requirements, expressions and choices; options and the number of players are data to them."""

    def definition(self, name: str) -> str:
        """The function of a definition: (position, values...) -> value."""
        return self.name("d", name, lambda made: write_definition(self, name, made))

    def total(self, name: str) -> str:
        """The function of a table: (position, values...) -> number."""
        return self.name("t", name, lambda made: write_table(self, name, made))

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

    def viable(self, body: core.Body, pc: int) -> str:
        """Can a body be completed from here? (position, values by name) -> truth."""
        self.held.append(body)
        return self.name("v", (id(body), pc), lambda made: write_viable(self, body, pc, made))

    def ones(self, body: core.Body, pc: int) -> str:
        """The options of a choice of one: (position, values by name) -> iterator."""
        self.held.append(body)
        return self.name("o", (id(body), pc), lambda made: write_ones(self, body, pc, made))

    # ---------------------------------------------------------------------------------------- functions to be written
    def expressions(self, names: Iterable[tuple[str, str]]) -> Expressions:
        """A function to be written, with these names in scope."""
        return Expressions(self, self.constants, dict(names))

    def scoped(self) -> Expressions:
        """A function to be written that takes its values by name."""
        function = self.expressions(())
        function.names = Scope(function)
        return function
