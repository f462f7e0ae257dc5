"""Evaluators side by side: each plays the same choices, and at every step all say the same of options, scores, state and reasons."""
from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from interpreter.conform.laws import Case, bare, candidates, difference, written
from interpreter.decisions import Option
from interpreter.evaluate import Fault
from interpreter.game import Game, Illegal, State

LISTED = 60  # options of a decision that are compared
PROBED = 2  # choices that may be illegal, of which the reasons are compared


class Evaluator(Protocol):
    """One way of carrying out the rules, playing one game."""

    def choose(self, option: Option) -> None:
        """Make a choice; it is legal."""

    def digest(self) -> str:
        """The hash of the state."""

    def facts(self, probes: Sequence[Option]) -> dict[str, Any]:
        """What it says of the state, as plain data: options, scores, the end, and why each probe may not be chosen (none: it may)."""


Maker = Callable[[Game, int], Evaluator]  # from a game and a seed


class Reference:
    """The reference evaluator."""

    def __init__(self, game: Game, seed: int) -> None:
        """Start a game."""
        self.state = self.read(game.start(seed))

    def read(self, state: State) -> State:
        """The state as this evaluator goes on from it."""
        return state

    def choose(self, option: Option) -> None:
        """Make a choice."""
        self.state = self.read(self.state.choose(option))

    def digest(self) -> str:
        """The hash of the state."""
        return self.state.digest()

    def facts(self, probes: Sequence[Option]) -> dict[str, Any]:
        """What it says of the state."""
        state = self.state
        return {
            "options": [
                {"player": d.player, "name": d.name, "options": [written(o.value) for o in itertools.islice(d.options(), LISTED)]} for d in state.decisions
            ],
            "scores": state.scores(),
            "ended": state.ended_by,
            "ranking": state.ranking if state.over else [],
            "reasons": [_why(state, probe) for probe in probes],
        }


class Forgetful(Reference):
    """The reference evaluator with nothing remembered, every so many choices."""

    EVERY = 5

    def read(self, state: State) -> State:
        """The state; now and then without any result kept."""
        return bare(state) if state.moves % self.EVERY == 0 else state


MAKERS: dict[str, Maker] = {"reference": Reference, "reference that forgets": Forgetful}


def _why(state: State, probe: Option) -> list[Any] | None:
    try:
        state.choose(probe)
    except (Illegal, Fault) as error:
        return [str(error), [reason.__dict__ for reason in getattr(error, "reasons", ())]]
    return None


class Abreast:
    """All evaluators of one game, kept in step with its state."""

    def __init__(self, case: Case) -> None:
        """Each is started from the game's seed."""
        self.case = case
        self.playing = {name: make(case.game, case.seed) for name, make in MAKERS.items()}

    def choose(self, option: Option, later: State) -> None:
        """Let all make a choice; one that cannot, or comes to another state, disagrees and plays no more."""
        for name, evaluator in list(self.playing.items()):
            try:
                evaluator.choose(option)
                fact = difference(evaluator.digest(), later.digest())
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
                self.case.same("evaluators", said[first], facts, f"{first} / {name}")


def _probes(case: Case, state: State) -> list[Option]:
    found = []
    for decision in state.decisions:
        if decision.spec.mode in ("one", "action"):
            values = candidates(state, decision.spec)
            found += [Option(decision.player, decision.name, v) for v in case.rng.sample(values, min(PROBED, len(values)))]
    return found
