"""A dispute put down: the play in question as a scenario, and a ruling to be filled in."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from interpreter.engine.decisions import Decision, Option
from interpreter.game.game import State
from interpreter.scenarios.transcript import Written, laid_out, written
from interpreter.table.input import meant, nearest_wish
from interpreter.table.menu import Menu, Unclear
from interpreter.table.session import Table

MOST_FILES = 1_000  # names that are tried for a new file
_WHY = "What the rulebook leaves open, what was decided, and why."


def in_question(table: Table, line: str, decision: Decision, menu: Menu) -> list[Option] | None:
    """The choices that a line names, whether they are legal or not; none if it is not clear."""
    try:
        return [menu.read(line)]
    except Unclear:
        wish = meant(table, line, decision) or nearest_wish(table, line, decision)
    if wish is None:
        return None
    return [Option(wish.player, step.name, step.value) for step in wish.steps]


def ruling_on(state: State, options: list[Option], question: str) -> Written | None:
    """The scenario of a play in question, with a ruling that it holds; none if it cannot be put
    into words."""
    title = f"{question.strip().replace(chr(34), chr(39))}"
    made = written(state, options, title)
    if made is None:
        return None
    cites = f" [{', '.join(made.outcome.cites)}]" if made.outcome.cites else ""
    ruling = f'ruling "To be decided: {title}"{cites}\n  | {_WHY}\n  by "{title}"\n'
    whole = f"for {state.game.loaded.id}\n\n{made.text}\n{ruling}"
    return replace(made, text=laid_out(whole))


def new_file(folder: Path, stem: str, text: str) -> Path:
    """Write a text into a new file of a folder, and tell which; raises OSError."""
    for number in range(1, MOST_FILES):
        path = folder / f"{stem}-{number}.rules"
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
        except FileExistsError:
            continue
        return path
    raise FileExistsError(0, f"there are {MOST_FILES} files of that name")
