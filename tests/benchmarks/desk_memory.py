"""How much memory the desk holds as edits go on.

    python tests/benchmarks/desk_memory.py [RULES] [--edits N] [--rows N] [--seed N] [--most MB]

Edits of all sorts (those of tests/tools/random_edits.py: texts, fields, titles, wordings, rules,
files, and what breaks a text) are told to a workspace, as an editor would tell them; each is
checked, and completion and hover are asked for at a place. Printed are the edits made, the
megabytes held and the objects alive. With `--most` the status is 1 where the second half of the
edits holds that many megabytes more than the first ever held.
"""

from __future__ import annotations

import argparse
import gc
import random
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "benchmarks")]

from desk import held  # noqa: E402

from interpreter.desk import completion, hover  # noqa: E402
from interpreter.desk.documents import Change  # noqa: E402
from interpreter.desk.positions import Place  # noqa: E402
from interpreter.desk.workspace import Workspace  # noqa: E402
from rulelang.diagnostics import Diagnostic  # noqa: E402
from tests.tools.random_edits import Edited  # noqa: E402


class Session:
    """A workspace that is told of the edits of a copy of a game."""

    def __init__(self, rules: Path, folder: Path, seed: int) -> None:
        """Every file is open, and checked once."""
        self.rng = random.Random(seed)
        self.edited = Edited(rules, folder, self.rng)
        self.workspace = Workspace((folder,))
        self.begun = {path: path.read_text("utf-8") for path in self.edited.files()}
        self.version = 0
        self.told()

    def step(self) -> None:
        """Make an edit and ask what an editor asks behind it.

        The files are as they were at first again where they have become twice as long: else what is
        held grows with them.
        """
        self.edited.edit()
        if self._size() > 2 * sum(map(len, self.begun.values())):
            for path in self.edited.files():
                path.unlink()
            for path, text in self.begun.items():
                path.write_text(text, "utf-8")
        self.told()

    def _size(self) -> int:
        return sum(path.stat().st_size for path in self.edited.files())

    def told(self) -> None:
        """The workspace has the files as they are now, and has checked what they touch."""
        workspace, files = self.workspace, self.edited.files()
        for path in [path for path in workspace.documents if path not in files]:
            workspace.close(path)
        self.version += 1
        for path in files:
            text = path.read_text("utf-8")
            if path not in workspace.documents:
                workspace.open(path, text, self.version)
            elif workspace.documents[path].text != text:
                workspace.change(path, [Change(text)], self.version)
        units = {unit: None for path in files for unit in workspace.touched(path)}
        found = [item for unit in units for item in _all_found(workspace.check(unit).found)]
        workspace.forget()
        self.edited.look(found)
        document = workspace.documents[self.rng.choice(files)]
        line = self.rng.randrange(len(document.lines) or 1)
        place = Place(line, min(6, len(document.line(line))))
        completion.complete(workspace, document, place)
        hover.hover(workspace, document, place)
        workspace.findings(document.path)
        workspace.tidy()


def _all_found(found: Mapping[Path, tuple[Diagnostic, ...]]) -> list[Diagnostic]:
    return [item for items in found.values() for item in items]


def main() -> int:
    """Print the memory; the status."""
    told = argparse.ArgumentParser(description=__doc__)
    told.add_argument("rules", nargs="?", type=Path, default=ROOT / "tests/good/kitchen")
    told.add_argument("--edits", type=int, default=10_000)
    told.add_argument("--rows", type=int, default=20)
    told.add_argument("--seed", type=int, default=20)
    told.add_argument("--most", type=float)
    args = told.parse_args()
    sizes: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        session = Session(args.rules.resolve(), Path(folder) / "rules", args.seed)
        for number in range(1, args.edits + 1):
            session.step()
            if number % max(1, args.edits // args.rows) == 0:
                sizes.append(held())
                print(f"{number:6} edits {sizes[-1]:8.1f} MB {len(gc.get_objects()):9} objects")
                sys.stdout.flush()
    half = len(sizes) // 2
    growth = max(sizes[half:]) - max(sizes[:half], default=0.0)
    print(f"growth of the second half: {growth:.1f} MB")
    return int(args.most is not None and growth > args.most)


if __name__ == "__main__":
    sys.exit(main())
