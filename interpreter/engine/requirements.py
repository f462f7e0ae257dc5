"""The rules of events as one test each, without reasons: the cheap ones are asked first.

A rule is asked before others only where these cannot stop the game, so that the test comes to the
same as the rules one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

from interpreter.engine.additions import Additions, Values
from interpreter.engine.noted import Noted
from interpreter.evaluator.expressions import Env, Func, scope_of
from interpreter.model.keeping import kept
from interpreter.model.position import Position
from interpreter.model.values import Fault
from rulelang import core
from rulelang.analysis.cost import work
from rulelang.analysis.stops import Stops
from rulelang.core.identity import IdentityMap
from rulelang.core.types import PieceT
from rulelang.ruleset import Event, Rule

Judged: TypeAlias = Callable[[Position, Values], bool]
Test: TypeAlias = Callable[[Position, Env, Values], bool]
Broken: TypeAlias = Callable[[Position, str, Values], bool]


class Requirements:
    """The tests of one game's events."""

    def __init__(
        self, noted: Noted, func: Callable[[core.Expr], Func], additions: Additions, broken: Broken
    ) -> None:
        """`func` gives the function of an expression that is part of a question.

        `broken` tells whether an event would leave a position that an invariant does not allow.
        """
        self.noted, self.rules, self._func = noted, noted.setup.rules, func
        self._additions, self._broken = additions, broken
        self._stops = Stops(self.rules)
        self._works: dict[tuple[str, str], int] = {}
        self._made: dict[str, Judged] = {}
        self._tests: IdentityMap[Rule, Test] = IdentityMap()

    def judge(self, event: str) -> Judged:
        """Does every rule of the event hold with these values? What is dear to find is kept."""
        made = self._made.get(event)
        if made is None:
            made = self._made[event] = self.kept(event, self.test(event, self.numbers(event)))
        return made

    def some(self, event: str, asked: frozenset[int]) -> Judged:
        """The same of the rules of these numbers alone."""
        return self.kept(event, self.test(event, asked))

    def kept(self, event: str, judged: Judged) -> Judged:
        """The same answer about an event, kept if it is dear to find."""
        rules = [(rule.cond, rule.need) for rule in self.rules.events[event].rules]
        added = [e.rules for e in self.rules.extensions if (e.kind, e.target) == ("rules", event)]
        dear = self.noted.worth_keeping([rules, added])
        if not (dear or (self.noted.keeps and self.noted.reads.invariants)):
            return judged
        key = self.noted.setup.memo_keys.own(self.noted.reads.of("rules", event))
        return self.noted.kept(partial(kept, key), judged)

    def numbers(self, event: str) -> frozenset[int]:
        """The numbers of an event's rules."""
        return frozenset(range(len(self.rules.events[event].rules)))

    def first(self, event: str, wanted: frozenset[int], without: frozenset[int]) -> frozenset[int]:
        """Those of the wanted rules that may be asked before all others, some left aside."""
        found: set[int] = set()
        for i, rule in enumerate(self.rules.events[event].rules):
            if i in wanted:
                found.add(i)
            elif i not in without and self.may_stop(event, rule):
                break
        return frozenset(found)

    def test(
        self, event: str, asked: frozenset[int], pieces: frozenset[int] | None = None
    ) -> Judged:
        """Do the rules of these numbers hold, and is no piece among the values none?

        `pieces` are the places of those that count, if not all do.
        """
        known = self.rules.events[event]
        rules = [rule for i, rule in enumerate(known.rules) if i in asked]
        if pieces is None:
            pieces = frozenset(i for i, (_, t) in enumerate(known.params) if isinstance(t, PieceT))
        plain = self._in_order(known, rules, pieces)
        sooner = self._sooner(known, rules) if self.noted.keeps else rules
        if sooner == rules:
            return plain
        quick = self._in_order(known, sooner, pieces)

        def judge(s: Position, values: Values) -> bool:
            try:
                return quick(s, values)
            except Fault:  # a rule before it may not hold, and then nobody comes to it
                return plain(s, values)

        return judge

    def _sooner(self, known: Event, rules: Sequence[Rule]) -> list[Rule]:
        """The same rules, cheap ones before those that cannot stop the game."""
        found: list[Rule] = []
        passed: list[Rule] = []
        for rule in rules:
            passed.append(rule)
            if self.may_stop(known.name, rule):
                found += sorted(passed, key=self._weight)
                passed = []
        return found + sorted(passed, key=self._weight)

    def _weight(self, rule: Rule) -> tuple[bool, int]:
        return bool(rule.slot), work(self.rules, (rule.cond, rule.need), self._works)

    def may_stop(self, event: str, rule: Rule) -> bool:
        """Could a rule of an event, or what cards add in its place, stop the game?"""
        if not rule.slot:
            return self._stops.may((rule.cond, rule.need))
        added = self._additions.at("rules", event, rule.slot)
        return self._stops.may([(e.cond, [(r.cond, r.need) for r in e.rules]) for e in added])

    def calm(self, *items: object) -> bool:
        """Can none of these stop the game?"""
        return not self._stops.may(items)

    def _in_order(self, known: Event, rules: Sequence[Rule], pieces: frozenset[int]) -> Judged:
        """These rules in this order."""
        scope_for = scope_of(known.params)
        tests = [self._test(known, rule) for rule in rules]
        broken, held = self._broken, bool(self.noted.reads.invariants)

        def judge(s: Position, values: Values) -> bool:
            for i in pieces:
                if values[i] is None:
                    return False
            env = scope_for(values)
            for test in tests:
                if not test(s, env, values):
                    return False
            return not (held and broken(s, known.name, values))

        return judge

    def _test(self, known: Event, rule: Rule) -> Test:
        """The test of one rule of an event, or of what cards add in its slot."""
        if rule.slot is not None:
            return self._added(known, rule, rule.slot)
        return self._tests.get(rule) or self._tests.keep(rule, self._rule(rule))

    def _rule(self, rule: Rule) -> Test:
        assert rule.need is not None
        need, place = self._func(rule.need), self.noted.place(rule.clause)
        cond = self._func(rule.cond) if rule.cond is not None else None

        def test(s: Position, env: Env, values: Values) -> bool:
            try:
                return (cond is not None and not cond(s, env)) or bool(need(s, env))
            except Fault as fault:
                raise fault.within(*place) from None

        return test

    def _added(self, known: Event, rule: Rule, slot: str) -> Test:
        """Does everything hold that cards add here?"""
        adding, noted = self._additions.to("rules", known.name, slot, known.params), self.noted

        def test(s: Position, env: Env, values: Values) -> bool:
            for extension, bound in adding(s, values):
                inner = {**env, **bound}
                for one in extension.rules:
                    if not self._test(known, one)(s, inner, values):
                        noted.fired.add(extension.clause)
                        return False
            return True

        return test
