"""The words of a text and what they are, told line by line without parsing.

Editors colour by this while a text is broken; their grammars are written from `PATTERNS`. For texts
that can be parsed it says the same as the parser, which a test holds it to.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from rulelang.syntax.grammar import HEADS, parser
from rulelang.syntax.lark_adapter import keywords

# Words that the grammar has as patterns, for blanks of any width may stand in them.
_OF_SEVERAL = (
    ("at", "once", "sealed"),
    ("at", "least"),
    ("at", "most"),
    ("at", "once"),
    ("among", "others"),
    ("in", "turn"),
    ("as", "played"),
    ("until", "stable"),
    ("rounded", "down"),
    ("rounded", "up"),
)
_MORE = ("a", "an", "at")


@dataclass(frozen=True)
class Lexeme:
    """A word: what it is, its line and column (from 1), and its letters."""

    kind: str
    line: int
    column: int
    text: str


@functools.cache
def everywhere() -> tuple[str, ...]:
    """The words that are keywords wherever they stand."""
    words = {word for word in keywords(parser()).values() if word.isalpha()}
    return tuple(sorted((words | set(_MORE)) - HEADS))


@functools.cache
def patterns() -> tuple[tuple[str, str], ...]:
    """What a line holds, in the order in which it is tried: sort and regular expression."""
    several = "|".join(r"[ \t]+".join(words) for words in _OF_SEVERAL)
    heads = "|".join(sorted(HEADS))
    return (
        ("row", r"^[ \t]*\|[^\n]*"),
        ("comment", r"#[^\n]*"),
        ("string", r'"[^"\n]*"'),
        ("cite", r"\[[A-Z][^\]\n]*\]"),
        ("head", rf"^[ \t]*(?:replace[ \t]+)?(?:{heads})\b(?![ \t]*(?:[:=),/]|(?:in|is)\b))"),
        ("name", r"(?<=\bsome )at\b|(?<=\bno )at\b|(?<=\bevery )at\b|(?<=[0-9] to )any\b"),
        ("name", r"\bat(?=[ \t]+[0-9]+[ \t]+[0-9])"),  # where a point is drawn
        ("keyword", rf"\b(?:{several})\b"),
        ("keyword", rf"\b(?:{'|'.join(everywhere())})\b"),
        ("number", r"[0-9]+"),
        ("name", r"[a-z_][a-zA-Z0-9_]*"),
        ("operator", r"'s\b|!=|<=|>=|[-+*/=<>(){}:,]"),
        ("other", r"[^\s]"),
    )


@functools.cache
def _compiled() -> re.Pattern[str]:
    parts = (f"(?P<{kind}_{at}>{pattern})" for at, (kind, pattern) in enumerate(patterns()))
    return re.compile("|".join(parts))


def lexemes(text: str) -> Iterator[Lexeme]:
    """Every word of a text; blanks are left out."""
    depth, last = 0, ""
    for number, line in enumerate(text.split("\n"), 1):
        if line[:1].strip():
            depth, last = 0, ""
        goes_on = depth > 0 or last in (",", "=")
        for one in _of_line(line, number):
            if goes_on and one.kind == "head":
                yield Lexeme("name", number, one.column, one.text)
            else:
                yield Lexeme("keyword" if one.kind == "head" else one.kind, *_rest(one))
            depth += (one.text in ("(", "{")) - (one.text in (")", "}"))
            last = one.text if one.kind != "comment" else last


def _rest(one: Lexeme) -> tuple[int, int, str]:
    return one.line, one.column, one.text


def _of_line(line: str, number: int) -> Iterator[Lexeme]:
    """The words of a line."""
    for match in _compiled().finditer(line):
        kind = (match.lastgroup or "").rpartition("_")[0]
        said = match.group(0)
        for word in re.finditer(r"\S+" if kind == "head" else r"\S.*", said):
            column = match.start() + word.start() + 1
            yield Lexeme(kind, number, column, word.group(0))
