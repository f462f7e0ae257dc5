"""What a place means: a sentence of a card in plain words, a definition, a built-in word, a
statement of the rulebook.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.authoring.explain_card import Said
from interpreter.desk.answers import Hover
from interpreter.desk.documents import Document
from interpreter.desk.names import FIELD, STATEMENT, TITLE, Names, Occurrence
from interpreter.desk.positions import Place
from interpreter.desk.sentences import said, sentence_at
from interpreter.desk.workspace import Workspace
from interpreter.game.loading import Loaded
from rulelang.builtins.registry import for_authors
from rulelang.diagnostics.source import Span
from rulelang.syntax.nodes import Node, split_cites

_MOST_LINES = 12  # of a declaration that are shown


def hover(workspace: Workspace, document: Document, place: Place) -> Hover | None:
    """What stands at a place means this; none where nothing is known of it."""
    sentence = sentence_at(document, place)
    loaded = workspace.loaded(document.path)
    if sentence is not None:  # asked first: names are looked for in all files, and none stands here
        if loaded is None or not loaded.compiled.glossary.lexicon.sentences:
            return None
        return Hover(_read(said(sentence, loaded)), document.range(sentence.span))
    names = workspace.names(document.path)
    one = names.at(document.name, place.line + 1, document.column(place) + 1)
    if one is not None and one.sort == STATEMENT:
        statement = workspace.statements(document.path).get(one.name)
        text = f"**{one.name}** {statement.text}" if statement is not None else None
        return Hover(text, document.range(one.span)) if text else None
    if one is None:
        return _row_cites(workspace, document, place)
    text = "\n\n".join(_meanings(workspace, names, one, loaded))
    return Hover(text, document.range(one.span)) if text else None


def _row_cites(workspace: Workspace, document: Document, place: Place) -> Hover | None:
    """The statements cited behind a row, where the place lies in that citation."""
    line, column = document.line(place.line), document.column(place)
    start, end = line.rfind("[", 0, column + 1), line.find("]", column)
    if start < 0 or end < start:
        return None
    known = workspace.statements(document.path)
    told = [f"**{c}** {known[c].text}" for c in split_cites(line[start : end + 1]) if c in known]
    span = Span(document.name, place.line + 1, start + 1, place.line + 1, end + 2)
    return Hover("\n\n".join(told), document.range(span)) if told else None


def _read(sentence: Said) -> str:
    """A sentence's readings with what each does, or why it has none."""
    parts = [f"*in other words:* {words}" for words in sentence.other_words]
    parts += [f"*left out of the rules:* “{aside}”" for aside in sentence.left_out]
    several = len(sentence.readings) > 1
    for number, (words, does) in enumerate(
        zip(sentence.readings, sentence.effects, strict=True), 1
    ):
        parts.append(f"*{f'reading {number}' if several else 'reads as'}:* {words}")
        parts += ["```text\n" + "\n".join(does) + "\n```"] if does else []
    for item in sentence.diagnostics:
        notes = "".join(f"\n- {note}" for note in (*item.notes, *item.fixes))
        parts.append(f"**{item.code}** {item.message}{notes}")
    return "\n\n".join(parts)


def _meanings(
    workspace: Workspace, names: Names, one: Occurrence, loaded: Loaded | None
) -> Iterator[str]:
    """What a name is, each declaration of it as it is written."""
    declarations = names.declarations(one)
    for declared in declarations:
        node = names.declaration(declared)
        document = workspace.document(workspace.path_of(declared.span.file))
        if document is None or (one.within is not None and node is None):
            text = document.line(declared.span.line - 1).strip() if document is not None else ""
            yield f"*{declared.kind}*" + (f"\n```rulelang\n{text}\n```" if text else "")
            continue
        yield from _declaration(workspace, document, declared, node)
    if not declarations and one.sort not in (FIELD, TITLE):
        word = for_authors(one.name)
        if word is not None:
            yield f"```rulelang\n{word.written}\n```\n{word.meaning}"
        elif loaded is not None and one.name in loaded.compiled.rules.options:
            values = loaded.compiled.rules.options[one.name]
            yield f"*option*: {', '.join(map(str, values))}"


def _declaration(
    workspace: Workspace, document: Document, declared: Occurrence, node: Node | None
) -> Iterator[str]:
    """A declaration: its first lines, and the statements it cites."""
    first = declared.span.line
    last = node.span.end_line if node is not None and declared.kind != "member" else first
    lines = document.lines[first - 1 : last]
    while lines and not lines[-1].strip():
        lines.pop()
    shown = lines[:_MOST_LINES] + (["  …"] if len(lines) > _MOST_LINES else [])
    yield f"*{declared.kind}*\n```rulelang\n" + "\n".join(shown) + "\n```"
    known = workspace.statements(document.path)
    for cite in node.cites if node is not None else ():
        if cite in known:
            yield f"**{cite}** {known[cite].text}"
