"""What is called, by whom, and with what: signatures, hints of parameters, hierarchies of calls."""

from __future__ import annotations

import re
from collections.abc import Iterator

from interpreter.desk.answers import Call, Hint, Location, Routine, Signature
from interpreter.desk.documents import Document
from interpreter.desk.lookup import occurrence_at
from interpreter.desk.names import CALLED, GLOBAL, Names, Occurrence
from interpreter.desk.outline import symbols
from interpreter.desk.positions import Place, Range, place_of
from interpreter.desk.workspace import Workspace
from rulelang.builtins.registry import for_authors
from rulelang.diagnostics.source import Span
from rulelang.syntax.nodes import Node

_MOST_HINTS = 2000
_CALLS = ("call", "do", "can", "attempt", "supposing", "s_play")


# ------------------------------------------------------------------------------------- signatures
def signature(workspace: Workspace, document: Document, place: Place) -> Signature | None:
    """What the call that is open at a place takes, and which of it is being written."""
    before = "\n".join(
        [*document.lines[max(0, place.line - 3) : place.line], _before(document, place)]
    )
    depth, commas = 0, 0
    for index in range(len(before) - 1, -1, -1):
        char = before[index]
        depth += (char in ")}") - (char in "({")
        if depth == 0 and char == ",":
            commas += 1
        if depth < 0:
            if char == "{":
                return None
            name = re.search(r"[a-z_]\w*$", before[:index])
            return _signature(workspace, document, name.group(0), commas) if name else None
    return None


def _before(document: Document, place: Place) -> str:
    return document.line(place.line)[: document.column(place)]


def _signature(workspace: Workspace, document: Document, name: str, at: int) -> Signature | None:
    names = workspace.names(document.path)
    for declared in names.alike((name, GLOBAL, None)):
        node = names.declaration(declared) if declared.declares else None
        if node is not None and node.kind in CALLED:
            owner = workspace.document(workspace.path_of(declared.span.file)) or document
            taken = tuple(_text(owner, p.span) for p in _params(node))
            label = f"{name}({', '.join(taken)})"
            first = owner.line(node.span.line - 1).strip()
            return Signature(label, taken, min(at, max(0, len(taken) - 1)), first)
    record = for_authors(name)
    if record is None:
        return None
    found = re.search(r"\((.*)\)", record.written)
    taken = tuple(part.strip() for part in found.group(1).split(",")) if found is not None else ()
    return Signature(record.written, taken, min(at, max(0, len(taken) - 1)), record.meaning)


def _params(node: Node) -> list[Node]:
    """The parameters of a declaration."""
    params = node.first("params")
    return [part for part in params.parts if part is not None] if params is not None else []


def _text(document: Document, span: Span) -> str:
    if span.line != span.end_line:
        return ""
    return document.line(span.line - 1)[span.column - 1 : span.end_column - 1]


# ------------------------------------------------------------------------------------------ hints
def hints(workspace: Workspace, document: Document, within: Range) -> list[Hint]:
    """The names of parameters before what is given for them, on the lines of a stretch."""
    names = workspace.names(document.path)
    found: list[Hint] = []
    for node in document.nodes:
        if node.span.end_line - 1 < within.start.line or node.span.line - 1 > within.end.line:
            continue
        for part in node.walk():
            if (
                part.kind not in _CALLS
                or not within.start.line <= part.span.line - 1 <= within.end.line
            ):
                continue
            found += _hints_of(workspace, document, names, part)
            if len(found) >= _MOST_HINTS:
                return found
    return found


def _hints_of(workspace: Workspace, document: Document, names: Names, node: Node) -> Iterator[Hint]:
    name, args = node.first("NAME"), node.first("args")
    if name is None or args is None:
        return
    declared = next((o for o in names.alike((name.text, GLOBAL, None)) if o.declares), None)
    owner = names.declaration(declared) if declared is not None else None
    if owner is None or owner.kind not in CALLED:
        return
    for param, arg in zip(_params(owner), args.parts, strict=False):
        word = param.parts[0]
        if word is None or arg is None or arg.kind == "named_arg":
            continue
        if _text(document, arg.span) != word.text:
            start = place_of(document.lines, arg.span.line, arg.span.column)
            yield Hint(start, f"{word.text}:")


# -------------------------------------------------------------------------------------- hierarchy
def routine_at(workspace: Workspace, document: Document, place: Place) -> Routine | None:
    """What can be called and is named at a place."""
    one = occurrence_at(workspace, document, place)
    return _routine(workspace, workspace.names(document.path), one) if one is not None else None


def _routine(workspace: Workspace, names: Names, one: Occurrence) -> Routine | None:
    """What an occurrence names, if it can be called."""
    for declared in names.declarations(one):
        node = names.declaration(declared)
        if node is None or node.kind not in CALLED or one.within is not None:
            continue
        path = workspace.path_of(declared.span.file)
        document = workspace.document(path)
        if document is not None:
            at = Location(path, document.range(declared.span))
            whole = document.range(node.span)
            whole = Range(min(whole.start, at.range.start), max(whole.end, at.range.end))
            return Routine(one.name, declared.kind, at, whole)
    return None


def callers(workspace: Workspace, document: Document, name: str) -> list[Call]:
    """The declarations that name it, each with where it does."""
    names = workspace.names(document.path)
    found: dict[Routine, list[Range]] = {}
    for one in names.alike((name, GLOBAL, None)):
        owner = None if one.declares else _owner(workspace, one.span)
        if owner is not None:
            found.setdefault(owner[0], []).append(owner[1].range(one.span))
    return [Call(routine, tuple(ranges)) for routine, ranges in found.items()]


def called(workspace: Workspace, document: Document, name: str) -> list[Call]:
    """What the declaration of this name calls, each with where it does."""
    names = workspace.names(document.path)
    found: dict[Routine, list[Range]] = {}
    for declared in names.alike((name, GLOBAL, None)):
        node = names.declaration(declared) if declared.declares else None
        if node is None:
            continue
        index = names.files[declared.span.file]
        owner = workspace.document(workspace.path_of(declared.span.file))
        for one in index.all:
            inside = node.span.line <= one.span.line <= node.span.end_line
            if owner is None or not inside or one.declares:
                continue
            routine = _routine(workspace, names, one)
            if routine is not None:
                found.setdefault(routine, []).append(owner.range(one.span))
    return [Call(routine, tuple(ranges)) for routine, ranges in found.items()]


def _owner(workspace: Workspace, span: Span) -> tuple[Routine, Document] | None:
    """The declaration in which a stretch lies."""
    document = workspace.document(workspace.path_of(span.file))
    if document is None:
        return None
    where = document.range(span)
    for symbol in symbols(document):
        if symbol.whole.holds(where.start):
            at = Location(document.path, symbol.named)
            whole = Range(min(symbol.whole.start, at.range.start), symbol.whole.end)
            return Routine(symbol.name, symbol.kind, at, whole), document
    return None
