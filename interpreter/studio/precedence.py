"""Who chooses goes ahead of all that runs beside: of pages that are told, of bots' answers, of
sockets that are opened.

When a server was started again everybody comes at once. Then what nobody waits for may come later.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

ACTING = 4  # threads that do what people ask for; some of them wait for the disk
BEHIND = 2  # threads of the rest: more than one, so that a slow table does not stop the others
CALM = 1.0  # seconds for which the rest waits at most while people choose

P = ParamSpec("P")
T = TypeVar("T")


class Turns:
    """A lock that goes to whoever is urgent before it goes to others; to each kind in order."""

    def __init__(self) -> None:
        """Nobody holds it."""
        self._lock = threading.Lock()  # of what stands here
        self._held = False
        self._waiting: dict[bool, deque[threading.Lock]] = {True: deque(), False: deque()}

    def acquire(self, urgent: bool = False) -> None:
        """Wait until it is one's turn, and hold it."""
        with self._lock:
            if not self._held:
                self._held = True
                return
            mine = threading.Lock()
            mine.acquire()
            self._waiting[urgent].append(mine)
        mine.acquire()  # until whoever holds it hands it on

    def release(self) -> None:
        """Hand it to the next who waits."""
        with self._lock:
            waiting = self._waiting[True] or self._waiting[False]
            if waiting:
                waiting.popleft().release()
            else:
                self._held = False

    @property
    def waiting(self) -> int:
        """How many wait for it."""
        return sum(map(len, self._waiting.values()))

    @contextmanager
    def held(self, urgent: bool = False) -> Iterator[None]:
        """Hold it for a while."""
        self.acquire(urgent)
        try:
            yield
        finally:
            self.release()

    @contextmanager
    def left(self, urgent: bool = False) -> Iterator[None]:
        """Leave it, while one holds it, to others for a while."""
        self.release()
        try:
            yield
        finally:
            self.acquire(urgent)


class Precedence:
    """Runs what people ask for in threads of its own, and the rest while nobody waits there."""

    def __init__(self, longest: float = CALM) -> None:
        """Nobody waits; the rest waits for so many seconds at most."""
        self._longest = longest
        self._acting, self._behind = ThreadPoolExecutor(ACTING), ThreadPoolExecutor(BEHIND)
        self._acts = 0  # that are asked for now
        self._calm = asyncio.Event()
        self._calm.set()

    async def ahead(self, act: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What a person asks for, ahead of all else."""
        self._acts += 1
        self._calm.clear()
        try:
            return await _within(self._acting, act, *args, **kwargs)
        finally:
            self._acts -= 1
            if not self._acts:
                self._calm.set()

    async def behind(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What nobody waits for at once, when people do not choose, or have done so for long."""
        await self.calm()
        return await self.beside(work, *args, **kwargs)

    async def beside(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The same for whoever has waited already."""
        return await _within(self._behind, work, *args, **kwargs)

    async def calm(self) -> None:
        """Wait until nobody chooses, for a while at most."""
        if self._calm.is_set():
            return
        try:
            await asyncio.wait_for(self._calm.wait(), self._longest)
        except TimeoutError:
            return


async def _within(
    pool: ThreadPoolExecutor, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs
) -> T:
    return await asyncio.get_running_loop().run_in_executor(pool, lambda: work(*args, **kwargs))
