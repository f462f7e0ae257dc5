"""A database by its URL, at the newest revision of its tables."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

# Connections that are kept: one for each thread that may ask at once; beginning one is dear.
CONNECTIONS = 16
_PATIENCE = 10_000  # milliseconds that one writer of SQLite waits for another
_SCRIPTS = Path(__file__).with_name("migrations")
_VERSIONS = "alembic_version"  # the table in which Alembic says how far it came
_LOCK = 7_205_759  # names the lock under which one process at a time migrates PostgreSQL


class NoDatabase(Exception):
    """A database that cannot be used; says why."""


def database(url: str) -> sa.Engine:
    """The database, its tables brought up to date; raises NoDatabase."""
    try:
        engine = _engine(url)
        with engine.begin() as connection:
            if engine.dialect.name == "postgresql":
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
            if not _is_newest(connection):
                _migrate(connection)
    except (sa.exc.SQLAlchemyError, ImportError, ValueError) as error:
        raise NoDatabase(f"{url} cannot be used: {_first_line(error)}") from error
    return engine


def sqlite_url(path: Path) -> str:
    """The URL of a file of SQLite."""
    return sa.URL.create("sqlite", database=str(path)).render_as_string(hide_password=False)


def _engine(url: str) -> sa.Engine:
    made = sa.make_url(url)
    if made.get_backend_name() not in ("sqlite", "postgresql"):
        raise ValueError("only sqlite:// and postgresql:// are known")
    if made.drivername == "postgresql":
        made = made.set(drivername="postgresql+psycopg")
    if made.get_backend_name() == "postgresql":
        # What is asked here is asked again and again: it is planned once for each connection.
        return sa.create_engine(
            made,
            pool_size=CONNECTIONS,
            pool_use_lifo=True,
            connect_args={"prepare_threshold": 1},
        )
    engine = sa.create_engine(made)
    sa.event.listen(engine, "connect", _prepare)
    return engine


def _prepare(connection: object, record: object) -> None:
    """Writers of SQLite wait for one another, readers for nobody, and what is committed lasts."""
    cursor = connection.cursor()  # type: ignore[attr-defined]  # of any DBAPI driver
    for pragma in (
        f"busy_timeout={_PATIENCE}",
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _is_newest(connection: sa.Connection) -> bool:
    """Are the tables at the newest revision? Then nothing is migrated, and what migrates need not
    be loaded.
    """
    if not sa.inspect(connection).has_table(_VERSIONS):
        return False
    newest = max(path.stem for path in (_SCRIPTS / "versions").glob("v*.py"))
    found = connection.execute(sa.text(f"select version_num from {_VERSIONS}")).scalar()
    return str(found) == newest.partition("_")[0].removeprefix("v")


def _migrate(connection: sa.Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
