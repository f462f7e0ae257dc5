"""The generated module of a ruleset: which functions it has, their source, and their binding to a game that is set up."""
from __future__ import annotations

from collections.abc import Callable, Iterable
from types import CodeType
from typing import Any

from interpreter.generated.sets import Expressions
from interpreter.generated.source import Constants
from interpreter.needs import Reads
from interpreter.setup import is_whole
from rulelang import core
from rulelang.ruleset import Ruleset, State

_MISSING = object()


class Scope(dict[str, str]):
    """The names of a running procedure: each is fetched once from its values when it is first met."""

    def __init__(self, function: Expressions) -> None:
        """The function that fetches them, whose parameter `env` holds the values."""
        super().__init__()
        self.function = function

    def __missing__(self, name: str) -> str:
        return self.function.head(f"env[{name!r}]")


class Module:
    """Functions by name, written when first asked for; options and the number of players are data to them."""

    def __init__(self, ruleset: Ruleset) -> None:
        """One module serves every game of a compiled ruleset."""
        self.ruleset, self.constants, self.reads = ruleset, Constants(), Reads(ruleset)
        self.sources: dict[str, str] = {}
        self.names: dict[Any, str] = {}
        self.waiting: list[Callable[[], None]] = []
        self.codes: list[CodeType] = []
        self.done = 0
        self.held: list[Any] = []  # so that nothing else comes to have the number of what is known by it
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

    def accepts(self, event: str, asked: frozenset[int] = frozenset()) -> str:
        """The test of an event, but for the rules of these numbers: (position, values...) -> truth."""
        from interpreter.generated.clauses import write_accepts

        return self.name("a", (event, asked), lambda made: write_accepts(self, event, asked, made))

    def refusals(self, event: str) -> str:
        """What stands against an event: (position, values...) -> the clauses that fail, in order."""
        from interpreter.generated.clauses import write_refusals

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
        from interpreter.generated.choices import write_members

        self.held.append(stmt)
        return self.name("m", id(stmt), lambda made: write_members(self, stmt, made))

    def viable(self, body: core.Body, pc: int) -> str:
        """Can a body be completed from here? (position, values by name) -> truth."""
        from interpreter.generated.choices import write_viable

        self.held.append(body)
        return self.name("v", (id(body), pc), lambda made: write_viable(self, body, pc, made))

    def ones(self, body: core.Body, pc: int) -> str:
        """The options of a choice of one: (position, values by name) -> iterator."""
        from interpreter.generated.choices import write_ones

        self.held.append(body)
        return self.name("o", (id(body), pc), lambda made: write_ones(self, body, pc, made))

    def scoped(self) -> Expressions:
        """A function to be written that takes its values by name."""
        function = self.expressions(())
        function.names = Scope(function)
        return function

    @property
    def still(self) -> frozenset[str]:
        """The sources that never change: the cells of boards, if none of them grows."""
        return frozenset() if any(b.grown_from is not None for b in self.ruleset.boards.values()) else frozenset(["tiles"])

    def keep(self, made: str, inner: str, params: list[str], reads: frozenset[str], parts: list[str] | None = None, finite: bool = False) -> None:
        """A function that keeps what the inner one found for these parts: until something it reads changes, or for ever if nothing that does and they are few."""
        parts = params if parts is None else parts
        key = parts[0] if len(parts) == 1 else f"({', '.join(parts)})"
        if finite and reads <= self.still:
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
    def compiled(self) -> list[CodeType]:
        """The code of all functions asked for so far, in the order they were asked for; what was compiled once is not compiled again."""
        while self.waiting:
            self.waiting.pop(0)()
        new = list(self.sources.values())[self.done :]
        if new:
            self.done = len(self.sources)
            self.codes.append(compile("\n".join(new), "<generated>", "exec"))
        return self.codes
