"""How a command that failed is reported: rules that cannot be used, a fault, a library that is not
installed, or an internal error."""

from __future__ import annotations

import os
import re
import sys
import traceback

from interpreter.cli.output import complain, give, show
from interpreter.game.loading import RulesError
from interpreter.model.values import Fault
from rulelang.diagnostics import finding
from rulelang.diagnostics.source import NOWHERE


def report_failure(error: Exception, as_json: bool) -> int:
    """Tell the user what went wrong; returns the exit status: 1, or 3 for an internal error."""
    if isinstance(error, RulesError):
        found, sources = error.found, error.sources
    elif isinstance(error, Fault):
        found, sources = [finding("fault", NOWHERE, why=str(error))], {}
    elif isinstance(error, ModuleNotFoundError) and (missing := _not_installed(error)):
        complain(missing)
        return 1
    else:
        return _internal(error)
    if as_json:
        give({"diagnostics": [item.as_json() for item in found]})
    else:
        show(found, sources, error=True)
    sys.stdout.flush()
    return 1


def _not_installed(error: ModuleNotFoundError) -> str:
    """What to install for a library that is not there; nothing if it is none that we name."""
    from importlib.metadata import PackageNotFoundError, requires

    library = (error.name or "").partition(".")[0].lower()
    try:
        wanted = requires("rulelang") or []
    except PackageNotFoundError:
        wanted = []
    for line in wanted:
        if re.split(r"[^\w.-]", line.lower(), maxsplit=1)[0].replace("-", "_") == library:
            extra = re.search(r"extra == ['\"]([\w.-]+)", line)
            what = f"rulelang[{extra.group(1)}]" if extra else "rulelang"
            return f"This needs {library}, which is not installed: pip install '{what}'"
    return ""


def _internal(error: Exception) -> int:
    if os.environ.get("RULELANG_DEBUG"):
        raise error
    last = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{os.path.basename(last.filename)}, line {last.lineno}"
    complain(f"This is a mistake in Rulelang, not in your files ({where}).")
    complain(
        "Please report it; with RULELANG_DEBUG=1 in the environment it shows where it comes from."
    )
    return 3
