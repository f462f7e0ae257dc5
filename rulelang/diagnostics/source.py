"""Texts and places in them: a source is bounded, clean text with a name, cut into top-level blocks before anything is parsed."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

MAX_BYTES = 1_000_000  # a file of rules is written by people; a megabyte is a mistake or an attack
MAX_LINE = 2_000
MAX_TREE = 100  # nesting of what is written, brackets or not: chains of signs and of `otherwise if` count too
MAX_MISTAKES = 100  # lines of one file that cannot be read, before its reading is given up
MAX_DEPTH = 40  # nesting of brackets and of indentation


@dataclass(frozen=True, order=True)
class Span:
    """A half-open stretch of one file: lines and columns count from 1, the end column is one past the last character."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def to(self, other: Span) -> Span:
        """The stretch from the start of this span to the end of the other."""
        return Span(self.file, self.line, self.column, other.end_line, other.end_column)


NOWHERE = Span("", 0, 0, 0, 0)


@dataclass(frozen=True)
class Source:
    """One text with the name it is quoted by."""

    file: str
    text: str

    @property
    def lines(self) -> list[str]:
        """The lines of the text without their ends."""
        return self.text.split("\n")


@dataclass(frozen=True)
class Block:
    """A top-level declaration: its text, blank-padded nowhere, and the line of the file its first line is."""

    source: Source
    first: int
    text: str

    @property
    def span(self) -> Span:
        """All its lines."""
        lines = self.text.rstrip().split("\n")
        return Span(
            self.source.file, self.first, 1, self.first + len(lines) - 1, len(lines[-1]) + 1
        )


@dataclass(frozen=True)
class Flaw:
    """Why a text is refused before parsing: a code's key, where, and the values its message needs."""

    key: str
    span: Span
    values: tuple[tuple[str, str], ...] = ()


def clean(file: str, raw: bytes) -> tuple[Source | None, list[Flaw]]:
    """Bytes become a source, or flaws say why not: too large, not UTF-8, control characters, look-alike or invisible letters in names."""
    start = Span(file, 1, 1, 1, 2)
    if len(raw) > MAX_BYTES:
        return None, [
            Flaw("file-too-large", start, (("size", str(len(raw))), ("limit", str(MAX_BYTES))))
        ]
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        before = quotable(file, raw[: error.start]).lines
        line, column = len(before), len(before[-1]) + 1
        return None, [Flaw("not-utf8", Span(file, line, column, line, column + 1))]
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    flaws = list(_flaws(file, text))
    return (None if flaws else Source(file, text)), flaws


def quotable(file: str, raw: bytes) -> Source:
    """The text of a file that `clean` refuses, for messages to quote and for nothing else; its lines are those its flaws count."""
    text = raw[:MAX_BYTES].removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    return Source(file, text.replace("\r\n", "\n").replace("\r", "\n"))


def _flaws(file: str, text: str) -> list[Flaw]:
    flaws: list[Flaw] = []
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > MAX_LINE:
            flaws.append(
                Flaw(
                    "line-too-long",
                    Span(file, number, MAX_LINE, number, MAX_LINE + 1),
                    (("limit", str(MAX_LINE)),),
                )
            )
            continue
        level = deep = 0
        ordinary = (
            line.isprintable() and line.count("(") + line.count("{") <= MAX_DEPTH
        )  # as nearly all are: nothing to be looked for
        for column, char in enumerate("" if ordinary else line, 1):
            if char in "({":
                level += 1
                deep = deep or (column if level > MAX_DEPTH else 0)
            elif char in ")}":
                level -= 1
            elif char != "\t" and unicodedata.category(char) in (
                "Cc",
                "Cf",
                "Cs",
                "Co",
                "Zl",
                "Zp",
            ):
                name = unicodedata.name(char, f"U+{ord(char):04X}")
                flaws.append(
                    Flaw(
                        "odd-character",
                        Span(file, number, column, number, column + 1),
                        (("name", name),),
                    )
                )
                break
        indent = len(line) - len(line.lstrip())
        if deep or indent > 4 * MAX_DEPTH:
            flaws.append(
                Flaw(
                    "too-deep",
                    Span(file, number, deep or 1, number, (deep or indent) + 1),
                    (("limit", str(MAX_DEPTH)),),
                )
            )
        if len(flaws) >= 20:
            break
    return flaws


_HEAD = re.compile(r"[^\s#|]")


def blocks(source: Source) -> list[Block]:
    """The text cut at every unindented line that is no comment, so that each declaration is parsed and reported on its own."""
    found: list[Block] = []
    current: list[str] = []
    first = 1
    for number, line in enumerate(source.lines, 1):
        if _HEAD.match(line):
            if any(part.strip() for part in current) and _has_matter(current):
                found.append(Block(source, first, "\n".join(current)))
            current, first = [], number
        current.append(line)
    if _has_matter(current):
        found.append(Block(source, first, "\n".join(current)))
    return found


def _has_matter(lines: list[str]) -> bool:
    return any(line.strip() and not line.lstrip().startswith("#") for line in lines)
