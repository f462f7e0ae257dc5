"""Unread: what is reported of sentences that are not read, kept for where they stand next.

To find out what is wrong with a sentence, and what would be read in its place, takes far longer
than to read one. It is the same on any line, and in every lexicon that parses all texts alike and
in which the phrases that came up mean the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rulelang.diagnostics import Diagnostic, Report
from rulelang.diagnostics.source import Span
from rulelang.phrases.reuse import Rests

Sentence = tuple[str, str, str]  # a text, and the title and the component of the card that bears it


@dataclass(frozen=True)
class Unread:
    """What was reported of a sentence where it stood, and what that rests on, as far as it is known
    and besides how texts are parsed.
    """

    found: tuple[Diagnostic, ...]
    span: Span
    rests: Rests | None

    def report(self, span: Span, report: Report) -> None:
        """Report the same of the sentence where it stands now."""
        report.merge(Report([replace(one, span=self._moved(one.span, span)) for one in self.found]))

    def _moved(self, place: Span, to: Span) -> Span:
        """A place in the sentence, or that of all of it, where it stands now."""
        if place == self.span:
            return to
        lines, columns = to.line - self.span.line, to.column - self.span.column
        return Span(
            to.file,
            place.line + lines,
            place.column + columns,
            place.end_line + lines,
            place.end_column + columns,
        )
