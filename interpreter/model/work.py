"""Work counted in the terms of the language: steps, and members looked through.

A question is one evaluation that somebody outside the rules asks for, or all that is done from one
decision to the next. What is asked within a question counts towards it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from interpreter.model.values import Fault
from rulelang.core.bounds import MAX_STEPS, MAX_VISITS

_ROOM = 4_000  # calls within calls that Python must allow for what rules may nest


def leave_room() -> None:
    """Let Python nest calls as deeply as rules may be nested."""
    if sys.getrecursionlimit() < _ROOM:
        sys.setrecursionlimit(_ROOM)


class Work:
    """What the present question has cost so far; the parts of one engine share it."""

    __slots__ = ("most_steps", "most_visits", "open", "steps", "visits")

    def __init__(self) -> None:
        """No question is asked."""
        self.open = False
        self.steps = 0  # done
        self.visits = MAX_VISITS  # that are left
        self.most_steps, self.most_visits = MAX_STEPS, MAX_VISITS

    def begin(self) -> None:
        """A question is asked."""
        self.open, self.steps, self.visits = True, 0, self.most_visits

    @contextmanager
    def question(self) -> Iterator[None]:
        """One question, unless it is part of another."""
        if self.open:
            yield
            return
        self.begin()
        try:
            yield
        finally:
            self.open = False

    def step(self) -> None:
        """A statement is carried out, or a loop goes round; raises Fault past the bound."""
        self.steps += 1
        if self.steps > self.most_steps:
            self.endless()

    def visit(self, members: int) -> None:
        """So many members are looked through; raises Fault past the bound."""
        self.visits -= members
        if self.visits < 0:
            self.spent()

    def endless(self) -> NoReturn:
        """Raises Fault: what asks nobody does not end."""
        raise Fault(f"more than {self.most_steps} steps without a decision")

    def spent(self) -> None:
        """Raises Fault if a question is open: too many members were looked through."""
        if self.open:
            raise Fault(f"more than {self.most_visits} members looked through without a decision")
        self.visits = (
            self.most_visits
        )  # nobody has asked: looked at from outside, one thing at a time
