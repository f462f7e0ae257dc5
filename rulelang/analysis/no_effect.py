"""What changes nothing, whatever the case: a line that adds 0, a statement that leaves all as it
is.
"""

from __future__ import annotations

from rulelang import core
from rulelang.analysis.partial_eval import Certain
from rulelang.analysis.unknowns import OPEN, Env, Known
from rulelang.core.types import NUMBER, element
from rulelang.ruleset import Extension, Line
from rulelang.ruleset.normalize import normal

MOST_DEEP = 8  # events and procedures that are done within each other


class Idle:
    """Finds what comes to nothing in every position; whatever may do something is said to."""

    def __init__(self, certain: Certain) -> None:
        """What is certain of the amounts decides."""
        self.certain, self.rules = certain, certain.rules

    def idle(self, e: Extension, env: Env) -> str | None:
        """Why an addition to the rules does nothing; none if it may."""
        if e.kind == "score" and e.lines and all(self.line(line, env) for line in e.lines):
            return "what it comes to is always 0"
        if (
            e.kind == "define"
            and e.cases
            and all(self._zero(case.value, env) for case in e.cases)
            and self._usual(e, env) == 0
        ):
            return "it gives 0, as there is without it"
        body = e.reaction.body if e.reaction is not None else e.body
        return "it leaves everything as it is" if body and self.body(body, env) else None

    def line(self, line: Line, env: Env) -> bool:
        """Does a line leave the total as it is?"""
        if line.op == "one":
            return all(self.line(inner, env) for inner in line.inner)
        return line.op in ("+", "-") and self._zero(line.amount, env)

    def body(self, body: core.Body, env: Env, deep: int = 0) -> bool:
        """Do statements leave everything as it is?"""
        known = dict(env)
        return all(self._stmt(stmt, known, deep) for stmt in body)

    def _stmt(self, stmt: core.Stmt, env: dict[str, Known], deep: int) -> bool:
        """Does a statement leave everything as it is? What it names is known to those after it."""
        if isinstance(stmt, core.Let):
            env[stmt.var] = self.certain.known(stmt.value, env)
            return True
        if isinstance(stmt, core.Choose):
            env[stmt.var] = (
                frozenset() if stmt.mode == "some" and self._zero(stmt.high, env) else OPEN
            )
            return True
        if isinstance(stmt, core.If | core.ForEach | core.Repeat | core.May | core.Each):
            return self._control(stmt, env, deep)
        if isinstance(stmt, core.Assign):
            return self._same(stmt.value, stmt, env)
        if isinstance(stmt, core.Draw):
            return self._zero(stmt.count, env)
        if isinstance(stmt, core.Move | core.Put):
            return element(stmt.what.type) is not None and self.certain.nothing(stmt.what, env)
        return isinstance(stmt, core.Do) and self._done(stmt, env, deep)

    def _control(
        self,
        stmt: core.If | core.ForEach | core.Repeat | core.May | core.Each,
        env: Env,
        deep: int,
    ) -> bool:
        """Do the bodies of a statement leave everything as it is, as far as they are run?"""
        if isinstance(stmt, core.If):
            cond = self.certain.truth(stmt.cond, env)
            return (cond is False or self.body(stmt.then, env, deep)) and (
                cond is True or self.body(stmt.other, env, deep)
            )
        if isinstance(stmt, core.ForEach):
            return self.certain.nothing(stmt.domain, env) or self.body(
                stmt.body, {**env, stmt.var: OPEN}, deep
            )
        if isinstance(stmt, core.Repeat):
            return self._zero(stmt.times, env) or self.body(stmt.body, env, deep)
        return self.body(stmt.body, env, deep)

    def _done(self, stmt: core.Do, env: Env, deep: int) -> bool:
        """Does an event nobody waits for, or a procedure, leave everything as it is?"""
        self.certain.others.done(stmt.target)
        known = self.rules.events.get(stmt.target) or self.rules.procedures.get(stmt.target)
        if (
            known is None
            or any(reaction.event == stmt.target for reaction in self.rules.reactions)
            or self.certain.others.heard(stmt.target)
            or stmt.result is not None
            or deep >= MOST_DEEP
        ):
            return False
        return self.body(
            known.body,
            {
                name: self.certain.known(arg, env)
                for (name, _), arg in zip(known.params, stmt.args, strict=True)
            },
            deep + 1,
        )

    def _same(self, value: core.Expr, to: core.Assign, env: Env) -> bool:
        """Is a variable given the value it has?

        Held within bounds, it is: it was held within them before.
        """
        if isinstance(value, core.Read):
            here, there = (None if i is None else normal(i) for i in (value.index, to.index))
            return value.state == to.state and here == there
        if isinstance(value, core.Arith) and value.op in ("+", "-"):
            left, right = value.left, value.right
            if value.op == "+" and self._zero(left, env) and self._same(right, to, env):
                return True
            return self._zero(right, env) and self._same(left, to, env)
        if isinstance(value, core.SetOp):
            return self._same(value.left, to, env) and self.certain.nothing(value.right, env)
        held = _held_within_bounds(value)
        return held is not None and self._same(held, to, env)

    def _zero(self, e: core.Expr | None, env: Env) -> bool:
        found = OPEN if e is None else self.certain.known(e, env)
        return found == 0 and not isinstance(found, bool)

    def _usual(self, e: Extension, env: Env) -> object:
        """What a definition gives after the place where texts enter."""
        known = self.rules.definitions[e.target]
        cases = known.cases
        after = next((i for i, case in enumerate(cases) if case.slot == e.slot), len(cases)) + 1
        for case in cases[after:]:
            cond = (
                OPEN
                if case.slot is not None
                else True
                if case.cond is None
                else self.certain.known(case.cond, env)
            )
            if cond is not False:
                return (
                    self.certain.known(case.value, env)
                    if cond is True and case.value is not None
                    else OPEN
                )
        return 0 if known.type == NUMBER else OPEN


def _held_within_bounds(value: core.Expr) -> core.Expr | None:
    """What is no less, or no more, than constants: the one part of such a value that is none."""
    if not isinstance(value, core.Builtin) or value.name not in ("largest", "smallest"):
        return None
    if not isinstance(value.args[0], core.SetOf):
        return None
    moved = [item for item in value.args[0].items if not isinstance(item, core.Const)]
    return moved[0] if len(moved) == 1 else None
