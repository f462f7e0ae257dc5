"""The sentence of a card's text at a place, and what it reads as by the rules of the last check."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.authoring.explain_card import Said, sentence_said
from interpreter.desk.documents import Document
from interpreter.desk.positions import Place
from interpreter.game.loading import Loaded
from rulelang.compiler.sentences import sentences_of
from rulelang.diagnostics.source import Span
from rulelang.ruleset import Design
from rulelang.syntax.nodes import Node, plain


@dataclass(frozen=True)
class Sentence:
    """A sentence: its text with the citations behind it, its place, and the card it stands on."""

    text: str
    span: Span
    card: Node


def sentence_at(document: Document, place: Place) -> Sentence | None:
    """The sentence in which a place lies, if it lies in the text of a card that can be parsed."""
    node = document.node_at(place)
    if node is None or node.kind != "card":
        return None
    line, column = place.line + 1, document.column(place) + 1
    for words in node.words("words"):
        for text, span in sentences_of(words):
            if span.line == line and span.column <= column <= span.end_column:
                return Sentence(text, span, node)
    return None


def sentences_in(document: Document) -> list[Sentence]:
    """Every sentence of a card's text, in order."""
    return [
        Sentence(text, span, node)
        for node in document.nodes
        if node.kind == "card"
        for words in node.words("words")
        for text, span in sentences_of(words)
    ]


def said(sentence: Sentence, loaded: Loaded) -> Said:
    """The sentence as it is read on its card."""
    title = plain(sentence.card.part(0))
    return sentence_said(loaded, sentence.text, sentence.span, design_of(title, sentence, loaded))


def design_of(title: str, sentence: Sentence, loaded: Loaded) -> Design | None:
    """The card that the sentence stands on, as far as it is known what it is."""
    rules = loaded.compiled.rules
    known = next((d for d in rules.designs if d.title == title), None)
    of = sentence.card.first("NAME")
    if known is None and of is not None and of.text in rules.components:
        return Design(title, of.text, (), 1, "")
    return known


def row_before(document: Document, place: Place) -> str | None:
    """What is written before a place in its row of a card's text, if it is one; told by the letters
    alone, so that it holds for a card that cannot be parsed.
    """
    line = document.line(place.line)
    stripped = line.lstrip()
    if not stripped.startswith("|") or not _of_card(document, place.line):
        return None
    before = line[: document.column(place)]
    return before.split("|", 1)[1] if "|" in before else None


def _of_card(document: Document, number: int) -> bool:
    """Is the declaration that a line is under a card?"""
    while number >= 0:
        line = document.line(number)
        if line[:1].strip() and not line.startswith("#"):
            return line.startswith("card ")
        number -= 1
    return False
