"""The door: `import rulelang` costs nothing, offers its names lazily, and type checkers see their
types.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import interpreter
import rulelang

ROOT = Path(__file__).parents[2]
HEAVY = ("lark", "pydantic", "networkx", "rich", "interpreter")

RIGHT = """
import random
from typing import assert_type
import rulelang

def best(state: rulelang.State) -> rulelang.Move:
    player = state.deciding[0]
    guess = state.imagine(player, random.Random(1))
    return max(guess.legal_moves(), key=lambda move: guess.play(move).scores()[player])

game = rulelang.load("big_city", players=2)
state = game.start(seed=1)
assert_type(state.play(best(state)), rulelang.State)
assert_type(state.scores(), dict[int, int])
assert_type(state.view(1), rulelang.View)
agent: rulelang.Agent = rulelang.random_agent(3)
assert_type(rulelang.__version__, str)
try:
    state.play("build", b="bank", at=[14])
except rulelang.Illegal as error:
    for refusal in error.reasons:
        assert_type(refusal, rulelang.Refusal)
"""
WRONG = {
    'rulelang.load("big_city", player=2)': "call-arg",
    'rulelang.load("big_city").start(seed="x")': "arg-type",
    'rulelang.load("big_city").start().scores()["1"]': "index",
    "rulelang.no_such_name": "attr-defined",
    'rulelang.load("big_city").start().position.places["hand"] = ()': "index",
}


def test_importing_the_door_loads_nothing() -> None:
    """Neither libraries nor the interpreter are loaded before a name is used."""
    code = f"import sys, rulelang; print([m for m in {HEAVY} if m in sys.modules])"
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert made.stdout == "[]\n", made.stderr


def test_every_name_is_there() -> None:
    """Each name of `__all__` resolves, is listed by `dir`, and stands in the stub; no other
    does.
    """
    stub = (ROOT / "rulelang/__init__.pyi").read_text("utf-8")
    typed = set(re.findall(r'^    "(\w+)",$', stub, re.MULTILINE))
    assert set(rulelang.__all__) == typed == set(dir(rulelang))
    for name in rulelang.__all__:
        assert getattr(rulelang, name) is getattr(rulelang, name)
    assert rulelang.load is interpreter.load
    with pytest.raises(AttributeError, match="no attribute 'lood'"):
        rulelang.lood  # noqa: B018


def test_type_checkers_see_the_types(tmp_path: Path) -> None:
    """A program of a user checks strictly, and each wrong use is refused on its line."""
    pytest.importorskip("mypy")
    right = tmp_path / "right.py"
    right.write_text(RIGHT, "utf-8")
    wrong = tmp_path / "wrong.py"
    wrong.write_text("\n".join(["import rulelang", *WRONG]) + "\n", "utf-8")
    made = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--strict",
            "--follow-imports=silent",
            str(right),
            str(wrong),
        ],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(ROOT)},
    )
    found = re.findall(r"^(\w+)\.py:(\d+): error: .*\[([\w-]+)\]$", made.stdout, re.MULTILINE)
    wanted = [("wrong", str(n), code) for n, code in enumerate(WRONG.values(), 2)]
    assert found == wanted, made.stdout + made.stderr
