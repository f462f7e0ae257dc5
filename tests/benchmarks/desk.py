"""How long the desk takes with all of a large game open: edits, and answers about a place.

    python tests/benchmarks/desk.py [--rules FOLDER] [--edits N] [--json]

Milliseconds of processor time, the median and the 95th of a hundred, in one process that has
checked a game once, whose cards have texts and which has wordings and tables. An edit of a card's
text is judged twice: at once, by its syntax and its sentences, and whole, by a check of the game.
`garbage` is collected after every few checks, when all that they found is told.
`growth` is how much more memory is held at the end of all edits than after the first tenth.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import re
import resource
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from interpreter.desk import completion, hover  # noqa: E402
from interpreter.desk.documents import Change, Document  # noqa: E402
from interpreter.desk.positions import Place  # noqa: E402
from interpreter.desk.workspace import MAX_GARBAGE, Workspace  # noqa: E402
from interpreter.game.gc_pause import served  # noqa: E402

ASKED = {
    "card text, at once": 50,
    "card text": 50,
    "new card": 300,
    "removed card": 300,
    "retitled card": 300,
    "wording": 1500,
    "rule": 1500,
    "completion": 50,
    "hover": 50,
}
_CARD = re.compile(r'(?ms)^card "([^"\n]+)".*?(?=^card |\Z)')
_AMOUNT = re.compile(r"(?m)^ *(?:\+|start) (\d+)")
_ROW = re.compile(r"(?m)^    \| .*$")


class Bench:
    """A workspace with every file of a folder open."""

    def __init__(self, folder: Path, seed: int = 20) -> None:
        """Nothing is checked yet."""
        self.workspace = Workspace((folder,))
        self.rng = random.Random(seed)
        self.paths = sorted(folder.rglob("*.rules"))
        for path in self.paths:
            self.workspace.open(path, path.read_text("utf-8"), 1)
        self.cards = [p for p in self.paths if len(_CARD.findall(self.text(p))) > 1]
        self.times: dict[str, list[float]] = {}

    def text(self, path: Path) -> str:
        """A file as it is written now."""
        return self.workspace.documents[path].text

    def check(self, path: Path) -> None:
        """Check all that a file touches."""
        for unit in self.workspace.touched(path):
            self.workspace.check(unit)

    def tidy(self) -> None:
        """Collect garbage if it is time to, as the server does when all is told."""
        if self.workspace.garbage >= MAX_GARBAGE:
            self.timed("garbage", self.workspace.tidy)

    def timed(self, what: str, work: Callable[[], object]) -> None:
        """Note how long some work takes."""
        start = time.process_time()
        work()
        self.times.setdefault(what, []).append((time.process_time() - start) * 1000)

    def edit(self, what: str, path: Path, text: str, at_once: bool = False) -> None:
        """Judge a text in place of a file's, then judge the file as it was."""
        before = self.text(path)
        self.workspace.change(path, [Change(text)])
        if at_once:
            self.timed(f"{what}, at once", lambda: self.workspace.findings(path))
        self.timed(what, lambda: self.check(path))
        self.tidy()
        self.workspace.change(path, [Change(before)])
        self.check(path)
        self.tidy()

    # ------------------------------------------------------------------------------- the edits
    def card_text(self, number: int) -> None:
        """Another sentence in a text."""
        path, rows = self._rows()
        row, said = self.rng.choice(rows), self.rng.choice(rows).group(0)
        text = self.text(path)
        made = text[: row.start()] + said + "\n" + text[row.start() :]
        self.edit("card text", path, made, at_once=True)

    def new_card(self, number: int) -> None:
        """A card like another, with a title of its own."""
        path, card = self._card()
        more = card.group(0).replace(card.group(1), f"Novelty {number}", 1)
        self.edit("new card", path, self.text(path).rstrip("\n") + "\n\n" + more)

    def removed_card(self, number: int) -> None:
        """A file without a card."""
        path, card = self._card()
        text = self.text(path)
        self.edit("removed card", path, text[: card.start()] + text[card.end() :])

    def retitled_card(self, number: int) -> None:
        """Another title."""
        path, card = self._card()
        text = self.text(path)
        made = text[: card.start(1)] + f"Novelty {number}" + text[card.end(1) :]
        self.edit("retitled card", path, made)

    def wording(self, number: int) -> None:
        """One more way to say a sentence."""
        path = self.rng.choice([p for p in self.paths if '\npattern "' in self.text(p)])
        text = self.text(path)
        start = self.rng.choice([m.end() for m in re.finditer(r'(?m)^pattern "', text)])
        self.edit("wording", path, text[:start] + f"Novelty {number} " + text[start:])

    def rule(self, number: int) -> None:
        """Another number in a table."""
        path = self.rng.choice([p for p in self.paths if _AMOUNT.search(self.text(p))])
        text = self.text(path)
        found = self.rng.choice(list(_AMOUNT.finditer(text)))
        made = text[: found.start(1)] + str(50 + number) + text[found.end(1) :]
        self.edit("rule", path, made)

    def asked(self, number: int) -> None:
        """What may follow within a sentence, and what one means."""
        path, rows = self._rows()
        row = self.rng.choice(rows)
        document = self.workspace.documents[path]
        line = self.text(path).count("\n", 0, row.start())
        before = document.line(line)
        at = self.rng.choice([m.start() for m in re.finditer(r" (?=\w)", before[6:])] or [0]) + 7
        self._at("completion", document, Place(line, min(at, len(before))), completion.complete)
        self._at("hover", document, Place(line, 8), hover.hover)

    def _at(
        self,
        what: str,
        document: Document,
        place: Place,
        ask: Callable[[Workspace, Document, Place], object],
    ) -> None:
        self.timed(what, lambda: ask(self.workspace, document, place))

    def _rows(self) -> tuple[Path, list[re.Match[str]]]:
        path = self.rng.choice([p for p in self.cards if _ROW.search(self.text(p))])
        return path, list(_ROW.finditer(self.text(path)))

    def _card(self) -> tuple[Path, re.Match[str]]:
        path = self.rng.choice(self.cards)
        return path, self.rng.choice(list(_CARD.finditer(self.text(path))))


def held() -> float:
    """How much memory the process holds, in megabytes, where the system tells."""
    gc.collect()
    try:
        fields = Path("/proc/self/statm").read_text("ascii").split()
        return int(fields[1]) * resource.getpagesize() / 1e6
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def _rounds(bench: Bench, edits: int) -> Iterator[int]:
    each = (
        bench.card_text,
        bench.new_card,
        bench.removed_card,
        bench.retitled_card,
        bench.wording,
        bench.rule,
        bench.asked,
    )
    for number in range(edits):
        for edit in each:
            edit(number)
        yield number


def main() -> None:
    """Print the times."""
    told = argparse.ArgumentParser(description=__doc__)
    told.add_argument("--rules", type=Path, default=ROOT / "rulesets" / "simcity")
    told.add_argument("--edits", type=int, default=20)
    told.add_argument("--json", action="store_true")
    args = told.parse_args()
    bench = Bench(args.rules.resolve())
    served()
    bench.timed("first check", lambda: bench.check(bench.paths[0]))
    first = 0.0
    for number in _rounds(bench, args.edits):
        if number == args.edits // 10:
            first = held()
    growth = held() - first
    rows = {
        what: {
            "median": round(sorted(times)[len(times) // 2], 1),
            "p95": round(sorted(times)[int(len(times) * 0.95)], 1),
            "asked": ASKED.get(what),
        }
        for what, times in bench.times.items()
    }
    if args.json:
        print(json.dumps({"edits": args.edits, "times": rows, "growth": round(growth, 1)}))
        return
    for what, row in rows.items():
        asked = f"  asked {row['asked']}" if row["asked"] else ""
        print(f"{what:20} median {row['median']:8} ms   p95 {row['p95']:8} ms{asked}")
    print(f"{'growth':20} {growth:.1f} MB over {args.edits} rounds")


if __name__ == "__main__":
    main()
