"""Notices between servers on one PostgreSQL: which games were changed.

A notice only wakes. It is sent after the rows it is about, and many are sent as one; one that is
lost loses nothing, for every server also looks at the rows from time to time.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress

import psycopg
import sqlalchemy as sa

from interpreter.studio.storage.store import Gone

CHANNEL = "rulelang_studio"
AGAIN = 2.0  # seconds until a connection that was lost is sought again
MOST_SENT = 100  # games of one notice, which takes 8,000 bytes
_LOOK = 0.5  # seconds between two looks whether to end

Heard = Callable[[str], None]


class Notices:
    """Sends notices to the other servers of a database, and hears theirs."""

    def __init__(self, engine: sa.Engine, server: str) -> None:
        """Nobody listens yet; what comes from this server itself is not heard."""
        self.engine = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._server = server
        self._ends = threading.Event()
        self.listens = threading.Event()  # is the connection there that hears?

    def send(self, games: Iterable[str]) -> None:
        """Say that games changed; raises Gone."""
        told = list(games)
        try:
            with self.engine.connect() as connection:
                for start in range(0, len(told), MOST_SENT):
                    said = json.dumps([self._server, told[start : start + MOST_SENT]])
                    connection.execute(sa.select(sa.func.pg_notify(CHANNEL, said)))
        except sa.exc.SQLAlchemyError as error:
            raise Gone(str(error)) from error

    def listen(self, heard: Heard) -> None:
        """Tell of all that other servers send, until `stop`: for a thread of its own."""
        while not self._ends.is_set():
            with suppress(sa.exc.SQLAlchemyError, psycopg.Error):
                self._listen(heard)
            self.listens.clear()
            self._ends.wait(AGAIN)

    def _listen(self, heard: Heard) -> None:
        """Listen over one connection until it is lost, or `stop`."""
        connection = self.engine.raw_connection()
        driver = connection.driver_connection
        connection.detach()  # the pool neither keeps it nor counts it
        assert isinstance(driver, psycopg.Connection)
        with driver:
            driver.autocommit = True
            driver.execute(f"LISTEN {CHANNEL}")
            self.listens.set()
            while not self._ends.is_set():
                for notice in driver.notifies(timeout=_LOOK):
                    for game in self._read(notice.payload):
                        heard(game)

    def _read(self, said: str) -> list[str]:
        """The games of a notice of another server; none if it is no notice of ours."""
        try:
            sender, games = json.loads(said)
            return [] if sender == self._server else [str(game) for game in games]
        except (ValueError, TypeError):
            return []

    def stop(self) -> None:
        """Listen no more."""
        self._ends.set()
