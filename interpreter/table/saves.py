"""Games kept in files: written whole or not at all, checked before they are used, and never over a
file that is something else."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.game.game import Game, State, game_of
from interpreter.game.loading import RulesError, load_rules
from interpreter.game.record_error import RecordError
from interpreter.table.seats import PERSON, NoSeat, Seats, kinds_of
from rulelang.core.values import Json

if TYPE_CHECKING:  # records are checked by a library that takes long to load
    from interpreter.game.records import Record

MOST_BYTES = 50_000_000


class NotKept(Exception):
    """A game that could not be written; says why."""


# ------------------------------------------------------------------------------------------ reading
def read(path: Path) -> Record:
    """The checked record of a file.

    Raises RecordError if it holds none, OSError if it cannot be read.
    """
    if path.stat().st_size > MOST_BYTES:
        raise RecordError(f"it is larger than {MOST_BYTES} bytes")
    text = path.read_bytes().decode("utf-8", "replace")
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
def write(path: Path, data: Mapping[str, Json], over: bool = False) -> None:
    """Write a record beside its place and then into it, so that nothing is lost half-way, nor
    (unless `over`) another game; raises NotKept."""
    if path.exists():
        try:
            there = read(path)
        except (RecordError, OSError) as error:
            raise NotKept(f"{path} is there already and is no game that was kept") from error
        if not over and (there.game, there.seed) != (data["game"], data["seed"]):
            raise NotKept(f"another game is kept in {path} ({there.game}, seed {there.seed})")
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        try:
            part.write_text(json.dumps(data, ensure_ascii=False) + "\n", "utf-8")
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise NotKept(f"{path} cannot be written: {error.strerror or 'unknown'}") from error


@dataclass
class Keeper:
    """Keeps one game: where it was told to, else in a new file of the folder one stands in."""

    game: Game
    seats: Seats
    path: Path | None = None
    rules: str = ""  # where the rules are, if they do not come along
    kept: State | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Load what writes records, for a terminal that is closed leaves no time to load it."""
        if PERSON in self.seats.kinds:
            import_module("interpreter.game.records")

    def keep(self, state: State, name: str = "") -> Path:
        """Write the game up to a state; raises NotKept."""
        path = Path(name).expanduser() if name else self.path or self._new(state)
        write(
            path,
            {**self.game.record(state), "seats": list(self.seats.kinds)},
            over=path == self.path,
        )
        self.path, self.kept = path, state
        return path

    def told(self, path: Path) -> str:
        """Where the game is kept, and how to go on with it."""
        command = shlex.join(
            ["rulelang", "play", *([self.rules] if self.rules else []), "--resume", str(path)]
        )
        return f"The game is kept in {path}; `{command}` goes on with it."

    def leave(self, state: State) -> Path | None:
        """Keep the game of people who leave, unless nothing has happened since it was last kept.

        Raises NotKept.
        """
        if PERSON not in self.seats.kinds or state.over or state.moves == 0 or state is self.kept:
            return None
        return self.keep(state)

    def _new(self, state: State) -> Path:
        for number in range(1, 1000):
            path = Path(
                f"{self.game.id}-{state.position.seed}{f'-{number}' if number > 1 else ''}.save"
            )
            if not path.exists():
                return path
        raise NotKept("there are too many games kept here; name a file")
