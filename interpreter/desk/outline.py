"""The shape of a text: its declarations, the lines that fold, the stretches to select by steps."""

from __future__ import annotations

import re
from collections.abc import Iterator

from interpreter.desk.answers import Fold, Found, Location, Symbol
from interpreter.desk.documents import Document
from interpreter.desk.names import DECLARED, TITLED
from interpreter.desk.positions import Place, Range, place_of
from interpreter.desk.workspace import Workspace
from rulelang.diagnostics.source import Block, Span
from rulelang.syntax.nodes import Node, plain

MOST_FOUND = 500
_INNER = ("field", "must", "line", "named")
_HEAD = re.compile(r'(?:replace\s+)?([a-z]+)\s*(?:for\s+\w+\s*|of\s+)?("[^"]*"|[a-z_]\w*)?')


def symbols(document: Document) -> list[Symbol]:
    """The declarations of a text in order, those that cannot be parsed by their first line."""
    by_line = {node.span.line: node for node in document.nodes}
    return [_symbol(document, block, by_line.get(block.first)) for block in document.blocks]


def _symbol(document: Document, block: Block, node: Node | None) -> Symbol:
    whole = document.range(block.span)
    first = block.text.split("\n")[0]
    if node is None:
        found = _HEAD.match(first)
        name = (found.group(2) or found.group(1)).strip('"') if found is not None else first.strip()
        named = document.range(Span("", block.first, 1, block.first, len(first.rstrip()) + 1))
        kind = found.group(1) if found is not None else ""
        return Symbol(name or first.strip() or "?", kind, whole, named)
    name, span, kind = _named(node, first)
    return Symbol(name, kind, whole, document.range(span), tuple(_inner(document, node)))


def _named(node: Node, first: str) -> tuple[str, Span, str]:
    """What a declaration is called, where that stands, and what it is."""
    kind = DECLARED.get(node.kind) or TITLED.get(node.kind) or _HEADED.get(node.kind, node.kind)
    word = node.first("NAME") if node.kind not in TITLED else None
    word = word or node.first("STRING")
    if word is None:
        end = node.span.column + len(first.rstrip())
        line = node.span.line
        return kind, Span(node.span.file, line, node.span.column, line, end), kind
    name = plain(word) if word.kind == "STRING" else word.text
    return name or kind, word.span, kind


_HEADED = {
    "rules": "rules",
    "rules_at": "rules",
    "reaction": "reaction",
    "frame": "pattern",
    "define_at": "addition",
    "score_at": "addition",
    "procedure_at": "addition",
    "speaks": "addition to a game",
}


def _inner(document: Document, node: Node) -> Iterator[Symbol]:
    """What of a declaration has a name of its own: fields, members, labelled lines."""
    for part in node.walk():
        if part is node or part.kind not in _INNER or not part.parts:
            continue
        word = part.first("STRING") if part.kind in ("must", "line") else part.first("NAME")
        if word is not None:
            name = plain(word) if word.kind == "STRING" else word.text
            kind = {"must": "rule", "line": "line", "named": "member"}.get(part.kind, "field")
            where = document.range(word.span)
            whole = document.range(part.span)
            yield Symbol(name or kind, kind, Range(whole.start, max(whole.end, where.end)), where)


def workspace_symbols(workspace: Workspace, query: str) -> list[Found]:
    """Declarations of all texts in whose names the letters of a query stand in that order."""
    letters = re.compile(".*?".join(map(re.escape, query.lower())))
    found: list[Found] = []
    for document in workspace.rules_below():
        for symbol in symbols(document):
            if letters.search(symbol.name.lower()):
                found.append(Found(symbol.name, symbol.kind, Location(document.path, symbol.named)))
    low = query.lower()
    found.sort(key=lambda one: (low not in one.name.lower(), one.name.lower(), one.at.path))
    return found[:MOST_FOUND]


def folds(document: Document) -> list[Fold]:
    """Lines with others further in under them, and comments of several lines."""
    found: list[Fold] = []
    open_: list[tuple[int, int]] = []  # indent and line
    last = 0
    for number, line in enumerate([*document.lines, "x"]):
        if not line.strip():
            continue
        indent = len(line) - len(line.lstrip())
        while open_ and open_[-1][0] >= indent:
            _, first = open_.pop()
            if last > first:
                found.append(Fold(first, last))
        open_.append((indent, number))
        last = number
    return sorted({*found, *_comments(document)}, key=lambda fold: (fold.first, fold.last))


def _comments(document: Document) -> Iterator[Fold]:
    first: int | None = None
    for number, line in enumerate([*document.lines, "x"]):
        if line.lstrip().startswith("#"):
            first = number if first is None else first
            continue
        if first is not None and number - 1 > first:
            yield Fold(first, number - 1, "comment")
        first = None


def selections(document: Document, place: Place) -> list[Range]:
    """The stretches round a place, the innermost first, each within the next."""
    found: list[Range] = []
    lines = document.lines
    line = document.line(place.line)
    column = document.column(place)
    for match in re.finditer(r"\w+", line):
        if match.start() <= column <= match.end():
            number = place.line + 1
            word = match.start() + 1, match.end() + 1
            found.append(Range(*(place_of(lines, number, one) for one in word)))
    node = document.node_at(place)
    inner = [document.range(p.span) for p in node.walk()] if node is not None else []
    found += [one for one in inner if one.holds(place)]
    start = Place(place.line, 0)
    found.append(Range(start, place_of(lines, place.line + 1, len(line) + 1)))
    for block in document.blocks:
        span = block.span
        if span.line <= place.line + 1 <= span.end_line:
            found.append(document.range(span))
    found.append(Range(Place(0, 0), place_of(lines, len(lines), len(lines[-1]) + 1)))
    found.sort(key=_size)
    chain: list[Range] = []
    for one in found:
        if not chain or (
            chain[-1] != one and one.holds(chain[-1].start) and one.holds(chain[-1].end)
        ):
            chain.append(one)
    return chain


def _size(one: Range) -> tuple[int, int]:
    lines = one.end.line - one.start.line
    return lines, one.end.character - (one.start.character if not lines else 0)
