"""Random typed core programs mean the same in both evaluators; a sample, in few seconds.

`python tests/tools/random_core.py --programs N` plays as many as one likes.
"""

from __future__ import annotations

import random_core
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from rulelang import core

EDITS = st.lists(
    st.tuples(st.integers(0, 1 << 16), st.integers(0, 1 << 16)), min_size=1, max_size=5
)


@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(name=st.sampled_from(random_core.names()), edits=EDITS, seed=st.integers(0, 99))
def test_both_evaluators_play_random_programs_alike(
    name: str, edits: list[random_core.Edit], seed: int
) -> None:
    """Options, states, scores, logs, ends and faults are the same, choice by choice."""
    loaded = random_core.made(name, edits)
    assume(loaded is not None)
    assert loaded is not None
    assert random_core.difference(loaded, seed) is None


def test_an_edit_changes_the_program() -> None:
    """An expression is another after an edit of its place, and has the type it had."""
    rules = random_core.begun("numbers").compiled.rules
    changed = 0
    for where in range(0, random_core.places(rules), 7):
        edited = random_core.made("numbers", [(where, 5)])
        if edited is not None and edited.compiled.rules.definitions != rules.definitions:
            changed += 1
            old = [c.value for d in rules.definitions.values() for c in d.cases]
            new = [c.value for d in edited.compiled.rules.definitions.values() for c in d.cases]
            assert [e and str(e.type) for e in old] == [e and str(e.type) for e in new]
    assert changed > 2


def test_circles_are_found() -> None:
    """What would be defined by itself is not played."""
    rules = random_core.begun("numbers").compiled.rules
    assert not random_core.circular(rules)
    grade = rules.definitions["grade"]
    inside = core.Apply("late", (core.Const(1),), type=grade.type)
    late = random_core.replace(rules.definitions["late"], cases=grade.cases)
    cases = tuple(random_core.replace(c, value=inside) for c in late.cases)
    turned = {**rules.definitions, "late": random_core.replace(late, cases=cases)}
    assert random_core.circular(random_core.replace(rules, definitions=turned))
