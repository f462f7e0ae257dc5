"""Looking ahead: what a choice may be made from, and whether what follows can be completed.

Only as far as nothing changes the position: beyond that nothing is foreseen. Each place in a body
is made into a function once; what is dear to find is kept while nothing that it reads changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from interpreter.engine.clauses import Rules
from interpreter.engine.foresight import Foresight, pieces_among
from interpreter.engine.walker import CHANGES, Place, Walker
from interpreter.evaluator.expressions import Env
from interpreter.model.keeping import kept
from interpreter.model.memo import ANY_CHANGE
from interpreter.model.position import Position
from interpreter.model.symmetry import distinct
from interpreter.model.values import Fault
from rulelang import core
from rulelang.core.identity import IdentityMap
from rulelang.core.types import PieceT, Type
from rulelang.core.values import Value, members, number, ordered
from rulelang.ruleset import Event

T = TypeVar("T")
Found: TypeAlias = Callable[[Position, Env], T]
Domain: TypeAlias = Found[tuple[Value, ...]]
Completion: TypeAlias = Found[bool]
_DEEP = 40  # procedures within procedures that are looked into
_NOTHING = object()


@dataclass(frozen=True)
class _Choice:
    """A choice of one: what it is made from, and of which members the rest can be completed."""

    name: str
    domain: Domain
    pieces: bool
    settled: Completion | None  # what holds or fails whatever is chosen, if it is asked before
    rest: Completion  # of a named member, where that holds
    whole: Completion  # of a named member, whatever holds

    def options(self, s: Position, env: Env) -> Iterator[Value]:
        """The members from which the rest can be completed, in the stable order."""
        rest = self.whole
        if self.settled is not None:
            try:
                if not self.settled(s, env):
                    return
                rest = self.rest
            except Fault:  # where there is nothing to choose from nobody comes to it
                pass
        found, inner = self.domain(s, env), dict(env)
        for item in distinct(s, found) if self.pieces else found:
            inner[self.name] = item
            if rest(s, inner):
                yield item


class Lookahead:
    """Tells which members, actions and ends can still be reached from a position."""

    def __init__(self, rules: Rules) -> None:
        """The rules judge what is met."""
        self.rules, self.setup, self.walker = rules, rules.setup, Walker(rules)
        self.foresight = Foresight(rules, rules.requirements)
        self._domains: IdentityMap[core.Choose, Domain] = IdentityMap()
        self._choices: dict[int, IdentityMap[core.Body, _Choice]] = {}
        self._completions: dict[int, IdentityMap[core.Body, Completion]] = {}
        self._deep = 0

    # ------------------------------------------------------------------------------------- members
    def members(self, s: Position, env: Env, stmt: core.Choose) -> tuple[Value, ...]:
        """The members of a choice's domain that meet its filter, in the stable order."""
        return self._domain(stmt)(s, env)

    def _domain(self, stmt: core.Choose) -> Domain:
        return self._domains.get(stmt) or self._domains.keep(
            stmt, self._kept(self._filtered(stmt), (stmt.domain, stmt.cond))
        )

    def _filtered(self, stmt: core.Choose) -> Domain:
        domain, cond, name = self._question(stmt.domain), self._question(stmt.cond), stmt.var

        def filtered(s: Position, env: Env) -> tuple[Value, ...]:
            found, inner = [], dict(env)
            for item in ordered(members(domain(s, env))):
                inner[name] = item
                if cond(s, inner):
                    found.append(item)
            return tuple(found)

        return filtered

    def _question(self, expr: core.Expr) -> Found[Value]:
        """The function of an expression; a question of its own if it looks through anything."""
        if self.foresight.is_plain(expr):
            return self.rules.evaluator.func(expr)
        return self.rules.func(expr)

    def _kept(self, find: Found[T], used: object) -> Found[T]:
        """The same function; what is dear to find is kept, by the names that it speaks of."""
        sources = self.foresight.sources(used)
        if sources is None:
            return find
        names = self.foresight.names(used)
        return kept(self.setup.memo_keys.own(sources), find, lambda env: tuple(map(env.get, names)))

    def distinct(self, s: Position, items: Iterable[Value], item: Type) -> Iterator[Value]:
        """Of equal pieces in the same unordered public place only the first."""
        return distinct(s, items) if isinstance(item, PieceT) else iter(items)

    def candidates(self, s: Position, env: Env, stmt: core.Choose) -> Iterator[Value]:
        """The members of a choice, of pieces that nothing tells apart only the first."""
        return self.distinct(s, self.members(s, env, stmt), stmt.item)

    # ---------------------------------------------------------------------------------- completion
    def offered(self, s: Position, name: str, player: int) -> bool:
        """Does the action's guard hold, and can it be completed as far as can be foreseen?"""
        procedure = self.setup.rules.procedures[name]
        if procedure.clause in self.rules.without:
            return False
        key, memo = ("offered", name, player), s.memo(ANY_CHANGE)
        found = memo.get(key) if self.rules.keeps else None
        if found is None:
            place = self.walker.procedure(name, (player,))
            guard = procedure.guard is None or self.rules.holds(s, procedure.guard, place.scope)
            found = memo[key] = guard and self.viable(s, place)
        return bool(found)

    def viable(self, s: Position, place: Place) -> bool:
        """Can a body be completed from here, as far as nothing changes the position?

        Then its choices have options, and the event it comes to is accepted.
        """
        return self._completion(place.body, place.pc)(s, place.scope)

    def options(self, s: Position, place: Place) -> Iterator[Value]:
        """The options of the choice of one at this place, made one at a time."""
        return self._choice(place.body, place.pc).options(s, place.scope)

    def _completion(self, body: core.Body, pc: int) -> Completion:
        known = self._completions.setdefault(pc, IdentityMap())
        made = known.get(body)
        if made is None:
            made = self._made(body, pc)
            if self.foresight.chooses(body, pc):
                made = self._kept(made, self.foresight.used(body, pc))
            known.keep(body, made)
        return made

    def _made(self, body: core.Body, pc: int) -> Completion:
        """The answer to `viable`: from statement to statement as the walker goes."""
        if pc >= len(body):
            return _always
        stmt = body[pc]
        if stmt.clause is not None and stmt.clause in self.rules.without:
            return self._completion(body, pc + 1)
        if isinstance(stmt, core.Let):
            return self._named(stmt, self._completion(body, pc + 1))
        if isinstance(stmt, core.If):
            return self._branch(stmt, body, pc)
        if isinstance(stmt, core.Do):
            known = self.setup.rules.events.get(stmt.target)
            return self._called(stmt) if known is None else self._proposed(stmt, known)
        if isinstance(stmt, core.Choose):
            return self._answerable(stmt, body, pc)
        assert isinstance(stmt, (core.Take, core.May, *CHANGES)), stmt
        return _always

    def _named(self, stmt: core.Let, rest: Completion) -> Completion:
        value, name = self._question(stmt.value), stmt.var
        return lambda s, env: rest(s, {**env, name: value(s, env)})

    def _branch(self, stmt: core.If, body: core.Body, pc: int) -> Completion:
        cond = self._question(stmt.cond)
        then, other = (
            self._completion(branch, 0) if branch else self._completion(body, pc + 1)
            for branch in (stmt.then, stmt.other)
        )
        return lambda s, env: then(s, env) if cond(s, env) else other(s, env)

    def _called(self, stmt: core.Do) -> Completion:
        """A procedure, which is looked into when it is come to: it may call itself."""
        known, args = self.setup.rules.procedures[stmt.target], self._values(stmt.args)
        names = [p for p, _ in known.params]

        def called(s: Position, env: Env) -> bool:
            scope = dict(zip(names, args(s, env), strict=True))
            if self._deep >= _DEEP:
                return True
            self._deep += 1
            try:
                return self._completion(known.body, 0)(s, scope)
            finally:
                self._deep -= 1

        return called

    def _values(self, args: Iterable[core.Expr]) -> Found[tuple[Value, ...]]:
        made = [self._question(a) for a in args]
        if len(made) == 1:
            one = made[0]
            return lambda s, env: (one(s, env),)
        if len(made) == 2:
            a, b = made
            return lambda s, env: (a(s, env), b(s, env))
        return lambda s, env: tuple([f(s, env) for f in made])

    def _proposed(self, stmt: core.Do, event: Event) -> Completion:
        accepts, args = self.rules.accepting(event.name), self._values(stmt.args)
        return lambda s, env: accepts(s, args(s, env))

    def _answerable(self, stmt: core.Choose, body: core.Body, pc: int) -> Completion:
        """Has a choice an option from which the rest can be completed?"""
        if stmt.mode == "one":
            options = self._choice(body, pc).options
            return lambda s, env: next(options(s, env), _NOTHING) is not _NOTHING
        if stmt.low is None or stmt.mode == "order":
            return _always
        low, domain = self._question(stmt.low), self._domain(stmt)

        def enough(s: Position, env: Env) -> bool:
            wanted = number(low(s, env))
            return wanted <= 0 or len(domain(s, env)) >= wanted

        return enough

    # -------------------------------------------------------------------------------------- choices
    def _choice(self, body: core.Body, pc: int) -> _Choice:
        known = self._choices.setdefault(pc, IdentityMap())
        return known.get(body) or known.keep(body, self._one(body, pc))

    def _one(self, body: core.Body, pc: int) -> _Choice:
        stmt = body[pc]
        assert isinstance(stmt, core.Choose)
        domain, pieces = self._domain(stmt), isinstance(stmt.item, PieceT)
        after = body[pc + 1] if pc + 1 < len(body) else None
        event = self.setup.rules.events.get(after.target) if isinstance(after, core.Do) else None
        plain = self.rules.watched or not self.rules.keeps or self.rules.reads.invariants
        if event is None or plain:
            whole = self._completion(body, pc + 1)
            return _Choice(stmt.var, domain, pieces, None, whole, whole)
        assert isinstance(after, core.Do)
        requirements, args = self.rules.requirements, self._values(after.args)
        said = self.foresight.said(stmt, event, after.args)
        settled, free = self.foresight.settled(stmt, event, after.args, said)
        everything = requirements.numbers(event.name)
        whole = self._judged(event, everything - said, args)
        if not settled:
            return _Choice(stmt.var, domain, pieces, None, whole, whole)
        given = self._values(
            a if p in free else core.Const(None)
            for (p, _), a in zip(event.params, after.args, strict=True)
        )
        before = self.rules.asked(requirements.test(event.name, settled, pieces_among(event, free)))
        rest = self._judged(event, everything - said - settled, args)
        return _Choice(
            stmt.var, domain, pieces, lambda s, env: before(s, given(s, env)), rest, whole
        )

    def _judged(
        self, event: Event, rules: frozenset[int], args: Found[tuple[Value, ...]]
    ) -> Completion:
        """Do these rules of an event hold with the values of these arguments?"""
        if rules == self.rules.requirements.numbers(event.name):
            accepts = self.rules.accepting(event.name)
            return lambda s, env: accepts(s, args(s, env))
        judge = self.rules.asked(self.rules.requirements.some(event.name, rules))
        return lambda s, env: judge(s, args(s, env))


def _always(s: Position, env: Env) -> bool:
    return True
