"""A draw from what may be chosen that tests as few candidates as it can.

Candidates are drawn until one leads to no dead end, as the reference draws them: each option is as
likely as if all had been tested, and what is not drawn is not asked about.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from interpreter.native import bits, ir
from interpreter.native.builder import Builder
from interpreter.native.control import Control, Decision
from interpreter.native.expressions import Expressions, joined
from interpreter.native.families import Family
from interpreter.native.faults import parts_of
from interpreter.native.ir import Code, Ty, op
from interpreter.native.layout import MOST_OUTPUT
from interpreter.native.maximize import Maximizing
from interpreter.native.picking import leave_nth, stop_without
from interpreter.native.program import Scope, Stop
from interpreter.native.shared import Shared
from interpreter.native.values import Bits, Goal, Lowered, Members, Scalar
from rulelang import core
from rulelang.core.types import PieceT, SetT

Random = Callable[[Builder, Code], Code]


@dataclass(frozen=True)
class Offer:
    """A choice of one member: its candidates are the members that meet its own condition, and of
    them may be chosen from which the rest can be completed.
    """

    decision: Decision
    stmt: core.Choose
    rest: tuple[core.Expr, ...]

    @property
    def scope(self) -> Scope:
        """What is in scope; a fault outside what has a name is said to be nowhere."""
        return replace(self.decision.scope, clause="", line=0)


class Trying:
    """Writes the draws of one program, of those decisions where they pay."""

    def __init__(
        self,
        shared: Shared,
        control: Control,
        search: Maximizing | None,
        families: tuple[Mapping[int, Family], Mapping[int, ir.Function]],
        distinct: Callable[[Expressions, Bits], Bits],
    ) -> None:
        """`families` are the sets that are chosen from, by decision, and what finds them;
        `distinct` leaves of pieces that nothing tells apart only the first.
        """
        self.shared, self.program, self.control = shared, shared.program, control
        self.search, self.distinct = search, distinct
        self.families, self.filling = families
        self.held = self.program.buffer(8 * MOST_OUTPUT)
        self._nth: dict[int, ir.Function] = {}

    def drawn(self, offer: Offer, random: Random) -> ir.Function | None:
        """A function that draws an option; none where all are known as soon as some are."""
        d, searched = offer.decision, self._searched(offer)
        of_sets = isinstance(offer.stmt.item, SetT)
        if not (offer.rest or searched) or (of_sets and searched):
            return None
        function = ir.Function(f"drawn_{d.number}", (), (Ty.I64,))
        b = Builder(function)
        say = Expressions(self.shared, b)
        if of_sets:
            b.add(ir.Call(self.filling[d.number], (), ()))
            self._among(offer, self.families[d.number].members(b), say, random)
            return self._made(function)
        domain = say.members(offer.stmt.domain, offer.scope)
        if isinstance(domain, Bits):
            domain, left = self._candidates(offer, domain, say)
            if not left and not searched:
                return None
            self._of_bits(replace(offer, rest=left), domain, say, random)
            return self._made(function)
        if domain.loose:
            domain = say.fixed(offer.stmt.domain, offer.scope)
            assert isinstance(domain, Members)
        self._among(offer, domain, say, random)
        return self._made(function)

    def _made(self, function: ir.Function) -> ir.Function:
        self.program.module.functions.append(function)
        return function

    def _searched(self, offer: Offer) -> bool:
        return offer.decision.number in self.control.maximized

    # -------------------------------------------------------------------------------- candidates
    def _candidates(
        self, offer: Offer, domain: Bits, say: Expressions
    ) -> tuple[Bits, tuple[core.Expr, ...]]:
        """The candidates, without those that are known at once to lead to a dead end, and what is
        left to be asked of each.
        """
        var, scope = offer.stmt.var, offer.scope
        domain, left = say.narrowed(var, domain, parts_of(offer.stmt.cond), scope)
        if left:
            domain = bits.kept(say.b, say.tested(var, domain, left, scope))
        if isinstance(offer.stmt.item, PieceT):
            domain = bits.kept(say.b, self.distinct(say, domain))
        return say.narrowed(var, domain, offer.rest, scope)

    def _of_bits(self, offer: Offer, domain: Bits, say: Expressions, random: Random) -> None:
        """Draw from a set of indices."""
        b, words = say.b, [say.b.begin(word, "left") for word in domain.words]
        fits = self._fits(offer, lambda _, option: _index(option, domain.size))
        nth = self._nth_of(len(words))
        with b.loop() as again:
            left = tuple(map(ir.Get, words))
            total = b.keep(op("i32.wrap_i64", bits.count(Bits(left, domain.size))))
            stop_without(self.program, b, total, offer.decision.scope)
            (option,) = b.call(nth, *left, random(b, total))
            (fine,) = b.call(fits, option)
            with b.when(fine):
                b.leave(option)
            alone = bits.single(b.keep(op("i32.wrap_i64", option)), domain.size, len(words))
            for register, word in zip(words, alone.words, strict=True):
                b.set(register, op("i64.xor", ir.Get(register), word))
            b.jump(again)

    def _nth_of(self, words: int) -> ir.Function:
        """The so-many-th member of a set of so many words."""
        known = self._nth.get(words)
        if known is None:
            params = [ir.Register(Ty.I64, "word") for _ in range(words)]
            number = ir.Register(Ty.I64, "number")
            known = self.program.function(f"nth_of_{words}", [*params, number], [Ty.I64])
            self._nth[words] = known
            leave_nth(Builder(known), tuple(map(ir.Get, params)), number)
        return known

    def _among(self, offer: Offer, domain: Members, say: Expressions, random: Random) -> None:
        """Draw from members that are given one by one, which are listed first."""
        b, parts = say.b, parts_of(offer.stmt.cond)
        count, number = b.begin(ir.i32(0), "count"), b.begin(ir.i32(-1), "number")
        shapes: list[Lowered] = []

        def one(member: Lowered) -> None:
            shapes.append(member)
            b.set(number, op("i32.add", ir.Get(number), ir.i32(1)))
            value = member.code if isinstance(member, Scalar) else ir.Get(number)
            with b.block() as not_this:
                if parts:
                    inner = offer.scope.naming(offer.stmt.var, member)
                    say.branch(joined(parts), inner, Goal(not_this, False))
                with b.when(op("i32.ge_u", ir.Get(count), ir.i32(MOST_OUTPUT))):
                    self.program.stop(b, Stop.ELSEWHERE, offer.decision.scope)
                self._put(b, ir.Get(count), _wide(value))
                b.set(count, op("i32.add", ir.Get(count), ir.i32(1)))

        domain.each(one)
        fits = self._fits(offer, lambda b, option: self._member(offer, shapes[-1], option))
        with b.loop() as again:
            stop_without(self.program, b, ir.Get(count), offer.decision.scope)
            at = b.keep(op("i32.wrap_i64", random(b, ir.Get(count))))
            option = b.keep(self._at(at))
            (fine,) = b.call(fits, option)
            with b.when(fine):
                b.leave(option)
            b.set(count, op("i32.sub", ir.Get(count), ir.i32(1)))
            self._put(b, at, self._at(ir.Get(count)))
            b.jump(again)

    def _put(self, b: Builder, at: Code, value: Code) -> None:
        b.store("i64.store", op("i32.shl", at, ir.i32(3)), self.held, value)

    def _at(self, at: Code) -> Code:
        return ir.load("i64.load", op("i32.shl", at, ir.i32(3)), self.held)

    def _member(self, offer: Offer, like: Lowered, option: Code) -> Lowered:
        """The member that an option stands for, held like another one."""
        if not isinstance(like, Scalar):
            return self.families[offer.decision.number].row(op("i32.wrap_i64", option))
        wide = ir.ty_of(like.code) is Ty.I64
        code = option if wide else op("i32.wrap_i64", option)
        return Scalar(code, like.low, like.high)

    # -------------------------------------------------------------------------------- one of them
    def _fits(self, offer: Offer, member: Callable[[Builder, Code], Lowered]) -> ir.Function:
        """Does a candidate lead to no dead end, and keep what is maximized in reach?"""
        option = ir.Register(Ty.I64, "option")
        number = offer.decision.number
        function = self.program.function(f"fits_{number}", [option], [Ty.I32])
        b = Builder(function)
        if offer.rest:
            held = _held(b, member(b, ir.Get(option)))
            inner = offer.scope.naming(offer.stmt.var, held)
            with b.block() as fine:
                with b.block() as not_this:
                    goal = Goal(not_this, False)
                    Expressions(self.shared, b).branch(joined(offer.rest), inner, goal)
                    b.jump(fine)
                b.leave(ir.i32(0))
        if self._searched(offer):
            assert self.search is not None
            self.search.leave_unless_kept(b, ir.Get(option))
        b.leave(ir.i32(1))
        return function


def _held(b: Builder, member: Lowered) -> Lowered:
    """The same member in a form that may be used many times."""
    if isinstance(member, Scalar):
        return Scalar(b.keep(member.code), member.low, member.high)
    assert isinstance(member, Bits)
    return bits.kept(b, member)


def _index(option: Code, size: int) -> Scalar:
    return Scalar(op("i32.wrap_i64", option), 0, size - 1)


def _wide(value: Code) -> Code:
    return value if ir.ty_of(value) is Ty.I64 else op("i64.extend_i32_s", value)
