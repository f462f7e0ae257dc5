"""The abstract values of partial evaluation: unknown values, unknown copies of a design, open sets.

Truth has three values: true, false, and OPEN where nobody can know it before play.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, TypeAlias

from rulelang import core
from rulelang.core.values import Value
from rulelang.ruleset import Design


class Open(Enum):
    """The class of OPEN alone."""

    OPEN = "open"

    def __repr__(self) -> str:
        return self.value


OPEN: Final = Open.OPEN  # a value nobody knows before play

# What is known of a value, and of a truth.
Known: TypeAlias = "Value | Copy | Later | Open"
Truth: TypeAlias = "bool | Open"
Env: TypeAlias = "Mapping[str, Known]"


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


def elsewhen(value: Known) -> Known:
    """What is known of a value in another position: not where it lies."""
    if isinstance(value, Later):
        return Later(value.expr, {name: elsewhen(inner) for name, inner in value.env.items()})
    return replace(value, at=None) if isinstance(value, Copy) else value


def same(one: Known, two: Known) -> bool | None:
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


def every(parts: Iterable[Known]) -> Truth:
    """Do all hold? One that never does decides, whatever is open."""
    found: Truth = True
    for part in parts:
        if part is False:
            return False
        if part is not True:
            found = OPEN
    return found


def contrary(found: Known) -> Truth:
    """Does it not hold?"""
    return not found if isinstance(found, bool) else OPEN
