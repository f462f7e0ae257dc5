"""A module that runs: states as bytes, decisions and choices, and faults that name their clause."""

from __future__ import annotations

import json
import multiprocessing
import os
import stat
import struct
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import wasmtime

from interpreter.model.position import Position, empty_position
from interpreter.model.values import Fault, absent
from interpreter.native import wasm
from interpreter.native.control import Decision
from interpreter.native.layout import OUTPUT, STATE, STATUS
from interpreter.native.lowering import Lowered
from interpreter.native.mersenne import STRIDE
from interpreter.native.program import Program, Stop
from interpreter.native.simultaneous import DONE
from interpreter.native.values import MAX_WORDS, decoded, size_of, words_of
from rulelang import core
from rulelang.core.bounds import MAX_STEPS
from rulelang.core.types import SetT
from rulelang.core.values import Value

MOST_SETS = 20_000  # sets of one decision which are kept as values
_BOUNDS = 'file-count-soft-limit = "256"\nfiles-total-size-soft-limit = "64Mi"\n'


class AskReference(Exception):
    """The module cannot tell what happens here: the reference can."""


@dataclass(frozen=True)
class Open:
    """What a state has come to: the decision that is open and who decides, or the end."""

    decision: Decision | None
    player: int
    ended: str | None


def bits_of(members: int) -> Iterator[int]:
    """The numbers of the bits that are set."""
    while members:
        low = members & -members
        yield low.bit_length() - 1
        members ^= low


class Instance:
    """One module in memory, with one state of play in it at a time."""

    def __init__(self, game: Lowered, raw: bytes | None = None, code: Path | None = None) -> None:
        """Compile and instantiate; `raw` is the module as it was written before.

        In the folder `code` wasmtime keeps what it compiles, if it belongs to the user alone.
        """
        self.game, self.layout = game, game.layout
        self.raw = wasm.binary(game.module) if raw is None else raw
        self.engine = _engine(code)
        module = wasmtime.Module(self.engine, self.raw)
        self.store = wasmtime.Store(self.engine)
        # A module says itself how much it takes; whatever it says, it is given no more than this.
        self.store.set_limits(memory_size=wasm.MAX_MEMORY, instances=1, memories=1, tables=0)
        exports = wasmtime.Instance(self.store, module, []).exports(self.store)
        memory = exports["memory"]
        assert isinstance(memory, wasmtime.Memory)
        self.memory = memory
        self._functions: dict[str, wasmtime.Func] = {}
        self._counters: dict[str, wasmtime.Global] = {}
        for name, found in exports.items():
            if isinstance(found, wasmtime.Func):
                self._functions[name] = found
            elif isinstance(found, wasmtime.Global):
                self._counters[name] = found
        self._view: memoryview | None = None
        self._sets: dict[int, dict[bytes, Value]] = {}  # by decision and members
        self._begun = False
        self._nothing: bytearray | None = None  # the state before anything is done

    # -------------------------------------------------------------------------------- memory
    @property
    def _bytes(self) -> memoryview:
        """The memory as it stands; asked for anew only where it has grown, for asking is slow."""
        if self._view is None:
            self._view = memoryview(self.memory.get_buffer_ptr(self.store)).cast("B")
        return self._view

    def read(self, at: int, size: int) -> bytes:
        """So many bytes of memory."""
        return bytes(self._bytes[at : at + size])

    def view(self, at: int, size: int) -> memoryview:
        """The same where they stand, as long as memory does not grow."""
        return self._bytes[at : at + size]

    def write(self, at: int, raw: bytes) -> None:
        """Write bytes into memory."""
        self._bytes[at : at + len(raw)] = raw

    @property
    def pages(self) -> int:
        """How many pages of memory there are."""
        return self.memory.size(self.store)

    def grow(self, pages: int) -> None:
        """Have so many pages more."""
        self._view = None
        self.memory.grow(self.store, pages)

    # -------------------------------------------------------------------------------- states
    @property
    def state(self) -> bytes:
        """The state that is played now, with the branches of those who decide at once."""
        size = self.layout.size
        raw = self.read(STATE, size)
        if not self.layout.number(raw, self.layout.fork):
            return raw
        return raw + b"".join(self.read(first, size) for first in self._branches)

    @state.setter
    def state(self, raw: bytes) -> None:
        size = self.layout.size
        self.write(STATE, raw[:size])
        if len(raw) > size:
            for number, first in enumerate(self._branches, 1):
                self.write(first, raw[number * size : (number + 1) * size])

    @property
    def _branches(self) -> list[int]:
        """Where the branches of players begin."""
        players = self.game.engine.setup.players
        return [Program.BRANCHES + seat * Program.STRIDE for seat in range(players)]

    def seats(self) -> list[int]:
        """Those who are to decide at once now; nobody where decisions are one after the other."""
        raw, size = self.state, self.layout.size
        if len(raw) == size:
            return []
        found = []
        for seat in range(len(raw) // size - 1):
            mine = raw[(seat + 1) * size : (seat + 2) * size]
            ended = self.layout.number(mine, self.layout.ended)
            if not ended and self.layout.number(mine, self.layout.point) != DONE:
                found.append(seat)
        return found

    @contextmanager
    def at(self, seat: int | None) -> Iterator[None]:
        """What is asked meanwhile is asked in a player's branch."""
        if seat is not None:
            self._call("look", seat)
        yield
        if seat is not None:
            self._call("back", seat)

    def start(self, seed: int = 0) -> None:
        """The first decision of a game."""
        if self._nothing is None:
            nothing = empty_position(self.game.engine.setup, 0)
            self._nothing = bytearray(self.layout.encode(nothing, self.layout.size))
        self.layout.seeded(self._nothing, seed)
        self.state = bytes(self._nothing)
        with self._question():
            self._call("begin")
        self._begun = True

    def position(self) -> Position:
        """What lies where now, and what variables are; nothing of what is still to be done."""
        return self.layout.decode(self.state)

    def open(self) -> Open:
        """What the state has come to."""
        raw = self.state
        ended = self.layout.number(raw, self.layout.ended)
        point = self.layout.number(raw, self.layout.point)
        decision, player = self.game.decisions[point - 1] if point else None, -1
        if decision is not None and not ended:
            with self._question():
                player = self._call("decider")
        return Open(decision, player, self.game.ends[ended - 1] if ended else None)

    def options(self) -> list[int]:
        """The options of the open decision, in the stable order."""
        count = self._count()
        return list(struct.unpack(f"<{count}q", self.read(OUTPUT, 8 * count)))

    def _count(self) -> int:
        """Write the options into the output; gives how many. What is tried is undone."""
        before = self.state
        try:
            with self._question():
                return self._call("options")
        except (Fault, AskReference):
            self.state = before
            raise

    def limits(self) -> tuple[int, int]:
        """How many of the options are to be chosen at once, at least and at most."""
        count = self._count()
        with self._question():
            found = self._functions["limits"](self.store, count)
        assert isinstance(found, list)
        low, high = (number for number in found if isinstance(number, int))
        return low, high

    def values(self) -> list[Value]:
        """The same as values of the language: members, names of actions, yes or no.

        Where several are to be chosen these are the members that may be among them.
        """
        decision = self.open().decision
        if decision is None:
            return []
        match decision.stmt:
            case core.Choose(item=SetT() as item, mode="one"):
                return self._sets_of(decision, item, self.options())
            case core.Choose(item=item):
                setup = self.game.engine.setup
                return [decoded(setup, item, number) for number in self.options()]
            case core.Take(actions=actions):
                return [actions[number] for number in self.options()]
            case core.May():
                return [bool(number) for number in self.options()]

    def _sets_of(self, decision: Decision, t: SetT, numbers: Sequence[int]) -> list[Value]:
        """Those of the sets that may be chosen which have these numbers."""
        setup = self.game.engine.setup
        words = words_of(size_of(setup, t.of))
        size, first = 8 * (1 + words), self.game.families[decision.number] + 16
        held = self.read(first, size * (max(numbers, default=-1) + 1))
        known = self._sets.setdefault(decision.number, {})
        found: list[Value] = []
        for number in numbers:
            members = held[size * number : size * number + 8 * words]
            one = known.get(members)
            if one is None:
                bits = bits_of(int.from_bytes(members, "little"))
                one = frozenset(decoded(setup, t.of, n) for n in bits)
                if len(known) < MOST_SETS:
                    known[members] = one
            found.append(one)
        return found

    def scores(self) -> list[int]:
        """What the first line of the ranking comes to for each player."""
        with self._question():
            return [self._call("score", p) for p in range(self.game.engine.setup.players)]

    def choose(self, option: int, seat: int | None = None) -> None:
        """Take an option, and run to the next decision; after a fault the state is as it was.

        Where players decide at once, `seat` is the one who does.
        """
        before = self.state
        self._counters["seat"].set_value(self.store, -1 if seat is None else seat)
        try:
            with self._question():
                self._call("choose", option)
        except (Fault, AskReference):
            self.state = before
            raise

    def choose_several(self, members: Iterable[int], seat: int | None = None) -> None:
        """Choose members together."""
        whole = sum(1 << member for member in members)
        self.write(OUTPUT, whole.to_bytes(8 * MAX_WORDS, "little"))
        self.choose(0, seat)

    def choose_order(self, members: Sequence[int], seat: int | None = None) -> None:
        """Put all members in an order."""
        raw = b"".join(number.to_bytes(2, "little") for number in (len(members), *members))
        self.write(OUTPUT, raw.ljust(8 * MAX_WORDS, b"\0"))
        self.choose(0, seat)

    # -------------------------------------------------------------------------------- playouts
    def seed(self, number: int) -> None:
        """Where the chance of playouts begins."""
        self._counters["chance"].set_value(self.store, number)

    def playouts(self, games: int) -> int:
        """Play games from the start at random, each option as likely; gives how many moves."""
        if not self._begun:
            self.start()
        with self._question():
            return self._call("playouts", games, self.game.engine.setup.rules.max_moves)

    def one_generator(self, alone: bool = True) -> None:
        """From now on all players draw from the first generator of bots, or each from his own."""
        self._counters["dice_stride"].set_value(self.store, 0 if alone else STRIDE)

    # -------------------------------------------------------------------------------- calls
    def ask(self, name: str, *args: int) -> int:
        """What a function of the module gives, as a question of its own."""
        with self._question():
            return self._call(name, *args)

    def has(self, name: str) -> bool:
        """Is there a function of this name?"""
        return name in self._functions

    def counter(self, name: str) -> int:
        """A number that all functions share."""
        found = self._counters[name].value(self.store)
        assert isinstance(found, int)
        return found

    def set(self, name: str, number: int) -> None:
        """Give a number that all functions share another value."""
        self._counters[name].set_value(self.store, number)

    def _call(self, name: str, *args: int) -> int:
        found = self._functions[name](self.store, *args)
        return found if isinstance(found, int) else 0

    @contextmanager
    def _question(self) -> Iterator[None]:
        """One question; raises the Fault for which the module stopped."""
        try:
            yield
        except wasmtime.Trap as trap:
            raise self._fault(trap) from None

    def _fault(self, trap: wasmtime.Trap) -> Exception:
        raw = self.read(STATUS, 16)
        self.write(STATUS, bytes(16))
        why, place, number = (
            int.from_bytes(raw[low:high], "little", signed=True)
            for low, high in ((0, 4), (4, 8), (8, 16))
        )
        layers = list(self.layout.layers)
        said = {
            Stop.OVERFLOW: "a number that 64 bits cannot hold",
            Stop.DIVISION: "a division by 0",
            Stop.SPAN: f"a range of {number} numbers",
            Stop.ABSENT: absent(number, self.game.engine.setup.players).why,
            Stop.STEPS: f"more than {MAX_STEPS} steps without a decision",
        }.get(Stop(why))
        if why == Stop.TAKEN:
            line = number & (1 << 32) - 1
            said = f"two pieces on one site of {layers[number >> 32]}, line {line}"
        searching = self._counters["searching"]
        if searching.value(self.store):
            for name in ("searching", "apart"):
                self._counters[name].set_value(self.store, 0)
            return AskReference("a search that stopped")
        if said is None:
            if why == Stop.WORK:
                return AskReference("more members looked through than may be")
            clause, line = self.game.places[place]
            where = f", in {clause}, line {line}" if clause else ""
            return AskReference(str(trap) if why == Stop.NOTHING else f"{Stop(why).name}{where}")
        return Fault(said, *self.game.places[place])


def _engine(code: Path | None) -> wasmtime.Engine:
    """What compiles modules; with a folder it looks there for what it has compiled before."""
    config = wasmtime.Config()
    # The threads that compile side by side are not there in a process that was forked.
    config.parallel_compilation = multiprocessing.parent_process() is None
    if code is None or not _private(code):
        return wasmtime.Engine(config)
    settings = code / "cache.toml"
    try:
        place = json.dumps(str(code.resolve() / "compiled"))
        settings.write_text(f"[cache]\ndirectory = {place}\n{_BOUNDS}", "utf-8")
        config.cache = str(settings)
    except (OSError, wasmtime.WasmtimeError):
        pass
    return wasmtime.Engine(config)


def _private(folder: Path) -> bool:
    """Is this a folder that belongs to the user and that nobody else can look into?

    It is made if it is not there. Elsewhere than under POSIX that cannot be told.
    """
    if not hasattr(os, "getuid"):
        return False
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return False
    return (
        stat.S_ISDIR(found.st_mode)
        and found.st_uid == os.getuid()
        and not found.st_mode & (stat.S_IRWXG | stat.S_IRWXO)
    )
