"""The steps of scenarios: the compiler knows each that the grammar has."""

from __future__ import annotations

import re
from pathlib import Path

from rulelang.compiler.scenarios import STEPS
from rulelang.syntax import parser


def test_every_step_of_the_grammar_is_compiled() -> None:
    """The table of steps is closed: a step added to the grammar needs a function."""
    grammar = (Path(parser.__file__).parent / "rules.lark").read_text("utf-8")
    assert set(STEPS) == set(re.findall(r"-> (s_\w+)", grammar))
