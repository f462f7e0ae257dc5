"""Players who decide at once: each has a branch, a state of his own in memory, until all are done.

A branch begins as a copy with a stream of chance of its own. What its player chooses is kept in it,
and when every branch is at its end the choices are played again on the common state, seat by seat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias

from interpreter.native import ir
from interpreter.native.builder import Builder
from interpreter.native.disclosing import Disclosing
from interpreter.native.ir import Code, Ty, op
from interpreter.native.layout import OUTPUT, STATE
from interpreter.native.program import Program, Scope, Stop
from interpreter.native.values import NONE

DONE = -1  # the decision of a branch that is at its end
MOST_CHOICES = 32  # of one player before all are done
Choosing: TypeAlias = "tuple[ir.Function | None, ir.Function]"


@dataclass(frozen=True)
class Fork:
    """A statement by which players decide at once: where branches begin, where all go on."""

    start: int
    after: int
    player: int  # the place of the player's number


class Simultaneous:
    """The functions by which a program goes into branches and comes back."""

    def __init__(self, program: Program, run: ir.Function, disclosing: Disclosing) -> None:
        """`run` runs from a part to the next decision."""
        self.program, self.layout, self.run = program, program.layout, run
        self.disclosing = disclosing
        self.players = program.setup.players
        self.forks: list[Fork] = []
        self.branch_out = self._declared("branch_out", ["fork"], [], exported=True)
        self.joined = self._declared("joined", [], [Ty.I32])
        self.look = self._declared("look", ["seat"], [], exported=True)
        self.back = self._declared("back", ["seat"], [], exported=True)
        self.count, self.choices = 0, 0  # where a branch keeps its choices, once there is one
        self.point = 8  # where one of them, after its value and the output, has its decision

    def fork(self, start: int, after: int, player: int) -> int:
        """The number of another statement by which players decide at once."""
        if not self.forks:
            self.count = self.layout.take(8)
        self.forks.append(Fork(start, after, player))
        return len(self.forks)

    def _declared(
        self, name: str, params: list[str], results: list[Ty], exported: bool = False
    ) -> ir.Function:
        registers = [ir.Register(Ty.I32, param) for param in params]
        return self.program.function(name, registers, results, exported)

    # -------------------------------------------------------------------------------- places
    @property
    def _size(self) -> Code:
        return ir.Get(self.program.state_size)

    def branch(self, seat: Code) -> Code:
        """Where the branch of a player stands."""
        stride, first = ir.i32(self.program.STRIDE), ir.i32(self.program.BRANCHES)
        return op("i32.add", op("i32.mul", seat, stride), first)

    def held(self, seat: Code, offset: int) -> Code:
        """What stands in a player's branch where a state has this offset."""
        return ir.load("i32.load", self.branch(seat), offset - STATE)

    def open_in(self, seat: Code) -> Code:
        """Is a player still to decide?"""
        going_on = op("i32.eqz", self.held(seat, self.layout.ended))
        return op(
            "i32.and", going_on, op("i32.ne", self.held(seat, self.layout.point), ir.i32(DONE))
        )

    # -------------------------------------------------------------------------------- functions
    @property
    def _entry(self) -> int:
        """The bytes of a choice that is kept."""
        return self.point + 8

    def written(self, take: ir.Function, words: int) -> None:
        """Write the functions; `take` takes an option of the decision that is open.

        With an option go so many words of the output at most.
        """
        if not self.forks:
            return
        self.point = 8 * (1 + words)
        self.choices = self.layout.take(self._entry * MOST_CHOICES)
        self._looking()
        self._branching()
        self._joining(take)

    def _looking(self) -> None:
        """Go to a player's branch, and back to the common state."""
        for function, to_branch in ((self.look, True), (self.back, False)):
            b = Builder(function)
            mine = self.branch(ir.Get(function.params[0]))
            b.set(self.program.apart, ir.i32(int(to_branch)))
            self.program.changed(b)
            state, common = ir.i32(STATE), ir.i32(self.program.COMMON)
            if to_branch:
                b.add(ir.Copy(common, state, self._size))
                b.add(ir.Copy(state, mine, self._size))
            else:
                b.add(ir.Copy(mine, state, self._size))
                b.add(ir.Copy(state, common, self._size))

    def _table(self) -> int:
        """Start, end and place of the player of every fork, from number 1 on."""
        numbers = [0, 0, 0, *(n for f in self.forks for n in (f.start, f.after, f.player))]
        return self.program.table(b"".join(n.to_bytes(4, "little") for n in numbers))

    def _of_fork(self, number: Code, at: int) -> Code:
        return ir.load("i32.load", op("i32.mul", number, ir.i32(12)), self._table() + 4 * at)

    def _branching(self) -> None:
        """Run every player's branch to its first decision."""
        b = Builder(self.branch_out)
        number, layout = ir.Get(self.branch_out.params[0]), self.layout
        state, common = ir.i32(STATE), ir.i32(self.program.COMMON)
        b.add(ir.Copy(common, state, self._size))
        drawn = b.keep(ir.load("i64.load", ir.i32(0), layout.drawn))
        b.set(self.program.apart, ir.i32(1))
        for seat in range(self.players):
            if seat:
                b.add(ir.Copy(state, common, self._size))
            self.program.changed(b)
            after = op("i64.mul", op("i64.add", drawn, ir.i64(1)), ir.i64(self.players))
            stream = op("i64.add", after, ir.i64(1 + seat))
            b.store("i64.store", ir.i32(0), layout.stream, stream)
            b.store("i64.store", ir.i32(0), layout.drawn, ir.i64(0))
            b.store("i64.store", ir.i32(0), self.count, ir.i64(0))
            b.store("i32.store8", self._of_fork(number, 2), 0, ir.i32(seat))
            b.add(ir.Call(self.run, (self._of_fork(number, 0),), ()))
            b.add(ir.Copy(self.branch(ir.i32(seat)), state, self._size))
        b.add(ir.Copy(state, common, self._size))
        self.program.changed(b)
        b.set(self.program.apart, ir.i32(0))
        b.store("i32.store", ir.i32(0), layout.fork, number)

    def _joining(self, take: ir.Function) -> None:
        """If nobody is to decide any more, play what all chose, seat by seat; gives whether."""
        b, layout = Builder(self.joined), self.layout
        for seat in range(self.players):
            with b.when(self.open_in(ir.i32(seat))):
                b.leave(ir.i32(0))
        number = b.keep(ir.load("i32.load", ir.i32(0), layout.fork))
        stream = b.keep(ir.load("i64.load", ir.i32(0), layout.stream))
        drawn = b.keep(ir.load("i64.load", ir.i32(0), layout.drawn))
        b.store("i32.store", ir.i32(0), layout.fork, ir.i32(0))
        for seat in range(self.players):
            self._replay(b, number, seat, take)
        b.store("i64.store", ir.i32(0), layout.stream, stream)
        b.store("i64.store", ir.i32(0), layout.drawn, op("i64.add", drawn, ir.i64(1)))
        b.store("i32.store", ir.i32(0), layout.point, ir.i32(0))
        self.disclosing.shown(b)
        b.leave(ir.i32(1))

    def _replay(self, b: Builder, number: Code, seat: int, take: ir.Function) -> None:
        """Play a player's choices on the common state."""
        layout, mine = self.layout, b.keep(self.branch(ir.i32(seat)))
        stream = ir.load("i64.load", mine, layout.stream - STATE)
        b.store("i64.store", ir.i32(0), layout.stream, stream)
        b.store("i64.store", ir.i32(0), layout.drawn, ir.i64(0))
        b.store("i32.store8", self._of_fork(number, 2), 0, ir.i32(seat))
        b.add(ir.Call(self.run, (self._of_fork(number, 0),), ()))
        left = b.begin(ir.load("i64.load", mine, self.count - STATE), "left")
        entry = b.begin(op("i32.add", mine, ir.i32(self.choices - STATE)), "entry")
        with b.block() as done, b.loop() as again:
            b.jump(done, op("i64.eqz", ir.Get(left)))
            b.jump(done, ir.load("i32.load", ir.i32(0), layout.ended))
            here = ir.load("i32.load", ir.i32(0), layout.point)
            with b.when(op("i32.le_s", here, ir.i32(0))):
                self.program.stop(b, Stop.ELSEWHERE, Scope())
            b.add(
                ir.Copy(
                    ir.i32(OUTPUT), op("i32.add", ir.Get(entry), ir.i32(8)), ir.i32(self.point - 8)
                )
            )
            b.add(ir.Call(take, (ir.load("i64.load", ir.Get(entry)),), ()))
            b.set(entry, op("i32.add", ir.Get(entry), ir.i32(self._entry)))
            b.set(left, op("i64.sub", ir.Get(left), ir.i64(1)))
            b.jump(again)

    # -------------------------------------------------------------------------------- asking
    @contextmanager
    def at_first_seat(self, b: Builder) -> Iterator[None]:
        """What is written meanwhile asks in the branch of the first player who is to decide.

        The seat is -1 without one.
        """
        seat = self.program.seat
        if not self.forks:
            yield
            return
        self.first_seat(b)
        with b.when(ir.load("i32.load", ir.i32(0), self.layout.fork)):
            b.add(ir.Call(self.look, (ir.Get(seat),), ()))
        yield
        with b.when(op("i32.ge_s", ir.Get(seat), ir.i32(0))):
            b.add(ir.Call(self.back, (ir.Get(seat),), ()))

    def first_seat(self, b: Builder) -> None:
        """Say which player is the first who is to decide while others do, -1 if none does."""
        seat = self.program.seat
        b.set(seat, ir.i32(NONE))
        if self.forks:
            with b.when(ir.load("i32.load", ir.i32(0), self.layout.fork)):
                for number in range(self.players - 1, -1, -1):
                    with b.when(self.open_in(ir.i32(number))):
                        b.set(seat, ir.i32(number))

    def seats(self, b: Builder) -> Code:
        """The players who are to decide at once, as bits."""
        found = b.begin(ir.i32(0), "seats")
        if self.forks:
            with b.when(ir.load("i32.load", ir.i32(0), self.layout.fork)):
                for number in range(self.players):
                    with b.when(self.open_in(ir.i32(number))):
                        b.set(found, op("i32.or", ir.Get(found), ir.i32(1 << number)))
        return ir.Get(found)

    def committed(self, b: Builder) -> Code:
        """Has anybody decided of those who do so at once?"""
        found = b.begin(ir.i32(0), "committed")
        if self.forks:
            with b.when(ir.load("i32.load", ir.i32(0), self.layout.fork)):
                for seat in range(self.players):
                    made = ir.load("i64.load", self.branch(ir.i32(seat)), self.count - STATE)
                    some = op("i64.ne", made, ir.i64(0))
                    b.set(found, op("i32.or", ir.Get(found), some))
        return ir.Get(found)

    def behind(self, b: Builder, slot: Code, written: bool) -> None:
        """Where players decide at once, copy their branches to their places from behind a slot; or,
        if they are to be `written` there, the other way round.
        """
        if self.forks:
            with b.when(ir.load("i32.load", ir.i32(0), self.layout.fork)):
                at = b.begin(op("i32.add", slot, self._size), "at")
                for seat in range(self.players):
                    mine, held = self.branch(ir.i32(seat)), ir.Get(at)
                    to, of = (held, mine) if written else (mine, held)
                    b.add(ir.Copy(to, of, self._size))
                    b.set(at, op("i32.add", ir.Get(at), self._size))

    def copied(self, b: Builder, to: int) -> None:
        """Copy the branches that are open, each behind the one before."""
        if self.forks:
            with b.when(ir.load("i32.load", ir.i32(0), self.layout.fork)):
                for seat in range(self.players):
                    place = ir.i32(to + seat * self.program.STRIDE)
                    b.add(ir.Copy(place, self.branch(ir.i32(seat)), self._size))

    # -------------------------------------------------------------------------------- choosing
    def choose(self, b: Builder, seat: Code, value: Code, by: Choosing) -> None:
        """Take an option in a player's branch; when all are done, go on together.

        It is taken by the second function, after the first has written into the output what the
        option means.
        """
        b.add(ir.Call(self.look, (seat,), ()))
        self._take(b, value, by)
        b.add(ir.Call(self.back, (seat,), ()))
        self._go_on(b)

    def played_on(
        self, b: Builder, draw: Callable[[], Code], by: Choosing, going_on: Callable[[], Code]
    ) -> None:
        """Where players decide at once, let one after the other do so until he is done.

        `draw` writes what is chosen; `going_on` tells after each choice whether it may go on. The
        common state is put aside once for all of them, and each branch takes its place once.
        """
        if not self.forks:
            return
        seat, state, common = self.program.seat, ir.i32(STATE), ir.i32(self.program.COMMON)
        with b.when(ir.load("i32.load", ir.i32(0), self.layout.fork)):
            b.add(ir.Copy(common, state, self._size))
            b.set(self.program.apart, ir.i32(1))
            b.set(seat, ir.i32(0))
            with b.loop() as next_seat:
                self._played_out(b, draw, by, going_on)
                b.set(seat, op("i32.add", ir.Get(seat), ir.i32(1)))
                b.jump(next_seat, op("i32.lt_s", ir.Get(seat), ir.i32(self.players)))
            b.set(seat, ir.i32(NONE))
            b.add(ir.Copy(state, common, self._size))
            b.set(self.program.apart, ir.i32(0))
            self.program.changed(b)
            self._go_on(b)

    def _played_out(
        self, b: Builder, draw: Callable[[], Code], by: Choosing, going_on: Callable[[], Code]
    ) -> None:
        """Let the player whose seat it is choose, if he is to decide, until he is done."""
        seat, state = ir.Get(self.program.seat), ir.i32(STATE)
        with b.block() as done:
            b.jump(done, op("i32.eqz", op("i32.and", self.open_in(seat), going_on())))
            b.add(ir.Copy(state, self.branch(seat), self._size))
            self.program.changed(b)
            with b.loop() as again:
                self._take(b, draw(), by)
                ended, point = (
                    ir.load("i32.load", ir.i32(0), at)
                    for at in (self.layout.ended, self.layout.point)
                )
                is_open = op("i32.and", op("i32.eqz", ended), op("i32.ne", point, ir.i32(DONE)))
                b.jump(again, op("i32.and", is_open, going_on()))
            b.add(ir.Copy(self.branch(seat), state, self._size))

    def _take(self, b: Builder, value: Code, by: Choosing) -> None:
        """Take an option in the branch that stands where the common state did, and note it."""
        spelled, take = by
        if spelled is not None:
            b.add(ir.Call(spelled, (value,), ()))
        count = b.keep(ir.load("i64.load", ir.i32(0), self.count))
        with b.when(op("i64.ge_u", count, ir.i64(MOST_CHOICES))):
            self.program.stop(b, Stop.ELSEWHERE, Scope())
        at = b.keep(op("i32.mul", op("i32.wrap_i64", count), ir.i32(self._entry)))
        b.store("i64.store", at, self.choices, value)
        point = ir.load("i32.load", ir.i32(0), self.layout.point)
        b.store("i32.store", at, self.choices + self.point, point)
        beside = op("i32.add", at, ir.i32(self.choices + 8))
        b.add(ir.Copy(beside, ir.i32(OUTPUT), ir.i32(self.point - 8)))
        b.store("i64.store", ir.i32(0), self.count, op("i64.add", count, ir.i64(1)))
        b.add(ir.Call(take, (value,), ()))

    def _go_on(self, b: Builder) -> None:
        """When all are done, go on together."""
        number = b.keep(ir.load("i32.load", ir.i32(0), self.layout.fork))
        (joined,) = b.call(self.joined)
        going_on = op("i32.eqz", ir.load("i32.load", ir.i32(0), self.layout.ended))
        with b.when(op("i32.and", joined, going_on)):
            b.add(ir.Call(self.run, (self._of_fork(number, 1),), ()))
