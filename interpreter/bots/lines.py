"""Lines of play drawn at random from one state, as far as one player alone decides.

Each choice edits a position in place, and no event is written down. What an open `maximize` would
not have is drawn, too: to look for the best at each step would take longer than the line is worth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar

from interpreter.bots.planner import stands
from interpreter.engine.decisions import Spec
from interpreter.engine.events import Refused
from interpreter.engine.walker import Place
from interpreter.game.game import Game, State
from interpreter.game.worked_out import WorkedOut
from interpreter.model.position import Position
from interpreter.model.values import Fault
from rulelang import core
from rulelang.core.types import NUMBER
from rulelang.core.values import Value

T = TypeVar("T")
_machines = WorkedOut(lambda game: game.machine.unlogged())
Draw: TypeAlias = Callable[[], float]  # gives numbers from 0 up to 1


class Line:
    """A play in progress, edited in place."""

    def __init__(self, game: Game, s: Position) -> None:
        """The position is the line's own."""
        self.game, self.s = game, s
        self._spec = self._next()

    def _next(self) -> Spec | None:
        """The decision of one player alone, if there is one."""
        if self.s.branches:
            return None
        return next(iter(self.game.decider.open(self.s)), None)

    @property
    def _now(self) -> Spec:
        assert self._spec is not None
        return self._spec

    @property
    def open(self) -> bool:
        """Does one player alone decide next?"""
        return self._spec is not None

    @property
    def player(self) -> int:
        """Who that is."""
        return self._now.player

    @property
    def about_number(self) -> bool:
        """Does he choose a number?"""
        stmt = self._now.stmt
        return isinstance(stmt, core.Choose) and stmt.mode == "one" and stmt.item == NUMBER

    @property
    def rounds(self) -> int:
        """How many rounds are finished."""
        return self.s.rounds

    def copy(self) -> Line:
        """A line that goes on from here by itself."""
        other = object.__new__(Line)
        other.game, other.s, other._spec = self.game, self.s.copy(), self._spec
        return other

    def reseed(self, seed: int) -> None:
        """From here on chance is that of another seed."""
        self.s.seed = seed

    def take_any(self, draw: Draw) -> tuple[str, Value]:
        """Take an option by chance."""
        spec = self._now
        value = self._drawn(spec, draw)
        self.take(value)
        return spec.name, value

    def take(self, value: Value) -> None:
        """Take an option; raises Fault, and then the line is at its end."""
        machine, self._spec = _machines(self.game), None
        try:
            with machine.work.question():
                machine.decide(self.s, value)
                machine.run(self.s)
        except Refused as refused:
            raise Fault(f"{refused.event} is refused") from None
        self._spec = self._next()

    def _drawn(self, spec: Spec, draw: Draw) -> Value:
        """One option by chance; raises Fault if there is none."""
        s, stmt, ahead = self.s, spec.stmt, self.game.lookahead
        act = s.stack[-1]
        match stmt:
            case core.Choose(mode="one"):
                place = Place(
                    self.game.machine.bodies[act.blocks[-1].body], act.blocks[-1].pc, act.env
                )
                return drawn_of(
                    tuple(ahead.candidates(s, act.env, stmt)),
                    lambda item: ahead.viable(s, place.naming(stmt.var, item)),
                    draw,
                    spec.name,
                )
            case core.Take():
                return drawn_of(
                    stmt.actions,
                    lambda name: ahead.offered(s, str(name), spec.player),
                    draw,
                    "action",
                )
            case core.May():
                return ahead.viable(s, Place(stmt.body, 0, act.env)) and draw() < 0.5
            case core.Choose(mode="order"):
                return tuple(several_of(spec.domain, None, draw))
            case core.Choose():
                return frozenset(several_of(spec.domain, (spec.low, spec.high), draw))
            case _:  # which member a loop goes on with
                return spec.domain[int(draw() * len(spec.domain))]

    def worth(self, player: int) -> int:
        """How a player stands."""
        return worth_of(self.game, self.s, player)


def worth_of(game: Game, s: Position, player: int) -> int:
    """How a player stands in a position, as one number."""
    beaten, *own, _, won = stands(game, s, player)
    return beaten + sum(own[:1]) + won


def begun(state: State) -> Line | None:
    """A line from a state, by the reference; none where not one player alone decides."""
    if state.over or state.position.branches or not state.position.stack:
        return None
    s = state.position.copy()
    s.log, s.dirty = (), False
    return Line(state.game, s)


# ---------------------------------------------------------------------------- what is drawn
def drawn_of(candidates: Sequence[T], fits: Callable[[T], bool], draw: Draw, name: str) -> T:
    """One of those that fit: candidates are tried by chance, and at last those that do are listed.

    Raises Fault if none does.
    """
    count = len(candidates)
    for _ in range(3 * count):
        item = candidates[int(draw() * count)]
        if fits(item):
            return item
    left = [item for item in candidates if fits(item)]
    if not left:
        raise Fault(f"nothing can be chosen for {name}")
    return left[int(draw() * len(left))]


def several_of(domain: Sequence[T], limits: tuple[int, int] | None, draw: Draw) -> list[T]:
    """The members in an order by chance; with limits the first of them, so many as are drawn."""
    members = list(domain)
    for i in range(len(members) - 1, 0, -1):
        j = int(draw() * (i + 1))
        members[i], members[j] = members[j], members[i]
    if limits is None:
        return members
    low, high = limits
    return members[: low + int(draw() * (high - low + 1))]
