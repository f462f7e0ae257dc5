"""The command that serves games to browsers."""

from __future__ import annotations

import argparse
import importlib.util
from pathlib import Path

from interpreter.cli.output import complain, give, say
from interpreter.cli.usage import Usage

_LIBRARIES = (
    "alembic",
    "itsdangerous",
    "jinja2",
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
    try:
        made = studio.made(
            args.database or studio.usual_database(), studio.offered(paths), args.bot_time
        )
    except NoDatabase as error:
        raise Usage(f"{error}; --database takes sqlite:///FILE or postgresql://…") from error

    def ready(url: str) -> None:
        if args.json:
            give({"url": url})
        else:
            say(f"The studio is open at {url} (Control-C closes it; games are kept).")

    try:
        studio.serve(made, studio.Address(args.host, args.port, tuple(args.name)), ready)
    except OSError as error:
        raise Usage(
            f"nothing can listen at {args.host}:{args.port}: {error.strerror or error}"
        ) from error
    return 0
