"""Studios for tests: on a database of their own, with bots in a thread beside the test."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from html import unescape
from pathlib import Path

from starlette.testclient import TestClient, WebSocketTestSession

from interpreter.studio.app import Studio, make_app
from interpreter.studio.author.bench import Bench
from interpreter.studio.author.projects import Projects
from interpreter.studio.hub import Hub
from interpreter.studio.limits import Limits
from interpreter.studio.links import Links
from interpreter.studio.processes import Share
from interpreter.studio.serve import notices_of, offered
from interpreter.studio.storage.database import database, sqlite_url
from interpreter.studio.storage.store import PERSON, Kept, Settings, Store
from interpreter.studio.tables import Tables

HOME = "http://localhost"
POSTED = {"origin": HOME, "hx-request": "true"}
THREE_CARDS = "examples/classics/three_cards"
TICK = "examples/classics/tic_tac_toe"


def url(folder: Path) -> str:
    return sqlite_url(folder / "studio.sqlite")


def tables(at: Path | str) -> Tables:
    """Tables on the database of a URL, or on a file in a folder."""
    return Tables(Store(database(at if isinstance(at, str) else url(at))))


def binary(name: str) -> str | None:
    """A program of PostgreSQL, on the path or where Debian puts it."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(found[-1]) if found else None)


@contextmanager
def postgresql(lasting: bool = False) -> Iterator[Callable[[], str]]:
    """A PostgreSQL of the system's binaries, reached by a socket alone; gives a new database each
    time it is called. `lasting`, what is committed outlives a loss of power, which is slower.
    """
    folder = Path(tempfile.mkdtemp(prefix="rulelang-postgresql-"))
    user: str | None = None
    if os.geteuid() == 0:  # which PostgreSQL refuses to run as
        user = "postgres"
        shutil.chown(folder, user)

    def run(name: str, *rest: str, check: bool = True) -> None:
        command, quiet = (str(binary(name)), *rest), subprocess.DEVNULL
        subprocess.run(command, check=check, user=user, cwd=folder, stdout=quiet, stderr=quiet)

    made = itertools.count()

    def new() -> str:
        name = f"studio{next(made)}"
        run("createdb", "-h", str(folder), "-U", "studio", name)
        return f"postgresql://studio@/{name}?host={folder}"

    data, options = str(folder / "data"), f"-k {folder} -c listen_addresses=''"
    options += "" if lasting else " -c fsync=off"
    try:
        run("initdb", "-D", data, "-A", "trust", "-U", "studio", "--no-sync")
        run("pg_ctl", "-D", data, "-w", "-l", str(folder / "log"), "-o", options, "start")
        yield new
    finally:
        run("pg_ctl", "-D", data, "-m", "immediate", "stop", check=False)
        shutil.rmtree(folder, ignore_errors=True)


def begin(at: Tables, rules: str, players: int = 2, kinds: tuple[str, ...] = ()) -> Kept:
    return at.begin(Settings(rules, players), kinds or (PERSON,) * players)


def threads() -> Executor:
    return ThreadPoolExecutor(1)


def studio(folder: Path, *paths: str, limits: Limits | None = None) -> Studio:
    """A studio whose bots may think as long as they like: these games are small."""
    at = tables(folder)
    hub = Hub(at, pool=threads, seconds=0, poll=0.05)
    offers = offered([Path(path) for path in paths])
    projects, bench = Projects(folder / "projects"), Bench()
    links = Links(at.store)
    made = Studio(at, links, hub, offers, limits or Limits(), projects=projects, ask=bench.answer)
    made.study = bench.answer
    return made


def server(at: str, folder: Path) -> Studio:
    """One of several servers on a PostgreSQL, which looks at what others wrote only if it is told
    to.
    """
    of = tables(at)
    hub = Hub(of, threads, 0, poll=3_600, notices=notices_of(of.store, Share()))
    return Studio(of, Links(of.store), hub, [])


def client(made: Studio) -> TestClient:
    return TestClient(make_app(made), base_url=HOME, follow_redirects=False)


def socket(
    web: TestClient, token: str, headers: dict[str, str] | None = None
) -> WebSocketTestSession:
    """The socket of a seat, opened by a page of the studio unless the headers say otherwise."""
    sent = {"origin": HOME} if headers is None else headers
    return web.websocket_connect(f"ws://localhost/socket/{token}", headers=sent)


@dataclass(frozen=True)
class Asked:
    """The form of an answer, as it stands on a page."""

    key: str
    name: str
    mode: str
    values: list[str]

    def form(self, place: int = 0) -> dict[str, str]:
        """The answer that takes one option."""
        value = self.values[place]
        return {"key": self.key, "name": self.name, "mode": self.mode, "value": value}


def asked(page: str) -> Asked | None:
    """What a page asks; none if nothing."""
    form = re.search(r'<form id="answer".*?</form>', page, re.S)
    if form is None:
        return None
    hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form[0]))
    values = re.findall(r'name="value" value="([^"]*)" class="option"', form[0])
    return Asked(hidden["key"], hidden["name"], hidden["mode"], [unescape(v) for v in values])
