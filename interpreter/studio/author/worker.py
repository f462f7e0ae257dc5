"""The process in which strangers' texts are compiled and tried, ended when it takes too long."""

from __future__ import annotations

import multiprocessing
import os
import threading
from contextlib import suppress
from multiprocessing.connection import Connection

from interpreter.studio.author.questions import Answer, Question
from interpreter.studio.confined import confined
from interpreter.studio.refused import Refused

SECONDS = 30.0  # that one answer may take
MOST_WAITING = 16  # questions that wait at once


def in_turn(connection: Connection[Answer, Question], nice: int) -> None:
    """Answer whatever comes, until nobody asks any more: all that the process does; `nice`, it
    stands back behind others. It holds so much memory at most.
    """
    confined()
    if nice and hasattr(os, "nice"):
        os.nice(nice)
    from interpreter.studio.author.bench import Bench  # which only this process loads

    bench = Bench()
    with suppress(EOFError, KeyboardInterrupt):
        while True:
            question: Question = connection.recv()
            connection.send(bench.answer(question))


class Worker:
    """Asks the process, which is started when first needed, and anew after it was ended."""

    def __init__(self, seconds: float = SECONDS, nice: int = 0) -> None:
        """No process runs yet."""
        self.seconds, self.nice = seconds, nice
        self._process: multiprocessing.process.BaseProcess | None = None
        self._connection: Connection[Question, Answer] | None = None
        self._lock = threading.Lock()
        self._waiting = threading.BoundedSemaphore(MOST_WAITING)

    def ask(self, question: Question) -> Answer:
        """The answer to a question; raises Refused where there is none in time."""
        if not self._waiting.acquire(blocking=False):
            raise Refused("the server is busy; try again in a moment")
        try:
            with self._lock:
                return self._asked(question)
        finally:
            self._waiting.release()

    def _asked(self, question: Question) -> Answer:
        try:
            connection = self._ready()
            connection.send(question)
            if connection.poll(self.seconds):
                answer: Answer = connection.recv()
                return answer
        except (EOFError, OSError):
            self.close()
            raise Refused("that could not be worked out; its process broke off") from None
        self.close()
        raise Refused(f"that is not decided: it takes more than {self.seconds:g} seconds")

    def _ready(self) -> Connection[Question, Answer]:
        if self._process is None or not self._process.is_alive() or self._connection is None:
            self.close()
            context = multiprocessing.get_context("spawn")
            ours, theirs = context.Pipe()
            process = context.Process(target=in_turn, args=(theirs, self.nice), daemon=True)
            process.start()
            theirs.close()
            self._process, self._connection = process, ours
        return self._connection

    def close(self) -> None:
        """End the process."""
        process, connection = self._process, self._connection
        self._process = self._connection = None
        if connection is not None:
            connection.close()
        if process is not None:
            process.kill()
            process.join()
