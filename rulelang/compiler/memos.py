"""Memos of later passes: what each analysis keeps between compilations of one frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from rulelang.core.identity import IdentityMap
from rulelang.queries.database import GIVEN, Asked, Database, Question, Table
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
class KeptQuestion:
    """What an answer rests on, as data: the name of a query, its key and its answer, where that is
    written.
    """

    of: str
    key: object
    answer: object


@dataclass(frozen=True)
class Kept:
    """An answer as data, and what it rests on; a question that many rest on is written once."""

    answer: object
    asked: tuple[KeptQuestion, ...]


_OF_CARDS = frozenset({"designs", "decks", "extensions", "scenarios", "clauses"})


def _is_of_cards(part: object) -> bool:
    """Is a part of the rules not decided by the frame?"""
    return isinstance(part, tuple) and part[0] in _OF_CARDS


def kept_answers(kind: QueryKind, database: Database) -> dict[object, object]:
    """What this revision asked of a query, as data; no answer that rests on all cards."""
    found: dict[object, object] = {}
    questions: IdentityMap[Question, KeptQuestion] = IdentityMap()
    for key, answer, asked in database.of(kind.query).known():
        if not any(q.of[0] is Parts and _is_of_cards(q.of[1]) for q, _ in asked):
            found[key] = Kept(answer, tuple(_kept(kind, one, questions) for one in asked))
    return found


def _kept(
    kind: QueryKind, asked: Asked, questions: IdentityMap[Question, KeptQuestion]
) -> KeptQuestion:
    """A question with what was told, the same object wherever that is the same."""
    question, told = asked
    of, key = question.of
    answer = told if of in kind.sources else None
    known = questions.get(question)
    if known is None or known.answer is not answer:
        known = questions.keep(question, KeptQuestion(of.__name__, key, answer))
    return known


def learn_answers(kind: QueryKind, database: Database, kept: Mapping[object, object]) -> None:
    """Let a query know what was written; raises ValueError for anything else."""
    learned: IdentityMap[KeptQuestion, Asked] = IdentityMap()
    for key, one in kept.items():
        if not isinstance(one, Kept):
            raise ValueError(f"{key!r} is no answer")
        asked = [
            learned.get(question) or learned.keep(question, _learned(kind, database, question))
            for question in one.asked
        ]
        database.of(kind.query).learn(key, one.answer, asked)


def _learned(kind: QueryKind, database: Database, question: KeptQuestion) -> Asked:
    """A question that was kept, known to its query; raises ValueError if that is none of these."""
    for source in kind.sources:
        if source.__name__ == question.of:
            told = question.answer
            return database.of(source).learn(question.key, told), told
    for given in kind.given:
        if given.__name__ == question.of:
            return database.of(given).learn(question.key, GIVEN), GIVEN
    raise ValueError(f"nobody asks {question.of}")


class Lasting:
    """A memo that knows what all it keeps rests on, so that it may serve another frame as well."""


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

    def lasting(self) -> Memos:
        """Memos of another frame, which begins with those that may serve it."""
        made = Memos()
        made._memos = {k: memo for k, memo in self._memos.items() if isinstance(memo, Lasting)}
        return made
