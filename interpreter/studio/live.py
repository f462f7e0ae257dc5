"""Games in memory: states played again from rows, and gone on with row by row."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

from interpreter.engine.decisions import Decision
from interpreter.game.game import Game, Illegal, State, game_of
from interpreter.game.loading import RulesError, load_rules
from interpreter.model.errors import RulelangError
from interpreter.model.values import Fault
from interpreter.studio.precedence import Turns
from interpreter.studio.refused import Refused
from interpreter.studio.storage.store import Kept, Row, Settings
from interpreter.table.menu import only_several
from rulelang.core.values import Json

CHOSEN, FORCED, UNDO = "chosen", "forced", "undo"
MOST_COMPILED = 12  # games whose rules are kept compiled


class Broken(Exception):
    """A game that cannot be played again from its rows; says why."""


@dataclass
class Live:
    """A game as far as its rows have been followed."""

    state: State
    course: list[Row] = field(default_factory=list)  # the choices that led to the state
    applied: int = 0  # the number of the last row
    rows: Counter[int] = field(default_factory=Counter)  # how many each seat wrote
    undone: int = 0  # how often choices were taken back
    history: list[Row] = field(default_factory=list)  # every row

    def follow(self, rows: Iterable[Row]) -> None:
        """Go on by rows in order; raises Broken."""
        for row in rows:
            if row.number != self.applied + 1:
                raise Broken(f"choice {self.applied + 1} is missing")
            try:
                self.take(row, self.after(row))
            except (Illegal, Fault) as error:
                raise Broken(f"choice {row.number} cannot be made again: {error}") from error

    def after(self, row: Row) -> State:
        """The state after a row; raises Illegal or Fault."""
        if row.how == UNDO:
            return self.before(int(str(row.value)))
        return self.state.choose(self.state.option(row.seat, row.name, row.value))

    def before(self, choices: int) -> State:
        """The state so many choices ago; raises Illegal where one showed something new."""
        state = self.state
        for _ in range(choices):
            state = state.undo()
        return state

    def take(self, row: Row, later: State) -> None:
        """Be at the state that a row led to."""
        if row.how == UNDO:
            del self.course[len(self.course) - int(str(row.value)) :]
            self.undone += 1
        else:
            self.course.append(row)
        self.state, self.applied = later, row.number
        self.history.append(row)
        self.rows[row.seat] += 1

    def key(self, seat: int) -> str:
        """Which question a seat is asked: another one after each choice of its own, and after each
        that was taken back.
        """
        return f"{self.rows[seat]}.{self.undone}"

    def decision(self, seat: int) -> Decision | None:
        """What a seat is to decide now; none if nothing."""
        return next((d for d in self.state.decisions if d.player == seat), None)

    def undo(self, seat: int, people: Iterable[int]) -> tuple[int, State]:
        """How many choices are taken back to where a seat chose last, and the state then.

        Raises Illegal where one of them showed something new, another person has chosen since, or
        the game is over, for then everybody was shown how all stand.
        """
        if self.state.over:
            raise Illegal("the game is over")
        others, state = set(people) - {seat}, self.state
        for count, row in enumerate(reversed(self.course), 1):
            if row.how == CHOSEN and row.seat in others:
                raise Illegal(f"player {row.seat + 1} has chosen since")
            state = state.undo()
            if row.how == CHOSEN and row.seat == seat:
                return count, state
        raise Illegal("there is nothing of yours to take back")


def forced(decision: Decision, state: State) -> Row | None:
    """The only choice somebody has, as a row without its number; none if there are others.

    Raises Fault where there is none at all.
    """
    if decision.spec.mode in ("some", "order"):
        if (why := decision.dead_end()) is not None:
            raise Fault(why)
        only = only_several(state, decision)
    else:
        found = list(islice(decision.options(), 2))
        if not found:
            raise Fault(decision.dead_end() or "nothing can be chosen")
        only = found[0] if len(found) == 1 else None
    return row_of(state, decision, only.value, FORCED) if only is not None else None


def row_of(state: State, decision: Decision, value: object, how: str = CHOSEN) -> Row:
    """A choice as a row without its number."""
    from interpreter.game.views import option_data

    data: Json = option_data(state, decision.spec, value)  # type: ignore[arg-type]  # of options
    return Row(0, decision.player, how, decision.name, data)


class Compiled:
    """A game that is compiled when first used, and the lock that keeps one thread at a time in its
    evaluators.
    """

    def __init__(self, settings: Settings) -> None:
        """Nothing is compiled yet."""
        self.settings, self.lock = settings, Turns()

    @cached_property
    def game(self) -> Game:
        """The game, asked for under the lock; raises RulesError."""
        return compiled(self.settings)


class Shelf:
    """The compiled games of a process, those last used kept."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, Compiled] = OrderedDict()
        self._lock = threading.Lock()

    def prepare(self, settings: Iterable[Settings]) -> None:
        """Compile the games of these settings; what is wrong with one is told to who plays it."""
        for some in settings:
            with suppress(RulelangError, OSError):
                _ = self.of(some).game

    def of(self, settings: Settings) -> Compiled:
        """The game of these settings, perhaps not compiled yet."""
        with self._lock:
            found = self._games.setdefault(settings.key, Compiled(settings))
            self._games.move_to_end(settings.key)
            while len(self._games) > MOST_COMPILED:
                self._games.popitem(last=False)
            return found


def compiled(settings: Settings) -> Game:
    """The game of these settings; raises RulesError, also for a single card that is wrong."""
    added = list(settings.added.items())
    loaded = load_rules(settings.rules, settings.variants, added, tests=False)
    if loaded.compiled.report.errors:
        raise RulesError(list(loaded.compiled.report.errors), loaded.sources)
    return game_of(loaded, settings.players, settings.variants, dict(settings.options))


def try_start(game: Callable[[], Game]) -> None:
    """Begin a game on trial; raises Refused where the rules forbid it, or break off."""
    try:
        game().start(0)
    except RulesError as error:
        raise Refused(
            "the rules do not take these settings",
            tuple(dict.fromkeys(item.message for item in error.found[:5])),
        ) from error
    except Fault as error:
        raise Refused(f"the rules break off at the start: {error}") from error


def begun(game: Game, kept: Kept) -> Live:
    """A kept game before its first choice; raises Broken if the rules are others by now."""
    if game.loaded.rules_hash != kept.rules_hash:
        raise Broken("it was begun with another version of the rules")
    return Live(game.start(kept.seed))
