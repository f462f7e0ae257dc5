"""Brackets: texts in which they show what belongs together, with as few as tell readings apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_PART = re.compile(r"[\[\]]|\s+|[^\s\[\]]+")
Words = tuple[str, ...]


@dataclass(frozen=True)
class _Pair:
    """Where a pair of brackets opens and closes, and the words within it."""

    opened: int
    closed: int
    words: Words

    def encloses(self, other: _Pair) -> bool:
        """Does the other pair stand within it?"""
        return self.opened < other.opened and other.closed < self.closed


def fewest_brackets(texts: Sequence[str]) -> list[str]:
    """The texts without the brackets round one word, round words that are in brackets in all of
    them, and round others of those left; where what is left out tells some apart, with these. A
    text that has none left is shown with those round what the others have in brackets, if any.
    """
    parts = [_PART.findall(text) for text in texts]
    every = [list(_pairs(one)) for one in parts]
    fewer = _differing(every)
    fewer = [pairs or _round(every[at], fewer) for at, pairs in enumerate(fewer)]
    few = list(map(_innermost, fewer))
    for shown in (few, fewer):
        found = list(map(_text, parts, shown))
        if len(set(found)) == len(set(texts)):
            return found
    return list(map(_text, parts, every))


def _differing(every: Sequence[Sequence[_Pair]]) -> list[list[_Pair]]:
    """The pairs of each text without those round words that are in brackets in all texts."""
    words = [{pair.words for pair in pairs} for pairs in every]
    common = set[Words]().union(*words).intersection(*words)
    return [[pair for pair in pairs if pair.words not in common] for pairs in every]


def _round(pairs: Sequence[_Pair], others: Sequence[Sequence[_Pair]]) -> list[_Pair]:
    """The innermost pair of a text round words that others have in brackets, if it has one."""
    told = [pair.words for several in others for pair in several]
    found = [pair for pair in pairs if any(_holds(pair.words, words) for words in told)]
    return sorted(found, key=lambda pair: len(pair.words))[:1]


def _holds(words: Words, part: Words) -> bool:
    """Do these words stand in a row among those?"""
    return any(words[at : at + len(part)] == part for at in range(len(words) - len(part) + 1))


def _innermost(pairs: Sequence[_Pair]) -> list[_Pair]:
    """The pairs that enclose no other."""
    return [pair for pair in pairs if not any(map(pair.encloses, pairs))]


def _text(parts: Sequence[str], pairs: Sequence[_Pair]) -> str:
    shown = {at for pair in pairs for at in (pair.opened, pair.closed)}
    return "".join(part for at, part in enumerate(parts) if part not in "[]" or at in shown)


def _pairs(parts: Sequence[str]) -> Iterator[_Pair]:
    """The pairs of brackets round several words; an outer pair comes after those within it."""
    opened: list[int] = []
    for at, part in enumerate(parts):
        if part == "[":
            opened.append(at)
        elif part == "]" and opened:
            first = opened.pop()
            words = [one for one in parts[first:at] if one not in "[]" and not one.isspace()]
            if len(words) > 1:
                yield _Pair(first, at, tuple(words))
