"""Bots that answer in a process of their own, so that nobody waits for one who does not have to."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections import OrderedDict
from dataclasses import dataclass

from interpreter.bots.agents import BOTS, Agent
from interpreter.game.loading import RulesError
from interpreter.model.values import Fault
from interpreter.simulation.outcome import BotError, bots_move
from interpreter.studio.live import Broken, Live, Shelf, begun, row_of
from interpreter.studio.storage.store import Kept, Row
from interpreter.table.patience import patient

MOST_FOLLOWED = 600  # games a process keeps in memory


@dataclass(frozen=True)
class Job:
    """A choice that a bot is to make: in which game, as far as these rows, and how long it may
    think.
    """

    game: Kept
    rows: tuple[Row, ...]
    seat: int
    seconds: float


@dataclass(frozen=True)
class Answer:
    """What a bot chose, as a row; or why the game cannot go on."""

    row: Row | None
    undecided: str = ""


@dataclass
class _Followed:
    """A game that bots follow, and the bots that sit in it."""

    live: Live
    agents: dict[int, Agent]


class Player:
    """Plays the bots of many games, each followed in memory from one answer to the next."""

    def __init__(self) -> None:
        """It follows no game yet."""
        self._shelf = Shelf()
        self._games: OrderedDict[str, _Followed] = OrderedDict()

    def answer(self, job: Job) -> Answer:
        """A bot's choice; the game itself goes on where the choice is written."""
        compiled = self._shelf.of(job.game.settings)
        with compiled.lock:
            try:
                followed = self._followed(job)
                live = followed.live
                decision = live.decision(job.seat)
                if decision is None:
                    return Answer(None)
                agent = patient(followed.agents[job.seat], job.seconds)
                later = bots_move(agent, live.state, decision)
                assert later.choice is not None
                row = row_of(live.state, decision, later.choice.value)
            except (Fault, BotError, Broken, RulesError) as error:
                self._games.pop(job.game.id, None)
                return Answer(None, str(error))
        return Answer(Row(live.applied + 1, row.seat, row.how, row.name, row.value))

    def _followed(self, job: Job) -> _Followed:
        """The game as far as the rows of a job go."""
        found = self._games.get(job.game.id)
        last = job.rows[-1].number if job.rows else 0
        if found is None or found.live.applied > last:
            kept = job.game
            agents = {
                seat: BOTS[kind](kept.seed * 64 + seat)
                for seat, kind in enumerate(kept.kinds)
                if kind in BOTS
            }
            found = _Followed(begun(self._shelf.of(kept.settings).game, kept), agents)
        found.live.follow(row for row in job.rows if row.number > found.live.applied)
        self._games[job.game.id] = found
        self._games.move_to_end(job.game.id)
        while len(self._games) > MOST_FOLLOWED:
            self._games.popitem(last=False)
        return found


def end_with_parent() -> None:
    """End this process as soon as the one that began it is gone: nobody would ask it any more."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


_player: Player | None = None


def answer(job: Job) -> Answer:
    """A bot's choice, by the one player of this process."""
    global _player
    _player = _player or Player()
    return _player.answer(job)
