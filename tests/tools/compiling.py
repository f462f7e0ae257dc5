"""What the tests of mistakes share: a text is compiled as a game of its own or as an addition to
one, and its findings are drawn.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from pathlib import Path

from interpreter.game.loading import checked_source, load_rules
from interpreter.model.work import leave_room
from rulelang.analysis.card_lints import lint_cards
from rulelang.analysis.ruleset_checks import check_ruleset
from rulelang.compiler.driver import CompileCache, compile_nodes
from rulelang.diagnostics import Diagnostic, Report, draw
from rulelang.diagnostics.source import Source, Span
from rulelang.syntax.parser import parse_source

BAD = Path(__file__).resolve().parents[1] / "bad"
_FOR = re.compile(rb"^for \w+$", re.MULTILINE)

# a grammar's names, or Python's, in a message: `_NL`, `__ANON_0`, `LPAR`, `or_none`, `<class …>`,
# `Token(…)`
_INTERNAL = re.compile(
    r"\b_[A-Z]+\b|__\w+|\b[A-Z]{2,}_[A-Z_]+\b"
    r"|\b(?:NAME|NUMBER|STRING|CITE|BAR|CMP|LPAR|RPAR|LBRACE|RBRACE|COLON|COMMA|EQUAL|PLUS|MINUS"
    r"|STAR|SLASH|NL|INDENT|DEDENT|ROUNDED|BUILTIN|ANON\w*)\b"
    r"|<class|\bToken\(|\bTree\(|\bNone\b|\bTrue\b|\bFalse\b|Traceback|dataclass|frozenset"
)


def findings(files: dict[str, bytes]) -> tuple[list[Diagnostic], dict[str, Source]]:
    """All findings of one ruleset made of these texts, in the order of the text."""
    report, sources, nodes = Report(), dict[str, Source](), []
    for name, raw in files.items():
        source = checked_source(name, raw, report, sources)
        if source is not None:
            sources[name] = source
            nodes += parse_source(source, report)
    leave_room()
    made = compile_nodes(nodes, report)
    check_ruleset(made)
    lint_cards(made)
    return report.sorted(), sources


@functools.cache
def _big_city() -> CompileCache:
    """What is used again of Big City itself: only what is added to it is compiled anew."""
    return CompileCache()


def findings_of(path: Path) -> tuple[list[Diagnostic], dict[str, Source]]:
    """All findings of one file: as an addition to Big City if it begins with `for`, else as a game
    of its own.
    """
    raw = path.read_bytes()
    if not _FOR.search(raw):
        return findings({path.name: raw})
    loaded = load_rules("big_city", added=[(path.name, path)], tests=False, kept=_big_city())
    lint_cards(loaded.compiled)
    return loaded.findings(), loaded.sources


def drawn(found: Iterable[Diagnostic], sources: dict[str, Source]) -> str:
    """The findings as people read them, one under the other."""
    return "\n\n".join(draw(item, sources.get) for item in found) + "\n"


def texts_of(item: Diagnostic) -> list[str]:
    """Everything a finding says."""
    return [item.message, *item.notes, *item.fixes]


def internal(item: Diagnostic, source: Source | None) -> str | None:
    """A word of a finding that is the machine's, not the author's.

    The author's own words are his to choose.
    """
    for text in texts_of(item):
        for match in _INTERNAL.finditer(text):
            if source is None or match.group(0) not in source.text:
                return match.group(0)
    return None


def inside(span: Span, source: Source | None) -> bool:
    """Does the stretch lie in the text? One column past the end of a line counts: there something
    is missing.
    """
    if source is None:
        return not span.line
    lines = source.lines
    return (
        1 <= span.line <= span.end_line <= len(lines)
        and 1 <= span.column <= len(lines[span.line - 1]) + 1
        and 1 <= span.end_column <= len(lines[span.end_line - 1]) + 2
        and (span.line, span.column) < (span.end_line, span.end_column)
    )
