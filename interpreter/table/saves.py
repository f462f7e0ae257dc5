"""Games kept in files: written whole or not at all, checked before they are used, and never over
anything that would be lost: another file, another game, or a later point of the same."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.game.files import read_file, remove_file, write_file
from interpreter.game.game import Game, State, game_of
from interpreter.game.loading import RulesError, load_rules
from interpreter.game.record_error import RecordError
from interpreter.table.seats import PERSON, NoSeat, Seats, kinds_of
from rulelang.core.values import Json

if TYPE_CHECKING:  # records are checked by a library that takes long to load
    from interpreter.game.records import Record

MOST_BYTES = 50_000_000
_SETTINGS = ("game", "rules", "players", "variants", "options", "added", "seed")


class NotKept(Exception):
    """A game that could not be written; says why."""


class Taken(NotKept):
    """A file that something else is kept in already; says what."""


class Later(Taken):
    """A file that holds this game already, to a later point."""


# ------------------------------------------------------------------------------------------ reading
def read(path: Path) -> Record:
    """The checked record of a file.

    Raises RecordError if it holds none, OSError if it cannot be read.
    """
    raw = read_file(path, MOST_BYTES)
    if len(raw) > MOST_BYTES:
        raise RecordError(f"it is larger than {MOST_BYTES} bytes")
    text = raw.decode("utf-8", "replace")
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        if error.pos >= len(text.rstrip()) or "Unterminated" in error.msg:
            raise RecordError(
                f"it ends in the middle (line {error.lineno}, column {error.colno}): "
                "the file was cut short"
            ) from error
        raise RecordError(
            f"it is no JSON text (line {error.lineno}, column {error.colno})"
        ) from error
    except RecursionError as error:
        raise RecordError("it is no JSON text of this shape") from error
    except ValueError as error:
        raise RecordError("a number in it has too many digits") from error
    from interpreter.game.records import read_record

    return read_record(data)


def game_for(record: Record, rules: str) -> Game:
    """The game of a record, with the texts it brings.

    Raises RecordError if the rules do not take them.
    """
    loaded = load_rules(rules, record.variants, list(record.added.items()), tests=False)
    try:
        return game_of(loaded, record.players, tuple(record.variants), dict(record.options))
    except RulesError as error:
        raise RecordError(
            "its settings do not fit the rules: "
            + "; ".join(item.message for item in error.found[:3])
        ) from error


def seats_in(record: Record) -> Seats | None:
    """Who sat where, if the record says so; raises RecordError if nobody of that kind is known."""
    try:
        kinds = kinds_of(",".join(record.seats), True)
    except NoSeat as error:
        raise RecordError(str(error)) from error
    if kinds and len(kinds) != record.players:
        raise RecordError(f"{len(kinds)} seats are named, and {record.players} play")
    return Seats(tuple(kinds)) if kinds else None


def differences(record: Record, wanted: Mapping[str, object]) -> list[str]:
    """Where a record was played otherwise than is asked for now, setting by setting.

    What is not asked for is not compared.
    """
    found = []
    for name, value in wanted.items():
        was: object = getattr(record, name)
        if isinstance(was, dict) and isinstance(value, dict) and name == "added":
            was = sorted(was.values())
            if was != sorted(value.values()):
                found.append(f"it was played with {'other' if was else 'no'} added files")
        elif value != was:
            found.append(f"it was played with {name} {_said(was)}, not {_said(value)}")
    return found


def _said(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{k}={v}" for k, v in value.items()) or "as usual"
    return (", ".join(map(str, value)) or "none") if isinstance(value, list) else str(value)


# ------------------------------------------------------------------------------------------ writing
def course(choices: object) -> list[str]:
    """The choices of a record, each in one canonical line, to be compared with those of another."""
    assert isinstance(choices, list)
    return [json.dumps(choice, sort_keys=True) for choice in choices]


def begins(part: Sequence[str], whole: Sequence[str]) -> bool:
    """Is the one course the beginning of the other, or all of it?"""
    return list(part) == list(whole[: len(part)])


@dataclass
class Keeper:
    """Keeps one game: where it was told to, else in a new file of the folder one stands in.

    A game has an identity of its own, so that no other is taken for it, whatever its seed. What
    its players have kept is never lost: only the same game, gone on with, is written over it. What
    was kept unasked while they play may be, once they have taken back what led there.
    """

    game: Game
    seats: Seats
    path: Path | None = None
    rules: str = ""  # where the rules are, if they do not come along
    kept: State | None = field(default=None, repr=False)  # as the players know it is kept
    identity: str = ""
    undecided: str = ""  # why the game cannot go on, if the rules broke off
    recorded: bool = False  # shall it be kept even where nobody but bots plays?
    named: bool = field(default=False, init=False)  # have they said where?
    _written: State | None = field(default=None, init=False, repr=False)
    _last: list[str] = field(default_factory=list, init=False, repr=False)  # what was written last
    _asked: list[str] = field(default_factory=list, init=False, repr=False)  # and last on demand
    _trouble: str = field(default="", init=False, repr=False)

    def __post_init__(self) -> None:
        self.named = self.path is not None
        self._written = self.kept
        if PERSON in self.seats.kinds:
            self.identity = self.identity or secrets.token_hex(16)
        if self.kept is not None:
            self._last = self._asked = course(self.game.record(self.kept)["choices"])

    # ----------------------------------------------------------------------------------- on demand
    def keep(self, state: State, name: str = "") -> Path:
        """Write the game up to a state, because somebody wants it; raises NotKept."""
        path = _path(name) if name else self.path
        before, unasked = self.path, not self.named
        self._write(state, path)
        if unasked and before is not None and before != self.path:
            self._forget(before)
        self.named, self.kept, self._asked = True, state, self._last
        assert self.path is not None
        return self.path

    def told(self, path: Path) -> str:
        """Where the game is kept, and how to go on with it."""
        command = shlex.join(
            ["rulelang", "play", *([self.rules] if self.rules else []), "--resume", str(path)]
        )
        return f"The game is kept in {path}; `{command}` goes on with it."

    def may_begin(self, state: State) -> None:
        """Raises NotKept if the game that begins so could never be kept where it was told to."""
        if self.path is None:
            return
        try:
            there = self.path.exists() or self.path.is_symlink()
        except (OSError, ValueError) as error:
            raise NotKept(f"{self.path} cannot be written: {error}") from error
        if there:
            data = self.game.record(state)
            alone = PERSON not in self.seats.kinds and self.kept is None
            self._judge(self.path, {**data, **self._signed(data)}, begun=alone)

    # ------------------------------------------------------------------------------------- unasked
    def follow(self, state: State) -> str:
        """Keep the game as it is played, so that nothing is lost whatever ends the program.

        Gives what is to be told: that it is kept elsewhere now, or not at all. That is told once.
        """
        people = PERSON in self.seats.kinds
        if not (people or self.recorded) or state.moves == 0 or state is self._written:
            return ""
        before = self.path
        try:
            if people:
                self._write_somewhere(state)
            else:
                self._write_unless_there(state)
        except NotKept as error:
            again, self._trouble = str(error) == self._trouble, str(error)
            advice = "; `save FILE` keeps it elsewhere" if people else ""
            return "" if again else f"The game cannot be kept: {error}{advice}."
        self._trouble = ""
        moved = before is not None and before != self.path
        return f"From here on the game is kept in {self.path}; {before} stays." if moved else ""

    def leave(self, state: State) -> Path | None:
        """Keep the game of people who leave, unless nothing has happened since they kept it.

        Raises NotKept.
        """
        if PERSON not in self.seats.kinds or state.moves == 0 or state is self.kept:
            return None
        if state is not self._written or self.undecided:
            self._write_somewhere(state)
        self.kept, self._asked = state, self._last
        return self.path

    def close(self, state: State) -> Path | None:
        """Keep a game that is over if its players have said where, else let go of what was kept
        unasked; raises NotKept."""
        if PERSON not in self.seats.kinds or self.path is None:
            return None
        if self.named:
            if state is not self._written:
                self._write_somewhere(state)
            return self.path
        self._forget(self.path)
        return None

    # ------------------------------------------------------------------------------------- writing
    def _write_somewhere(self, state: State) -> None:
        """Write where the game was kept before, or if that cannot be, in a new file beside it."""
        try:
            self._write(state, self.path)
        except NotKept as error:
            try:
                self._write(state, None)
            except NotKept:
                raise error from None

    def _write_unless_there(self, state: State) -> None:
        """Write a game of bots, unless it was played before and kept to a later point."""
        with suppress(Later):
            self._write(state, self.path)

    def _write(self, state: State, path: Path | None) -> None:
        """Write the game to a file, or to a new one; raises NotKept."""
        data = self.game.record(state)
        data |= self._signed(data)
        if path is not None:
            self._put(path, data, partial(self._judge, path, data))
        else:
            path = self._put_in_new(data)
        self.path, self._written, self._last = path, state, course(data["choices"])

    def _signed(self, data: Mapping[str, Json]) -> dict[str, Json]:
        """Who sits where, and which game it is.

        A game that nobody decides in is what its settings make it, and is the same each time.
        """
        kinds: list[Json] = list(self.seats.kinds)
        if not self.identity:
            settings = [*(data[name] for name in _SETTINGS), kinds]
            self.identity = hashlib.sha256(json.dumps(settings).encode()).hexdigest()[:32]
        signed: dict[str, Json] = {"seats": kinds, "identity": self.identity}
        return {**signed, "not_decided": self.undecided[:1000]} if self.undecided else signed

    def _put(self, path: Path, data: Mapping[str, Json], judge: Callable[[], None]) -> None:
        """Write a record to its place unless `judge` refuses what is there; raises NotKept."""
        content = (json.dumps(data, ensure_ascii=False) + "\n").encode("utf-8")
        if len(content) > MOST_BYTES:
            raise NotKept(f"it would be larger than {MOST_BYTES} bytes")
        try:
            write_file(path, content, judge)
        except OSError as error:
            raise NotKept(f"{path} cannot be written: {error.strerror or error}") from error

    def _judge(self, path: Path, data: Mapping[str, Json], begun: bool = False) -> None:
        """Raises Taken if what is in a file would be lost under a record; with `begun` only if that
        would be so however the game goes on."""
        try:
            there = read(path)
        except (RecordError, OSError) as error:
            raise Taken(f"{path} is there already and is no game that was kept") from error
        theirs, ours = course([choice.model_dump() for choice in there.choices]), data["choices"]
        settled = [getattr(there, name) == data[name] for name in _SETTINGS]
        many = f"{len(theirs)} choices"
        if not all(settled) or (there.identity or self.identity) != self.identity:
            raise Taken(f"another game is kept in {path} ({there.game}, seed {there.seed}, {many})")
        made = course(ours)
        if begun or begins(theirs, made) or self._taken_back(path, theirs, made):
            return
        if begins(made, theirs):
            raise Later(f"a later point of this game is kept in {path} ({many}, not {len(made)})")
        raise Taken(f"this game is kept in {path} as it went on otherwise ({many})")

    def _taken_back(self, path: Path, theirs: list[str], made: list[str]) -> bool:
        """Is what lies there only what was kept unasked, and taken back since?"""
        return path == self.path and theirs == self._last and begins(self._asked, made)

    def _put_in_new(self, data: Mapping[str, Json]) -> Path:
        """Write a record to a file that is not there yet; raises NotKept."""

        def taken() -> None:
            raise Taken("it is there already")

        begun = self.path or Path(f"{self.game.id[:80]}-{data['seed']}.save")
        for number in range(1 if self.path is None else 2, 1000):
            path = begun.with_name(f"{begun.stem}-{number}{begun.suffix}") if number > 1 else begun
            with suppress(Taken):
                if not os.path.lexists(path):
                    self._put(path, data, taken)
                    return path
        raise NotKept("there are too many games kept here; name a file")

    def _forget(self, path: Path) -> None:
        """Take a file away that this game was kept in unasked, if nothing else is in it by now."""

        def own() -> None:
            there = read(path)
            theirs = course([choice.model_dump() for choice in there.choices])
            if there.identity != self.identity or not begins(theirs, self._last):
                raise Taken(f"another game is kept in {path}")

        with suppress(OSError, RecordError, Taken):
            remove_file(path, own)


def _path(name: str) -> Path:
    """The path somebody typed; raises NotKept if there can be none."""
    try:
        return Path(name).expanduser()
    except RuntimeError as error:
        raise NotKept(f"{name} cannot be written: there is no such home folder") from error
