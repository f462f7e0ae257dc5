"""Bodies by number: every body that control may stand in, so that a frame of play is plain data."""

from __future__ import annotations

from rulelang import core
from rulelang.core import Body
from rulelang.core.types import Type
from rulelang.ruleset import Ruleset

_INNER = ("then", "other", "body")  # the fields of statements that hold bodies


class Bodies:
    """The bodies of flow, procedures and latches, numbered by where they stand.

    Equal bodies have numbers of their own, for they may differ in clauses, and so has one body that
    stands in several branches: numbers follow from what is written, not from which objects are
    shared, so a ruleset read from a cache has the same. The empty body alone has one number.
    """

    def __init__(self, rules: Ruleset) -> None:
        """Numbers are given in the order of the ruleset, outer bodies first."""
        self.all: list[Body] = []
        self.given: list[tuple[str, ...]] = []
        """Body -> the names that its statements give values to."""
        self.maximized: dict[int, core.Maximize] = {}
        """The body of a `maximize` -> the statement."""
        self.loops: dict[int, core.ForEach | core.Each] = {}
        """The body of a loop over members or players -> the statement."""
        self._inside: dict[tuple[int, int, str], int] = {}
        self._empty: int | None = None
        self.flow = self._number(rules.flow)
        self.procedures = {p.name: self._number(p.body) for p in rules.procedures.values()}
        for latch in rules.latches:
            self._number(latch.body)

    def inside(self, body: int, pc: int, part: str = "body") -> int:
        """The number of the body that the statement at `pc` of a body holds."""
        return self._inside[body, pc, part]

    def _number(self, body: Body) -> int:
        if not body and self._empty is not None:
            return self._empty
        number = len(self.all)
        if not body:
            self._empty = number
        self.all.append(body)
        self.given.append(tuple(name for stmt in body for name in _given(stmt)))
        for pc, stmt in enumerate(body):
            for part in _INNER:
                inner = getattr(stmt, part, None)
                if isinstance(inner, tuple):
                    self._inside[number, pc, part] = self._number(inner)
            if isinstance(stmt, core.Maximize):
                self.maximized[self.inside(number, pc)] = stmt
            elif isinstance(stmt, core.ForEach | core.Each):
                self.loops[self.inside(number, pc)] = stmt
        return number

    def member_type(self, body: int) -> Type:
        """What the members are that the loop with this body goes over."""
        loop = self.loops[body]
        assert isinstance(loop, core.ForEach)
        return loop.item

    def at_once(self, body: int) -> core.Each:
        """The statement whose body all players go through at once."""
        loop = self.loops[body]
        assert isinstance(loop, core.Each)
        return loop


def _given(stmt: core.Stmt) -> tuple[str, ...]:
    """The names a statement gives values to, for the statements after it in its block."""
    if isinstance(stmt, core.Let | core.Chance | core.Choose):
        return (stmt.var,)
    return (stmt.result,) if isinstance(stmt, core.Do) and stmt.result is not None else ()
