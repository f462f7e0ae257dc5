"""The console script `rulelang`: sees that no other distribution's `interpreter` is in the way.

Another project owns a top-level package of that name too. Where both are installed, files of one
may have replaced files of the other, so this is found before anything of `interpreter` is imported.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

OURS = "interpreter"
_OWN_NAME = "rulelang"


def other_owners(folder: Path) -> list[str]:
    """The other distributions whose records say that they installed files of `interpreter` here."""
    start = f"{OURS}/".encode()
    found = []
    for record in sorted(folder.glob("*.dist-info/RECORD")):
        raw = record.read_bytes()
        name = record.parent.name.partition("-")[0]
        if name != _OWN_NAME and (raw.startswith(start) or b"\n" + start in raw):
            found.append(_name_of(record.parent))
    return found


def _name_of(record_folder: Path) -> str:
    from importlib.metadata import (
        Distribution,  # takes long to load, and is needed for a clash only
    )

    return Distribution.at(record_folder).metadata["Name"] or record_folder.stem


def clash() -> str | None:
    """Why the packages of this installation cannot be used, and what to do; none if they can."""
    own = Path(__file__).resolve().parent.parent
    spec = importlib.util.find_spec(OURS)
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    if not places:
        return (
            f"rulelang is not installed whole: its package `{OURS}` is missing.\n"
            "Install it again: pip install --force-reinstall rulelang"
        )
    there = Path(places[0]).resolve().parent
    others = other_owners(there)
    if there == own and not others:
        return None
    by = " and ".join(others) if others else str(Path(places[0]))
    return (
        f"rulelang cannot run here: a package `{OURS}` is also installed by {by}.\n"
        "One of them has taken the place of the other. Give rulelang an environment of its own:\n"
        "  python -m venv rulelang-env\n"
        "  rulelang-env/bin/pip install rulelang"
    )


def main() -> int:
    """The command line of a process of its own; exit status 2 where it cannot be run."""
    message = clash()
    if message is not None:
        print(message, file=sys.stderr)
        return 2
    from interpreter.cli.main import process

    return process()


if __name__ == "__main__":
    sys.exit(main())
