"""The parts of the documents that a program writes.

They are tables between markers, the layout of listings, and the output of the commands shown.
`python tests/tools/update_docs.py` writes them anew; tests/house/test_docs.py holds what is there
against what would be written.
"""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
import io
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from string import Formatter

from interpreter.conformance.laws import LAWS
from rulelang import core
from rulelang.builtins.registry import authors_words
from rulelang.compiler.limits import MAX_CELLS, MAX_PIECES
from rulelang.core.bounds import (
    MAX_CHAINED,
    MAX_DIGITS,
    MAX_NESTED,
    MAX_SPAN,
    MAX_STEPS,
    MAX_VISITS,
)
from rulelang.diagnostics import CODES, Report
from rulelang.diagnostics.source import MAX_DEPTH, MAX_TREE, Source
from rulelang.english.interface import DEFINITIONS, ROLES
from rulelang.format import format_source
from rulelang.syntax.grammar import HEADS, reserved

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
_FENCE = re.compile(r"^```(\w*)([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_MARKED = re.compile(
    r"(<!-- written by tests/tools/update_docs.py: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL
)


# ------------------------------------------------------------------------------- tables
def words() -> str:
    """The built-in words, as they are written and what they mean."""
    words = sorted(authors_words(), key=lambda word: word.name)
    rows = [f"| `{word.written}` | {word.meaning} |" for word in words]
    return "\n".join(["| written | means |", "|---|---|", *rows])


def roles() -> str:
    """The roles of shared wordings, and the definitions these ask a game for."""
    rows = [f"| `{r.name}` | {f'`{r.type}`' if r.type else ''} | {r.meaning} |" for r in ROLES]
    asked = [f"| `{d.written}` | `{d.gives}` | {d.meaning} |" for d in DEFINITIONS]
    heads = (
        "| role | type, if every game has it | what it is |",
        "| definition | gives | what it is |",
    )
    line = "|---|---|---|"
    return "\n".join([heads[0], line, *rows, "", heads[1], line, *asked])


def kept() -> str:
    """The words no author may use as a name."""
    return "```text\n" + _wrapped(sorted(reserved())) + "\n```"


def heads() -> str:
    """The words that mean something only where a line begins."""
    return "```text\n" + _wrapped(sorted(HEADS)) + "\n```"


def _wrapped(items: list[str], width: int = 100) -> str:
    lines = [""]
    for item in items:
        if len(lines[-1]) + len(item) + 1 > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {item}".strip()
    return "\n".join(lines)


def nodes() -> str:
    """The catalogue of core objects."""
    made = []
    for title, room, base in (
        ("values, conditions and sets", core.expr, core.Expr),
        ("effects and control", core.stmt, core.Stmt),
    ):
        rows = [f"| {title} | parts | |", "|---|---|---|"]
        for name, cls in vars(room).items():
            if (
                inspect.isclass(cls)
                and issubclass(cls, base)
                and cls is not base
                and cls.__module__ == room.__name__
            ):
                parts = [f.name for f in dataclasses.fields(cls) if f.compare]
                rows.append(f"| `{name}` | {', '.join(parts)} | {_doc(cls)} |")
        made.append("\n".join(rows))
    return "\n\n".join(made)


def _doc(cls: type) -> str:
    return " ".join((cls.__doc__ or "").split()).replace("|", "\\|")


def codes() -> str:
    """The table of diagnostics."""
    rows = ["| code | name | says | how to mend it |", "|---|---|---|---|"]
    for key, code in CODES.items():
        says = _cell(code.text) if code.text not in ("{why}", "{why}.") else "*(said case by case)*"
        severity = "" if code.severity == "error" else f" ({code.severity})"
        page = f"[{code.code}](codes/{code.code}.md)"
        rows.append(f"| {page}{severity} | {key} | {says} | {_cell(code.fix)} |")
    return "\n".join(rows)


def laws() -> str:
    """The laws of the conformity battery."""
    return "\n".join(
        ["| law | says |", "|---|---|", *(f"| {law} | {says} |" for law, says in LAWS.items())]
    )


def bounds() -> str:
    """The bounds on rules, with what is counted."""
    rows = (
        ("a number", "from -2^63 to 2^63 - 1 (64 bits)"),
        ("a number that is written", f"at most {10**MAX_DIGITS - 1:,}"),
        ("steps from one decision to the next", f"{MAX_STEPS:,}"),
        (
            "members looked through in one evaluation, and in all from one decision to the next",
            f"{MAX_VISITS:,}",
        ),
        ("how far apart the ends of `{m to n}` may lie", f"{MAX_SPAN:,}"),
        ("definitions that need definitions that need …", f"{MAX_CHAINED:,}"),
        (
            "statements and expressions within one another, through all they need; a choice counts "
            "for what stands after it",
            f"{MAX_NESTED:,}",
        ),
        ("brackets in brackets; lines indented under lines", f"{MAX_DEPTH:,}"),
        (
            "depth of a sentence of the rules, chains of signs and of `otherwise if` among it",
            f"{MAX_TREE:,}",
        ),
        ("pieces of a game", f"{MAX_PIECES:,}"),
        ("cells of a board", f"{MAX_CELLS:,}"),
    )
    return "\n".join(["| what | bound |", "|---|---|", *(f"| {a} | {b} |" for a, b in rows)])


def _cell(text: str) -> str:
    """A sentence of the table, its values shown as dots."""
    said = [
        literal + ("" if value is None else "…") for literal, value, _, _ in Formatter().parse(text)
    ]
    return "".join(said).replace("|", "\\|")


TABLES: dict[str, Callable[[], str]] = {
    "words": words,
    "reserved": kept,
    "heads": heads,
    "core": nodes,
    "roles": roles,
    "codes": codes,
    "laws": laws,
    "bounds": bounds,
}


# ----------------------------------------------------------------------------- listings
@dataclass
class Fence:
    """One fenced block: its language, what its first line says of it, its text, where it begins."""

    language: str
    marks: list[str]
    text: str
    line: int

    def mark(self, word: str) -> str | None:
        """The word after this one in the block's first line: `file cafe.rules`."""
        return self.marks[self.marks.index(word) + 1] if word in self.marks else None


def fences(text: str) -> Iterator[Fence]:
    """The fenced blocks of a page, in order."""
    for match in _FENCE.finditer(text):
        yield Fence(
            match.group(1),
            match.group(2).split(),
            match.group(3),
            text[: match.start()].count("\n") + 1,
        )


@dataclass
class Desk:
    """A folder in which a page's files lie and its commands run."""

    folder: Path
    files: dict[str, str] = field(default_factory=dict)

    def write(self, name: str, text: str) -> Path:
        """Put a file there."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        self.files[name] = text
        return path

    def take(self, fence: Fence) -> Path | None:
        """Write the file a block says it is, or what it adds to one."""
        name = fence.mark("file")
        if name is not None:
            return self.write(name, fence.text)
        name = fence.mark("more")
        return (
            self.write(name, self.files[name].rstrip("\n") + "\n\n" + fence.text)
            if name is not None
            else None
        )


@contextlib.contextmanager
def desk() -> Iterator[Desk]:
    """An empty desk from which the examples can be reached; it is the current folder meanwhile."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        made = Desk(Path(folder).resolve())
        for name in ("examples", "rulesets"):
            (made.folder / name).symlink_to(ROOT / name)
        os.chdir(made.folder)
        try:
            yield made
        finally:
            os.chdir(before)


# ----------------------------------------------------------------------------- commands
def run(command: str) -> str:
    """What a `rulelang` command prints, run in this process.

    `< FILE` at its end gives what is typed.
    """
    from interpreter.cli import main

    command, _, typed = command.partition(" < ")
    out, keyboard = io.StringIO(), sys.stdin
    sys.stdin = io.StringIO(
        Path(typed).read_text("utf-8") if typed else ""
    )  # else nobody is there to answer
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            main.main(shlex.split(command)[1:])
    finally:
        sys.stdin = keyboard
    lines = [line.rstrip() for line in out.getvalue().rstrip().splitlines()]
    return re.sub(r"\b\d+(\.\d+)? (s|seconds?)\b", r"… \2", "\n".join(lines))


def transcript(fence: Fence) -> str:
    """A block of commands with their outputs, shortened as its first line says: `first 10 last 5`,
    `at WORD first 10 then WORD`.
    """
    made = []
    for line in fence.text.splitlines():
        if line.startswith("$ rulelang"):
            made += [line, *shortened(run(line[2:]).splitlines(), fence)]
    return "\n".join(made) + "\n"


def shortened(shown: list[str], fence: Fence) -> list[str]:
    """So many lines from the first (or the one before a word), and the last ones (or those from a
    word on); dots for what is left out.
    """

    def line_of(word: str | None, otherwise: int) -> int:
        return next(
            (n for n, text in enumerate(shown) if word is not None and word in text), otherwise
        )

    first, last = int(fence.mark("first") or 0), int(fence.mark("last") or 0)
    if not first and not last:
        return shown
    head = max(line_of(fence.mark("at"), 1) - 1, 0)
    tail = line_of(fence.mark("then"), len(shown) - last)
    if head == 0 and tail <= first + 1:
        return shown
    return [*(["…"] if head else []), *shown[head : head + first], "…", *shown[tail:]]


@dataclass
class Session:
    """The Python listings of a page, executed in order in one namespace."""

    names: dict[str, object] = field(default_factory=lambda: {"__name__": "page"})
    printed: str = ""

    def take(self, fence: Fence) -> str | None:
        """Execute a Python listing; of the block that shows what it printed, what that is."""
        if fence.language == "python":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(fence.text, f"<listing, line {fence.line}>", "exec"), self.names)
            self.printed += out.getvalue()
        elif "prints" in fence.marks:
            shown, self.printed = self.printed, ""
            return shown
        return None


def is_transcript(fence: Fence) -> bool:
    """Is this a block of commands that are run?"""
    return fence.language == "text" and fence.text.startswith("$ rulelang")


def tidy(fence: Fence) -> str:
    """A listing laid out; one that shows a mistake stays as it is."""
    made = (
        format_source(Source("", fence.text), Report())
        if fence.language == "rules" and "wrong" not in fence.marks
        else None
    )
    return fence.text if made is None else made


def written(text: str) -> str:
    """A page with its tables, listings and outputs as they would be written now."""
    text = _MARKED.sub(lambda m: f"{m.group(1)}{TABLES[m.group(2)]()}\n{m.group(3)}", text)
    python = Session()
    with desk() as here:

        def anew(match: re.Match[str]) -> str:
            fence = Fence(match.group(1), match.group(2).split(), match.group(3), 0)
            fence.text = tidy(fence)
            here.take(fence)
            printed = python.take(fence)
            if printed is not None:
                return f"```{match.group(1)}{match.group(2)}\n{printed}```"
            text = transcript(fence) if is_transcript(fence) else fence.text
            return f"```{match.group(1)}{match.group(2)}\n{text}```"

        return _FENCE.sub(anew, text)


if __name__ == "__main__":
    for page in [p for p in PAGES if not sys.argv[1:] or p.name in sys.argv[1:]]:
        old = page.read_text("utf-8")
        new = written(old)
        if new != old:
            page.write_text(new, "utf-8")
            print(f"written: {page.relative_to(ROOT)}")
