"""Comparison of evaluators: each plays the same choices, and all must agree at every step.

They are compared in options, scores, states and reasons.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from interpreter.bots.playouts import Playouts
from interpreter.conformance.laws import Case, bare, candidates, difference, written
from interpreter.engine.decisions import Decision, Option
from interpreter.game.game import Game, Illegal, State
from interpreter.generated.blocks import Unwritten
from interpreter.model.position import Position
from interpreter.model.values import Fault
from rulelang import core
from rulelang.core.values import Value

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


# From a game and a seed; none where the evaluator cannot play these rules.
Maker = Callable[[Game, int], Evaluator | None]


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


class InPlace:
    """Generated blocks that play in place; simultaneous decisions are asked one by one."""

    def __init__(self, game: Game, seed: int) -> None:
        """Start a game; raises Unwritten where the rules' play cannot be put in blocks."""
        self.play = Playouts(game).start(seed)
        self.waiting: dict[int, list[Value]] = {}  # choices of players whose turn it is not yet

    def choose(self, option: Option) -> None:
        """Make a choice as soon as its player is asked."""
        self.waiting.setdefault(option.player, []).append(option.value)
        while not self.play.over and self.waiting.get(self.play.player):
            self._take(self.waiting[self.play.player].pop(0))

    def _take(self, value: Value) -> None:
        if self.play.open.choice.kind in ("one", "some", "order"):
            self.play.take(value)
        else:
            self.play.move(self.play.values().index(value))

    @property
    def behind(self) -> bool:
        """Whether a choice is still waiting, or simultaneous decisions are open."""
        return bool(self.play.seats) or any(self.waiting.values())

    def differs(self, state: State) -> str | None:
        """What lies where and the values of variables, compared when nobody decides unseen."""
        if self.behind:
            return None
        mine, theirs = _table(self.play.s), _table(state.position)
        return (
            None
            if mine == theirs
            else difference([written(part) for part in mine], [written(part) for part in theirs])
        )

    def facts(self, probes: Sequence[Option]) -> dict[str, object]:
        """What it asks next, the scores, the end."""
        play = self.play
        found: dict[str, object] = {"scores": play.scores(), "ended": play.s.ended}
        if play.over or self.behind:
            return found if not self.behind else {}
        choice, line = play.open.choice, play.line
        several = choice.kind in ("some", "order")
        values = line.registers[choice.domain] if several else play.values()
        return {
            **found,
            "next": _listed(
                play.player, choice.name, (Option(play.player, choice.name, v) for v in values)
            ),
        }


def _table(s: Position) -> list[object]:
    """The canonical form of a position without its frames, branches and commits."""
    found = list(s.canonical())
    return found[:6] + found[9:]


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


def _reference(game: Game, seed: int) -> Evaluator:
    return Stated(
        Game(game.loaded, game.players, game.options, game.variants, reference=True), seed
    )


def _in_place(game: Game, seed: int) -> Evaluator | None:
    if any(
        isinstance(loop, core.Each) and loop.open is not None
        for loop in game.machine.numbered.loops.values()
    ):
        return None  # who looks on while others decide may choose otherwise in another order
    try:
        return InPlace(game, seed)
    except Unwritten:
        return None


MAKERS: dict[str, Maker] = {
    "reference": _reference,
    "generated": Stated,
    "generated, forgetful": WithoutMemos,
    "generated, in place": _in_place,
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
        made = {name: make(case.game, case.seed) for name, make in MAKERS.items()}
        self.playing = {
            name: evaluator for name, evaluator in made.items() if evaluator is not None
        }

    def choose(self, option: Option, later: State, thorough: bool) -> None:
        """Let all make a choice; one that fails, or differs if `thorough`, is dropped and noted."""
        for name, evaluator in list(self.playing.items()):
            try:
                evaluator.choose(option)
                fact = evaluator.differs(later) if thorough else None
            except Exception as error:
                fact = f"{type(error).__name__}: {error}"
            self.case.note("evaluators", f"{name}, after {option.name}: {fact}" if fact else None)
            if fact:
                del self.playing[name]

    def compare(self, state: State) -> None:
        """Hold what each says of the state against what the first says."""
        probes = _probes(self.case, state)
        said = {name: evaluator.facts(probes) for name, evaluator in self.playing.items()}
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
