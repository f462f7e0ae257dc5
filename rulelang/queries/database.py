"""The database of queries: memoised functions with recorded dependencies, in the manner of salsa.

A query is a function of one key. While it is worked out, every answer it asks of another query is
recorded. In a later revision its own answer stands as long as all of these are as they were, which
is looked at in the order in which they were asked. An answer that is worked out again and comes out
equal counts as unchanged, so that whatever asked for it stands as well.

A query that asks nothing reads the world: it is a source, and is read again in each revision.
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar, cast

Key = TypeVar("Key", bound=Hashable)
Answer = TypeVar("Answer")
Given = TypeVar("Given")

NEVER = -1  # a revision before the first
GIVEN = object()  # an answer that is whatever it is in the first revision that asks for it
MAX_AGE = 16  # revisions for which an answer is kept that nobody asks for


class Circular(Exception):
    """A query asks for its own answer."""


class Question(Protocol):
    """A query with one key."""

    @property
    def of(self) -> tuple[type[object], Hashable]:
        """The class of the query, and the key."""

    def now(self) -> object:
        """The answer in this revision."""

    def stands(self, answer: object) -> bool:
        """Is this the answer now?"""


Asked = tuple[Question, object]  # with the answer that was given


class Table(Protocol):
    """What a database makes one of for each class that is asked for."""

    def __init__(self, database: Database) -> None:
        """Nothing is known yet."""

    def sweep(self, oldest: int) -> None:
        """Forget what was last asked for before this revision."""

    def known(self) -> Iterable[tuple[object, object, tuple[Asked, ...]]]:
        """What this revision asked for: each key, its answer, and what that rests on."""

    def learn(self, key: object, answer: object, asked: Iterable[Asked] = ()) -> Question:
        """Take over an answer that was worked out elsewhere."""


T = TypeVar("T", bound=Table)


@dataclass(frozen=True, eq=False, slots=True)
class Recorded(Generic[Given]):
    """An answer, and all that was asked for it, in order."""

    answer: Given
    asked: tuple[Asked, ...]


class _Recording:
    """What is asked while something is worked out, by the identity of the question."""

    __slots__ = ("asked", "met")

    def __init__(self) -> None:
        self.asked: dict[int, Asked] = {}
        self.met: set[Hashable] = set()


class Database:
    """The queries of one program, by their classes, and the number of its present revision."""

    def __init__(self) -> None:
        """Nothing was ever asked."""
        self.revision = 0
        self._tables: dict[type[Table], Table] = {}
        self._recording: list[_Recording] = []

    def of(self, kind: type[T]) -> T:
        """The one query of this class."""
        found = self._tables.get(kind)
        if not isinstance(found, kind):
            found = self._tables[kind] = kind(self)
        return found

    def revise(self) -> None:
        """Begin a revision: sources are read again, and what nobody asked for long is forgotten."""
        self.revision += 1
        for table in self._tables.values():
            table.sweep(self.revision - MAX_AGE)

    def recorded(self, ask: Callable[[], Given]) -> Recorded[Given]:
        """An answer, and all that was asked for it, in order.

        What was asked before something went wrong is recorded of who asked for the answer.
        """
        self._recording.append(_Recording())
        try:
            answer = ask()
        except BaseException:
            self.note(self._recording.pop().asked.values())
            raise
        return Recorded(answer, tuple(self._recording.pop().asked.values()))

    def rest_on(self, given: Recorded[Given]) -> Given:
        """An answer that was recorded before; what is being worked out rests on it, too."""
        if self.is_new(given):
            self.note(given.asked)
        return given.answer

    def note(self, asked: Iterable[Asked]) -> None:
        """Record that what is being worked out rests on these answers."""
        if self._recording:
            now = self._recording[-1].asked
            for one in asked:
                now.setdefault(id(one[0]), one)

    def asked_of(self, kind: type[Query[Key, Answer]]) -> list[Key]:
        """The keys of a query that were asked so far for what is being worked out."""
        asked = self._recording[-1].asked.values() if self._recording else ()
        return [cast(Key, question.of[1]) for question, _ in asked if question.of[0] is kind]

    def is_new(self, what: Hashable) -> bool:
        """Is something asked for the first time by what is being worked out? Asked before what is
        often read, so that it is recorded once.
        """
        if not self._recording:
            return False
        met = self._recording[-1].met
        if what in met:
            return False
        met.add(what)
        return True


class _Cell(Generic[Key, Answer]):
    """A question with its answer, what that rests on, and the revision it was last looked at."""

    __slots__ = ("answer", "asked", "busy", "key", "query", "verified")

    def __init__(
        self, query: Query[Key, Answer], key: Key, answer: Answer, asked: tuple[Asked, ...]
    ) -> None:
        self.query, self.key, self.answer, self.asked = query, key, answer, asked
        self.verified, self.busy = NEVER, False

    @property
    def of(self) -> tuple[type[object], Hashable]:
        """The class of the query, and the key."""
        return type(self.query), self.key

    def now(self) -> Answer:
        """The answer in this revision."""
        database = self.query.database
        if self.verified == database.revision:
            return self.answer
        if self.busy:
            raise Circular(f"{type(self.query).__name__} of {self.key!r}")
        self.busy = True
        try:
            if not self.asked or not all(one.stands(answer) for one, answer in self.asked):
                made = database.recorded(lambda: self.query.work(self.key))
                self.asked = made.asked
                if not self.query.same(self.answer, made.answer):
                    self.answer = made.answer
            elif any(answer is GIVEN for _, answer in self.asked):
                self.asked = tuple((one, one.now()) for one, _ in self.asked)
        finally:
            self.busy = False
        self.verified = database.revision
        return self.answer

    def stands(self, answer: object) -> bool:
        """Is this the answer now?"""
        now = self.now()
        return answer is GIVEN or now is answer or now == answer


class Query(ABC, Generic[Key, Answer]):
    """A function of a key whose answers are kept; `work` is the function."""

    def __init__(self, database: Database) -> None:
        """Nothing was asked yet."""
        self.database = database
        self._cells: dict[Key, _Cell[Key, Answer]] = {}
        self._beginning: set[Key] = set()

    @abstractmethod
    def work(self, key: Key) -> Answer:
        """The answer, worked out from the answers of other queries or, of a source, read."""

    def same(self, one: Answer, other: Answer) -> bool:
        """Are two answers one to all who ask?"""
        return operator.eq(one, other) is True

    def __call__(self, key: Key) -> Answer:
        """The answer in this revision; whoever is being worked out rests on it."""
        cell = self._cells.get(key)
        if cell is None:
            cell = self._begun(key)
        answer = cell.now()
        self.database.note(((cell, answer),))
        return answer

    def _begun(self, key: Key) -> _Cell[Key, Answer]:
        if key in self._beginning:
            raise Circular(f"{type(self).__name__} of {key!r}")
        self._beginning.add(key)
        try:
            made = self.database.recorded(lambda: self.work(key))
        finally:
            self._beginning.discard(key)
        cell = self._cells[key] = _Cell(self, key, made.answer, made.asked)
        cell.verified = self.database.revision
        return cell

    def asked_for(self, key: Key) -> Recorded[Answer] | None:
        """An answer with what it rests on, if it was asked for in this revision; nobody rests on
        it for that.
        """
        cell = self._cells.get(key)
        if cell is None or cell.verified != self.database.revision:
            return None
        return Recorded(cell.answer, cell.asked)

    def sweep(self, oldest: int) -> None:
        """Forget what was last asked for before this revision."""
        if any(cell.verified < oldest for cell in self._cells.values()):
            self._cells = {k: cell for k, cell in self._cells.items() if cell.verified >= oldest}

    def known(self) -> Iterator[tuple[Key, Answer, tuple[Asked, ...]]]:
        """What this revision asked for: each key, its answer, and what that rests on."""
        for key, cell in self._cells.items():
            if cell.verified == self.database.revision:
                yield key, cell.answer, cell.asked

    def learn(self, key: object, answer: object, asked: Iterable[Asked] = ()) -> Question:
        """Take over an answer that was worked out elsewhere from these answers, and is still to be
        held against what they are now.
        """
        cell = _Cell(self, cast(Key, key), cast(Answer, answer), tuple(asked))
        return self._cells.setdefault(cell.key, cell)
