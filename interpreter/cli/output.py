"""Output of all commands: plain data as JSON, words, diagnostics, and progress bars on
terminals."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout, suppress
from typing import IO, TYPE_CHECKING

from interpreter.authoring.progress import Advance
from interpreter.render.plain_text import writable, writable_text

if TYPE_CHECKING:  # rich and the diagnostics take long to load, and not every command needs them
    from rich.text import Text

    from rulelang.diagnostics import Diagnostic
    from rulelang.diagnostics.source import Source

_STYLES = {"error": "bold red", "warning": "bold yellow", "note": "cyan", "fix": "green"}
_FORCED = ("FORCE_COLOR", "TTY_COMPATIBLE")  # by these rich takes any stream for a terminal


def say(text: str | Text = "", style: str = "") -> None:
    """Write a line on standard output; in colour only on a terminal that wants it."""
    _write(sys.stdout, text, style)


def complain(text: str) -> None:
    """Write a line on standard error."""
    _write(sys.stderr, text)


def _write(stream: IO[str], text: str | Text, style: str = "") -> None:
    if not _may_be_terminal(stream):
        print(writable(text if isinstance(text, str) else text.plain, stream), file=stream)
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream, soft_wrap=True)
    styled = writable_text(Text(text, style=style) if isinstance(text, str) else text, stream)
    if console.is_terminal:
        console.print(styled, soft_wrap=True)
    else:
        print(styled.plain, file=stream)


def _may_be_terminal(stream: IO[str]) -> bool:
    return (hasattr(stream, "isatty") and stream.isatty()) or any(
        os.environ.get(name) for name in _FORCED
    )


def deliver(tell: Callable[[], None]) -> None:
    """Tell what much work went into: where standard output takes no more, on standard error."""
    try:
        tell()
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        with suppress(OSError), redirect_stdout(sys.stderr):
            tell()
        raise error


def give(data: object) -> None:
    """Write plain data on standard output as JSON."""
    unicode = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().startswith("utf")
    print(json.dumps(data, ensure_ascii=not unicode, indent=2))


def show(found: Iterable[Diagnostic], sources: Mapping[str, Source], error: bool = False) -> None:
    """Draw findings, each with a blank line after it; on standard error if they are incidental."""
    from rulelang.diagnostics import draw

    stream = sys.stderr if error else sys.stdout
    for item in found:
        for line in draw(item, sources.get).split("\n"):
            word = line.strip().partition(":")[0].partition(" ")[0]
            _write(stream, line, _STYLES.get(word, "") if not line.startswith("   ") else "")
        _write(stream, "")


@contextmanager
def progress(what: str, total: int = 0) -> Iterator[Advance]:
    """A progress bar on standard error if that is a terminal; call it with (done, of how many)."""
    if not sys.stderr.isatty():
        yield lambda done, of: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as bar:
        task = bar.add_task(what, total=total or None)
        yield lambda done, of: bar.update(task, completed=done, total=of)
