"""Decisions lowered: who decides, what may be chosen, and what a choice does.

An option is offered if what follows can be completed as far as nothing changes: that is written as
one condition on the member chosen, and worked out like any other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from interpreter.native import bits, ir
from interpreter.native.batching import Batching, Questions
from interpreter.native.builder import Builder
from interpreter.native.candidates import Candidates
from interpreter.native.control import Control, Decision
from interpreter.native.expressions import Expressions, joined
from interpreter.native.families import Family
from interpreter.native.faults import TRUE, parts_of
from interpreter.native.ir import Code, Ty, op
from interpreter.native.layout import MOST_OUTPUT, OUTPUT, STATE
from interpreter.native.maximize import Maximizing
from interpreter.native.picking import (
    begin_list,
    leave_nth,
    limits,
    put_in,
    put_next,
    stop_without,
)
from interpreter.native.program import Scope, Stop
from interpreter.native.sampling import Sampling
from interpreter.native.shared import Shared, missing
from interpreter.native.simultaneous import Choosing
from interpreter.native.trying import Offer, Trying
from interpreter.native.values import NONE, Bits, Goal, Lowered, Members, NotLowered, Scalar
from rulelang import core
from rulelang.core.types import NUMBER, TRUTH, SetT
from rulelang.ruleset import Ruleset
from rulelang.ruleset.inline import Inliner


class Completion:
    """What must hold for a body to be completed from a place on, as one condition."""

    def __init__(self, rules: Ruleset, faulty: Callable[[object], bool]) -> None:
        """`faulty` says what may be a fault."""
        self.rules, self.faulty = rules, faulty
        self.inliner = Inliner(rules, lambda name: False)

    def of(self, body: core.Body, pc: int, scope: Scope) -> core.Expr:
        """The condition; raises NotLowered where it cannot be written so."""
        for at in range(pc, len(body)):
            stmt = body[at]
            match stmt:
                case core.Let():
                    rest = self.inliner.tree(body[at + 1 :], {stmt.var: stmt.value})
                    whole = self.of(rest, 0, scope)
                    if not self.faulty(stmt.value):
                        return whole
                    # It is worked out whether it is asked for or not, for it may be a fault.
                    known = core.Compare("=", stmt.value, stmt.value, type=TRUTH)
                    return core.All((known, whole), type=TRUTH)
                case core.If():
                    then = self._branch(stmt.then, body, at, scope)
                    other = self._branch(stmt.other, body, at, scope)
                    return core.IfElse(stmt.cond, then, other, type=TRUTH)
                case core.Do() if stmt.target in self.rules.events:
                    return core.Accepts(stmt.target, stmt.args, type=TRUTH)
                case core.Do():
                    return self.called(stmt.target, stmt.args, scope)
                case core.Choose():
                    return self._answerable(stmt, body, at, scope)
                case _:
                    return TRUE
        return TRUE

    def _branch(self, inner: core.Body, body: core.Body, at: int, scope: Scope) -> core.Expr:
        return self.of(inner, 0, scope) if inner else self.of(body, at + 1, scope)

    def called(self, name: str, args: tuple[core.Expr, ...], scope: Scope) -> core.Expr:
        """What must hold for a procedure to be completed."""
        if any(self.faulty(arg) for arg in args):
            raise missing("a value that may be a fault, given to a procedure after a choice", scope)
        known = self.rules.procedures[name]
        bound = dict(zip([param for param, _ in known.params], args, strict=True))
        return self.of(self.inliner.tree(known.body, bound), 0, scope)

    def _answerable(self, stmt: core.Choose, body: core.Body, at: int, scope: Scope) -> core.Expr:
        if stmt.mode == "one":
            rest = self.of(body, at + 1, scope)
            cond = core.All((stmt.cond, rest), type=TRUTH) if rest is not TRUE else stmt.cond
            return core.Exists(stmt.var, stmt.domain, cond, type=TRUTH)
        if stmt.low is None or stmt.mode == "order":
            return TRUE
        chosen = core.Filter(stmt.var, stmt.domain, stmt.cond, type=stmt.domain.type)
        count = core.Builtin("count", (chosen,), type=NUMBER)
        none = core.Compare("<=", stmt.low, core.Const(0, type=NUMBER), type=TRUTH)
        return core.Any((none, core.Compare(">=", count, stmt.low, type=TRUTH)), type=TRUTH)


class Choices:
    """Writes the functions by which a state of play is asked and gone on with."""

    def __init__(self, shared: Shared, control: Control) -> None:
        """All decisions must have been met."""
        self.shared, self.program, self.control = shared, shared.program, control
        self.layout = shared.program.layout
        self.again = self.program.function("again", [], [], exported=True)
        self.candidates = Candidates(self.program)
        self.sampling = Sampling(shared, control, self.candidates)
        self.completion = Completion(self.program.ruleset, shared.faults.possible)
        self.families: dict[int, Family] = {}
        """Of decisions between sets, by number: those that there are, before any condition."""
        self._filling: dict[int, ir.Function] = {}
        self.choosing: Choosing
        """What takes an option, and before it what writes out what the option means."""

    def written(self) -> None:
        """Write all of them."""
        legal = {d.number: self._legal(d) for d in self.control.decisions}
        search = None
        if self.control.regions:
            search = Maximizing(self.shared, self.control, self.candidates, legal)
            legal = {d.number: search.allowed(d) for d in self.control.decisions}
        trying = Trying(
            self.shared, self.control, search, (self.families, self._filling), self._distinct
        )
        drawn = {
            d.number: self._tried(d, trying) or self._drawn(d, legal[d.number])
            for d in self.control.decisions
        }
        choose = self._choose(search)
        self._begin()
        decider, options = self._decider(), self._options(legal)
        questions = Questions(choose, decider, options, self._limits())
        Batching(self.shared, self.control).written(questions, self.families)
        self._playout(drawn, choose)
        decisions = self.control.decisions
        sampled = {
            d.number: self.sampling.drawn(d, legal[d.number], self.families.get(d.number))
            for d in decisions
        }
        self.sampling.written(sampled, choose, decider, self._score())

    # -------------------------------------------------------------------------------- questions
    def _begin(self) -> None:
        """Run from the beginning to the first decision; `again` begins another game.

        Where chance has no part in what comes before that decision, and nobody decides at once in
        a branch, its state is kept and copied; else each game has a seed of its own.
        """
        b = Builder(self.program.function("begin", [], [], exported=True))
        first, size = ir.i32(self.program.FIRST), ir.i32(self.layout.size)
        marks = self.shared.marks
        b.add(ir.Fill(ir.i32(marks.start), ir.i32(0), ir.i32(marks.size)))
        run = ir.Call(self.control.run, (ir.i32(0),), ())
        again = Builder(self.again)
        again.add(ir.Copy(ir.i32(STATE), first, size))
        self.program.replaced(again)
        if self.shared.chance.used or self.control.simultaneous.forks:
            b.add(ir.Copy(first, ir.i32(STATE), size))
            b.add(run)
            if self.shared.chance.used:
                again.store("i64.store", ir.i32(0), self.layout.seed, self._mixed(again))
            again.add(run)
        else:
            b.add(run)
            b.add(ir.Copy(first, ir.i32(STATE), size))

    def _decider(self) -> ir.Function:
        """Who decides, -1 if nobody."""
        function = self.program.function("decider", [], [Ty.I32], exported=True)
        b = Builder(function)
        say = Expressions(self.shared, b)

        def who(decision: Decision) -> None:
            b.leave(say.scalar(decision.stmt.by, decision.scope).code)

        self.control.by_decision(b, who)
        b.leave(ir.i32(NONE))
        return function

    def _score(self) -> ir.Function:
        """What the first line of the ranking comes to for a player."""
        player = ir.Register(Ty.I32, "player")
        function = self.program.function("score", [player], [Ty.I64], exported=True)
        b, ranks = Builder(function), self.program.ruleset.ranks
        if not ranks:
            b.leave(ir.i64(0))
            return function
        most = self.program.setup.players - 1
        scope = Scope({"player": Scalar(ir.Get(player), 0, most)})
        b.leave(Expressions(self.shared, b).number(ranks[0].key, scope).code)
        return function

    def _limits(self) -> ir.Function:
        """How many are to be chosen of so many members, at least and at most; 1 of a choice of one.

        It is asked after the options, whose number it is given.
        """
        size = ir.Register(Ty.I64, "size")
        function = self.program.function("limits", [size], [Ty.I64] * 2, exported=True)
        b = Builder(function)

        def limited(d: Decision) -> None:
            b.leave(*limits(self.shared, b, d, ir.Get(size)))

        self.control.by_decision(b, limited)
        b.leave(ir.i64(1), ir.i64(1))
        return function

    def _options(self, legal: dict[int, ir.Function]) -> ir.Function:
        """Write the options into the output, in the stable order; gives how many there are."""
        options = self.program.function("options", [], [Ty.I32], exported=True)
        b = Builder(options)

        def listed(decision: Decision) -> None:
            function = legal[decision.number]
            found = b.call(function)
            if self._by_bits(function):
                at = b.begin(ir.i32(0), "at")

                def write(member: Scalar) -> None:
                    value = op("i64.extend_i32_s", member.code)
                    b.store("i64.store", ir.Get(at), OUTPUT, value)
                    b.set(at, op("i32.add", ir.Get(at), ir.i32(8)))

                bits.each_member(b, Bits(found, 64 * len(found)), write)
                b.leave(op("i32.shr_u", ir.Get(at), ir.i32(3)))
            else:
                b.leave(found[0])

        self.control.by_decision(b, listed)
        b.leave(ir.i32(0))
        return options

    @staticmethod
    def _by_bits(legal: ir.Function) -> bool:
        return legal.results[0] is Ty.I64

    def _legal(self, d: Decision) -> ir.Function:
        """The options of one decision: as bits, or written into the output with their number."""
        function = self.program.function(f"legal_{d.number}", [], [])
        b = Builder(function)
        say = Expressions(self.shared, b)
        try:
            self._offer(replace(d, scope=replace(d.scope, clause="", line=0)), say)
        except NotLowered as found:
            raise NotLowered(found.construct, found.clause or d.scope.clause) from None
        return function

    def _offer(self, d: Decision, say: Expressions) -> None:
        """Write what may be chosen; a fault outside what has a name is said to be nowhere."""
        match d.stmt:
            case core.Choose():
                self._members(d, d.stmt, say)
            case core.Take():
                offered = [self._offered(name, d.stmt, d.scope) for name in d.stmt.actions]
                self._numbered(offered, d.scope, say)
            case core.May():
                self._numbered([TRUE, self.completion.of(d.stmt.body, 0, d.scope)], d.scope, say)

    def _offered(self, name: str, stmt: core.Take, scope: Scope) -> core.Expr:
        """Does the guard of an action hold, and can it be completed?"""
        known = self.program.ruleset.procedures[name]
        rest = self.completion.called(name, (stmt.by,), scope)
        if known.guard is None:
            return rest
        bound = {known.params[0][0]: stmt.by}
        guard = self.completion.inliner.tree(known.guard, bound)
        return core.All((guard, rest), type=TRUTH)

    def _numbered(self, conds: list[core.Expr], scope: Scope, say: Expressions) -> None:
        """The numbers of the conditions that hold, as bits."""
        b = say.b
        b.function.results = (Ty.I64,)
        found = b.begin(ir.i64(0), "offered")
        for number, cond in enumerate(conds):
            with b.block() as not_this:
                say.branch(cond, scope, Goal(not_this, False))
                b.set(found, op("i64.or", ir.Get(found), ir.i64(1 << number)))
        b.leave(ir.Get(found))

    def _members(self, d: Decision, stmt: core.Choose, say: Expressions) -> None:
        """The members of the choice that meet its filter and from which the rest can be completed.

        They are found in two rounds, as the reference does: first the filter, then what follows.
        """
        b, rest = say.b, self._rest(d, stmt)
        if isinstance(stmt.item, SetT):
            b.add(ir.Call(self._filled(d, stmt), (), ()))
            among = self.families[d.number].members(b)
            self._listed(among, (parts_of(stmt.cond), parts_of(rest)), d, stmt, say)
            return
        domain = say.members(stmt.domain, d.scope)
        if isinstance(domain, Bits):
            b.function.results = (Ty.I64,) * len(domain.words)
            for cond in (stmt.cond, rest):
                if cond is rest and stmt.mode == "one":
                    domain = self._noted(d, parts_of(rest), say, domain)
                domain, left = say.narrowed(stmt.var, domain, parts_of(cond), d.scope)
                if left:
                    domain = bits.kept(b, say.tested(stmt.var, domain, left, d.scope))
            b.leave(*domain.words)
            return
        if domain.loose:
            domain = say.fixed(stmt.domain, d.scope)
            assert isinstance(domain, Members)
        self._listed(domain, (parts_of(stmt.cond), parts_of(rest)), d, stmt, say)

    def _rest(self, d: Decision, stmt: core.Choose) -> core.Expr:
        """What must hold of a member for the rest to be completed."""
        return TRUE if stmt.mode != "one" else self.completion.of(d.body, d.pc + 1, d.scope)

    def _filled(self, d: Decision, stmt: core.Choose) -> ir.Function:
        """The function that finds the sets among which is chosen: an option is a number of one."""
        function = self.program.function(f"sets_{d.number}", [], [])
        self._filling[d.number] = function
        b = Builder(function)
        say = Expressions(self.shared, b)
        size, found = say.family_size(stmt.domain.type), say.members(stmt.domain, d.scope)
        if stmt.mode != "one" or not size or isinstance(found, Bits):
            raise missing(f"a choice among a {stmt.domain.type}", d.scope)
        family = self.families[d.number] = self.shared.families.empty(b, size)

        def add(one: Lowered) -> None:
            assert isinstance(one, Bits)
            self.shared.families.add(b, family, one)

        found.each(add)
        return function

    def _noted(
        self, d: Decision, rest: tuple[core.Expr, ...], say: Expressions, domain: Bits
    ) -> Bits:
        """The members before any look at where they lead, which are noted if that matters."""
        if isinstance(d.stmt, core.Choose) and isinstance(d.stmt.item, core.types.PieceT):
            domain = self._distinct(say, domain)
        if rest or d.number in self.control.maximized:
            domain = bits.kept(say.b, domain)
            bits.store(say.b, domain, ir.i32(0), self.candidates.words)
            self.candidates.noted.add(d.number)
        return domain

    def _distinct(self, say: Expressions, domain: Bits) -> Bits:
        """Of pieces that nothing tells apart only the first: see `model.symmetry`."""
        setup, b, pieces = self.program.setup, say.b, self.shared.pieces
        classes = [
            frozenset(q for q in range(p) if setup.twin[q] == setup.twin[p])
            for p in range(len(setup.pieces))
        ]
        if not any(classes):
            return domain
        words = len(domain.words)
        rows = b"".join(sum(1 << q for q in c).to_bytes(8 * words, "little") for c in classes)
        table = self.program.table(rows)
        ordered = [0, *(setup.rules.places[s.key[0]].ordered for s in self.layout.places)]
        ordered += [1] * (self.layout.numbers - len(ordered))  # on a layer each stands for itself
        by_place = self.program.table(bytes(map(int, ordered)))
        made = [b.begin(word, "distinct") for word in domain.words]

        def one(piece: Lowered) -> None:
            assert isinstance(piece, Scalar)
            where = b.keep(pieces.where(piece.code))
            row = b.keep(op("i32.mul", piece.code, ir.i32(8 * words)))
            earlier = bits.kept(
                b, bits.combined("and", domain, bits.load(row, words, domain.size, table))
            )
            with b.block() as only:
                b.jump(only, ir.load("i32.load8_u", where, by_place))

                def compare(other: Scalar) -> None:
                    known = op("i32.eq", pieces.known(piece.code), pieces.known(other.code))
                    alike = op("i32.and", op("i32.eq", where, pieces.where(other.code)), known)
                    with b.when(alike):
                        alone = bits.single(piece.code, domain.size, words)
                        for register, word in zip(made, alone.words, strict=True):
                            b.set(register, op("i64.xor", ir.Get(register), word))
                        b.jump(only)

                bits.each_member(b, earlier, compare)

        bits.each_member(b, domain, one)
        return Bits(tuple(map(ir.Get, made)), domain.size)

    def _listed(
        self,
        domain: Members,
        conditions: tuple[tuple[core.Expr, ...], tuple[core.Expr, ...]],
        d: Decision,
        stmt: core.Choose,
        say: Expressions,
    ) -> None:
        """Write the members that meet all conditions into the output, and note the candidates.

        The conditions are those of the choice itself, and those of what follows.
        """
        b, (parts, rest) = say.b, conditions
        b.function.results = (Ty.I32,)
        at, count = b.begin(ir.i32(0), "at"), b.begin(ir.i32(0), "count")
        number, searched = b.begin(ir.i32(-1), "number"), d.number in self.control.maximized

        def one(member: Lowered) -> None:
            b.set(number, op("i32.add", ir.Get(number), ir.i32(1)))
            value = member.code if isinstance(member, Scalar) else ir.Get(number)
            with b.block() as not_this:
                if parts:
                    inner = d.scope.naming(stmt.var, member)
                    say.branch(joined(parts), inner, Goal(not_this, False))
                with b.when(op("i32.ge_u", ir.Get(count), ir.i32(MOST_OUTPUT))):
                    self.program.stop(b, Stop.ELSEWHERE, d.scope)
                wide = value if ir.ty_of(value) is Ty.I64 else op("i64.extend_i32_s", value)
                b.set(count, op("i32.add", ir.Get(count), ir.i32(1)))
                if rest or searched:
                    here = b.keep(op("i32.sub", ir.Get(count), ir.i32(1)))
                    self.candidates.put(b, here, wide, ir.i32(0))
                    inner = d.scope.naming(stmt.var, member)
                    if rest:
                        say.branch(joined(rest), inner, Goal(not_this, False))
                    self.candidates.put(b, here, wide, ir.i32(1))
                b.store("i64.store", ir.Get(at), OUTPUT, wide)
                b.set(at, op("i32.add", ir.Get(at), ir.i32(8)))

        domain.each(one)
        if rest or searched:
            self.candidates.counted(b, ir.Get(count))
            self.candidates.noted.add(d.number)
        b.leave(op("i32.shr_u", ir.Get(at), ir.i32(3)))

    # -------------------------------------------------------------------------------- going on
    def _choose(self, search: Maximizing | None) -> ir.Function:
        """Take an option of the open decision, and run to the next one.

        A set that is chosen stands in the output.
        """
        chosen = ir.Register(Ty.I64, "chosen")
        function = self.program.function("take", [chosen], [])
        b = Builder(function)

        def take(d: Decision) -> None:
            b.store("i32.store", ir.i32(0), self.layout.point, ir.i32(0))
            self.shared.marks.clause(b, d.stmt.clause)
            if d.slot is not None and d.slot.cell.words:
                chosen_set = bits.load(ir.i32(0), d.slot.cell.words, 0, OUTPUT)
                bits.store(b, chosen_set, ir.i32(0), d.slot.offset)
                b.add(ir.Call(self.control.run, (ir.i32(d.next.number),), ()))
                return
            if d.slot is not None:
                value: Code = ir.Get(chosen)
                if d.slot.cell.ty is Ty.I32:
                    value = op("i32.wrap_i64", value)
                b.store(d.slot.cell.store, ir.i32(0), d.slot.offset, value)
                b.add(ir.Call(self.control.run, (ir.i32(d.next.number),), ()))
                return
            parts = list(d.enter.values())
            if isinstance(d.stmt, core.May):
                parts = [d.next, *parts]
            for number, part in enumerate(parts):
                with b.when(op("i64.eq", ir.Get(chosen), ir.i64(number))):
                    b.add(ir.Call(self.control.run, (ir.i32(part.number),), ()))
                    b.leave()

        self.control.by_decision(b, take)
        slots = (d.slot for d in self.control.decisions if d.slot is not None)
        words = max((slot.cell.words for slot in slots), default=0)
        self.control.simultaneous.written(function, words)
        if search is not None:
            search.written(function)
        return self._choose_somewhere(function)

    def _choose_somewhere(self, take: ir.Function) -> ir.Function:
        """Take an option in the common state, or where players decide at once in a branch."""
        chosen = ir.Register(Ty.I64, "chosen")
        function = self.program.function("choose", [chosen], [], exported=True)
        b, spelled = Builder(function), self._spelled()
        self.choosing = spelled, take
        if self.control.simultaneous.forks:
            with b.when(ir.load("i32.load", ir.i32(0), self.layout.fork)):
                seat = ir.Get(self.program.seat)
                self.control.simultaneous.choose(b, seat, ir.Get(chosen), self.choosing)
                b.leave()
        if spelled is not None:
            b.add(ir.Call(spelled, (ir.Get(chosen),), ()))
        b.add(ir.Call(take, (ir.Get(chosen),), ()))
        return function

    def _spelled(self) -> ir.Function | None:
        """Write the set of a number into the output, where one is chosen from a family.

        So it is the same where it is chosen again after what others did.
        """
        if not self.families:
            return None
        chosen = ir.Register(Ty.I64, "chosen")
        function = self.program.function("spelled", [chosen], [])
        b = Builder(function)

        def write(d: Decision) -> None:
            if d.number in self.families:
                b.add(ir.Call(self._filling[d.number], (), ()))
                row = self.families[d.number].row(b.keep(op("i32.wrap_i64", ir.Get(chosen))))
                bits.store(b, row, ir.i32(0), OUTPUT)

        self.control.by_decision(b, write)
        return function

    # -------------------------------------------------------------------------------- playouts
    def _tried(self, d: Decision, trying: Trying) -> ir.Function | None:
        """The same without looking at all options, where that can be and pays."""
        if not isinstance(d.stmt, core.Choose) or d.several or d.stmt.mode != "one":
            return None
        offer = Offer(d, d.stmt, parts_of(self._rest(d, d.stmt)))
        return trying.drawn(offer, self._random)

    def _drawn(self, d: Decision, legal: ir.Function) -> ir.Function:
        """One of the options at random, each as likely."""
        function = self.program.function(f"drawn_{d.number}", [], [Ty.I64])
        b = Builder(function)
        found = b.call(legal)
        if d.several:
            self._subset(b, Bits(found, 64 * len(found)), d)
            return function
        if not self._by_bits(legal):
            stop_without(self.program, b, found[0], d.scope)
            at = op("i32.shl", op("i32.wrap_i64", self._random(b, found[0])), ir.i32(3))
            b.leave(ir.load("i64.load", at, OUTPUT))
            return function
        whole = Bits(found, 64 * len(found))
        total = b.keep(op("i32.wrap_i64", bits.count(whole)))
        stop_without(self.program, b, total, d.scope)
        leave_nth(b, found, b.begin(self._random(b, total), "left"))
        return function

    def _subset(self, b: Builder, members: Bits, d: Decision) -> None:
        """Write a set of members into the output: its size is as likely as any other, and so are
        the sets of that size.
        """
        size = b.keep(bits.count(members))
        if d.ordered:
            total = b.keep(op("i32.wrap_i64", size))
            begin_list(self.program, b, total, d.scope)
            self.candidates.filled(b, members)
            self.candidates.emptied(
                b,
                total,
                lambda left: op("i32.wrap_i64", self._random(b, left)),
                lambda member, done: put_next(b, member, done),
            )
            b.leave(ir.i64(0))
            return
        low, high = limits(self.shared, b, d, size)
        sizes = op("i32.wrap_i64", op("i64.add", op("i64.sub", high, low), ir.i64(1)))
        wanted = b.begin(op("i64.add", low, self._random(b, b.keep(sizes))), "wanted")
        left = b.begin(size, "left")
        bits.store(b, bits.without(members, members), ir.i32(0), OUTPUT)

        def one(member: Scalar) -> None:
            drawn = self._random(b, op("i32.wrap_i64", ir.Get(left)))
            b.set(left, op("i64.sub", ir.Get(left), ir.i64(1)))
            with b.when(op("i64.lt_u", drawn, ir.Get(wanted))):
                b.set(wanted, op("i64.sub", ir.Get(wanted), ir.i64(1)))
                put_in(b, op("i64.extend_i32_u", member.code))

        bits.each_member(b, members, one)
        b.leave(ir.i64(0))

    def _random(self, b: Builder, count: Code) -> Code:
        """A number below a count, from the counter that is no part of a state."""
        high = op("i64.shr_u", self._mixed(b), ir.i64(32))
        return b.keep(
            op("i64.shr_u", op("i64.mul", high, op("i64.extend_i32_u", count)), ir.i64(32))
        )

    def _mixed(self, b: Builder) -> Code:
        """The next 64 bits from that counter (SplitMix64)."""
        counter = self.program.chance
        b.set(counter, op("i64.add", ir.Get(counter), ir.i64(-7046029254386353131)))
        mixed = b.keep(ir.Get(counter))
        for shift, factor in ((30, -4658895280553007687), (27, -7723592293110705685)):
            folded = op("i64.xor", mixed, op("i64.shr_u", mixed, ir.i64(shift)))
            mixed = b.keep(op("i64.mul", folded, ir.i64(factor)))
        return b.keep(op("i64.xor", mixed, op("i64.shr_u", mixed, ir.i64(31))))

    def _playout(self, drawn: dict[int, ir.Function], choose: ir.Function) -> None:
        """Play at random from here, to the end or for so many moves; gives how many were made."""
        most = ir.Register(Ty.I32, "most")
        function = self.program.function("playout", [most], [Ty.I32], exported=True)
        b = Builder(function)
        moves = b.begin(ir.i32(0), "moves")
        value = b.new(Ty.I64, "value")

        def draw() -> Code:
            self.control.by_decision(b, lambda d: b.add(ir.Call(drawn[d.number], (), (value,))))
            b.set(self.program.steps, ir.i64(0))
            b.set(self.program.visits, ir.i64(0))
            b.set(moves, op("i32.add", ir.Get(moves), ir.i32(1)))
            return ir.Get(value)

        with b.block() as done, b.loop() as again:
            b.jump(done, ir.load("i32.load", ir.i32(0), self.layout.ended))
            b.jump(done, op("i32.ge_s", ir.Get(moves), ir.Get(most)))
            at_once = b.keep(ir.load("i32.load", ir.i32(0), self.layout.fork))
            point = ir.load("i32.load", ir.i32(0), self.layout.point)
            b.jump(done, op("i32.eqz", op("i32.or", point, at_once)))
            self.control.simultaneous.played_on(
                b, draw, self.choosing, lambda: op("i32.lt_s", ir.Get(moves), ir.Get(most))
            )
            b.jump(again, at_once)
            b.add(ir.Call(choose, (draw(),), ()))
            b.jump(again)
        b.leave(ir.Get(moves))
        self._playouts(function)

    def _playouts(self, playout: ir.Function) -> None:
        """Play so many games from the first decision; gives how many moves were made in all."""
        params = [ir.Register(Ty.I32, "games"), ir.Register(Ty.I32, "most")]
        b = Builder(self.program.function("playouts", params, [Ty.I64], exported=True))
        games, most = params
        total, made = b.begin(ir.i64(0), "total"), b.new(Ty.I32, "made")
        with b.block() as done, b.loop() as again:
            b.jump(done, op("i32.le_s", ir.Get(games), ir.i32(0)))
            b.add(ir.Call(self.again, (), ()))
            b.add(ir.Call(playout, (ir.Get(most),), (made,)))
            more = op("i64.extend_i32_u", ir.Get(made))
            b.set(total, op("i64.add", ir.Get(total), more))
            b.set(games, op("i32.sub", ir.Get(games), ir.i32(1)))
            b.jump(again)
        b.leave(ir.Get(total))
