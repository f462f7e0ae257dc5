"""The command that serves games to browsers."""

from __future__ import annotations

import argparse
import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.cli.output import complain, give, say
from interpreter.cli.usage import Usage

if TYPE_CHECKING:
    from interpreter.studio.app import Studio
    from interpreter.studio.processes import Share

_LIBRARIES = (
    "alembic",
    "itsdangerous",
    "jinja2",
    "python_multipart",
    "sqlalchemy",
    "starlette",
    "uvicorn",
    "websockets",
)
_INSTALL = "pip install 'rulelang[studio]'"


def serve(args: argparse.Namespace) -> int:
    """Serve games until the process is told to end."""
    missing = [name for name in _LIBRARIES if importlib.util.find_spec(name) is None]
    if missing:
        complain(f"rulelang serve needs {missing[0]}, which is not installed: {_INSTALL}")
        return 1
    from interpreter.studio import serve as studio
    from interpreter.studio.storage.database import NoDatabase

    paths = [Path(path) for path in args.paths]
    for path in paths:
        if not path.exists():
            raise Usage(f"{path} is no game: there is no such file or folder")
    address = studio.Address(args.host, args.port, tuple(args.name))
    if args.processes > 1 and not studio.can_share():
        raise Usage("--processes takes 1 here: this system hands no connections on")
    url, projects = args.database or studio.usual_database(), _projects(args.projects)
    offers = studio.offered(paths)

    def make(share: Share) -> Studio:
        local = studio.is_local(address)
        return studio.made(url, offers, args.bot_time, projects, local, share, known)

    def ready(url: str) -> None:
        if args.json:
            give({"url": url})
        else:
            say(f"The studio is open at {url} (Control-C closes it; games are kept).")

    try:
        known = studio.prepared(url)  # what is wrong with it is told before anything is begun
        studio.serve(make, address, ready, args.processes)
    except NoDatabase as error:
        raise Usage(f"{error}; --database takes sqlite:///FILE or postgresql://…") from error
    except OSError as error:
        raise Usage(
            f"nothing can listen at {args.host}:{args.port}: {error.strerror or error}"
        ) from error
    return 0


def _projects(name: str | None) -> Path | None:
    """The folder that is named for projects; raises Usage where it cannot be one."""
    if name is None:
        return None
    folder = Path(name)
    if folder.exists() and not folder.is_dir():
        raise Usage(f"{folder} is no folder; --projects takes the folder that holds the projects")
    return folder.resolve()
