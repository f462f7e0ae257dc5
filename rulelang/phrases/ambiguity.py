"""Ambiguity: sentences of several meanings are reported with a rewording that has only one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice

from lark.exceptions import UnexpectedInput

from rulelang.diagnostics import Report
from rulelang.diagnostics.source import Span
from rulelang.phrases.lexicon import Lexicon
from rulelang.phrases.phrase import Reading
from rulelang.phrases.unparse import paraphrases, texts_of_readings

MAX_DERIVATIONS = 200  # looked at, those of equal meaning too
MAX_READINGS = 24
MAX_SHOWN = 6  # readings printed or reworded
MAX_REWORDINGS = 36  # tried for one reading
MAX_REWORDED = 40  # words of a sentence for which another wording is sought

Read = Callable[[str], list[Reading]]  # all readings of a text, or Lark's UnexpectedInput


def report_ambiguous(
    found: Sequence[Reading], lexicon: Lexicon, read: Read, span: Span, report: Report
) -> None:
    """Report the several readings of a sentence, each in words, and a rewording if one exists."""
    report.add(
        "ambiguous",
        span,
        notes=[
            f"reading {number}: {said}" for number, said in enumerate(_texts(found)[:MAX_SHOWN], 1)
        ],
        count=len(found) if len(found) < MAX_READINGS else f"{MAX_READINGS} or more",
        fix=rewording(found, lexicon, read),
    )


def rewording(found: Sequence[Reading], lexicon: Lexicon, read: Read) -> str | None:
    """Advice to say one of these readings in other words that have that one meaning.

    None if no other phrases of the lexicon do.
    """
    for reading, meant in list(zip(found, _texts(found), strict=True))[:MAX_SHOWN]:
        for text in islice(paraphrases(reading.derivation, lexicon.phrases), MAX_REWORDINGS):
            if len(text.split()) > MAX_REWORDED:
                break
            others = _readings(text, read)
            if len(others) == 1 and others[0].meaning == reading.meaning:
                return f"Say “{text}” if you mean: {meant}"
    return None


def _texts(found: Sequence[Reading]) -> list[str]:
    """The readings in words, no two alike."""
    return texts_of_readings([reading.derivation for reading in found])


def _readings(text: str, read: Read) -> list[Reading]:
    """The readings of a text; none where it cannot be parsed."""
    try:
        return read(text)
    except UnexpectedInput:
        return []
