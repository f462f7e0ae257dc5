"""The command that lays files out in the one way: in place, as a difference, or only naming those
that would change."""

from __future__ import annotations

import argparse
import contextlib
import difflib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import rulesets
from interpreter.cli.output import complain, give, say, show
from interpreter.cli.usage import Usage
from interpreter.game.files import read_file
from interpreter.game.loading import checked_source, rules_files, shown
from rulelang.core.values import Json
from rulelang.diagnostics import Report, nearest
from rulelang.diagnostics.english import counted
from rulelang.diagnostics.source import MAX_BYTES, Source, Span
from rulelang.format import format_source

_STYLES = {"+": "green", "-": "red", "@": "cyan"}


@dataclass(frozen=True)
class Tidied:
    """A file as it is and as it should stand; none if it cannot be read."""

    path: Path
    raw: bytes
    text: str | None

    @property
    def changed(self) -> bool:
        """Does it stand otherwise than it should?"""
        return self.text is not None and self.text.encode() != self.raw

    def difference(self) -> list[str]:
        """The lines of a unified diff."""
        name = shown(self.path)
        old, new = self.raw.decode("utf-8"), self.text or ""
        return list(
            _ended(difflib.unified_diff(_lines(old), _lines(new), name, f"{name} (laid out)"))
        )


def fmt(args: argparse.Namespace) -> int:
    """Lay out files, or tell which would change."""
    if "-" in args.paths:
        if len(args.paths) > 1:
            raise Usage("- is standard input, and no files can be named with it")
        return _piped(args)
    report, sources = Report(), dict[str, Source]()
    found = [_tidied(path, report, sources) for path in _files(args.paths, report)]
    changed = [item for item in found if item.changed]
    keep = args.check or args.diff
    if not keep:
        for item in changed:
            _write(item)
    if args.json:
        give(
            {
                "files": [_told(item, args.diff) for item in found],
                "diagnostics": [item.as_json() for item in report.found],
            }
        )
    else:
        show(report.found, sources, error=args.diff)
        _tell(args, found, changed)
    return 1 if report.found or (keep and changed) else 0


def _tell(args: argparse.Namespace, found: list[Tidied], changed: list[Tidied]) -> None:
    for item in changed:
        if args.diff:
            for line in item.difference():
                say(line, _STYLES.get(line[:1], ""))
        else:
            say(f"{'would change' if args.check else 'laid out'}: {shown(item.path)}")
    if not args.diff:
        count = counted(len(found), "file")
        said = f"{len(changed)} would change" if args.check else f"{len(changed)} laid out anew"
        say(
            f"{count}: {said if changed else 'nothing to change'}",
            "bold yellow" if args.check and changed else "bold green",
        )


def _told(item: Tidied, diff: bool) -> dict[str, Json]:
    status = "unread" if item.text is None else "changed" if item.changed else "kept"
    told: dict[str, Json] = {"file": shown(item.path), "status": status}
    if diff and item.changed:
        told["diff"] = "\n".join(item.difference())
    return told


def _files(names: Iterable[str], report: Report) -> list[Path]:
    """The files that are named: themselves, by their folder, or by the id of a game; each once."""
    found: dict[Path, Path] = {}
    for name in names:
        path = Path(name)
        try:
            if not path.exists() and name in rulesets.ids():
                path = rulesets.root() / name
            if not path.exists():
                near = nearest(name, rulesets.ids(), 1)
                report.add(
                    "not-found",
                    Span(name, 0, 0, 0, 0),
                    path=name,
                    fix=f"Did you mean the game `{near[0]}`?" if near else None,
                )
                continue
            inside = rules_files(path)
            if not inside:
                report.add(
                    "unreadable", Span(name, 0, 0, 0, 0), why=f"no .rules files are in {name}"
                )
            for file in inside:
                found.setdefault(Path(os.path.realpath(file)), file)
        except OSError as error:
            report.add("unreadable", Span(name, 0, 0, 0, 0), why=error.strerror or "unknown")
    return list(found.values())


def _tidied(path: Path, report: Report, sources: dict[str, Source]) -> Tidied:
    try:
        raw = read_file(path, MAX_BYTES)
    except OSError as error:
        report.add("unreadable", Span(shown(path), 1, 1, 1, 2), why=error.strerror or "unknown")
        return Tidied(path, b"", None)
    return Tidied(path, raw, _laid(shown(path), raw, report, sources))


def _laid(name: str, raw: bytes, report: Report, sources: dict[str, Source]) -> str | None:
    source = checked_source(name, raw, report, sources)
    if source is None:
        return None
    sources[name] = source
    return format_source(source, report)


def _write(item: Tidied) -> None:
    """Put the new text in the file's place in one step, so that nothing is lost if that fails."""
    path = Path(os.path.realpath(item.path))
    made = None
    try:
        if not os.access(path, os.W_OK):
            raise PermissionError(13, "it may not be written")
        with tempfile.NamedTemporaryFile(
            "wb", dir=path.parent, prefix=f".{path.name}.", delete=False
        ) as file:
            made = file.name
            file.write((item.text or "").encode())
        shutil.copymode(path, made)
        os.replace(made, path)
    except OSError as error:
        if made is not None:
            with contextlib.suppress(OSError):
                os.unlink(made)
        raise Usage(f"{shown(item.path)} cannot be written: {error.strerror}") from error


def _piped(args: argparse.Namespace) -> int:
    """Standard input laid out on standard output; what cannot be read comes out as it went in."""
    if sys.stdin is None:
        raise Usage("there is no standard input")
    name = "standard input"
    raw = sys.stdin.buffer.read(MAX_BYTES + 1)
    report, sources = Report(), dict[str, Source]()
    text = _laid(name, raw, report, sources)
    item = Tidied(Path(name), raw, text)
    if args.json:
        found = [one.as_json() for one in report.found]
        status = _told(item, False)["status"]
        give({"status": status, "text": text, "diagnostics": found})
    else:
        show(report.found, sources, error=True)
        if args.diff or args.check:
            _tell_piped(args, item)
        else:
            _pipe_through(raw, text)
    return 1 if report.found or ((args.check or args.diff) and item.changed) else 0


def _tell_piped(args: argparse.Namespace, item: Tidied) -> None:
    """What would change in standard input, if anything would."""
    if args.diff and item.changed:
        for line in item.difference():
            say(line, _STYLES.get(line[:1], ""))
    if args.check and item.changed:
        complain(f"would change: {item.path}")


def _pipe_through(raw: bytes, text: str | None) -> None:
    """Write the text, or if there is none, what was read and all that follows it."""
    sys.stdout.flush()
    sys.stdout.buffer.write(raw if text is None else text.encode())
    if text is None:
        shutil.copyfileobj(sys.stdin.buffer, sys.stdout.buffer)


def _lines(text: str) -> list[str]:
    """The lines of a text with their ends."""
    return [line + "\n" for line in text.split("\n")[:-1]] + [
        last for last in text.split("\n")[-1:] if last
    ]


def _ended(lines: Iterable[str]) -> Iterator[str]:
    """The lines of a diff without their ends.

    Where a text has no end of its last line, that is said as diff says it.
    """
    for line in lines:
        yield line.removesuffix("\n")
        if not line.endswith("\n"):
            yield "\\ No newline at end of file"
