"""Commands above lines: run a scenario or play on from it, how many scenarios cite what a clause
rests on, and what can be proven of a card.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.authoring.check import Unit
from interpreter.desk.answers import Lens
from interpreter.desk.documents import Document
from interpreter.desk.names import STATEMENT
from interpreter.desk.positions import Place, Range
from interpreter.desk.workspace import Workspace
from rulelang.diagnostics.english import counted
from rulelang.syntax.nodes import Node, plain

RUN = "rulelang.runScenario"
REFERENCES = "rulelang.showStatement"
TERMINAL = "rulelang.terminal"  # run `rulelang` with these arguments
DIFF = "rulelang.diff"  # the same, with the other text still to be asked for


def lenses(workspace: Workspace, document: Document, terminal: bool = False) -> list[Lens]:
    """The commands of a text: to run each scenario; on a declaration that cites, its scenarios.

    A client with a terminal is also offered what is run there.
    """
    citing = _citing(workspace, document)
    unit, _ = workspace.unit(document.path)
    found: list[Lens] = []
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
        if terminal and unit is not None:
            found += _in_terminal(document, unit, node, line, None)
    return found


def commands_at(workspace: Workspace, document: Document, place: Place) -> list[Lens]:
    """What can be run for the declaration at a place; a scenario is played on from that line."""
    node, (unit, _) = document.node_at(place), workspace.unit(document.path)
    if node is None or unit is None or not node.parts or not node.parts[0]:
        return []
    line = Range(place, place)
    found = []
    if node.kind == "scenario":
        title = plain(node.part(0))
        found.append(Lens(line, "Run this scenario", RUN, (str(document.path), title)))
    return found + list(_in_terminal(document, unit, node, line, place.line + 1))


def _in_terminal(
    document: Document, unit: Unit, node: Node, line: Range, at: int | None
) -> Iterator[Lens]:
    """What of a declaration is run in a terminal: the arguments of `rulelang`, after the path of
    the text.
    """
    added = ("--with", str(unit.added)) if unit.added is not None else ()
    path = str(document.path)

    def lens(title: str, *arguments: str) -> Lens:
        return Lens(line, title, TERMINAL, (path, *arguments))

    if node.kind == "scenario":
        from_line = ("--line", str(at)) if at is not None and at > node.span.line else ()
        scenario = ("--scenario", plain(node.part(0)), *from_line)
        yield lens("Play from here", "play", unit.rules, *added, *scenario)
        return
    if node.kind == "card":
        title = plain(node.part(0))
        if any(node.words("words")):
            yield lens("Witness", "witness", unit.rules, title, *added)
            if unit.added is None:
                yield Lens(line, "Diff", DIFF, (path, unit.rules, title))
        yield lens("Interactions", "interactions", unit.rules, title, *added)
    for cite in node.cites if unit.added is None else ():
        yield lens(f"Coverage of {cite}", "coverage", unit.rules, "--statement", cite)


def _citing(workspace: Workspace, document: Document) -> dict[str, int]:
    """How many scenarios cite each statement."""
    names = workspace.names(document.path)
    found: dict[str, int] = {}
    for one in names.all:
        if one.sort == STATEMENT:
            node = names.declaration(one)
            if node is not None and node.kind == "scenario":
                found[one.name] = found.get(one.name, 0) + 1
    return found
