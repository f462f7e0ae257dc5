"""Bots that answer in a process of their own, so that nobody waits for one who does not have to."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections import OrderedDict
from dataclasses import dataclass

from interpreter.bots.agents import BOTS, Agent
from interpreter.game.gc_pause import served
from interpreter.game.loading import RulesError
from interpreter.model.values import Fault
from interpreter.simulation.outcome import BotError, bots_move
from interpreter.studio.confined import confined
from interpreter.studio.live import Broken, Compiled, Live, Shelf, begun, row_of
from interpreter.studio.storage.store import Kept, Row
from interpreter.table.patience import patient

NICE = 5
MOST_FOLLOWED = 600  # games a process keeps in memory


@dataclass(frozen=True)
class Job:
    """A choice that a bot is to make: in which game, as far as it is to be followed. `rows` are
    those behind `after`; the game itself is told with the first of them alone.
    """

    id: str
    seat: int
    after: int
    rows: tuple[Row, ...]
    game: Kept | None = None


@dataclass(frozen=True)
class Answer:
    """What a bot chose, as a row; or why the game cannot go on, or that this process follows it
    no more and is to be told all.
    """

    row: Row | None
    undecided: str = ""
    behind: bool = False


@dataclass
class _Followed:
    """A game that bots follow, and the bots that sit in it."""

    compiled: Compiled
    live: Live
    agents: dict[int, Agent]


class Player:
    """Plays the bots of many games, each followed in memory from one answer to the next."""

    def __init__(self, shelf: Shelf | None = None) -> None:
        """It follows no game yet; `shelf` has the rules that are compiled already."""
        self._shelf = shelf or Shelf()
        self._games: OrderedDict[str, _Followed] = OrderedDict()

    def answer(self, job: Job, seconds: float) -> Answer:
        """A bot's choice, made within so many seconds; the game itself goes on where the choice is
        written.
        """
        try:
            followed = self._followed(job)
        except (Fault, Broken, RulesError) as error:
            return Answer(None, str(error))
        if followed is None:
            return Answer(None, behind=True)
        with followed.compiled.lock.held():
            try:
                live = followed.live
                live.follow(row for row in job.rows if row.number > live.applied)
                decision = live.decision(job.seat)
                if decision is None:
                    return Answer(None)
                agent = patient(followed.agents[job.seat], seconds)
                later = bots_move(agent, live.state, decision)
                assert later.choice is not None
                row = row_of(live.state, decision, later.choice.value)
            except (Fault, BotError, Broken, RulesError) as error:
                self._games.pop(job.id, None)
                return Answer(None, str(error))
            except MemoryError:
                self._games.clear()
                return Answer(None, "a bot needs more memory than it may have")
        return Answer(Row(live.applied + 1, row.seat, row.how, row.name, row.value))

    def _followed(self, job: Job) -> _Followed | None:
        """The game of a job; none where rows are missing."""
        found = self._games.get(job.id)
        last = job.rows[-1].number if job.rows else job.after
        if found is None or not job.after <= found.live.applied <= last:
            if job.game is None:
                return None
            found = self._begun(job.game)
        self._games[job.id] = found
        self._games.move_to_end(job.id)
        while len(self._games) > MOST_FOLLOWED:
            self._games.popitem(last=False)
        return found

    def _begun(self, kept: Kept) -> _Followed:
        """A game before its first choice, with the bots that sit in it."""
        agents = {
            seat: BOTS[kind](kept.seed * 64 + seat)
            for seat, kind in enumerate(kept.kinds)
            if kind in BOTS
        }
        compiled = self._shelf.of(kept.settings)
        with compiled.lock.held():
            return _Followed(compiled, begun(compiled.game, kept), agents)


_player: Player | None = None  # of this process


def beside(shelf: Shelf | None = None) -> None:
    """Play bots in this process, with the rules that are compiled already; stand back behind those
    that people wait for, hold so much memory at most, and end as soon as the process that began
    this one is gone.
    """
    global _player
    _player = Player(shelf)
    served()
    confined()
    if hasattr(os, "nice"):
        os.nice(NICE)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def ready() -> None:
    """Nothing: whoever asks for it finds the process begun."""


def answer(job: Job, seconds: float) -> Answer:
    """A bot's choice, by the one player of this process."""
    global _player
    _player = _player or Player()
    return _player.answer(job, seconds)
