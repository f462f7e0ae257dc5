"""Edits that do what the fixes of a finding advise, where the advice names the words to write."""

from __future__ import annotations

import re
from collections.abc import Iterator

from interpreter.desk.answers import Edit, Mend
from interpreter.desk.documents import Document
from interpreter.desk.positions import range_of
from rulelang.compiler.sentences import sentences_of
from rulelang.diagnostics import Diagnostic
from rulelang.diagnostics.source import Span

MOST = 5
_WORDS = re.compile(r"`([^`]+)`|“([^”]+)”|\[([A-Z]+-\d+)\]")
_READ_INSTEAD = re.compile(r"^this would be read: “(.*?)”(?: – without .*)?$")
_WORD = re.compile(r"[\w'’-]+")


def mends_of(item: Diagnostic, document: Document) -> tuple[Mend, ...]:
    """What an author may do about a finding in this text, best first."""
    made = dict.fromkeys((*_of_notes(item, document), *_of_fixes(item, document)))
    return tuple(made)[:MOST]


def _of_fixes(item: Diagnostic, document: Document) -> Iterator[Mend]:
    for fix in item.fixes:
        said = [next(filter(None, found)) for found in _WORDS.findall(fix)]
        if fix.startswith(("Did you mean", "Nearest is")):
            for word in said:
                yield from _instead(item, document, word)
        elif fix.startswith("Write “"):
            for text in said:
                yield from _whole_sentence(item, document, text)
        elif fix.startswith("Take another name"):
            for word in said[:1]:
                yield from _mend(document, item.span, word)


def _of_notes(item: Diagnostic, document: Document) -> Iterator[Mend]:
    for note in item.notes:
        found = _READ_INSTEAD.match(note)
        if found is not None:
            yield from _whole_sentence(item, document, found.group(1))


def _instead(item: Diagnostic, document: Document, word: str) -> Iterator[Mend]:
    """This word for the one at fault, which stands alone, in quotes or among citations."""
    span, said = item.span, _text(document, item.span)
    if said.startswith("[") and said.endswith("]"):
        wrong = re.search(r"[A-Z]+-\d+", item.message)
        at = said.find(wrong.group(0)) if wrong is not None else -1
        if wrong is not None and at >= 0:
            yield from _mend(document, _part(span, at, len(wrong.group(0))), word)
    elif said.startswith('"') and said.endswith('"') and len(said) > 1:
        yield from _mend(document, _part(span, 1, len(said) - 2), word.strip('"'))
    elif _WORD.fullmatch(said) or said in item.message:
        yield from _mend(document, span, word)


def _whole_sentence(item: Diagnostic, document: Document, text: str) -> Iterator[Mend]:
    """This sentence for the one in which the finding stands."""
    found = sentence_span(document, item.span)
    if found is not None:
        whole = _text(document, found)
        if not whole.endswith((".", "!")):
            text = text.removesuffix(".")
        yield from _mend(document, found, text)


def sentence_span(document: Document, span: Span) -> Span | None:
    """The sentence of a card's text in which a span begins."""
    for node in document.nodes:
        if node.kind != "card" or not node.span.line <= span.line <= node.span.end_line:
            continue
        for words in node.words("words"):
            for _, one in sentences_of(words):
                if one.line == span.line and one.column <= span.column <= one.end_column:
                    return one
    return None


def _mend(document: Document, span: Span, text: str) -> Iterator[Mend]:
    if span.line and text and text != _text(document, span):
        edit = Edit(document.path, range_of(document.lines, span), text)
        yield Mend(f"Write “{text}”", (edit,))


def _text(document: Document, span: Span) -> str:
    if span.line != span.end_line:
        return ""
    return document.line(span.line - 1)[span.column - 1 : span.end_column - 1]


def _part(span: Span, at: int, length: int) -> Span:
    column = span.column + at
    return Span(span.file, span.line, column, span.line, column + length)
