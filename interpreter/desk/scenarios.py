"""The scenarios of texts: which there are, what came of each, and the positions it goes through.

They are played by the rules as they are written now; where these have mistakes, they are not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from interpreter.api.position import position_of
from interpreter.api.values import Plain
from interpreter.authoring.check import texts_of
from interpreter.desk.answers import Location
from interpreter.desk.documents import Document, texts
from interpreter.desk.positions import Place, Range
from interpreter.desk.workspace import Workspace
from interpreter.game.files import unsaved
from interpreter.game.game import State
from interpreter.game.loading import Loaded, RulesError
from interpreter.render.svg import draw_svg
from interpreter.scenarios.course import Course, NoCourse, course
from interpreter.scenarios.runner import Failure
from interpreter.scenarios.scenario import Outcome, Runner
from rulelang.diagnostics.source import Span
from rulelang.ruleset import Scenario
from rulelang.syntax.nodes import plain

_MISTAKES = "not run, for there are mistakes in the rules"


@dataclass(frozen=True)
class Listed:
    """A scenario of a text: its title, its lines, and the statements it cites."""

    title: str
    at: Location
    whole: Range
    cites: tuple[str, ...]


@dataclass(frozen=True)
class Scene:
    """A position as it is looked at: its boards as a picture, what lies in places, what variables
    hold, and who is asked for what.
    """

    picture: str | None
    places: Mapping[str, tuple[str, ...]]
    state: Mapping[str, Mapping[str, Plain]]
    asked: tuple[str, ...]


@dataclass(frozen=True)
class Shown:
    """The step of a scenario at a place, with the position before and after it.

    Where there is no game to look at, `why` says so. `failures` are those up to that step.
    """

    title: str
    lines: Range
    step: Range | None = None
    number: int = 0
    count: int = 0
    before: Scene | None = None
    after: Scene | None = None
    failures: tuple[Failure, ...] = ()
    why: str = ""


@dataclass
class Rehearsal:
    """Runs scenarios of a workspace; games and the last course are kept until the rules change."""

    workspace: Workspace
    _loaded: Loaded | None = None
    _runner: Runner | None = None
    _unopened: tuple[object, Loaded] | None = None
    _courses: dict[str, Course] = field(default_factory=dict)

    def run(self, document: Document, title: str) -> Outcome | None:
        """What a scenario of a text came to; none if there is none of this title."""
        found = self._found(document, title)
        if found is None:
            return None
        loaded, scenario = found
        report = loaded.compiled.report
        if not report.usable or report.has_error_in(scenario.span):
            why = Failure(_MISTAKES, scenario.span)
            return Outcome(title, (why,), scenario.span, cites=scenario.cites)
        return self._runner_of(loaded).run(scenario)

    def show(self, document: Document, place: Place) -> Shown | None:
        """The scenario at a place and its step there: the last that begins at or above its line.

        On the scenario's own line it is the whole of it: the position at first and at last.
        """
        one = next((one for one in listed(document) if _is_on(one.whole, place)), None)
        if one is None:
            return None
        found = self._found(document, one.title)
        if found is None:
            return Shown(one.title, one.whole, why=_MISTAKES)
        loaded, scenario = found
        report = loaded.compiled.report
        if not report.usable or report.has_error_in(scenario.span):
            return Shown(one.title, one.whole, why=_MISTAKES)
        try:
            played = self._course(loaded, scenario)
        except NoCourse as error:
            return Shown(one.title, one.whole, why=str(error))
        return _shown(document, one, played, place)

    def _rules(self, path: Path) -> Loaded | None:
        """The rules a file is part of as they are written now: checked where one of their texts is
        open, for that is due anyway; else they are only loaded, and those of the last time kept.
        """
        unit, _ = self.workspace.unit(path)
        if unit is None or unit in self.workspace.units_open():
            return self.workspace.fresh(path)
        with unsaved(texts(self.workspace.documents)):
            now = (unit, texts_of(unit))
            if self._unopened is None or self._unopened[0] != now:
                try:
                    self._unopened = now, unit.load()
                except RulesError:
                    return None
        return self._unopened[1]

    def _found(self, document: Document, title: str) -> tuple[Loaded, Scenario] | None:
        loaded = self._rules(document.path)
        if loaded is None:
            return None
        scenarios = loaded.compiled.rules.scenarios
        fitting = (s for s in scenarios if s.name == title and s.span.file == document.name)
        scenario = next(fitting, None)
        return (loaded, scenario) if scenario is not None else None

    def _runner_of(self, loaded: Loaded) -> Runner:
        if self._runner is None or self._loaded is not loaded:
            self._loaded, self._runner, self._courses = loaded, Runner(loaded), {}
        return self._runner

    def _course(self, loaded: Loaded, scenario: Scenario) -> Course:
        """The scenario as played, the one that was asked for last without playing it again."""
        runner = self._runner_of(loaded)
        if scenario.name not in self._courses:
            self._courses = {scenario.name: course(runner, scenario)}
        return self._courses[scenario.name]


def listed(document: Document) -> list[Listed]:
    """The scenarios of a text that can be parsed, in order."""
    found = []
    for node in document.nodes:
        if node.kind == "scenario":
            named = document.range(node.part(0).span)
            whole = document.range(_trimmed(document, node.span))
            title = plain(node.part(0))
            found.append(Listed(title, Location(document.path, named), whole, node.cites))
    return found


def _trimmed(document: Document, span: Span) -> Span:
    """The span without empty lines at its end."""
    last = span.end_line
    while last > span.line and not document.line(last - 1).strip():
        last -= 1
    return Span(span.file, span.line, 1, last, len(document.line(last - 1)) + 1)


def _is_on(lines: Range, place: Place) -> bool:
    return lines.start.line <= place.line <= lines.end.line


def _shown(document: Document, one: Listed, found: Course, place: Place) -> Shown:
    count, number = len(found.steps), found.before(place.line + 2)
    played = len(found.states) - 1
    if not number:
        scenes = scene(found.states[0]), scene(found.states[played])
        return Shown(one.title, one.whole, None, 0, count, *scenes, found.failures)
    step = document.range(found.steps[number - 1].span)
    if number > played:
        why = "a step above cannot be carried out"
        failures = found.failures
        return Shown(one.title, one.whole, step, number, count, None, None, failures, why)
    scenes = scene(found.states[number - 1]), scene(found.states[number])
    failures = found.failures[: found.known[number]]
    return Shown(one.title, one.whole, step, number, count, *scenes, failures)


def scene(state: State) -> Scene:
    """A state as it is looked at by somebody who may see everything."""
    found = position_of(state)
    asked = tuple(f"p{spec.player + 1}: {spec.name}" for spec in state.specs)
    places = {name: lying for name, lying in found.places.items() if lying}
    variables = {name: dict(values) for name, values in found.state.items() if values}
    return Scene(draw_svg(state), places, variables, asked)


def below(workspace: Workspace, path: Path | None) -> Sequence[Listed]:
    """The scenarios of one file, or of all texts of the workspace."""
    if path is None:
        return [one for document in workspace.rules_below() for one in listed(document)]
    found = workspace.document(path)
    return listed(found) if found is not None else []
