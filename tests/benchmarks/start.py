"""How long commands take to start: processor time as multiples of importing lark and pydantic.

    python tests/benchmarks/start.py [--repeat N] [--json]

Each figure is the median of so many processes, user and system time together, in units of
`python -c "import lark, pydantic"` measured in the same run: once with what was kept from before,
once with an empty cache. Bytecode is compiled beforehand, as it is where Rulelang is installed.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CLI = ("-m", "rulelang")
UNIT = ("-c", "import lark, pydantic")
THREE_CARDS = """\
for simcity

card "Bench Orchard" of block
  zone: agricultural
  stage: settlement
  value: 2
  needs: 1
  pollution: -1
  roads: {vertical, horizontal}
  text
    | Farm 2, if Complex provides 2 Sims.
    | Receive 1 if adjacent to Plains or a Field.

card "Bench Springs" of block
  zone: undeveloped
  land: water
  stage: settlement
  value: 2
  pollution: -2
  text
    | Add 2 to each Hotel placed within 2 blocks.

card "Bench Landing" of block
  zone: commercial
  stage: village
  value: %d
  needs: 2
  pollution: 1
  roads: {vertical, horizontal}
  text
    | Harbor 2.
    | Must be played adjacent to water.
    | Receive 2 if connected by road to an Inn or Hotel.
"""


@dataclass(frozen=True)
class Row:
    """One command: its figures, in units or seconds, and its bound, where it has one."""

    command: str
    measure: str  # "units" | "seconds"
    kept: float
    from_nothing: float
    bound: float
    bounded: str  # "kept" | "from nothing": which of the two the bound is for

    @property
    def holds(self) -> bool:
        """Is the bounded figure within its bound?"""
        return (self.kept if self.bounded == "kept" else self.from_nothing) <= self.bound


class Bench:
    """Processes of this Python with a cache and bytecode of their own."""

    def __init__(self, folder: Path, repeat: int) -> None:
        """Everything written goes below the folder."""
        self.folder, self.repeat = folder, repeat
        self.environ = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        self.environ["PYTHONPATH"] = str(ROOT)
        self.environ["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")

    def once(self, words: Sequence[str], cache: Path) -> float:
        """Seconds of processor time of one process, its standard input empty."""
        child = subprocess.Popen(
            [sys.executable, *words],
            cwd=ROOT,
            env=self.environ | {"RULELANG_CACHE": str(cache)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode not in (0, 130):
            raise SystemExit(f"{' '.join(words)}: exit status {child.returncode}")
        return used.ru_utime + used.ru_stime

    def median(self, command: Callable[[], Sequence[str]], kept: bool) -> float:
        """The median over processes, after one that is not counted."""
        cache = self.folder / "cache"
        times = []
        for _ in range(self.repeat + 1):
            if not kept:
                shutil.rmtree(cache, ignore_errors=True)
            times.append(self.once(command(), cache))
        return statistics.median(times[1:])


def measured(bench: Bench) -> list[Row]:
    """All rows, in the order of their bounds."""
    cards = bench.folder / "three_cards.rules"
    edits = iter(range(1, 1_000_000))

    def three() -> Sequence[str]:
        cards.write_text(THREE_CARDS % (next(edits) % 900), "utf-8")  # a new text each time
        return (*CLI, "check", str(cards))

    text = "Receive 2 if adjacent to a Lake."
    commands: list[tuple[str, Callable[[], Sequence[str]], float]] = [
        ("--version", lambda: (*CLI, "--version"), 1),
        ("--help", lambda: (*CLI, "--help"), 1),
        ("games", lambda: (*CLI, "games"), 2),
        ("explain simcity TEXT", lambda: (*CLI, "explain", "simcity", text), 5),
        ("play big_city", lambda: (*CLI, "play", "big_city", "--seats", "me,me"), 5),
        ("check THREE_CARDS", three, 10),
    ]
    unit = bench.median(lambda: UNIT, True)
    rows = []
    for name, command, bound in commands:
        nothing, kept = bench.median(command, False), bench.median(command, True)
        rows.append(Row(name, "units", kept / unit, nothing / unit, bound, "kept"))

    def whole() -> Sequence[str]:
        return (*CLI, "check", "rulesets/simcity")

    nothing, kept = bench.median(whole, False), bench.median(whole, True)
    rows.append(Row("check rulesets/simcity", "seconds", kept, nothing, 4, "from nothing"))
    return rows


def main() -> int:
    """Print the table; the exit status is 1 if a bound is passed."""
    words = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    words.add_argument("--repeat", type=int, default=5, metavar="N")
    words.add_argument("--json", action="store_true", help="write plain data")
    args = words.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = measured(Bench(Path(folder), args.repeat))
    if args.json:
        print(json.dumps([asdict(row) | {"holds": row.holds} for row in rows], indent=2))
    else:
        print(f"{'command':<24}{'kept':>8}{'from nothing':>14}{'bound':>8}")
        for row in rows:
            sign = "" if row.holds else "  too slow"
            print(
                f"{row.command:<24}{row.kept:>8.2f}{row.from_nothing:>14.2f}{row.bound:>8.0f}"
                f" {row.measure}, {row.bounded}{sign}"
            )
    return 0 if all(row.holds for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
