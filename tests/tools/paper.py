"""Writes the books of all games that come along, as HTML and PDF, and their sheets as PDF:
`python tests/tools/paper.py FOLDER`. It needs the extra `print`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import rulesets
from interpreter.cli.main import main


def write_all(folder: Path) -> int:
    """Write them into a folder; gives the highest exit status of a command."""
    found = 0
    for name in rulesets.ids():
        for command in (
            ["book", name, "--html", "--output", f"{folder / name}.html"],
            ["book", name, "--output", f"{folder / name}-book.pdf"],
            ["print", name, "--format", "pdf", "--output", f"{folder / name}-sheets.pdf"],
        ):
            found = max(found, main(command))
    return found


if __name__ == "__main__":
    sys.exit(write_all(Path(sys.argv[1])))
