"""The commands that serve an editor or an assistant at standard input and output."""

from __future__ import annotations

import argparse
import importlib.util
from pathlib import Path

from interpreter.cli.output import complain
from interpreter.cli.usage import Usage

_INSTALL = "pip install 'rulelang[desk]'"


def _has(library: str, command: str) -> bool:
    """Is a library there? Where it is not, what installs it is said."""
    if importlib.util.find_spec(library) is not None:
        return True
    complain(f"rulelang {command} needs {library}, which is not installed: {_INSTALL}")
    return False


def lsp(args: argparse.Namespace) -> int:
    """Serve an editor by the language server protocol."""
    if not _has("pygls", "lsp"):
        return 1
    from interpreter.desk.server import serve

    serve()
    return 0


def mcp(args: argparse.Namespace) -> int:
    """Serve an assistant by the Model Context Protocol."""
    folders = tuple(Path(name) for name in args.folders)
    for folder in folders:
        if not folder.is_dir():
            raise Usage(f"{folder} is no folder")
    if not _has("mcp", "mcp"):
        return 1
    from interpreter.desk.mcp_server import serve

    serve(tuple(folder.resolve() for folder in folders))
    return 0
