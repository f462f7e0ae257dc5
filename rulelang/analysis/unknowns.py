"""The abstract values of partial evaluation: unknown values, unknown copies of a design, open sets.

Truth has three values: true, false, and OPEN where nobody can know it before play.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from rulelang import core
from rulelang.ruleset import Design

OPEN = type("Open", (), {"__repr__": lambda self: "open"})()  # a value nobody knows before play

Env = dict[str, Any]


@dataclass(frozen=True)
class Copy:
    """Some copy of a design; two of one name are the same piece.

    What it came to last, a place or layer, is told if it is known.
    """

    design: Design
    name: str = ""
    at: tuple[str, str] | None = None


@dataclass(frozen=True)
class Later:
    """A set, to be asked for its members."""

    expr: core.Expr
    env: Env


def elsewhen(value: Any) -> Any:
    """What is known of a value in another position: not where it lies."""
    if isinstance(value, Later):
        return Later(value.expr, {name: elsewhen(inner) for name, inner in value.env.items()})
    return replace(value, at=None) if isinstance(value, Copy) else value


def same(one: Any, two: Any) -> bool | None:
    """Are two values one? Copies of different designs are not."""
    if one is OPEN or two is OPEN:
        return None
    if isinstance(one, Copy) and isinstance(two, Copy):
        if one.name and one.name == two.name:
            return True
        return (
            False
            if one.design is not two.design and one.design.clause != two.design.clause
            else None
        )
    return bool(one == two)


def every(parts: Iterable[Any]) -> Any:
    """Do all hold? One that never does decides, whatever is open."""
    found: Any = True
    for part in parts:
        if part is False:
            return False
        if part is not True:
            found = OPEN
    return found


def contrary(found: Any) -> Any:
    """Does it not hold?"""
    return not found if isinstance(found, bool) else OPEN
