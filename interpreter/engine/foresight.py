"""What a look ahead from a place in a body uses: which expressions, which names, which reads."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.engine.noted import Noted
from interpreter.engine.requirements import Requirements
from interpreter.evaluator.expressions import OF_PARTS
from rulelang import core
from rulelang.analysis.cost import names_in
from rulelang.core.types import PieceT
from rulelang.ruleset import Event, Rule
from rulelang.ruleset.inline import substituted

# What looks through nothing, whatever it is asked of; the rest counts as work.
_PLAIN = (
    core.Const
    | core.Var
    | core.Setting
    | core.Read
    | core.Attribute
    | core.Contents
    | core.Titled
    | core.Builtin
    | OF_PARTS
)


class Foresight:
    """Tells of the places of one game's bodies what a look ahead from them rests on."""

    def __init__(self, noted: Noted, requirements: Requirements) -> None:
        """What stands against an event is asked of its requirements."""
        self.noted, self.rules, self.requirements = noted, noted.setup.rules, requirements

    def is_plain(self, expr: core.Expr) -> bool:
        """Does it look through nothing, so that it need not be a question of its own?"""
        return all(isinstance(part, _PLAIN) for part in core.walk(expr))

    def sources(self, used: object) -> frozenset[str] | None:
        """What these read, if what they come to is worth keeping until one of it changes."""
        return self.noted.reads.all(used) if self.noted.worth_keeping(used) else None

    def names(self, used: object) -> tuple[str, ...]:
        """All names that these may speak of."""
        return tuple(sorted(core.free_names(used)))

    # ----------------------------------------------------------------------------- places in bodies
    def used(self, body: core.Body, pc: int) -> list[core.Expr]:
        """The expressions that may be worked out on the way from here."""
        return list(self._used(body, pc, frozenset()))

    def chooses(self, body: core.Body, pc: int) -> bool:
        """Does somebody choose on the way from here, so that many ways are looked at?"""
        return any(isinstance(stmt, core.Choose) for stmt in self._met(body, pc, frozenset()))

    def _met(self, body: core.Body, pc: int, within: frozenset[str]) -> Iterator[core.Stmt]:
        """The statements that may be met on the way from here, as far as is looked ahead."""
        for stmt in body[pc:]:
            yield stmt
            if isinstance(stmt, core.If):
                yield from self._met(stmt.then, 0, within)
                yield from self._met(stmt.other, 0, within)
            elif isinstance(stmt, core.Do):
                known = self.rules.procedures.get(stmt.target)
                if known is not None and stmt.target not in within:
                    yield from self._met(known.body, 0, within | {stmt.target})
                return
            elif not isinstance(stmt, core.Let | core.Choose):
                return

    def _used(self, body: core.Body, pc: int, within: frozenset[str]) -> Iterator[core.Expr]:
        for stmt in self._met(body, pc, within):
            if isinstance(stmt, core.Let):
                yield stmt.value
            elif isinstance(stmt, core.If):
                yield stmt.cond
            elif isinstance(stmt, core.Choose):
                yield from (stmt.domain, stmt.cond)
                if stmt.low is not None:
                    yield stmt.low
            elif isinstance(stmt, core.Do):
                yield from stmt.args
                if stmt.target in self.rules.events:
                    yield core.Accepts(stmt.target, stmt.args)

    # --------------------------------------------------------------------------- rules of a choice
    def said(self, stmt: core.Choose, event: Event, args: tuple[core.Expr, ...]) -> frozenset[int]:
        """The rules that only ask that what is chosen is one of those it is chosen from."""
        given = dict(zip([p for p, _ in event.params], args, strict=True))
        return frozenset(
            i for i, rule in enumerate(event.rules) if self._is_domain(rule, given, stmt)
        )

    def _is_domain(self, rule: Rule, given: dict[str, core.Expr], stmt: core.Choose) -> bool:
        need = rule.need
        if (
            rule.slot
            or not isinstance(need, core.Member)
            or not isinstance(need.item, core.Var)
            or given.get(need.item.name) != core.Var(stmt.var)
            or not self.requirements.calm(rule.cond)
        ):
            return False
        return stmt.var not in names_in(stmt.domain) and bool(
            substituted(need.of, given, self.rules) == stmt.domain
        )

    def settled(
        self, stmt: core.Choose, event: Event, args: tuple[core.Expr, ...], said: frozenset[int]
    ) -> tuple[frozenset[int], frozenset[str]]:
        """The rules that hold or fail whatever is chosen, and may be asked before; with the
        parameters that they may speak of.
        """
        free = frozenset(
            p for (p, _), a in zip(event.params, args, strict=True) if stmt.var not in names_in(a)
        )
        wanted = frozenset(
            i
            for i, rule in enumerate(event.rules)
            if not rule.slot and i not in said and names_in((rule.cond, rule.need)) <= free
        )
        if not wanted or not self.requirements.calm(stmt.domain, stmt.cond, args):
            return frozenset(), free
        return self.requirements.first(event.name, wanted, said), free


def pieces_among(event: Event, names: frozenset[str]) -> frozenset[int]:
    """The places of the parameters of these names that are pieces."""
    return frozenset(
        i for i, (name, t) in enumerate(event.params) if name in names and isinstance(t, PieceT)
    )
