"""The clauses of one game made into functions: definitions, score tables, requirements of events.

Each is known by name, so that a clause can be taken away or noted as looked at, and so that cards
can add to it where the rules have a slot.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import cast

from interpreter.engine.additions import Added, Additions, Values
from interpreter.engine.definitions import Definitions
from interpreter.engine.noted import Noted
from interpreter.engine.requirements import Judged, Requirements
from interpreter.engine.scoring import RunningTotal, Summing, Tables
from interpreter.evaluator.expressions import Defined, Env, Evaluator, Func, Opened
from interpreter.model.memo import ANY_CHANGE
from interpreter.model.position import Position
from interpreter.model.setup import Setup
from interpreter.model.tally import Tally
from interpreter.model.values import Fault
from rulelang import core
from rulelang.core.types import PieceT
from rulelang.core.values import Members, Value, members, number
from rulelang.ruleset import Event, Params, Rule

Performer = Callable[[Position, str, Values], None]
"""Performs an event's own effects on a position that will be thrown away."""


@dataclass(frozen=True)
class Failure:
    """A requirement that is not met, and the values its condition was judged with.

    `also` are further clauses it rests on: of a card's sentence its own line, and its pattern.
    """

    rule: Rule
    env: tuple[tuple[str, Value], ...]
    also: tuple[str, ...] = ()


class Rules(Noted):
    """All named clauses of one game, made into functions when first used."""

    counts_additions = False  # is it counted how often it is asked what cards add?

    def __init__(
        self,
        setup: Setup,
        perform: Performer,
        without: frozenset[str] = frozenset(),
        record: bool = False,
        keeps: bool = True,
    ) -> None:
        """See `Noted`; `perform` carries out what an event would do."""
        super().__init__(setup, without, record, keeps)
        self._perform = perform
        self.evaluator = Evaluator(setup, self)
        self._functions: dict[int, tuple[core.Expr, Func]] = {}
        self.additions = Additions(self, self.func, self.counts_additions)
        part = self.evaluator.func
        self._definitions = Definitions(self, part, self.additions)
        self._tables = Tables(self, part, self.additions)
        self.requirements = Requirements(self, part, self.additions, self.broken)
        self._totals: dict[str, Callable[[Position, Values], int]] = {}
        self._judges: dict[str, Judged] = {}

    # ------------------------------------------------------------------------------------ questions
    def func(self, expr: core.Expr) -> Func:
        """The function of an expression."""
        found = self._functions.get(id(expr))
        if found is None:  # the expression is held, so that no identity is used twice
            made = self.asked(self.evaluator.func(expr))
            found = self._functions[id(expr)] = expr, made
        return found[1]

    def value(self, expr: core.Expr, s: Position, env: Env) -> Value:
        """The value of an expression in a position and scope."""
        return self.func(expr)(s, env)

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

    # -------------------------------------------------------------------- definitions and tables
    def extensions(
        self, s: Position, kind: str, target: str, slot: str, params: Params, values: Values
    ) -> Iterable[Added]:
        """What cards add here now, with `card` and `you` bound.

        In the order of the rules, then of the pieces.
        """
        return self.additions.to(kind, target, slot, params)(s, values)

    def definition(self, name: str) -> Defined:
        """The function of a definition over its values."""
        return self._definitions.function(name)

    def opened(self, name: str) -> Opened | None:
        """What a definition says in one case alone, if that may be put where it is applied."""
        return self._definitions.opened(name)

    def total(self, s: Position, name: str, values: Values) -> int:
        """What a table comes to."""
        made = self._totals.get(name)
        if made is None:
            made = self._totals[name] = self.asked(self.totalled(name))
        return made(s, values)

    def totalled(self, name: str) -> Callable[[Position, Values], int]:
        """What a table comes to, as part of a question."""
        summing: Summing | None = None

        def totalled(s: Position, values: Values) -> int:
            nonlocal summing
            if summing is None:  # only now: a table may be asked for in itself
                summing = self._tables.sum(name)
            total = RunningTotal(told=False)
            summing(s, values, total)
            return total.total

        return totalled

    def tally(self, s: Position, name: str, values: Values) -> Tally:
        """A table worked out line by line."""
        total = RunningTotal()
        with self.work.question():
            self._tables.sum(name)(s, values, total)
        return Tally(name, values, total.total, tuple(total.lines))

    # -------------------------------------------------------------------------------- requirements
    def accepts(self, s: Position, event: str, values: Values) -> bool:
        """Does every requirement of the event hold with these values?"""
        return self.accepting(event)(s, values)

    def accepting(self, event: str) -> Judged:
        """The same of one event, as a question of its own."""
        made = self._judges.get(event)
        if made is None:
            made = self._judges[event] = self.asked(self.judged(event))
        return made

    def judged(self, event: str) -> Judged:
        """The same as part of a question."""
        if not self.watched:
            return self.requirements.judge(event)
        return self.requirements.kept(
            event, lambda s, values: next(self.failures(s, event, values), None) is None
        )

    def _met(self, s: Position, rule: Rule, env: Env) -> bool:
        assert rule.need is not None
        try:
            if rule.cond is not None and not self.func(rule.cond)(s, env):
                return True
            return bool(self.func(rule.need)(s, env))
        except Fault as fault:
            raise fault.within(*self.place(rule.clause)) from None

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
