"""The worked example of docs/workings.md that adds an effect, carried out in a copy of the tree.

That of a built-in word is carried out by tests/builtins/test_records.py.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from update_docs import Fence, fences

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "workings.md"

REVERSED = """
game piles "Piles"
  players: 1
component card
  pieces title
    | low
    | middle
    | high
place pile: card, ordered
event start_pile
  move "low" to pile
  move "middle" to pile
  move "high" to pile
event turn
  reverse pile
flow
  do start_pile
  do turn
scenario "what was on top is at the bottom"
  players 1
  given
    do start_pile
    do turn
  expect top of pile is "low", last of pile is "high"
"""


def listings(title: str) -> list[Fence]:
    """The listings of one worked example."""
    section = PAGE.read_text("utf-8").split(f"\n### {title}\n")[1].split("\n### ")[0]
    return [fence for fence in fences(section) if fence.language == "diff"]


def carry_out(tree: Path, listing: Fence) -> None:
    """Write what a listing adds to the files it names, after the lines it shows."""
    for name, change in re.findall(
        r"^--- (\S+)\n(.*?)(?=^--- |\Z)", listing.text, re.MULTILINE | re.DOTALL
    ):
        path = tree / name
        lines, at = path.read_text("utf-8").split("\n"), 0
        for line in change.rstrip("\n").split("\n"):
            if line.startswith("+"):
                lines.insert(at, line[1:])
            else:
                assert line[1:] in lines[at:], f"{name} has no line {line[1:]!r} there"
                at = lines.index(line[1:], at)
            at += 1
        path.write_text("\n".join(lines), "utf-8")


def run(tree: Path, *command: str) -> tuple[int, str]:
    """A Python module run in the copy of the tree."""
    made = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=tree,
        env={"PYTHONPATH": f"{tree}:{tree / 'tests' / 'tools'}"}
        | {"XDG_CACHE_HOME": str(tree / "cache"), "HOME": str(tree)},
        capture_output=True,
        text=True,
        check=False,
    )
    return made.returncode, made.stdout + made.stderr


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the code and of the tests that guide whoever changes it."""
    for name in ("rulelang", "interpreter", "rulesets", "tests/engine", "tests/tools"):
        shutil.copytree(ROOT / name, tmp_path / name)  # with what Python has compiled of it
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_add_an_effect(tree: Path) -> None:
    """With the class alone a test names what is missing; with the rest authors can use the verb."""
    first, second = listings("Add an effect")
    program = tree / "piles.rules"
    program.write_text(REVERSED, "utf-8")
    guide = ("pytest", "-q", "-p", "no:cacheprovider", "tests/engine/test_walker.py", "-k", "table")
    carry_out(tree, first)
    status, said = run(tree, *guide)
    assert status == 1 and "Reverse" in said, said
    assert run(tree, "interpreter.cli.main", "test", str(program))[0] == 1
    carry_out(tree, second)
    status, said = run(tree, *guide)
    assert status == 0, said
    status, said = run(tree, "interpreter.cli.main", "test", str(program))
    assert status == 0 and "1 " in said, said
    status, said = run(tree, "interpreter.cli.main", "simulate", str(program), "--games", "1")
    assert status == 0, said
