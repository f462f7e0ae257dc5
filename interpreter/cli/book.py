"""The command that writes the rules of a game out as a rulebook."""

from __future__ import annotations

import argparse
from pathlib import Path

from interpreter.cli.output import complain, give, say, show
from interpreter.cli.usage import Usage
from interpreter.game.loading import Loaded, RulesError, fatal, load_rules, shown
from interpreter.paper.book import book as written
from interpreter.paper.document import Book
from interpreter.paper.html import html
from interpreter.paper.markdown import markdown
from rulelang.diagnostics.english import counted


def book(args: argparse.Namespace) -> int:
    """Write the rulebook of a game; cards that are left out of it are told on standard error."""
    loaded = with_tests(args, ())
    chosen = tuple(dict.fromkeys(args.variant))
    made = written(with_tests(args, chosen), loaded, chosen) if chosen else written(loaded)
    if args.output is not None and args.output.endswith((".pdf", ".svg", ".png")):
        _write_set(made, Path(args.output), args.paper)
        return 1 if loaded.compiled.report.errors else 0
    text = html(made) if args.html else markdown(made)
    if args.output is not None:
        write(args.output, text.encode("utf-8"))
    if args.json:
        give({"file": args.output, "book": made.as_json()})
    elif args.output is None:
        say(text.rstrip("\n"))
    else:
        complain(f"Wrote {args.output}.")
    return 1 if loaded.compiled.report.errors else 0


def _write_set(made: Book, output: Path, paper: str) -> None:
    """Write a book as it is printed: one PDF, or a file for each page, numbered from 1."""
    from interpreter.paper.press import book_pages

    if output.suffix == ".pdf":
        (whole,) = book_pages(made, paper, "pdf")
        write(str(output), whole)
        complain(f"Wrote {output}.")
        return
    pages = book_pages(made, paper, "svg" if output.suffix == ".svg" else "png")
    names = [output.with_stem(f"{output.stem}-{n}") for n in range(1, len(pages) + 1)]
    for name, page in zip(names, pages, strict=True):
        write(str(name), page)
    complain(f"Wrote {counted(len(pages), 'page')}, {names[0]} to {names[-1].name}.")


def with_tests(args: argparse.Namespace, variants: tuple[str, ...]) -> Loaded:
    """The rules with their scenarios and rulings, with the files to be added; raises RulesError
    for rules that cannot be played."""
    added = [(shown(Path(p)), Path(p)) for p in args.added]
    loaded = load_rules(args.game, variants, added)
    if wrong := fatal(loaded):
        raise RulesError(wrong, loaded.sources)
    if loaded.compiled.report.errors and not variants:
        show(loaded.compiled.report.errors, loaded.sources, error=True)
        complain(f"left out: {', '.join(loaded.compiled.refused)}")
    return loaded


def write(name: str, content: bytes) -> None:
    """Write a file, over another of that name; raises Usage where that cannot be."""
    path = Path(name)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        raise Usage(f"{name} cannot be written: {error.strerror}") from error
