"""Many games of one kind at once: every one goes a choice on in one call of the native engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import wasmtime
from numpy.typing import ArrayLike, NDArray

from interpreter.environments.arrays import Tensor, filled
from interpreter.environments.bounds import Unbounded
from interpreter.environments.numbering import Actions
from interpreter.environments.table import Rules
from interpreter.game.game import Illegal, State
from interpreter.game.kept_modules import instance_of
from interpreter.model.errors import InputError
from interpreter.model.values import Fault
from interpreter.native.batching import NAME, NOTHING, ROW
from interpreter.native.control import Decision
from interpreter.native.runtime import AskReference, Instance
from interpreter.native.values import NONE, NotLowered, decoded
from interpreter.native.wasm import PAGE
from rulelang import core
from rulelang.core.types import TRUTH, SetT

Whole: TypeAlias = NDArray[np.int64]
Truths: TypeAlias = NDArray[np.bool_]

MOST_GAMES = 1 << 16
_ROOM = 64  # options of a game that there is room for at first


class _Options(NamedTuple):
    """What may be chosen in all games: in which, by which actions, and the value it comes to."""

    game: Whole
    first: Whole
    second: Whole
    value: Whole


class Batch:
    """So many games, numbered from 0, each open at a decision or over.

    `player` is who decides in each, from 0, -1 where a game is over; `legal` is true where an
    action may be taken, a row for each game; `moves` are the choices made. A choice of a pair takes
    two actions: after the first the game waits for the second.
    """

    def __init__(self, rules: Rules, games: int, seed: int = 0) -> None:
        """Begin games with the seeds from `seed` on.

        Raises Unbounded where several members are chosen together, or players decide at once.
        """
        if isinstance(games, bool) or not isinstance(games, int) or not 0 < games <= MOST_GAMES:
            raise InputError(f"games is a whole number from 1 to {MOST_GAMES}, not {games!r}")
        self.rules, self.games = rules, games
        self._native = _instance(rules)
        self._decisions = self._native.game.decisions
        self._size = self._native.layout.size
        self._actions: list[dict[int, Actions]] = [{} for _ in self._decisions]  # by value
        self._chosen = PAGE * self._native.pages
        self._told = self._chosen + 8 * games
        self._slots = self._told + ROW * games
        self._options = self._slots + -(-self._size * games // 8) * 8
        self._end = self._chosen
        self._make_room(self._options + 8 * _ROOM * games)
        self.moves = np.zeros(games, np.int64)
        self.stopped: dict[int, str] = {}
        """Why games broke off, by their numbers; they stand as they did before."""
        self.player = np.full(games, NONE, np.int64)
        self.legal = np.zeros((games, rules.numbering.count), np.bool_)
        self._ended = np.zeros(games, np.int64)
        self._taken = np.full(games, NONE, np.int64)  # the first action of a pair
        self._listed = _Options(*(np.zeros(0, np.int64) for _ in range(4)))
        self.reset(range(games), seed)

    # ------------------------------------------------------------------------------- stepping
    @property
    def over(self) -> Truths:
        """Which games are over: by the rules, at the bound on choices, or broken off."""
        return np.asarray(self.player < 0)

    def reset(self, games: Sequence[int] | NDArray[np.int64], seed: int = 0) -> None:
        """Begin these games anew, with the seeds from `seed` on."""
        begun = [int(game) for game in games]
        if any(not 0 <= game < self.games for game in begun):
            raise InputError(f"games are numbered from 0 to {self.games - 1}")
        for number, game in enumerate(begun):
            self._native.start(seed + number)
            self._native.write(self._slots + game * self._size, self._native.state)
            self.stopped.pop(game, None)
        self.moves[begun], self._taken[begun] = 0, NONE
        self._step(np.full(self.games, NOTHING, np.int64))

    def step(self, actions: ArrayLike) -> None:
        """Take an action in each game, as `legal` has them; that of a game that is over is passed
        over.

        Raises Illegal naming the first that is not legal, and nothing has changed.
        """
        given = np.asarray(actions)
        if given.shape != (self.games,) or given.dtype.kind not in "iu":
            raise InputError(f"actions are {self.games} whole numbers, one for each game")
        taken = given.astype(np.int64)
        going = np.flatnonzero(~self.over)
        bad = (taken < 0) | (taken >= self.legal.shape[1])
        bad[going] |= ~self.legal[going, np.where(bad, 0, taken)[going]]
        if bad[going].any():
            self._refuse(int(going[bad[going]][0]), taken)
        values = np.full(self.games, NOTHING, np.int64)
        options, mine = self._listed, taken[self._listed.game]
        begun = self._taken[options.game]
        alone = (begun == NONE) & (options.first == mine)
        whole = (alone & (options.second == NONE)) | (
            (begun != NONE) & (options.first == begun) & (options.second == mine)
        )
        values[options.game[whole][::-1]] = options.value[whole][::-1]  # of equal ones the first
        halves = options.game[alone & ~whole]
        self._taken[going] = NONE
        self._taken[halves] = taken[halves]
        self.moves += values != NOTHING
        self._step(values)
        self.moves[[game for game in self.stopped if values[game] != NOTHING]] -= 1

    def _refuse(self, game: int, taken: Whole) -> None:
        numbering, action = self.rules.numbering, int(taken[game])
        known = f" ({numbering.said(action)})" if 0 <= action < numbering.count else ""
        legal = numbering.listed(np.flatnonzero(self.legal[game]).tolist())
        raise Illegal(f"action {action}{known} is not legal in game {game}; legal is {legal}")

    def _step(self, values: Whole) -> None:
        """Let each game go on with its value, and read how all of them stand then."""
        native = self._native
        native.write(self._chosen, values.tobytes())
        native.set("stepping", 0)
        native.set("listing", self._options)
        while (at := native.counter("stepping")) < self.games:
            try:
                native.ask(NAME, self._chosen, self._told, self._slots, self._end, self.games)
            except (Fault, AskReference) as why:
                self._break_off(native.counter("stepping"), str(why))
            else:
                if native.counter("stepping") == at:
                    self._make_room(self._end + (self._end - self._options))
        self._read()

    def _break_off(self, game: int, why: str) -> None:
        """Leave a game as it stood, over, and go on with the next."""
        self.stopped[game] = why
        self._native.write(self._told + ROW * game, bytes(ROW))
        self._native.set("stepping", game + 1)

    def _read(self) -> None:
        native = self._native
        told = np.frombuffer(native.read(self._told, ROW * self.games), np.int32)
        ended, point, player, count = told.reshape(-1, 4).astype(np.int64).T
        most = self.rules.game.rules_source.max_moves
        gone = (ended > 0) | (point == 0) | (self.moves >= most)
        gone[list(self.stopped)] = True
        self._ended = ended
        self.player = np.where(gone, NONE, player)
        values = np.frombuffer(native.read(self._options, 8 * int(count.sum())), np.int64)
        owner = np.repeat(np.arange(self.games), count)
        pairs = np.full((len(values), 2), NONE, np.int64)
        for number in np.unique(point[point > 0]):
            mine = point[owner] == number
            pairs[mine] = self._numbered(int(number) - 1, values[mine])
        left = ~gone[owner]
        self._listed = _Options(owner[left], pairs[left, 0], pairs[left, 1], values[left])
        begun = self._taken[self._listed.game]
        self.legal = np.zeros_like(self.legal)
        for mine, actions in (
            (begun == NONE, self._listed.first),
            ((begun != NONE) & (self._listed.first == begun), self._listed.second),
        ):
            self.legal[self._listed.game[mine], actions[mine]] = True

    def _numbered(self, place: int, values: Whole) -> Whole:
        """The two actions by which values are chosen at a decision, the second -1 where it takes
        one.
        """
        known, (found, back) = self._actions[place], np.unique(values, return_inverse=True)
        for value in found.tolist():
            if value not in known:
                known[value] = self._encoded(self._decisions[place], value)
        return np.array([known[value] for value in found.tolist()], np.int64).reshape(-1, 2)[back]

    def _encoded(self, decision: Decision, value: int) -> Actions:
        stmt, numbering = decision.stmt, self.rules.numbering
        match stmt:
            case core.Take(actions=names):
                found = numbering.encode_option("action", names[value], TRUTH)
            case core.May():
                found = numbering.encode_option("may", bool(value), TRUTH)
            case core.Choose(item=item):
                known = decoded(self.rules.game.setup, item, value)
                found = numbering.encode_option("one", known, item)
        if found is None or not 0 < len(found) <= 2:
            raise Unbounded(f"an option of {decision.name} is not one action or two")
        return (*found, NONE)[:2]

    def _make_room(self, end: int) -> None:
        """Let there be memory up to this place at least."""
        native, more = self._native, -(-(end - self._end) // PAGE)
        try:
            native.grow(more)
        except wasmtime.WasmtimeError as error:
            raise InputError(f"{self.games} games take more memory than there may be") from error
        self._end += more * PAGE

    # ------------------------------------------------------------------------------- looking
    def state(self, game: int) -> State:
        """How one game stands, without what led there; it is a state like any other."""
        raw = self._native.read(self._slots + game * self._size, self._size)
        made, layout = self._native.game, self._native.layout
        position, point = layout.decode(raw), layout.number(raw, layout.point)
        ended = layout.number(raw, layout.ended)
        position.ended = made.ends[ended - 1] if ended else None
        if point and not ended:
            position.stack = made.stacks.stack(raw, self._decisions[point - 1].standing)
        position.moves = int(self.moves[game])
        return State(self.rules.game, position)

    def rewards(self, game: int) -> list[float]:
        """What a game has paid each player: nothing before it is over by the rules."""
        if not self._ended[game]:
            return [0.0] * self.rules.game.players
        return self.rules.rewards(self.state(game))

    def observation(self, game: int, player: int) -> Tensor:
        """What a player knows in one game, as the environments give it."""
        begun = int(self._taken[game])
        taken = (begun,) if begun != NONE and player == self.player[game] else ()
        sparse = self.rules.layout.observation(self.state(game), player, taken)
        return filled(self.rules.layout.size, sparse)


def _instance(rules: Rules) -> Instance:
    """The module of a game whose options are one action each, chosen in turn."""
    title = rules.game.id
    try:
        found = instance_of(rules.game)
    except NotLowered as why:
        raise Unbounded(f"{title} is not played by the native engine: {why}") from why
    if not found.has(NAME):
        raise Unbounded(f"players of {title} decide at once, which is not stepped in batches")
    for decision in found.game.decisions:
        stmt = decision.stmt
        if isinstance(stmt, core.Choose) and (decision.several or isinstance(stmt.item, SetT)):
            raise Unbounded(f"in {title} several are chosen together as {decision.name}")
    return found
