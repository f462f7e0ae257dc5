"""Core objects from the outside in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulelang.core.expr import Expr
from rulelang.core.stmt import Stmt


def walk(item: Any) -> Iterator[Expr | Stmt]:
    """An object, or those of a tuple, and all that are inside, outer ones first."""
    if isinstance(item, tuple):
        for part in item:
            yield from walk(part)
    elif isinstance(item, Expr | Stmt):
        yield item
        for part in item.__dict__.values():
            yield from walk(part)
