"""The workspace: the texts that an editor holds over the files on the disk, and what is known of
the rulesets and additions they are part of.

It is told of edits at once and checks a ruleset when asked to. Between two checks it answers from
the texts as they are now and from the rules as they were at the last check.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from weakref import WeakKeyDictionary

from interpreter.authoring.check import Unit, texts_of, unit_of, weighed
from interpreter.desk.answers import Finding
from interpreter.desk.documents import Change, Document, of_source, texts
from interpreter.desk.mends import mends_of
from interpreter.desk.moved import moved
from interpreter.desk.names import Index, Names, index_of, plurals
from interpreter.desk.positions import range_of
from interpreter.game.files import is_file, read_file, unsaved
from interpreter.game.gc_pause import Settling
from interpreter.game.loading import Loaded, RulesError, Statement, folder_of, rules_files, shown
from rulelang.compiler.driver import CompileCache
from rulelang.diagnostics import Diagnostic
from rulelang.diagnostics.source import MAX_BYTES, decode_for_quoting

MAX_CHECKS = 400  # of one ruleset before what was kept of them is made anew
MAX_GARBAGE = 2  # checks whose garbage is held while nobody types
MOST_GARBAGE = 16  # checks whose garbage is ever held
MAX_TEXTS = 128  # that are read from the disk once: more than a ruleset has files
Plurals = tuple[tuple[str, str], ...]


@dataclass
class Known:
    """What is known of a ruleset or addition since its last check."""

    unit: Unit
    kept: CompileCache = field(default_factory=CompileCache)
    loaded: Loaded | None = None
    found: Mapping[Path, tuple[Diagnostic, ...]] = field(default_factory=dict)
    texts: object = None
    checks: int = 0
    seen: Mapping[Path, Document] = field(default_factory=dict)  # open texts at that check


@dataclass
class Workspace:
    """Open documents over folders; nothing outside the folders is asked for unless it is open."""

    folders: tuple[Path, ...] = ()
    documents: dict[Path, Document] = field(default_factory=dict)
    known: dict[Unit, Known] = field(default_factory=dict)
    garbage: int = 0  # checks since garbage was last collected
    fixed: Unit | None = None  # what every document is part of, where that is not looked for
    # memo of which ruleset a file is part of, and of the files of each, until files come or go
    _units: dict[Path, tuple[Unit | None, list[Diagnostic]]] = field(default_factory=dict)
    _files: dict[Unit, list[Path]] = field(default_factory=dict)
    # memo of each text as long as it is held: its words for many, and where names stand beside all
    _collected: Settling = field(default_factory=Settling)
    _plurals: WeakKeyDictionary[Document, Plurals] = field(default_factory=WeakKeyDictionary)
    _indexes: WeakKeyDictionary[Document, tuple[Plurals, Index]] = field(
        default_factory=WeakKeyDictionary
    )

    # ------------------------------------------------------------------------------------ texts
    def open(self, path: Path, text: str, version: int | None = None) -> None:
        """An editor holds this text now."""
        self.refresh()
        self.documents[path] = Document(
            path, text.replace("\r\n", "\n").replace("\r", "\n"), version
        )

    def change(self, path: Path, changes: Sequence[Change], version: int | None = None) -> bool:
        """The text was edited; false if that is known already or comes too late."""
        document = self.documents.get(path)
        if document is None:
            return False
        if None not in (version, document.version) and (version or 0) <= (document.version or 0):
            return False
        self.documents[path] = made = document.changed(changes, version)
        if made.head != document.head:
            self.refresh()
        return True

    def close(self, path: Path) -> None:
        """The editor holds the file no longer: it is what is on the disk."""
        self.documents.pop(path, None)
        self.refresh()

    def refresh(self) -> None:
        """Files may have come or gone, or belong elsewhere now."""
        self._units.clear()
        self._files.clear()

    def document(self, path: Path) -> Document | None:
        """The text of a file as it is now; none if there is no such file."""
        held = self.documents.get(path)
        if held is not None:
            return held
        try:
            status = path.stat()
        except (OSError, ValueError):
            return None
        return _on_disk(path, status.st_mtime_ns, status.st_size)

    # ------------------------------------------------------------------------------------ units
    def unit(self, path: Path) -> tuple[Unit | None, list[Diagnostic]]:
        """The ruleset or addition a file is part of, and why it is part of none."""
        if self.fixed is not None:
            return self.fixed, []
        if path not in self._units:
            with unsaved(texts(self.documents)):
                self._units[path] = unit_of(path)
        return self._units[path]

    def touched(self, path: Path) -> list[Unit]:
        """The rulesets and additions to check when a file has changed."""
        own, _ = self.unit(path)
        found = [own] if own is not None else []
        return found + [u for u in self.known if u != own and path in self.files(u)]

    def files(self, unit: Unit) -> list[Path]:
        """The files that a check of it reads."""
        if unit not in self._files:
            self._files[unit] = self._files_of(unit)
        return self._files[unit]

    def _files_of(self, unit: Unit) -> list[Path]:
        with unsaved(texts(self.documents)):
            try:
                folder = folder_of(unit.rules)
            except RulesError:
                return [unit.added] if unit.added is not None else []
            more = [unit.added] if unit.added is not None else []
            book = (folder if folder.is_dir() else folder.parent) / "rulebook.md"
            return [_absolute(path) for path in (*rules_files(folder), book, *more)]

    def units_open(self) -> list[Unit]:
        """The rulesets and additions that open documents are part of."""
        found = (self.unit(path)[0] for path in self.documents if path.suffix == ".rules")
        return list(dict.fromkeys(unit for unit in found if unit is not None))

    def check(self, unit: Unit) -> Known:
        """Check a ruleset or addition as its texts are now, unless they are the same."""
        known = self.known.setdefault(unit, Known(unit))
        with unsaved(texts(self.documents)):
            now = texts_of(unit)
            if now and now == known.texts:
                return known
            if known.checks >= MAX_CHECKS:
                known.kept, known.loaded, known.checks = CompileCache(), None, 0
            known.texts, known.checks = now, known.checks + 1
            known.seen = dict(self.documents)
            self.garbage += 1
            try:
                with self._collected.paused():
                    known.loaded, found = weighed(unit, now, known.kept)
            except RulesError as error:
                found = error.found
            except Exception:
                known.kept, known.loaded, known.texts = CompileCache(), None, None
                raise
        by_file: dict[Path, list[Diagnostic]] = {}
        for item in found:
            by_file.setdefault(self.path_of(item.span.file, unit), []).append(item)
        known.found = {path: tuple(items) for path, items in by_file.items()}
        return known

    def tidy(self, is_idle: bool = True) -> None:
        """Collect what checks have left behind, if there were some and nobody waits; where somebody
        may, only once there were many.
        """
        if self.garbage >= (MAX_GARBAGE if is_idle else MOST_GARBAGE):
            self.garbage = 0
            self._collected.collect()

    def forget(self) -> list[Path]:
        """Drop what is known of units without an open document; gives the files they spoke of."""
        open_now = set(self.units_open())
        gone = [unit for unit in self.known if unit not in open_now]
        return [path for unit in gone for path in self.known.pop(unit).found]

    def path_of(self, name: str, unit: Unit | None = None) -> Path:
        """The file that spans quote by a name; that of a finding without a place is the unit's."""
        if name:
            return _absolute(Path(name))
        if unit is not None and unit.added is not None:
            return _absolute(unit.added)
        return _absolute(Path(unit.rules)) if unit is not None else Path()

    # ---------------------------------------------------------------------------------- answers
    def loaded(self, path: Path) -> Loaded | None:
        """The rules a file is part of, as they were at the last check; none before the first."""
        unit, _ = self.unit(path)
        known = self.known.get(unit) if unit is not None else None
        return known.loaded if known is not None else None

    def fresh(self, path: Path) -> Loaded | None:
        """The rules a file is part of, as its texts are now."""
        unit, _ = self.unit(path)
        return self.check(unit).loaded if unit is not None else None

    def findings(self, path: Path) -> tuple[Finding, ...]:
        """All findings in a file, of every unit that speaks of it, in the order of the text.

        Where a text was edited since the last check, they are those of its declarations as they are
        now: what was found in unchanged ones stands where these stand, and in others the syntax and
        the sentences of cards are judged anew.
        """
        document = self.document(path)
        found: dict[Diagnostic, None] = {}
        for known in self.known.values():
            seen = known.seen.get(path)
            if (
                document is None
                or seen is document
                or (seen is None and path not in self.documents)
            ):
                found |= dict.fromkeys(known.found.get(path, ()))
            elif seen is not None:
                loaded = known.loaded
                found |= dict.fromkeys(moved(known.found.get(path, ()), seen, document, loaded))
        if path in self.documents:
            found |= dict.fromkeys(self.unit(path)[1])
        lines = document.lines if document is not None else []
        return tuple(
            Finding(
                range_of(lines, item.span),
                item.severity,
                item.code,
                "\n".join([item.message, *item.notes, *(f"fix: {fix}" for fix in item.fixes)]),
                mends_of(item, document) if document is not None else (),
            )
            for item in sorted(found, key=lambda item: (item.span, item.code))
        )

    def spoken_of(self) -> set[Path]:
        """The files that findings speak of."""
        return {
            path for known in self.known.values() for path, items in known.found.items() if items
        }

    def family(self, path: Path) -> list[Document]:
        """All texts of the ruleset or addition a file is part of, its own first."""
        unit, _ = self.unit(path)
        files = [path, *(self.files(unit) if unit is not None else ())]
        with unsaved(texts(self.documents)):
            there = [
                file for file in dict.fromkeys(files) if file.suffix == ".rules" and is_file(file)
            ]
        return [found for file in there if (found := self.document(file)) is not None]

    def names(self, path: Path) -> Names:
        """Where names are declared and used in the ruleset or addition a file is part of."""
        family = self.family(path)
        many = tuple(sorted({pair for document in family for pair in self._plurals_in(document)}))
        return Names({document.name: self._index(document, many) for document in family})

    def _plurals_in(self, document: Document) -> Plurals:
        if document not in self._plurals:
            self._plurals[document] = tuple(plurals(document.nodes).items())
        return self._plurals[document]

    def _index(self, document: Document, many: Plurals) -> Index:
        known = self._indexes.get(document)
        if known is None or known[0] != many:
            known = self._indexes[document] = many, index_of(document.nodes, dict(many))
        return known[1]

    def statements(self, path: Path) -> Mapping[str, Statement]:
        """The statements of the rulebook beside the rules a file is part of."""
        loaded = self.loaded(path)
        return loaded.statements if loaded is not None else {}

    def rules_below(self) -> Iterator[Document]:
        """Every text of rules in the folders, and every open one."""
        files: Iterable[Path] = (
            file for folder in self.folders for file in sorted(folder.rglob("*.rules"))
        )
        for path in dict.fromkeys((*self.documents, *files)):
            found = self.document(path) if path.suffix == ".rules" else None
            if found is not None:
                yield found


@functools.lru_cache(maxsize=MAX_TEXTS)
def _on_disk(path: Path, changed: int, size: int) -> Document | None:
    """The file as it was when it was last changed."""
    try:
        raw = read_file(path, MAX_BYTES)
    except OSError:
        return None
    return of_source(path, decode_for_quoting(shown(path), raw))


def _absolute(path: Path) -> Path:
    return path if path.is_absolute() else Path.cwd() / path
