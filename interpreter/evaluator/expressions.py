"""The reference evaluator: what each core expression means.

An expression becomes a Python function of a position and the values in scope. Functions are made
from checked trees only; no text of an author's is executed. No function changes the scope it is
given: whatever binds a name makes a scope of its own for what is inside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Never, Protocol, TypeAlias, cast

from interpreter.model.position import Index, Position
from interpreter.model.setup import Setup
from interpreter.model.values import bounded, quotient, span
from rulelang import core
from rulelang.analysis.cost import looks_back
from rulelang.builtins.record import Word
from rulelang.builtins.registry import builtin, implementation
from rulelang.core.identity import IdentityMap
from rulelang.core.types import NUMBER, ListT, OptionalT, PairT, Type, element, site_type
from rulelang.core.values import Members, Value, nothing_of, number, ordered
from rulelang.geometry.grid import components, reach, reach_in

Env = Mapping[str, Value]
Func: TypeAlias = Callable[[Position, Env], Value]
Near: TypeAlias = Callable[[Value], Iterable[Value]]  # the neighbours of a thing
Nearby: TypeAlias = "Callable[[Position, Members | None], Near]"  # within a set, if one is given


class Clauses(Protocol):
    """What expressions ask of a game's rules: everything that has a name."""

    setup: Setup
    watched: bool

    def touch(self, clause: str) -> None:
        """Note that a clause was looked at."""

    def definition(self, name: str) -> Callable[[Position, tuple[Value, ...]], Value]:
        """The function of a definition."""

    def total(self, s: Position, name: str, values: tuple[Value, ...]) -> int:
        """What a score table comes to."""

    def accepts(self, s: Position, event: str, values: tuple[Value, ...]) -> bool:
        """Would an event be accepted?"""

    def supposing(self, s: Position, event: str, values: tuple[Value, ...]) -> Position:
        """The position an event would leave."""

    def memo_key(self, kind: str, name: str) -> int:
        """The key of memoised results of a definition, score table or event."""


class Evaluator:
    """Makes functions from expressions; definitions, tables and rules are looked up in `rules`."""

    def __init__(self, setup: Setup, rules: Clauses) -> None:
        """The setup gives pieces and boards, the rules everything that has a name."""
        self.setup, self.rules, self.work = setup, rules, setup.work
        self._made: IdentityMap[core.Expr, Func] = IdentityMap()

    def func(self, expr: core.Expr) -> Func:
        """The function of an expression."""
        known = self._made.get(expr)
        if known is not None:
            return known
        meaning = MEANINGS[type(expr)]
        made = meaning(self, expr)  # type: ignore[arg-type]  # it stands under the class it takes
        return self._made.keep(expr, made)

    # The type of an expression says what its value is: these are its functions as seen by those
    # that need a number, the members of a set or list, or a truth and nothing else.
    def _number(self, expr: core.Expr) -> Callable[[Position, Env], int]:
        return cast("Callable[[Position, Env], int]", self.func(expr))

    def _number_or_none(self, expr: core.Expr) -> Callable[[Position, Env], int | None]:
        return cast("Callable[[Position, Env], int | None]", self.func(expr))

    def _index(self, expr: core.Expr) -> Callable[[Position, Env], Index]:
        return cast("Callable[[Position, Env], Index]", self.func(expr))

    def _members(self, expr: core.Expr) -> Callable[[Position, Env], Members]:
        return cast("Callable[[Position, Env], Members]", self.func(expr))

    def _visited(self, expr: core.Expr) -> Callable[[Position, Env], Members]:
        """The members of a set or list that is looked through, which is counted as work."""
        members, work = self._members(expr), self.work

        def visited(s: Position, env: Env) -> Members:
            found = members(s, env)
            work.visits -= len(found)
            if work.visits < 0:
                work.spent()
            return found

        return visited

    def value(self, expr: core.Expr, s: Position, env: Env) -> Value:
        """The value of an expression."""
        return self.func(expr)(s, env)

    # -------------------------------------------------------------------------------- values
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
        return self._watched(self.setup.rules.states[e.state].clause, self._read_plain(e))

    def _watched(self, clause: str, func: Func) -> Func:
        """The function; where clauses are watched, it notes that this one was looked at."""
        rules = self.rules
        if not rules.watched:
            return func

        def watched(s: Position, env: Env) -> Value:
            rules.touch(clause)
            return func(s, env)

        return watched

    def _read_plain(self, e: core.Read) -> Func:
        name = e.state
        if e.index is None:
            return lambda s, env: s.vars[name][None]
        index, empty = self._index(e.index), nothing_of(e.type)
        if name in self.setup.whole:

            def look_up(s: Position, env: Env) -> Value:
                key = index(s, env)
                return empty if key is None else s.vars[name][key]

            return look_up
        default = self.setup.defaults[name]

        def read(s: Position, env: Env) -> Value:
            key = index(s, env)
            return empty if key is None else s.vars[name].get(key, default)

        return read

    def _attribute(self, e: core.Attribute) -> Func:
        empty = nothing_of(e.type)
        t = e.of.type.of if isinstance(e.of.type, OptionalT) else e.of.type
        pair = self.setup.rules.pairs.get(str(t))
        if pair is not None:
            at = [name for name, _ in pair.parts].index(e.name)
            parts = cast("Callable[[Position, Env], tuple[Value, ...]]", self.func(e.of))
            return lambda s, env: parts(s, env)[at]
        of, column = self._number_or_none(e.of), self.setup.fields[e.name]

        def field(s: Position, env: Env) -> Value:
            piece = of(s, env)
            return empty if piece is None else column[piece]

        return field

    def _contents(self, e: core.Contents) -> Func:
        place, is_list = e.place, self.setup.rules.places[e.place].ordered
        index = self._number_or_none(e.index) if e.index is not None else None

        def contents(s: Position, env: Env) -> Value:
            found = s.places.get((place, index(s, env) if index else None), ())
            return found if is_list else frozenset(found)

        return self._watched(self.setup.rules.places[place].clause, contents)

    def _titled(self, e: core.Titled) -> Func:
        ids = frozenset(self.setup.called.get((e.component, e.title.lower()), ()))
        return lambda s, env: ids

    def _builtin(self, e: core.Builtin) -> Func:
        word = implementation(e, self.setup)
        args = [self.func(a) for a in e.args]
        empty = builtin(e.name).of_none(e.type)
        if len(args) == 1:
            one = args[0]
            if e.name == "sum":
                return _sum(one, word)

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
        if looks_back(self.setup.rules, e):  # what it found holds for one reaction only

            def plain(s: Position, env: Env) -> Value:
                return rules.definition(name)(s, tuple([f(s, env) for f in args]))

            return plain
        key = rules.memo_key("define", name)

        def apply(s: Position, env: Env) -> Value:
            values = tuple([f(s, env) for f in args])
            asked = (name, values)
            memo = s.memos.get(key)
            if memo is None:
                memo = s.memos[key] = {}
            elif asked in memo:
                return memo[asked]
            found = memo[asked] = rules.definition(name)(s, values)
            return found

        return apply

    def _total(self, e: core.Total) -> Func:
        args = [self.func(a) for a in e.args]
        rules, name = self.rules, e.table
        key = rules.memo_key("score", name)

        def total(s: Position, env: Env) -> Value:
            values = tuple([f(s, env) for f in args])
            memo = s.memo(key)
            asked = ("total", name, values)
            found = memo.get(asked)
            if found is None:
                found = memo[asked] = rules.total(s, name, values)
            return found

        return total

    def _arith(self, e: core.Arith) -> Func:
        a, b = self._operand(e.left), self._operand(e.right)
        if e.op == "+":
            return lambda s, env: bounded(a(s, env) + b(s, env))
        if e.op == "-":
            return lambda s, env: bounded(a(s, env) - b(s, env))
        if e.op == "*":
            return lambda s, env: bounded(a(s, env) * b(s, env))
        up = e.op == "/up"
        return lambda s, env: quotient(a(s, env), b(s, env), up)

    def _operand(self, e: core.Expr) -> Callable[[Position, Env], int]:
        """A number's function; none counts as 0."""
        made = self._number(e)
        return (lambda s, env: made(s, env) or 0) if isinstance(e.type, OptionalT) else made

    def _if_else(self, e: core.IfElse) -> Func:
        cond, then, other = self.func(e.cond), self.func(e.then), self.func(e.other)
        return lambda s, env: then(s, env) if cond(s, env) else other(s, env)

    # -------------------------------------------------------------------------------- conditions
    def _compare(self, e: core.Compare) -> Func:
        a, b, op = self.func(e.left), self.func(e.right), e.op
        if op == "=":
            return lambda s, env: a(s, env) == b(s, env)
        if op == "!=":
            return lambda s, env: a(s, env) != b(s, env)

        low, high = (
            self._number_or_none(e.left),
            self._number_or_none(e.right),
        )  # numbers, or of an ordered kind

        def order(s: Position, env: Env) -> bool:
            x, y = low(s, env), high(s, env)
            if x is None or y is None:
                return False
            return x < y if op == "<" else x <= y if op == "<=" else x > y if op == ">" else x >= y

        return order

    def _member(self, e: core.Member) -> Func:
        item, of = self.func(e.item), self._members(e.of)
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
        var, domain, cond = e.var, self._visited(e.domain), self.func(e.cond)

        def exists(s: Position, env: Env) -> bool:
            inner = dict(env)
            for item in domain(s, env):
                inner[var] = item
                if cond(s, inner):
                    return True
            return False

        return exists

    def _forall(self, e: core.Forall) -> Func:
        var, domain, cond = e.var, self._visited(e.domain), self.func(e.cond)

        def forall(s: Position, env: Env) -> bool:
            inner = dict(env)
            for item in domain(s, env):
                inner[var] = item
                if not cond(s, inner):
                    return False
            return True

        return forall

    def _accepts(self, e: core.Accepts) -> Func:
        args, rules, event = [self.func(a) for a in e.args], self.rules, e.event
        return lambda s, env: rules.accepts(s, event, tuple([f(s, env) for f in args]))

    # ---------------------------------------------------------------------------- sets and lists
    def _set_of(self, e: core.SetOf) -> Func:
        items = [self.func(i) for i in e.items]
        if isinstance(e.type, ListT):
            return lambda s, env: tuple([i(s, env) for i in items])
        return lambda s, env: frozenset([i(s, env) for i in items])

    def _set_op(self, e: core.SetOp) -> Func:
        a, b = self._members(e.left), self._members(e.right)
        if isinstance(e.type, ListT):
            if e.op == "+":
                return lambda s, env: tuple(a(s, env)) + tuple(ordered(b(s, env)))

            def without(s: Position, env: Env) -> tuple[Value, ...]:
                gone = b(s, env)
                return tuple(x for x in a(s, env) if x not in gone)

            return without
        if e.op == "+":
            a, b = self._visited(e.left), self._visited(e.right)
            return lambda s, env: frozenset(a(s, env)) | frozenset(b(s, env))
        return lambda s, env: frozenset(a(s, env)) - frozenset(b(s, env))

    def _range(self, e: core.Range) -> Func:
        low, high, work = self._number(e.low), self._number(e.high), self.work

        def numbers(s: Position, env: Env) -> frozenset[int]:
            found = span(low(s, env), high(s, env))
            work.visit(len(found))
            return found

        return numbers

    def _filter(self, e: core.Filter) -> Func:
        var, domain, cond = e.var, self._visited(e.domain), self.func(e.cond)

        def keep(s: Position, env: Env) -> Value:
            found: list[Value] = []
            members, inner = domain(s, env), dict(env)
            for item in members:
                inner[var] = item
                if cond(s, inner):
                    found.append(item)
            return tuple(found) if isinstance(members, tuple) else frozenset(found)

        return keep

    def _image(self, e: core.Image) -> Func:
        var, domain, repeats = e.var, self._visited(e.domain), e.repeats
        cond, body = self.func(e.cond), self.func(e.body)
        always = isinstance(e.cond, core.Const)

        def image(s: Position, env: Env) -> Value:
            found: list[Value] = []
            inner = dict(env)
            for item in ordered(domain(s, env)) if repeats else domain(s, env):
                inner[var] = item
                if always or cond(s, inner):
                    found.append(body(s, inner))
            return tuple(found) if repeats else frozenset(x for x in found if x is not None)

        return image

    def _best(self, e: core.Best) -> Func:
        var, domain, key = e.var, self._visited(e.domain), self._number(e.key)
        sign = 1 if e.largest else -1

        def best(s: Position, env: Env) -> Value:
            members, inner = domain(s, env), dict(env)
            scored = []
            for item in members:
                inner[var] = item
                scored.append((sign * key(s, inner), item))
            top = max((k for k, _ in scored), default=0)
            found = [item for k, item in scored if k == top]
            return tuple(found) if isinstance(members, tuple) else frozenset(found)

        return best

    def _pick(self, e: core.Pick) -> Func:
        of = self._members(e.of)

        def pick(s: Position, env: Env) -> Value:
            members = of(s, env)
            return ordered(members)[0] if members else None

        return pick

    def _stable(self, e: core.Stable) -> Func:
        var, so_far, domain, cond = e.var, e.so_far, self._members(e.domain), self.func(e.cond)
        work = self.work

        def stable(s: Position, env: Env) -> frozenset[Value]:
            current, inner = frozenset(domain(s, env)), dict(env)
            while True:
                work.visit(len(current))
                inner[so_far] = current
                kept = set()
                for item in current:
                    inner[var] = item
                    if cond(s, inner):
                        kept.add(item)
                if len(kept) == len(current):
                    return current
                current = frozenset(kept)

        return stable

    # -------------------------------------------------------------------------- groups and reach
    def _groups(self, e: core.Groups) -> Func:
        of, near = self._visited(e.of), self._near(e.relation, element(e.of.type))

        def groups(s: Position, env: Env) -> frozenset[frozenset[Value]]:
            members = frozenset(of(s, env))
            return frozenset(components(members, near(s, members)))

        return groups

    def _reach(self, e: core.Reach) -> Func:
        item = element(e.seeds.type)
        seeds, near = self._members(e.seeds), self._near(e.relation, item)
        within = self._members(e.within) if e.within is not None else None
        everything = self.everything(item) if e.relation else None
        steps, work = self._number(e.steps) if e.steps is not None else None, self.work

        def reached(s: Position, env: Env) -> frozenset[Value]:
            start = frozenset(seeds(s, env))
            space = frozenset(within(s, env)) if within else everything
            around, bound = near(s, space), None if everything is not None else space
            found = (
                reach_in(steps(s, env) or 0, start, around, bound)
                if steps
                else reach(start, around, bound)
            )
            work.visit(len(found))
            return found

        return reached

    def _near(self, relation: str | None, item: Type | None) -> Nearby:
        """The neighbours of a thing in a set: by adjacency, or by a relation either way round."""
        return self._adjacent(item) if relation is None else self._related(relation)

    def _adjacent(self, item: Type | None) -> Nearby:
        site = site_type(item) if item is not None else None
        info = self.setup.boards[site.board] if site else next(iter(self.setup.boards.values()))

        def around(cell: Value) -> list[int]:
            if not isinstance(cell, int):
                return []
            copy, local = divmod(cell, info.cells)
            return [c + copy * info.cells for c in info.grid.neighbors[local]]

        return lambda s, space: around

    def _related(self, relation: str) -> Nearby:
        rules, kept, work = self.rules, _relation_key(self.rules, relation), self.work

        def linked(s: Position, space: Members | None) -> Near:
            members = ordered(space) if space is not None else []
            holds = rules.definition(relation)

            def test(a: Value, b: Value) -> bool:
                if kept is None:
                    return bool(holds(s, (a, b)))
                key = (relation, (a, b))
                memo = s.memo(kept)
                if key not in memo:
                    memo[key] = holds(s, (a, b))
                return bool(memo[key])

            def near(x: Value) -> list[Value]:
                work.visit(len(members))
                return [y for y in members if y != x and (test(x, y) or test(y, x))]

            return near

        return linked

    def everything(self, item: Type | None) -> frozenset[Value]:
        """All members of a finite type, or all pairs of a pair type; none is no member."""
        item = item.of if isinstance(item, OptionalT) else item
        if isinstance(item, PairT):
            one, two = self.setup.rules.pairs[item.name].parts
            return frozenset(
                (a, b) for a in self.setup.members(one[1]) for b in self.setup.members(two[1])
            )
        assert item is not None
        return frozenset(self.setup.members(item))

    # --------------------------------------------------------------------------- other positions
    def _at(self, e: core.At) -> Func:
        body, rules = self.func(e.body), self.rules
        if e.mode == "before":
            return lambda s, env: body(s.before if s.before is not None else s, env)
        args, event = [self.func(a) for a in e.args], e.event
        assert event is not None
        params = tuple(name for name, _ in self.setup.rules.events[event].params)
        if args or not params:
            return lambda s, env: body(
                rules.supposing(s, event, tuple([f(s, env) for f in args])), env
            )
        return lambda s, env: body(
            rules.supposing(s, event, tuple([env[name] for name in params])), env
        )

    def _slot(self, e: core.Slot) -> Func:
        raise AssertionError(f"the wording {e.name} is not filled: compiled rules hold none")


def _sum(numbers: Func, word: Word) -> Func:
    """The sum of numbers; too large a one is a fault."""

    def total(s: Position, env: Env) -> int:
        found = numbers(s, env)
        return 0 if found is None else bounded(number(word(s, found)))

    return total


def _relation_key(rules: Clauses, relation: str) -> int | None:
    """The key of a relation's memoised results; none if they hold for one reaction only."""
    known = rules.setup.rules
    return (
        None
        if looks_back(known, known.definitions[relation].cases)
        else rules.memo_key("define", relation)
    )


# What each class of expression means; a test holds it against all classes of the core.
MEANINGS: dict[type[core.Expr], Callable[[Evaluator, Never], Func]] = {
    core.Const: Evaluator._const,
    core.Var: Evaluator._var,
    core.Setting: Evaluator._setting,
    core.Read: Evaluator._read,
    core.Attribute: Evaluator._attribute,
    core.Contents: Evaluator._contents,
    core.Titled: Evaluator._titled,
    core.Builtin: Evaluator._builtin,
    core.Apply: Evaluator._apply,
    core.Total: Evaluator._total,
    core.Arith: Evaluator._arith,
    core.IfElse: Evaluator._if_else,
    core.Compare: Evaluator._compare,
    core.Member: Evaluator._member,
    core.Not: Evaluator._not,
    core.All: Evaluator._all,
    core.Any: Evaluator._any,
    core.Exists: Evaluator._exists,
    core.Forall: Evaluator._forall,
    core.Accepts: Evaluator._accepts,
    core.SetOf: Evaluator._set_of,
    core.SetOp: Evaluator._set_op,
    core.Range: Evaluator._range,
    core.Filter: Evaluator._filter,
    core.Image: Evaluator._image,
    core.Best: Evaluator._best,
    core.Pick: Evaluator._pick,
    core.Stable: Evaluator._stable,
    core.Groups: Evaluator._groups,
    core.Reach: Evaluator._reach,
    core.At: Evaluator._at,
    core.Slot: Evaluator._slot,
}
