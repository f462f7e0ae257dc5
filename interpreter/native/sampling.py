"""Games by bots that choose at random, each choice drawn as such a bot draws it.

A member is drawn among those that may be chosen as far as the choice itself tells, and again among
the rest where it leads to a dead end; of several, how many is drawn first.
"""

from __future__ import annotations

import math
from functools import cached_property

from interpreter.native import bits, ir
from interpreter.native.builder import Builder
from interpreter.native.candidates import Candidates
from interpreter.native.control import Control, Decision
from interpreter.native.expressions import Expressions
from interpreter.native.families import Family
from interpreter.native.ir import Code, Ty, op
from interpreter.native.layout import OUTPUT, STATE
from interpreter.native.mersenne import Mersenne
from interpreter.native.picking import begin_list, leave_nth, limits, put_in, put_next, stop_without
from interpreter.native.program import Scope
from interpreter.native.shared import Shared
from interpreter.native.values import MAX_WORDS, NONE, WORD, Bits, Scalar

_MOST = MAX_WORDS * WORD  # members of a set that is chosen
_LEAST = -(1 << 62)


class Sampling:
    """Writes the functions that draw options and play games."""

    def __init__(self, shared: Shared, control: Control, candidates: Candidates) -> None:
        """What may be chosen is found by the functions of the choices."""
        self.shared, self.program, self.control = shared, shared.program, control
        self.layout, self.candidates = shared.program.layout, candidates
        self.dice = Mersenne(shared.program)
        self.chosen = shared.program.buffer(8 * (2 + MAX_WORDS))  # the last option, its set, whose

    # -------------------------------------------------------------------------------- one option
    def drawn(self, d: Decision, legal: ir.Function, family: Family | None) -> ir.Function:
        """One option, drawn for a player; a set of members is written into the output.

        So is the set itself where it is chosen from a family.
        """
        drawn = self._drawn(d, legal)
        if family is None:
            return drawn
        player = ir.Register(Ty.I32, "player")
        function = self.program.function(f"sampled_set_{d.number}", [player], [Ty.I64])
        b = Builder(function)
        (number,) = b.call(drawn, ir.Get(player))
        b.add(ir.Fill(ir.i32(OUTPUT), ir.i32(0), ir.i32(8 * MAX_WORDS)))
        row = family.row(b.keep(op("i32.wrap_i64", number)))
        bits.store(b, row, ir.i32(0), OUTPUT)
        b.leave(number)
        return function

    def _drawn(self, d: Decision, legal: ir.Function) -> ir.Function:
        player = ir.Register(Ty.I32, "player")
        below, tried = self.dice.below, self._tried
        function = self.program.function(f"sampled_{d.number}", [player], [Ty.I64])
        b, who = Builder(function), ir.Get(player)
        found = b.call(legal)
        if d.several:
            self._subset(b, who, Bits(found, WORD * len(found)), d)
            return function
        as_bits = legal.results[0] is Ty.I64
        total = found[0]
        if as_bits:
            total = b.keep(op("i32.wrap_i64", bits.count(Bits(found, WORD * len(found)))))
        if d.number in self.candidates.noted:
            count = self._listed_candidates(b, found) if as_bits else self.candidates.count
            with b.when(op("i32.ne", b.keep(count), total)):
                b.leave(*b.call(tried, who, count))
        stop_without(self.program, b, total, d.scope)
        (at,) = b.call(below, who, total)
        if as_bits:
            leave_nth(b, found, b.begin(op("i64.extend_i32_u", at), "left"))
        else:
            b.leave(ir.load("i64.load", op("i32.shl", at, ir.i32(3)), OUTPUT))
        return function

    def _listed_candidates(self, b: Builder, legal: tuple[Code, ...]) -> Code:
        """List the members that were noted, where they are more than may be chosen."""
        size = WORD * len(legal)
        noted = bits.kept(b, bits.load(ir.i32(0), len(legal), size, self.candidates.words))
        fine = Bits(legal, size)
        count = b.keep(op("i32.wrap_i64", bits.count(noted)))
        with b.when(ir.negated(bits.equal(noted, fine))):
            at = b.begin(ir.i32(0), "at")

            def one(member: Scalar) -> None:
                viable = bits.contains(fine, member)
                self.candidates.put(
                    b, ir.Get(at), op("i64.extend_i32_u", member.code), b.keep(viable)
                )
                b.set(at, op("i32.add", ir.Get(at), ir.i32(1)))

            bits.each_member(b, noted, one)
        return count

    @cached_property
    def _tried(self) -> ir.Function:
        """Candidates in random order until one leads to no dead end."""
        below = self.dice.below
        player, count = ir.Register(Ty.I32, "player"), ir.Register(Ty.I32, "count")
        function = self.program.function("tried", [player, count], [Ty.I64])
        b, listed = Builder(function), self.candidates
        with b.loop() as again:
            stop_without(self.program, b, ir.Get(count), Scope())
            (at,) = b.call(below, ir.Get(player), ir.Get(count))
            with b.when(listed.viable(at)):
                b.leave(listed.value(at))
            b.set(count, op("i32.sub", ir.Get(count), ir.i32(1)))
            last = ir.Get(count)
            listed.put(b, at, listed.value(last), listed.viable(last))
            b.jump(again)
        return function

    # -------------------------------------------------------------------------------- several
    def _subset(self, b: Builder, who: Code, members: Bits, d: Decision) -> None:
        """So many members as are drawn first, each written into the output."""
        listed, size = self.candidates, b.keep(bits.count(members))
        if d.ordered:
            self._order(b, who, members, d)
            return
        low, high = limits(self.shared, b, d, size)
        sizes = op("i32.wrap_i64", op("i64.add", op("i64.sub", high, low), ir.i64(1)))
        (more,) = b.call(self.dice.below, who, b.keep(sizes))
        wanted = b.keep(op("i32.add", op("i32.wrap_i64", low), more))
        listed.filled(b, members)
        bits.store(b, bits.without(members, members), ir.i32(0), OUTPUT)
        total = b.keep(op("i32.wrap_i64", size))
        few = ir.load("i32.load16_u", op("i32.shl", wanted, ir.i32(1)), self._pools)
        with b.when(op("i32.le_u", total, few)):
            self._from_pool(b, who, total, wanted)
        with b.otherwise():
            self._one_by_one(b, who, total, wanted)
        b.leave(ir.i64(0))

    def _order(self, b: Builder, who: Code, members: Bits, d: Decision) -> None:
        """All members in an order, drawn from a pool one after the other."""
        total = b.keep(op("i32.wrap_i64", bits.count(members)))
        begin_list(self.program, b, total, d.scope)
        self.candidates.filled(b, members)
        self.candidates.emptied(
            b,
            total,
            lambda left: b.call(self.dice.below, who, left)[0],
            lambda member, done: put_next(b, member, done),
        )
        b.leave(ir.i64(0))

    @cached_property
    def _pools(self) -> int:
        """A table: how many are to be drawn, to the members up to which a pool is used."""
        sizes = (
            21 + (4 ** math.ceil(math.log(k * 3, 4)) if k > 5 else 0) for k in range(_MOST + 1)
        )
        return self.program.table(b"".join(n.to_bytes(2, "little") for n in sizes))

    def _from_pool(self, b: Builder, who: Code, total: Code, wanted: Code) -> None:
        """Each drawn member leaves the pool, and the last takes its place."""
        listed, done = self.candidates, b.begin(ir.i32(0), "done")
        with b.block() as out, b.loop() as again:
            b.jump(out, op("i32.ge_u", ir.Get(done), wanted))
            left = b.keep(op("i32.sub", total, ir.Get(done)))
            (at,) = b.call(self.dice.below, who, left)
            put_in(b, listed.value(at))
            last = b.keep(op("i32.sub", left, ir.i32(1)))
            listed.put(b, at, listed.value(last), ir.i32(0))
            b.set(done, op("i32.add", ir.Get(done), ir.i32(1)))
            b.jump(again)

    def _one_by_one(self, b: Builder, who: Code, total: Code, wanted: Code) -> None:
        """Members are drawn until so many different ones were."""
        listed, done = self.candidates, b.begin(ir.i32(0), "done")
        with b.block() as out, b.loop() as again:
            b.jump(out, op("i32.ge_u", ir.Get(done), wanted))
            (at,) = b.call(self.dice.below, who, total)
            b.jump(again, listed.viable(at))  # it was drawn before
            put_in(b, listed.value(at))
            listed.put(b, at, listed.value(at), ir.i32(1))
            b.set(done, op("i32.add", ir.Get(done), ir.i32(1)))
            b.jump(again)

    # -------------------------------------------------------------------------------- games
    def written(
        self,
        drawn: dict[int, ir.Function],
        choose: ir.Function,
        decider: ir.Function,
        score: ir.Function,
    ) -> None:
        """Play from here to the end or for so many moves; gives how many were made.

        The state before the last choice is kept, and the choice.
        """
        most = ir.Register(Ty.I32, "most")
        function = self.program.function("sampled", [most], [Ty.I32], exported=True)
        b, program, layout = Builder(function), self.program, self.layout
        moves, value = b.begin(ir.i32(0), "moves"), b.new(Ty.I64, "value")
        b.set(program.seat, ir.i32(NONE))
        size, sets = ir.Get(program.state_size), ir.i32(8 * MAX_WORDS)
        draw = self._draw(drawn)
        with b.block() as done, b.loop() as again:
            b.jump(done, ir.load("i32.load", ir.i32(0), layout.ended))
            b.jump(done, op("i32.ge_s", ir.Get(moves), ir.Get(most)))
            b.jump(done, self._nothing_open())
            b.add(ir.Copy(ir.i32(program.LAST), ir.i32(STATE), size))
            self.control.simultaneous.copied(b, program.LAST + program.STRIDE)
            b.add(ir.Call(draw, (), (value,)))
            b.store("i64.store", ir.i32(0), self.chosen, ir.Get(value))
            b.store("i32.store", ir.i32(0), self.chosen + 8 * (1 + MAX_WORDS), ir.Get(program.seat))
            b.add(ir.Copy(ir.i32(self.chosen + 8), ir.i32(OUTPUT), sets))
            self._take(b, choose, ir.Get(value))
            b.set(moves, op("i32.add", ir.Get(moves), ir.i32(1)))
            b.jump(again)
        b.leave(ir.Get(moves))
        Striving(self, draw, choose).written(decider, score)

    def _draw(self, drawn: dict[int, ir.Function]) -> ir.Function:
        """An option of the decision that is open, where all decide at once of the first who is to
        decide.
        """
        function = self.program.function("drawn_anywhere", [], [Ty.I64])
        b = Builder(function)
        value = b.begin(ir.i64(0), "value")

        def sample(d: Decision) -> None:
            player = Expressions(self.shared, b).scalar(d.stmt.by, d.scope).code
            b.add(ir.Call(drawn[d.number], (player,), (value,)))

        b.set(self.program.visits, ir.i64(0))
        with self.control.simultaneous.at_first_seat(b):
            self.control.by_decision(b, sample)
        self._within_bounds(b)
        b.leave(ir.Get(value))
        return function

    def _take(self, b: Builder, choose: ir.Function, value: Code) -> None:
        """Take an option that was drawn."""
        b.set(self.program.steps, ir.i64(0))
        b.add(ir.Call(choose, (value,), ()))
        self._within_bounds(b)

    def _nothing_open(self) -> Code:
        """Is nothing to be decided?"""
        at = (self.layout.point, self.layout.fork)
        return op("i32.eqz", op("i32.or", *(ir.load("i32.load", ir.i32(0), n) for n in at)))

    def _within_bounds(self, b: Builder) -> None:
        """Leave it to the reference where so many members were looked through."""
        self.program.within_bounds(b)
        b.set(self.program.visits, ir.i64(0))


class Striving:
    """Writes the function that plays as players would who look at a few lines of their own choices
    and take the one after which they lead by most.
    """

    def __init__(self, sampling: Sampling, draw: ir.Function, choose: ir.Function) -> None:
        """Options are drawn and taken as in games at random."""
        self.sampling, self.program, self.layout = sampling, sampling.program, sampling.layout
        self.draw, self.choose = draw, choose
        self.simultaneous = sampling.control.simultaneous
        self.players = self.program.setup.players
        self.states = 1 + (self.players if self.simultaneous.forks else 0)

    def written(self, decider: ir.Function, score: ir.Function) -> None:
        """Play so many turns, each the best of so many lines of so many choices at most.

        A line ends where another decides. It is judged by who leads when so many rounds more are
        finished and those who decide at once are done, played on to there by chance for as many
        choices at most. Of equal ones the first is taken. Gives how many choices were made.
        """
        params = [ir.Register(Ty.I32, name) for name in ("turns", "lines", "longest", "rounds")]
        turns, lines, longest, rounds = params
        program, layout = self.program, self.layout
        b = Builder(program.function("strived", params, [Ty.I32], exported=True))
        deciding, leads = self._deciding(decider), self._leads(score)
        first, mine, best = (program.buffer(program.STRIDE * self.states) for _ in range(3))
        moves, tried, made, kept = (b.begin(ir.i32(0), n) for n in ("moves", "try", "made", "kept"))
        most, lead = b.new(Ty.I64, "most"), b.new(Ty.I64, "lead")
        finished = ir.load("i64.load", ir.i32(0), layout.rounds)

        def choose(over: ir.Label) -> None:
            (value,) = b.call(self.draw)
            self.sampling._take(b, self.choose, value)
            b.set(made, op("i32.add", ir.Get(made), ir.i32(1)))
            b.jump(over, op("i32.ge_s", ir.Get(made), ir.Get(longest)))
            b.jump(over, self._over)

        b.set(program.seat, ir.i32(NONE))
        with b.block() as done, b.loop() as again:
            b.jump(done, op("i32.le_s", ir.Get(turns), ir.i32(0)))
            b.jump(done, self._over)
            (whose,) = b.call(deciding)
            together = b.keep(self._together)
            until = b.keep(op("i64.add", finished, op("i64.extend_i32_s", ir.Get(rounds))))
            self._moved(b, first)
            b.set(tried, ir.i32(0))
            with b.loop() as another:
                b.set(made, ir.i32(0))
                with b.block() as over, b.loop() as further:
                    choose(over)
                    b.jump(over, op("i32.ne", self._together, together))
                    (now,) = b.call(deciding)
                    b.jump(further, op("i32.eq", now, whose))
                own = b.keep(ir.Get(made))
                self._moved(b, mine)
                b.set(made, ir.i32(0))
                with b.block() as judged, b.loop() as further:
                    b.jump(judged, self._over)
                    with b.when(op("i64.ge_s", finished, until)):
                        b.jump(judged, op("i32.eqz", op("i32.and", self._together, together)))
                        (now,) = b.call(deciding)
                        b.jump(judged, op("i32.le_s", now, whose))
                    choose(judged)
                    b.jump(further)
                b.add(ir.Call(leads, (whose,), (lead,)))
                better = op("i64.gt_s", ir.Get(lead), ir.Get(most))
                with b.when(op("i32.or", op("i32.eqz", ir.Get(tried)), better)):
                    b.set(most, ir.Get(lead))
                    b.set(kept, own)
                    self._moved(b, best, mine)
                b.set(tried, op("i32.add", ir.Get(tried), ir.i32(1)))
                more = b.keep(op("i32.lt_s", ir.Get(tried), ir.Get(lines)))
                with b.when(more):
                    self._back(b, first)
                b.jump(another, more)
            self._back(b, best)
            b.set(moves, op("i32.add", ir.Get(moves), ir.Get(kept)))
            b.set(turns, op("i32.sub", ir.Get(turns), ir.i32(1)))
            b.jump(again)
        b.leave(ir.Get(moves))

    @property
    def _over(self) -> Code:
        """Is the game over, or nothing to be decided?"""
        ended = ir.load("i32.load", ir.i32(0), self.layout.ended)
        return op("i32.or", ended, self.sampling._nothing_open())

    @property
    def _together(self) -> Code:
        """Do players decide at once?"""
        return op("i32.ne", ir.load("i32.load", ir.i32(0), self.layout.fork), ir.i32(0))

    def _deciding(self, decider: ir.Function) -> ir.Function:
        """Who decides next; where players decide at once the first who is to decide."""
        b = Builder(self.program.function("deciding", [], [Ty.I32]))
        if self.simultaneous.forks:
            with b.when(self._together):
                for seat in range(self.players):
                    with b.when(self.simultaneous.open_in(ir.i32(seat))):
                        b.leave(ir.i32(seat))
        b.leave(*b.call(decider))
        return b.function

    def _leads(self, score: ir.Function) -> ir.Function:
        """By how much a player leads, as he sees it while others decide at once."""
        player = ir.Register(Ty.I32, "player")
        b = Builder(self.program.function("leads", [player], [Ty.I64]))
        ranks, who = self.program.ruleset.ranks, ir.Get(player)
        if not ranks:
            b.leave(ir.i64(0))
            return b.function
        apart = b.keep(self._together)
        with b.when(apart):
            b.add(ir.Call(self.simultaneous.look, (who,), ()))
        own, others = b.begin(ir.i64(0), "own"), b.begin(ir.i64(_LEAST), "others")
        for seat in range(self.players):
            (found,) = b.call(score, ir.i32(seat))
            if not ranks[0].largest:
                found = b.keep(op("i64.sub", ir.i64(0), found))
            mine = op("i32.eq", who, ir.i32(seat))
            with b.when(mine):
                b.set(own, found)
            with b.when(
                op(
                    "i32.and",
                    op("i32.ne", who, ir.i32(seat)),
                    op("i64.gt_s", found, ir.Get(others)),
                )
            ):
                b.set(others, found)
        if self.players == 1:
            b.set(others, ir.i64(0))
        with b.when(apart):
            b.add(ir.Call(self.simultaneous.back, (who,), ()))
        b.leave(op("i64.sub", ir.Get(own), ir.Get(others)))
        return b.function

    def _kept(self, at: int) -> list[Code]:
        """Where a state that is kept stands, and behind it its branches."""
        return [ir.i32(at + number * self.program.STRIDE) for number in range(self.states)]

    def _places(self) -> list[Code]:
        """Where the state stands, and the branches of those who decide at once."""
        branches = [self.simultaneous.branch(ir.i32(seat)) for seat in range(self.states - 1)]
        return [ir.i32(STATE), *branches]

    def _copied(self, b: Builder, to: list[Code], source: list[Code]) -> None:
        for there, here in zip(to, source, strict=True):
            b.add(ir.Copy(there, here, ir.Get(self.program.state_size)))

    def _moved(self, b: Builder, to: int, source: int | None = None) -> None:
        """Keep the state of play, or one that is kept, somewhere else."""
        self._copied(b, self._kept(to), self._places() if source is None else self._kept(source))

    def _back(self, b: Builder, source: int) -> None:
        """Go on from a state that is kept."""
        self._copied(b, self._places(), self._kept(source))
        self.program.replaced(b)
