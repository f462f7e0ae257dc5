"""Commands above lines: run a scenario, and how many scenarios cite what a clause rests on."""

from __future__ import annotations

from interpreter.desk.answers import Lens
from interpreter.desk.documents import Document
from interpreter.desk.names import STATEMENT
from interpreter.desk.positions import Range
from interpreter.desk.workspace import Workspace
from interpreter.scenarios.runner import Failure
from interpreter.scenarios.scenario import Outcome, Runner
from rulelang.diagnostics.english import counted
from rulelang.syntax.nodes import plain

RUN = "rulelang.runScenario"
REFERENCES = "rulelang.showStatement"


def lenses(workspace: Workspace, document: Document) -> list[Lens]:
    """The commands of a text: to run each scenario; on a declaration that cites, its scenarios."""
    names = workspace.names(document.path)
    citing: dict[str, int] = {}
    for one in names.all:
        if one.sort == STATEMENT:
            node = names.declaration(one)
            if node is not None and node.kind == "scenario":
                citing[one.name] = citing.get(one.name, 0) + 1
    found = []
    for node in document.nodes:
        where = document.range(node.part(0).span) if node.parts and node.parts[0] else None
        if where is None:
            continue
        line = Range(where.start, where.start)
        if node.kind == "scenario":
            title = plain(node.part(0))
            found.append(Lens(line, "Run this scenario", RUN, (str(document.path), title)))
        elif node.cites:
            number = sum(citing.get(cite, 0) for cite in node.cites)
            title = f"{', '.join(node.cites)}: cited by {counted(number, 'scenario')}"
            found.append(Lens(line, title, REFERENCES, (str(document.path), *node.cites)))
    return found


def run(workspace: Workspace, document: Document, title: str) -> Outcome | None:
    """What a scenario of a text came to; none if there is none of this title.

    It is played by the rules as they are written now; where these have mistakes, it is not run.
    """
    loaded = workspace.fresh(document.path)
    if loaded is None:
        return None
    scenarios = loaded.compiled.rules.scenarios
    scenario = next(
        (s for s in scenarios if s.name == title and s.span.file == document.name), None
    )
    if scenario is None:
        return None
    report = loaded.compiled.report
    if not report.usable or report.has_error_in(scenario.span):
        why = Failure("not run, for there are mistakes in the rules", scenario.span)
        return Outcome(title, (why,), scenario.span, cites=scenario.cites)
    return Runner(loaded).run(scenario)
