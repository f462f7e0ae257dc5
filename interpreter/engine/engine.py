"""The engine of one game: all that is fixed while it is played, built bottom up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from interpreter.engine.clauses import Compiled, Rules
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


@dataclass(frozen=True)
class Engine:
    """The parts of one game's engine; `make_engine` builds them, each from those before it."""

    setup: Setup
    rules: Rules
    effects: Effects
    machine: Machine
    lookahead: Lookahead
    decider: Decider
    plain: Callable[[], Engine] = field(compare=False)
    """The same parts without generated code: what they do is what the rules mean."""


def make_engine(
    source: Ruleset,
    players: int,
    options: Mapping[str, int],
    watch: Watch = Watch(),
    compiled: Callable[[Rules], Compiled] | None = None,
) -> Engine:
    """The engine for so many players under these options (index of the value of each)."""

    def perform(s: Position, event: str, values: tuple[Value, ...]) -> None:
        raise AssertionError("nothing happens before a game begins")

    leave_room()
    bare = make_setup(source, players, options)
    first = Rules(bare, perform, watch.without, watch.record)
    setup = replace(bare, defaults=_first_values(source, bare, first.reference))
    made = _engine(setup, watch, compiled)
    made.rules.touched |= first.touched
    return made


def _engine(setup: Setup, watch: Watch, compiled: Callable[[Rules], Compiled] | None) -> Engine:
    """The parts of an engine that rest on a setup, each built from those before it."""

    def perform(s: Position, event: str, values: tuple[Value, ...]) -> None:
        effects.perform_only(s, event, values)

    @cache
    def plain() -> Engine:
        made = _engine(setup, watch, None)
        made.rules.fired = rules.fired
        return made

    rules = Rules(setup, perform, watch.without, watch.record, compiled, lambda: plain().rules)
    effects = Effects(rules)
    machine = Machine(rules, effects, lambda: plain().machine)
    lookahead = Lookahead(rules, lambda: plain().lookahead)
    return Engine(setup, rules, effects, machine, lookahead, Decider(machine, lookahead), plain)


def _first_values(source: Ruleset, bare: Setup, evaluator: Evaluator) -> dict[str, Value]:
    """The value each variable begins with, worked out where nothing lies anywhere yet."""
    nowhere = Position(bare)
    return {
        state.name: evaluator.value(state.initial, nowhere, {}) for state in source.states.values()
    }
