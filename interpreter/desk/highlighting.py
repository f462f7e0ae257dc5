"""What each word of a text is, for colours: words of the language, and names by what they name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from interpreter.desk.answers import Token
from interpreter.desk.documents import Document
from interpreter.desk.names import FIELD, Names, Occurrence
from interpreter.desk.positions import Range, place_of, units
from interpreter.desk.workspace import Workspace
from rulelang.builtins.registry import for_authors
from rulelang.syntax.lexemes import Lexeme, lexemes

KINDS = (
    "comment",
    "keyword",
    "string",
    "number",
    "operator",
    "type",
    "enumMember",
    "function",
    "method",
    "event",
    "variable",
    "parameter",
    "property",
    "decorator",
)
_OF_WORDS: Mapping[str, str] = {
    "comment": "comment",
    "keyword": "keyword",
    "string": "string",
    "row": "string",
    "number": "number",
    "cite": "decorator",
}
_OF_NAMES: Mapping[str, str] = {
    "kind": "type",
    "kind of pairs": "type",
    "group": "type",
    "component": "type",
    "member": "enumMember",
    "definition": "function",
    "score table": "function",
    "event": "event",
    "action": "method",
    "procedure": "method",
    "value": "parameter",
    "field": "property",
}


def tokens(workspace: Workspace, document: Document, within: Range | None = None) -> list[Token]:
    """The words of a text in order, or those on the lines of a stretch."""
    names = workspace.names(document.path)
    kinds = _kinds(names)
    found = []
    for one in lexemes(document.text):
        if within is None or within.start.line <= one.line - 1 <= within.end.line:
            token = _token(document, names, kinds, one)
            if token is not None:
                found.append(token)
    return found


def _kinds(names: Names) -> dict[tuple[str, str], str]:
    """What each name that holds everywhere names; of several things of one name (as an opening and
    the table it opens), one that has a colour of its own.
    """
    found: dict[tuple[str, str], str] = {}
    for one in names.all:
        if one.declares and one.within is None and found.get((one.name, one.sort)) not in _OF_NAMES:
            found[one.name, one.sort] = one.kind
    return found


def _token(
    document: Document, names: Names, kinds: Mapping[tuple[str, str], str], one: Lexeme
) -> Token | None:
    known = names.at(document.name, one.line, one.column) if one.kind == "name" else None
    kind = _OF_WORDS.get(one.kind)
    if one.kind == "name":
        kind = _of_name(known, kinds, one.text)
    if kind is None:
        return None
    start = place_of(document.lines, one.line, one.column)
    return Token(
        start.line, start.character, units(one.text), kind, known is not None and known.declares
    )


def _of_name(
    known: Occurrence | None, kinds: Mapping[tuple[str, str], str], text: str
) -> str | None:
    if known is not None and (known.within is not None or known.sort == FIELD):
        return "property" if known.sort == FIELD else "parameter"
    name = known.name if known is not None else text
    declared = kinds.get((name, known.sort if known is not None else "name"))
    if declared is not None:
        return _OF_NAMES.get(declared, "variable")
    return "function" if for_authors(text) is not None else None


def encoded(found: list[Token]) -> Iterator[int]:
    """The tokens as the protocol wants them: five numbers each, relative to the one before."""
    line, character = 0, 0
    for one in found:
        new_line = one.line != line
        yield one.line - line
        yield one.character if new_line else one.character - character
        yield one.length
        yield KINDS.index(one.kind)
        yield int(one.declares)
        line, character = one.line, one.character
