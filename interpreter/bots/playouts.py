"""Playouts: random games played in place by generated blocks.

A move is a small integer; no log is kept and nothing is copied.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from interpreter.game.game import Game
from interpreter.game.worked_out import WorkedOut
from interpreter.generated.blocks import DONE, FORK, OVER, Fork, Unwritten
from interpreter.generated.evaluator import Generated
from interpreter.generated.lines import BoundRegion, Line, Runs
from interpreter.generated.openings import Bound, Draw, bound
from interpreter.generated.program import Program
from interpreter.model.position import Position, empty_position
from interpreter.model.values import Fault
from rulelang.core.values import Value, number


class Playouts:
    """Plays one set-up game in place; raises Unwritten where its flow cannot be compiled."""

    def __init__(self, game: Game) -> None:
        """Blocks are generated once for the ruleset and bound to this game."""
        generated = game.rules.generated
        if not isinstance(generated, Generated):
            raise Unwritten("the reference evaluator")
        self.game, self.program = game, _program(generated)
        bind = generated.function
        self.blocks = [bind(name) for name in self.program.blocks]
        self.choices = [bound(c, bind) for c in self.program.choices]
        # Decision d is open at block number -1 - d, which thus indexes these from the end.
        self.applies = [c.apply for c in reversed(self.choices)]
        self.draws = [
            c.sample if c.choice.kind == "one" else c.draw for c in reversed(self.choices)
        ]
        self.regions = [
            BoundRegion(bind(r.value), bind(r.bound) if r.bound else None, r.aside, r.exits)
            for r in self.program.regions
        ]
        if generated.module.unwritten:
            raise Unwritten("what is nested too deep")
        self.template = empty_position(game.setup, 0)
        self.grown = any(b.grown_from is not None for b in game.rules_source.boards.values())
        if any(
            game.rules.holds(self.template, e.cond)
            for e in game.rules_source.endings
            if e.unit is None
        ):
            raise Unwritten("an end that holds before the game begins")

    def start(self, seed: int = 0) -> Play:
        """A game at its first decision."""
        s = _fresh(self.template, self.grown)
        s.seed = seed
        return Play(self, s, [None] * len(self.program.slots), self.program.start)

    def playout(self, seed: int, draw: Draw | None = None) -> Play:
        """A random game played to its end."""
        play = self.start(seed)
        play.finish(draw or random.Random(seed).random)
        return play


def _made(game: Game) -> Playouts | None:
    try:
        return Playouts(game)
    except Unwritten:
        return None


playouts_of = WorkedOut(_made)  # the playouts of a game; none if its flow cannot be compiled


class Play(Line):
    """One game in progress: its common line, and each seat's line in simultaneous play."""

    __slots__ = ("moves", "of", "seats")

    def __init__(self, of: Playouts, s: Position, registers: list[Value], at: int) -> None:
        """Run from block `at` to the first decision."""
        super().__init__(s, registers, at)
        self.of, self.moves = of, 0
        self.seats: dict[int, Line] = {}
        with s.setup.work.question():
            self._go_on()

    def _go_on(self) -> None:
        """Run to the next decision or the end, through forks in which nobody decides."""
        self.run(self.of.blocks)
        while self.at <= FORK:
            if not self.seats:
                self._fork(self.of.program.forks[FORK - self.at])
            if any(seat.at != DONE for seat in self.seats.values()):
                return
            self._join(self.of.program.forks[FORK - self.at])
            self.run(self.of.blocks)

    def _fork(self, fork: Fork) -> None:
        players = self.of.game.players
        for p in range(players):
            seat = Line(self.s.copy(), self.registers.copy(), fork.inside)
            seat.registers[fork.player] = p
            seat.s.stream, seat.s.drawn = 1 + p + players * (self.s.drawn + 1), 0
            self._run_seat(seat)
            self.seats[p] = seat

    def _run_seat(self, seat: Line) -> None:
        """Run a seat's line to its next decision; raises Fault for nested simultaneous play."""
        seat.run(self.of.blocks)
        if seat.at <= FORK:
            raise Fault("play at once within play at once")

    def _join(self, fork: Fork) -> None:
        """Replay what the seats chose on the common position, in seat order."""
        s, drawn, seats = self.s, self.s.drawn, self.seats
        self.seats = {}
        for p, seat in sorted(seats.items()):
            s.stream, s.drawn = seat.s.stream, 0
            line = Line(s, self.registers.copy(), fork.inside)
            line.registers[fork.player] = p
            line.run(self.of.blocks)
            for at, value in seat.chosen:
                line.at = self.of.applies[at](s, line.registers, value)
                line.run(self.of.blocks)
        s.stream, s.drawn = 0, drawn + 1
        self.at = fork.back(self.registers)

    def copy(self) -> Play:
        """A copy that shares nothing mutable."""
        other = object.__new__(Play)
        other.s, other.registers, other.at, other.chosen, other.goal = (
            self.s.copy(),
            self.registers.copy(),
            self.at,
            self.chosen.copy(),
            self.goal,
        )
        other.of, other.moves, other.seats = (
            self.of,
            self.moves,
            {p: seat.copy() for p, seat in self.seats.items()},
        )
        return other

    # --------------------------------------------------------------------------- queries
    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.at == OVER

    @property
    def line(self) -> Line:
        """The line that decides next: in simultaneous play the first seat that is not done."""
        if not self.seats:
            return self
        return next(seat for _, seat in sorted(self.seats.items()) if seat.at != DONE)

    @property
    def open(self) -> Bound:
        """The decision that is open."""
        return self.of.choices[-1 - self.line.at]

    @property
    def player(self) -> int:
        """Who decides."""
        line = self.line
        return self.open.by(line.s, line.registers)

    def count(self) -> int:
        """How many moves there are."""
        line = self.line
        return (
            self.open.count(line.s, line.registers)
            if line.registers[self.of.program.mark] is None
            else len(self._offered(line))
        )

    def values(self) -> list[Value]:
        """The legal values in the stable order; move i is the i-th of them."""
        line = self.line
        found = self._offered(line)
        return (
            [self.open.choice.values[number(i)] for i in found]
            if self.open.choice.kind == "action"
            else found
        )

    def _offered(self, line: Line) -> list[Value]:
        found = self.of.choices[-1 - line.at].values(line.s, line.registers)
        runs = self._runs(line)
        return found if runs is None else [value for value in found if runs.keeps(value)]

    def _runs(self, line: Line) -> Runs | None:
        """The search of the innermost open `maximize`, if there is one."""
        program = self.of.program
        opened = line.registers[program.mark]
        if opened is None:
            return None
        goal = line.goal[1] if line.goal is not None and line.goal[0] is opened else None
        runs = Runs(
            line,
            self.of.regions[opened[0]],
            self.of.blocks,
            self.of.choices,
            program.mark,
            program.searched,
            goal,
        )
        line.goal = (opened, runs.goal) if runs.goal is not None else None
        return runs

    # ------------------------------------------------------------------------------ moves
    def move(self, number: int) -> None:
        """Choose the option of this number; raises IndexError if there is none."""
        line = self.line
        self.take(self._offered(line)[number])

    def take(self, value: Value) -> None:
        """Choose a value known to be legal; an action is given by its number in the decision."""
        line = self.line
        at = line.at
        self.moves += 1
        if line.goal is not None and (self._within(line) or self._aside(line, value)):
            line.goal = None
        if line is not self:
            line.chosen.append((at, value))
        with line.s.setup.work.question():
            line.at = self.of.applies[at](line.s, line.registers, value)
            if line is not self:
                self._run_seat(line)
            self._go_on()

    def _aside(self, line: Line, value: Value) -> bool:
        """Whether this is an action that `maximize` sets aside: the best is then sought anew."""
        choice, opened = self.of.choices[-1 - line.at].choice, line.registers[self.of.program.mark]
        return (
            choice.kind == "action"
            and opened is not None
            and choice.values[number(value)] in self.of.regions[opened[0]].aside
        )

    def _within(self, line: Line) -> bool:
        """Whether an action that `maximize` sets aside is being carried out."""
        opened = line.registers[self.of.program.mark]
        if opened is None:
            return False
        return any(line.registers[back] is not None for back, _ in self.of.regions[opened[0]].exits)

    def take_any(self, draw: Draw) -> tuple[str, Value]:
        """Take a random option, ignoring `maximize`; returns the decision's name and the choice."""
        line, choice = self.line, self.open.choice
        value = self.of.draws[line.at](line.s, line.registers, draw)
        if value is None:
            raise Fault(f"nothing can be chosen for {choice.name}")
        line.goal = None  # it may be out of reach after this
        self.take(value)
        return choice.name, choice.values[value] if choice.kind == "action" else value

    def finish(self, draw: Draw) -> None:
        """Play to the end by chance, or to the bound the rules set for a game."""
        of, most = self.of, self.of.game.rules_source.max_moves
        draws, applies = of.draws, of.applies
        while self.at != OVER and self.moves < most:
            if self.seats or of.regions:
                line = self.line
                runs = self._runs(line)
                if runs is None:
                    self.take(draws[line.at](line.s, line.registers, draw))
                else:
                    self.take(
                        runs.draw(of.choices[-1 - line.at].values(line.s, line.registers), draw)
                    )
            else:
                self._finish(of.blocks, draws, applies, draw, most)

    def _finish(
        self,
        blocks: list[Callable[[Position, list[Value]], int]],
        draws: list[Callable[[Position, list[Value], Draw], Value]],
        applies: list[Callable[[Position, list[Value], Value], int]],
        draw: Draw,
        most: int,
    ) -> None:
        """The inner loop of `finish` for a single line; kept free of method calls for speed."""
        s, r, n, moves = self.s, self.registers, self.at, self.moves
        work = s.setup.work
        steps = work.most_steps
        work.begin()
        try:
            while n > OVER and moves < most:
                n = applies[n](s, r, draws[n](s, r, draw))
                moves += 1
                while n >= 0:
                    n = blocks[n](s, r)
                    if work.steps > steps and n != OVER:
                        work.endless()
                work.steps, work.visits = 0, work.most_visits
        finally:
            work.open = False
        self.at, self.moves = n, moves
        if n <= FORK:
            self._go_on()

    def scores(self) -> list[int]:
        """The first ranking key of each player."""
        ranks = self.of.game.rules_source.ranks
        number = self.of.game.rules.number
        return [
            number(ranks[0].key, self.s, {"player": p}) if ranks else 0
            for p in range(self.of.game.players)
        ]


def _program(generated: Generated) -> Program:
    module = generated.module
    if module.program is None:
        try:
            module.program = Program(module)
        except RecursionError:
            raise Unwritten("what is nested too deep") from None
    found: Program = module.program
    return found


def _fresh(template: Position, grown: bool) -> Position:
    """A copy of the template that shares nothing mutable but tables of boards that do not grow."""
    s = object.__new__(Position)
    d = s.__dict__
    d.update(template.__dict__)
    d["vars"] = {name: values.copy() for name, values in template.vars.items()}
    d["memos"] = {}
    if template.where:  # without pieces nothing of this ever changes
        d["places"] = template.places.copy()
        d["where"] = template.where.copy()
        d["on"] = {layer: {} for layer in template.on}
        d["tiles"] = {board: {} for board in template.tiles}
        d["known"] = {}
    if grown:
        d["geometry"] = {}
    return s
