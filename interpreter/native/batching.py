"""Many games of one module, all stepped in one call.

Each stands in a slot of memory behind all that the module works in, and behind it the branches of
those who decide at once. It is copied to where play goes on, goes on to its next decision, and is
copied back; what may be chosen then is listed one game behind the other. Where players decide at
once the first who is still to decide is asked, in his branch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from interpreter.native import ir
from interpreter.native.builder import Builder
from interpreter.native.control import Control, Decision
from interpreter.native.families import Family
from interpreter.native.ir import Code, Ty, op
from interpreter.native.layout import OUTPUT, STATE
from interpreter.native.shared import Shared
from interpreter.native.values import MAX_WORDS, NONE

NAME = "stepped"
NOTHING = -(1 << 62)  # chosen where a game is only to be looked at
ASKED = (("game", "<i8"), ("value", "<i8"))  # what is said of a game that is stepped
TOLD = (
    ("ended", "<i4"),  # 0, or 1 and the number of the end
    ("point", "<i4"),  # the number of the decision, 0 of none
    ("player", "<i4"),  # who decides
    ("count", "<i4"),  # how many options there are
    ("words", "<i4"),  # of the set that each option is, if it is one
    ("seats", "<i4"),  # those who are still to decide at once, as bits
    ("learned", "<i4"),  # has the choice shown anybody something new
    ("committed", "<i4"),  # has any of them decided
    ("low", "<i8"),  # how many are to be chosen together, at least
    ("high", "<i8"),  # and at most
)
"""What is told of it then."""
_AT = {
    name: sum(int(size[2:]) for _, size in TOLD[:number]) for number, (name, _) in enumerate(TOLD)
}
TOLD_SIZE = sum(int(size[2:]) for _, size in TOLD)


def asked_size(decisions: Iterable[Decision]) -> int:
    """The bytes that are said of one game: beside a value stands the set or list of members that
    are chosen together.
    """
    return 8 * (len(ASKED) + MAX_WORDS * any(d.several for d in decisions))


class Questions(NamedTuple):
    """The functions by which a state is asked and gone on with."""

    choose: ir.Function
    decider: ir.Function
    options: ir.Function
    limits: ir.Function


class Batching:
    """Writes the function that steps games.

    From the row of number `stepping` on they are stepped as long as the options of one more have
    room; these are written from `listing` on, and behind the options of a game, if they are sets,
    their members. After a trap the game of that row stands as it did before.
    """

    def __init__(self, shared: Shared, control: Control) -> None:
        """What is shared stands in globals, for it must be known after a trap."""
        self.program, self.control = shared.program, control
        self.disclosing, self.simultaneous = shared.disclosing, control.simultaneous
        self.stepping = self.program.shared(Ty.I32, "stepping")
        self.listing = self.program.shared(Ty.I32, "listing")
        self.end = ir.Register(Ty.I32, "end")

    def written(self, questions: Questions, families: Mapping[int, Family]) -> None:
        """Write it; `families` are those of decisions between sets."""
        program, asked = self.program, asked_size(self.control.decisions)
        rows, told, slots, games = (
            ir.Register(Ty.I32, name) for name in ("rows", "told", "slots", "games")
        )
        params = [rows, told, slots, self.end, games]
        b = Builder(program.function(NAME, params, [], exported=True))
        at, size, branches = ir.Get(self.stepping), ir.Get(program.state_size), 1
        if self.simultaneous.forks:
            branches += self.simultaneous.players
        row, slot, answer = (b.new(Ty.I32, name) for name in ("row", "slot", "answer"))
        with b.block() as done, b.loop() as again:
            b.jump(done, op("i32.ge_s", at, ir.Get(games)))
            b.set(row, op("i32.add", ir.Get(rows), op("i32.mul", at, ir.i32(asked))))
            b.set(answer, op("i32.add", ir.Get(told), op("i32.mul", at, ir.i32(TOLD_SIZE))))
            before = op("i32.mul", ir.load("i32.load", ir.Get(row)), ir.i32(branches))
            b.set(slot, op("i32.add", ir.Get(slots), op("i32.mul", before, size)))
            b.add(ir.Copy(ir.i32(STATE), ir.Get(slot), size))
            self.simultaneous.behind(b, ir.Get(slot), False)
            self._chosen(b, ir.Get(row), asked, questions)
            listed = self._told(b, ir.Get(answer), questions, families)
            more = op("i32.add", ir.Get(self.listing), listed)
            b.jump(done, op("i32.gt_u", more, ir.Get(self.end)))
            b.set(self.listing, more)
            b.add(ir.Copy(ir.Get(slot), ir.i32(STATE), size))
            self.simultaneous.behind(b, ir.Get(slot), True)
            b.set(self.stepping, op("i32.add", at, ir.i32(1)))
            b.jump(again)

    def _chosen(self, b: Builder, row: Code, asked: int, questions: Questions) -> None:
        """Let a game go on with what was chosen, if anything was."""
        program, sets = self.program, asked - 8 * len(ASKED)
        program.replaced(b)
        b.set(self.disclosing.learned, ir.i32(0))
        self._as_a_question(b)
        value = b.keep(ir.load("i64.load", row, 8))
        with b.when(op("i64.ne", value, ir.i64(NOTHING))):
            (player,) = b.call(questions.decider)
            b.set(self.disclosing.actor, player)
            self.simultaneous.first_seat(b)
            if sets:
                beside = op("i32.add", row, ir.i32(8 * len(ASKED)))
                b.add(ir.Copy(ir.i32(OUTPUT), beside, ir.i32(sets)))
            b.add(ir.Call(questions.choose, (value,), ()))
            program.within_bounds(b)
            self._as_a_question(b)

    def _as_a_question(self, b: Builder) -> None:
        """What follows is a question of its own, whose work is counted from 0."""
        b.set(self.program.steps, ir.i64(0))
        b.set(self.program.visits, ir.i64(0))

    def _told(
        self, b: Builder, answer: Code, questions: Questions, families: Mapping[int, Family]
    ) -> Code:
        """Say how a game stands, and list what may be chosen, if there is room; gives how many
        bytes that takes.
        """
        layout = self.program.layout

        def tell(name: str, code: Code) -> None:
            store = "i64.store" if ir.ty_of(code) is Ty.I64 else "i32.store"
            b.store(store, answer, _AT[name], code)

        def held(at: int) -> Code:
            return ir.load("i32.load", ir.i32(0), at)

        b.add(ir.Fill(answer, ir.i32(0), ir.i32(TOLD_SIZE)))
        tell("ended", held(layout.ended))
        tell("learned", ir.Get(self.disclosing.learned))
        tell("committed", self.simultaneous.committed(b))
        tell("seats", self.simultaneous.seats(b))
        tell("player", ir.i32(NONE))
        size = b.begin(ir.i32(0), "size")
        with self.simultaneous.at_first_seat(b):
            tell("point", held(layout.point))
            here = op("i32.ne", held(layout.point), ir.i32(0))
            with b.when(op("i32.and", op("i32.eqz", held(layout.ended)), here)):
                (player,) = b.call(questions.decider)
                tell("player", player)
                (count,) = b.call(questions.options)
                tell("count", count)
                low, high = b.call(questions.limits, op("i64.extend_i32_u", count))
                tell("low", low)
                tell("high", high)
                words, first, stride = self._sets(b, families)
                tell("words", words)
                each = op("i32.shl", op("i32.add", words, ir.i32(1)), ir.i32(3))
                b.set(size, op("i32.mul", count, each))
                self._list(b, count, ir.Get(size), words, (first, stride))
        self.program.within_bounds(b)
        return ir.Get(size)

    def _sets(self, b: Builder, families: Mapping[int, Family]) -> tuple[Code, Code, Code]:
        """The words of each set that is chosen from, where the first of them stands, and the bytes
        from one to the next; 0 where none are.
        """
        words, first, stride = (b.begin(ir.i32(0), name) for name in ("words", "first", "stride"))

        def of(d: Decision) -> None:
            family = families.get(d.number)
            if family is not None:
                b.set(words, ir.i32(family.words))
                b.set(first, ir.i32(family.first))
                b.set(stride, ir.i32(family.stride))

        if families:
            self.control.by_decision(b, of)
        return ir.Get(words), ir.Get(first), ir.Get(stride)

    def _list(
        self, b: Builder, count: Code, size: Code, words: Code, sets: tuple[Code, Code]
    ) -> None:
        """Write the options from `listing` on, and the sets that they are, if there is room."""
        first, stride = sets
        end = op("i32.add", ir.Get(self.listing), size)
        with b.when(op("i32.le_u", end, ir.Get(self.end))):
            numbers = op("i32.shl", count, ir.i32(3))
            b.add(ir.Copy(ir.Get(self.listing), ir.i32(OUTPUT), numbers))
            with b.when(words):
                at = b.begin(ir.i32(0), "at")
                to = b.begin(op("i32.add", ir.Get(self.listing), numbers), "to")
                width = b.keep(op("i32.shl", words, ir.i32(3)))
                with b.block() as done, b.loop() as again:
                    b.jump(done, op("i32.ge_u", ir.Get(at), numbers))
                    number = ir.load("i32.load", ir.Get(at), OUTPUT)
                    row = op("i32.add", first, op("i32.mul", number, stride))
                    b.add(ir.Copy(ir.Get(to), row, width))
                    b.set(to, op("i32.add", ir.Get(to), width))
                    b.set(at, op("i32.add", ir.Get(at), ir.i32(8)))
                    b.jump(again)
