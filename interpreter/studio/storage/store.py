"""Games, seats, choices and chat as records, read from and written to a database."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property

import sqlalchemy as sa

from interpreter.studio.storage.schema import CHAT, CHOICES, GAMES, PROJECTS, SEATS, SETTINGS
from interpreter.studio.storage.writer import Writer
from rulelang.core.values import Json

PERSON = "person"
WATCHER, HOST = -1, -2  # the links of a game that are no seats


class Taken(Exception):
    """Another row was written at this number first."""


class Gone(Exception):
    """The database cannot be reached, or refuses; nothing was written."""


@dataclass(frozen=True)
class Settings:
    """What a game is played with."""

    rules: str
    players: int
    variants: tuple[str, ...] = ()
    options: Mapping[str, str | int] = field(default_factory=dict)
    added: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def key(self) -> str:
        """One text for equal settings."""
        return json.dumps(
            [
                self.rules,
                self.players,
                sorted(self.variants),
                dict(self.options),
                dict(self.added),
            ],
            sort_keys=True,
        )


@dataclass(frozen=True)
class Kept:
    """A game as it is kept, without its choices."""

    id: str
    settings: Settings
    rules_hash: str
    seed: int
    kinds: tuple[str, ...]  # of the seats: PERSON, or the name of a bot
    over: bool = False
    undecided: str = ""

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [number for number, kind in enumerate(self.kinds) if kind == PERSON]


@dataclass(frozen=True)
class Row:
    """One choice, by its number in the game: a person's or bot's, a forced one, or so many taken
    back (`value` of them).
    """

    number: int
    seat: int
    how: str
    name: str
    value: Json


@dataclass(frozen=True)
class Standing:
    """How a game stands: is it over, why can it not go on, how many lines were said, and the
    choices behind a number.
    """

    over: bool
    undecided: str
    said: int
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Said:
    """One line of chat."""

    number: int
    seat: int
    said: str


# Asked for again and again, so they are put together once.
_SAID = sa.select(sa.func.coalesce(sa.func.max(CHAT.c.number), 0)).where(
    CHAT.c.game == sa.bindparam("game")
)
_STANDING = (
    sa.select(
        GAMES.c.over,
        GAMES.c.undecided,
        _SAID.scalar_subquery().label("said"),
        *(CHOICES.c[name] for name in ("number", "seat", "how", "name", "value")),
    )
    .select_from(
        GAMES.outerjoin(
            CHOICES,
            sa.and_(CHOICES.c.game == GAMES.c.id, CHOICES.c.number > sa.bindparam("after")),
        )
    )
    .where(GAMES.c.id == sa.bindparam("game"))
    .order_by(CHOICES.c.number)
)
_REACHED = sa.select(
    sa.select(sa.func.coalesce(sa.func.max(CHOICES.c.number), 0))
    .where(CHOICES.c.game == sa.bindparam("game"))
    .scalar_subquery()
    .label("last"),
    _SAID.scalar_subquery().label("said"),
    GAMES.c.undecided,
).where(GAMES.c.id == sa.bindparam("game"))
_ISSUE = sa.select(SEATS.c.issue).where(
    SEATS.c.game == sa.bindparam("game"), SEATS.c.number == sa.bindparam("seat")
)
_CHAT = (
    sa.select(CHAT)
    .where(CHAT.c.game == sa.bindparam("game"))
    .order_by(CHAT.c.number.desc())
    .limit(sa.bindparam("most"))
)


class Store:
    """Reads and writes the records of one database; raises Gone where that cannot be."""

    def __init__(self, engine: sa.Engine) -> None:
        """The tables are there already."""
        self.engine = engine
        # what only reads needs no transaction, which a server would be told to begin and to end
        self._reads = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._writer = Writer(engine) if engine.dialect.name == "sqlite" else None

    # ------------------------------------------------------------------------------ the server
    def secret(self) -> str:
        """What links are signed with: the same for every process, made when first asked for."""
        found = self._setting("secret")
        if found is None:
            with suppress(Taken):  # another process was quicker
                self._write(sa.insert(SETTINGS), [{"name": "secret", "value": secrets.token_hex()}])
            found = self._setting("secret")
        assert found is not None
        return found

    def _setting(self, name: str) -> str | None:
        rows = self._read(sa.select(SETTINGS.c.value).where(SETTINGS.c.name == name))
        return str(rows[0]["value"]) if rows else None

    # ------------------------------------------------------------------------------------ games
    def open_game(self, game: Kept) -> None:
        """Keep a game that begins, with its seats and links; raises Taken if its id is."""
        settings = game.settings
        row: dict[str, object] = {
            "id": game.id,
            "rules": settings.rules,
            "rules_hash": game.rules_hash,
            "players": settings.players,
            "variants": json.dumps(list(settings.variants)),
            "options": json.dumps(dict(settings.options)),
            "added": json.dumps(dict(settings.added)),
            "seed": game.seed,
            "begun": int(time.time()),
            "over": game.over,
            "undecided": game.undecided,
        }
        seats: list[dict[str, object]] = [
            {"game": game.id, "number": number, "kind": kind, "issue": 1}
            for number, kind in [*enumerate(game.kinds), (WATCHER, "watcher"), (HOST, "host")]
        ]
        try:
            with self.engine.begin() as connection:
                connection.execute(sa.insert(GAMES), [row])
                connection.execute(sa.insert(SEATS), seats)
        except sa.exc.IntegrityError as error:
            raise Taken(game.id) from error
        except sa.exc.SQLAlchemyError as error:
            raise Gone(str(error)) from error

    def game(self, id: str) -> Kept | None:
        """A game by its id; none if there is none."""
        rows = self._read(sa.select(GAMES).where(GAMES.c.id == id))
        if not rows:
            return None
        row = rows[0]
        seats = self._read(
            sa.select(SEATS.c.kind)
            .where(SEATS.c.game == id, SEATS.c.number >= 0)
            .order_by(SEATS.c.number)
        )
        settings = _settings(row)
        kinds = tuple(str(seat["kind"]) for seat in seats)
        return Kept(
            id, settings, row["rules_hash"], row["seed"], kinds, row["over"], row["undecided"]
        )

    def played(self, most: int) -> list[Settings]:
        """With what the games are played that are open, those begun last first."""
        columns = [GAMES.c[name] for name in ("rules", "players", "variants", "options", "added")]
        query = (
            sa.select(*columns)
            .where(sa.not_(GAMES.c.over), GAMES.c.undecided == "")
            .group_by(*columns)
            .order_by(sa.func.max(GAMES.c.begun).desc())
            .limit(most)
        )
        return [_settings(row) for row in self._read(query)]

    def open_games(self) -> int:
        """How many games are not over."""
        rows = self._read(
            sa.select(sa.func.count().label("open"))
            .select_from(GAMES)
            .where(sa.not_(GAMES.c.over), GAMES.c.undecided == "")
        )
        return int(rows[0]["open"])

    def close(self, id: str, undecided: str = "") -> None:
        """Note that a game is over, or why it cannot go on."""
        self._write(
            sa.update(GAMES)
            .where(GAMES.c.id == id)
            .values(over=not undecided, undecided=undecided[:1000])
        )

    # ------------------------------------------------------------------------------------ seats
    def issue(self, game: str, seat: int) -> int | None:
        """Which issue of a seat's link is good; none if there is no such seat."""
        rows = self._read(_ISSUE, game=game, seat=seat)
        return int(rows[0]["issue"]) if rows else None

    def revoke(self, game: str, seat: int) -> None:
        """From now on only a new link leads to a seat."""
        self._write(
            sa.update(SEATS)
            .where(SEATS.c.game == game, SEATS.c.number == seat)
            .values(issue=SEATS.c.issue + 1)
        )

    # --------------------------------------------------------------------------------- projects
    def issues(self, project: str) -> tuple[int, int]:
        """Which issues of a project's links are good: to read it, and to write in it."""
        query = sa.select(PROJECTS).where(PROJECTS.c.name == project)
        rows = self._read(query)
        if not rows:
            with suppress(Taken):  # another process was quicker
                row: dict[str, object] = {"name": project, "reading": 1, "writing": 1}
                self._write(sa.insert(PROJECTS), [row])
            rows = self._read(query)
        return int(rows[0]["reading"]), int(rows[0]["writing"])

    def reissue(self, project: str, writing: bool) -> None:
        """From now on only a new link leads to a project, to read it or to write in it."""
        self.issues(project)
        column = PROJECTS.c.writing if writing else PROJECTS.c.reading
        self._write(
            sa.update(PROJECTS).where(PROJECTS.c.name == project).values({column: column + 1})
        )

    # ---------------------------------------------------------------------------------- choices
    def standing(self, game: str, after: int = 0) -> Standing | None:
        """How a game stands, with its choices behind a number in order; none if there is none."""
        found = self._read(_STANDING, game=game, after=after)
        if not found:
            return None
        rows = tuple(
            Row(r["number"], r["seat"], r["how"], r["name"], json.loads(r["value"]))
            for r in found
            if r["number"] is not None
        )
        first = found[0]
        return Standing(first["over"], first["undecided"], first["said"], rows)

    def reached(self, game: str) -> tuple[int, int, str] | None:
        """The numbers of the last choice and the last line of chat, and why a game cannot go on."""
        found = self._read(_REACHED, game=game)
        return (found[0]["last"], found[0]["said"], found[0]["undecided"]) if found else None

    def choices(self, game: str, after: int = 0) -> list[Row]:
        """The choices of a game behind a number, in order."""
        found = self.standing(game, after)
        return list(found.rows) if found is not None else []

    def add_choice(self, game: str, row: Row) -> None:
        """Write a choice; raises Taken if its number is."""
        value = json.dumps(row.value, ensure_ascii=False)
        kept = {"game": game, "number": row.number, "seat": row.seat, "how": row.how}
        self._write(sa.insert(CHOICES), [{**kept, "name": row.name, "value": value}])

    # ------------------------------------------------------------------------------------- chat
    def chat(self, game: str, most: int) -> list[Said]:
        """The last lines of a game's chat, in order."""
        rows = self._read(_CHAT, game=game, most=most)
        return [Said(r["number"], r["seat"], r["said"]) for r in reversed(rows)]

    def add_chat(self, game: str, said: Said) -> None:
        """Write a line of chat; raises Taken if its number is."""
        row = {"game": game, "number": said.number, "seat": said.seat, "said": said.said}
        self._write(sa.insert(CHAT), [row])

    def latest(self, games: Sequence[str]) -> dict[str, tuple[int, int]]:
        """Of each of these games the numbers of its last choice and line of chat."""
        found = dict.fromkeys(games, (0, 0))
        for place, table in enumerate((CHOICES, CHAT)):
            rows = self._read(
                sa.select(table.c.game, sa.func.max(table.c.number).label("last"))
                .where(table.c.game.in_(list(games)))
                .group_by(table.c.game)
            )
            for row in rows:
                id, number, was = row["game"], row["last"], found[row["game"]]
                found[id] = (number, was[1]) if place == 0 else (was[0], number)
        return found

    # --------------------------------------------------------------------------------- the wire
    def _read(self, query: sa.Executable, **values: str | int) -> list[sa.RowMapping]:
        try:
            try:
                return self._found(query, values)
            except sa.exc.DBAPIError as error:
                if not error.connection_invalidated:
                    raise
                return self._found(query, values)  # the server was away since the last question
        except sa.exc.SQLAlchemyError as error:
            raise Gone(str(error)) from error

    def _found(self, query: sa.Executable, values: dict[str, str | int]) -> list[sa.RowMapping]:
        with self._reads.connect() as connection:
            return list(connection.execute(query, values).mappings().all())

    def _write(self, query: sa.Executable, rows: list[dict[str, object]] | None = None) -> None:
        try:
            if self._writer is not None:
                self._writer.write(query, rows)
                return
            self._written(query, rows)
        except sa.exc.IntegrityError as error:
            raise Taken(str(error)) from error
        except sa.exc.SQLAlchemyError as error:
            raise Gone(str(error)) from error

    def _written(self, query: sa.Executable, rows: list[dict[str, object]] | None) -> None:
        """Write in a transaction; once more if the server was away since the last one, so that it
        never heard of this.
        """
        heard = False
        try:
            with self.engine.connect() as connection:
                connection.execute(query, rows)
                heard = True
                connection.commit()
        except sa.exc.DBAPIError as error:
            if heard or not error.connection_invalidated:
                raise
            with self.engine.begin() as connection:
                connection.execute(query, rows)


def _settings(row: sa.RowMapping) -> Settings:
    """The settings of a row."""
    return Settings(
        row["rules"],
        row["players"],
        tuple(json.loads(row["variants"])),
        json.loads(row["options"]),
        json.loads(row["added"]),
    )
