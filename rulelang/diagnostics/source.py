"""Source texts and spans in them.

Bytes are decoded and checked against bounds; a source is cut into top-level blocks, one for each
declaration, before anything is parsed.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property

# Bounds on texts. People write rules by hand, so more than this is a mistake or an attack.
MAX_BYTES = 1_000_000  # of one file
MAX_LINE = 2_000  # characters of a line
MAX_DEPTH = 40  # nesting of brackets and of indentation
MAX_TREE = 100  # depth of a syntax tree: chains of signs and of `otherwise if` count too
MAX_MISTAKES = 100  # errors in one file before its parsing is given up

_MOST_TEXT_ERRORS = 20
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_UNPRINTABLE = frozenset(["Cc", "Cf", "Cs", "Co", "Zl", "Zp"])  # categories of Unicode


@dataclass(frozen=True, order=True, init=False)
class Span:
    """A half-open stretch of one file.

    Lines and columns count from 1; the end column is one past the last character.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __init__(self, file: str, line: int, column: int, end_line: int, end_column: int) -> None:
        # At once: the generated one sets its fields one by one in nearly twice the time, and a
        # ruleset has a hundred thousand of them.
        self.__dict__.update(
            file=file, line=line, column=column, end_line=end_line, end_column=end_column
        )

    def to(self, other: Span) -> Span:
        """The span from the start of this one to the end of the other."""
        return Span(self.file, self.line, self.column, other.end_line, other.end_column)


NOWHERE = Span("", 0, 0, 0, 0)


@dataclass(frozen=True)
class Source:
    """One text with the name it is quoted by."""

    file: str
    text: str

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the text without their ends."""
        return self.text.split("\n")

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The text cut at every unindented line that is no comment.

        So each declaration is parsed and reported on its own.
        """
        return tuple(_blocks(self))


@dataclass(frozen=True)
class Block:
    """The text of a top-level declaration; `first` is the line of the file on which it begins."""

    source: Source
    first: int
    text: str

    @cached_property
    def span(self) -> Span:
        """The span of all its lines."""
        lines = self.text.rstrip().split("\n")
        return Span(
            self.source.file, self.first, 1, self.first + len(lines) - 1, len(lines[-1]) + 1
        )


@dataclass(frozen=True)
class TextError:
    """Why a text is refused before parsing: the key of a code, where, and the message's values."""

    key: str
    span: Span
    values: tuple[tuple[str, str], ...] = ()


def decode_source(file: str, raw: bytes) -> tuple[Source | None, list[TextError]]:
    """The source these bytes are; none, with the reasons, if they are not acceptable text.

    Refused are: too many bytes, anything but UTF-8, control and invisible characters, lines that
    are too long, and too deep nesting. A byte order mark is dropped and line ends become `\\n`.
    """
    if len(raw) > MAX_BYTES:
        values = (("limit", str(MAX_BYTES)),)
        return None, [TextError("file-too-large", Span(file, 1, 1, 1, 2), values)]
    raw = raw.removeprefix(_BYTE_ORDER_MARK)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        before = decode_for_quoting(file, raw[: error.start]).lines
        line, column = len(before), len(before[-1]) + 1
        return None, [TextError("not-utf8", Span(file, line, column, line, column + 1))]
    text = _unix_line_ends(text)
    errors = _text_errors(file, text)
    return (None if errors else Source(file, text)), errors


def decode_for_quoting(file: str, raw: bytes) -> Source:
    """The text of a file that `decode_source` refuses, only for messages to quote.

    Its lines are those that the errors' spans count.
    """
    text = raw[:MAX_BYTES].removeprefix(_BYTE_ORDER_MARK).decode("utf-8", "replace")
    return Source(file, _unix_line_ends(text))


def unprintable(char: str) -> bool:
    """Is this a control, format, surrogate or private character, or a line separator?"""
    return unicodedata.category(char) in _UNPRINTABLE


def _unix_line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _text_errors(file: str, text: str) -> list[TextError]:
    """What is wrong with the lines of a text; no more is looked for after about 20 errors."""
    errors: list[TextError] = []
    for number, line in enumerate(text.split("\n"), 1):
        if _is_plain(line):
            continue
        errors += _line_errors(file, number, line)
        if len(errors) >= _MOST_TEXT_ERRORS:
            break
    return errors


def _is_plain(line: str) -> bool:
    """Is there surely nothing wrong with a line? It is so of nearly all, and this is quick."""
    opened = line.count("(") + line.count("{")
    return len(line) <= 4 * MAX_DEPTH and opened <= MAX_DEPTH and line.isprintable()


def _line_errors(file: str, number: int, line: str) -> list[TextError]:
    """What is wrong with one line: it is too long, holds an odd character, is nested too deep."""
    if len(line) > MAX_LINE:
        span = Span(file, number, MAX_LINE, number, MAX_LINE + 1)
        return [TextError("line-too-long", span, (("limit", str(MAX_LINE)),))]
    errors: list[TextError] = []
    odd, deep = _odd_and_deep_columns(line)
    if odd:
        char = line[odd - 1]
        name = unicodedata.name(char, f"U+{ord(char):04X}")
        span = Span(file, number, odd, number, odd + 1)
        errors.append(TextError("odd-character", span, (("name", name),)))
    indent = len(line) - len(line.lstrip())
    if deep or indent > 4 * MAX_DEPTH:
        span = Span(file, number, deep or 1, number, (deep or indent) + 1)
        errors.append(TextError("too-deep", span, (("limit", str(MAX_DEPTH)),)))
    return errors


def _odd_and_deep_columns(line: str) -> tuple[int, int]:
    """The columns of the first odd character and of the bracket that is too deep, or 0.

    Brackets behind an odd character are not looked at.
    """
    if line.isprintable() and line.count("(") + line.count("{") <= MAX_DEPTH:
        return 0, 0  # as nearly all lines are
    level = deep = 0
    for column, char in enumerate(line, 1):
        if char in "({":
            level += 1
            deep = deep or (column if level > MAX_DEPTH else 0)
        elif char in ")}":
            level -= 1
        elif char != "\t" and unprintable(char):
            return column, deep
    return 0, deep


_HEAD = re.compile(r"[^\s#|]")


def _blocks(source: Source) -> list[Block]:
    found: list[Block] = []
    current: list[str] = []
    first = 1
    for number, line in enumerate(source.lines, 1):
        if _HEAD.match(line):
            if _has_content(current):
                found.append(Block(source, first, "\n".join(current)))
            current, first = [], number
        current.append(line)
    if _has_content(current):
        found.append(Block(source, first, "\n".join(current)))
    return found


def _has_content(lines: list[str]) -> bool:
    return any(line.strip() and not line.lstrip().startswith("#") for line in lines)
