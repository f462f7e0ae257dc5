"""The ground of the reference evaluator: what functions of core objects are, and the functions of values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from interpreter.evaluator.builtins import Words
from interpreter.model.memo import Needs
from interpreter.model.position import Position
from interpreter.model.setup import Setup
from interpreter.model.values import quotient
from rulelang import core
from rulelang.core.types import NUMBER, OptionalT
from rulelang.core.values import FAR, nothing_of

Value = Any
Env = dict[str, Value]
Func = Callable[[Position, Env], Value]


class Named(Protocol):
    """What expressions ask of the rules of a game: all that has a name, so that a clause can be taken away."""

    setup: Setup
    needs: Needs
    watched: bool

    def touch(self, clause: str) -> None:
        """Note that a clause was looked at."""

    def definition(self, name: str) -> Callable[[Position, tuple[Value, ...]], Value]:
        """The function of a definition."""

    def total(self, s: Position, name: str, values: tuple[Value, ...]) -> int:
        """What a table comes to."""

    def accepts(self, s: Position, event: str, values: tuple[Value, ...]) -> bool:
        """Would an event be accepted?"""

    def supposing(self, s: Position, event: str, values: tuple[Value, ...]) -> Position:
        """The position an event would leave."""


class Values:
    """Makes functions from expressions; definitions, tables and rules are looked up in `rules`."""

    def __init__(self, setup: Setup, rules: Named) -> None:
        """The setup gives pieces and boards, the rules everything that has a name."""
        self.setup, self.rules, self.words = setup, rules, Words(setup)
        self.made: dict[int, tuple[core.Expr, Func]] = {}

    def func(self, expr: core.Expr) -> Func:
        """The function of an expression."""
        known = self.made.get(id(expr))
        if known is not None:
            return known[1]
        method = getattr(self, f"_{type(expr).__name__.lower()}")
        made: Func = method(expr)
        self.made[id(expr)] = (expr, made)
        return made

    def value(self, expr: core.Expr, s: Position, env: Env) -> Value:
        """The value of an expression; the caller's names are not changed."""
        return self.func(expr)(s, dict(env))

    # ---------------------------------------------------------------------------------------- values
    def _const(self, e: core.Const) -> Func:
        value = e.value
        return lambda s, env: value

    def _var(self, e: core.Var) -> Func:
        name = e.name
        return lambda s, env: env[name]

    def _setting(self, e: core.Setting) -> Func:
        index = self.setup.options[e.name]
        value: Value = self.setup.rules.options[e.name][index] if e.type == NUMBER else index
        return lambda s, env: value

    def _read(self, e: core.Read) -> Func:
        if self.rules.watched:
            return self._watched(self.setup.rules.states[e.state].clause, self._read_plain(e))
        return self._read_plain(e)

    def _watched(self, clause: str, func: Func) -> Func:
        """The same function, which notes that a clause was looked at, or fails if that was taken away."""
        rules = self.rules

        def watched(s: Position, env: Env) -> Value:
            rules.touch(clause)
            return func(s, env)

        return watched

    def _read_plain(self, e: core.Read) -> Func:
        name, default = e.state, self.setup.defaults.get(e.state)
        if e.index is None:
            return lambda s, env: s.vars[name].get(None, default)
        index, empty = self.func(e.index), nothing_of(e.type)

        def read(s: Position, env: Env) -> Value:
            key = index(s, env)
            return empty if key is None else s.vars[name].get(key, default)

        return read

    def _attribute(self, e: core.Attribute) -> Func:
        of, empty = self.func(e.of), nothing_of(e.type)
        t = e.of.type.of if isinstance(e.of.type, OptionalT) else e.of.type
        pair = self.setup.rules.pairs.get(str(t))
        if pair is not None:
            at = [name for name, _ in pair.parts].index(e.name)
            return lambda s, env: of(s, env)[at]
        column = self.setup.fields[e.name]

        def field(s: Position, env: Env) -> Value:
            piece = of(s, env)
            return empty if piece is None else column[piece]

        return field

    def _contents(self, e: core.Contents) -> Func:
        place, is_list = e.place, self.setup.rules.places[e.place].ordered
        index = self.func(e.index) if e.index is not None else None

        def contents(s: Position, env: Env) -> Value:
            found = s.places.get((place, index(s, env) if index else None), ())
            return found if is_list else frozenset(found)

        return (
            self._watched(self.setup.rules.places[place].clause, contents)
            if self.rules.watched
            else contents
        )

    def _titled(self, e: core.Titled) -> Func:
        ids = frozenset(self.setup.called.get((e.component, e.title.lower()), ()))
        return lambda s, env: ids

    def _builtin(self, e: core.Builtin) -> Func:
        word = self.words.make(e)
        args = [self.func(a) for a in e.args]
        empty = (
            FAR if e.name in ("distance", "distance_across", "least_cost") else nothing_of(e.type)
        )  # none is within reach of nothing
        if len(args) == 1:
            one = args[0]

            def of_one(s: Position, env: Env) -> Value:
                value = one(s, env)
                return empty if value is None else word(s, value)

            return of_one
        if len(args) == 2:
            a, b = args

            def of_two(s: Position, env: Env) -> Value:
                x, y = a(s, env), b(s, env)
                return empty if x is None or y is None else word(s, x, y)

            return of_two

        def of_many(s: Position, env: Env) -> Value:
            values = [f(s, env) for f in args]
            return empty if None in values else word(s, *values)

        return of_many

    def _apply(self, e: core.Apply) -> Func:
        args = [self.func(a) for a in e.args]
        rules, name = self.rules, e.define
        holder: list[Callable[..., Value]] = []
        group: list[int] = []

        def apply(s: Position, env: Env) -> Value:
            if not holder:
                holder.append(rules.definition(name))
                group.append(rules.needs.group("define", name))
            values = tuple([f(s, env) for f in args])
            key = (name, values)
            memo = s.memos.get(group[0])
            if memo is None:
                memo = s.memos[group[0]] = {}
            elif key in memo:
                return memo[key]
            found = holder[0](s, values)
            memo[key] = found
            return found

        return apply

    def _total(self, e: core.Total) -> Func:
        args = [self.func(a) for a in e.args]
        rules, name = self.rules, e.table

        def total(s: Position, env: Env) -> Value:
            values = tuple([f(s, env) for f in args])
            memo = s.memo(rules.needs.group("score", name))
            key = ("total", name, values)
            found = memo.get(key)
            if found is None:
                found = memo[key] = rules.total(s, name, values)
            return found

        return total

    def _arith(self, e: core.Arith) -> Func:
        a, b = self._number(e.left), self._number(e.right)
        if e.op == "+":
            return lambda s, env: a(s, env) + b(s, env)
        if e.op == "-":
            return lambda s, env: a(s, env) - b(s, env)
        if e.op == "*":
            return lambda s, env: a(s, env) * b(s, env)
        up = e.op == "/up"
        return lambda s, env: quotient(a(s, env), b(s, env), up)

    def _number(self, e: core.Expr) -> Func:
        """A number's function; none counts as 0."""
        made = self.func(e)
        return (lambda s, env: made(s, env) or 0) if isinstance(e.type, OptionalT) else made

    def _ifelse(self, e: core.IfElse) -> Func:
        cond, then, other = self.func(e.cond), self.func(e.then), self.func(e.other)
        return lambda s, env: then(s, env) if cond(s, env) else other(s, env)
