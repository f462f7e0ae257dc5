"""Named things at work: definitions, score tables, requirements and what cards add to them, each clause known by name when it counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from interpreter.engine.scoring import Tally, tally
from interpreter.evaluator.builtins import holder
from interpreter.evaluator.expressions import Env, Evaluator, Func
from interpreter.model.memo import Needs
from interpreter.model.position import Position
from interpreter.model.setup import Setup
from interpreter.model.values import Fault
from rulelang import core
from rulelang.core.types import PLAYER, PieceT
from rulelang.core.values import nothing_of
from rulelang.ruleset import Case, Extension, Params, Rule

if TYPE_CHECKING:
    from interpreter.engine.events import Effects

Value = Any


class Compiled(Protocol):
    """A compiled ruleset bound to one game: the same values as the reference evaluator, sooner."""

    def func(self, expr: core.Expr) -> Func:
        """The function of an expression."""

    def value(self, expr: core.Expr, s: Position, env: Env) -> Value:
        """The value of an expression."""

    def definition(self, name: str) -> Callable[..., Value]:
        """The function of a definition: (position, *values) -> value."""

    def total(self, name: str) -> Callable[..., Value]:
        """The function of a score table: (position, *values) -> number."""

    def accepts(self, event: str) -> Callable[..., Value]:
        """The function of an event's rules: (position, *values) -> truth."""

    def members(self, stmt: core.Choose) -> Func:
        """The members of a choice's domain that meet its filter."""

    def viable(self, body: core.Body, pc: int) -> Func:
        """Can a body be completed from here?"""

    def ones(self, body: core.Body, pc: int) -> Func:
        """The options of a choice of one member, as an iterator."""


@dataclass(frozen=True)
class Failure:
    """A requirement that is not met: its rule, and the values its condition was judged with."""

    rule: Rule
    env: tuple[tuple[str, Value], ...]
    also: tuple[str, ...] = ()  # further clauses it rests on: the phrase's own line, and the phrase


class Rules:
    """All named clauses of one game, made into functions when first used; those in `without` are taken away."""

    def __init__(
        self,
        setup: Setup,
        without: frozenset[str] = frozenset(),
        record: bool = False,
        compiled: Callable[[Rules], Compiled] | None = None,
    ) -> None:
        """`record` keeps the names of all clauses that were looked at in `touched`; with `compiled`, its functions are used."""
        self.setup, self.without, self.record = setup, without, record
        self.watched = record or bool(without)
        self.touched: set[str] = set()
        self.fired: set[str] = set()
        self.needs = Needs(setup)
        setup.touching["*"] = {0}
        self.reference = Evaluator(setup, self)
        self.generated = compiled(self) if compiled is not None and not self.watched else None
        self.evaluator: Evaluator | Compiled = self.generated or self.reference
        self.machine: Effects | None = None
        self._definitions: dict[str, Callable[[Position, tuple[Value, ...]], Value]] = {}
        self._judges: dict[str, Callable[[Position, tuple[Value, ...]], bool]] = {}
        self._slots: dict[tuple[str, str, str], list[Extension]] = {}
        for extension in setup.rules.extensions:
            if extension.clause not in without and extension.pattern not in without:
                self._slots.setdefault(
                    (extension.kind, extension.target, extension.slot), []
                ).append(extension)
        # component and title -> the pieces that bear this title
        self.bearers = {
            (d.component, d.title): setup.by_title.get((d.component, d.title.lower()), ())
            for d in setup.rules.designs
        }
        for state in setup.rules.states.values():
            setup.defaults[state.name] = self.evaluator.value(state.initial, Position(setup), {})

    def touch(self, clause: str) -> None:
        """Note that a clause was looked at; one that was taken away must not be needed."""
        if self.record and clause:
            self.touched.add(clause)
        if clause and clause in self.without:
            raise Fault(f"{clause} was taken away")

    def gone(self, clause: str) -> bool:
        """Was this line taken away? (And note that it was looked at.)"""
        if self.record and clause:
            self.touched.add(clause)
        return clause in self.without

    # ---------------------------------------------------------------------------------------- extensions
    def extensions(
        self,
        s: Position,
        kind: str,
        target: str,
        slot: str,
        params: Params,
        values: tuple[Value, ...],
    ) -> Iterator[tuple[Extension, Env]]:
        """What cards add here now, with `card` and `you` bound, in the order of the rules and then of the pieces."""
        for extension in self._slots.get((kind, target, slot), ()):
            ids = self.bearers.get((extension.component, extension.title), ())
            if self.record:
                self.touched.add(extension.pattern)
            if extension.lifetime == "played":
                for (_, t), value in zip(params, values, strict=True):
                    if t == PieceT(extension.component):
                        if value in ids:
                            you = next(
                                (
                                    v
                                    for (_, pt), v in zip(params, values, strict=True)
                                    if pt == PLAYER
                                ),
                                None,
                            )
                            yield extension, {"card": value, "you": you}
                        break
                continue
            for piece in ids:
                if s.where[piece] is None:
                    continue
                env: Env = {"card": piece, "you": self.player_of(s, piece)}
                if extension.cond is None:
                    yield extension, env
                else:
                    holds = bool(self.evaluator.func(extension.cond)(s, dict(env)))
                    if holds == (extension.lifetime == "while"):
                        yield extension, env

    def player_of(self, s: Position, piece: int) -> int | None:
        """The player a card speaks of as `you`: who has it, or whose it is."""
        found = holder(s, piece)
        return found if found is not None else self.setup.pieces[piece].owner

    # ---------------------------------------------------------------------------------------- definitions
    def definition(self, name: str) -> Callable[[Position, tuple[Value, ...]], Value]:
        """The function of a definition over its values."""
        made = self._definitions.get(name)
        if made is None:
            made = self._definitions[name] = self._define(name)
        return made

    def _define(self, name: str) -> Callable[[Position, tuple[Value, ...]], Value]:
        if self.generated is not None:
            made = self.generated.definition(name)
            return lambda s, values: made(s, *values)
        known = self.setup.rules.definitions[name]
        params = [p for p, _ in known.params]
        empty = nothing_of(known.type)
        func = self.evaluator.func
        if (
            len(known.cases) == 1
            and known.cases[0].cond is None
            and not known.cases[0].slot
            and not self.record
            and not self.without
        ):
            body = func(known.cases[0].value)  # type: ignore[arg-type]
            if len(params) == 1:
                only = params[0]
                return lambda s, values: body(s, {only: values[0]})
            return lambda s, values: body(s, dict(zip(params, values, strict=True)))

        def apply(s: Position, values: tuple[Value, ...]) -> Value:
            self.touch(known.clause)
            env = dict(zip(params, values, strict=True))
            for case in known.cases:
                if case.slot:
                    if self.gone(case.clause):
                        continue
                    for extension, bound in self.extensions(
                        s, "define", name, case.slot, known.params, values
                    ):
                        for inner in extension.cases:
                            found = self._case(s, inner, {**env, **bound})
                            if found is not None:
                                self.fired.add(extension.clause)
                                if self.record:
                                    self.touched.add(extension.clause)
                                return found[0]
                    continue
                if case.clause in self.without and case.clause != known.clause:
                    continue
                found = self._case(s, case, env)
                if found is not None:
                    return found[0]
            return empty

        return apply

    def _case(self, s: Position, case: Case, env: Env) -> tuple[Value] | None:
        if self.record and case.clause:
            self.touched.add(case.clause)
        if case.cond is not None and not self.evaluator.func(case.cond)(s, env):
            return None
        assert case.value is not None
        return (self.evaluator.func(case.value)(s, env),)

    # ---------------------------------------------------------------------------------------- tables
    def total(self, s: Position, name: str, values: tuple[Value, ...]) -> int:
        """What a table comes to."""
        if self.generated is not None:
            return int(self.generated.total(name)(s, *values))
        return self.tally(s, name, values).total

    def tally(self, s: Position, name: str, values: tuple[Value, ...]) -> Tally:
        """A table worked out line by line."""
        return tally(self, s, name, values)

    # ---------------------------------------------------------------------------------------- requirements
    def accepts(self, s: Position, event: str, values: tuple[Value, ...]) -> bool:
        """Does every requirement of the event hold with these values?"""
        if self.generated is not None:
            return bool(self.generated.accepts(event)(s, *values))
        memo = s.memo(self.needs.group("rules", event))
        key = (event, values)
        found = memo.get(key)
        if found is None:
            judge = self._judges.get(event)
            if judge is None:
                judge = self._judges[event] = self._judge(event)
            found = memo[key] = judge(s, values)
        return bool(found)

    def _judge(self, event: str) -> Callable[[Position, tuple[Value, ...]], bool]:
        """The test of an event's rules alone, without reasons: what `failures` says, sooner."""
        known = self.setup.rules.events[event]
        if self.record or self.without or self.needs.invariants:
            return lambda s, values: next(self.failures(s, event, values), None) is None
        names = [p for p, _ in known.params]
        pieces = [i for i, (_, t) in enumerate(known.params) if isinstance(t, PieceT)]
        func = self.evaluator.func
        made = [
            (
                r.slot,
                None if r.cond is None else func(r.cond),
                None if r.need is None else func(r.need),
            )
            for r in known.rules
        ]

        def judge(s: Position, values: tuple[Value, ...]) -> bool:
            for i in pieces:
                if values[i] is None:
                    return False
            env = dict(zip(names, values, strict=True))
            for slot, cond, need in made:
                if slot is not None:
                    for extension, bound in self.extensions(
                        s, "rules", event, slot, known.params, values
                    ):
                        inner = {**env, **bound}
                        for rule in extension.rules:
                            if rule.cond is not None and not func(rule.cond)(s, inner):
                                continue
                            assert rule.need is not None
                            if not func(rule.need)(s, inner):
                                self.fired.add(extension.clause)
                                return False
                elif (cond is None or cond(s, env)) and not need(s, env):  # type: ignore[misc]
                    return False
            return True

        return judge

    def failures(
        self, s: Position, event: str, values: tuple[Value, ...], passed: set[str] | None = None
    ) -> Iterator[Failure]:
        """The requirements that do not hold, in order; `passed` is given the sentences that had something to say of the event and let it pass."""
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
            if rule.slot:
                if self.gone(rule.clause):
                    continue
                for extension, bound in self.extensions(
                    s, "rules", event, rule.slot, known.params, values
                ):
                    for inner in extension.rules:
                        yield from self._rule(
                            s,
                            inner,
                            {**env, **bound},
                            extension.clause,
                            (inner.clause, extension.pattern),
                            passed,
                        )
                continue
            yield from self._rule(s, rule, dict(env), "")
        if self.needs.invariants:
            later = self.supposing(s, event, values)
            for invariant in self.needs.invariants:
                yield from self._rule(later, invariant, dict(env), "")

    def broken(self, s: Position, event: str, values: tuple[Value, ...]) -> bool:
        """Would the event leave a position that an invariant does not allow?"""
        later = self.supposing(s, event, values)
        env = dict(zip([p for p, _ in self.setup.rules.events[event].params], values, strict=True))
        return any(
            True
            for invariant in self.needs.invariants
            for _ in self._rule(later, invariant, dict(env), "")
        )

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
        func, judged = (
            self.evaluator.func,
            tuple(env.items()),
        )  # judging binds further names, which a reason must not take for the event's
        if rule.cond is not None and not func(rule.cond)(s, env):
            return
        assert rule.need is not None
        if not func(rule.need)(s, env):
            self.fired.add(clause)
            if source:
                rule = Rule(rule.label, rule.need, rule.cond, source)
            assert rule.need is not None
            inside = tuple(f.rule.clause for _, f in self.within(s, rule.need, dict(judged)))
            yield Failure(rule, judged, also + inside)
        elif passed is not None:
            passed.add(clause)

    def within(self, s: Position, need: core.Expr, env: Env) -> Iterator[tuple[Position, Failure]]:
        """What stands against the events that a condition asks about by `can`, each with the position it was judged in."""
        for part in need.of if isinstance(need, core.All) else (need,):
            if isinstance(part, core.At) and part.mode == "supposing" and part.event is not None:
                later = self.supposing(
                    s, part.event, tuple(self.evaluator.value(a, s, env) for a in part.args)
                )
                yield from self.within(later, part.body, env)
            elif isinstance(part, core.Accepts):
                values = tuple(self.evaluator.value(a, s, env) for a in part.args)
                yield from ((s, failure) for failure in self.failures(s, part.event, values))

    def supposing(self, s: Position, event: str, values: tuple[Value, ...]) -> Position:
        """The position the event would leave: its own effects only, no reactions."""
        key = ("supposing", event, values)
        found = s.memo(0).get(key)
        if found is None:
            assert self.machine is not None
            later = s.copy()
            self.machine.perform_only(later, event, values)
            found = s.memo(0)[key] = later
        return found

    def holds(self, s: Position, expr: core.Expr, env: Env | None = None) -> bool:
        """Is the condition so?"""
        return bool(self.evaluator.func(expr)(s, dict(env or {})))

    def func(self, expr: core.Expr) -> Func:
        """The function of an expression."""
        return self.evaluator.func(expr)
