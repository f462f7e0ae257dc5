"""How a generated function gets at the values in scope: by name from a running procedure, or from registers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from interpreter.generated.sets import Expressions


class InScope(Protocol):
    """How a function gets at the values in scope, and passes them on with one more."""

    param: str
    key: Any

    def names(self, function: Expressions) -> dict[str, str]:
        """The names as the function has them."""

    def passing(self, function: Expressions, var: str, item: str) -> str:
        """The argument that carries the names with one more value."""


class _ByName:
    param, key = "env", "env"

    def names(self, function: Expressions) -> dict[str, str]:
        return Fetched(function, lambda name: f"env[{name!r}]")

    def passing(self, function: Expressions, var: str, item: str) -> str:
        return f"{{**env, {var!r}: {item}}}"


class Fetched(dict[str, str]):
    """The names of a running procedure: each is fetched once when it is first met."""

    def __init__(self, function: Expressions, where: Callable[[str], str]) -> None:
        """`where` says how a name is fetched."""
        super().__init__()
        self.function, self.where = function, where

    def __missing__(self, name: str) -> str:
        return self.function.head(self.where(name))


BY_NAME: InScope = _ByName()
