"""Wrapping of long lines.

A line that is too wide goes on in the next row after commas and inside brackets.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.format.tokens import Word

WIDTH = 110  # of the words of a row; citations and comments stand beside them
STEP = 4  # what goes on stands this much further in


def flat(words: Sequence[Word]) -> str:
    """The words in one row, without the blanks before the first."""
    return "".join(
        " " * (word.blanks if index else 0) + word.text for index, word in enumerate(words)
    )


def wrapped(words: Sequence[Word], margin: int) -> list[str]:
    """The words in as many rows as they need."""
    whole = " " * margin + flat(words)
    if len(whole) <= WIDTH:
        return [whole]
    rows = _Rows(margin)
    rows.parts(words, 0)
    return rows.made


class _Rows:
    """Rows while they are filled: the last is open."""

    def __init__(self, margin: int) -> None:
        self.made = [" " * margin]

    def fits(self, words: Sequence[Word], tail: int) -> bool:
        """Is there room for the words, a blank before them, and a tail?"""
        return len(self.made[-1]) + 1 + len(flat(words)) + tail <= WIDTH

    def parts(self, words: Sequence[Word], tail: int) -> None:
        """Add words of one depth: in each row as many parts as it holds.

        Room is left for a tail of so many letters after the last.
        """
        margin = " " * (len(self.made[-1]) - len(self.made[-1].lstrip()) + STEP)
        cut = _turns(words)
        for low, high in zip([0, *cut], [*cut, len(words)], strict=True):
            part, room = words[low:high], tail if high == len(words) else 0
            if low and (part[0].turn == 2 or not self.fits(part, room)):
                self.made.append(margin)
            elif low:
                self.made[-1] += " " * part[0].blanks
            self.part(part, room)

    def part(self, words: Sequence[Word], tail: int) -> None:
        """Add words that go on in another row only inside their brackets."""
        at = 0
        while at < len(words):
            self.made[-1] += " " * (words[at].blanks if at else 0) + words[at].text
            close = _close(words, at)
            if _breaks(words, at) and not self.fits(words[at + 1 : close], 0):
                after = next((i for i in range(close, len(words)) if _breaks(words, i)), len(words))
                self.parts(
                    words[at + 1 : close],
                    len(flat(words[close:after])) + (tail if after == len(words) else 1),
                )
                at = close
            else:
                at += 1


def _turns(words: Sequence[Word]) -> list[int]:
    """The indices of words before which a row may end, outside brackets."""
    found, depth = [], 0
    for index, word in enumerate(words):
        if index and depth == 0 and word.turn:
            found.append(index)
        depth += (word.text in ("(", "{")) - (word.text in (")", "}"))
    return found


def _close(words: Sequence[Word], at: int) -> int:
    """The index of the bracket that closes the one here, or this index if none opens here."""
    depth = 0
    for index in range(at, len(words)):
        depth += (words[index].text in ("(", "{")) - (words[index].text in (")", "}"))
        if depth <= 0:
            return index
    return at


def _breaks(words: Sequence[Word], at: int) -> bool:
    """Does a bracket open here that may be broken inside?"""
    return (
        words[at].text in ("(", "{")
        and not words[at].firm
        and bool(_turns(words[at + 1 : _close(words, at)]))
    )
