"""What stands behind a citation: the statement of the rulebook, and the rules that rest on it."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.game.loading import Loaded
from rulelang.ruleset import Clause

_MOST_LINES = 4  # of the text of one clause


@dataclass(frozen=True)
class Cited:
    """A clause with its place in the rules and the first lines of its text."""

    clause: Clause
    where: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Citation:
    """A statement by its id, its words, and the clauses that cite it."""

    id: str
    text: str
    clauses: tuple[Cited, ...]


def citation(loaded: Loaded, wanted: str) -> Citation | None:
    """The statement of this id, however its letters are written; none if there is no such one."""
    known = {name.lower(): name for name in loaded.statements}
    name = known.get(wanted.strip(" []").lower())
    if name is None:
        return None
    clauses = [c for c in loaded.compiled.rules.clauses.values() if name in c.cites]
    places = {(c.span.file, c.span.line): c for c in clauses}
    found = tuple(_cited(loaded, clause) for clause in places.values())
    return Citation(name, loaded.statements[name].text, found)


def _cited(loaded: Loaded, clause: Clause) -> Cited:
    """A clause with the lines it stands on."""
    source = loaded.sources.get(clause.span.file)
    lines = source.text.split("\n") if source is not None else []
    end = max(clause.span.end_line, clause.span.line)
    told = lines[clause.span.line - 1 : end][:_MOST_LINES]
    where = f"{clause.span.file}:{clause.span.line}"
    return Cited(clause, where, tuple(line.strip() for line in told))
