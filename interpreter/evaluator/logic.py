"""Conditions, and what is asked of another state, as functions."""

from __future__ import annotations

from interpreter.evaluator.values import Env, Func, Value, Values
from interpreter.model.position import Position
from rulelang import core


class Logic(Values):
    """Functions of the core's conditions."""

    def _compare(self, e: core.Compare) -> Func:
        a, b, op = self.func(e.left), self.func(e.right), e.op
        if op == "=":
            return lambda s, env: a(s, env) == b(s, env)
        if op == "!=":
            return lambda s, env: a(s, env) != b(s, env)

        def order(s: Position, env: Env) -> bool:
            x, y = a(s, env), b(s, env)
            if x is None or y is None:
                return False
            return bool(
                x < y if op == "<" else x <= y if op == "<=" else x > y if op == ">" else x >= y
            )

        return order

    def _member(self, e: core.Member) -> Func:
        item, of = self.func(e.item), self.func(e.of)
        return lambda s, env: item(s, env) in of(s, env)

    def _not(self, e: core.Not) -> Func:
        of = self.func(e.of)
        return lambda s, env: not of(s, env)

    def _all(self, e: core.All) -> Func:
        parts = [self.func(p) for p in e.of]

        def every(s: Position, env: Env) -> bool:
            for part in parts:  # noqa: SIM110 - a plain loop: this is the hottest place
                if not part(s, env):
                    return False
            return True

        return every

    def _any(self, e: core.Any) -> Func:
        parts = [self.func(p) for p in e.of]

        def some(s: Position, env: Env) -> bool:
            for part in parts:  # noqa: SIM110
                if part(s, env):
                    return True
            return False

        return some

    def _exists(self, e: core.Exists) -> Func:
        var, domain, cond = e.var, self.func(e.domain), self.func(e.cond)

        def exists(s: Position, env: Env) -> bool:
            for item in domain(s, env):
                env[var] = item
                if cond(s, env):
                    return True
            return False

        return exists

    def _forall(self, e: core.Forall) -> Func:
        var, domain, cond = e.var, self.func(e.domain), self.func(e.cond)

        def forall(s: Position, env: Env) -> bool:
            for item in domain(s, env):
                env[var] = item
                if not cond(s, env):
                    return False
            return True

        return forall

    def _accepts(self, e: core.Accepts) -> Func:
        args, rules, event = [self.func(a) for a in e.args], self.rules, e.event
        return lambda s, env: rules.accepts(s, event, tuple([f(s, env) for f in args]))

    def _at(self, e: core.At) -> Func:
        body, rules = self.func(e.body), self.rules
        args = [self.func(a) for a in e.args]
        event = e.event
        if e.mode == "before":
            return lambda s, env: body(s.before if s.before is not None else s, env)

        def later(s: Position, env: Env) -> Value:
            assert event is not None
            params = rules.setup.rules.events[event].params
            values = (
                tuple([f(s, env) for f in args])
                if args or not params
                else tuple(env[name] for name, _ in params)
            )
            return body(rules.supposing(s, event, values), env)

        return later
