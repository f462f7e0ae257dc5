"""How long a check takes: in a process of its own, and in one that has checked before.

In the latter with nothing changed, and after an edit of one card's text.

    python tests/benchmarks/checks.py [--rules FOLDER] [--edits N] [--json]

Seconds of processor time. Each edit puts one more sentence that another card has into the text of a
card, in a copy of the folder.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from interpreter.authoring.check import check  # noqa: E402

_ROW = re.compile(r"^    \| .*$", re.MULTILINE)


def cold(folder: Path) -> float:
    """A check by the command line, with all it takes to start."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "interpreter.cli.main", "check", str(folder)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def timed(folder: Path) -> float:
    """A check in this process."""
    start = time.process_time()
    check([str(folder)])
    return time.process_time() - start


def edited(path: Path, number: int) -> None:
    """Put a sentence of the last card of a file before those of one of its first."""
    text = path.read_text("utf-8")
    rows = list(_ROW.finditer(text))
    at, said = rows[number % max(1, len(rows) - 1)], rows[-1].group(0)
    path.write_text(text[: at.start()] + said + "\n" + text[at.start() :], "utf-8")


def measured(rules: Path, edits: int) -> dict[str, float | list[float]]:
    """All times of a ruleset."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / rules.name
        shutil.copytree(rules, folder)
        texts = max(
            folder.rglob("*.rules"),
            key=lambda path: (
                len(_ROW.findall(path.read_text("utf-8")))
                if 'card "' in path.read_text("utf-8")
                else 0
            ),
        )
        found: dict[str, float | list[float]] = {
            "cold": cold(folder),
            "first": timed(folder),
            "unchanged": timed(folder),
        }
        after = []
        for number in range(edits):
            edited(texts, number)
            after.append(timed(folder))
        return found | {"after an edit": after}


def main() -> None:
    """Measure and print."""
    words = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    words.add_argument("--rules", type=Path, default=ROOT / "rulesets/simcity")
    words.add_argument("--edits", type=int, default=5)
    words.add_argument("--json", action="store_true")
    args = words.parse_args()
    found = measured(args.rules, args.edits)
    if args.json:
        print(json.dumps(found))
        return
    for name, seconds in found.items():
        print(
            f"{name:14}",
            *(f"{s:7.3f} s" for s in (seconds if isinstance(seconds, list) else [seconds])),
        )


if __name__ == "__main__":
    main()
