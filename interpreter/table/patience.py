"""How long people wait for a bot: one that thinks longer takes what it can find at once.

The waiting is cut by the system's alarm clock where there is one; without it a bot takes its time.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from interpreter.bots import agents
from interpreter.bots.agents import Agent
from interpreter.engine.decisions import Decision, Option
from interpreter.game.game import State

_BOTS = str(Path(agents.__file__).parent)
SECONDS = 2.0  # that a bot may think about one choice, unless more are set


class _TimeIsUp(BaseException):
    """A bot has thought too long; no `except Exception` on its way holds it up."""


def patient(agent: Agent, seconds: float = SECONDS) -> Agent:
    """The same bot, which after so many seconds takes the first option there is; 0 sets no end."""

    def choose(state: State, decision: Decision) -> Option:
        if not seconds:
            return agent(state, decision)
        try:
            with _alarm(seconds):
                return agent(state, decision)
        except _TimeIsUp:
            state.game.decider.forget()
            return next(decision.options())

    return choose


def _stop(frame: FrameType, event: str, arg: object) -> None:
    """Break off where a bot calls a function of its own: nothing below it is half done there."""
    if event == "call" and frame.f_code.co_filename.startswith(_BOTS):
        sys.setprofile(None)
        raise _TimeIsUp


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Raise _TimeIsUp after so many seconds, where alarms can be set and nobody else set one."""
    main = threading.current_thread() is threading.main_thread()
    if not main or not hasattr(signal, "setitimer") or signal.getitimer(signal.ITIMER_REAL)[0]:
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        sys.setprofile(_stop)

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        sys.setprofile(None)
        signal.signal(signal.SIGALRM, before)
