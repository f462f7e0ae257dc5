"""What card texts are compiled with: records of sentence patterns and templates of phrases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rulelang import core
from rulelang.core.types import Type
from rulelang.diagnostics.source import Span
from rulelang.ruleset import Extension


@dataclass(frozen=True)
class Pattern:
    """A sentence cards may use: the texts it may have, its slots, and the extensions it makes.

    `sort` is that of the openings it was made for, if it is one of the shared wordings. It makes no
    extension if nothing in the game is open to what it says.
    """

    texts: tuple[str, ...]
    slots: tuple[tuple[str, Type], ...]
    extensions: tuple[Extension, ...]
    cites: tuple[str, ...]
    span: Span
    component: str
    sort: str = ""
    told: core.Slot | None = None  # a condition beside the sentence, with what each role is for it


@dataclass(frozen=True)
class CardLanguage:
    """What card texts are compiled with: sentence patterns, and templates of phrases by name."""

    patterns: Sequence[Pattern]
    templates: Mapping[str, core.Expr]
