"""The one diagnostic type, the report that collects it, and how it is drawn."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from rulelang.diagnostics.codes import CODES
from rulelang.diagnostics.source import Flaw, Source, Span


@dataclass(frozen=True)
class Diagnostic:
    """One finding: a stable code, what is wrong in the author's words, where, what was expected, what would mend it."""

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


@dataclass
class Report:
    """Findings in the order found; the same finding at the same place is kept once."""

    found: list[Diagnostic] = field(default_factory=list)
    told: dict[tuple[str, Span, str], bool] = field(
        default_factory=dict
    )  # to ask `found`, which may shrink, only where it may hold it
    unread: set[str] = field(
        default_factory=set
    )  # the names of declarations that could not be read
    reserved: set[str] = field(
        default_factory=set
    )  # the words of the language used as names, each told once
    apart: list[Span] = field(
        default_factory=list
    )  # declarations that no other hangs on: cards, lists of them, tests

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
        """Add the finding whose code has this key; the values fill the code's sentences."""
        code = CODES[key]
        filled = {name: clipped(str(value)) for name, value in values.items()}
        fixes = tuple(
            text
            for text in [fix if fix is not None else code.fix.format_map(_Blank(filled))]
            if text
        )
        if key in _ABSENT and filled.get("name") in self.unread:
            return  # what it names is there, but could not be read: that is told once, where it stands
        message = code.text.format_map(_Blank(filled)).replace(" .", ".")
        item = Diagnostic(
            code.code, code.severity, message[:1].upper() + message[1:], span, tuple(notes), fixes
        )
        if self.told.get((item.code, span, item.message)) is None or not self._has(item):
            self.told[item.code, span, item.message] = True
            self.found.append(item)

    def take(self, other: Report) -> None:
        """Add what another report holds, and what it knows to be unread."""
        for item in other.found:
            if (item.code, item.span, item.message) not in self.told or not self._has(item):
                self.told[item.code, item.span, item.message] = True
                self.found.append(item)
        self.apart += other.apart
        self.unread |= other.unread
        self.reserved |= other.reserved

    def _has(self, item: Diagnostic) -> bool:
        return any(
            other.code == item.code and other.span == item.span and other.message == item.message
            for other in self.found
        )

    def flaw(self, flaw: Flaw) -> None:
        """Add what the text-level checks found."""
        self.add(flaw.key, flaw.span, **dict(flaw.values))

    @property
    def errors(self) -> list[Diagnostic]:
        """The findings that keep a ruleset from running."""
        return [item for item in self.found if item.severity == "error"]

    def flawed(self, span: Span) -> bool:
        """Is there an error on a line of this stretch, or of the declaration that begins there?"""
        span = next(
            (
                a
                for a in self.apart
                if (a.file, a.line) == (span.file, span.line) and a.end_line > span.end_line
            ),
            span,
        )
        return any(
            e.span.file == span.file and span.line <= e.span.line <= span.end_line
            for e in self.errors
        )

    @property
    def sound(self) -> bool:
        """Is all well but for what no other declaration hangs on?"""
        return all(
            any(a.file == e.span.file and a.line <= e.span.line <= a.end_line for a in self.apart)
            for e in self.errors
        )

    def sorted(self) -> list[Diagnostic]:
        """The findings in the order of the text."""
        return sorted(self.found, key=lambda item: (item.span, item.code, item.message))


def clipped(text: str, most: int = 200) -> str:
    """A text of an author's as a message quotes it: no longer than a few lines."""
    return text if len(text) <= most else text[: most - 1] + "…"


def visible(line: str) -> str:
    """A line of an author's as it may go to a terminal: what would move or hide letters is shown as a box, one for each."""
    return "".join(
        " "
        if c == "\t"
        else "\ufffd"
        if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
        else c
        for c in line
    )


def finding(key: str, span: Span, **values: object) -> Diagnostic:
    """One finding by itself, for what play and tests bring up."""
    report = Report()
    report.add(key, span, **values)  # type: ignore[arg-type]
    return report.found[0]


class _Blank(dict[str, str]):
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
    """The finding as a person reads it: code, place, the author's own line with a caret, notes, fix."""
    span = item.span
    head = f"{item.severity} {item.code}: {item.message}"
    if not span.line:
        body = []
    else:
        body = [f"  {span.file}:{span.line}:{span.column}"]
        text = source(span.file)
        if text is not None and 0 < span.line <= len(text.lines):
            line, column = visible(text.lines[span.line - 1]), span.column
            end = min(
                span.end_column if span.end_line == span.line else len(line) + 1, len(line) + 1
            )
            if len(line) > _WIDEST:
                first = max(0, min(column - 1 - _WIDEST // 4, len(line) - _WIDEST))
                cut = line[first : first + _WIDEST]
                line = ("…" if first else "") + cut + ("…" if first + _WIDEST < len(line) else "")
                shift = first - (1 if first else 0)
                column, end = column - shift, min(end - shift, len(line) + 1)
            number = str(span.line)
            body += [
                f"  {number} | {line}",
                f"  {' ' * len(number)} | {' ' * (column - 1)}{'^' * max(1, end - column)}",
            ]
    body += [f"  note: {note}" for note in item.notes]
    body += [f"  fix: {fix}" for fix in item.fixes]
    return "\n".join([head, *body])
