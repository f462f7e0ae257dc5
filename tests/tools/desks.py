"""A desk for tests: a copy of a small game in a folder, with one text of it held by an editor."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from interpreter.desk.documents import Change, Document
from interpreter.desk.positions import Place, units
from interpreter.desk.workspace import Workspace

GOOD = Path(__file__).resolve().parents[1] / "good"


@dataclass
class Desk:
    """A workspace and the file that is written in."""

    workspace: Workspace
    path: Path

    @property
    def document(self) -> Document:
        """The text as it is now."""
        found = self.workspace.document(self.path)
        assert found is not None
        return found

    def write(self, text: str) -> None:
        """Put another text in place of the whole."""
        version = self.workspace.documents[self.path].version or 0
        assert self.workspace.change(self.path, [Change(text)], version + 1)

    def instead(self, old: str, new: str) -> None:
        """Put one thing in place of the first of another."""
        assert old in self.document.text
        self.write(self.document.text.replace(old, new, 1))

    @contextmanager
    def edited(self, old: str, new: str) -> Iterator[None]:
        """With another text for a while."""
        before = self.document.text
        self.instead(old, new)
        try:
            yield
        finally:
            self.write(before)

    def check(self) -> list[tuple[str, int]]:
        """Check all that the file touches; the codes found in its cards and their lines, from 1."""
        for unit in self.workspace.touched(self.path):
            self.workspace.check(unit)
        return self.told()

    def told(self) -> list[tuple[str, int]]:
        """What is said of cards of the file now: codes and lines, from 1."""
        return [(code, line) for code, line in self.all_told() if code.startswith("C")]

    def all_told(self) -> list[tuple[str, int]]:
        """What is said of the file now: codes and lines, from 1."""
        return [(f.code, f.range.start.line + 1) for f in self.workspace.findings(self.path)]

    def at(self, marked: str) -> Place:
        """The place that `^` marks in a piece of the text."""
        before, after = marked.split("^")
        index = self.document.text.index(before + after) + len(before)
        line = self.document.text.count("\n", 0, index)
        start = self.document.text.rfind("\n", 0, index) + 1
        return Place(line, units(self.document.text[start:index]))


def open_desk(folder: Path, game: str = "kitchen") -> Desk:
    """A desk with a copy of a good program in this folder."""
    shutil.copytree(GOOD / game, folder / game)
    path = folder / game / f"{game}.rules"
    made = Desk(Workspace((folder,)), path)
    made.workspace.open(path, path.read_text("utf-8"), 1)
    return made
