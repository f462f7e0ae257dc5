"""The clauses of one game made into functions: definitions, score tables, requirements of events.

Each is known by name, so that a clause can be taken away or noted as looked at, and so that cards
can add to it where the rules have a slot.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Protocol, TypeVar, cast

from interpreter.engine.scoring import RunningTotal
from interpreter.evaluator.expressions import Env, Evaluator, Func
from interpreter.model.memo import ANY_CHANGE
from interpreter.model.position import Position
from interpreter.model.setup import Setup
from interpreter.model.tally import Tally
from interpreter.model.values import Fault
from rulelang import core
from rulelang.analysis.reads import Reads
from rulelang.builtins.pieces import holder
from rulelang.core.identity import IdentityMap
from rulelang.core.types import PLAYER, PieceT
from rulelang.core.values import Members, Value, members, nothing_of, number, ordered
from rulelang.ruleset import Case, Definition, Event, Extension, Line, Params, Rule, Table

T = TypeVar("T")
U = TypeVar("U")
T_co = TypeVar("T_co", covariant=True)
Values = tuple[Value, ...]
Performer = Callable[[Position, str, Values], None]
"""Performs an event's own effects on a position that will be thrown away."""


class Clause(Protocol[T_co]):
    """A named clause: a function of a position and as many values as it has parameters."""

    def __call__(self, s: Position, /, *values: Value) -> T_co:
        """What the clause comes to."""


class Compiled(Protocol):
    """A compiled ruleset bound to one game: the same values as the reference evaluator, sooner."""

    def func(self, expr: core.Expr) -> Func:
        """The function of an expression."""

    def value(self, expr: core.Expr, s: Position, env: Env) -> Value:
        """The value of an expression."""

    def definition(self, name: str) -> Clause[Value]:
        """The function of a definition: (position, *values) -> value."""

    def total(self, name: str) -> Clause[int]:
        """The function of a score table: (position, *values) -> number."""

    def accepts(self, event: str) -> Clause[bool]:
        """The function of an event's rules: (position, *values) -> truth."""

    def members(self, stmt: core.Choose) -> Callable[[Position, Env], Values]:
        """The members of a choice's domain that meet its filter."""

    def viable(self, body: core.Body, pc: int) -> Callable[[Position, Env], bool]:
        """Can a body be completed from here?"""

    def ones(self, body: core.Body, pc: int) -> Callable[[Position, Env], Iterator[Value]]:
        """The options of a choice of one member, as an iterator."""


@dataclass(frozen=True)
class Failure:
    """A requirement that is not met, and the values its condition was judged with.

    `also` are further clauses it rests on: of a card's sentence its own line, and its pattern.
    """

    rule: Rule
    env: tuple[tuple[str, Value], ...]
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Scored:
    """A score table being worked out in a position."""

    s: Position
    table: Table
    args: Values
    sum: RunningTotal


class Rules:
    """All named clauses of one game, made into functions when first used."""

    def __init__(
        self,
        setup: Setup,
        perform: Performer,
        without: frozenset[str] = frozenset(),
        record: bool = False,
        compiled: Callable[[Rules], Compiled] | None = None,
        plain: Callable[[], Rules] | None = None,
    ) -> None:
        """`without` takes clauses away; `record` notes in `touched` those that were looked at.

        With neither, the functions of `compiled` are used if it is given; where they cannot tell,
        `plain` gives the same clauses as the reference has them.
        """
        self.setup, self.without, self.record, self._perform = setup, without, record, perform
        self._plain = plain
        self.watched = record or bool(without)
        self.touched: set[str] = set()
        self.fired: set[str] = set()
        self.reads = Reads(setup.rules)
        self.reference = Evaluator(setup, self)
        self.generated = compiled(self) if compiled is not None and not self.watched else None
        self.evaluator: Evaluator | Compiled = self.generated or self.reference
        self.work = setup.work
        self._functions: IdentityMap[core.Expr, Func] = IdentityMap()
        self._definitions: dict[str, Callable[[Position, Values], Value]] = {}
        self._totalled: dict[str, Callable[[Position, Values], int]] = {}
        self._judges: dict[str, Callable[[Position, Values], bool]] = {}
        self._slots: dict[tuple[str, str, str], list[Extension]] = {}
        for extension in setup.rules.extensions:
            if extension.clause not in without and extension.pattern not in without:
                slot = (extension.kind, extension.target, extension.slot)
                self._slots.setdefault(slot, []).append(extension)
        self.bearers = {
            (d.component, d.title): setup.by_title.get((d.component, d.title.lower()), ())
            for d in setup.rules.designs
        }
        """Component and title -> the pieces that bear this title."""

    # ------------------------------------------------------------------------------------ questions
    def func(self, expr: core.Expr) -> Func:
        """The function of an expression."""
        found = self._functions.get(expr)
        if found is not None:
            return found
        if self.generated is None:
            made = self.asked(self.reference.func(expr))
        else:
            made = self.asked(
                self.generated.func(expr), lambda s, env: self.plain.value(expr, s, env)
            )
        return self._functions.keep(expr, made)

    def value(self, expr: core.Expr, s: Position, env: Env) -> Value:
        """The value of an expression in a position and scope."""
        return self.func(expr)(s, env)

    def asked(
        self, ask: Callable[[Position, T], U], again: Callable[[Position, T], U] | None = None
    ) -> Callable[[Position, T], U]:
        """The same function as a question of its own, unless it is part of another.

        What is quicker than the reference (`again`) may fail where that does not, and is content
        with less work: then the reference is asked, and what it says is what the rules mean.
        """
        work = self.work
        quick = again is not None

        def question(s: Position, given: T) -> U:
            if work.open:
                return ask(s, given)
            work.begin(quick)
            try:
                return ask(s, given)
            except Fault:
                if again is None:
                    raise
                work.begin()
                return again(s, given)
            finally:
                work.open = False

        return question

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

    @property
    def plain(self) -> Rules:
        """The same clauses as the reference has them."""
        assert self._plain is not None
        return self._plain()

    def one_by_one(
        self, options: Iterator[Value], again: Callable[[], Iterator[Value]]
    ) -> Iterator[Value]:
        """The same options, each found as a question of its own.

        `again` lists them as the reference does.
        """
        given, nothing = 0, object()
        while True:
            try:
                with self.work.question(quick=True):
                    option = next(options, nothing)
            except Fault:
                yield from islice(again(), given, None)
                return
            if option is nothing:
                return
            given += 1
            yield cast("Value", option)

    def memo_key(self, kind: str, name: str) -> int:
        """The key of memoised results of a definition, score table or event's rules."""
        return self.setup.memo_keys.shared(self.reads.of(kind, name))

    def holds(self, s: Position, expr: core.Expr, env: Env | None = None) -> bool:
        """Is the condition so?"""
        return bool(self.func(expr)(s, {} if env is None else env))

    def number(self, expr: core.Expr, s: Position, env: Env) -> int:
        """The value of an expression that is a number (or a player, piece, site or member)."""
        return number(self.value(expr, s, env))

    def members(self, expr: core.Expr, s: Position, env: Env) -> Members:
        """The value of an expression that is a set or list."""
        return members(self.value(expr, s, env))

    # -------------------------------------------------------------------------------- extensions
    def extensions(
        self, s: Position, kind: str, target: str, slot: str, params: Params, values: Values
    ) -> Iterator[tuple[Extension, Env]]:
        """What cards add here now, with `card` and `you` bound.

        In the order of the rules, then of the pieces.
        """
        for extension in self._slots.get((kind, target, slot), ()):
            if self.record:
                self.touched.add(extension.pattern)
            bound = (
                self._as_played(extension, params, values)
                if extension.lifetime == "played"
                else self._in_play(s, extension)
            )
            for env in bound:
                yield extension, env

    def _as_played(self, extension: Extension, params: Params, values: Values) -> Iterator[Env]:
        """Once, if the first piece of its component among the values bears the extension."""
        component = PieceT(extension.component)
        played = next((v for (_, t), v in zip(params, values, strict=True) if t == component), None)
        if played in self.bearers.get((extension.component, extension.title), ()):
            you = next((v for (_, t), v in zip(params, values, strict=True) if t == PLAYER), None)
            yield {"card": played, "you": you}

    def _in_play(self, s: Position, extension: Extension) -> Iterator[Env]:
        """Once for each bearer that is somewhere, while or until its condition holds."""
        for piece in self.bearers.get((extension.component, extension.title), ()):
            if s.where[piece] is None:
                continue
            env = {"card": piece, "you": self.player_of(s, piece)}
            if extension.cond is None or self.holds(s, extension.cond, env) == (
                extension.lifetime == "while"
            ):
                yield env

    def player_of(self, s: Position, piece: int) -> int | None:
        """The player a card speaks of as `you`: who has it, or whose it is."""
        found = holder(s, piece)
        return found if found is not None else self.setup.pieces[piece].owner

    # -------------------------------------------------------------------------------- definitions
    def definition(self, name: str) -> Callable[[Position, Values], Value]:
        """The function of a definition over its values."""
        made = self._definitions.get(name)
        if made is None:
            made = self._definitions[name] = self._define(name)
        return made

    def _define(self, name: str) -> Callable[[Position, Values], Value]:
        if self.generated is not None:
            made = self.generated.definition(name)
            return self.asked(
                lambda s, values: made(s, *values),
                lambda s, values: self.plain.definition(name)(s, values),
            )
        known = self.setup.rules.definitions[name]
        params = [p for p, _ in known.params]
        only = known.cases[0]
        if len(known.cases) == 1 and only.cond is None and not only.slot and not self.watched:
            assert only.value is not None
            body, place = self.func(only.value), self.place(known.clause)

            def single(s: Position, values: Values) -> Value:
                try:
                    return body(s, dict(zip(params, values, strict=True)))
                except Fault as fault:
                    raise fault.within(*place) from None

            return single
        return lambda s, values: self._first_case(s, known, values)

    def _first_case(self, s: Position, known: Definition, values: Values) -> Value:
        """The value of the first case that holds; of none, nothing of its type."""
        self.touch(known.clause)
        env = dict(zip([p for p, _ in known.params], values, strict=True))
        for case in known.cases:
            if case.slot:
                found = self._added_case(s, known, case, env, values)
            elif case.clause in self.without and case.clause != known.clause:
                continue
            else:
                found = self._case(s, case, env)
            if found is not None:
                return found[0]
        return nothing_of(known.type)

    def _added_case(
        self, s: Position, known: Definition, case: Case, env: Env, values: Values
    ) -> tuple[Value] | None:
        """The value of the first case that a card adds in this slot, if one holds."""
        if self.gone(case.clause):
            return None
        added = self.extensions(s, "define", known.name, case.slot or "", known.params, values)
        for extension, bound in added:
            for inner in extension.cases:
                found = self._case(s, inner, {**env, **bound})
                if found is not None:
                    self.fired.add(extension.clause)
                    if self.record:
                        self.touched.add(extension.clause)
                    return found
        return None

    def _case(self, s: Position, case: Case, env: Env) -> tuple[Value] | None:
        if self.record and case.clause:
            self.touched.add(case.clause)
        assert case.value is not None
        try:
            if case.cond is not None and not self.func(case.cond)(s, env):
                return None
            return (self.func(case.value)(s, env),)
        except Fault as fault:
            raise fault.within(*self.place(case.clause)) from None

    # -------------------------------------------------------------------------------- score tables
    def total(self, s: Position, name: str, values: Values) -> int:
        """What a table comes to."""
        return self._totals(name)(s, values)

    def _totals(self, name: str) -> Callable[[Position, Values], int]:
        found = self._totalled.get(name)
        if found is None:
            if self.generated is None:
                found = self.asked(lambda s, values: self.tally(s, name, values).total)
            else:
                made = self.generated.total(name)
                found = self.asked(
                    lambda s, values: made(s, *values),
                    lambda s, values: self.plain.total(s, name, values),
                )
            self._totalled[name] = found
        return found

    def tally(self, s: Position, name: str, values: Values) -> Tally:
        """A table worked out line by line."""
        table = self.setup.rules.tables[name]
        self.touch(table.clause)
        env = dict(zip([p for p, _ in table.params], values, strict=True))
        scored = _Scored(s, table, values, RunningTotal())
        for line in table.lines:
            self._line(scored, line, env)
        return Tally(name, values, scored.sum.total, tuple(scored.sum.lines))

    def _line(
        self, scored: _Scored, line: Line, env: Env, source: str = "", alternative: bool = False
    ) -> bool:
        """Apply a line; says whether it counted. `source` is the card's clause it stands in."""
        if line.op == "one":
            return any(self._line(scored, inner, env, alternative=True) for inner in line.inner)
        if line.slot:
            return self._added_lines(scored, line, env, alternative)
        clause = source or line.clause
        if self.gone(clause) or (source and self.gone(line.clause)):
            return False
        if line.each is None:
            return self._count(scored, line, env, clause)
        var, domain = line.each
        scope = {**env, "total": scored.sum.total}
        listed = ordered(self.members(domain, scored.s, scope))
        self.work.visit(len(listed))
        counted = [self._count(scored, line, {**env, var: x}, clause, x) for x in listed]
        return any(counted)

    def _added_lines(self, scored: _Scored, line: Line, env: Env, alternative: bool) -> bool:
        """Apply what cards add in a slot: all of it, or as an alternative the first that counts."""
        if self.gone(line.clause):
            return False
        counted = False
        for extension, bound in self.extensions(
            scored.s, "score", scored.table.name, line.slot or "", scored.table.params, scored.args
        ):
            for inner in extension.lines:
                if self._line(scored, inner, {**env, **bound}, extension.clause):
                    counted = True
                if counted and alternative:
                    return True
        return counted

    def _count(
        self, scored: _Scored, line: Line, env: Env, clause: str, member: Value = None
    ) -> bool:
        scope = {**env, "total": scored.sum.total}
        assert line.amount is not None
        try:
            if line.cond is not None and not self.func(line.cond)(scored.s, scope):
                return False
            amount = self.number(line.amount, scored.s, scope)
            counted = scored.sum.count(line.op, line.label, amount, clause, member)
        except Fault as fault:
            raise fault.within(*self.place(clause)) from None
        if counted:
            self.fired.add(clause)
        return counted

    # -------------------------------------------------------------------------------- requirements
    def accepts(self, s: Position, event: str, values: Values) -> bool:
        """Does every requirement of the event hold with these values?"""
        judge = self._judges.get(event)
        if judge is None:
            judge = self._judges[event] = self._judge(event)
        return judge(s, values)

    def _judge(self, event: str) -> Callable[[Position, Values], bool]:
        if self.generated is None:
            judge, kept = self.asked(self._judged(event)), self.memo_key("rules", event)

            def remembered(s: Position, values: Values) -> bool:
                memo, key = s.memo(kept), (event, values)
                found = memo.get(key)
                if found is None:
                    found = memo[key] = judge(s, values)
                return bool(found)

            return remembered
        made = self.generated.accepts(event)
        return self.asked(
            lambda s, values: bool(made(s, *values)),
            lambda s, values: self.plain.accepts(s, event, values),
        )

    def _judged(self, event: str) -> Callable[[Position, Values], bool]:
        """The test of an event's rules alone, without reasons: what `failures` says, sooner."""
        known = self.setup.rules.events[event]
        if self.watched or self.reads.invariants:
            return lambda s, values: next(self.failures(s, event, values), None) is None
        names = [p for p, _ in known.params]
        pieces = [i for i, (_, t) in enumerate(known.params) if isinstance(t, PieceT)]
        tests = [self._test(known, rule) for rule in known.rules]

        def judge(s: Position, values: Values) -> bool:
            if any(values[i] is None for i in pieces):
                return False
            env = dict(zip(names, values, strict=True))
            for test in tests:  # noqa: SIM110 - a plain loop: this is a hot place
                if not test(s, env, values):
                    return False
            return True

        return judge

    def _test(self, known: Event, rule: Rule) -> Callable[[Position, Env, Values], bool]:
        """The test of one rule of an event, or of what cards add in its slot."""
        if rule.slot is not None:
            return lambda s, env, values: self._accepted_by_cards(s, known, rule, env, values)
        assert rule.need is not None
        need, place = self.func(rule.need), self.place(rule.clause)
        cond = self.func(rule.cond) if rule.cond is not None else None

        def test(s: Position, env: Env, values: Values) -> bool:
            try:
                return (cond is not None and not cond(s, env)) or bool(need(s, env))
            except Fault as fault:
                raise fault.within(*place) from None

        return test

    def _met(self, s: Position, rule: Rule, env: Env) -> bool:
        assert rule.need is not None
        try:
            if rule.cond is not None and not self.func(rule.cond)(s, env):
                return True
            return bool(self.func(rule.need)(s, env))
        except Fault as fault:
            raise fault.within(*self.place(rule.clause)) from None

    def _accepted_by_cards(
        self, s: Position, known: Event, rule: Rule, env: Env, values: Values
    ) -> bool:
        added = self.extensions(s, "rules", known.name, rule.slot or "", known.params, values)
        for extension, bound in added:
            inner = {**env, **bound}
            if not all(self._met(s, one, inner) for one in extension.rules):
                self.fired.add(extension.clause)
                return False
        return True

    def failures(
        self, s: Position, event: str, values: Values, passed: set[str] | None = None
    ) -> Iterator[Failure]:
        """The requirements that do not hold, in order.

        `passed` is given the cards' sentences that had something to say and let the event pass.
        """
        known = self.setup.rules.events[event]
        self.touch(known.clause)
        env = dict(zip([p for p, _ in known.params], values, strict=True))
        if any(
            v is None
            for v, (_, t) in zip(values, known.params, strict=True)
            if isinstance(t, PieceT)
        ):
            yield Failure(Rule("nothing is there", None, None, known.clause), tuple(env.items()))
            return
        for rule in known.rules:
            if not rule.slot:
                yield from self._rule(s, rule, env, "")
            elif not self.gone(rule.clause):
                yield from self._refused_by_cards(s, known, rule, env, values, passed)
        if self.reads.invariants:
            yield from self._broken(s, event, values, env)

    def _refused_by_cards(
        self,
        s: Position,
        known: Event,
        rule: Rule,
        env: Env,
        values: Values,
        passed: set[str] | None,
    ) -> Iterator[Failure]:
        added = self.extensions(s, "rules", known.name, rule.slot or "", known.params, values)
        for extension, bound in added:
            for inner in extension.rules:
                also = (inner.clause, extension.pattern)
                scope = {**env, **bound}
                yield from self._rule(s, inner, scope, extension.clause, also, passed)

    def _broken(self, s: Position, event: str, values: Values, env: Env) -> Iterator[Failure]:
        later = self.supposing(s, event, values)
        for invariant in self.reads.invariants:
            yield from self._rule(later, invariant, env, "")

    def broken(self, s: Position, event: str, values: Values) -> bool:
        """Would the event leave a position that an invariant does not allow?"""
        env = dict(zip([p for p, _ in self.setup.rules.events[event].params], values, strict=True))
        return any(True for _ in self._broken(s, event, values, env))

    def _rule(
        self,
        s: Position,
        rule: Rule,
        env: Env,
        source: str,
        also: tuple[str, ...] = (),
        passed: set[str] | None = None,
    ) -> Iterator[Failure]:
        clause = source or rule.clause
        if self.gone(clause) or (source and self.gone(rule.clause)):
            return
        if self._met(s, rule, env):
            applies = passed is not None and (rule.cond is None or self.func(rule.cond)(s, env))
            if passed is not None and applies:
                passed.add(clause)
        else:
            self.fired.add(clause)
            assert rule.need is not None
            inside = tuple(f.rule.clause for _, f in self.within(s, rule.need, env))
            told = replace(rule, clause=source, slot=None) if source else rule
            yield Failure(told, tuple(env.items()), also + inside)

    def within(self, s: Position, need: core.Expr, env: Env) -> Iterator[tuple[Position, Failure]]:
        """What stands against the events that a condition asks about by `can`.

        Each failure comes with the position it was judged in.
        """
        for part in need.of if isinstance(need, core.All) else (need,):
            if isinstance(part, core.At) and part.mode == "supposing" and part.event is not None:
                values = tuple(self.value(a, s, env) for a in part.args)
                yield from self.within(self.supposing(s, part.event, values), part.body, env)
            elif isinstance(part, core.Accepts):
                values = tuple(self.value(a, s, env) for a in part.args)
                yield from ((s, failure) for failure in self.failures(s, part.event, values))

    def supposing(self, s: Position, event: str, values: Values) -> Position:
        """The position the event would leave: its own effects only, no reactions."""
        key = ("supposing", event, values)
        # Under keys of this kind positions are kept, and nothing else.
        memo = cast("dict[Hashable, Position]", s.memo(ANY_CHANGE))
        found = memo.get(key)
        if found is None:
            later = s.copy()
            self._perform(later, event, values)
            found = memo[key] = later
        return found
