"""Where a name is declared, where it is used, and the edits that give it another."""

from __future__ import annotations

import re
from collections.abc import Iterator

from interpreter.desk.answers import Edit, Location
from interpreter.desk.documents import Document
from interpreter.desk.names import STATEMENT, TITLE, Names, Occurrence
from interpreter.desk.positions import Place, Range
from interpreter.desk.sentences import design_of, sentence_at, sentences_in
from interpreter.desk.workspace import Workspace
from rulelang.diagnostics.english import plural
from rulelang.diagnostics.source import Span
from rulelang.syntax.grammar import reserved
from rulelang.syntax.nodes import plain

_NAME = re.compile(r"[a-z_][a-zA-Z0-9_]*")


class NotRenamed(ValueError):
    """Why something cannot be given that name."""


def occurrence_at(workspace: Workspace, document: Document, place: Place) -> Occurrence | None:
    """The name or title at a place, in rules or in a card's text."""
    names = workspace.names(document.path)
    line, column = place.line + 1, document.column(place) + 1
    found = names.at(document.name, line, column)
    if found is not None:
        return found
    for title, span in _titles_in(document, _titles(names)):
        if span.line == line and span.column <= column <= span.end_column:
            return Occurrence(title, TITLE, span)
    return None


def definition(workspace: Workspace, document: Document, place: Place) -> list[Location]:
    """Where what stands at a place is declared; of a statement, its line of the rulebook."""
    one = occurrence_at(workspace, document, place)
    if one is None:
        return _wording(workspace, document, place)
    if one.sort == STATEMENT:
        return _in_rulebook(workspace, document, one.name)
    names = workspace.names(document.path)
    found = [_location(workspace, other.span) for other in names.declarations(one)]
    return [location for location in found if location is not None]


def _wording(workspace: Workspace, document: Document, place: Place) -> list[Location]:
    """The pattern that the sentence at a place is read by."""
    sentence, loaded = sentence_at(document, place), workspace.loaded(document.path)
    if sentence is None or loaded is None:
        return []
    text = re.sub(r"\s*\[[^\]]*\]\s*$", "", sentence.text)
    title = plain(sentence.card.part(0))
    design = design_of(title, sentence, loaded)
    spans = {
        reading.derivation.phrase.span
        for reading in loaded.compiled.glossary.readings_if_any(text, design)
        if reading.derivation.phrase is not None
    }
    found = [_location(workspace, span) for span in sorted(spans) if span.line]
    return [location for location in found if location is not None]


def _in_rulebook(workspace: Workspace, document: Document, cite: str) -> list[Location]:
    unit, _ = workspace.unit(document.path)
    for path in workspace.files(unit) if unit is not None else ():
        book = workspace.document(path) if path.name == "rulebook.md" else None
        for number, line in enumerate(book.lines if book is not None else ()):
            if line.startswith(f"- {cite} "):
                end = Place(number, len(line))
                return [Location(path, Range(Place(number, 0), end))]
    return []


def references(
    workspace: Workspace, document: Document, place: Place, with_declarations: bool = True
) -> list[Location]:
    """Everywhere what stands at a place is meant."""
    one = occurrence_at(workspace, document, place)
    if one is None:
        return []
    found = [span for _, span, _ in _all(workspace, document, one, with_declarations)]
    made = [_location(workspace, span) for span in dict.fromkeys(found)]
    return [location for location in made if location is not None]


def rename_range(workspace: Workspace, document: Document, place: Place) -> Range | None:
    """The stretch that would be renamed; none where nothing here can be."""
    one = occurrence_at(workspace, document, place)
    if one is None or one.sort == STATEMENT:
        return None
    return document.range(one.span) if workspace.names(document.path).declarations(one) else None


def rename(workspace: Workspace, document: Document, place: Place, name: str) -> list[Edit]:
    """The edits that give what stands at a place another name; raises NotRenamed."""
    one = occurrence_at(workspace, document, place)
    names = workspace.names(document.path)
    if one is None or one.sort == STATEMENT or not names.declarations(one):
        raise NotRenamed("nothing that is declared in these files stands here")
    name = name.strip()
    _check_new_name(one, name, names)
    edits = {}
    for path_name, span, many in _all(workspace, document, one, True):
        where = _location(workspace, span)
        if where is not None and path_name:
            edits[where] = Edit(where.path, where.range, plural(name) if many else name)
    return list(edits.values())


def _check_new_name(one: Occurrence, name: str, names: Names) -> None:
    """Raises NotRenamed where this cannot be the name of what stands there."""
    if one.sort == TITLE:
        if not name or any(char in name for char in '"\n|[]'):
            raise NotRenamed("a title is a text without quotes, bars and square brackets")
    elif not _NAME.fullmatch(name):
        raise NotRenamed(
            f"a name is letters, digits and _, beginning with a small letter: {name!r}"
        )
    elif name in reserved():
        raise NotRenamed(f"`{name}` is a word of the language")
    if names.alike((name, one.sort, one.within)):
        raise NotRenamed(f"there is a {one.kind or one.sort} `{name}` already")


def _all(
    workspace: Workspace, document: Document, one: Occurrence, with_declarations: bool
) -> Iterator[tuple[str, Span, bool]]:
    """Where a thing is named: the file, the stretch, and whether in the plural."""
    names = workspace.names(document.path)
    declarations = names.declarations(one)
    for other in names.alike(one.key):
        if with_declarations or not other.declares:
            if one.sort == TITLE and declarations and not _same_title(other, declarations):
                continue
            yield other.span.file, other.span, other.many
    if one.sort == TITLE and declarations:
        titles = _titles(names)
        for each in workspace.family(document.path):
            for title, span in _titles_in(each, titles):
                if title == one.name:
                    said = each.line(span.line - 1)[span.column - 1 : span.end_column - 1]
                    yield span.file, span, said.lower() != title.lower()


def _same_title(other: Occurrence, declarations: list[Occurrence]) -> bool:
    """May a text in quotes be the title of these? That of another scenario or pattern is not."""
    return not other.declares or other.kind in {one.kind for one in declarations}


def _titles(names: Names) -> dict[str, str]:
    """What texts may write for a title (itself, its plural), in lower case, with that title."""
    found: dict[str, str] = {}
    for one in names.all:
        if one.sort == TITLE and one.declares and one.kind == "card" and one.name.strip():
            found[one.name.lower()] = one.name
            found.setdefault(plural(one.name.lower()), one.name)
    return found


def _titles_in(document: Document, titles: dict[str, str]) -> Iterator[tuple[str, Span]]:
    """The titles of cards in card texts and deck lists, the longest of several at a place."""
    if not titles:
        return
    longest = sorted(titles, key=len, reverse=True)
    pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest))})(?![\w-])", re.I)
    rows = [sentence.span for sentence in sentences_in(document)]
    for node in document.nodes:
        if node.kind == "deck":
            rows += [bar.part(0).span for bar in node.walk() if bar.kind == "bar"]
    for span in rows:
        text = document.line(span.line - 1)[span.column - 1 : span.end_column - 1]
        for match in pattern.finditer(text):
            at = span.column + match.start()
            end = at + len(match.group(0))
            yield titles[match.group(0).lower()], Span(span.file, span.line, at, span.line, end)


def _location(workspace: Workspace, span: Span) -> Location | None:
    path = workspace.path_of(span.file)
    document = workspace.document(path)
    return Location(path, document.range(span)) if document is not None else None
