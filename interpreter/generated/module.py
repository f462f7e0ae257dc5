"""The generated module of a ruleset: which functions it has, their source, and their binding to a game that is set up."""
from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from interpreter.generated.sets import Expressions
from interpreter.generated.source import Constants
from interpreter.needs import Reads
from interpreter.setup import is_whole
from rulelang import core
from rulelang.ruleset import Ruleset, State

if TYPE_CHECKING:
    from interpreter.rules import Rules

_MISSING = object()


class Module:
    """Functions by name, written when first asked for; options and the number of players are data to them."""

    def __init__(self, ruleset: Ruleset) -> None:
        """One module serves every game of a compiled ruleset."""
        self.ruleset, self.constants, self.reads = ruleset, Constants(), Reads(ruleset)
        self.sources: dict[str, str] = {}
        self.names: dict[Any, str] = {}
        self.waiting: list[Callable[[], None]] = []
        self.code: Any = None
        self.constants.name("missing", lambda _: _MISSING)

    def dense(self, state: State) -> bool:
        """Has this variable a value for every member, so that it can be looked up without a default?"""
        return is_whole(self.ruleset, state)

    def name(self, kind: str, key: Any, write: Callable[[str], None]) -> str:
        """The name of a function, which is written when its turn comes."""
        found = self.names.get((kind, key))
        if found is None:
            found = self.names[(kind, key)] = f"{kind}{len(self.names)}"
            made = found
            self.waiting.append(lambda: write(made))
        return found

    def expressions(self, names: Iterable[tuple[str, str]]) -> Expressions:
        """A function to be written, with these names in scope."""
        return Expressions(self, self.constants, dict(names))

    # ---------------------------------------------------------------------------------------- named clauses
    def definition(self, name: str) -> str:
        """The function of a definition: (position, values...) -> value."""
        from interpreter.generated.clauses import write_definition

        return self.name("d", name, lambda made: write_definition(self, name, made))

    def total(self, name: str) -> str:
        """The function of a table: (position, values...) -> number."""
        from interpreter.generated.clauses import write_table

        return self.name("t", name, lambda made: write_table(self, name, made))

    def accepts(self, event: str) -> str:
        """The test of an event: (position, values...) -> truth."""
        from interpreter.generated.clauses import write_accepts

        return self.name("a", event, lambda made: write_accepts(self, event, made))

    def refusals(self, event: str) -> str:
        """What stands against an event: (position, values...) -> the clauses that fail, in order."""
        from interpreter.generated.clauses import write_refusals

        return self.name("f", event, lambda made: write_refusals(self, event, made))

    def expression(self, e: core.Expr, names: tuple[str, ...]) -> str:
        """The function of an expression: (position, values of these names...) -> value."""

        def write(made: str) -> None:
            function = self.expressions((n, f"p{i}") for i, n in enumerate(names))
            value = function.gen(e)
            function.line(f"return {value}")
            self.add(made, function, [f"p{i}" for i in range(len(names))])

        return self.name("x", (id(e), names), write)

    @property
    def still(self) -> frozenset[str]:
        """The sources that never change: the cells of boards, if none of them grows."""
        return frozenset() if any(b.grown_from is not None for b in self.ruleset.boards.values()) else frozenset(["tiles"])

    def keep(self, made: str, inner: str, params: list[str], reads: frozenset[str]) -> None:
        """A function that keeps what the inner one found: until something it reads changes, or for ever if it reads nothing that does."""
        key = params[0] if len(params) == 1 else f"({', '.join(params)})"
        if reads <= self.still:
            fetch = [f"m = {self.constants.name(('kept', made), lambda _: {})}"]
        else:
            number = self.constants.name(("number", made), lambda rules: rules.needs.own(reads))
            fetch = [f"m = s.memos.get({number})", f"if m is None: m = s.memos[{number}] = {{}}"]
        missing = self.constants.named["missing"]
        lines = [*fetch, f"k = {key}", f"r = m.get(k, {missing})", f"if r is {missing}:", f"    r = m[k] = {inner}({', '.join(['s', *params])})", "return r"]
        self.sources[made] = "\n".join([f"def {made}({', '.join(['s', *params])}):", *("    " + line for line in lines)]) + "\n"

    def add(self, made: str, function: Expressions, params: Iterable[str]) -> None:
        """Keep a function that was written."""
        self.sources[made] = function.text(f"{made}({', '.join(['s', *params])})")

    # ---------------------------------------------------------------------------------------- binding
    def source(self) -> str:
        """All functions asked for so far, as one text."""
        while self.waiting:
            self.waiting.pop(0)()
        return "\n".join(self.sources.values())

    def bind(self, rules: Rules) -> dict[str, Any]:
        """The functions for one set-up game, by name."""
        text = self.source()
        if self.code is None or self.code[0] != text:
            self.code = (text, compile(text, f"<rules of {self.ruleset.id}>", "exec"))
        space: dict[str, Any] = {name: recipe(rules) for name, recipe in self.constants.recipes.items()}
        exec(self.code[1], space)
        return space
