"""How all commands speak: plain data or words on standard output, findings drawn, progress on a terminal only."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from interpreter.authoring.progress import Advance
from interpreter.render.plain_text import lettered
from rulelang.diagnostics import Diagnostic, draw
from rulelang.diagnostics.source import Source

_STYLES = {"error": "bold red", "warning": "bold yellow", "note": "cyan", "fix": "green"}


def say(text: str | Text = "", style: str = "") -> None:
    """Write a line on standard output; in colour only on a terminal that wants it."""
    _write(
        Console(file=sys.stdout, soft_wrap=True),
        Text(text, style=style) if isinstance(text, str) else text,
    )


def complain(text: str) -> None:
    """Write a line on standard error."""
    _write(Console(file=sys.stderr, soft_wrap=True), Text(text))


def _write(console: Console, text: Text) -> None:
    text = lettered(text, console.file)
    if console.is_terminal:
        console.print(text, soft_wrap=True)
    else:
        print(text.plain, file=console.file)


def give(data: Any) -> None:
    """Write plain data on standard output as JSON."""
    unicode = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().startswith("utf")
    print(json.dumps(data, ensure_ascii=not unicode, indent=2))


def show(found: Iterable[Diagnostic], sources: Mapping[str, Source], error: bool = False) -> None:
    """Draw findings, a blank line after each: on standard error where they are not what was asked for."""
    console = Console(file=sys.stderr if error else sys.stdout, soft_wrap=True)
    for item in found:
        for line in draw(item, sources.get).split("\n"):
            word = line.strip().partition(":")[0].partition(" ")[0]
            _write(
                console,
                Text(line, style=_STYLES.get(word, "") if not line.startswith("   ") else ""),
            )
        _write(console, Text())


@contextmanager
def progress(what: str, total: int = 0) -> Iterator[Advance]:
    """A bar on standard error, if that is a terminal; gives what is to be called with (done, of how many)."""
    if not sys.stderr.isatty():
        yield lambda done, of: None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as bar:
        task = bar.add_task(what, total=total or None)
        yield lambda done, of: bar.update(task, completed=done, total=of)
