"""Work handed to several processes: its results come in the order of the tasks, whichever process
did each."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")
Begun = TypeVar("Begun")

LOST = "a process was ended from outside, perhaps because memory ran out"


class WorkerLost(Exception):
    """A process was ended from outside; says so."""


def cores() -> int:
    """How many processes can work at once on this machine."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_processes(
    work: Callable[[Task], Result],
    tasks: Sequence[Task],
    processes: int,
    begin: Callable[[Begun], None],
    begun: Begun,
) -> Iterator[Result]:
    """The results of the work in the order of the tasks; each process first calls `begin`.

    Raises WorkerLost after those that were done when a process is ended from outside.
    """
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    before = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(processes, initializer=_begin, initargs=(begin, begun))
    lost, whole = 0, False
    try:
        for future in [pool.submit(work, task) for task in tasks]:
            try:
                result = future.result()
            except BrokenProcessPool:
                lost += 1
            else:
                yield result
        whole = True
    finally:
        if not whole:  # whoever leaves early does not wait for what is being done
            for worker in set(multiprocessing.active_children()) - before:
                worker.terminate()
        pool.shutdown(cancel_futures=True)
    if lost:
        raise WorkerLost(LOST)


def _begin(begin: Callable[[Begun], None], begun: Begun) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Control-C is for the one who waits for all
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    begin(begun)
