"""Definitions as functions: the value of the first case that holds, cards' cases among them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TypeAlias

from interpreter.engine.additions import Additions, Values
from interpreter.engine.noted import Noted
from interpreter.evaluator.expressions import Defined, Env, Func, Opened, scope_of
from interpreter.model.keeping import kept, settled
from interpreter.model.position import Position
from interpreter.model.values import Fault
from rulelang import core
from rulelang.builtins.record import NOTHING_READ, TILES
from rulelang.core.identity import IdentityMap
from rulelang.core.types import PLAYER, KindT, PieceT, SiteT, Type
from rulelang.core.values import Value, nothing_of
from rulelang.ruleset import Case, Definition

Tried: TypeAlias = Callable[[Position, Env, Values], "tuple[Value] | None"]


@dataclass(frozen=True)
class _Case:
    """A case that can be worked out: its condition, if it has one, its value, its clause."""

    cond: Func | None
    value: Func
    place: tuple[str, int]


def _is_finite(t: Type) -> bool:
    return isinstance(t, KindT | PieceT | SiteT) or t == PLAYER


class Definitions:
    """The functions of one game's definitions."""

    def __init__(
        self, noted: Noted, func: Callable[[core.Expr], Func], additions: Additions
    ) -> None:
        """`func` gives the function of an expression that is part of a question."""
        self.noted, self.rules, self._func = noted, noted.setup.rules, func
        self._additions = additions
        self._made: dict[str, Defined] = {}
        self._cases: IdentityMap[Case, _Case] = IdentityMap()

    def function(self, name: str) -> Defined:
        """The function of a definition over its values; what is dear to find is kept."""
        made = self._made.get(name)
        if made is None:
            made = self._made[name] = self._function(self.rules.definitions[name])
        return made

    def opened(self, name: str) -> Opened | None:
        """What a definition says in its one case, if it is not worth keeping."""
        known = self.rules.definitions[name]
        only = known.cases[0]
        if (
            len(known.cases) > 1
            or only.cond is not None
            or only.value is None
            or self.noted.watched
            or self._read_by(known) is not None
        ):
            return None
        params = tuple(p for p, _ in known.params)
        return Opened(params, only.value, self.noted.place(known.clause))

    def _read_by(self, known: Definition) -> frozenset[str] | None:
        """What a definition reads, if what it gives is worth keeping."""
        if not self.noted.worth_keeping(known.cases):
            return None
        return self.noted.reads.of("define", known.name)

    def _function(self, known: Definition) -> Defined:
        found, read = self._single(known) or self._first(known), self._read_by(known)
        if read is None:
            return found
        if read <= self._still and all(_is_finite(t) for _, t in known.params):
            return self.noted.kept(settled, found)
        return self.noted.kept(partial(kept, self.noted.setup.memo_keys.own(read)), found)

    @cached_property
    def _still(self) -> frozenset[str]:
        """What never changes: the cells of boards, if none of them grows."""
        grows = any(board.grown_from is not None for board in self.rules.boards.values())
        return NOTHING_READ if grows else TILES

    def _single(self, known: Definition) -> Defined | None:
        """The function of a definition that has one case, which always holds."""
        only = known.cases[0]
        if len(known.cases) > 1 or only.cond is not None or only.slot or self.noted.watched:
            return None
        assert only.value is not None
        scope, body = scope_of(known.params), self._func(only.value)
        place = self.noted.place(known.clause)

        def single(s: Position, values: Values) -> Value:
            try:
                return body(s, scope(values))
            except Fault as fault:
                raise fault.within(*place) from None

        return single

    def _plain_cases(self, known: Definition) -> Defined:
        """The value of the first case that holds, where no card adds any."""
        scope, nothing = scope_of(known.params), nothing_of(known.type)
        cases = [(c.cond, c.value, c.place) for c in map(self._case, known.cases)]

        def first(s: Position, values: Values) -> Value:
            env = scope(values)
            for cond, value, place in cases:
                try:
                    if cond is None or cond(s, env):
                        return value(s, env)
                except Fault as fault:
                    raise fault.within(*place) from None
            return nothing

        return first

    def _first(self, known: Definition) -> Defined:
        """The value of the first case that holds; of none, nothing of its type."""
        if not self.noted.watched and not any(case.slot for case in known.cases):
            return self._plain_cases(known)
        noted, nothing, scope = self.noted, nothing_of(known.type), scope_of(known.params)
        cases = [
            self._added(known, case) if case.slot else self._tried(case)
            for case in known.cases
            if case.slot or case.clause not in noted.without or case.clause == known.clause
        ]

        def first(s: Position, values: Values) -> Value:
            noted.touch(known.clause)
            env = scope(values)
            for case in cases:
                found = case(s, env, values)
                if found is not None:
                    return found[0]
            return nothing

        return first

    def _tried(self, case: Case) -> Tried:
        noted, record, made = self.noted, self.noted.record, self._case(case)
        cond, value, place = made.cond, made.value, made.place

        def tried(s: Position, env: Env, values: Values) -> tuple[Value] | None:
            if record and case.clause:
                noted.touched.add(case.clause)
            try:
                return (value(s, env),) if cond is None or cond(s, env) else None
            except Fault as fault:
                raise fault.within(*place) from None

        return tried

    def _case(self, case: Case) -> _Case:
        assert case.value is not None
        return self._cases.get(case) or self._cases.keep(
            case,
            _Case(
                None if case.cond is None else self._func(case.cond),
                self._func(case.value),
                self.noted.place(case.clause),
            ),
        )

    def _added(self, known: Definition, case: Case) -> Tried:
        """The value of the first case that a card adds in this slot, if one holds."""
        noted = self.noted
        adding = self._additions.to("define", known.name, case.slot or "", known.params)
        made: IdentityMap[object, list[Tried]] = IdentityMap()

        def added(s: Position, env: Env, values: Values) -> tuple[Value] | None:
            if noted.watched and noted.gone(case.clause):
                return None
            for extension, bound in adding(s, values):
                inner = {**env, **bound}
                tried = made.get(extension) or made.keep(
                    extension, [self._tried(one) for one in extension.cases]
                )
                for one in tried:
                    found = one(s, inner, values)
                    if found is not None:
                        noted.fired.add(extension.clause)
                        if noted.record:
                            noted.touched.add(extension.clause)
                        return found
            return None

        return added
