"""One wording of card texts: its slots, the pattern that reads it, and what was read by it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise, product

from rulelang import core
from rulelang.diagnostics.source import NOWHERE, Span
from rulelang.elaborate.patterns import Pattern
from rulelang.ruleset import Extension, Noun

SLOT = re.compile(r"\{([a-z_]\w*)(?: (plural|by [a-z_]\w*))?\}")
OPTIONAL = re.compile(
    r"(?<!\S)\(([^(){}]+)\)(?!\w)"
)  # words in brackets of their own: they may be left out
COUNTED = (
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)  # numbers as texts write them out
NUMBER_WORDS = rf"[0-9]{{1,6}}|\b(?:{'|'.join(COUNTED)})\b"  # a regular expression
_WORD = r"[\w'’-]+(?:\(\w+\))?"  # with or without its tail: "block(s)"
ALTERNATIVES = re.compile(
    rf"\b({_WORD})(?:/{_WORD})+"
)  # words of which one stands there, the first when it is said


@dataclass(frozen=True)
class Phrase:
    """A wording: its text with slots, what its slots take, and what it stands for."""

    id: str
    category: str
    text: str
    slots: tuple[tuple[str, str], ...]  # slot -> category
    define: str | None = None
    pattern: Pattern | None = None
    word: core.Expr | None = None
    word_forms: tuple[str, str] = ("", "")
    span: Span = NOWHERE
    noun: Noun | None = None  # of a word for pieces: which they are


@dataclass(frozen=True)
class Derivation:
    """One way a stretch of text was read: a phrase with its filled slots, or a number."""

    phrase: Phrase | None
    slots: tuple[tuple[str, Derivation], ...] = ()
    number: int = 0

    def slot(self, name: str) -> Derivation | None:
        """What fills a slot, if the text mentions it."""
        return dict(self.slots).get(name)


@dataclass(frozen=True)
class Reading:
    """One meaning of a sentence: how it was read, and the extensions it makes."""

    derivation: Derivation
    extensions: tuple[Extension, ...]
    normal: Callable[[], tuple[Extension, ...]] = field(compare=False)

    @cached_property
    def meaning(self) -> tuple[Extension, ...]:
        """The extensions in normal form, worked out where two readings are held against each other: most sentences have one."""
        return self.normal()


def number_of(word: str) -> int:
    """The number written in digits or as a word."""
    return int(word) if word.isdigit() else COUNTED.index(word.lower()) + 1


def settled(text: str, derivation: Derivation | None = None, many: bool = True) -> str:
    """A phrase's text with its alternatives settled: all words, the first of several, the plural after a number, but 1, and with none if `many`."""
    text = OPTIONAL.sub(r"\1", text)
    text = ALTERNATIVES.sub(r"\1", text)

    def optional(match: re.Match[str]) -> str:
        slots = [found.group(1) for found in SLOT.finditer(text[: match.start()])]
        counted = derivation.slot(slots[-1]) if derivation is not None and slots else None
        if counted is not None and counted.phrase is None:
            return match.group(1) if counted.number != 1 else ""
        return match.group(1) if many or (derivation is None and slots) else ""

    return re.sub(r"\((\w+)\)", optional, text)


def writings(text: str) -> list[str]:
    """A phrase's text with and without each of its optional words, all words first."""
    pieces = OPTIONAL.split(text)
    choices = [(piece,) if index % 2 == 0 else (piece, "") for index, piece in enumerate(pieces)]
    return ["".join(chosen) for chosen in product(*choices)]


def forms(word: str) -> list[str]:
    """A word with its tail and without."""
    return list(dict.fromkeys((re.sub(r"[()]", "", word), re.sub(r"\(\w+\)", "", word))))


def pattern_of(words: str) -> str:
    """A regular expression for a stretch of a phrase's own words: any blanks between them, whole words only, alternatives allowed."""
    parts: list[str] = []
    for token in re.findall(rf"{_WORD}(?:/{_WORD})*|[^\w\s]", words.strip()):
        if "/" in token and not token.startswith("/"):
            options = [re.escape(form) for option in token.split("/") for form in forms(option)]
            parts.append(r"\b(?:" + "|".join(options) + r")\b")
        elif token.endswith(")") and "(" in token:
            base, tail = token[:-1].split("(")
            parts.append(r"\b" + re.escape(base) + f"(?:{re.escape(tail)})?" + r"\b")
        elif re.match(r"[\w]", token):
            parts.append(r"\b" + re.escape(token) + r"\b")
        else:
            parts.append(re.escape(token))
    text = parts[0] if parts else ""
    for left, part in pairwise(parts):
        glue = r"\s+" if left.endswith(r"\b") and part.startswith(r"\b") else r"\s*"
        text += glue + part
    return text.replace("/", r"\/")


def own_words(text: str) -> list[set[str]]:
    """The words a phrase cannot do without, each in all its forms."""
    tokens = re.findall(rf"{_WORD}(?:/{_WORD})*", SLOT.sub(" ", OPTIONAL.sub(" ", text)).lower())
    return [{form for part in token.split("/") for form in forms(part)} for token in tokens]


def words_of(pattern: str) -> str:
    if pattern == NUMBER_WORDS:
        return "a number"
    if pattern in (r"(?!)x", ""):
        return ""
    text = pattern.replace(r"\s+", " ").replace(r"\s*", "").replace(r"\b", "")
    text = re.sub(r"\(\?:(\w+)\)\?", r"(\1)", text)
    text = re.sub(r"\(\?:([^)|]+)(\|[^)]*)?\)", r"\1", text)
    return text.replace("\\", "").strip()
