"""The diagnostic, the report that collects diagnostics, and how one is drawn for a person."""

from __future__ import annotations

import difflib
from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from rulelang.diagnostics.codes import CODES
from rulelang.diagnostics.source import Source, Span, TextError, unprintable


@dataclass(frozen=True)
class Diagnostic:
    """One finding: a stable code, the message in the author's words, where, notes and fixes."""

    code: str
    severity: str
    message: str
    span: Span
    notes: tuple[str, ...] = ()
    fixes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, object]:
        """The finding as plain data, in the shape `check --json` prints."""
        s = self.span
        return {
            "code": self.code,
            "severity": self.severity,
            "message": self.message,
            "file": s.file,
            "line": s.line,
            "column": s.column,
            "end_line": s.end_line,
            "end_column": s.end_column,
            "notes": list(self.notes),
            "fixes": list(self.fixes),
        }


# findings that say that something is missing
_ABSENT = frozenset(
    [
        "unknown-name",
        "unknown-type",
        "unknown-field",
        "unknown-relation",
        "unknown-call",
        "not-an-event",
        "not-an-action",
        "unknown-component",
        "unknown-variant",
    ]
)
_WIDEST = 160  # characters of a line that are shown


_Index = tuple[
    tuple[int, int, Diagnostic | None], dict[str, list[int]], dict[tuple[str, int], list[Span]]
]


@dataclass
class Report:
    """Diagnostics in the order found; the same one at the same place is kept once.

    `unread` holds names of declarations that could not be parsed: that these are missing is told
    where they stand and nowhere else. `reserved` holds reserved words used as names, each told
    once. `independent` holds the spans of declarations that no other depends on: cards, lists of
    cards, scenarios, rulings. `declared` counts the declarations that were read.
    """

    found: list[Diagnostic] = field(default_factory=list)
    unread: set[str] = field(default_factory=set)
    reserved: set[str] = field(default_factory=set)
    independent: list[Span] = field(default_factory=list)
    declared: int = 0
    # where what was ever added stands in `found`, which may have shrunk since
    _added: dict[tuple[str, Span, str], int] = field(default_factory=dict)
    _index: _Index | None = field(default=None, repr=False, compare=False)

    def add(
        self,
        key: str,
        span: Span,
        /,
        *,
        notes: Iterable[str] = (),
        fix: str | None = None,
        **values: object,
    ) -> None:
        """Add the finding whose code has this key; the values fill the code's sentences.

        `fix` replaces the fix of the code.
        """
        code = CODES[key]
        filled = _Blank({name: clipped(str(value)) for name, value in values.items()})
        if key in _ABSENT and filled.get("name") in self.unread:
            return
        message = code.text.format_map(filled).replace(" .", ".")
        mended = code.fix.format_map(filled) if fix is None else fix
        fixes = (mended,) if mended else ()
        message = message[:1].upper() + message[1:]
        self._keep(Diagnostic(code.code, code.severity, message, span, tuple(notes), fixes))

    def mend(self, number: int, keys: Iterable[str], fix: str) -> None:
        """Give this fix to findings of these keys that are behind the first so many."""
        codes = {CODES[key].code for key in keys}
        for place, item in enumerate(self.found[number:], number):
            if item.code in codes:
                self.found[place] = replace(item, fixes=(fix,))

    def merge(self, other: Report) -> None:
        """Add what another report holds, and the names it knows to be unread or reserved."""
        for item in other.found:
            self._keep(item)
        self.independent += other.independent
        self.unread |= other.unread
        self.reserved |= other.reserved

    def _keep(self, item: Diagnostic) -> None:
        key = (item.code, item.span, item.message)
        place = self._added.get(key)
        if place is not None and place < len(self.found):
            there = self.found[place]
            if (there.code, there.span, there.message) == key:
                return
        self._added[key] = len(self.found)
        self.found.append(item)

    def add_text_error(self, error: TextError) -> None:
        """Add why a text was refused before parsing."""
        self.add(error.key, error.span, **dict(error.values))

    @property
    def errors(self) -> list[Diagnostic]:
        """The findings that keep a ruleset from running."""
        return [item for item in self.found if item.severity == "error"]

    def has_errors_since(self, number: int) -> bool:
        """Is there an error behind the first so many findings?"""
        return any(item.severity == "error" for item in self.found[number:])

    def has_error_in(self, span: Span) -> bool:
        """Is there an error on a line of this span, or of the declaration that begins there?"""
        lines, begun = self._places()
        if not lines:
            return False
        wholes = begun.get((span.file, span.line), ())
        span = next((whole for whole in wholes if whole.end_line > span.end_line), span)
        wrong = lines.get(span.file, [])
        first = bisect_left(wrong, span.line)
        return first < len(wrong) and wrong[first] <= span.end_line

    def _places(self) -> tuple[dict[str, list[int]], dict[tuple[str, int], list[Span]]]:
        """The lines of errors in each file, in order, and the independent declarations by where
        they begin; made anew when anything was added.
        """
        made_of = len(self.found), len(self.independent), self.found[-1] if self.found else None
        if self._index is None or self._index[0] != made_of:
            lines: dict[str, list[int]] = {}
            for item in sorted(self.errors, key=lambda item: item.span.line):
                lines.setdefault(item.span.file, []).append(item.span.line)
            begun: dict[tuple[str, int], list[Span]] = {}
            for whole in self.independent:
                begun.setdefault((whole.file, whole.line), []).append(whole)
            self._index = made_of, lines, begun
        return self._index[1], self._index[2]

    @property
    def usable(self) -> bool:
        """Do all errors, if any, lie in declarations that no other depends on?"""
        lines: dict[str, set[int]] = {}
        for item in self.errors:
            lines.setdefault(item.span.file, set()).add(item.span.line)
        for whole in self.independent if lines else ():
            if whole.file in lines:
                inside = range(whole.line, whole.end_line + 1)
                lines[whole.file] = {line for line in lines[whole.file] if line not in inside}
        return not any(lines.values())

    def sorted(self) -> list[Diagnostic]:
        """The findings in the order of the text."""
        return sorted(self.found, key=lambda item: (item.span, item.code, item.message))


def clipped(text: str, most: int = 200) -> str:
    """A text of an author's as a message quotes it: no longer than a few lines."""
    return text if len(text) <= most else text[: most - 1] + "…"


def visible(line: str) -> str:
    """A line of an author's as it may go to a terminal.

    Each character that would move the cursor or hide letters becomes a box, and a tab a blank.
    """
    return "".join(" " if c == "\t" else "\ufffd" if unprintable(c) else c for c in line)


def finding(
    key: str,
    span: Span,
    /,
    *,
    notes: Iterable[str] = (),
    fix: str | None = None,
    **values: object,
) -> Diagnostic:
    """One diagnostic outside any report, for what play and tests bring up."""
    report = Report()
    report.add(key, span, notes=notes, fix=fix, **values)
    return report.found[0]


class _Blank(dict[str, str]):
    """Values for a format string; one that is missing is the empty text."""

    def __missing__(self, key: str) -> str:
        return ""


def nearest(word: str, known: Iterable[str], most: int = 3) -> list[str]:
    """The known words most like this one, best first; none if nothing is alike."""
    return difflib.get_close_matches(word, sorted(set(known)), n=most, cutoff=0.6)


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """The fix that names the known word most like this one; None if nothing is alike."""
    near = nearest(word, known, 1)
    return f"Did you mean `{near[0]}`?" if near else None


def draw(item: Diagnostic, source: Callable[[str], Source | None]) -> str:
    """The diagnostic for a person: code, place, the author's line with a caret, notes, fixes."""
    lines = [f"{item.severity} {item.code}: {item.message}"]
    if item.span.line:
        lines += _drawn_place(item.span, source(item.span.file))
    lines += [f"  note: {note}" for note in item.notes]
    lines += [f"  fix: {fix}" for fix in item.fixes]
    return "\n".join(lines)


def _drawn_place(span: Span, text: Source | None) -> list[str]:
    """Where it is, and the author's line with a caret under the span, as much as is shown."""
    place = f"  {span.file}:{span.line}:{span.column}"
    if text is None or not 0 < span.line <= len(text.lines):
        return [place]
    line, column = visible(text.lines[span.line - 1]), span.column
    after = len(line) + 1
    end = min(span.end_column, after) if span.end_line == span.line else after
    if len(line) > _WIDEST:
        first = max(0, min(column - 1 - _WIDEST // 4, len(line) - _WIDEST))
        before, behind = "…" * (first > 0), "…" * (first + _WIDEST < len(line))
        line = before + line[first : first + _WIDEST] + behind
        shift = first - len(before)
        column, end = column - shift, min(end - shift, len(line) + 1)
    number = str(span.line)
    caret = " " * (column - 1) + "^" * max(1, end - column)
    return [place, f"  {number} | {line}", f"  {' ' * len(number)} | {caret}"]
