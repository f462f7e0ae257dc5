"""One thread in which all work on a workspace is done, in the order in which it was asked for.

The loop that speaks with an editor stays free meanwhile, so that edits and cancellations are heard.
Work that waits for a pause in typing is put off by every new edit.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

IDLE = 4  # pauses without an edit, after which nobody seems to type
Result = TypeVar("Result")


class Worker:
    """The thread and what waits for a pause."""

    def __init__(self, pause: float) -> None:
        """Work that is put off begins after so many seconds without a new edit."""
        self._pause = pause
        self._thread = ThreadPoolExecutor(1, "desk")
        self._waiting: asyncio.TimerHandle | None = None
        self.loop: asyncio.AbstractEventLoop | None = None  # in which edits are heard

    async def run(self, work: Callable[[], Result]) -> Result:
        """What the work gives; when this is cancelled before it has begun, it is not done."""
        return await asyncio.wrap_future(self._thread.submit(work))

    def post(self, work: Callable[[], object]) -> None:
        """Do this work, for whatever it gives nobody waits."""
        self._thread.submit(work)

    def after_pause(self, work: Callable[[], object]) -> None:
        """Do this work after a pause, in place of what waits for one."""
        self.drop()
        self.loop = asyncio.get_running_loop()
        self._waiting = self.loop.call_later(self._pause, self.post, work)

    def when_idle(self, work: Callable[[], object]) -> None:
        """Do this work once nothing was edited for a while; the next edit puts it off for good."""
        if self.loop is not None:
            self.loop.call_soon_threadsafe(self._await_idleness, self.loop, work)

    def _await_idleness(self, loop: asyncio.AbstractEventLoop, work: Callable[[], object]) -> None:
        if self._waiting is None or self._waiting.when() <= loop.time():
            self._waiting = loop.call_later(IDLE * self._pause, self.post, work)

    def drop(self) -> None:
        """What waits is not done."""
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
