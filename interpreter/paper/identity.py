"""Short names of printed pieces: an id that finds a piece again, and a hash of what is on it."""

from __future__ import annotations

import hashlib
import json

from rulelang.ruleset import Design, Ruleset

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # none that is taken for another
_ID, _HASH = 6, 6


def id_of(rules: Ruleset, design: Design) -> str:
    """The id of a design: of its game, component and title; without a title, of what is on it."""
    named = design.title or json.dumps(_content(design), sort_keys=True)
    return _short(f"{rules.id}\n{design.component}\n{named}", _ID)


def hash_of(rules: Ruleset, design: Design) -> str:
    """A hash of all that is printed on a design: another hash, another card."""
    words = [rules.components[design.component].words[0]]
    return _short(json.dumps([words, _content(design)], sort_keys=True), _HASH)


def _content(design: Design) -> list[object]:
    return [design.title, [[n, _plain(v)] for n, v in design.values], list(design.sentences)]


def _plain(value: object) -> object:
    """A value as data whose order is always the same."""
    if isinstance(value, frozenset):
        return sorted((_plain(item) for item in value), key=str)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


def _short(text: str, length: int) -> str:
    number = int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8])
    found = ""
    for _ in range(length):
        number, rest = divmod(number, len(_LETTERS))
        found += _LETTERS[rest]
    return found
