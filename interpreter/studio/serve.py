"""The studio as a process: its database, its games, its address."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs
import uvicorn

from interpreter.game import catalog
from interpreter.game.gc_pause import served
from interpreter.studio.app import Studio, make_app
from interpreter.studio.author.projects import Projects
from interpreter.studio.hub import BOT_SECONDS, Hub, processes
from interpreter.studio.links import Links
from interpreter.studio.live import MOST_COMPILED, Shelf
from interpreter.studio.offers import Offer
from interpreter.studio.pages import Pages
from interpreter.studio.processes import ALONE, Front, Share
from interpreter.studio.storage.database import NoDatabase, database, sqlite_url
from interpreter.studio.storage.store import Gone, Store
from interpreter.studio.tables import Tables

if TYPE_CHECKING:
    from interpreter.studio.storage.notices import Notices

# Seconds for which a thread that computes keeps others waiting; the usual 0.005 would add up in the
# one thread that reads and writes all sockets.
SWITCHING = 0.0005
BACKLOG = 1_024  # connections that wait to be taken
_EVERYWHERE = ("", "0.0.0.0", "::")
_LOCAL = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True)
class Address:
    """Where the studio listens, and by which names it may be called besides."""

    host: str = "127.0.0.1"
    port: int = 8321
    names: tuple[str, ...] = ()


def usual_database() -> str:
    """The URL of the database in the user's own folder, which is made if need be."""
    folder = platformdirs.user_data_path("rulelang", appauthor=False)
    folder.mkdir(parents=True, exist_ok=True)
    return sqlite_url(folder / "studio.sqlite")


def offered(paths: Iterable[Path] = ()) -> list[Offer]:
    """The games that come along, and those of further paths."""
    entries = [(entry.id, entry) for entry in catalog.games()]
    entries += [(str(path.resolve()), catalog.entry(path)) for path in paths]
    return [Offer(number, rules, entry) for number, (rules, entry) in enumerate(entries)]


def usual_projects() -> Path:
    """The folder of projects in the user's own folder."""
    return platformdirs.user_data_path("rulelang", appauthor=False) / "projects"


@dataclass(frozen=True)
class Prepared:
    """What all processes have alike, worked out before they are split from one another."""

    pages: Pages = field(default_factory=Pages)
    shelf: Shelf = field(default_factory=Shelf)


def prepared(url: str) -> Prepared:
    """Pages that are ready to be written, and the rules that are played most on a database;
    raises NoDatabase.
    """
    found = Prepared()
    found.pages.prepare()
    engine = database(url)
    try:
        found.shelf.prepare(Store(engine).played(MOST_COMPILED))
    except Gone as error:
        raise NoDatabase(str(error)) from error
    finally:
        engine.dispose()  # no process may use a connection of another
    return found


def made(
    url: str,
    offers: list[Offer],
    seconds: float = BOT_SECONDS,
    projects: Path | None = None,
    listed: bool = True,
    share: Share = ALONE,
    known: Prepared | None = None,
) -> Studio:
    """A studio on a database, with the projects of a folder; raises NoDatabase. `share` says which
    games it has, if it is one of several processes, and `known` what was worked out for all.
    """
    known = known or Prepared()
    begun = [processes(known.shelf)]  # before anything is opened that it must not hold

    def pool() -> Executor:
        return begun.pop() if begun else processes()

    tables = Tables(Store(database(url)), shelf=known.shelf)
    hub = Hub(tables, pool, seconds, share=share, notices=notices_of(tables.store, share))
    kept = Projects(projects or usual_projects())
    links = Links(tables.store)
    pages = known.pages
    return Studio(tables, links, hub, offers, pages=pages, projects=kept, listed=listed)


def notices_of(store: Store, share: Share) -> Notices | None:
    """By which servers on one PostgreSQL tell one another what changed; none elsewhere."""
    if store.engine.dialect.name != "postgresql":
        return None
    from interpreter.studio.storage.notices import Notices

    return Notices(store.engine, share.server)


def is_local(address: Address) -> bool:
    """Can nobody but this machine reach it?"""
    return address.host in _LOCAL and not address.names


def can_share() -> bool:
    """Can several processes serve one address here?"""
    return hasattr(os, "fork") and hasattr(socket, "send_fds")


def serve(
    make: Callable[[Share], Studio],
    address: Address,
    ready: Callable[[str], None],
    count: int = 1,
) -> None:
    """Serve by so many processes until they are told to end; `ready` is told the address.

    Raises OSError if nothing can listen there, and NoDatabase.
    """
    served()
    if count == 1:
        studio = make(ALONE)
        listening = _listening(address)
        ready(_url(address, listening))
        _run(studio, address, listening)
        return

    def work(share: Share, handed: socket.socket) -> None:
        _run(make(share), address, handed)

    listening = _listening(address)
    Front(listening, work, count).serve(lambda: ready(_url(address, listening)))


def _listening(address: Address) -> socket.socket:
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    return socket.create_server((address.host, address.port), family=family, backlog=BACKLOG)


def _url(address: Address, listening: socket.socket) -> str:
    shown = "127.0.0.1" if address.host in _EVERYWHERE else address.host
    port = listening.getsockname()[1]
    return f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/"


def _run(studio: Studio, address: Address, listening: socket.socket) -> None:
    """Serve what comes to a socket until the process is told to end."""
    everywhere = address.host in _EVERYWHERE
    names = (*address.names, *(() if everywhere else (address.host,)))
    config = uvicorn.Config(
        make_app(studio, names, everywhere),
        log_level="warning",
        access_log=False,  # addresses hold the secrets of seats
        server_header=False,
        proxy_headers=False,
        ws_max_size=4_096,
        h11_max_incomplete_event_size=32_768,
        timeout_graceful_shutdown=3,
    )
    sys.setswitchinterval(SWITCHING)
    uvicorn.Server(config).run(sockets=[listening])
