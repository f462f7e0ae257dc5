"""Many games of one kind at once: every one goes a choice on in one call of the native engine."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import wasmtime
from numpy.typing import ArrayLike, NDArray

from interpreter.engine.decisions import Option
from interpreter.environments.arrays import Tensor, filled
from interpreter.environments.bounds import Unbounded
from interpreter.environments.coding import NO_ROWS, Coding, Rows, Whole, joined
from interpreter.environments.factors import Open, Several, plain
from interpreter.environments.referring import NOBODY, Referring
from interpreter.environments.table import Rules
from interpreter.environments.uncovered import Uncovered
from interpreter.game.game import Illegal, State
from interpreter.game.kept_modules import instance_of
from interpreter.model.errors import InputError
from interpreter.model.values import Fault
from interpreter.native.batching import ASKED, NAME, NOTHING, TOLD, TOLD_SIZE, asked_size
from interpreter.native.control import Decision
from interpreter.native.positions import Positions
from interpreter.native.runtime import AskReference, Instance
from interpreter.native.values import NONE, NotLowered
from interpreter.native.wasm import PAGE
from rulelang import core
from rulelang.core.types import PieceT
from rulelang.core.values import Value, numbers

Truths: TypeAlias = NDArray[np.bool_]
Told: TypeAlias = NDArray[np.void]

MOST_GAMES = 1 << 16
_ROOM = 64  # options of a game that there is room for at first
_NO_OPTION = "nothing can be chosen, or nothing within the bound on numbers"
_ELSEWHERE = "a player decides in another's place"


class _Listed(NamedTuple):
    """What may still be chosen of options that are listed: in which game, by which actions, and the
    number it is.
    """

    game: Whole
    rows: Rows
    value: Whole

    def kept(self, which: Whole) -> _Listed:
        """Some of them."""
        return _Listed(self.game[which], self.rows.chosen(which), self.value[which])


_NOTHING = _Listed(np.zeros(0, np.int64), NO_ROWS, np.zeros(0, np.int64))


def _all_of(parts: Sequence[_Listed]) -> _Listed:
    """All that is listed in any of the parts."""
    if len(parts) < 2:
        return parts[0] if parts else _NOTHING
    return _Listed(
        np.concatenate([part.game for part in parts]),
        joined([part.rows for part in parts]),
        np.concatenate([part.value for part in parts]),
    )


class Batch:
    """So many games, numbered from 0, each open at a decision or over.

    `player` is who decides in each, from 0, -1 where a game is over; `legal` is true where an
    action may be taken, a row for each game; `moves` are the choices made. A choice of several
    parts or members takes as many actions: after each the game waits for the next. Players who
    decide at once are asked in turn, in the order of seats, and none observes what another chose.
    """

    def __init__(self, rules: Rules, games: int, seed: int = 0) -> None:
        """Begin games with the seeds from `seed` on.

        Raises Unbounded where the native engine does not play the game, or members are chosen
        together that take several actions each.
        """
        if isinstance(games, bool) or not isinstance(games, int) or not 0 < games <= MOST_GAMES:
            raise InputError(f"games is a whole number from 1 to {MOST_GAMES}, not {games!r}")
        self.rules, self.games = rules, games
        self._native = _instance(rules)
        made, players = self._native.game, rules.game.players
        self._positions, self._uncovered = Positions(made), Uncovered(rules.game.setup, made.layout)
        self._codings = [Coding(rules, decision) for decision in made.decisions]
        self._referring = Referring(rules, self._native)
        self._branches = players if made.partings else 0
        self._size = self._native.layout.size * (1 + self._branches)
        self._asked = asked_size(made.decisions)
        self._rows = PAGE * self._native.pages
        self._told = self._rows + self._asked * games
        self._slots = self._told + TOLD_SIZE * games
        self._options = self._slots + -(-self._size * games // 8) * 8
        self._end = self._rows
        self._make_room(self._options + 8 * _ROOM * games)
        self.moves = np.zeros(games, np.int64)
        self.stopped: dict[int, str] = {}
        """Why games broke off, by their numbers; they stand as they did before."""
        self.player = np.full(games, NONE, np.int64)
        self.legal: Truths = np.zeros((games, rules.numbering.count), np.bool_)
        self._ended, self._seats, self._taken = (np.zeros(games, np.int64) for _ in range(3))
        self._said = np.zeros((games, 4), np.int64)  # the actions of moves under way
        self._said_by = np.zeros((games, 4), np.int64)
        self._count = np.zeros(games, np.int64)
        self._listed = _NOTHING
        self._open: dict[int, Open] = {}  # what is chosen action by action outside the engine
        self._kept: dict[int, State] = {}  # games that the engine has left to the reference
        self._learned: dict[int, bool] = {}  # has the last choice shown something, in those
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
            self._open.pop(game, None)
            self._kept.pop(game, None)
        which = np.unique(np.array(begun, np.int64))
        self.moves[which], self._count[which] = 0, 0
        self._step(which, np.full(len(which), NOTHING, np.int64), {})
        self._offer()

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
        self._say(going, taken)
        values, beside = self._chosen(going, taken)
        asked = np.flatnonzero(values != NOTHING)
        before, known = self.player[asked], self._uncovered.seen(self._standing(), asked)
        alone = self._seats[asked] == 0
        self.moves[asked] += 1
        told = self._step(asked, values[asked], beside)
        learned = told["learned"] > 0
        learned |= alone & self._uncovered.since(known, self._standing(), asked, before)
        for row in np.flatnonzero(np.isin(asked, list(self._learned))).tolist():
            learned[row] = self._learned[int(asked[row])]
        again = np.where(
            self._seats[asked] > 0, self._seats[asked] >> before & 1, self.player[asked] == before
        )
        under_way = (told["committed"] > 0) | ((again > 0) & ~learned)
        self._count[asked[~under_way]] = 0
        self.moves[[game for game in asked.tolist() if game in self.stopped]] -= 1
        self._offer()

    def _refuse(self, game: int, taken: Whole) -> None:
        numbering, action = self.rules.numbering, int(taken[game])
        known = f" ({numbering.said(action)})" if 0 <= action < numbering.count else ""
        legal = numbering.listed(np.flatnonzero(self.legal[game]).tolist())
        raise Illegal(f"action {action}{known} is not legal in game {game}; legal is {legal}")

    def _say(self, going: Whole, taken: Whole) -> None:
        """Note the actions that players take, until their moves are over."""
        if self._count[going].max(initial=0) == self._said.shape[1]:
            self._said, self._said_by = (
                np.hstack([rows, np.zeros_like(rows)]) for rows in (self._said, self._said_by)
            )
        self._said[going, self._count[going]] = taken[going]
        self._said_by[going, self._count[going]] = self.player[going]
        self._count[going] += 1

    def _chosen(self, going: Whole, taken: Whole) -> tuple[Whole, dict[int, bytes | Option]]:
        """What is chosen in each game, as the engine takes it, and beside it the members that are
        chosen together, or the option of the reference; nothing where more actions are needed.
        """
        values = np.full(self.games, NOTHING, np.int64)
        listed, beside = self._listed, dict[int, bytes | Option]()
        rows = listed.rows
        left = np.flatnonzero(
            rows.actions[rows.first + self._taken[listed.game]] == taken[listed.game]
        )
        game = listed.game[left]
        first = np.full(self.games, NONE, np.int64)
        first[game[::-1]] = left[::-1]  # of equal ones the first
        met = np.flatnonzero(first >= 0)
        self._taken[going] += 1
        whole = met[rows.length[first[met]] == self._taken[met]]
        values[whole] = listed.value[first[whole]]
        self._listed = listed.kept(left[values[game] == NOTHING])
        for number, opened in list(self._open.items()):
            found = opened.after(int(taken[number]))
            if not isinstance(found, Option):
                self._open[number] = found
                continue
            values[number] = 0
            size = self._asked - 8 * len(ASKED)
            beside[number] = found if number in self._kept else _members(found.value, size)
            del self._open[number]
        return values, beside

    def _step(self, games: Whole, values: Whole, beside: Mapping[int, bytes | Option]) -> Told:
        """Let games go on, each with its value; gives what is told of them then."""
        told = np.zeros(len(games), np.dtype([*TOLD]))
        rows = np.zeros((len(games), self._asked // 8), np.int64)
        rows[:, 0], rows[:, 1] = games, values
        by_engine = np.ones(len(games), np.bool_)
        self._learned.clear()
        for row, game in enumerate(games.tolist() if beside else ()):
            chosen = beside.get(game)
            if isinstance(chosen, bytes):
                rows[row, len(ASKED) :] = np.frombuffer(chosen, np.int64)
            elif chosen is not None:
                by_engine[row], rows[row, 1] = self._go_on(game, chosen, told[row]), NOTHING
        asked = np.flatnonzero(by_engine)
        told[asked], left = self._ask(rows[asked])
        for row in asked[left].tolist():
            self._refer(int(games[row]), rows[row, 1] != NOTHING, told[row])
        self._taken[games] = 0
        self._read(games, told)
        return told

    def _ask(self, rows: Whole) -> tuple[Told, list[int]]:
        """Let the engine step games; gives what is told of them, and the rows of those of which it
        cannot say what happens.
        """
        native, left = self._native, list[int]()
        native.write(self._rows, rows.tobytes())
        native.set("stepping", 0)
        native.set("listing", self._options)
        while (at := native.counter("stepping")) < len(rows):
            try:
                native.ask(NAME, self._rows, self._told, self._slots, self._end, len(rows))
            except (Fault, AskReference) as why:
                at = native.counter("stepping")
                if isinstance(why, Fault):
                    self.stopped[int(rows[at, 0])] = str(why)
                else:
                    left.append(at)
                native.write(self._told + TOLD_SIZE * at, bytes(TOLD_SIZE))
                native.set("stepping", at + 1)
            else:
                if native.counter("stepping") == at:
                    self._make_room(self._end + (self._end - self._options))
        told = native.read(self._told, TOLD_SIZE * len(rows))
        return np.frombuffer(told, np.dtype([*TOLD])), left

    # ------------------------------------------------------------------------------- referring
    def _refer(self, game: int, chosen: bool, told: np.void) -> None:
        """Let the reference go on with a game by the last actions, or say how it stands."""
        moves, count = int(self.moves[game]), int(self._count[game])
        actions = self._said[game, count - int(self._taken[game]) : count].tolist()
        try:
            state = self._state(game, moves - chosen)
            if chosen:
                state = self._after(game, state, self._referring.option(state, actions))
            self._keep(game, state, told)
        except (Fault, Illegal, Unbounded) as why:
            self.stopped[game] = str(why)

    def _go_on(self, game: int, option: Option, told: np.void) -> bool:
        """Make a choice by the reference; does the engine go on with the game?"""
        try:
            state = self._after(game, self._kept[game], option)
            raw = None if state.over else self._referring.entered(state)
            if raw is None:
                self._keep(game, state, told)
                return False
        except (Fault, Illegal, Unbounded) as why:
            self.stopped[game] = str(why)
            return False
        self._native.write(self._slots + game * self._size, raw)
        del self._kept[game]
        return True

    def _after(self, game: int, state: State, option: Option) -> State:
        later = state.choose(option)
        later.parent = None
        self._learned[game] = later.position.learned
        return later

    def _keep(self, game: int, state: State, told: np.void) -> None:
        """Let a game stand where the reference has it, and tell how."""
        if not state.over:
            self._open[game] = self._referring.opened(state)
            told["player"] = state.specs[0].player
            told["seats"] = sum(1 << s.seat for s in state.specs if s.seat is not None)
            told["committed"] = any(state.position.commits.values())
        told["ended"] = state.over
        self._kept[game] = state

    # ------------------------------------------------------------------------------- reading

    def _read(self, games: Whole, told: Told) -> None:
        """Take in how games stand, and what may be chosen in them."""
        most = self.rules.game.rules_source.max_moves
        self._ended[games] = told["ended"]
        self._seats[games] = told["seats"]
        seats, player = self._seats[games], told["player"].astype(np.int64)
        going = (told["ended"] == 0) & (self.moves[games] < most)
        going &= ~np.isin(games, list(self.stopped))
        self._stop(games[going & (player < 0)], NOBODY)
        self._stop(games[going & (seats > 0) & (seats & -seats != 1 << (player & 63))], _ELSEWHERE)
        going &= ~np.isin(games, list(self.stopped))
        self.player[games] = np.where(going, player, NONE)
        self._list(games, told, np.flatnonzero(going))

    def _stop(self, games: Whole, why: str) -> None:
        self.stopped.update(dict.fromkeys(games.tolist(), why))

    def _list(self, games: Whole, told: Told, going: Whole) -> None:
        """Keep what may be chosen in games that go on."""
        count, words = (told[name].astype(np.int64) for name in ("count", "words"))
        sizes = count * (1 + words)
        begin = np.cumsum(sizes) - sizes
        flat = np.frombuffer(self._native.read(self._options, 8 * int(sizes.sum())), np.int64)
        asked = np.zeros(self.games, np.bool_)
        asked[games] = True
        others = np.flatnonzero(~asked[self._listed.game])
        parts = [self._listed.kept(others)] if len(others) else []
        for point in np.unique(told["point"][going[count[going] > 0]]).tolist():
            rows = going[told["point"][going] == point]
            coding = self._codings[point - 1]
            if coding.decision.several:
                for row in rows.tolist():
                    options = flat[begin[row] : begin[row] + count[row]]
                    self._open_several(int(games[row]), coding, options, told[row])
                continue
            owner, at = _spread(rows, begin[rows], count[rows])
            values = flat[at]
            if coding.decision.sets:
                width = int(words[rows[0]])
                at = (begin + count)[owner] + (at - begin[owner]) * width
                found = coding.of_sets(flat[at[:, None] + np.arange(width)])
            else:
                found = coding.of_numbers(values)
            mine = _Listed(games[owner], found, values)
            parts.append(mine if found.length.all() else mine.kept(np.flatnonzero(found.length)))
        self._listed = _all_of(parts)

    def _open_several(self, game: int, coding: Coding, options: Whole, told: np.void) -> None:
        """A choice of several members that is begun."""
        decision, numbers = coding.decision, options.tolist()
        alike = numbers
        if isinstance(decision.stmt, core.Choose) and isinstance(decision.stmt.item, PieceT):
            alike = self._uncovered.alike(self._raw(game), numbers)
        ranks: dict[object, int] = {}
        members: list[tuple[int, int]] = []
        first: list[int] = []
        for number, same in zip(numbers, alike, strict=True):
            action = coding.member(number)
            if action >= 0:
                first.append(ranks.setdefault(same, len(members)))
                members.append((action, number))
        low, high = int(told["low"]), int(told["high"])
        done = None if decision.ordered else coding.done
        option = Option(int(told["player"]), decision.name, None)
        self._open[game] = Several(option, tuple(members), tuple(first), low, high, done)

    def _offer(self) -> None:
        """Say what is legal in each game; one in which nothing is breaks off."""
        listed, rows = self._listed, self._listed.rows
        self.legal = np.zeros_like(self.legal)
        self.legal[listed.game, rows.actions[rows.first + self._taken[listed.game]]] = True
        for game, opened in self._open.items():
            self.legal[game, opened.legal()] = True
        dead = np.flatnonzero(~self.over)
        dead = dead[~self.legal[dead].any(axis=1)]
        self._stop(dead, _NO_OPTION)
        self.player[dead] = NONE
        for game in dead.tolist():
            self._open.pop(game, None)

    def _make_room(self, end: int) -> None:
        """Let there be memory up to this place at least."""
        native, more = self._native, -(-(end - self._end) // PAGE)
        try:
            native.grow(more)
        except wasmtime.WasmtimeError as error:
            raise InputError(f"{self.games} games take more memory than there may be") from error
        self._end += more * PAGE

    # ------------------------------------------------------------------------------- looking
    def _standing(self) -> NDArray[np.uint8]:
        """The bytes of all games where they stand."""
        whole = self._native.view(self._slots, self._size * self.games)
        return np.frombuffer(whole, np.uint8).reshape(self.games, self._size)

    def _raw(self, game: int) -> bytes:
        """The bytes of a state in which somebody decides: of the first branch that is open."""
        size, seats = self._native.layout.size, int(self._seats[game])
        branch = (seats & -seats).bit_length()
        return self._native.read(self._slots + game * self._size + branch * size, size)

    def state(self, game: int) -> State:
        """How one game stands, without what led there; it is a state like any other."""
        kept = self._kept.get(game)
        return self._state(game, int(self.moves[game])) if kept is None else kept

    def _state(self, game: int, moves: int) -> State:
        """What stands in the engine, after so many choices."""
        size = self._native.layout.size
        whole = self._native.read(self._slots + game * self._size, self._size)
        common, *branches = (whole[at : at + size] for at in range(0, len(whole), size))
        position = self._positions.read(common, branches)
        position.moves = moves
        return State(self.rules.game, position)

    def rewards(self, game: int) -> list[float]:
        """What a game has paid each player: nothing before it is over by the rules."""
        if not self._ended[game]:
            return [0.0] * self.rules.game.players
        return self.rules.rewards(self.state(game))

    def observation(self, game: int, player: int) -> Tensor:
        """What a player knows in one game, as the environments give it."""
        said = slice(0, int(self._count[game]))
        mine = self._said[game, said][self._said_by[game, said] == player]
        sparse = self.rules.layout.observation(self.state(game), player, mine.tolist())
        return filled(self.rules.layout.size, sparse)


def _spread(owner: Whole, first: Whole, count: Whole) -> tuple[Whole, Whole]:
    """For each of so many numbers from a first one on whose it is, and the number."""
    before = np.cumsum(count) - count
    within = np.arange(int(count.sum())) - np.repeat(before, count)
    return np.repeat(owner, count), np.repeat(first, count) + within


def _members(value: Value, size: int) -> bytes:
    """Members that are chosen together, as the engine takes them: bits, or a list in order."""
    found = numbers(value)
    if isinstance(value, tuple):
        return struct.pack(f"<{1 + len(found)}H", len(found), *found).ljust(size, b"\0")
    return sum(1 << member for member in found).to_bytes(size, "little")


def _instance(rules: Rules) -> Instance:
    """The module of a game whose choices are taken action by action."""
    title = rules.game.id
    try:
        found = instance_of(rules.game)
    except NotLowered as why:
        raise Unbounded(f"{title} is not played by the native engine: {why}") from why
    for decision in found.game.decisions:
        if _of_parts(decision):
            raise Unbounded(f"in {title} members of parts are chosen together as {decision.name}")
    return found


def _of_parts(decision: Decision) -> bool:
    """Are members chosen together that take more than one action each?"""
    stmt = decision.stmt
    return isinstance(stmt, core.Choose) and decision.several and not plain(stmt.item)
