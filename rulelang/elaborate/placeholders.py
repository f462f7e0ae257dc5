"""Statements that stand for others until rules are put together."""

from __future__ import annotations

from dataclasses import dataclass

from rulelang import core
from rulelang.core.visit import EventName

# How the name of an event begins that stands for an attempt; no name of an author's does.
OFFER = "attempt "


def attempted(name: str) -> str:
    """What is attempted by an event that stands for an attempt; any other name as it is."""
    return name.removeprefix(OFFER).split(" ")[0]


@dataclass(frozen=True)
class Attempt(core.Stmt):
    """An event that its player may attempt, and what follows if it is refused; in no compiled
    ruleset.
    """

    event: EventName
    args: tuple[core.Expr, ...]
    by: core.Expr
    refused: core.Body


@dataclass(frozen=True)
class Opening(core.Stmt):
    """Where the statements that cards bring enter a procedure; in no compiled ruleset."""

    label: str
