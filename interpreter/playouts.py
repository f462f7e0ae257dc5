"""Playouts: games played in place by generated blocks, a move being a small integer; no log is kept and nothing is copied."""
from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from interpreter.evaluate import Fault
from interpreter.game import Game
from interpreter.generated.control import OVER, Choice, Program, Unwritten
from interpreter.generated.evaluator import Generated
from interpreter.state import Position, empty_position

MAX_BLOCKS = 200_000  # blocks between two decisions: more is a loop that asks nobody
Value = Any
Draw = Callable[[], float]


@dataclass(frozen=True)
class Bound:
    """A choice with its functions bound to a game."""

    choice: Choice
    by: Callable[..., int]
    apply: Callable[..., int]
    options: Callable[..., Any]
    sample: Callable[..., Value]
    low: Callable[..., int] | None
    high: Callable[..., int] | None

    # ---------------------------------------------------------------------------------------- what may be chosen
    def values(self, s: Position, r: list[Value]) -> list[Value]:
        """All options in the stable order; of several of a set, every subset."""
        kind = self.choice.kind
        if kind == "one":
            return list(self.options(s, r))
        if kind == "action":
            return [i for i in range(len(self.choice.values)) if self.options(s, r, i)]
        if kind == "may":
            return [False, True] if self.options(s, r) else [False]
        members = r[self.choice.domain]
        if kind == "member":
            return list(members)
        if kind == "order":
            return list(itertools.permutations(members))
        low, high = self.bounds(s, r, len(members))
        return [frozenset(c) for size in range(low, high + 1) for c in itertools.combinations(members, size)]

    def bounds(self, s: Position, r: list[Value], count: int) -> tuple[int, int]:
        """How few and how many of `count` may be chosen."""
        low = min(count, max(0, self.low(s, r))) if self.low is not None else 0
        return low, max(low, min(count, self.high(s, r)) if self.high is not None else count)

    def draw(self, s: Position, r: list[Value], draw: Draw) -> Value:
        """One option by chance, uniform in each factor."""
        kind = self.choice.kind
        if kind == "one":
            return self.sample(s, r, draw)
        if kind == "action":
            count = len(self.choice.values)
            for _ in range(3 * count):
                at = int(draw() * count)
                if self.options(s, r, at):
                    return at
            left = self.values(s, r)
            return left[int(draw() * len(left))] if left else None
        if kind == "may":
            return bool(self.options(s, r)) and draw() < 0.5
        members = list(r[self.choice.domain])
        if kind == "member":
            return members[int(draw() * len(members))]
        for i in range(len(members) - 1, 0, -1):
            j = int(draw() * (i + 1))
            members[i], members[j] = members[j], members[i]
        if kind == "order":
            return tuple(members)
        low, high = self.bounds(s, r, len(members))
        return frozenset(members[: low + int(draw() * (high - low + 1))])


class Playouts:
    """The games of one set-up game, played in place; raises Unwritten where the rules' play cannot be put in blocks."""

    def __init__(self, game: Game) -> None:
        """Blocks are written once for the ruleset and bound to this game."""
        generated = game.rules.generated
        if generated is None:
            raise Unwritten("the reference evaluator")
        self.game, self.program = game, _program(generated)
        bind = generated.function
        self.blocks = [bind(name) for name in self.program.blocks]
        self.choices = [_bound(c, bind) for c in self.program.choices]
        # decision d is open at -1 - d: counted from the end, so that the block's number is the index
        self.applies = [c.apply for c in reversed(self.choices)]
        self.draws = [c.sample if c.choice.kind == "one" else c.draw for c in reversed(self.choices)]
        self.template = empty_position(game.setup, 0)
        self.grown = any(b.grown_from is not None for b in game.rules_source.boards.values())
        self.start_over = any(game.rules.holds(self.template, e.cond) for e in game.rules_source.endings if e.unit is None)
        if self.start_over:
            raise Unwritten("an end that holds before the game begins")

    def start(self, seed: int = 0) -> Play:
        """A game that has come to its first decision."""
        s = _fresh(self.template, self.grown)
        s.seed = seed
        return Play(self, s, [None] * len(self.program.slots))

    def playout(self, seed: int, draw: Draw | None = None) -> Play:
        """A game played to its end by chance."""
        play = self.start(seed)
        play.finish(draw or random.Random(seed).random)
        return play


class Play:
    """One game being played: its position, its registers, and the block or decision it has come to."""

    __slots__ = ("at", "moves", "of", "registers", "s")

    def __init__(self, of: Playouts, s: Position, registers: list[Value]) -> None:
        """Runs to the first decision."""
        self.of, self.s, self.registers, self.moves = of, s, registers, 0
        self.at = of.program.start
        self._run()

    def _run(self) -> None:
        blocks, s, r, n = self.of.blocks, self.s, self.registers, self.at
        steps = 0
        while n >= 0:
            n = blocks[n](s, r)
            steps += 1
            if steps > MAX_BLOCKS:
                raise Fault(f"{MAX_BLOCKS} blocks without a decision")
        self.at = n

    @property
    def over(self) -> bool:
        """Is the game over?"""
        return self.at == OVER

    @property
    def open(self) -> Bound:
        """The decision that is open."""
        return self.of.choices[-1 - self.at]

    @property
    def player(self) -> int:
        """Who decides."""
        return self.open.by(self.s, self.registers)

    def count(self) -> int:
        """How many moves there are; of several of a set or an order, every one counts."""
        open_ = self.open
        if open_.choice.kind == "order":
            return math.factorial(len(self.registers[open_.choice.domain]))
        if open_.choice.kind == "some":
            members = len(self.registers[open_.choice.domain])
            low, high = open_.bounds(self.s, self.registers, members)
            return sum(math.comb(members, size) for size in range(low, high + 1))
        return len(open_.values(self.s, self.registers))

    def values(self) -> list[Value]:
        """What may be chosen, in the stable order; move i is the i-th of them."""
        found = self.open.values(self.s, self.registers)
        return [self.open.choice.values[i] for i in found] if self.open.choice.kind == "action" else found

    def move(self, number: int) -> None:
        """Choose the option of this number; raises IndexError if there is none."""
        self._take(self.open.values(self.s, self.registers)[number])

    def _take(self, value: Value) -> None:
        self.moves += 1
        self.at = self.open.apply(self.s, self.registers, value)
        self._run()

    def finish(self, draw: Draw) -> None:
        """Play to the end by chance, or to the bound the rules set for a game."""
        blocks, draws, applies, s, r = self.of.blocks, self.of.draws, self.of.applies, self.s, self.registers
        n, moves, most = self.at, self.moves, self.of.game.rules_source.max_moves
        while n != OVER and moves < most:
            n = applies[n](s, r, draws[n](s, r, draw))
            moves += 1
            if n < 0:
                continue
            steps = 0
            while n >= 0:
                n = blocks[n](s, r)
                steps += 1
                if steps > MAX_BLOCKS:
                    raise Fault(f"{MAX_BLOCKS} blocks without a decision")
        self.at, self.moves = n, moves

    def scores(self) -> list[int]:
        """What the first line of the ranking comes to for each player."""
        ranks = self.of.game.rules_source.ranks
        value = self.of.game.rules.evaluator.value
        return [int(value(ranks[0].key, self.s, {"player": p})) if ranks else 0 for p in range(self.of.game.players)]


def _program(generated: Generated) -> Program:
    module = generated.module
    if module.program is None:
        module.program = Program(module)
    found: Program = module.program
    return found


def _bound(c: Choice, bind: Callable[[str], Any]) -> Bound:
    def maybe(name: str) -> Any:
        return bind(name) if name else None

    return Bound(c, bind(c.by), bind(c.apply), maybe(c.options), maybe(c.sample), maybe(c.low), maybe(c.high))


def _fresh(template: Position, grown: bool) -> Position:
    """A position like the template, sharing nothing that can change but what follows from boards that do not grow."""
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
