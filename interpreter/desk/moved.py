"""The findings of an edited text until it is checked again: those of what was not edited, where it
stands now, and what can be said at once of what was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from interpreter.desk.documents import Document
from interpreter.desk.sentences import said, sentences_in
from interpreter.game.loading import Loaded
from rulelang.diagnostics import Diagnostic, Report
from rulelang.diagnostics.source import decode_source
from rulelang.syntax.parser import parse_source


def moved(
    found: Sequence[Diagnostic], seen: Document, now: Document, loaded: Loaded | None
) -> Iterator[Diagnostic]:
    """The findings of a text that was checked as it was seen, for the text as it is now."""
    source, flaws = decode_source(now.name, now.raw)
    report = Report()
    if source is None:
        for flaw in flaws:
            report.add_text_error(flaw)
        yield from report.found
        return
    shifts, edited = _matched(seen, now)
    parse_source(source, report)
    for item in report.found:
        if item.span.line in edited:
            yield item
    for item in found:
        shift = shifts.get(item.span.line)
        if shift is not None:
            span = item.span
            there = replace(span, line=span.line + shift, end_line=span.end_line + shift)
            yield replace(item, span=there)
    if loaded is not None and loaded.compiled.glossary.lexicon.sentences:
        for sentence in sentences_in(now):
            if sentence.span.line in edited:
                yield from said(sentence, loaded).diagnostics


def _matched(seen: Document, now: Document) -> tuple[dict[int, int], set[int]]:
    """By how much each line that was seen has moved, of declarations that are the same; and the
    lines of the others as they are now.
    """
    places: dict[str, list[int]] = {}
    for block in seen.blocks:
        places.setdefault(block.text.rstrip(), []).append(block.first)
    shifts: dict[int, int] = {0: 0}
    edited: set[int] = set()
    for block in now.blocks:
        text = block.text.rstrip()
        lines = range(block.first, block.first + text.count("\n") + 1)
        known = places.get(text)
        if not known:
            edited.update(lines)
            continue
        first = known.pop(0)
        shifts |= {first + at: block.first - first for at in range(len(lines))}
    return shifts, edited
