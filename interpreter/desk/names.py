"""Where names are declared and used: an index over the syntax trees of one ruleset.

It is made of syntax alone, so it is there as soon as a text is, whatever else is wrong with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from rulelang.diagnostics.english import plural
from rulelang.diagnostics.source import Span
from rulelang.syntax.nodes import Node, plain

GLOBAL, FIELD, STATEMENT, TITLE = "name", "field", "statement", "title"

# Which part of a declaration is its name; what is declared, in words.
DECLARED: Mapping[str, str] = {
    "game": "game",
    "kind": "kind",
    "pair": "kind of pairs",
    "group": "group",
    "component": "component",
    "board": "board",
    "place": "place",
    "state": "variable",
    "define_one": "definition",
    "define": "definition",
    "event": "event",
    "score": "score table",
    "action": "action",
    "procedure": "procedure",
    "end": "end",
    "option": "option",
    "variant": "variant",
    "phrase": "sort of phrases",
    "role": "role",
    "opening": "opening",
    "deck": "deck list",
    "latch": "latch",
    "named": "member",
}
TITLED: Mapping[str, str] = {
    "card": "card",
    "scenario": "scenario",
    "ruling": "ruling",
    "pattern": "pattern",
    "invariant": "invariant",
}
CALLED = ("define_one", "define", "event", "score", "action", "procedure")
_ALSO_MANY = ("kind", "pair", "group", "component", "board", "place")
_BINDS = {  # which part of these nodes names a value
    "param": 0,
    "role_param": 0,
    "let": 0,
    "choose": 1,
    "choose_order": 0,
    "for_each": 0,
    "each": 0,
    "some": 0,
    "none_of": 0,
    "every": 0,
    "filter": 0,
    "image": 1,
    "each_of": 1,
    "of_each": 0,
    "slot": 0,
}
_KEYWORDS = {"prop": 0, "rankline": 0, "extreme": 0, "s_number": 0, "told": 0, "speaks": -1}


@dataclass(frozen=True)
class Occurrence:
    """A name where it stands: of which sort it is, in which declaration alone it holds (empty:
    everywhere), and whether it is declared there.
    """

    name: str
    sort: str
    span: Span
    within: tuple[str, int] | None = None
    declares: bool = False
    kind: str = ""
    many: bool = False  # is it written in the plural?

    @property
    def key(self) -> Key:
        """What two occurrences of one thing have in common."""
        return self.name, self.sort, self.within


Key = tuple[str, str, tuple[str, int] | None]


@dataclass
class Index:
    """The occurrences of names in one file."""

    all: list[Occurrence] = field(default_factory=list)
    by_key: dict[Key, list[Occurrence]] = field(default_factory=dict)
    by_line: dict[int, list[Occurrence]] = field(default_factory=dict)
    nodes: dict[int, Node] = field(default_factory=dict)  # declarations by the line they begin on


@dataclass(frozen=True)
class Names:
    """The occurrences of names in the files of a ruleset."""

    files: Mapping[str, Index]

    @property
    def all(self) -> Iterator[Occurrence]:
        """Every occurrence, file by file in the order of the text."""
        return (one for index in self.files.values() for one in index.all)

    def at(self, file: str, line: int, column: int) -> Occurrence | None:
        """The occurrence at a place that counts from 1."""
        index = self.files.get(file)
        for one in index.by_line.get(line, ()) if index is not None else ():
            if one.span.column <= column <= one.span.end_column:
                return one
        return None

    def alike(self, key: Key) -> list[Occurrence]:
        """Every occurrence of one thing."""
        return [one for index in self.files.values() for one in index.by_key.get(key, ())]

    def declarations(self, one: Occurrence) -> list[Occurrence]:
        """Where what is meant is declared."""
        return [other for other in self.alike(one.key) if other.declares]

    def declaration(self, one: Occurrence) -> Node | None:
        """The node that declares what an occurrence of a declaration names."""
        index = self.files.get(one.span.file)
        return index.nodes.get(one.span.line) if index is not None else None


def index_of(nodes: Iterable[Node], many: Mapping[str, str]) -> Index:
    """The index of the declarations of a file, given the plurals of the ruleset."""
    found = Index()
    for node in nodes:
        bound = _bound(node)
        for one in _found(node, node, bound, many):
            found.all.append(one)
            found.by_key.setdefault(one.key, []).append(one)
            found.by_line.setdefault(one.span.line, []).append(one)
        for part in node.walk():
            if part.parts and (
                part.kind in DECLARED or part.kind in TITLED or part.kind == "field"
            ):
                found.nodes.setdefault(part.span.line, part)
    return found


def plurals(nodes: Iterable[Node]) -> dict[str, str]:
    """The plural of each name that has one, as it is written in rules, with that name."""
    made: dict[str, str] = {}
    for node in nodes:
        for part in node.walk():
            if part.kind not in _ALSO_MANY or not part.parts:
                continue
            name = part.part(0).text
            said = [plain(word).replace(" ", "_") for word in part.words("STRING")]
            made.setdefault(said[1] if len(said) > 1 else plural(said[0] if said else name), name)
    return made


def _bound(node: Node) -> set[str]:
    """The names that a declaration binds for itself."""
    found = set()
    for part in node.walk():
        if part.kind in _BINDS and not (part.kind == "param" and node.kind == "pair"):
            word = _name_in(part, _BINDS[part.kind])
            if word is not None:
                found.add(word.text)
        elif part.kind == "names":
            found |= {word.text for word in part.parts if word is not None}
        elif part.kind == "line":
            found |= {word.text for word in part.words("NAME")}
        elif part.kind == "bound":
            found.add(part.part(0).text)
    return found


def _name_in(node: Node, index: int) -> Node | None:
    words = [part for part in node.parts if part is not None and part.kind in ("NAME", "AT")]
    found = node.parts[index] if index < len(node.parts) else None
    if found is not None and found.kind in ("NAME", "AT"):
        return found
    return words[0] if words else None


def _found(top: Node, node: Node, bound: set[str], many: Mapping[str, str]) -> Iterator[Occurrence]:
    """The occurrences of names in a node, in the order of the text."""
    within = (top.span.file, top.span.line)
    named = node.parts[0] if node.kind in DECLARED and node.parts else None
    for index, part in _said(node):
        if part.parts:
            yield from _found(top, part, bound, many)
        elif part is named and part.kind == "NAME":
            yield Occurrence(part.text, GLOBAL, part.span, None, True, DECLARED[node.kind])
        elif part.kind == "CITE":
            yield from _cites(part)
        elif part.kind == "STRING" and "{" in part.text:
            yield from _in_braces(part, bound, many, within)
        elif part.kind == "STRING":
            kind = TITLED.get(node.kind, "") if index == 0 else ""
            yield Occurrence(plain(part), TITLE, _inner(part), None, bool(kind), kind)
        elif part.kind in ("NAME", "AT"):
            yield _name(top, node, index, part, bound, many, within)


def _said(node: Node) -> Iterator[tuple[int, Node]]:
    """The parts of a node that say something, without words that are its keywords."""
    for index, part in enumerate(node.parts):
        if part is not None and not (part.kind == "NAME" and _KEYWORDS.get(node.kind) == index):
            yield index, part


def _name(
    top: Node,
    node: Node,
    index: int,
    part: Node,
    bound: set[str],
    many: Mapping[str, str],
    within: tuple[str, int],
) -> Occurrence:
    """A name that is no declaration of its own."""
    text = part.text
    if _is_field(top, node, index):
        declares = node.kind == "field" or (node.kind == "param" and top.kind == "pair")
        return Occurrence(text, FIELD, part.span, None, declares, "field")
    if text in bound and node.kind != "type_name":
        binds = node.kind in _BINDS and _name_in(node, _BINDS[node.kind]) is part
        binds = binds or node.kind in ("names", "bound") or (node.kind == "line")
        return Occurrence(text, GLOBAL, part.span, within, binds, "value")
    if text in many:
        return Occurrence(many[text], GLOBAL, part.span, many=True)
    return Occurrence(text, GLOBAL, part.span)


def _is_field(top: Node, node: Node, index: int) -> bool:
    if node.kind == "field_of":
        return index == len(node.parts) - 1
    if node.kind == "param":
        return top.kind == "pair" and index == 0
    return (node.kind in ("field", "datum", "words") and index == 0) or (
        node.kind == "rows" and top.kind == "component"
    )


_BRACES = re.compile(r"\{[^{}]*\}")
_IN_BRACES = re.compile(r"('s\s+)?\b([a-z_]\w*)")


def _in_braces(
    part: Node, bound: set[str], many: Mapping[str, str], within: tuple[str, int]
) -> Iterator[Occurrence]:
    """The names of what stands in braces in a text: slots, or values that are told."""
    for group in _BRACES.finditer(part.text):
        for word in _IN_BRACES.finditer(group.group(0)):
            text, s = word.group(2), part.span
            column = s.column + group.start() + word.start(2)
            span = Span(s.file, s.line, column, s.line, column + len(text))
            if word.group(1):
                yield Occurrence(text, FIELD, span, None, False, "field")
            elif text in bound:
                yield Occurrence(text, GLOBAL, span, within, False, "value")
            else:
                yield Occurrence(many.get(text, text), GLOBAL, span, many=text in many)


def _cites(part: Node) -> Iterator[Occurrence]:
    """The single statements that a citation names."""
    at = 0
    for word in part.text.strip("[]").replace(",", " ").split():
        at = part.text.index(word, at)
        column = part.span.column + at
        span = Span(part.span.file, part.span.line, column, part.span.line, column + len(word))
        yield Occurrence(word, STATEMENT, span)
        at += len(word)


def _inner(part: Node) -> Span:
    """The span of a text without its quotes."""
    s = part.span
    return Span(s.file, s.line, s.column + 1, s.end_line, s.end_column - 1)
