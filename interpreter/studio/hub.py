"""Who looks at which game, and the bots that play on: all that runs beside the requests.

A wake says that a game has changed, and nothing else; whoever is woken looks at the rows. So a
wake that is lost loses nothing, and one too many does no harm.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from interpreter.studio import bots
from interpreter.studio.live import Broken, Shelf
from interpreter.studio.precedence import Precedence
from interpreter.studio.processes import ALONE, Share
from interpreter.studio.refused import Refused
from interpreter.studio.storage.store import Gone
from interpreter.studio.tables import Change, Tables, Unknown

if TYPE_CHECKING:
    from interpreter.studio.storage.notices import Notices

BOT_SECONDS = 2.0  # that a bot may think about one choice
POLL = 1.0  # seconds between two looks at what other processes wrote
SELDOM = 5  # times as long where other servers say what they wrote
MOMENT = 0.02  # seconds for which notices are gathered
BETWEEN = 0.1  # seconds between two games that are looked after
THREADS = 6  # that work for requests; some of them wait for the disk
_RETRIES = 3  # of an answer whose process broke


@dataclass(eq=False)
class Watcher:
    """One socket that waits for a game to change, and by which link it was opened."""

    token: str = ""
    changed: asyncio.Event = field(default_factory=asyncio.Event)


def processes(shelf: Shelf | None = None) -> Executor:
    """A process for bots, which ends when the server does, however that ends.

    Where nothing runs beside yet it is split off from this one, and so has loaded all it needs, the
    rules that are compiled already among it; later it is started afresh, for then it must hold
    nothing of the server's.
    """
    split = hasattr(os, "fork") and threading.active_count() == 1
    context = multiprocessing.get_context("fork" if split else "spawn")
    known = (shelf,) if split else ()
    pool = ProcessPoolExecutor(1, mp_context=context, initializer=bots.beside, initargs=known)
    if split:
        pool.submit(bots.ready)
    return pool


class Hub:
    """Wakes watchers and lets bots answer, in the loop it was started in."""

    def __init__(
        self,
        tables: Tables,
        pool: Callable[[], Executor] = processes,
        seconds: float = BOT_SECONDS,
        poll: float = POLL,
        share: Share = ALONE,
        notices: Notices | None = None,
    ) -> None:
        """It does nothing before it is started. `share` says which games this process has, by
        `notices` it tells other servers what changed.
        """
        self.tables, self.seconds, self.poll, self.share = tables, seconds, poll, share
        self._make_pool, self._pool = pool, pool()
        self._watchers: dict[str, set[Watcher]] = {}
        self._driven: dict[str, bool] = {}  # games whose bots are at it: again when they are done?
        self._idle: dict[str, asyncio.Event] = {}  # of the same games: set when they are done
        self._tasks: set[asyncio.Task[None]] = set()
        self._seen: dict[str, tuple[int, int]] = {}
        self._waiting: asyncio.Queue[str] = asyncio.Queue()  # games that are looked after by turns
        self._loop: asyncio.AbstractEventLoop | None = None
        self.notices, self.first = notices, Precedence()
        self._unsent: set[str] = set()  # games of which other servers are to be told
        self._sending = asyncio.Event()

    def start(self) -> None:
        """Begin in the running loop."""
        self._loop = asyncio.get_running_loop()
        self._loop.set_default_executor(ThreadPoolExecutor(THREADS))
        self.tables.wake = self.woken
        self._spawn(self._look())
        self._spawn(self._look_after())
        if self.share.socket is not None:
            self._loop.add_reader(self.share.socket, self._told)
        if self.notices is not None:
            self._spawn(self._send(self.notices))
            listen = self.notices.listen
            threading.Thread(target=listen, args=(self._heard,), daemon=True).start()

    async def stop(self) -> None:
        """End all that runs; rows say where to go on."""
        if self.notices is not None:
            self.notices.stop()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _spawn(self, coroutine: Coroutine[object, object, None]) -> None:
        task = asyncio.ensure_future(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ---------------------------------------------------------------------------------- waking
    def woken(self, game: str, change: Change) -> None:
        """A game has changed; may be said by any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._changed, game, change)
        if not self.share.mine(game):
            self.share.pass_on(game, change.answered)

    def _changed(self, game: str, change: Change) -> None:
        """This process has changed a game."""
        self._wake(game, change)
        if self.notices is not None:
            self._unsent.add(game)
            self._sending.set()

    async def _send(self, notices: Notices) -> None:
        """Tell other servers what changed, all that did in a moment at once."""
        while True:
            await self._sending.wait()
            await asyncio.sleep(MOMENT)
            self._sending.clear()
            games, self._unsent = self._unsent, set()
            with suppress(Gone):
                await asyncio.to_thread(notices.send, games)

    def _heard(self, game: str) -> None:
        """Another server has changed a game; said by the thread that listens."""
        if game in self._watchers and self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake, game, Change(answered=True))

    def _told(self) -> None:
        """Another process says what it changed."""
        while (said := self.share.read()) is not None:
            self._wake(said[0], Change(said[1]))

    def _wake(self, game: str, change: Change) -> None:
        for watcher in self._watchers.get(game, ()):
            watcher.changed.set()
        if change.answered and self.share.mine(game):
            self.drive(game, change.job)

    def watchers(self, game: str) -> int:
        """How many watch a game."""
        return len(self._watchers.get(game, ()))

    def tells(self, game: str, token: str) -> bool:
        """Is a page of this link told of what changes, by its socket?"""
        return any(watcher.token == token for watcher in self._watchers.get(game, ()))

    def watch(self, game: str, watcher: Watcher) -> None:
        """Wake this watcher when the game changes."""
        self._watchers.setdefault(game, set()).add(watcher)

    def leave(self, game: str, watcher: Watcher) -> None:
        """Wake it no more."""
        found = self._watchers.get(game, set())
        found.discard(watcher)
        if not found:
            self._watchers.pop(game, None)
            self._seen.pop(game, None)

    async def _look(self) -> None:
        """Find out what other processes wrote in games that are watched here."""
        while True:
            hears = self.notices is not None and self.notices.listens.is_set()
            await asyncio.sleep(self.poll * (SELDOM if hears else 1))
            games = list(self._watchers)
            if not games:
                continue
            with suppress(Gone):
                latest = await asyncio.to_thread(self.tables.store.latest, games)
                for game, numbers in latest.items():
                    known = self.tables.known(game)
                    if self._seen.get(game, numbers) != numbers and numbers != known:
                        self._wake(game, Change(answered=True))
                    self._seen[game] = numbers

    # ------------------------------------------------------------------------------------ bots
    def drive(self, game: str, job: bots.Job | None = None) -> None:
        """Let the bots of a game answer until a person is asked; first this, if it is known."""
        if not self.share.mine(game):
            self.share.pass_on(game, answered=True)
        elif game in self._driven:
            self._driven[game] = True
        else:
            self._driven[game] = False
            self._idle[game] = asyncio.Event()
            self._spawn(self._drive(game, job))

    def look_after(self, game: str) -> None:
        """Let the bots of a game answer if they have to, once there is time: its page shows how it
        stands, so that most likely a person is asked.
        """
        self._waiting.put_nowait(game)

    async def _look_after(self) -> None:
        while True:
            game = await self._waiting.get()
            if self._watchers.get(game) and not self.tables.known(game)[0]:
                self.drive(game)
                await self.settled(game, self.seconds)
                await asyncio.sleep(BETWEEN)

    async def _drive(self, game: str, job: bots.Job | None) -> None:
        try:
            again = True
            while again:
                self._driven[game] = False
                with suppress(Gone, Unknown, Broken, Refused):
                    await self._play(game, job)
                job, again = None, self._driven[game]
        finally:
            self._driven.pop(game, None)
            self._idle.pop(game).set()

    async def settled(self, game: str, seconds: float) -> None:
        """Wait until the bots of a game are done, for so long at most."""
        idle = self._idle.get(game)
        if idle is not None:
            with suppress(TimeoutError):
                await asyncio.wait_for(idle.wait(), seconds)

    async def _play(self, game: str, job: bots.Job | None) -> None:
        if job is None:
            job = await self.first.behind(self.tables.advance, game)
        while job is not None:
            answer = await self._answer(job)
            job = await self.first.behind(self.tables.answered, game, answer)

    async def _answer(self, job: bots.Job) -> bots.Answer:
        """What a bot answers; its process is started anew if it broke."""
        for _ in range(_RETRIES):
            pool = self._pool
            try:
                running = asyncio.get_running_loop()
                return await running.run_in_executor(pool, bots.answer, job, self.seconds)
            except BrokenProcessPool:
                if pool is self._pool:
                    self._pool = self._make_pool()
        return bots.Answer(None, "a bot's process broke again and again")
