"""What is noted of clauses while rules are worked out, and what counts as one question.

Clauses may be taken away; those that were looked at and those that counted are kept by name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from interpreter.model.keeping import Keep
from interpreter.model.position import Position
from interpreter.model.setup import Setup
from interpreter.model.values import Fault
from rulelang import core
from rulelang.analysis.cost import cost, looks_back
from rulelang.analysis.reads import Reads
from rulelang.builtins.record import ANYTHING

# Nodes that look through members, or ask what does.
_LOOKING_THROUGH = (
    core.Exists
    | core.Forall
    | core.Filter
    | core.Image
    | core.Best
    | core.Stable
    | core.Groups
    | core.Reach
    | core.Total
    | core.Accepts
    | core.At
)
_DEAR = 10  # steps that take longer than it takes to look up what was found before
T = TypeVar("T")
U = TypeVar("U")


class Noted:
    """The notes of one game: all who make functions of its clauses share them."""

    def __init__(self, setup: Setup, without: frozenset[str], record: bool, keeps: bool) -> None:
        """`without` takes clauses away; `record` notes in `touched` those that were looked at.

        Unless it `keeps`, nothing is kept and nothing asked before its turn: all is worked out
        where the rules say it, and comes to the same.
        """
        self.setup, self.without, self.record, self.keeps = setup, without, record, keeps
        said = {e.clause for e in setup.rules.extensions} if without else frozenset[str]()
        # What a card says is left out of the additions: all else stays as it is, and as quick.
        self.watched = record or not without <= said
        self.touched: set[str] = set()
        self.fired: set[str] = set()
        self.reads, self.work = Reads(setup.rules), setup.work

    def place(self, clause: str) -> tuple[str, int]:
        """A clause and its line, as a fault names them."""
        known = self.setup.rules.clauses.get(clause)
        return clause, known.span.line if known is not None else 0

    def touch(self, clause: str) -> None:
        """Note that a clause was looked at; raises Fault if it was taken away."""
        if self.record and clause:
            self.touched.add(clause)
        if clause and clause in self.without:
            raise Fault(f"{clause} was taken away")

    def gone(self, clause: str) -> bool:
        """Was this line taken away? (And note that it was looked at.)"""
        if self.record and clause:
            self.touched.add(clause)
        return clause in self.without

    def worth_keeping(self, item: object) -> bool:
        """Is working it out dear, and does what it comes to hold until what it reads changes?"""
        rules = self.setup.rules
        if not self.keeps:
            return False
        dear = any(isinstance(node, _LOOKING_THROUGH) for node in core.walk(item))
        if not dear and cost(rules, item) < _DEAR:
            return False
        return ANYTHING not in self.reads.all(item) or not looks_back(rules, item)

    def kept(self, keep: Keep, find: Callable[[Position, T], U]) -> Callable[[Position, T], U]:
        """What keeps the results of this function; where clauses are noted, those that were looked
        at for a result are noted each time it is given.
        """
        if not self.record:
            return keep(find)

        def found(s: Position, given: T) -> tuple[U, frozenset[str]]:
            outer, self.touched = self.touched, set()
            try:
                return find(s, given), frozenset(self.touched)
            finally:
                outer |= self.touched
                self.touched = outer

        recalled = keep(found)

        def noted(s: Position, given: T) -> U:
            result, touched = recalled(s, given)
            self.touched |= touched
            return result

        return noted

    def asked(self, ask: Callable[[Position, T], U]) -> Callable[[Position, T], U]:
        """The same function as a question of its own, unless it is part of another."""
        work = self.work

        def question(s: Position, given: T) -> U:
            if work.open:
                return ask(s, given)
            work.begin()
            try:
                return ask(s, given)
            finally:
                work.open = False

        return question
