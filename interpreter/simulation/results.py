"""Results of many games in a file, game by game: what was played stays played, whatever ends it.

SQLite holds rows as they come; Parquet is a folder of parts, each written whole. Every game has its
number, and no number is counted twice.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from interpreter.model.errors import InputError, RulelangError
from interpreter.simulation.outcome import Outcome
from rulelang.core.values import Json

PART = 1_000  # games in one part of a Parquet folder
COLUMNS = (
    ("players", "INTEGER"),
    ("number", "INTEGER"),
    ("seed", "INTEGER"),
    ("finished", "INTEGER"),
    ("fault", "TEXT"),
    ("moves", "INTEGER"),
    ("scores", "TEXT"),
    ("clauses", "TEXT"),
    ("cards", "TEXT"),
    ("digest", "TEXT"),
    ("engine", "TEXT"),
    ("game", "TEXT"),
    ("rules_hash", "TEXT"),
    ("configuration", "TEXT"),
)
NAMES = tuple(name for name, _ in COLUMNS)

Row = tuple[int | str, ...]


class ResultsError(RulelangError):
    """A file of results that cannot be read or written; what was in it is as it was."""


@dataclass(frozen=True)
class Configuration:
    """What all games of one file have in common."""

    game: str
    rules_hash: str
    settings: Mapping[str, Json]  # variants, options, added files, bot, first seed

    @property
    def text(self) -> str:
        """The settings as one text, by which two configurations are compared."""
        return json.dumps(self.settings, sort_keys=True)

    def row(self, number: int, seed: int, outcome: Outcome) -> Row:
        """A game as a row."""
        cards = [f"{event}: {title}" for event, title in sorted(outcome.played)]
        return (
            outcome.players,
            number,
            seed,
            int(outcome.finished),
            outcome.fault,
            outcome.moves,
            json.dumps(list(outcome.scores)),
            json.dumps(sorted(outcome.fired)),
            json.dumps(cards, ensure_ascii=False),
            outcome.digest,
            outcome.engine,
            self.game,
            self.rules_hash,
            self.text,
        )

    def check(self, where: Path, game: str, rules_hash: str, text: str) -> None:
        """Raises ResultsError naming what differs from what a file holds."""
        if game != self.game:
            raise ResultsError(f"{where} has games of {game}, not of {self.game}")
        if rules_hash != self.rules_hash:
            raise ResultsError(
                f"{where} has games of other rules of {game} ({rules_hash[:12]}, these are "
                f"{self.rules_hash[:12]}): name another file"
            )
        if text != self.text:
            there, here = json.loads(text), json.loads(self.text)
            differ = [n for n in here if there.get(n) != here[n]]
            told = "; ".join(f"{n} was {there.get(n)!r} and is {here[n]!r}" for n in differ)
            raise ResultsError(f"{where} has games of another configuration: {told}")


@dataclass(frozen=True)
class Totals:
    """What all games of a file come to."""

    games: int
    finished: int
    not_decided: int
    moves: int
    means: Mapping[int, tuple[float, ...]]  # of scores, by the number of players


class Numbers:
    """The players and number of many games, at a bit for each: they may be very many."""

    def __init__(self, found: Iterable[tuple[int, int]] = ()) -> None:
        """These games."""
        self._bits: dict[int, bytearray] = {}
        self._count = 0
        for players, number in found:
            self.add(players, number)

    def add(self, players: int, number: int) -> None:
        """Take in a game, which may be in it."""
        held = self._bits.setdefault(players, bytearray())
        if (players, number) not in self:
            held.extend(bytes(max(0, number // 8 + 1 - len(held))))
            held[number // 8] |= 1 << number % 8
            self._count += 1

    def __contains__(self, game: tuple[int, int]) -> bool:
        """Is this game among them?"""
        players, number = game
        held = self._bits.get(players, b"")
        return number // 8 < len(held) and bool(held[number // 8] & 1 << number % 8)

    def __len__(self) -> int:
        """How many games these are."""
        return self._count


class Results(Protocol):
    """A file that takes games."""

    def done(self) -> Numbers:
        """The players and number of each game it holds."""

    def add(self, rows: Iterable[Row]) -> None:
        """Take games; those it has already are not counted again."""

    def close(self) -> None:
        """Write what is still to be written."""

    def totals(self) -> Totals:
        """What all games in it come to."""


def results_at(where: Path, configuration: Configuration) -> Results:
    """The file of results at a place, new or to be gone on with.

    Raises ResultsError where it holds other games, InputError for an unknown form.
    """
    if where.suffix in (".sqlite", ".sqlite3", ".db"):
        return SqliteResults(where, configuration)
    if where.suffix == ".parquet":
        return ParquetResults(where, configuration)
    raise InputError(f"{where}: results go to a name that ends in .sqlite or .parquet")


class SqliteResults:
    """Results in the table `games` of a SQLite file."""

    def __init__(self, where: Path, configuration: Configuration) -> None:
        """Raises ResultsError where the file holds something else."""
        self.where = where
        try:
            self.base = sqlite3.connect(where, timeout=30)
            self._begin(configuration)
        except sqlite3.Error as error:
            raise ResultsError(f"{where} cannot be used for results: {error}") from error

    def _begin(self, configuration: Configuration) -> None:
        columns = ", ".join(f"{name} {kind}" for name, kind in COLUMNS)
        made = f"CREATE TABLE IF NOT EXISTS games ({columns}, PRIMARY KEY (players, number))"
        with self.base:
            self.base.execute(made)
        found = self.base.execute("SELECT game, rules_hash, configuration FROM games LIMIT 1")
        for game, rules_hash, text in found.fetchall():
            configuration.check(self.where, game, rules_hash, text)

    def done(self) -> Numbers:
        """The players and number of each game it holds."""
        return Numbers(self.base.execute("SELECT players, number FROM games"))

    def add(self, rows: Iterable[Row]) -> None:
        """Take games in one transaction."""
        marks = ", ".join("?" * len(COLUMNS))
        try:
            with self.base:
                self.base.executemany(f"INSERT OR IGNORE INTO games VALUES ({marks})", rows)
        except sqlite3.Error as error:
            raise ResultsError(
                f"{self.where} cannot be written: {error}; the games before are kept, and the same "
                "command goes on with the others"
            ) from error

    def close(self) -> None:
        """Let go of the file."""
        self.base.close()

    def totals(self) -> Totals:
        """What all games in it come to."""
        asked = self.base.execute("SELECT players, finished, fault, moves, scores FROM games")
        return _summed(asked)


class ParquetResults:
    """Results in a folder of Parquet files, one for so many games."""

    def __init__(self, where: Path, configuration: Configuration) -> None:
        """Raises ResultsError where the folder holds something else, or pyarrow is missing."""
        try:
            import pyarrow.parquet
        except ImportError:
            raise ResultsError(
                "pyarrow is not installed: pip install 'rulelang[study]' brings it"
            ) from None
        self._parquet = pyarrow.parquet
        self.where, self.waiting = where, list[Row]()
        try:
            where.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ResultsError(f"{where} cannot be used for results: {error.strerror}") from error
        for part in self._parts()[:1]:
            (first,) = self._read(part, NAMES[-3:])[:1]
            configuration.check(where, *map(str, first))
        self._done = Numbers(
            (int(p), int(n)) for part in self._parts() for p, n in self._read(part, NAMES[:2])
        )

    def _parts(self) -> list[Path]:
        return sorted(self.where.glob("part-*.parquet"))

    def _read(self, part: Path, names: tuple[str, ...]) -> list[Row]:
        columns = self._parquet.read_table(part, columns=list(names)).to_pydict()
        return list(zip(*(columns[name] for name in names), strict=True))

    def done(self) -> Numbers:
        """The players and number of each game it holds, those that still wait too."""
        return self._done

    def add(self, rows: Iterable[Row]) -> None:
        """Take games; a part is written when there are enough for one."""
        for row in rows:
            game = int(row[0]), int(row[1])
            if game not in self._done:
                self._done.add(*game)
                self.waiting.append(row)
        if len(self.waiting) >= PART:
            self._write()

    def _write(self) -> None:
        """Write what waits as a part: beside its place, and then into it."""
        import pyarrow

        made = {name: [row[n] for row in self.waiting] for n, name in enumerate(NAMES)}
        number = 1 + max((int(part.stem[5:]) for part in self._parts()), default=-1)
        part = self.where / f"part-{number:06}.parquet"
        beside = part.with_suffix(".writing")
        try:
            self._parquet.write_table(pyarrow.table(made), beside)
            os.replace(beside, part)
        except OSError as error:
            raise ResultsError(
                f"{part} cannot be written: {error.strerror or error}; the games before are kept"
            ) from error
        self.waiting = []

    def close(self) -> None:
        """Write what is still to be written."""
        if self.waiting:
            self._write()

    def totals(self) -> Totals:
        """What all games in it come to."""
        names = ("players", "finished", "fault", "moves", "scores")
        return _summed(row for part in self._parts() for row in self._read(part, names))


def _summed(rows: Iterable[tuple[int | str, ...]]) -> Totals:
    games = finished = not_decided = moves = 0
    sums: dict[int, list[float]] = {}
    counts: dict[int, int] = {}
    for players, ended, fault, made, scores in rows:
        games, moves = games + 1, moves + int(made)
        finished += int(ended)
        not_decided += bool(fault)
        if not fault:
            each = json.loads(str(scores))
            of = int(players)
            counts[of] = counts.get(of, 0) + 1
            sums[of] = [a + b for a, b in zip(sums.get(of, [0.0] * of), each, strict=True)]
    means = {p: tuple(total / counts[p] for total in sums[p]) for p in sorted(sums)}
    return Totals(games, finished, not_decided, moves, means)
