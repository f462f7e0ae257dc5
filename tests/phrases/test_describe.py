"""Core expressions described in English: no class of them is left out."""

from __future__ import annotations

from rulelang import core
from rulelang.phrases.describe import DESCRIPTIONS


def subclasses(of: type[core.Expr]) -> set[type[core.Expr]]:
    """All classes below this one."""
    return {c for child in of.__subclasses__() for c in (child, *subclasses(child))}


def test_every_class_of_expressions_is_described() -> None:
    """The table of descriptions is closed: a class of expressions added to the core needs one."""
    assert set(DESCRIPTIONS) == subclasses(core.Expr)
