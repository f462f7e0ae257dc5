"""Memos of later passes: what each analysis keeps between compilations of one frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from rulelang.queries.database import GIVEN, Asked, Database, Table
from rulelang.ruleset.parts import Parts

M = TypeVar("M")


@dataclass(frozen=True)
class MemoKind:
    """A class of memo that may be written down as data: a dict, with the types of its keys and
    values, and the dataclasses that these are made of.
    """

    memo: type
    key: type
    value: type
    records: tuple[type, ...] = ()


@dataclass(frozen=True)
class QueryKind:
    """A query whose answers may be written down as data.

    Beside them the answers of `sources` are written that they rest on; those of `given` follow from
    the frame.
    """

    query: type[Table]
    sources: tuple[type[Table], ...]
    given: tuple[type[Table], ...]
    records: tuple[type, ...] = ()  # of which answers are made


@dataclass(frozen=True)
class Kept:
    """An answer as data: of what it rests on the names of queries, their keys and answers."""

    answer: object
    asked: tuple[tuple[str, object, object], ...]


_OF_CARDS = frozenset({"designs", "decks", "extensions", "scenarios", "clauses"})


def _is_of_cards(part: object) -> bool:
    """Is a part of the rules not decided by the frame?"""
    return isinstance(part, tuple) and part[0] in _OF_CARDS


def kept_answers(kind: QueryKind, database: Database) -> dict[object, object]:
    """What this revision asked of a query, as data; no answer that rests on all cards."""
    found: dict[object, object] = {}
    for key, answer, asked in database.of(kind.query).known():
        rows = [(*question.of, told) for question, told in asked]
        if not any(of is Parts and _is_of_cards(on) for of, on, _ in rows):
            found[key] = Kept(
                answer,
                tuple(
                    (of.__name__, on, told if of in kind.sources else None) for of, on, told in rows
                ),
            )
    return found


def learn_answers(kind: QueryKind, database: Database, kept: Mapping[object, object]) -> None:
    """Let a query know what was written; raises ValueError for anything else."""
    sources = {one.__name__: one for one in kind.sources}
    given = {one.__name__: one for one in kind.given}
    for key, one in kept.items():
        if not isinstance(one, Kept):
            raise ValueError(f"{key!r} is no answer")
        asked: list[Asked] = []
        for name, on, told in one.asked:
            if name in sources:
                asked.append((database.of(sources[name]).learn(on, told), told))
            elif name in given:
                asked.append((database.of(given[name]).learn(on, GIVEN), GIVEN))
            else:
                raise ValueError(f"nobody asks {name}")
        database.of(kind.query).learn(key, one.answer, asked)


class Memos:
    """One memo of each class that is asked for: an analysis declares its own class of memo."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._memos: dict[type, object] = {}

    def of(self, kind: type[M]) -> M:
        """The memo of this class, empty when it is asked for the first time."""
        found = self._memos.get(kind)
        if not isinstance(found, kind):
            found = self._memos[kind] = kind()
        return found
