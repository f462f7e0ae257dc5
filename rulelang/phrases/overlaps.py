"""Overlaps: phrases that never match, and two sentences that read one text with different meanings.

They are looked for where phrases are declared, by an example of each of the game's own sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from rulelang.diagnostics import CODES, Report
from rulelang.english import FOLDER
from rulelang.phrases.joined import Parse
from rulelang.phrases.lexicon import Lexicon
from rulelang.phrases.phrase import Phrase

ReadBy: TypeAlias = Callable[[str], Iterable[Phrase]]
"""The sentences that give a text its meanings, one of each meaning."""

# The codes of what is reported here.
OVERLAPS = frozenset(CODES[key].code for key in ("never-matches", "phrases-overlap"))


@dataclass(frozen=True)
class Reader:
    """Every parse of a text, the sentences that read it, and what is known of texts beforehand.

    `alone` are texts that are parsed as at most one sentence; those that are found go there. Of
    those that are `known` the sentences that read them are.
    """

    parsed: Parse
    read_by: ReadBy
    alone: set[str]
    known: Container[str] = ()

    def is_alone(self, text: str) -> bool:
        """Is a text parsed as at most one sentence?"""
        if text in self.alone or text in self.known:
            return text in self.alone
        is_alone = len({one.phrase.id for one in self.parsed(text) if one.phrase}) <= 1
        if is_alone:
            self.alone.add(text)
        return is_alone


def report_overlaps(lexicon: Lexicon, reader: Reader, report: Report) -> None:
    """Report phrases that never match, and pairs of sentences that read one text differently.

    Of the pairs one is the game's own: tests compare the shared ones, which takes long.
    """
    _report_unfilled(lexicon, report)
    seen: set[frozenset[str]] = set()
    for phrase, text in _examples(lexicon):
        if reader.is_alone(text):
            continue
        used = {sentence.id: sentence for sentence in reader.read_by(text)}
        if len(used) > 1 and frozenset(used) not in seen:
            seen.add(frozenset(used))
            other = next(p for key, p in used.items() if key != phrase.id)
            report.add(
                "phrases-overlap", phrase.span, one=phrase.text, two=other.text, example=text
            )


def _report_unfilled(lexicon: Lexicon, report: Report) -> None:
    """Report phrases with a slot that nothing can fill."""
    filled = {phrase.category for phrase in lexicon.phrases} | {"number"}
    for phrase in lexicon.phrases:
        for name, category in phrase.slots:
            if category not in filled:
                report.add("never-matches", phrase.span, text=phrase.text, slot=name)


def _examples(lexicon: Lexicon) -> Iterator[tuple[Phrase, str]]:
    """Each of the game's own sentences whose slots can be filled, with an example."""
    for phrase in lexicon.sentences:
        if not phrase.span.file.startswith(FOLDER):
            text = lexicon.examples.of(phrase)
            if "…" not in text:
                yield phrase, text
