"""The reference evaluator: what each core expression means.

An expression becomes a Python function of a position and the values in scope. Functions are made
from checked trees only; no text of an author's is executed. No function changes the scope it is
given: whatever binds a name makes a scope of its own for what is inside.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from operator import ge, gt, le, lt
from typing import Never, Protocol, TypeAlias, TypeVar, cast

from interpreter.evaluator.parts import Near, parts_of, reached
from interpreter.model.keeping import Keep, kept
from interpreter.model.position import Index, Position
from interpreter.model.setup import Setup
from interpreter.model.values import Fault, bounded, quotient, span
from rulelang import core
from rulelang.analysis.candidates import partners
from rulelang.analysis.cost import looks_back
from rulelang.analysis.reads import Reads
from rulelang.analysis.sets import is_looked_up
from rulelang.builtins.record import ANYTHING, TILES, Word
from rulelang.builtins.registry import builtin, implementation
from rulelang.core.bounds import LARGEST, SMALLEST
from rulelang.core.identity import IdentityMap
from rulelang.core.types import (
    NUMBER,
    TRUTH,
    BoardT,
    ListT,
    OptionalT,
    PairT,
    SetT,
    Type,
    element,
    site_type,
)
from rulelang.core.values import Members, Value, nothing_of, ordered
from rulelang.geometry.grid import components, reach, reach_in
from rulelang.ruleset import Params

Env = Mapping[str, Value]
T = TypeVar("T")
U = TypeVar("U")
Func: TypeAlias = Callable[[Position, Env], Value]
Things: TypeAlias = "frozenset[Value]"
Nearby: TypeAlias = "Callable[[Position, Things, Things | None], Near]"  # of things, within a set
Defined: TypeAlias = "Callable[[Position, tuple[Value, ...]], Value]"


@dataclass(frozen=True)
class Opened:
    """A definition of one case: its parameters, what it says, and the clause and line of that."""

    params: tuple[str, ...]
    body: core.Expr
    place: tuple[str, int]


class Clauses(Protocol):
    """What expressions ask of a game's rules: everything that has a name."""

    setup: Setup
    reads: Reads
    watched: bool
    keeps: bool

    def touch(self, clause: str) -> None:
        """Note that a clause was looked at."""

    def kept(self, keep: Keep, find: Callable[[Position, T], U]) -> Callable[[Position, T], U]:
        """What keeps the results of this function, with the notes on how they were found."""

    def definition(self, name: str) -> Defined:
        """The function of a definition."""

    def opened(self, name: str) -> Opened | None:
        """What a definition says in one case alone, if that may be put where it is applied."""

    def totalled(self, name: str) -> Callable[[Position, tuple[Value, ...]], int]:
        """What a score table comes to, as part of a question."""

    def judged(self, event: str) -> Callable[[Position, tuple[Value, ...]], bool]:
        """Would an event be accepted? As part of a question."""

    def supposing(self, s: Position, event: str, values: tuple[Value, ...]) -> Position:
        """The position an event would leave."""

    def memo_key(self, kind: str, name: str) -> int:
        """A key for results that read what a definition, score table or event's rules read."""


class Evaluator:
    """Makes functions from expressions; definitions, tables and rules are looked up in `rules`."""

    def __init__(self, setup: Setup, rules: Clauses) -> None:
        """The setup gives pieces and boards, the rules everything that has a name."""
        self.setup, self.rules, self.work = setup, rules, setup.work
        self._totals: dict[str, Callable[[Position, tuple[Value, ...]], int]] = {}
        self._anywhere: IdentityMap[core.Expr, Func] = IdentityMap()
        self._made, self._looped, self._loops = self._anywhere, cast("str | None", None), 0
        self._settled: IdentityMap[core.Node, bool] = IdentityMap()

    def func(self, expr: core.Expr) -> Func:
        """The function of an expression."""
        known = self._made.get(expr)
        if known is not None:
            return known
        if self._looped is not None and self._stays(expr, self._looped):
            return self._made.keep(expr, self._once_a_loop(expr))
        meaning = MEANINGS[type(expr)]
        made = meaning(self, expr)  # type: ignore[arg-type]  # it stands under the class it takes
        if self.rules.keeps and self._is_settled(expr):
            self._settled.keep(expr, True)
            made = made if isinstance(expr, core.Const) else _once(made)
        return self._made.keep(expr, made)

    # Within a loop functions are made for its scope alone: what does not speak of the member is the
    # same for all of them, and is worked out when it is first asked for.
    def _inside(self, var: str, expr: core.Expr) -> Func:
        """The function of an expression in the scope of a loop over members called so."""
        if not self.rules.keeps:
            return self.func(expr)
        return self._made_in(IdentityMap(), var, expr)

    def _outside(self, expr: core.Expr) -> Func:
        """The function of an expression in any scope."""
        return self._made_in(self._anywhere, None, expr)

    def _made_in(
        self, made: IdentityMap[core.Expr, Func], var: str | None, expr: core.Expr
    ) -> Func:
        kept_ones = self._made, self._looped
        self._made, self._looped = made, var
        try:
            return self.func(expr)
        finally:
            self._made, self._looped = kept_ones

    def _stays(self, expr: core.Expr, var: str) -> bool:
        """Is it dear, and the same for all members of a loop?"""
        dear = isinstance(expr, _DEAR) or (
            isinstance(expr, core.Builtin) and any(element(a.type) is not None for a in expr.args)
        )
        return dear and var not in core.free_names(expr)

    def _once_a_loop(self, expr: core.Expr) -> Func:
        """What is worked out once in the scope of a loop, which is a scope of its own."""
        find = self._outside(expr)
        if self._settled.get(expr):
            return find
        self._loops += 1
        place = f"~{self._loops}"

        def once(s: Position, env: Env) -> Value:
            known = env.get(place)
            # Under such a name stands what is kept, with its position, and nothing of an author's.
            if isinstance(known, tuple) and known[0] is s:  # type: ignore[comparison-overlap]
                return known[1]
            found = find(s, env)
            # The scope is the loop's own, and no author gives such a name.
            env[place] = s, found  # type: ignore[index]
            return found

        return once

    def _is_settled(self, expr: core.Expr) -> bool:
        """Is it the same in all positions, whatever stands for names?"""
        if isinstance(expr, core.Const | core.Setting | core.Titled):
            return True
        if isinstance(expr, core.Apply):
            read = self.rules.reads.of("define", expr.define)
            return not expr.args and not read and not self.rules.watched
        if isinstance(expr, core.Builtin):
            if builtin(expr.name).sources(expr, self.setup.rules):
                return False
        elif not isinstance(expr, OF_PARTS):
            return False
        return all(self._settled.get(part) for part in core.children(expr))

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

    def _listed(self, expr: core.Expr) -> Callable[[Position, Env], Collection[Value]]:
        """The members of a set or list in some order, which are only looked through or counted."""
        if isinstance(expr, core.Contents):
            clause = self.setup.rules.places[expr.place].clause
            return cast(
                "Callable[[Position, Env], Members]", self._watched(clause, self._pile(expr))
            )
        if isinstance(expr, core.Filter):
            return self._kept(expr)
        return self._members(expr)

    def _visited(self, expr: core.Expr) -> Callable[[Position, Env], Collection[Value]]:
        """The members of a set or list that is looked through, which is counted as work."""
        members, work = self._listed(expr), self.work

        def visited(s: Position, env: Env) -> Collection[Value]:
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
        if isinstance(e.of, core.Var):
            name = e.of.name

            def field_of_named(s: Position, env: Env) -> Value:
                piece = env[name]
                return empty if piece is None else column[piece]  # type: ignore[index]  # a piece

            return field_of_named

        def field(s: Position, env: Env) -> Value:
            piece = of(s, env)
            return empty if piece is None else column[piece]

        return field

    def _pile(self, e: core.Contents) -> Func:
        """The pieces of a place as they lie."""
        place = e.place
        if e.index is None:
            key = (place, None)
            return lambda s, env: s.places.get(key, ())
        index = self._number_or_none(e.index)
        return lambda s, env: s.places.get((place, index(s, env)), ())

    def _contents(self, e: core.Contents) -> Func:
        known, pile = self.setup.rules.places[e.place], self._pile(e)
        if known.ordered:
            return self._watched(known.clause, pile)
        lying = cast("Callable[[Position, Env], tuple[int, ...]]", pile)
        return self._watched(known.clause, lambda s, env: frozenset(lying(s, env)))

    def _titled(self, e: core.Titled) -> Func:
        ids = frozenset(self.setup.called.get((e.component, e.title.lower()), ()))
        return lambda s, env: ids

    def _builtin(self, e: core.Builtin) -> Func:
        if e.name == "sum":
            return _sum(self._numbers(e.args[0]))
        if e.name in ("count", "empty") and element(e.args[0].type) is not None:
            listed = self._listed(e.args[0])
            if e.name == "count":
                return lambda s, env: len(listed(s, env))
            return lambda s, env: not listed(s, env)
        if e.name == "joined" and isinstance(e.args[0], core.Image):
            return self._joined(e.args[0])
        record = builtin(e.name)
        word, empty = implementation(e, self.setup), record.of_none(e.type)
        if record.reads == TILES and any(_is_wide(part.type) for part in (e, *e.args)):
            return self._by_board(e, word, empty)
        args = [self.func(a) for a in e.args]
        if len(args) == 1:
            return _of_one(args[0], word, empty, _may_be_none(e.args[0]))
        if len(args) == 2:
            last = e.args[1]
            if isinstance(last, core.Const) and last.value is not None:
                return _of_one_and(args[0], last.value, word, empty)
            return _of_two(args[0], args[1], word, empty)

        def of_many(s: Position, env: Env) -> Value:
            values = [f(s, env) for f in args]
            return empty if None in values else word(s, *values)

        return of_many

    def _joined(self, e: core.Image) -> Func:
        """All members of the sets that a body gives."""
        made = cast("Callable[[Position, Env], list[Members | None]]", self._each_body(e))

        def joined(s: Position, env: Env) -> frozenset[Value]:
            found: set[Value] = set()
            for members in made(s, env):
                if members is not None:
                    found.update(members)
            return frozenset(found)

        return joined

    def _by_board(self, e: core.Builtin, word: Word, empty: Value) -> Func:
        """A word that follows from the cells of boards alone: what it gave is kept with these."""
        args = [self.func(a) for a in e.args]
        mark = (e.name, str(e.type), *(str(a.type) for a in e.args))
        if all(isinstance(a, core.Const) for a in e.args):
            mark = (e.name, str(e.type), *map(repr, e.args))

        def of_cells(s: Position, env: Env) -> Value:
            known = cast("dict[tuple[Value, ...], Value] | None", s.geometry.get(mark))
            if known is None:
                known = s.geometry[mark] = {}
            values = tuple([f(s, env) for f in args])
            found = known.get(values)
            if found is None:
                found = known[values] = empty if None in values else word(s, *values)
            return found

        return of_cells

    def _numbers(self, e: core.Expr) -> Callable[[Position, Env], Collection[Value] | None]:
        """Numbers of which the order is nothing."""
        if isinstance(e, core.Image) and e.repeats:
            return self._each_body(e)
        return self._members(e)

    def _apply(self, e: core.Apply) -> Func:
        opened = self.rules.opened(e.define)
        if opened is not None:
            return self._in_place(opened, [self.func(a) for a in e.args])
        args, rules, name = self._values(e.args), self.rules, e.define
        made: Defined | None = None

        def apply(s: Position, env: Env) -> Value:
            nonlocal made
            if made is None:  # only now: a definition may be asked for in itself
                made = rules.definition(name)
            return made(s, args(s, env))

        return apply

    def _in_place(self, opened: Opened, args: list[Func]) -> Func:
        """What a definition says, with these values of its parameters."""
        place, body = opened.place, self._outside(opened.body)
        scope = _scope_from(opened.params, args)

        def in_place(s: Position, env: Env) -> Value:
            inner = scope(s, env)
            try:
                return body(s, inner)
            except Fault as fault:
                raise fault.within(*place) from None

        return in_place

    def _values(self, exprs: tuple[core.Expr, ...]) -> Callable[[Position, Env], tuple[Value, ...]]:
        """The values of some expressions."""
        made = [self.func(a) for a in exprs]
        if len(made) == 1:
            one = made[0]
            return lambda s, env: (one(s, env),)
        if len(made) == 2:
            a, b = made
            return lambda s, env: (a(s, env), b(s, env))
        if len(made) == 3:
            x, y, z = made
            return lambda s, env: (x(s, env), y(s, env), z(s, env))
        return lambda s, env: tuple([f(s, env) for f in made])

    def _total(self, e: core.Total) -> Func:
        args, rules, name = self._values(e.args), self.rules, e.table
        known = self._totals.get(name)
        if known is None:
            total = rules.totalled(name)
            known = self._totals[name] = (
                total
                if not rules.keeps or looks_back(self.setup.rules, e)
                else rules.kept(
                    partial(kept, self.setup.memo_keys.own(rules.reads.of("score", name))), total
                )
            )
        summed = known
        return lambda s, env: summed(s, args(s, env))

    def _arith(self, e: core.Arith) -> Func:
        a, b = self._operand(e.left), self._operand(e.right)
        if e.op == "+":

            def plus(s: Position, env: Env) -> int:
                n = a(s, env) + b(s, env)
                return n if SMALLEST <= n <= LARGEST else bounded(n)

            return plus
        if e.op == "-":

            def minus(s: Position, env: Env) -> int:
                n = a(s, env) - b(s, env)
                return n if SMALLEST <= n <= LARGEST else bounded(n)

            return minus
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
        if e.op in ("=", "!="):
            return self._equal(e)
        low, high, holds = (
            self._number_or_none(e.left),
            self._number_or_none(e.right),
            _ORDERS[e.op],
        )  # numbers, or of an ordered kind
        if isinstance(e.right, core.Const) and isinstance(e.right.value, int):
            bound = e.right.value

            def bounded_by(s: Position, env: Env) -> bool:
                x = low(s, env)
                return x is not None and holds(x, bound)

            return bounded_by

        def order(s: Position, env: Env) -> bool:
            x, y = low(s, env), high(s, env)
            return x is not None and y is not None and holds(x, y)

        return order

    def _equal(self, e: core.Compare) -> Func:
        a, b, same = self.func(e.left), self.func(e.right), e.op == "="
        if isinstance(e.right, core.Const):
            value = e.right.value
            if same:
                return lambda s, env: a(s, env) == value
            return lambda s, env: a(s, env) != value
        if same:
            return lambda s, env: a(s, env) == b(s, env)
        return lambda s, env: a(s, env) != b(s, env)

    def _member(self, e: core.Member) -> Func:
        item = self.func(e.item)
        of = self._listed(e.of) if isinstance(e.of, core.Contents) else self._members(e.of)
        return lambda s, env: item(s, env) in of(s, env)

    def _not(self, e: core.Not) -> Func:
        of = self.func(e.of)
        return lambda s, env: not of(s, env)

    def _all(self, e: core.All) -> Func:
        parts = [self.func(p) for p in e.of]
        if len(parts) == 2:
            a, b = parts
            return lambda s, env: bool(a(s, env) and b(s, env))

        def every(s: Position, env: Env) -> bool:
            for part in parts:  # noqa: SIM110 - a plain loop: this is the hottest place
                if not part(s, env):
                    return False
            return True

        return every

    def _any(self, e: core.Any) -> Func:
        parts = [self.func(p) for p in e.of]
        if len(parts) == 2:
            a, b = parts
            return lambda s, env: bool(a(s, env) or b(s, env))

        def some(s: Position, env: Env) -> bool:
            for part in parts:  # noqa: SIM110
                if part(s, env):
                    return True
            return False

        return some

    def _exists(self, e: core.Exists) -> Func:
        var, domain, cond = e.var, self._visited(e.domain), e.cond
        if (
            isinstance(cond, core.Member)
            and cond.item == core.Var(var)
            and isinstance(cond.of.type, SetT)
            and var not in core.free_names(cond.of)
        ):
            return self._meets(domain, cond.of)
        holds = self._inside(var, cond)

        def exists(s: Position, env: Env) -> bool:
            inner = dict(env)
            for item in domain(s, env):
                inner[var] = item
                if holds(s, inner):
                    return True
            return False

        return exists

    def _meets(
        self, domain: Callable[[Position, Env], Collection[Value]], other: core.Expr
    ) -> Func:
        """Is some member in another set, too?"""
        within = self._members(other)

        def meets(s: Position, env: Env) -> bool:
            found = domain(s, env)
            return bool(found) and not frozenset(within(s, env)).isdisjoint(found)

        return meets

    def _forall(self, e: core.Forall) -> Func:
        var, domain, cond = e.var, self._visited(e.domain), self._inside(e.var, e.cond)

        def forall(s: Position, env: Env) -> bool:
            inner = dict(env)
            for item in domain(s, env):
                inner[var] = item
                if not cond(s, inner):
                    return False
            return True

        return forall

    def _accepts(self, e: core.Accepts) -> Func:
        args, rules, event = self._values(e.args), self.rules, e.event
        judge: Callable[[Position, tuple[Value, ...]], bool] | None = None

        def accepts(s: Position, env: Env) -> bool:
            nonlocal judge
            if judge is None:  # only now: the rules of an event may ask about others
                judge = rules.judged(event)
            return judge(s, args(s, env))

        return accepts

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
            one, other = self._visited(e.left), self._visited(e.right)
            return lambda s, env: frozenset(one(s, env)) | frozenset(other(s, env))
        return lambda s, env: frozenset(a(s, env)) - frozenset(b(s, env))

    def _range(self, e: core.Range) -> Func:
        low, high, work = self._number(e.low), self._number(e.high), self.work

        def numbers(s: Position, env: Env) -> frozenset[int]:
            found = span(low(s, env), high(s, env))
            work.visit(len(found))
            return found

        return numbers

    def _filter(self, e: core.Filter) -> Func:
        kept_ones = self._kept(e)
        if isinstance(e.type, ListT):
            return lambda s, env: tuple(kept_ones(s, env))
        return lambda s, env: frozenset(kept_ones(s, env))

    def _kept(self, e: core.Filter) -> Callable[[Position, Env], list[Value]]:
        """The members that meet a filter, in the order in which they are looked through."""
        if is_looked_up(e) and isinstance(e.cond, core.Compare) and self.rules.keeps:
            return self._looked_up(e, e.cond)
        var, domain, cond = e.var, self._visited(e.domain), self._inside(e.var, e.cond)

        def kept_ones(s: Position, env: Env) -> list[Value]:
            found: list[Value] = []
            inner = dict(env)
            for item in domain(s, env):
                inner[var] = item
                if cond(s, inner):
                    found.append(item)
            return found

        return kept_ones

    def _looked_up(
        self, e: core.Filter, cond: core.Compare
    ) -> Callable[[Position, Env], list[Value]]:
        """The members of which something is as told: all are put in order by it, and looked up."""
        var, domain, key = e.var, self._visited(e.domain), self._outside(cond.left)

        def listed(s: Position, nothing: int) -> dict[Value, list[Value]]:
            found: dict[Value, list[Value]] = {}
            for item in domain(s, {}):
                found.setdefault(key(s, {var: item}), []).append(item)
            return found

        read = self.rules.reads.all((e.domain, cond.left))
        index = self.rules.kept(partial(kept, self.setup.memo_keys.own(read)), listed)
        value = self.func(cond.right)
        return lambda s, env: index(s, 0).get(value(s, env), [])

    def _image(self, e: core.Image) -> Func:
        made = self._each_body(e)
        if e.repeats:
            return lambda s, env: tuple(made(s, env))
        return lambda s, env: frozenset([x for x in made(s, env) if x is not None])

    def _each_body(self, e: core.Image) -> Callable[[Position, Env], list[Value]]:
        """What the body gives for each member that counts, in the order of the members."""
        var, domain, repeats = e.var, self._visited(e.domain), e.repeats
        cond, body = self._inside(var, e.cond), self._inside(var, e.body)
        always = e.cond == core.Const(True)

        def made(s: Position, env: Env) -> list[Value]:
            found: list[Value] = []
            inner, members = dict(env), domain(s, env)
            for item in ordered(members) if repeats else members:
                inner[var] = item
                if always or cond(s, inner):
                    found.append(body(s, inner))
            return found

        return made

    def _best(self, e: core.Best) -> Func:
        var, domain, key = e.var, self._visited(e.domain), self._key_of(e)
        sign, is_list = 1 if e.largest else -1, isinstance(e.type, ListT)

        def best(s: Position, env: Env) -> Value:
            inner = dict(env)
            scored = []
            for item in domain(s, env):
                inner[var] = item
                scored.append((sign * key(s, inner), item))
            top = max((k for k, _ in scored), default=0)
            found = [item for k, item in scored if k == top]
            return tuple(found) if is_list else frozenset(found)

        return best

    def _key_of(self, e: core.Best) -> Callable[[Position, Env], int]:
        return cast("Callable[[Position, Env], int]", self._inside(e.var, e.key))

    def _pick(self, e: core.Pick) -> Func:
        of = self._members(e.of)

        def pick(s: Position, env: Env) -> Value:
            members = of(s, env)
            return ordered(members)[0] if members else None

        return pick

    def _stable(self, e: core.Stable) -> Func:
        var, so_far, domain, cond = e.var, e.so_far, self._members(e.domain), self._outside(e.cond)
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
        relation, shared = e.relation, self._shares(e.relation)

        def groups(s: Position, env: Env) -> frozenset[frozenset[Value]]:
            members = frozenset(of(s, env))
            around = near(s, members, members)
            if shared:
                return parts_of(s, relation, members, around)
            return frozenset(components(members, around))

        return groups

    def _shares(self, relation: str | None) -> bool:
        """Are the connected parts of a set the same for all who ask in a position?"""
        return self.rules.keeps and (
            relation is None
            or not looks_back(self.setup.rules, self.setup.rules.definitions[relation].cases)
        )

    def _reach(self, e: core.Reach) -> Func:
        item = element(e.seeds.type)
        seeds, near = self._members(e.seeds), self._near(e.relation, item)
        within = self._members(e.within) if e.within is not None else None
        everything = self.everything(item) if e.relation else None
        if e.steps is not None:
            return self._reach_in(self._number(e.steps), seeds, within, everything, near)
        relation, shared, work = e.relation, self._shares(e.relation), self.work

        def reached_ones(s: Position, env: Env) -> frozenset[Value]:
            start = frozenset(seeds(s, env))
            space = frozenset(within(s, env)) if within else everything
            around = near(s, start, space)
            if space is None:
                found = reach(start, around, None)
            elif shared:
                found = reached(s, relation, start, space, around)
            else:
                found = reach(start, around, space | start if relation else space)
            work.visit(len(found))
            return found

        return reached_ones

    def _reach_in(
        self,
        steps: Callable[[Position, Env], int],
        seeds: Callable[[Position, Env], Members],
        within: Callable[[Position, Env], Members] | None,
        everything: frozenset[Value] | None,
        near: Nearby,
    ) -> Func:
        """All that can be reached in so many steps."""
        work = self.work

        def reached_ones(s: Position, env: Env) -> frozenset[Value]:
            start = frozenset(seeds(s, env))
            space = frozenset(within(s, env)) if within else everything
            bound = space if everything is None or space is None else space | start
            found = reach_in(steps(s, env) or 0, start, near(s, start, space), bound)
            work.visit(len(found))
            return found

        return reached_ones

    def _near(self, relation: str | None, item: Type | None) -> Nearby:
        """The neighbours of a thing in a set: by adjacency, or by a relation either way round."""
        return self._adjacent(item) if relation is None else self._related(relation)

    def _adjacent(self, item: Type | None) -> Nearby:
        site = site_type(item) if item is not None else None
        info = self.setup.boards[site.board] if site else next(iter(self.setup.boards.values()))

        neighbors, size = info.grid.neighbors, info.cells
        if info.copies == 1:
            return lambda s, things, space: (
                lambda cell: neighbors[cell] if isinstance(cell, int) else ()
            )

        def around(cell: Value) -> list[int]:
            if not isinstance(cell, int):
                return []
            copy, local = divmod(cell, size)
            return [c + copy * size for c in neighbors[local]]

        return lambda s, things, space: around

    def _related(self, relation: str) -> Nearby:
        rules, work = self.rules, self.work
        partners = self._partners(relation)

        def linked(s: Position, things: Things, space: Things | None) -> Near:
            members = space if space is not None else frozenset()
            if partners is not None and None not in members and None not in things:
                return lambda x: partners(s, x)
            holds = rules.definition(relation)

            def near(x: Value) -> list[Value]:
                work.visit(len(members))
                return [y for y in members if y != x and (holds(s, (x, y)) or holds(s, (y, x)))]

            return near

        return linked

    def _partners(self, relation: str) -> Callable[[Position, Value], frozenset[Value]] | None:
        """All that a thing stands in a relation to, either way round, tried among the few that its
        definition leaves possible; none where these are not known, or nothing is kept.
        """
        ruleset, rules = self.setup.rules, self.rules
        params = [p for p, _ in ruleset.definitions[relation].params]
        sides = [partners(ruleset, relation, p) for p in params]
        read = rules.reads.of("define", relation)
        if not rules.keeps or rules.watched or None in sides or ANYTHING in read:
            return None
        among = [self._members(side) for side in sides if side is not None]
        holds: Defined | None = None

        def found(s: Position, x: Value) -> frozenset[Value]:
            nonlocal holds
            if holds is None:
                holds = rules.definition(relation)
            held = holds
            likely = {y for side, p in zip(among, params, strict=True) for y in side(s, {p: x})}
            return frozenset(
                y
                for y in likely
                if y is not None and y != x and (held(s, (x, y)) or held(s, (y, x)))
            )

        return kept(self.setup.memo_keys.own(read | rules.reads.all(sides)), found)

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


# What is dear to work out.
_DEAR = (
    core.Apply
    | core.Total
    | core.Accepts
    | core.Exists
    | core.Forall
    | core.Filter
    | core.Image
    | core.Best
    | core.Stable
    | core.SetOp
    | core.Range
    | core.Groups
    | core.Reach
)
# What follows from its parts alone.
OF_PARTS = (
    core.Arith
    | core.IfElse
    | core.Compare
    | core.Member
    | core.Not
    | core.All
    | core.Any
    | core.SetOf
    | core.Pick
)
_ORDERS: dict[str, Callable[[int, int], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}


def _sum(numbers: Callable[[Position, Env], Collection[Value] | None]) -> Func:
    """The sum of numbers; too large a one is a fault."""

    def total(s: Position, env: Env) -> int:
        found = cast("Collection[int] | None", numbers(s, env))
        return 0 if found is None else bounded(sum(found))

    return total


def _scope_from(names: tuple[str, ...], args: list[Func]) -> Callable[[Position, Env], Env]:
    """What parameters stand for: the values of these arguments."""
    if len(args) == 1:
        (name,), (one,) = names, args
        return lambda s, env: {name: one(s, env)}
    if len(args) == 2:
        (p, q), (a, b) = names, args
        return lambda s, env: {p: a(s, env), q: b(s, env)}
    pairs = tuple(zip(names, args, strict=True))
    return lambda s, env: {name: f(s, env) for name, f in pairs}


def scope_of(params: Params) -> Callable[[tuple[Value, ...]], dict[str, Value]]:
    """What parameters stand for, in a scope of their own: a function of their values."""
    names = tuple(p for p, _ in params)
    if len(names) == 1:
        (only,) = names
        return lambda values: {only: values[0]}
    if len(names) == 2:
        p, q = names
        return lambda values: {p: values[0], q: values[1]}
    return lambda values: dict(zip(names, values, strict=True))


def _once(find: Func) -> Func:
    """The same value, which is worked out once."""
    found: list[Value] = []

    def once(s: Position, env: Env) -> Value:
        if not found:
            found.append(find(s, env))
        return found[0]

    return once


def _is_wide(t: Type) -> bool:
    """Are there, or may there be, many sites in a value?"""
    return element(t) is not None or isinstance(t, BoardT)


def _may_be_none(e: core.Expr) -> bool:
    """Can the value be none? Where that is not plain, yes."""
    if isinstance(e, core.Const):
        return e.value is None
    return not (e.type in (TRUTH, NUMBER) or isinstance(e.type, SetT | ListT | PairT))


def _of_one(one: Func, word: Word, empty: Value, doubtful: bool) -> Func:
    """A word of one value."""
    if not doubtful:
        return lambda s, env: word(s, one(s, env))

    def of_one(s: Position, env: Env) -> Value:
        value = one(s, env)
        return empty if value is None else word(s, value)

    return of_one


def _of_one_and(one: Func, other: Value, word: Word, empty: Value) -> Func:
    """A word of a value and of one that stands in the rules."""

    def of_one(s: Position, env: Env) -> Value:
        value = one(s, env)
        return empty if value is None else word(s, value, other)

    return of_one


def _of_two(a: Func, b: Func, word: Word, empty: Value) -> Func:
    """A word of two values."""

    def of_two(s: Position, env: Env) -> Value:
        x, y = a(s, env), b(s, env)
        return empty if x is None or y is None else word(s, x, y)

    return of_two


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
