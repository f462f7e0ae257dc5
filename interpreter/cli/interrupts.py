"""What tells a program to end: Control-C, a terminal that is closed, a signal from outside."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from rulelang.diagnostics.english import counted

STOPPED = 130  # the exit status of what was stopped so
_SIGNALS = ("SIGINT", "SIGHUP", "SIGTERM")


def stopped_early(why: str, done: int, of: int, what: str) -> str:
    """What is told of work that was stopped before its end: why, and how much of it is done."""
    return f"Not all was played: {why}. This is what came of {done} of {counted(of, what)}."


@contextmanager
def interruptible() -> Iterator[None]:
    """Within this a closed terminal or a program told to end raises KeyboardInterrupt, as Control-C
    does; once one of them has come, no other disturbs what is still to be kept or told.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)]

    def leave(*_: object) -> None:
        for number in numbers:
            signal.signal(number, signal.SIG_IGN)
        raise KeyboardInterrupt

    before = {
        number: signal.signal(number, leave)
        for number in numbers
        if signal.getsignal(number) not in (None, signal.SIG_IGN)  # as under nohup
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
