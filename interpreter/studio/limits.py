"""Bounds of what strangers may ask of the server: sizes, rates, how much is open at once."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

MOST_CALLERS = 10_000  # that are remembered


@dataclass(frozen=True)
class Limits:
    """How much one caller may do, and how large a request may be."""

    body: int = 32_768  # bytes
    text: int = 700_000  # bytes of a form with a text in it, as they are sent
    upload: int = 1_500_000  # bytes of files that are sent
    fields: int = 600  # of a form
    posts: float = 10.0  # a second, in the long run
    burst: int = 60  # posts at once
    begun: float = 0.2  # games a second, in the long run
    begun_burst: int = 20
    sockets: int = 200  # of one caller
    watchers: int = 64  # sockets of one game


@dataclass
class Rate:
    """Lets a caller through so often in the long run, and so often at once."""

    each_second: float
    burst: int
    clock: Callable[[], float] = time.monotonic
    _left: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)

    def admits(self, caller: str) -> bool:
        """May this caller pass now? If so, it counts."""
        now = self.clock()
        left, at = self._left.get(caller, (float(self.burst), now))
        left = min(float(self.burst), left + (now - at) * self.each_second)
        admitted = left >= 1
        self._left[caller] = (left - 1 if admitted else left, now)
        self._left.move_to_end(caller)
        while len(self._left) > MOST_CALLERS:
            self._left.popitem(last=False)
        return admitted
