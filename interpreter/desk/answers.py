"""What the desk answers: frozen data that names files by path and places as editors count them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from interpreter.desk.positions import Place, Range


@dataclass(frozen=True)
class Edit:
    """A stretch of a file and the text that is to stand there."""

    path: Path
    range: Range
    text: str


@dataclass(frozen=True)
class Mend:
    """What an author may do about a finding: its title, and the edits that do it."""

    title: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True)
class Finding:
    """A diagnostic where an editor shows it, with what would mend it."""

    range: Range
    severity: str
    code: str
    message: str
    mends: tuple[Mend, ...] = ()


@dataclass(frozen=True)
class Location:
    """A stretch of a file."""

    path: Path
    range: Range


@dataclass(frozen=True)
class Symbol:
    """A declaration: its name, what it is, all its lines, and its name among them."""

    name: str
    kind: str
    whole: Range
    named: Range
    inner: tuple[Symbol, ...] = ()
    detail: str = ""


@dataclass(frozen=True)
class Found:
    """A declaration of the workspace."""

    name: str
    kind: str
    at: Location


@dataclass(frozen=True)
class Hover:
    """What a place means, as Markdown, and the stretch it is said of."""

    text: str
    range: Range


@dataclass(frozen=True)
class Completion:
    """What may be written at a place: the text, the stretch it replaces, and what it means.

    In the text of a snippet `${1:word}` are places to fill.
    """

    label: str
    kind: str
    text: str
    range: Range
    detail: str = ""
    documentation: str = ""
    snippet: bool = False
    rank: int = 0


@dataclass(frozen=True)
class Token:
    """A word and what it is to the language."""

    line: int
    character: int
    length: int
    kind: str
    declares: bool = False


@dataclass(frozen=True)
class Fold:
    """Lines that may be folded under their first."""

    first: int
    last: int
    kind: str = "region"


@dataclass(frozen=True)
class Signature:
    """What a call takes, and which of it is being written."""

    label: str
    parameters: tuple[str, ...]
    active: int
    documentation: str = ""


@dataclass(frozen=True)
class Hint:
    """A word that the editor shows between others."""

    place: Place
    label: str
    tooltip: str = ""


@dataclass(frozen=True)
class Lens:
    """A command above a line."""

    range: Range
    title: str
    command: str
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True)
class Routine:
    """What can be called: its name, what it is, where it stands."""

    name: str
    kind: str
    at: Location
    whole: Range


@dataclass(frozen=True)
class Call:
    """A callable, and where it is called from (or calls)."""

    other: Routine
    ranges: tuple[Range, ...]
