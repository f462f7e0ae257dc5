"""What stands beside a text while it is written: its cards as printed, their sentences in plain
words, what is wrong and what would mend it, what could follow where the caret is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from interpreter.authoring.check import Unit
from interpreter.authoring.explain_card import Said, printed, sentence_said
from interpreter.desk.answers import Completion, Edit, Finding
from interpreter.desk.completion import complete
from interpreter.desk.documents import Document
from interpreter.desk.positions import Place, Range, index_at, units
from interpreter.desk.sentences import design_of, sentences_in
from interpreter.desk.workspace import Workspace
from interpreter.game.loading import Loaded
from interpreter.paper.faces import FaceMaker
from interpreter.paper.sheets import picture
from interpreter.studio.author.questions import (
    Card,
    Fix,
    Look,
    Looked,
    Meaning,
    Replacement,
    Sentence,
    Wrong,
)
from rulelang.core.values import Json
from rulelang.diagnostics.source import Span
from rulelang.ruleset import Design
from rulelang.syntax.nodes import Node, plain

MOST_CARDS = 30  # that are shown
MOST_FINDINGS = 60
MOST_FOLLOWING = 24


class Beside:
    """What stands beside one file of an addition, with what is known of it from before."""

    def __init__(self, rules: str, file: str) -> None:
        """Nothing is known yet."""
        self.path = Path.cwd() / Path(file).name  # its text is held: no such file is read
        self.workspace = Workspace(fixed=Unit(rules, self.path))
        self.faces: dict[str, str] = {}  # of cards as they could be printed last, by title

    def look(self, asked: Look) -> Looked:
        """What stands beside the text now."""
        workspace = self.workspace
        workspace.open(self.path, asked.text)
        assert workspace.fixed is not None
        known = workspace.check(workspace.fixed)
        document = workspace.document(self.path)
        assert document is not None
        place = place_at(document, asked.caret)
        found = [item for item in workspace.findings(self.path) if item.severity != "hint"]
        cards = self._cards(document, known.loaded, place) if known.loaded is not None else ()
        return Looked(
            tuple(_wrong(document, item) for item in found[:MOST_FINDINGS]),
            tuple(cards),
            tuple(_following(document, complete(workspace, document, place))),
            more=max(0, len(found) - MOST_FINDINGS),
        )

    def _cards(self, document: Document, loaded: Loaded, place: Place) -> Iterator[Card]:
        """The cards of a text in their order, those too that could not be compiled."""
        nodes = [node for node in document.nodes if node.kind == "card"][:MOST_CARDS]
        titles = [plain(node.part(0)) for node in nodes]
        self.faces = {title: face for title, face in self.faces.items() if title in titles}
        for node, title in zip(nodes, titles, strict=True):
            design = _design(loaded, document, title)
            shown = printed(loaded, title) if design is not None else None
            if design is not None:
                self.faces[title] = _face(loaded, design)
            yield Card(
                title,
                node.span.line,
                self.faces.get(title, ""),
                str(shown) if shown is not None else "",
                tuple(_sentences(document, loaded, node)),
                node.span.line <= place.line + 1 <= node.span.end_line,
                design is None,
            )


# ------------------------------------------------------------------------------------------- places
def place_at(document: Document, caret: int) -> Place:
    """The place of an offset in units of UTF-16."""
    left = max(0, caret)
    for number, line in enumerate(document.lines):
        size = units(line)
        if left <= size:
            return Place(number, left)
        left -= size + 1
    last = max(0, len(document.lines) - 1)
    return Place(last, units(document.line(last)))


def _offset(document: Document, place: Place) -> int:
    index = index_at(document.lines, place)
    return units(document.text[:index])


def _stretch(document: Document, where: Range) -> tuple[int, int]:
    return _offset(document, where.start), _offset(document, where.end)


# ----------------------------------------------------------------------------------------- findings
def _wrong(document: Document, item: Finding) -> Wrong:
    start, end = _stretch(document, item.range)
    fixes = tuple(
        Fix(mend.title, _edits(document, mend.edits))
        for mend in item.mends
        if all(edit.path.name == document.path.name for edit in mend.edits)
    )
    titles = {fix.title.removeprefix("Write ") for fix in fixes}
    told = (
        line
        for line in item.message.split("\n")
        if line.removeprefix("this would be read: ") not in titles  # it stands on a button
    )
    return Wrong(
        item.range.start.line + 1,
        start,
        end,
        item.severity,
        item.code,
        tuple(told),
        fixes,
    )


def _edits(document: Document, edits: tuple[Edit, ...]) -> str:
    data: Json = [[*_stretch(document, edit.range), edit.text] for edit in edits]
    return json.dumps(data, ensure_ascii=False)


# -------------------------------------------------------------------------------------------- cards
def _design(loaded: Loaded, document: Document, title: str) -> Design | None:
    designs = loaded.compiled.rules.designs
    return next((d for d in designs if d.title == title and d.span.file == document.name), None)


def _face(loaded: Loaded, design: Design) -> str:
    """The front of a card as it is printed, as SVG."""
    face = FaceMaker(loaded.compiled.rules).front(design)
    return picture(face.svg, face.width, face.height)


def _sentences(document: Document, loaded: Loaded, node: Node) -> Iterator[Sentence]:
    title = plain(node.part(0))
    for one in sentences_in(document):
        if one.card.span == node.span:
            design = design_of(title, one, loaded)
            span = Span(document.name, one.span.line, one.span.column, one.span.line, 0)
            said = sentence_said(loaded, one.text, span, design)
            yield Sentence(said.text, tuple(_meanings(said)))


def _meanings(said: Said) -> Iterator[Meaning]:
    for words, does in zip(said.readings, said.effects, strict=True):
        yield Meaning(words, does)


# ---------------------------------------------------------------------------------------- following


def _following(document: Document, found: list[Completion]) -> Iterator[Replacement]:
    """What could follow; where nothing is written yet, no words of the language alone."""
    begun = (one for one in found if one.kind != "keyword" or one.range.start != one.range.end)
    for one in islice(begun, MOST_FOLLOWING):
        start, end = _stretch(document, one.range)
        text = one.documentation.removeprefix("as in “").removesuffix("”") if one.snippet else ""
        yield Replacement(start, end, text or one.text, one.label, one.detail)
