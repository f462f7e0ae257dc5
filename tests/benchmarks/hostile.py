"""How long a check of each hostile text takes, and how much memory it holds.

    python tests/benchmarks/hostile.py [--only NAME] [--json]

Each text of tests/tools/hostile_texts.py is checked in a process of its own. Seconds of processor
time, the start of the process left out, and the most memory it held at once, in MB. Promised are
10 s and 1,000 MB; the tests count the work instead, which is the same on every machine.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "tools")]

from compiling import drawn, findings  # noqa: E402
from hostile_texts import HOSTILE  # noqa: E402


def measured(name: str) -> tuple[float, float]:
    """The seconds one check takes, and the memory of this process after it, in MB."""
    raw = HOSTILE[name][0]().encode("utf-8", "surrogatepass")
    began = time.process_time()
    found, sources = findings({"town.rules": raw})
    drawn(found[:200], sources)
    spent = time.process_time() - began
    return spent, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024


def main() -> None:
    """Measure, and print the texts that take longest first."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--only", action="append", choices=list(HOSTILE), metavar="NAME")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    # One process for each text: what one check holds is not counted with the next.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        rows = {name: pool.submit(measured, name).result() for name in given.only or HOSTILE}
    if given.json:
        told = {name: {"seconds": s, "megabytes": mb} for name, (s, mb) in rows.items()}
        print(json.dumps(told, indent=2))
        return
    for name, (spent, held) in sorted(rows.items(), key=lambda row: -row[1][0]):
        print(f"{spent:>7.2f} s {held:>6.0f} MB  {name}")


if __name__ == "__main__":
    main()
