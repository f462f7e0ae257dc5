"""Words that people type held against words that are meant: whole, begun, or with a slip of the
finger."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

FILLERS = frozenset(
    (
        "a",
        "an",
        "the",
        "on",
        "at",
        "in",
        "of",
        "to",
        "with",
        "and",
        "or",
        "from",
        "for",
        "by",
        "into",
        "onto",
    )
)  # need not mean anything
_WORD = re.compile(r"[^\W_]+")
_SLIP = 4  # letters a word needs before a slip in it is forgiven


def words(text: str) -> tuple[str, ...]:
    """The words of a text, small, without what stands between them."""
    return tuple(_WORD.findall(text.lower()))


def nearness(typed: str, meant: str) -> int | None:
    """0 the word itself, 1 its beginning, 2 the word with one slip.

    None if it is another. Numbers allow neither.
    """
    if typed == meant:
        return 0
    if typed.isdecimal():
        return None
    if meant.startswith(typed):
        return 1
    if (
        len(typed) >= _SLIP
        and not any(c.isdecimal() for c in typed + meant)
        and one_slip(typed, meant)
    ):
        return 2
    return None


def one_slip(a: str, b: str) -> bool:
    """Does one letter too many, too few, wrong, or changed for its neighbour make one of the
    other?"""
    if len(a) > len(b):
        a, b = b, a
    if len(b) - len(a) > 1:
        return False
    at = next((i for i in range(len(a)) if a[i] != b[i]), len(a))
    if len(a) < len(b):
        return a[at:] == b[at + 1 :]
    swapped = a[:at] + a[at + 1 : at + 2] + a[at : at + 1] + a[at + 2 :]
    return a[at + 1 :] == b[at + 1 :] or swapped == b


class Vocabulary:
    """Words that are meant, to be asked quickly whether one of them is near to what is typed."""

    def __init__(self, meant: Iterable[str]) -> None:
        """Each word counts once."""
        self._all = sorted(set(meant))
        self._slipping = [w for w in self._all if not any(c.isdecimal() for c in w)]

    def explains(self, typed: str) -> bool:
        """Is one of the words near to what is typed, as `nearness` has it?"""
        at = bisect_left(self._all, typed)
        following = self._all[at] if at < len(self._all) else ""
        if following == typed or (following.startswith(typed) and not typed.isdecimal()):
            return True
        slipping = len(typed) >= _SLIP and not any(c.isdecimal() for c in typed)
        return slipping and any(one_slip(typed, word) for word in self._slipping)


@dataclass(frozen=True)
class Fit:
    """How typed words fit a text: which of them it explains (by place), how many of its own words
    they leave out, how far from right the rest is."""

    explained: frozenset[int] = frozenset()
    missing: int = 0
    slips: int = 0

    @property
    def cost(self) -> int:
        """Nothing for a text named in full; the more is left to guess, the more."""
        return self.missing + self.slips


def _elsewhere(typed: tuple[str, ...], meant: tuple[str, ...], place: int) -> bool:
    """Is the word before this number typed with another number after it, and nowhere with this
    one?"""
    if not place or meant[place - 1].isdecimal():
        return False
    after = {
        number
        for word, number in pairwise(typed)
        if word == meant[place - 1] and number.isdecimal()
    }
    return bool(after) and meant[place] not in after


def fit(typed: tuple[str, ...], meant: tuple[str, ...], left: frozenset[int] = frozenset()) -> Fit:
    """How typed words fit a text.

    Words that need not mean anything explain nothing by themselves, unless they are the whole text.
    A number that is typed twice is meant twice, and once only once: each of the text explains one,
    if any are `left` to explain one of those. It belongs to the word it follows: of `player 1 2`
    only the 1 is part of a player.
    """
    explained: set[int] = set()
    found: set[int] = set()
    slips = 0
    for place, word in enumerate(typed):
        if left and place not in left and word.isdecimal():
            continue
        best = _best(typed, meant, word, found)
        if best is not None:
            explained.add(place)
            found.add(best[1])
            slips += best[0]
    missing = sum(i not in found and word not in FILLERS for i, word in enumerate(meant))
    if missing and all(typed[place] in FILLERS for place in explained):
        return Fit(missing=missing)
    return Fit(frozenset(explained), missing, slips)


def _best(
    typed: tuple[str, ...], meant: tuple[str, ...], word: str, found: set[int]
) -> tuple[int, int] | None:
    """How many slips away the nearest word meant is, and its place.

    One not `found` yet if equal.
    """
    near = []
    for i, other in enumerate(meant):
        if word.isdecimal() and (i in found or _elsewhere(typed, meant, i)):
            continue
        slips = nearness(word, other)
        if slips is not None and (slips == 0 or word not in FILLERS):
            near.append((slips, i in found, i))
    if not near:
        return None
    slips, _, place = min(near)
    return slips, place
