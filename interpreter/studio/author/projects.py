"""Projects: folders of `.rules` below one folder, and never anything outside it."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from interpreter.game.files import read_file, remove_file, write_file
from interpreter.studio.refused import Refused

MOST_PROJECTS = 1_000
MOST_FILES = 40  # of one project
MOST_BYTES = 200_000  # of one file
MOST_IN_ALL = 1_000_000  # bytes of one project
SUFFIX = ".rules"

_FOLDER = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")
_FILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,59}\.rules")
_GAME = re.compile(r"^for (\w+)", re.MULTILINE)


class Changed(Refused):
    """The file is no longer what it was when it was opened."""


@dataclass(frozen=True)
class Project:
    """A project by its folder's name: its files, and the game that its cards are for."""

    name: str
    files: tuple[str, ...]
    game: str  # empty where no file says

    @property
    def title(self) -> str:
        """Its name as people read it."""
        return self.name.replace("-", " ").capitalize()


def mark_of(text: str) -> str:
    """A hash by which two states of a file are told apart."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def game_of(text: str) -> str:
    """The game that a text says it is for; empty if it says none."""
    found = _GAME.search(text)
    return found.group(1) if found else ""


def file_name(name: str) -> str:
    """A name that a file of a project may have; raises Refused."""
    name = name.strip()
    name = name if name.endswith(SUFFIX) else f"{name}{SUFFIX}"
    if not _FILE.fullmatch(name):
        raise Refused("a file is named by letters, digits, - and _, as in my_cards.rules")
    return name


class Projects:
    """The projects of one folder, which is made when the first of them is."""

    def __init__(self, folder: Path) -> None:
        """Whatever else lies in the folder is left alone."""
        self.folder = folder
        self._lock = threading.Lock()

    # -------------------------------------------------------------------------------- looking
    def all(self) -> list[Project]:
        """Every project, by name."""
        try:
            names = sorted(path.name for path in self.folder.iterdir())
        except OSError:
            return []
        found = (self.find(name) for name in names[:MOST_PROJECTS])
        return [project for project in found if project is not None]

    def find(self, name: str) -> Project | None:
        """A project by its name; none if there is none."""
        if not _FOLDER.fullmatch(name):
            return None
        folder = self.folder / name
        if folder.is_symlink() or not folder.is_dir():
            return None
        files = tuple(sorted(path.name for path in self._files(folder)))
        game = next((g for f in files if (g := game_of(self._text(folder / f)))), "")
        return Project(name, files, game)

    def _files(self, folder: Path) -> Iterator[Path]:
        for path in folder.iterdir():
            if _FILE.fullmatch(path.name) and path.is_file() and not path.is_symlink():
                yield path

    def text(self, project: Project, file: str) -> str:
        """The text of a file; raises Refused where there is none."""
        if file not in project.files:
            raise Refused(f"there is no file {file} in this project")
        return self._text(self.path(project, file))

    def texts(self, project: Project) -> dict[str, str]:
        """Every file's text."""
        return {file: self.text(project, file) for file in project.files}

    def path(self, project: Project, file: str) -> Path:
        """Where a file of a project lies."""
        return self.folder / project.name / file

    def _text(self, path: Path) -> str:
        try:
            return read_file(path, MOST_BYTES)[:MOST_BYTES].decode("utf-8", "replace")
        except OSError:
            return ""

    # -------------------------------------------------------------------------------- writing
    def make(self, title: str, texts: dict[str, str]) -> Project:
        """A new project of these files; raises Refused."""
        _check(texts)
        slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:40].strip("-") or "cards"
        with self._lock:
            if len(self.all()) >= MOST_PROJECTS:
                raise Refused("there are too many projects here; take some away first")
            name, number = slug, 1
            while (self.folder / name).exists():
                number += 1
                name = f"{slug}-{number}"
            (self.folder / name).mkdir(parents=True)
            for file, text in texts.items():
                self._write(self.folder / name / file, text, None)
        found = self.find(name)
        assert found is not None
        return found

    def write(self, project: Project, file: str, text: str, mark: str | None = None) -> None:
        """Write a file, of which `mark` tells how it was when it was opened; raises Refused, or
        Changed where it is another by now.
        """
        with self._lock:
            texts = self.texts(project)
            _check({**texts, file_name(file): text})
            self._write(self.path(project, file_name(file)), text, mark)

    def add(self, project: Project, texts: dict[str, str]) -> None:
        """Add new files; raises Refused where one of that name is there already."""
        with self._lock:
            known = self.texts(project)
            lower = {name.lower() for name in known}
            for name in texts:
                if name.lower() in lower:
                    raise Refused(f"there is a file {name} already")
            _check({**known, **texts})
            for file, text in texts.items():
                self._write(self.path(project, file), text, None)

    def remove(self, project: Project, file: str) -> None:
        """Take a file away; raises Refused."""
        if file not in project.files:
            raise Refused(f"there is no file {file} in this project")
        try:
            remove_file(self.path(project, file), lambda: None)
        except OSError as error:
            raise Refused(f"{file} stays: {error.strerror or error}") from error

    def _write(self, path: Path, text: str, mark: str | None) -> None:
        def may_replace() -> None:
            if mark is not None and mark_of(self._text(path)) != mark:
                raise Changed(f"somebody else has changed {path.name} since you opened it")

        try:
            write_file(path, text.encode("utf-8", "replace"), may_replace)
        except OSError as error:
            raise Refused(f"{path.name} was not written: {error.strerror or error}") from error


def _check(texts: dict[str, str]) -> None:
    """Raises Refused for names and sizes that a project may not have."""
    if len(texts) > MOST_FILES:
        raise Refused(f"a project has at most {MOST_FILES} files")
    if len({name.lower() for name in texts}) < len(texts):
        raise Refused("two files have one name")
    sizes = {name: len(text.encode("utf-8", "replace")) for name, text in texts.items()}
    for name, size in sizes.items():
        file_name(name)
        if size > MOST_BYTES:
            raise Refused(f"{name} is too large: a file has at most {MOST_BYTES:,} bytes")
    if sum(sizes.values()) > MOST_IN_ALL:
        raise Refused(f"a project has at most {MOST_IN_ALL:,} bytes in all")
