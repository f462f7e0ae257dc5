"""Several processes that serve one address: each game has one of them, which holds its pages and
lets its bots answer.

A connection goes to the process of the game that its first request is about. Later requests of it
may be about another: any process serves any game, for the rows are the truth, and wakes the one
that has it.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import secrets
import selectors
import signal
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from zlib import crc32

from interpreter.studio.links import game_of

SECONDS = 10.0  # that a connection may take to say what it wants
MOST_WAITING = 1_000  # connections that have not said it yet
ENDING = 5.0  # seconds that processes are given to end
_HEAD = 1_024  # bytes in which the address of a request is sought


class Handed(socket.socket):
    """The connections that the front hands to a process, for whoever takes it for a socket that
    listens. When the front is gone, the process ends: the rows say where to go on.
    """

    def listen(self, backlog: int = 0) -> None:
        """Nothing: the front listens."""

    def accept(self) -> tuple[socket.socket, tuple[str, int]]:
        """The next connection; raises BlockingIOError if there is none yet."""
        said, found, _, _ = socket.recv_fds(self, 1, 1)
        if not said:
            os._exit(0)
        if not found:
            raise BlockingIOError
        connection = socket.socket(fileno=found[0])
        try:
            return connection, connection.getpeername()
        except OSError as error:  # it is closed already
            connection.close()
            raise BlockingIOError from error


@dataclass(frozen=True)
class Share:
    """Which games one of several processes has, and how it wakes the others."""

    number: int = 0
    wakes: tuple[tuple[socket.socket, socket.socket], ...] = ()  # of each, to read and to write
    server: str = field(default_factory=lambda: secrets.token_hex(4))  # all of them are it

    def mine(self, game: str) -> bool:
        """Does this process have this game?"""
        return not self.wakes or owner(game, len(self.wakes)) == self.number

    def pass_on(self, game: str, answered: bool) -> None:
        """Tell the process of a game that it changed; what is lost is found by looking."""
        with suppress(OSError):
            self.wakes[owner(game, len(self.wakes))][1].send(json.dumps([game, answered]).encode())

    @property
    def socket(self) -> socket.socket | None:
        """Where this process is told by others; none if it is alone."""
        return self.wakes[self.number][0] if self.wakes else None

    def read(self) -> tuple[str, bool] | None:
        """The next game that another process changed; none if there is none."""
        try:
            game, answered = json.loads(self.wakes[self.number][0].recv(4_096))
        except (OSError, ValueError):
            return None
        return str(game), bool(answered)


ALONE = Share()  # one process that has all games


def owner(game: str, processes: int) -> int:
    """The process that has a game."""
    return crc32(game.encode()) % processes


def about(head: bytes) -> str:
    """What a request is about, by its first bytes: a game, or else its address."""
    line = head.partition(b"\r\n")[0].decode("latin-1").split(" ")
    address = line[1].partition("?")[0] if len(line) > 1 else ""
    parts = address.split("/")
    if len(parts) > 2 and parts[1] in ("table", "socket", "host"):
        return game_of(parts[2]) or parts[2]
    return parts[2] if len(parts) > 2 else address


Work = Callable[[Share, socket.socket], None]


@dataclass
class Front:
    """Takes connections and hands them to processes, each of which does `work`."""

    listening: socket.socket
    work: Work
    count: int
    server: str = field(default_factory=lambda: secrets.token_hex(4))
    _ends: list[tuple[socket.socket, socket.socket]] = field(default_factory=list)
    _wakes: list[tuple[socket.socket, socket.socket]] = field(default_factory=list)
    _processes: list[BaseProcess] = field(default_factory=list)
    _since: dict[socket.socket, float] = field(default_factory=dict)  # who has said nothing yet

    def serve(self, ready: Callable[[], None]) -> None:
        """Serve until this process is told to end."""
        self._ends = [socket.socketpair() for _ in range(self.count)]
        self._wakes = [socket.socketpair(type=socket.SOCK_DGRAM) for _ in range(self.count)]
        for end in (*(ours for ours, _ in self._ends), *(s for pair in self._wakes for s in pair)):
            end.setblocking(False)
        self._processes = [self._begun(number) for number in range(self.count)]
        for told in (signal.SIGTERM, signal.SIGINT):
            signal.signal(told, _told_to_end)
        ready()
        try:
            with suppress(KeyboardInterrupt):
                self._take()
        finally:
            self._end()

    def _begun(self, number: int) -> BaseProcess:
        made = multiprocessing.get_context("fork").Process(target=self._within, args=(number,))
        made.start()
        return made

    def _within(self, number: int) -> None:
        """What one of the processes does."""
        for told in (signal.SIGTERM, signal.SIGINT):
            signal.signal(told, signal.SIG_DFL)
        self.listening.close()
        for ours, _ in self._ends:
            ours.close()  # else the end of the front would not be seen
        for connection in self._since:
            connection.close()
        handed = Handed(fileno=os.dup(self._ends[number][1].fileno()))
        self.work(Share(number, tuple(self._wakes), self.server), handed)

    # -------------------------------------------------------------------------------- the front
    def _take(self) -> None:
        """Hand on what comes in, for ever."""
        self.listening.setblocking(False)
        with selectors.DefaultSelector() as waiting:
            waiting.register(self.listening, selectors.EVENT_READ)
            looked = time.monotonic()
            while True:
                for key, _ in waiting.select(1.0):
                    if key.fileobj is self.listening:
                        self._accept(waiting)
                    elif isinstance(key.fileobj, socket.socket):
                        self._hand(waiting, key.fileobj)
                if time.monotonic() - looked > 1.0:
                    looked = time.monotonic()
                    self._look_after(waiting)

    def _accept(self, waiting: selectors.BaseSelector) -> None:
        with suppress(OSError):
            connection, _ = self.listening.accept()
            if len(self._since) >= MOST_WAITING:
                connection.close()
                return
            connection.setblocking(False)
            self._since[connection] = time.monotonic()
            waiting.register(connection, selectors.EVENT_READ)

    def _hand(self, waiting: selectors.BaseSelector, connection: socket.socket) -> None:
        """Hand a connection to the process that its first request is for."""
        waiting.unregister(connection)
        del self._since[connection]
        with connection, suppress(OSError):
            if head := connection.recv(_HEAD, socket.MSG_PEEK):
                to = self._ends[owner(about(head), self.count)][0]
                socket.send_fds(to, [b"."], [connection.fileno()])

    def _look_after(self, waiting: selectors.BaseSelector) -> None:
        """Close connections that say nothing, and begin processes anew that ended."""
        now = time.monotonic()
        for connection in [c for c, since in self._since.items() if now - since > SECONDS]:
            waiting.unregister(connection)
            del self._since[connection]
            connection.close()
        for number, process in enumerate(self._processes):
            if not process.is_alive():
                self._processes[number] = self._begun(number)

    def _end(self) -> None:
        for process in self._processes:
            process.terminate()
        last = time.monotonic() + ENDING
        for process in self._processes:
            process.join(max(last - time.monotonic(), 0.1))
            if process.is_alive():
                process.kill()


def _told_to_end(number: int, frame: object) -> None:
    raise KeyboardInterrupt
