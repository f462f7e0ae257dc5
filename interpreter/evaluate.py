"""The reference evaluator: each core object becomes one small Python function of a position and the values in scope.

Nothing of an author's text is executed: functions are made from checked trees only.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from interpreter.builtins import Words
from interpreter.geometry import components, reach
from interpreter.setup import Setup
from interpreter.sites import FAR, ordered, site_type
from interpreter.state import Position
from rulelang import core
from rulelang.types import NUMBER, TRUTH, ListT, OptionalT, PairT, SetT, Type, element

if TYPE_CHECKING:
    from interpreter.rules import Rules

Value = Any
Env = dict[str, Value]
Func = Callable[[Position, Env], Value]


class Fault(Exception):
    """The rules came to a point they do not provide for; says which clause and why."""


def nothing_of(t: Type) -> Value:
    """What is asked of none: false, 0, the empty set or list, none."""
    if t == TRUTH:
        return False
    if t == NUMBER:
        return 0
    if isinstance(t, SetT):
        return frozenset()
    if isinstance(t, ListT):
        return ()
    return None


class Evaluator:
    """Makes functions from expressions; definitions, tables and rules are looked up in `rules`, so that a clause can be taken away."""

    def __init__(self, setup: Setup, rules: Rules) -> None:
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

        return self._watched(self.setup.rules.places[place].clause, contents) if self.rules.watched else contents

    def _titled(self, e: core.Titled) -> Func:
        ids = frozenset(self.setup.by_title.get((e.component, e.title.lower()), ()))
        return lambda s, env: ids

    def _builtin(self, e: core.Builtin) -> Func:
        word = self.words.make(e)
        args = [self.func(a) for a in e.args]
        empty = FAR if e.name == "distance" else nothing_of(e.type)  # none is within reach of nothing
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

        def divide(s: Position, env: Env) -> int:
            top, bottom = a(s, env), b(s, env)
            if bottom == 0:
                raise Fault("a division by 0")
            return int(-(-top // bottom) if up else top // bottom)

        return divide

    def _number(self, e: core.Expr) -> Func:
        """A number's function; none counts as 0."""
        made = self.func(e)
        return (lambda s, env: made(s, env) or 0) if isinstance(e.type, OptionalT) else made

    def _ifelse(self, e: core.IfElse) -> Func:
        cond, then, other = self.func(e.cond), self.func(e.then), self.func(e.other)
        return lambda s, env: then(s, env) if cond(s, env) else other(s, env)

    # ---------------------------------------------------------------------------------------- conditions
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
            return bool(x < y if op == "<" else x <= y if op == "<=" else x > y if op == ">" else x >= y)

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

    # ---------------------------------------------------------------------------------------- sets
    def _setof(self, e: core.SetOf) -> Func:
        items = [self.func(i) for i in e.items]
        if isinstance(e.type, ListT):
            return lambda s, env: tuple([i(s, env) for i in items])
        return lambda s, env: frozenset([i(s, env) for i in items])

    def _setop(self, e: core.SetOp) -> Func:
        a, b, listy = self.func(e.left), self.func(e.right), isinstance(e.type, ListT)
        if listy:
            if e.op == "+":
                return lambda s, env: tuple(a(s, env)) + tuple(ordered(b(s, env)))

            def without(s: Position, env: Env) -> tuple[Value, ...]:
                gone = b(s, env)
                return tuple(x for x in a(s, env) if x not in gone)

            return without
        if e.op == "+":
            return lambda s, env: frozenset(a(s, env)) | frozenset(b(s, env))
        return lambda s, env: frozenset(a(s, env)) - frozenset(b(s, env))

    def _range(self, e: core.Range) -> Func:
        low, high = self.func(e.low), self.func(e.high)

        def span(s: Position, env: Env) -> frozenset[int]:
            a, b = low(s, env), high(s, env)
            if b - a > 100_000:
                raise Fault(f"a range of {b - a + 1} numbers")
            return frozenset(range(a, b + 1))

        return span

    def _filter(self, e: core.Filter) -> Func:
        var, domain, cond = e.var, self.func(e.domain), self.func(e.cond)

        def keep(s: Position, env: Env) -> Value:
            found = []
            members = domain(s, env)
            for item in members:
                env[var] = item
                if cond(s, env):
                    found.append(item)
            return tuple(found) if isinstance(members, tuple) else frozenset(found)

        return keep

    def _image(self, e: core.Image) -> Func:
        var, domain, cond, body, repeats = e.var, self.func(e.domain), self.func(e.cond), self.func(e.body), e.repeats
        always = isinstance(e.cond, core.Const)

        def image(s: Position, env: Env) -> Value:
            found = []
            for item in ordered(domain(s, env)) if repeats else domain(s, env):
                env[var] = item
                if always or cond(s, env):
                    found.append(body(s, env))
            return tuple(found) if repeats else frozenset(x for x in found if x is not None)

        return image

    def _best(self, e: core.Best) -> Func:
        var, domain, key, sign = e.var, self.func(e.domain), self.func(e.key), 1 if e.largest else -1

        def best(s: Position, env: Env) -> Value:
            members = domain(s, env)
            scored = []
            for item in members:
                env[var] = item
                scored.append((sign * key(s, env), item))
            top = max((k for k, _ in scored), default=0)
            found = [item for k, item in scored if k == top]
            return tuple(found) if isinstance(members, tuple) else frozenset(found)

        return best

    def _pick(self, e: core.Pick) -> Func:
        of = self.func(e.of)

        def pick(s: Position, env: Env) -> Value:
            members = of(s, env)
            return ordered(members)[0] if members else None

        return pick

    def _stable(self, e: core.Stable) -> Func:
        var, so_far, domain, cond = e.var, e.so_far, self.func(e.domain), self.func(e.cond)

        def stable(s: Position, env: Env) -> frozenset[Value]:
            current = frozenset(domain(s, env))
            while True:
                env[so_far] = current
                kept = set()
                for item in current:
                    env[var] = item
                    env[so_far] = current
                    if cond(s, env):
                        kept.add(item)
                if len(kept) == len(current):
                    return current
                current = frozenset(kept)

        return stable

    def _groups(self, e: core.Groups) -> Func:
        of, near = self.func(e.of), self._near(e.relation, element(e.of.type))

        def groups(s: Position, env: Env) -> frozenset[frozenset[Value]]:
            members = frozenset(of(s, env))
            return frozenset(components(members, near(s, members)))

        return groups

    def _reach(self, e: core.Reach) -> Func:
        seeds, near = self.func(e.seeds), self._near(e.relation, element(e.seeds.type))
        within = self.func(e.within) if e.within is not None else None
        everything = self._everything(element(e.seeds.type)) if e.relation else None

        def reached(s: Position, env: Env) -> frozenset[Value]:
            start = frozenset(seeds(s, env))
            space = frozenset(within(s, env)) if within else everything(s) if everything else None
            return reach(start, near(s, space), None if everything else space)

        return reached

    def _near(self, relation: str | None, item: Type | None) -> Callable[[Position, frozenset[Value] | None], Callable[[Value], Any]]:
        """The neighbors of a thing among others: by adjacency of cells, or by a relation tested either way round."""
        if relation is None:
            site = site_type(item) if item is not None else None
            info = self.setup.boards[site.board] if site else next(iter(self.setup.boards.values()))

            def beside(s: Position, space: frozenset[Value] | None) -> Callable[[Value], Any]:
                def around(cell: int) -> list[int]:
                    copy, local = divmod(cell, info.cells)
                    return [c + copy * info.cells for c in info.grid.neighbors[local]]

                return around

            return beside
        rules = self.rules

        def linked(s: Position, space: frozenset[Value] | None) -> Callable[[Value], Any]:
            members = ordered(space) if space is not None else []
            holds = rules.definition(relation)

            def test(a: Value, b: Value) -> bool:
                key = (relation, (a, b))
                memo = s.memo(rules.needs.group("define", relation))
                if key not in memo:
                    memo[key] = holds(s, (a, b))
                return bool(memo[key])

            return lambda x: [y for y in members if y != x and (test(x, y) or test(y, x))]

        return linked

    def _everything(self, item: Type | None) -> Callable[[Position], frozenset[Value]]:
        if isinstance(item, PairT):
            one, two = self.setup.rules.pairs[item.name].parts
            pairs = frozenset((a, b) for a in self.setup.members(one[1]) for b in self.setup.members(two[1]))
            return lambda s: pairs
        assert item is not None
        members = frozenset(self.setup.members(item))
        return lambda s: members

    # ---------------------------------------------------------------------------------------- time
    def _at(self, e: core.At) -> Func:
        body, rules = self.func(e.body), self.rules
        args = [self.func(a) for a in e.args]
        event = e.event
        if e.mode == "before":
            return lambda s, env: body(s.before if s.before is not None else s, env)

        def later(s: Position, env: Env) -> Value:
            assert event is not None
            params = rules.setup.rules.events[event].params
            values = tuple([f(s, env) for f in args]) if args or not params else tuple(env[name] for name, _ in params)
            return body(rules.supposing(s, event, values), env)

        return later
