"""The studio as a process: its database, its games, its address."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import platformdirs
import uvicorn

from interpreter.game import catalog
from interpreter.studio.app import Studio, make_app
from interpreter.studio.author.projects import Projects
from interpreter.studio.hub import BOT_SECONDS, Hub
from interpreter.studio.links import Links
from interpreter.studio.offers import Offer
from interpreter.studio.storage.database import database, sqlite_url
from interpreter.studio.storage.store import Store
from interpreter.studio.tables import Tables

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


def made(
    url: str,
    offers: list[Offer],
    seconds: float = BOT_SECONDS,
    projects: Path | None = None,
    listed: bool = True,
) -> Studio:
    """A studio on a database, with the projects of a folder; raises NoDatabase."""
    tables = Tables(Store(database(url)))
    hub = Hub(tables, seconds=seconds)
    kept = Projects(projects or usual_projects())
    links = Links(tables.store)
    return Studio(tables, links, hub, offers, projects=kept, listed=listed)


def is_local(address: Address) -> bool:
    """Can nobody but this machine reach it?"""
    return address.host in _LOCAL and not address.names


def serve(studio: Studio, address: Address, ready: Callable[[str], None]) -> None:
    """Serve until the process is told to end; `ready` is told the address.

    Raises OSError if nothing can listen there.
    """
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    listening = socket.create_server((address.host, address.port), family=family)
    port = listening.getsockname()[1]
    everywhere = address.host in _EVERYWHERE
    shown = "127.0.0.1" if everywhere else address.host
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
    ready(f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/")
    uvicorn.Server(config).run(sockets=[listening])
