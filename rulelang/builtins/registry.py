"""The table of all built-in words, by name."""

from __future__ import annotations

from typing import cast

from rulelang import core
from rulelang.builtins import boards, collections, links, pieces, placements, players, sites
from rulelang.builtins.record import UNKNOWN_WORD, Builtin, Word
from rulelang.builtins.world import Game

BUILTINS: dict[str, Builtin] = {
    record.name: record
    for module in (sites, boards, placements, links, pieces, collections, players)
    for record in module.RECORDS
}


def builtin(name: str) -> Builtin:
    """The record of a built-in word; for one that has none, a record that assumes the worst."""
    return BUILTINS.get(name, UNKNOWN_WORD)


def for_authors(name: str) -> Builtin | None:
    """The record of a word that authors may write; none if there is none of that name."""
    known = BUILTINS.get(name)
    return None if known is None or known.internal else known


def authors_words() -> list[Builtin]:
    """The records of all words that authors may write."""
    return [record for record in BUILTINS.values() if not record.internal]


def implementation(node: core.Builtin, game: Game) -> Word:
    """The function that evaluates a word where it stands: of a position and argument values."""
    # The node is typed by the word's own rule, so its arguments are those that the function takes.
    return cast("Word", builtin(node.name).implement(node, game))
