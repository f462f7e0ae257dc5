"""Sentences whose meanings may not change: one for every wording a game once declared.

They stand in tests/phrases/data/wordings, each with a digest of its meaning in normal form.
"""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass
from pathlib import Path

from lark.exceptions import UnexpectedInput

from rulelang.phrases.readings import Glossary
from rulelang.ruleset import Extension

FOLDER = Path(__file__).parent.parent / "phrases" / "data" / "wordings"


@dataclass(frozen=True)
class Wording:
    """A wording, a sentence that uses it, and the digest of what the sentence means.

    `differs` says why its meaning is not the one it first had, if it is not.
    """

    text: str
    sentence: str
    meaning: str
    differs: str = ""


def wordings_of(game: str) -> list[Wording]:
    """The wordings kept for a game."""
    rows = tomllib.loads((FOLDER / f"{game}.toml").read_text("utf-8"))["wording"]
    return [Wording(**row) for row in rows]


def digest(extensions: tuple[Extension, ...]) -> str:
    """A short text that two meanings share if they are equal in normal form, in any order."""
    texts = sorted(map(repr, extensions))
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:12]


def meaning_of(sentence: str, glossary: Glossary) -> str:
    """The digest of a sentence's one meaning; else how many it has."""
    try:
        found = glossary.readings(sentence)
    except UnexpectedInput:
        return "refused"
    return digest(found[0].meaning) if len(found) == 1 else f"{len(found)} meanings"
