"""Writes of many threads in one transaction after another, so that all who wait for the disk wait
for it together.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

Rows = Sequence[dict[str, object]]


@dataclass(eq=False)
class _Write:
    """One statement, and what came of it."""

    query: sa.Executable
    rows: Rows | None
    done: bool = False
    error: sa.exc.SQLAlchemyError | None = None


class Writer:
    """Writes to a database that takes one writer at a time.

    A statement that breaks a constraint fails alone: SQLite undoes nothing else of its transaction.
    """

    def __init__(self, engine: sa.Engine) -> None:
        """Nothing waits yet."""
        self.engine = engine
        self._waiting: list[_Write] = []
        self._line, self._turn = threading.Lock(), threading.Lock()

    def write(self, query: sa.Executable, rows: Rows | None) -> None:
        """Write, and return when what was written lasts; raises SQLAlchemyError."""
        mine = _Write(query, rows)
        with self._line:
            self._waiting.append(mine)
        with self._turn:
            if not mine.done:  # else whoever had the turn wrote it along
                with self._line:
                    together, self._waiting = self._waiting, []
                self._commit(together)
        if mine.error is not None:
            raise mine.error

    def _commit(self, together: list[_Write]) -> None:
        try:
            with self.engine.begin() as connection:
                for one in together:
                    try:
                        connection.execute(one.query, one.rows)
                    except sa.exc.IntegrityError as error:
                        one.error = error
        except sa.exc.SQLAlchemyError as error:
            for one in together:
                one.error = error
        finally:
            for one in together:
                one.done = True
