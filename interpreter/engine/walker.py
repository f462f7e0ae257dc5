"""The walker over bodies: from a place in a body, without changing the position, what is met next?

Looking ahead against dead ends, saying why a play is refused and finding what a line of words may
mean all follow a body in this one way, and differ only in what they do with what is met.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from interpreter.engine.clauses import Rules
from interpreter.model.position import Position
from rulelang import core
from rulelang.core.values import Value


class Place(NamedTuple):
    """A place in a body: its next statement, the values in scope, and the clause it stands in."""

    body: core.Body
    pc: int
    scope: Mapping[str, Value]
    clause: str = ""

    def past(self) -> Place:
        """The place after the next statement."""
        return Place(self.body, self.pc + 1, self.scope, self.clause)

    def naming(self, name: str, value: Value) -> Place:
        """The place after the next statement, which gives a name this value."""
        return Place(self.body, self.pc + 1, {**self.scope, name: value}, self.clause)

    def inside(self, body: core.Body) -> Place:
        """The beginning of a body that the next statement holds."""
        return Place(body, 0, self.scope, self.clause)


Decision: TypeAlias = core.Choose | core.Take | core.May


class Asked(NamedTuple):
    """Somebody must decide: a choice, a choice of actions, or a yes or no."""

    at: Place
    stmt: Decision


class Proposed(NamedTuple):
    """An event is proposed with these values."""

    at: Place
    event: str
    values: tuple[Value, ...]


class Changed(NamedTuple):
    """The next statement may change the position: what follows it cannot be foreseen."""

    at: Place


class Ended(NamedTuple):
    """The body, or the branch of it that was taken, is at its end."""

    at: Place


Met: TypeAlias = Asked | Proposed | Changed | Ended

DECISIONS = (core.Choose, core.Take, core.May)
FOLLOWED = (core.Let, core.If, core.Do)
CHANGES = (
    core.Chance,
    core.Assign,
    core.Move,
    core.Draw,
    core.Put,
    core.Shuffle,
    core.Reveal,
    core.Give,
    core.Finish,
    core.ForEach,
    core.Repeat,
    core.Each,
    core.Maximize,
)


class Walker:
    """Follows bodies of one game."""

    def __init__(self, rules: Rules) -> None:
        """The rules give values, and know which clauses were taken away."""
        self.rules, self.ruleset = rules, rules.setup.rules

    def procedure(self, name: str, values: tuple[Value, ...]) -> Place:
        """The beginning of a procedure or action with these values."""
        known = self.ruleset.procedures[name]
        scope = dict(zip([p for p, _ in known.params], values, strict=True))
        return Place(known.body, 0, scope, known.clause)

    def meet(self, s: Position, place: Place) -> Met:
        """What is met first from this place, with names given and branches taken on the way.

        A branch that is not empty, and a procedure that is called, is followed to its own end;
        what stands after it is not looked at.
        """
        func = self.rules.func
        while place.pc < len(place.body):
            stmt = place.body[place.pc]
            if stmt.clause is not None and stmt.clause in self.rules.without:
                place = place.past()
            elif isinstance(stmt, core.Let):
                place = place.naming(stmt.var, func(stmt.value)(s, place.scope))
            elif isinstance(stmt, core.If):
                branch = stmt.then if func(stmt.cond)(s, place.scope) else stmt.other
                place = place.inside(branch) if branch else place.past()
            elif isinstance(stmt, core.Do):
                values = tuple([func(a)(s, place.scope) for a in stmt.args])
                if stmt.target in self.ruleset.events:
                    return Proposed(place, stmt.target, values)
                place = self.procedure(stmt.target, values)
            elif isinstance(stmt, DECISIONS):
                return Asked(place, stmt)
            else:
                assert isinstance(stmt, CHANGES), stmt
                return Changed(place)
        return Ended(place)
