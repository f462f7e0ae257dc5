"""Control lowered: flow and procedures become parts, between which play may stop for a decision.

A part is run to its end without stopping. What is in scope across parts stands in slots of the
state, and so does the part to return to from a procedure: a procedure never runs within itself, so
it needs one frame only, and a state that is copied holds all that is needed to go on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from interpreter.native import bits, ir, wide
from interpreter.native.builder import Builder
from interpreter.native.effects import FLOW, Effects
from interpreter.native.expressions import MOST_KEPT, Expressions
from interpreter.native.ir import Code, op
from interpreter.native.layout import MOST_LISTED, Cell, Slot
from interpreter.native.program import Scope, Stop
from interpreter.native.shared import Shared, missing
from interpreter.native.simultaneous import DONE, Simultaneous
from interpreter.native.standing import (
    Best,
    Counted,
    Listed,
    Loop,
    LoopMembers,
    Member,
    OpenBlock,
    Parting,
    Rest,
    Stacks,
    Standing,
    Turns,
    While,
)
from interpreter.native.values import (
    Bits,
    Goal,
    Lowered,
    Members,
    Scalar,
    bits_of,
    constant,
    is_index,
    plain_scalar,
    set_element,
    size_of,
)
from rulelang import core
from rulelang.core.bounds import LARGEST, SMALLEST
from rulelang.core.types import NUMBER, PLAYER, TRUTH, ListT, SetT, Type, element
from rulelang.core.values import nothing_of

DECISIONS = core.Choose | core.Take | core.May
CLOSED = -2  # the decision of a search that has come to the end of its block


class Leave(NamedTuple):
    """How a loop is left: if code holds, or unless a condition does."""

    when: Callable[[Code], None]
    unless: Callable[[core.Expr, Scope], None]


@dataclass(frozen=True)
class Part:
    """Statements that are run without stopping, by a number that a state can hold."""

    number: int
    body: list[ir.Stmt] = field(default_factory=list)


@dataclass(frozen=True)
class Decision:
    """A place where play stops: the statement, what is in scope, where a choice leads.

    `body` and `pc` are the place in the rules, to look ahead from.
    """

    number: int
    stmt: DECISIONS
    body: core.Body
    pc: int
    scope: Scope
    next: Part
    standing: Standing
    slot: Slot | None = None
    enter: Mapping[str, Part] = field(default_factory=dict)
    """For each action, or for a yes, the part that begins with it."""

    @property
    def name(self) -> str:
        """What it is called."""
        match self.stmt:
            case core.Choose(var=var):
                return var.split("~")[0]
            case core.Take():
                return "action"
            case core.May():
                return "may"

    @property
    def sets(self) -> bool:
        """Is one set chosen from a family?"""
        stmt = self.stmt
        return isinstance(stmt, core.Choose) and stmt.mode == "one" and isinstance(stmt.item, SetT)

    @property
    def several(self) -> bool:
        """Are several members chosen together?"""
        return isinstance(self.stmt, core.Choose) and self.stmt.mode != "one"

    @property
    def ordered(self) -> bool:
        """Are all members put in an order?"""
        return isinstance(self.stmt, core.Choose) and self.stmt.mode == "order"


@dataclass(frozen=True)
class Region:
    """A block that is maximized, and what is in scope where it begins."""

    stmt: core.Maximize
    scope: Scope


@dataclass
class Frame:
    """A procedure that may stop: where it begins, its parameters, and where to return to."""

    begin: Part
    params: tuple[Slot, ...]
    back: int
    given: Slot | None = None  # where it stands what the procedure gives


class Giving(NamedTuple):
    """How a procedure gives its result: where that is put, and the end of one that is in place."""

    slot: Slot | None
    done: ir.Label | None


class Control:
    """Lowers the flow of a program into one function that runs from part to part."""

    def __init__(self, shared: Shared) -> None:
        """The function is whole once `written` was called."""
        self.shared, self.program = shared, shared.program
        self.layout, self.ruleset = shared.program.layout, shared.program.ruleset
        self.part = ir.Register(ir.Ty.I32, "part")
        self.run = self.program.function("run", [self.part], [])
        self.after = self.program.function("after_change", [], [])
        self.again = ir.Label("dispatch")
        self.b = Builder(self.run)
        self.effects = Effects(shared, self.b)
        self.say: Expressions = self.effects.say
        self.simultaneous = Simultaneous(self.program, self.run, shared.disclosing)
        self._in_branch = False
        self.numbered = self.program.engine.machine.numbered
        self._procedure = FLOW
        self._opened: list[OpenBlock] = []
        self._members: dict[str, LoopMembers] = {}
        self._returns: dict[int, Standing] = {}
        self._apart: LoopMembers | None = None  # of what players do at once, while it is written
        self.partings: list[Parting] = []
        self.parts: list[Part] = []
        self.decisions: list[Decision] = []
        self.regions: list[Region] = []
        self.maximized: frozenset[int] = frozenset()
        """The decisions that may be open within such a block."""
        self.region_at, self.goal_known, self.goal_at = 0, 0, 0  # in the state, once there is one
        self._within: set[int] = set()
        self.returns_to: list[tuple[str, Standing]] = []
        """The procedures that are entered, and where each goes back to."""
        self._frames: dict[str, Frame] = {}
        self._stops: dict[str, bool] = {}
        self._giving: Giving | None = None

    def written(self) -> None:
        """Write everything that the flow comes to."""
        self._enter(self._new())
        scope = Scope({}, self.ruleset.flow_clause)
        with self._running(FLOW, self.numbered.flow):
            self._body(self.ruleset.flow, scope)
        self.effects.end(FLOW, self.ruleset.flow_clause)
        self.b.leave()
        self.b.bodies = [self.run.body]
        labels = [ir.Label(f"part {part.number}") for part in self.parts]
        inner: list[ir.Stmt] = [ir.Switch(ir.Get(self.part), tuple(labels))]
        for label, part in zip(labels, self.parts, strict=True):
            inner = [ir.Block(label, inner), *part.body]
        self.b.add(ir.Loop(self.again, inner))
        after = Effects(self.shared, Builder(self.after))
        after.after_change()
        self.maximized = self._maximized()
        if self.regions and self.simultaneous.forks:
            raise missing("a search where players also decide at once", scope)

    def _maximized(self) -> frozenset[int]:
        """The decisions within blocks that are maximized, and within what is called there."""
        reached = set[str]()
        left: list[object] = [region.stmt.body for region in self.regions]
        while left:
            for node in core.walk(left.pop()):
                named = node.actions if isinstance(node, core.Take) else ()
                if isinstance(node, core.Do) and node.target in self.ruleset.procedures:
                    named = (node.target,)
                for name in set(named) - reached:
                    reached.add(name)
                    left.append(self.ruleset.procedures[name].body)
        called = {d.number for d in self.decisions if d.standing.procedure in reached}
        return frozenset(called | self._within)

    # -------------------------------------------------------------------------------- parts
    def _new(self) -> Part:
        made = Part(len(self.parts))
        self.parts.append(made)
        return made

    def _enter(self, part: Part) -> None:
        """What is written from now on stands in this part."""
        self.b.bodies = [part.body]

    def _go(self, part: Part) -> None:
        self._go_to(ir.i32(part.number))

    def _go_to(self, number: Code) -> None:
        self.b.set(self.part, number)
        self.b.jump(self.again)

    def _unless(self, cond: core.Expr, scope: Scope, other: Part) -> None:
        """Go to the other part unless the condition holds."""
        with self.b.block() as holds:
            self.say.branch(cond, scope, Goal(holds, True))
            self._go(other)

    # -------------------------------------------------------------------------------- standing
    @contextmanager
    def _running(self, procedure: str, body: int) -> Iterator[None]:
        """What is written meanwhile is the body of a procedure."""
        before = self._procedure, self._opened, self._apart
        self._procedure, self._opened, self._apart = procedure, [OpenBlock(body, 0)], None
        yield
        self._procedure, self._opened, self._apart = before

    @contextmanager
    def _block(self, part: str, loop: Loop = None, endless: bool = False) -> Iterator[None]:
        """What is written meanwhile is a body of the statement that is being written."""
        here = self._opened[-1]
        number = self.numbered.inside(here.body, here.pc, part)
        self._opened.append(OpenBlock(number, 0, loop, endless))
        yield
        self._opened.pop()

    def _standing(self, scope: Scope, done: bool) -> Standing:
        """Where play stands at the statement that is being written, or just after it."""
        *outer, last = self._opened
        blocks = [replace(block, pc=block.pc + 1) for block in outer]
        blocks.append(replace(last, pc=last.pc + int(done)))
        whole = set(scope.values) <= set(scope.slots)
        members = [self._members.setdefault(self._procedure, LoopMembers())]
        if self._apart is not None:
            members.append(self._apart)
        apart = self._apart is not None
        return Standing(
            self._procedure, tuple(blocks), dict(scope.slots), tuple(members), whole, apart
        )

    def stacks(self) -> Stacks:
        """Writes down stacks, once everything is written."""
        backs = {name: frame.back for name, frame in self._frames.items()}
        return Stacks(self.layout, self._returns, backs)

    def _member(self, name: str, t: Type) -> Slot:
        """The slot of a loop's member, which is noted to have been given."""
        known = self._loop_members.known
        if name not in known or known[name].slot.type != t:
            known[name] = Member(self.slot(t), self.layout.take(4))
        return known[name].slot

    @property
    def _loop_members(self) -> LoopMembers:
        """The members of loops of what is being written."""
        if self._apart is not None:
            return self._apart
        return self._members.setdefault(self._procedure, LoopMembers())

    @staticmethod
    def _forgotten(members: LoopMembers, part: Part) -> None:
        """A part begins with no member given."""
        for member in members.known.values():
            part.body.insert(0, ir.Store("i32.store", ir.i32(0), member.given, ir.i32(0)))

    def _give_member(self, name: str, value: Lowered, scope: Scope) -> None:
        """A loop's member has this value from now on."""
        member = self._loop_members.known[name]
        self.b.store("i32.store", ir.i32(0), member.given, ir.i32(1))
        self.put(member.slot, value, scope)

    # -------------------------------------------------------------------------------- slots
    def slot(self, t: Type) -> Slot:
        """A new place for values of a type."""
        cell = self.layout.cell(t)
        return Slot(self.layout.take(cell.bytes), t, cell)

    def put(self, slot: Slot, value: Lowered, scope: Scope) -> None:
        """Write a value into its slot."""
        if isinstance(value, Members) and slot.cell.listed:
            self._put_listed(slot, value, scope)
        elif isinstance(value, Members) and slot.cell.numbers:
            numbers = self.shared.numbers
            numbers.store(self.b, value, ir.i32(0), slot.offset, slot.cell, scope)
        elif isinstance(value, Bits) and slot.cell.words:
            bits.store(self.b, bits.kept(self.b, value), ir.i32(0), slot.offset)
        elif isinstance(value, Scalar) and ir.ty_of(value.code) is slot.cell.ty:
            self.b.store(slot.cell.store, ir.i32(0), slot.offset, value.code)
        else:
            raise missing(f"a value of the type {slot.type} that is kept", scope)

    def _put_listed(self, slot: Slot, value: Members, scope: Scope) -> None:
        """Write a list into its slot; nothing is left of what stood behind it."""
        b, size = self.b, slot.cell.bytes
        b.add(ir.Fill(ir.i32(slot.offset), ir.i32(0), ir.i32(size)))
        count = b.begin(ir.i32(0), "count")

        def keep(one: Lowered) -> None:
            assert isinstance(one, Scalar)
            with b.when(op("i32.ge_u", ir.Get(count), ir.i32(MOST_LISTED))):
                self.program.stop(b, Stop.ELSEWHERE, scope)
            b.set(count, op("i32.add", ir.Get(count), ir.i32(1)))
            b.store("i32.store16", op("i32.shl", ir.Get(count), ir.i32(1)), slot.offset, one.code)

        value.each(keep)
        b.store("i32.store16", ir.i32(0), slot.offset, ir.Get(count))

    def got(self, slot: Slot) -> Lowered:
        """The value in a slot, whenever it is used."""
        item = element(slot.type)
        if slot.cell.numbers:
            return self.shared.numbers.stored(self.b, ir.i32(0), slot.offset)
        if slot.cell.listed and item is not None:
            return wide.listed(self.b, slot.offset, size_of(self.program.setup, item))
        if slot.cell.words:
            assert item is not None
            size = size_of(self.program.setup, item)
            return bits.load(ir.i32(0), slot.cell.words, size, slot.offset)
        code = ir.load(slot.cell.load, ir.i32(0), slot.offset)
        found = plain_scalar(self.program.setup, slot.type, code)
        if slot.type == PLAYER:  # a loop's member, or a value that was checked when it was put
            return Scalar(code, found.low, self.program.setup.players - 1)
        return found

    def _named(self, name: str, t: Type, value: Lowered, scope: Scope) -> Scope:
        """The scope with a name whose value stands in a slot."""
        slot = self.slot(t)
        self.put(slot, value, scope)
        return scope.keeping(name, self.got(slot), slot)

    # -------------------------------------------------------------------------------- stopping
    def stops(self, item: object) -> bool:
        """May anything in these statements ask somebody, or call what does?"""
        for node in core.walk(item):
            if isinstance(node, core.Choose | core.Take | core.May | core.Maximize):
                return True
            if isinstance(node, core.ForEach) and node.by is not None:
                return True
            if isinstance(node, core.Each) and node.mode != "in turn":
                return True
            if isinstance(node, core.Do) and self._procedure_stops(node.target):
                return True
        return False

    def _procedure_stops(self, name: str) -> bool:
        if name not in self.ruleset.procedures:
            return False
        if name not in self._stops:
            self._stops[name] = self.stops(self.ruleset.procedures[name].body)
        return self._stops[name]

    # -------------------------------------------------------------------------------- statements
    def _body(self, body: core.Body, scope: Scope) -> Scope:
        """Statements one after the other; gives the scope after them."""
        for pc, stmt in enumerate(body):
            self._opened[-1] = replace(self._opened[-1], pc=pc)
            inner = scope.within("", stmt.span.line) if stmt.span.line else scope
            self.b.note(f"{inner.clause}, line {inner.line}" if inner.line else inner.clause)
            self.shared.disclosing.by(self.b, stmt, inner)
            if isinstance(stmt, core.Choose | core.Take | core.May):
                scope = self._decide(body, pc, stmt, inner)
                continue
            self.program.step(self.b, inner)
            self.shared.marks.clause(self.b, stmt.clause)
            scope = self._stmt(stmt, inner)
            self._look_around()
        return scope

    def _look_around(self) -> None:
        """Ends and latches, if something has changed."""
        b, dirty = self.b, self.layout.dirty
        with b.when(ir.load("i32.load", ir.i32(0), dirty)):
            b.store("i32.store", ir.i32(0), dirty, ir.i32(0))
            b.call(self.after)
        self._leave_if_over()

    def _leave_if_over(self) -> None:
        with self.b.when(ir.load("i32.load", ir.i32(0), self.layout.ended)):
            self.b.leave()

    def _stmt(self, stmt: core.Stmt, scope: Scope) -> Scope:
        """A statement that is no decision itself; gives the scope after it."""
        match stmt:
            case core.If():
                self._if(stmt, scope)
            case core.ForEach():
                self._for_each(stmt, scope)
            case core.Repeat():
                self._repeat(stmt, scope)
            case core.Each():
                self._each(stmt, scope)
            case core.Do() if stmt.target in self.ruleset.procedures:
                return self._call(stmt, scope)
            case core.Let() if self._crossed:
                value = self.effects.settled(stmt.value, scope)
                return self._named(stmt.var, stmt.value.type, value, scope)
            case core.Chance() if self._crossed:
                named = self.effects.perform(stmt, scope)
                item = core.types.element(stmt.of.type) or stmt.of.type
                t = item if item == NUMBER else core.types.OptionalT(item)
                return self._named(stmt.var, t, named.values[stmt.var], scope)
            case core.Maximize():
                self._maximize(stmt, scope)
            case core.Give():
                self._give(stmt, scope)
            case _:
                return self.effects.perform(stmt, scope)
        return scope

    @property
    def _crossed(self) -> bool:
        """Is this the outermost body of a part, whose names may be used in others?"""
        return len(self.b.bodies) == 1

    def _if(self, stmt: core.If, scope: Scope) -> None:
        if not self.stops(stmt):
            with self.b.block() as done:
                with self.b.block() as other:
                    self.say.branch(stmt.cond, scope, Goal(other, False))
                    self._inner("then", stmt.then, scope)
                    self.b.jump(done)
                self._inner("other", stmt.other, scope)
            return
        contrary, after = self._new(), self._new()
        self._unless(stmt.cond, scope, contrary)
        self._inner("then", stmt.then, scope)
        self._go(after)
        self._enter(contrary)
        self._inner("other", stmt.other, scope)
        self._go(after)
        self._enter(after)

    def _inner(self, part: str, body: core.Body, scope: Scope) -> None:
        """A body of the statement that is being written."""
        with self._block(part):
            self._body(body, scope)

    def _maximize(self, stmt: core.Maximize, scope: Scope) -> None:
        """A block of which only the best runs are legal: which is open stands in the state."""
        if stmt.aside or self._in_branch or len(self.b.bodies) > 1:
            raise missing("a block that is maximized here, or with actions aside", scope)
        if not core.free_names((stmt.value, stmt.bound)) <= set(scope.slots):
            raise missing("what is maximized depends on what is not kept", scope)
        b, layout = self.b, self.layout
        if not self.regions:
            self.region_at, self.goal_known = layout.take(4), layout.take(4)
            self.goal_at = layout.take(8)
        self.regions.append(Region(stmt, scope))
        with b.when(ir.load("i32.load", ir.i32(0), self.region_at)):
            self.program.stop(b, Stop.ELSEWHERE, scope)
        b.store("i32.store", ir.i32(0), self.region_at, ir.i32(len(self.regions)))
        b.store("i32.store", ir.i32(0), self.goal_known, ir.i32(0))
        first = len(self.decisions)
        here = self._opened[-1]
        inside = self.numbered.inside(here.body, here.pc, "body")
        with self._block("body", Best(inside, len(self.regions), self.region_at)):
            self._body(stmt.body, scope)
        procedure = self._procedure
        mine = (d.number for d in self.decisions[first:] if d.standing.procedure == procedure)
        self._within |= set(mine)
        with b.when(ir.Get(self.program.searching)):
            b.store("i32.store", ir.i32(0), layout.point, ir.i32(CLOSED))
            b.leave()
        for at in (self.region_at, self.goal_known):
            b.store("i32.store", ir.i32(0), at, ir.i32(0))
        b.store("i64.store", ir.i32(0), self.goal_at, ir.i64(0))

    def back_of(self, procedure: str) -> int:
        """Where it stands in the state to which part a procedure goes back; 0 of none."""
        return self._frames[procedure].back if procedure in self._frames else 0

    def number_slot(self, at: int) -> Slot:
        """A number of four bytes as a slot."""
        return Slot(at, PLAYER, Cell(4))

    # -------------------------------------------------------------------------------- loops
    def _rounds(
        self,
        body: core.Body,
        scope: Scope,
        ahead: Callable[[bool, Scope, Leave], Scope],
        loop: Loop = None,
    ) -> None:
        """A body again and again, in parts if it may stop.

        `ahead` writes what is done before a round, the first or another, and gives its scope; what
        fails at the end of a round is said to be in the body's last line.
        """
        last = scope.within("", body[-1].span.line) if body else scope
        if self.stops(body):
            start, done = self._new(), self._new()
            out = Leave(lambda cond: self._go_if(cond, done), lambda e, s: self._unless(e, s, done))
            inner = ahead(True, scope, out)
            self.program.step(self.b, scope)
            self._go(start)
            self._enter(start)
            with self._block("body", loop, loop is None):
                self._body(body, inner)
            ahead(False, last, out)
            self.program.step(self.b, last)
            self._go(start)
            self._enter(done)
            return
        with self.b.block() as end:
            out = Leave(
                lambda cond: self.b.jump(end, cond),
                lambda e, s: self.say.branch(e, s, Goal(end, False)),
            )
            inner = ahead(True, scope, out)
            self.program.step(self.b, scope)
            with self.b.loop() as again:
                self._inner("body", body, inner)
                ahead(False, last, out)
                self.program.step(self.b, last)
                self.b.jump(again)

    def _go_if(self, cond: Code, part: Part) -> None:
        with self.b.when(cond):
            self._go(part)

    def _for_each(self, stmt: core.ForEach, scope: Scope) -> None:
        """The members that are left stand in a slot."""
        if stmt.by is not None:
            raise missing("a loop in an order that a player chooses", scope)
        domain, item = self.say.fixed(stmt.domain, scope), element(stmt.domain.type)
        if not isinstance(domain, Bits) or item is None:
            self._for_each_listed(stmt, domain, scope)
            return
        left, member = self.slot(SetT(item)), self._member(stmt.var, item)
        self.put(left, domain, scope)

        def ahead(begins: bool, here: Scope, out: Leave) -> Scope:
            rest = self.got(left)
            assert isinstance(rest, Bits)
            rest = bits.kept(self.b, rest)
            out.when(ir.negated(bits.some(rest)))
            first = Scalar(self.b.keep(bits.first(rest)), 0, rest.size - 1)
            self._give_member(stmt.var, first, here)
            one = bits.single(first.code, rest.size, len(rest.words))
            self.put(left, bits.without(rest, one), here)
            return scope.keeping(stmt.var, self.got(member), member)

        self._rounds(stmt.body, scope, ahead, Rest(stmt.var, left))

    def _for_each_listed(self, stmt: core.ForEach, domain: Bits | Members, scope: Scope) -> None:
        """A loop over members that are no bits."""
        if self.stops(stmt.body):
            self._for_each_stored(stmt, domain, scope)
            return
        last = scope.within("", stmt.body[-1].span.line) if stmt.body else scope
        begins = self.b.begin(ir.i32(1), "begins")
        item = element(stmt.domain.type)
        known = item is not None and (is_index(item) or item == NUMBER or set_element(item))
        kept = self._member(stmt.var, item) if item is not None and known else None

        def one(member: Lowered) -> None:
            self.program.step(self.b, last, (ir.Get(begins), scope))
            self.b.set(begins, ir.i32(0))
            if kept is not None:
                self._give_member(stmt.var, member, scope)
            self._inner("body", stmt.body, scope.naming(stmt.var, member))

        self.say.each(domain, one)

    def _for_each_stored(self, stmt: core.ForEach, domain: Bits | Members, scope: Scope) -> None:
        """A loop with decisions over a list of indices, which stands in the state meanwhile."""
        item = element(stmt.domain.type)
        if (
            not isinstance(domain, Members)
            or item is None
            or not (is_index(item) or item == NUMBER)
        ):
            raise missing(f"a loop with decisions over a {stmt.domain.type}", scope)
        if domain.most > MOST_KEPT:
            raise missing("a loop with decisions over so many members", scope)
        at, member = self.layout.take(8 * max(1, domain.most)), self._member(stmt.var, item)
        count, place = self.slot(NUMBER), self.slot(NUMBER)
        b = self.b
        end = b.begin(ir.i32(0), "end")

        def keep(one: Lowered) -> None:
            assert isinstance(one, Scalar)
            b.store(f"{ir.ty_of(one.code).value}.store", ir.Get(end), at, one.code)
            b.set(end, op("i32.add", ir.Get(end), ir.i32(8)))

        domain.each(keep)
        b.store("i64.store", ir.i32(0), count.offset, op("i64.extend_i32_u", ir.Get(end)))
        b.store("i64.store", ir.i32(0), place.offset, ir.i64(0))

        def ahead(begins: bool, here: Scope, out: Leave) -> Scope:
            now = b.keep(ir.load("i64.load", ir.i32(0), place.offset))
            out.when(op("i64.ge_s", now, ir.load("i64.load", ir.i32(0), count.offset)))
            ty = ir.Ty.I64 if item == NUMBER else ir.Ty.I32
            held = b.keep(ir.load(f"{ty.value}.load", op("i32.wrap_i64", now), at))
            self._give_member(stmt.var, plain_scalar(self.program.setup, item, held), here)
            b.store("i64.store", ir.i32(0), place.offset, op("i64.add", now, ir.i64(8)))
            return scope.keeping(stmt.var, self.got(member), member)

        loop = Listed(stmt.var, at, item, place, count)
        self._rounds(stmt.body, scope, ahead, loop)

    def _repeat(self, stmt: core.Repeat, scope: Scope) -> None:
        """How many rounds are left stands in a slot."""
        left = self.slot(NUMBER) if stmt.times is not None else None

        def ahead(begins: bool, here: Scope, out: Leave) -> Scope:
            if left is not None and stmt.times is not None:
                if begins:
                    self.put(left, self.say.number(stmt.times, here), here)
                else:
                    self._count_down(left)
                out.when(op("i64.le_s", ir.load("i64.load", ir.i32(0), left.offset), ir.i64(0)))
            elif stmt.cond is not None:
                if not begins:
                    self.shared.disclosing.by(self.b, stmt, here)
                out.unless(stmt.cond, here)
            return scope

        here = self._opened[-1]
        loop: Loop = None if stmt.cond is None else While(here.body, here.pc)
        self._rounds(stmt.body, scope, ahead, loop if left is None else Counted(left))

    def _count_down(self, slot: Slot) -> None:
        fewer = op("i64.sub", ir.load("i64.load", ir.i32(0), slot.offset), ir.i64(1))
        self.b.store("i64.store", ir.i32(0), slot.offset, fewer)

    def _each(self, stmt: core.Each, scope: Scope) -> None:
        """The body for each player in turn: the player and how many are left stand in slots."""
        if stmt.mode != "in turn":
            self._at_once(stmt, scope)
            return
        b, players = self.b, self.program.setup.players
        player, left = self._member(stmt.var, PLAYER), self.slot(NUMBER)
        begun = ir.load(player.cell.load, ir.i32(0), player.offset)

        def ahead(begins: bool, here: Scope, out: Leave) -> Scope:
            if begins:
                self._give_member(stmt.var, self._starter(stmt, here), here)
                self.put(left, Scalar(ir.i64(players), players, players), here)
                return scope.keeping(stmt.var, self.got(player), player)
            self._count_down(left)
            out.when(op("i64.eqz", ir.load("i64.load", ir.i32(0), left.offset)))
            after = b.keep(op("i32.add", begun, ir.i32(1)))
            wrapped = ir.Select(op("i32.eq", after, ir.i32(players)), ir.i32(0), after)
            self.put(player, Scalar(wrapped, 0, players - 1), here)
            return scope

        self._rounds(stmt.body, scope, ahead, Turns(stmt.var, player, left))

    def _at_once(self, stmt: core.Each, scope: Scope) -> None:
        """Every player goes through the body in a branch of his own."""
        if self._in_branch:
            raise missing("players who decide at once within what they decide at once", scope)
        if stmt.open is not None and self.shared.faults.possible(stmt.open):
            raise missing("players who look on where that may be a fault", scope)
        if len(self.b.bodies) > 1:
            raise missing("players who decide at once in the middle of what is not split", scope)
        player, start, after = self.slot(PLAYER), self._new(), self._new()
        fork = self.simultaneous.fork(start.number, after.number, player.offset)
        self.b.add(ir.Call(self.simultaneous.branch_out, (ir.i32(fork),), ()))
        (joined,) = self.b.call(self.simultaneous.joined)
        self._go_if(joined, after)
        self.b.leave()
        self._enter(start)
        here = self._opened[-1]
        body = self.numbered.inside(here.body, here.pc, "body")
        self.partings.append(Parting(self._standing(scope, True), stmt.var, body))
        self._in_branch, outside = True, self._opened
        self._opened, self._apart = [OpenBlock(body, 0)], LoopMembers()
        self._body(stmt.body, scope.keeping(stmt.var, self.got(player), player))
        self._forgotten(self._apart, start)
        self._in_branch, self._opened, self._apart = False, outside, None
        self.b.store("i32.store", ir.i32(0), self.layout.point, ir.i32(DONE))
        self.b.leave()
        self._enter(after)
        self._leave_if_over()

    def _starter(self, stmt: core.Each, scope: Scope) -> Scalar:
        """The player with whom a loop in turn begins: of none the first."""
        players = self.program.setup.players
        if stmt.start is None:
            return Scalar(ir.i32(0), 0, 0)
        start = self.say.index(stmt.start, scope)
        number = op("i32.rem_u", start.code, ir.i32(players))
        none = op("i32.lt_s", start.code, ir.i32(0))
        return Scalar(ir.Select(none, ir.i32(0), number), 0, players - 1)

    # -------------------------------------------------------------------------------- procedures
    def _call(self, stmt: core.Do, scope: Scope) -> Scope:
        """A procedure: run in place if it asks nobody, else by its own parts."""
        known = self.ruleset.procedures[stmt.target]
        values = [self.effects.settled(arg, scope) for arg in stmt.args]
        if not self._procedure_stops(stmt.target):
            given = None if known.gives is None else self.slot(known.gives)
            inside = dict(zip([name for name, _ in known.params], values, strict=True))
            self.shared.marks.clause(self.b, known.clause)
            with ExitStack() as whole:
                if given is not None:
                    done = whole.enter_context(self.b.block("given"))
                    before, self._giving = self._giving, Giving(given, done)
                    self._give_nothing(given)
                whole.enter_context(
                    self._running(stmt.target, self.numbered.procedures[stmt.target])
                )
                self._body(known.body, scope.inside(known.clause, 0, inside))
            if given is not None:
                self._giving = before
        else:
            back, given = self._new(), self.frame(stmt.target).given
            self._open(stmt.target, values, back, scope, stmt.result or "")
            self._enter(back)
        if stmt.result is None or given is None:
            return scope
        kept = self.slot(given.type)
        self.put(kept, self.got(given), scope)
        return scope.keeping(stmt.result, self.got(kept), kept)

    def _give(self, stmt: core.Give, scope: Scope) -> None:
        """Give the procedure's result, and leave it."""
        giving = self._giving
        assert giving is not None
        if giving.slot is not None:
            self.put(giving.slot, self.effects.settled(stmt.value, scope), scope)
        if giving.done is not None:
            self.b.jump(giving.done)
        else:
            self._go_to(ir.load("i32.load", ir.i32(0), self._frames[self._procedure].back))

    def _give_nothing(self, slot: Slot | None) -> None:
        """What a procedure gives that comes to its end without giving anything."""
        if slot is not None:
            found = constant(self.program.setup, slot.type, nothing_of(slot.type))
            if found is None:
                raise missing(f"a procedure that gives a {slot.type}", Scope())
            self.put(slot, found, Scope())

    def _open(
        self, name: str, values: list[Lowered], back: Part, scope: Scope, result: str = ""
    ) -> None:
        """Go to the beginning of a procedure, and from its end to a part.

        `result` is what is called what it gives.
        """
        frame = self.frame(name)
        self.shared.marks.clause(self.b, self.ruleset.procedures[name].clause)
        self._returns[back.number] = replace(self._standing(scope, True), result=result)
        self.returns_to.append((name, self._returns[back.number]))
        for slot, value in zip(frame.params, values, strict=True):
            most = value.high if isinstance(value, Scalar) else 0
            if slot.type == PLAYER and most >= self.program.setup.players:
                assert isinstance(value, Scalar)
                absent = op("i32.ge_s", value.code, ir.i32(self.program.setup.players))
                with self.b.when(absent):  # a player who was named, and does not play
                    self.program.stop(self.b, Stop.ELSEWHERE, scope)
            self.put(slot, value, scope)
        self.b.store("i32.store", ir.i32(0), frame.back, ir.i32(back.number))
        self._go(frame.begin)

    def frame(self, name: str) -> Frame:
        """The frame of a procedure that may stop; it is written when it is first asked for."""
        found = self._frames.get(name)
        if found is not None:
            return found
        known = self.ruleset.procedures[name]
        params = tuple(self.slot(t) for _, t in known.params)
        given = None if known.gives is None else self.slot(known.gives)
        found = self._frames[name] = Frame(self._new(), params, self.layout.take(4), given)
        outside, giving = self.b.bodies, self._giving
        self._giving = Giving(given, None)
        self._enter(found.begin)
        slots = {n: slot for (n, _), slot in zip(known.params, params, strict=True)}
        values = {n: self.got(slot) for n, slot in slots.items()}
        self._give_nothing(given)
        with self._running(name, self.numbered.procedures[name]):
            self._body(known.body, Scope(values, known.clause, slots=slots))
        self._giving = giving
        self._forgotten(self._members.setdefault(name, LoopMembers()), found.begin)
        self._go_to(ir.load("i32.load", ir.i32(0), found.back))
        self.b.bodies = outside
        return found

    # -------------------------------------------------------------------------------- dispatch
    def by_decision(self, b: Builder, case: Callable[[Decision], None]) -> None:
        """What is done at the decision that is open; nothing else is done if there is none."""
        decisions = self.decisions
        labels = [ir.Label(f"decision {d.number}") for d in decisions]
        none = ir.Label("no decision")
        number = op("i32.sub", ir.load("i32.load", ir.i32(0), self.layout.point), ir.i32(1))
        body: list[ir.Stmt] = [ir.Switch(number, (*labels, none))]
        with b.block("all") as done:
            for label, decision in zip(labels, decisions, strict=True):
                stmts: list[ir.Stmt] = []
                with b.within(stmts):
                    case(decision)
                    b.jump(done)
                body = [ir.Block(label, body), *stmts]
            b.add(ir.Block(none, body))

    # -------------------------------------------------------------------------------- decisions
    def _decide(self, body: core.Body, pc: int, stmt: DECISIONS, scope: Scope) -> Scope:
        """Stop for a decision, and go on when it was taken; gives the scope after it."""
        if len(self.b.bodies) > 1:
            raise missing("a decision in the middle of what is not split", scope)
        self._somebody(stmt, scope)
        after = self._new()
        slot: Slot | None = None
        enter: dict[str, Part] = {}
        if isinstance(stmt, core.Choose):
            slot = self.slot(self._chosen(stmt, scope))
        elif isinstance(stmt, core.Take):
            enter = {name: self._action(name, stmt, after, scope) for name in stmt.actions}
        else:
            enter = {"yes": self._inside(stmt.body, after, scope)}
        standing = self._standing(scope, False)
        number = len(self.decisions) + 1
        made = Decision(number, stmt, body, pc, scope, after, standing, slot, enter)
        self.decisions.append(made)
        if slot is not None and isinstance(stmt, core.Choose) and stmt.mode != "one":
            self._empty_choice(stmt, slot, after, scope)
        self.b.store("i32.store", ir.i32(0), self.layout.point, ir.i32(made.number))
        self.b.leave()
        self._enter(after)
        if slot is None or not isinstance(stmt, core.Choose):
            return scope
        found = self.got(slot)
        if stmt.item == NUMBER and isinstance(found, Scalar):
            low, high = self._bounds(stmt, scope)
            found = Scalar(found.code, low, high)
        return scope.keeping(stmt.var, found, slot)

    def _bounds(self, stmt: core.Choose, scope: Scope) -> tuple[int, int]:
        """What a number that is chosen is at least and at most, if that is known before play."""
        aside: list[ir.Stmt] = []
        with self.b.within(aside):
            members = self.say.members(stmt.domain, scope)
        return members.bounds if isinstance(members, Members) else (SMALLEST, LARGEST)

    def _somebody(self, stmt: DECISIONS, scope: Scope) -> None:
        """Leave it to the reference to say what is wrong where nobody who plays is to decide."""
        who, players = self.say.index(stmt.by, scope), self.program.setup.players
        if who.low < 0 or who.high >= players:
            with self.b.when(op("i32.ge_u", who.code, ir.i32(players))):
                self.program.stop(self.b, Stop.ELSEWHERE, scope)

    def _chosen(self, stmt: core.Choose, scope: Scope) -> Type:
        """The type of what is chosen."""
        if stmt.mode == "one":
            return stmt.item
        if not is_index(stmt.item):
            raise missing(f"a choice of an order, or of several of a {stmt.item}", scope)
        return ListT(stmt.item) if stmt.mode == "order" else SetT(stmt.item)

    def _empty_choice(self, stmt: core.Choose, slot: Slot, after: Part, scope: Scope) -> None:
        """Go on with nothing where there is nothing to choose several of: then nobody is asked."""
        b = self.b
        with b.block() as asked:
            with b.block() as empty:
                if stmt.high is not None:
                    most = self.say.number(stmt.high, scope).code
                    b.jump(empty, op("i64.le_s", most, ir.i64(0)))
                some = core.Exists(stmt.var, stmt.domain, stmt.cond, type=TRUTH)
                self.say.branch(some, scope, Goal(asked, True))
            nothing = bits_of(frozenset(), 64 * slot.cell.words)
            self.put(slot, Bits(nothing.words[: slot.cell.words], nothing.size), scope)
            self.program.step(b, scope)
            self._look_around()
            self._go(after)

    def _action(self, name: str, stmt: core.Take, after: Part, scope: Scope) -> Part:
        """A part that opens an action for its player."""
        made = self._new()
        outside = self.b.bodies
        if self._procedure_stops(name):
            self._enter(made)
            player = self.say.kept(stmt.by, scope)
            self._open(name, [player], after, scope)
        else:
            self._enter(made)
            known = self.ruleset.procedures[name]
            player = self.say.kept(stmt.by, scope)
            inside = {known.params[0][0]: player}
            self.shared.marks.clause(self.b, known.clause)
            with self._running(name, self.numbered.procedures[name]):
                self._body(known.body, scope.inside(known.clause, 0, inside))
            self._go(after)
        self.b.bodies = outside
        return made

    def _inside(self, body: core.Body, after: Part, scope: Scope) -> Part:
        """A part with a body that is run if the answer is yes."""
        made = self._new()
        outside = self.b.bodies
        self._enter(made)
        self._inner("body", body, scope)
        self._go(after)
        self.b.bodies = outside
        return made
