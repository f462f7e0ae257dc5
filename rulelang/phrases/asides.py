"""Asides: words between commas, or in brackets, that change nothing of what a sentence says."""

from __future__ import annotations

import re
from collections.abc import Callable

from rulelang.english import ASIDE

_FILLED = f"p_{ASIDE}"
_BETWEEN = re.compile(r"(?:^|[,;(–—])\s*([^,;()–—.]+?)\s*(?:[,;)–—]|(?=[.!]?\s*$))")
MAX_TRIED = 8  # stretches of one sentence


def without_asides(text: str, fills: Callable[[str], frozenset[str]]) -> str | None:
    """The text with blanks in place of its asides, of the same length; none if it has none.

    `fills` gives the categories of phrases that a stretch of text is one of.
    """
    said, at = text, 0
    for _ in range(MAX_TRIED):
        found = _BETWEEN.search(said, at)
        if found is None:
            break
        if _FILLED in fills(found.group(1)):
            said = said[: found.start()] + " " * (found.end() - found.start()) + said[found.end() :]
        at = max(found.start() + 1, found.end(1))
    return said if said != text else None
