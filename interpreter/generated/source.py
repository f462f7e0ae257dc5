"""Python source in the making: lines with indentation, names of our own, and constants bound when a game is set up.

No text of an author's enters the source: what rules name stands in the constants, under names made here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

Recipe = Callable[[Any], Any]  # what a constant is, given the rules of a set-up game


@dataclass
class Constants:
    """What generated functions refer to by name; each is made once for every game that is set up."""

    recipes: dict[str, Recipe] = field(default_factory=dict)
    named: dict[Any, str] = field(default_factory=dict)

    def name(self, key: Any, recipe: Recipe) -> str:
        """The name of a constant; equal keys share one."""
        found = self.named.get(key)
        if found is None:
            found = self.named[key] = f"K{len(self.recipes)}"
            self.recipes[found] = recipe
        return found

    def value(self, value: Any) -> str:
        """The name of a constant that is the same in every game."""
        return self.name(("value", type(value).__name__, value), lambda _: value)


class Source:
    """One function being written: lines at their depth, fresh local names, and what is fetched once at its head."""

    def __init__(self, constants: Constants) -> None:
        """Constants are shared by all functions of a ruleset."""
        self.constants = constants
        self.lines: list[str] = []
        self.depth = 1
        self.counter = 0
        self.heads: dict[str, str] = {}

    def line(self, text: str) -> None:
        """Write a line at the present depth."""
        self.lines.append("    " * self.depth + text)

    def fresh(self, stem: str = "t") -> str:
        """A local name not used before in this function."""
        self.counter += 1
        return f"{stem}{self.counter}"

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Lines within belong under this head."""
        self.line(head)
        self.depth += 1
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.line("pass")
        self.depth -= 1

    @contextmanager
    def apart(self) -> Iterator[list[str]]:
        """Lines written within are kept apart, to be placed or left out afterwards."""
        kept, self.lines = self.lines, []
        mine = self.lines
        yield mine
        self.lines = kept

    def head(self, value: str) -> str:
        """A local name for something fetched once when the function begins."""
        found = self.heads.get(value)
        if found is None:
            found = self.heads[value] = self.fresh("h")
        return found

    def text(self, signature: str) -> str:
        """The whole function."""
        head = [f"    {name} = {value}" for value, name in self.heads.items()]
        return "\n".join([f"def {signature}:", *head, *(self.lines or ["    pass"])]) + "\n"


class Fetched(dict[str, str]):
    """The names of a running procedure: each is fetched once when it is first met."""

    def __init__(self, head: Callable[[str], str], where: Callable[[str], str]) -> None:
        """`where` says how a name is fetched, `head` gives what is fetched a name."""
        super().__init__()
        self.head, self.where = head, where

    def __missing__(self, name: str) -> str:
        return self.head(self.where(name))
