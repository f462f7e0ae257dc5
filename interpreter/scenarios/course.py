"""The course of a scenario: the state before its first step and after each, and how to play on from
one of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.engine.entry import enter
from interpreter.engine.events import Refused
from interpreter.game.game import Game, State
from interpreter.game.loading import Loaded, RulesError
from interpreter.model.errors import InputError
from interpreter.model.values import Fault
from interpreter.scenarios.fixture import Failed
from interpreter.scenarios.runner import Failure, Trial
from interpreter.scenarios.scenario import Runner, carried_out, why_not_played
from rulelang.core.values import number
from rulelang.ruleset import Scenario, Step

_NOT_SET_UP = "its settings are refused, so there is no game to look at"


class NoCourse(Exception):
    """Why a scenario has no position to be looked at, or none to be played on from."""


@dataclass(frozen=True)
class Course:
    """The steps of a scenario with the states before the first and after each, as far as it could
    be carried out; how many failures were known by then, and whether the flow ran.
    """

    game: Game
    steps: tuple[Step, ...]
    states: tuple[State, ...]
    known: tuple[int, ...]
    flowing: tuple[bool, ...]
    failures: tuple[Failure, ...]

    def before(self, line: int) -> int:
        """How many steps begin above a line."""
        return sum(step.span.line < line for step in self.steps)

    def given(self) -> int:
        """How many steps there are before the first play or expectation."""
        wanted = (n for n, s in enumerate(self.steps) if s.kind in ("play", "expect", "told"))
        return next(wanted, len(self.steps))


def course(runner: Runner, scenario: Scenario) -> Course:
    """A scenario as it is played; raises NoCourse where there is no game to play it in."""
    try:
        if runner.uninvited(scenario):
            raise NoCourse(_NOT_SET_UP)
        game, scenario = runner.prepare(scenario)
    except RulesError as error:
        why = f": {error.found[0].message}" if error.found else ""
        raise NoCourse(f"{_NOT_SET_UP}{why}") from error
    except (InputError, Failed, ValueError) as error:
        raise NoCourse(why_not_played(error)) from error
    trial = Trial(game)
    states, known, flowing = [State(game, trial.s.copy())], [0], [False]
    for step in scenario.steps:
        going_on = carried_out(trial, step)
        if going_on and step is scenario.steps[-1]:
            trial.close()
        states.append(State(game, trial.s.copy()))
        known.append(len(trial.failures))
        flowing.append(trial.flowing)
        if not going_on:
            break
    failures = tuple(trial.failures)
    return Course(game, scenario.steps, tuple(states), tuple(known), tuple(flowing), failures)


def played_on(found: Course, number_: int) -> State:
    """The state after so many steps, with the flow begun where it does not run yet: at the action
    or procedure that the scenario plays next, else at its beginning. Raises NoCourse.
    """
    if number_ >= len(found.states):
        raise NoCourse(f"a step above cannot be carried out: {found.failures[-1].message}")
    if found.flowing[number_]:
        return found.states[number_]
    game, position = found.game, found.states[number_].position.copy()
    later = (step for step in found.steps[number_:] if step.kind == "play")
    following = next(later, None)
    try:
        if following is None or not _entered(game, State(game, position), following):
            game.machine.begin(position)
        game.machine.run(position)
    except (Fault, Refused, ValueError) as error:
        raise NoCourse(f"the game cannot go on from here: {error}") from error
    return State(game, position)


def _entered(game: Game, state: State, step: Step) -> bool:
    """Open the flow where it comes to what is played next, if it does."""
    procedure = game.rules_source.procedures.get(step.name)
    if procedure is None or step.player is None:
        return False
    position = state.position
    given = {answer.name: answer.value for answer in step.args}
    player = number(game.rules.value(step.player, position, {}))
    values = []
    for name, _ in procedure.params:
        expr = given.get(name)
        values.append(player if expr is None else game.rules.value(expr, position, {}))
    try:
        enter(game.machine, position, step.name, tuple(values))
    except InputError:
        return False
    return True


def scenario_of(loaded: Loaded, title: str) -> Scenario:
    """The scenario of this title; raises NoCourse if there is none, or the rules have mistakes."""
    found = next((s for s in loaded.compiled.rules.scenarios if s.name == title), None)
    if found is None:
        raise NoCourse(f"there is no scenario “{title}”")
    report = loaded.compiled.report
    if not report.usable or report.has_error_in(found.span):
        raise NoCourse("there are mistakes in the rules")
    return found
