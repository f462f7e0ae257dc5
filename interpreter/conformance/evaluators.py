"""Comparison of evaluators: each plays the same choices, and all must agree at every step.

They are compared in options, scores, states and reasons.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from interpreter.conformance.laws import Case, bare, candidates, difference, written
from interpreter.engine.decisions import Decision, Option
from interpreter.game.game import Game, Illegal, State
from interpreter.game.worked_out import WorkedOut
from interpreter.model.position import Position
from interpreter.model.values import Fault

if TYPE_CHECKING:
    from interpreter.native.resuming import Resumed

LISTED = 60  # options of a decision that are compared
PROBED = 2  # choices that may be illegal, of which the reasons are compared


class Evaluator(Protocol):
    """One implementation of the rules, playing one game."""

    def choose(self, option: Option) -> None:
        """Make a choice; it is legal."""

    def differs(self, state: State) -> str | None:
        """How its state is another than this one; none if it is the same."""

    def facts(self, probes: Sequence[Option]) -> dict[str, object]:
        """What it says of the state, as plain data under the names all evaluators share.

        A name is missing where it has nothing to say.
        """


# From a game and a seed; raises Left where the evaluator cannot play these rules.
Maker = Callable[[Game, int], Evaluator]


class Stated:
    """An evaluator that goes from state to state."""

    def __init__(self, game: Game, seed: int) -> None:
        """Start a game."""
        self.state = self.read(game.start(seed))

    def read(self, state: State) -> State:
        """The state as this evaluator goes on from it."""
        return state

    def choose(self, option: Option) -> None:
        """Make a choice."""
        self.state = self.read(self.state.choose(option))

    def differs(self, state: State) -> str | None:
        """The hashes, if they differ."""
        return difference(self.state.digest(), state.digest())

    def facts(self, probes: Sequence[Option]) -> dict[str, object]:
        """Options, scores, the end, and why each probe may not be chosen (none: it may)."""
        state = self.state
        asked = sorted(state.decisions, key=lambda d: d.player)
        return {
            "options": [_listed(d.player, d.name, d.options()) for d in asked],
            "next": _next(asked[0]) if asked else None,
            "scores": state.scores(),
            "ended": state.ended_by,
            "ranking": state.ranking if state.over else [],
            "reasons": [_why(state, probe) for probe in probes],
        }


class WithoutMemos(Stated):
    """An evaluator that goes from state to state and drops all memos every so many choices."""

    EVERY = 5

    def read(self, state: State) -> State:
        """The state; at every fifth without memos."""
        return bare(state) if state.moves % self.EVERY == 0 else state


class InModule:
    """The native engine. What its module leaves to the reference is not compared."""

    def __init__(self, game: Game, seed: int) -> None:
        """Start a game; raises Left where there is no module of it."""
        found = _resumed_of(game)
        if isinstance(found, str):
            raise Left(found)
        self.resumed, self.native = found, found.instance
        with _left():
            self.native.start(seed)

    def choose(self, option: Option) -> None:
        """Make a choice, in the branch of its player while players decide at once."""
        with _left():
            self.resumed.take(option.value, option.player if self.resumed.forked else None)

    def differs(self, state: State) -> str | None:
        """What lies where and the values of variables."""
        mine, theirs = _table(self.native.position()), _table(state.position)
        return (
            None
            if mine == theirs
            else difference([written(part) for part in mine], [written(part) for part in theirs])
        )

    def facts(self, probes: Sequence[Option]) -> dict[str, object]:
        """What it asks next, the scores, the end."""
        with _left():
            seats = self.native.seats()
            ended = self.native.open().ended
            found: dict[str, object] = {"scores": self.native.scores(), "ended": ended}
            if ended is None:
                with self.native.at(seats[0] if seats else None):
                    found["next"] = self._next()
            return found

    def _next(self) -> dict[str, object] | None:
        open_now = self.native.open()
        if open_now.decision is None:
            return None
        name, player = open_now.decision.name, open_now.player
        return _listed(player, name, (Option(player, name, v) for v in self.native.values()))


class Left(Exception):
    """What an evaluator leaves to the others: from here on it is not compared."""


@contextmanager
def _left() -> Iterator[None]:
    from interpreter.native.runtime import AskReference

    try:
        yield
    except AskReference as left:
        raise Left(str(left)) from None


def _made(game: Game) -> Resumed | str:
    try:
        from interpreter.game.kept_modules import instance_of
        from interpreter.native.resuming import Resumed
        from interpreter.native.values import NotLowered
    except ImportError:
        return "wasmtime is not installed (`pip install 'rulelang[native]'`)"
    try:
        return Resumed(instance_of(game))
    except NotLowered as found:
        return str(found)


# A module of a game for the battery alone, which plays its games one after the other; or why not.
_resumed_of = WorkedOut(_made)


def _table(s: Position) -> list[object]:
    """The canonical form of a position without its frames, branches and commits, and its end."""
    found = list(s.canonical())
    return [*found[:6], found[9]]


def _next(decision: Decision) -> dict[str, object]:
    """A decision with its options; where several are chosen, with what they are chosen from."""
    values = (
        decision.spec.domain
        if decision.spec.mode in ("some", "order")
        else (o.value for o in itertools.islice(decision.options(), LISTED))
    )
    return _listed(
        decision.player, decision.name, (Option(decision.player, decision.name, v) for v in values)
    )


def _listed(player: int, name: str, options: Iterable[Option]) -> dict[str, object]:
    return {
        "player": player,
        "name": name,
        "options": [written(o.value) for o in itertools.islice(options, LISTED)],
    }


MAKERS: dict[str, Maker] = {
    "reference": Stated,
    "reference, forgetful": WithoutMemos,
    "native": InModule,
}


def _why(state: State, probe: Option) -> list[object] | None:
    try:
        state.choose(probe)
    except (Illegal, Fault) as error:
        return [
            str(error),
            [dataclasses.asdict(reason) for reason in getattr(error, "reasons", ())],
        ]
    return None


class Abreast:
    """All evaluators of one game, kept in step with its state."""

    def __init__(self, case: Case) -> None:
        """Each is started from the game's seed."""
        self.case = case
        self.playing: dict[str, Evaluator] = {}
        for name, make in MAKERS.items():
            try:
                self.playing[name] = make(case.game, case.seed)
            except Left as left:
                case.ledger.not_compared[f"{name}: {left}"] += 1

    def choose(self, option: Option, later: State, thorough: bool) -> None:
        """Let all make a choice; one that fails, or differs if `thorough`, is dropped and noted."""
        for name, evaluator in list(self.playing.items()):
            try:
                evaluator.choose(option)
                fact = evaluator.differs(later) if thorough else None
            except Left as left:
                self._leave(name, left)
                continue
            except Exception as error:
                fact = f"{type(error).__name__}: {error}"
            self.case.note("evaluators", f"{name}, after {option.name}: {fact}" if fact else None)
            if fact:
                del self.playing[name]

    def _leave(self, name: str, left: Left) -> None:
        """Note that the rest of the game is not compared with this one."""
        self.case.ledger.not_compared[f"{name}: {left}"] += 1
        del self.playing[name]

    def compare(self, state: State) -> None:
        """Hold what each says of the state against what the first says."""
        probes = _probes(self.case, state)
        said = {}
        for name, evaluator in list(self.playing.items()):
            try:
                said[name] = evaluator.facts(probes)
            except Left as left:
                self._leave(name, left)
        first = next(iter(said), None)
        for name, facts in said.items():
            if first is not None and name != first:
                self.case.same(
                    "evaluators",
                    {what: said[first][what] for what in facts},
                    facts,
                    f"{first} / {name}",
                )


def _probes(case: Case, state: State) -> list[Option]:
    found = []
    for decision in state.decisions:
        if decision.spec.mode in ("one", "action"):
            values = candidates(state, decision.spec)
            found += [
                Option(decision.player, decision.name, v)
                for v in case.rng.sample(values, min(PROBED, len(values)))
            ]
    return found
