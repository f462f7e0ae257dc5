"""The engine of one game: all that is fixed while it is played, built bottom up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from interpreter.engine.clauses import Rules
from interpreter.engine.decisions import Decider
from interpreter.engine.events import Effects
from interpreter.engine.feasibility import Lookahead
from interpreter.engine.machine import Machine
from interpreter.evaluator.expressions import Evaluator
from interpreter.model.position import Position
from interpreter.model.setup import Setup, make_setup
from interpreter.model.work import leave_room
from rulelang.core.values import Value
from rulelang.ruleset import Ruleset


@dataclass(frozen=True)
class Watch:
    """What is made of clauses beside playing: those taken away, and whether to note their use."""

    without: frozenset[str] = frozenset()
    record: bool = False
    keeps: bool = True  # see `Noted`


@dataclass(frozen=True)
class Engine:
    """The parts of one game's engine; `make_engine` builds them, each from those before it."""

    setup: Setup
    rules: Rules
    effects: Effects
    machine: Machine
    lookahead: Lookahead
    decider: Decider


def make_engine(
    source: Ruleset,
    players: int,
    options: Mapping[str, int],
    watch: Watch = Watch(),
) -> Engine:
    """The engine for so many players under these options (index of the value of each)."""

    def perform(s: Position, event: str, values: tuple[Value, ...]) -> None:
        raise AssertionError("nothing happens before a game begins")

    leave_room()
    bare = make_setup(source, players, options)
    first = Rules(bare, perform, watch.without, watch.record, watch.keeps)
    setup = replace(bare, defaults=_first_values(source, bare, first.evaluator))
    made = _engine(setup, watch)
    made.rules.touched |= first.touched
    return made


def _engine(setup: Setup, watch: Watch) -> Engine:
    """The parts of an engine that rest on a setup, each built from those before it."""

    def perform(s: Position, event: str, values: tuple[Value, ...]) -> None:
        effects.perform_only(s, event, values)

    rules = Rules(setup, perform, watch.without, watch.record, watch.keeps)
    effects = Effects(rules)
    machine, lookahead = Machine(rules, effects), Lookahead(rules)
    return Engine(setup, rules, effects, machine, lookahead, Decider(machine, lookahead))


def _first_values(source: Ruleset, bare: Setup, evaluator: Evaluator) -> dict[str, Value]:
    """The value each variable begins with, worked out where nothing lies anywhere yet."""
    nowhere = Position(bare)
    return {
        state.name: evaluator.value(state.initial, nowhere, {}) for state in source.states.values()
    }
