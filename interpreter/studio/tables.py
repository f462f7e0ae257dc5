"""The tables: the one place where games begin, choices are written and people speak.

Each question is asked of what the rows say now, whichever process wrote them. What is refused
leaves everything as it was.
"""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice

from interpreter.game.game import Illegal
from interpreter.game.loading import RulesError
from interpreter.model.values import Fault
from interpreter.studio.bots import Answer, Job
from interpreter.studio.live import (
    CHOSEN,
    UNDO,
    Broken,
    Compiled,
    Live,
    Shelf,
    begun,
    forced,
    try_start,
)
from interpreter.studio.refused import Refused
from interpreter.studio.storage.store import (
    PERSON,
    Kept,
    Row,
    Said,
    Settings,
    Store,
    Taken,
)
from rulelang.core.values import Json

MOST_GAMES = 2_000  # that are open at once
MOST_LIVE = 600  # that are kept in memory
MOST_ROWS = 20_000  # of one game
MOST_CHAT = 2_000  # lines of one game
CHAT_SHOWN = 100  # lines of chat that are shown
LONGEST_SAID = 500  # letters of a line of chat
_TRIES = 8  # how often a number is sought that no other process took
_SEEDS = 2**62  # too many to be tried out


class Unknown(Exception):
    """There is no such game."""


@dataclass(frozen=True)
class Table:
    """A game in memory, held by its own lock and that of its rules."""

    kept: Kept
    live: Live
    compiled: Compiled
    said: int  # lines of chat
    urgent: bool  # does somebody wait who chooses?


@dataclass
class _Held:
    """What is remembered of a game: its lock, what never changes of it, how far it was played, how
    much was said, and how far bots were told of it.
    """

    kept: Kept
    lock: threading.Lock = field(default_factory=threading.Lock)
    live: Live | None = None
    said: tuple[Said, ...] = ()
    told: int | None = None  # the last row that bots were told of; none, not even the game


@dataclass(frozen=True)
class Change:
    """What happened to a game: might bots have to answer, and what, if that is known already."""

    answered: bool = False
    job: Job | None = None


Wake = Callable[[str, Change], None]


class Tables:
    """All games of a database; `wake` is told the id of each that changes."""

    def __init__(
        self, store: Store, wake: Wake = lambda game, change: None, shelf: Shelf | None = None
    ) -> None:
        """No game is in memory yet; `shelf` has the rules that are compiled already."""
        self.store, self.wake, self.shelf = store, wake, shelf or Shelf()
        self._held: OrderedDict[str, _Held] = OrderedDict()
        self._lock = threading.Lock()

    # ------------------------------------------------------------------------------- beginning
    def begin(self, settings: Settings, kinds: tuple[str, ...]) -> Kept:
        """A new game, kept; raises Refused where the rules or bounds forbid it."""
        if PERSON not in kinds:
            raise Refused("give at least one seat to a person")
        if self.store.open_games() >= MOST_GAMES:
            raise Refused("too many games are open here; finish one, or try again later")
        compiled = self.shelf.of(settings)
        with compiled.lock.held():
            try_start(lambda: compiled.game)
        kept = Kept(
            secrets.token_urlsafe(9),
            settings,
            compiled.game.loaded.rules_hash,
            secrets.randbelow(_SEEDS),
            kinds,
        )
        self.store.open_game(kept)
        return kept

    # --------------------------------------------------------------------------------- looking
    @contextmanager
    def at(self, id: str, urgent: bool = False) -> Iterator[Table]:
        """A game as its rows say it is, while nobody else in this process uses its rules; `urgent`,
        ahead of those who only look or wait for bots.

        Raises Unknown, Broken, or Gone.
        """
        held = self._of(id)
        with held.lock:
            standing = self.store.standing(id, held.live.applied if held.live is not None else 0)
            if standing is None:
                raise Unknown(id)
            kept = replace(held.kept, over=standing.over, undecided=standing.undecided)
            compiled = self.shelf.of(kept.settings)
            with compiled.lock.held(urgent):
                try:
                    live = held.live or begun(compiled.game, kept)
                except RulesError as error:
                    raise Broken("its rules cannot be read any more") from error
                live.follow(standing.rows)
                held.live = live
                yield Table(kept, live, compiled, standing.said, urgent)

    def _of(self, id: str) -> _Held:
        """What is remembered of a game; raises Unknown."""
        with self._lock:
            held = self._held.get(id)
            if held is not None:
                self._held.move_to_end(id)
                return held
        kept = self.store.game(id)
        if kept is None:
            raise Unknown(id)
        with self._lock:
            held = self._held.setdefault(id, _Held(kept))
            for old in list(islice(self._held, max(len(self._held) - MOST_LIVE, 0))):
                if not self._held[old].lock.locked():
                    del self._held[old]
            return held

    def chat(self, id: str, said: int) -> tuple[Said, ...]:
        """The last lines of a game's chat, of which there are so many."""
        held = self._of(id)
        if said != (held.said[-1].number if held.said else 0):
            held.said = tuple(self.store.chat(id, CHAT_SHOWN))
        return held.said

    def known(self, id: str) -> tuple[int, int]:
        """As far as this process knows, the numbers of a game's last choice and line of chat."""
        with self._lock:
            held = self._held.get(id)
        if held is None:
            return 0, 0
        number = held.live.applied if held.live is not None else 0
        return number, held.said[-1].number if held.said else 0

    # -------------------------------------------------------------------------------- choosing
    def choose(self, id: str, seat: int, key: str, name: str, value: Json) -> None:
        """Make a choice of a seat that was asked by this key; raises Refused."""
        for _ in range(_TRIES):
            with self.at(id, urgent=True) as table:
                self._check(table, seat, key)
                row = Row(table.live.applied + 1, seat, CHOSEN, name, value)
                if self._written(table, row):
                    self.wake(id, Change(True, self._advanced(table)))
                    return
        raise Refused("the server is busy; try again")

    def _check(self, table: Table, seat: int, key: str) -> None:
        """Raises Refused unless a seat is asked this now."""
        if table.kept.undecided:
            raise Refused(f"the game is not decided: {table.kept.undecided}")
        if table.live.state.over:
            raise Refused("the game is over")
        if table.live.key(seat) != key:
            raise Refused("that was asked before, and is answered already; this is how it stands")
        if table.live.decision(seat) is None:
            raise Refused("you are not asked for anything now")
        if table.live.applied >= MOST_ROWS:
            raise Refused(f"a game takes at most {MOST_ROWS} choices here")

    def _written(self, table: Table, row: Row) -> bool:
        """Write a choice that is legal, unless another process was quicker; raises Refused."""
        live = table.live
        try:
            later = live.after(row)
        except Illegal as error:
            raise Refused(str(error), tuple(map(str, error.reasons))) from error
        except Fault as error:
            raise Refused(f"the rules break off there: {error}") from error
        return self._put(table, row, lambda: live.take(row, later))

    def _put(self, table: Table, row: Row, then: Callable[[], None]) -> bool:
        id = table.kept.id
        try:
            # others use the rules while the row is written
            with table.compiled.lock.left(table.urgent):
                self.store.add_choice(id, row)
        except Taken:
            return False
        then()
        if table.live.state.over:
            self.store.close(id)
        return True

    def undo(self, id: str, seat: int) -> None:
        """Take a seat's last choice back, with what bots did since; raises Refused."""
        for _ in range(_TRIES):
            with self.at(id, urgent=True) as table:
                live = table.live
                try:
                    count, before = live.undo(seat, table.kept.people)
                except Illegal as error:
                    raise Refused(f"that cannot be taken back: {error}") from error
                if live.applied >= MOST_ROWS:
                    raise Refused(f"a game takes at most {MOST_ROWS} choices here")
                row = Row(live.applied + 1, seat, UNDO, "", count)
                if self._put(table, row, lambda t=live, r=row, b=before: t.take(r, b)):  # type: ignore[misc]  # bound now
                    self.wake(id, Change(True))
                    return
        raise Refused("the server is busy; try again")

    # ------------------------------------------------------------------------------------ bots
    def advance(self, id: str, whole: bool = False) -> Job | None:
        """Make the choices in which people have none, and give what a bot is to answer next;
        `whole`, with all that bots need to know of the game.
        """
        with self.at(id) as table:
            return self._advanced(table, whole)

    def _advanced(self, table: Table, whole: bool = False) -> Job | None:
        kept, live = table.kept, table.live
        if live.state.over or kept.undecided:
            return None
        before = live.applied
        try:
            row = self._settle(table)
        except Fault as fault:
            self._break_off(kept.id, str(fault))
            return None
        if live.applied != before:
            self.wake(kept.id, Change())
        return self._job(table, row.seat, whole) if row is not None else None

    def _job(self, table: Table, seat: int, whole: bool) -> Job:
        """What bots are to be told to answer for a seat."""
        held, live = self._of(table.kept.id), table.live
        told, held.told = held.told, live.applied
        if told is None or whole:
            return Job(table.kept.id, seat, 0, tuple(live.history), table.kept)
        return Job(table.kept.id, seat, told, tuple(live.history[told:]))

    def _settle(self, table: Table) -> Row | None:
        """Make the choices in which people have none; gives the next of a bot's, still open.

        Raises Fault where nothing can be chosen.
        """
        live = table.live
        while not live.state.over:
            row = self._next(table)
            if row is None or table.kept.kinds[row.seat] != PERSON:
                return row
            if not self._written(table, row):
                live.follow(self.store.choices(table.kept.id, live.applied))
        return None

    def _next(self, table: Table) -> Row | None:
        """The next choice that waits for nobody: a bot's (still open), or a forced one."""
        live, decisions = table.live, table.live.state.decisions
        if not decisions:
            raise Fault("nobody has anything to decide and the game is not over")
        if live.state.moves >= live.state.game.rules_source.max_moves:
            raise Fault("the game has reached its bound of moves")
        for decision in decisions:
            if table.kept.kinds[decision.player] != PERSON:
                return Row(0, decision.player, CHOSEN, decision.name, None)
        for decision in decisions:
            only = forced(decision, live.state)
            if only is not None:
                return replace(only, number=live.applied + 1)
        return None

    def answered(self, id: str, answer: Answer) -> Job | None:
        """Write what a bot chose, unless the game has gone on otherwise, and give what a bot is to
        answer next.
        """
        if answer.row is None:
            if answer.undecided:
                self._break_off(id, answer.undecided)
            return self.advance(id, whole=True) if answer.behind else None
        with self.at(id) as table:
            if table.live.applied + 1 == answer.row.number:
                try:
                    if not self._written(table, answer.row):
                        table.live.follow(self.store.choices(id, table.live.applied))
                except Refused as error:
                    self._break_off(id, f"a bot chose what cannot be: {error}")
                    return None
                self.wake(id, Change())
            return self._advanced(table)

    def _break_off(self, id: str, why: str) -> None:
        self.store.close(id, why or "the rules broke off")
        self.wake(id, Change())

    # ------------------------------------------------------------------------------------ chat
    def say(self, id: str, seat: int, text: str) -> None:
        """Say a line at a table; raises Refused."""
        said = " ".join("".join(c if c.isprintable() else " " for c in text).split())
        if not said:
            raise Refused("there is nothing to say")
        if len(said) > LONGEST_SAID:
            raise Refused(f"say it in {LONGEST_SAID} letters at most")
        for _ in range(_TRIES):
            last = self.store.latest([id])[id][1]
            if last >= MOST_CHAT:
                raise Refused(f"a table takes at most {MOST_CHAT} lines")
            try:
                self.store.add_chat(id, Said(last + 1, seat, said))
            except Taken:
                continue
            self.wake(id, Change())
            return
        raise Refused("the server is busy; try again")
