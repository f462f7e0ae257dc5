"""The generated evaluator of one game: the functions of its ruleset, bound to its pieces, boards and options as they are asked for."""

from __future__ import annotations

from itertools import islice
from typing import Any, cast

from interpreter.engine.clauses import Clause, Rules
from interpreter.evaluator.expressions import Env, Func
from interpreter.generated.module import Module
from interpreter.model.position import Position
from rulelang import core
from rulelang.core.identity import IdentityMap
from rulelang.core.values import Value


class Generated:
    """Gives the same values as the reference evaluator, sooner."""

    def __init__(self, rules: Rules, module: Module) -> None:
        """The module is shared by all games of the ruleset; its functions are bound here to this one."""
        self.setup, self.rules, self.module = rules.setup, rules, module
        self.space: dict[str, Any] = {}
        self.constants = self.codes = 0
        self.functions: IdentityMap[core.Expr, Func] = IdentityMap()

    def function(self, name: str) -> Any:
        """A function of the module by the name it was given, bound to this game."""
        found = self.space.get(name)
        if found is None:
            codes = self.module.compiled()
            recipes = self.module.constants.recipes
            new = list(islice(recipes.items(), self.constants, None))
            for constant, recipe in new:
                self.space[constant] = recipe(self.rules)
            for code in codes[self.codes :]:
                exec(
                    code, self.space
                )  # made from checked trees with names of our own: no text of an author's is in it
            self.constants, self.codes = self.constants + len(new), len(codes)
            found = self.space[name]
        return found

    def func(self, expr: core.Expr) -> Func:
        """The function of an expression: (position, values by name) -> value."""
        found = self.functions.get(expr)
        if found is None:
            made: Func = self.function(self.module.expression(expr))
            found = self.functions.keep(expr, made)
        return found

    def definition(self, name: str) -> Clause[Value]:
        """The function of a definition."""
        return cast("Clause[Value]", self.function(self.module.definition(name)))

    def total(self, name: str) -> Clause[int]:
        """The function of a score table."""
        return cast("Clause[int]", self.function(self.module.total(name)))

    def accepts(self, event: str) -> Clause[bool]:
        """The function of an event's rules."""
        return cast("Clause[bool]", self.function(self.module.accepts(event)))

    def members(self, stmt: core.Choose) -> Any:
        """What may stand for a choice, its filter met."""
        return self.function(self.module.members(stmt))

    def viable(self, body: core.Body, pc: int) -> Any:
        """Can a body be completed from here?"""
        return self.function(self.module.viable(body, pc))

    def ones(self, body: core.Body, pc: int) -> Any:
        """The options of a choice of one, as an iterator."""
        return self.function(self.module.ones(body, pc))

    def value(self, expr: core.Expr, s: Position, env: Env) -> Value:
        """The value of an expression."""
        return self.func(expr)(s, env)
