"""The programs of tests/good are a second specification: each construct of the language is in one.

Their scenarios hold in the reference evaluator, and mutants of the semantics make one fail.
"""

from __future__ import annotations

import functools
import random
from functools import partial
from pathlib import Path

import mutants
import pytest

from interpreter.engine.events import EFFECTS
from interpreter.engine.scoring import OPERATIONS
from interpreter.evaluator.expressions import MEANINGS
from interpreter.game.game import game_of
from interpreter.game.loading import Loaded, load_rules
from interpreter.scenarios import scenario as scenarios
from rulelang import core
from rulelang.builtins.registry import authors_words
from rulelang.english.library import declarations
from rulelang.syntax.grammar import parser
from rulelang.syntax.lark_adapter import node_kinds

GOOD = sorted(p for p in Path("tests/good").iterdir() if any(p.glob("*.rules")))
# Constructs that no program of tests/good has, each with why.
ELSEWHERE = {
    "start": "the top of each file",
    "speaks": "begins a file that is added to a game; a whole game has none",
    "Slot": "only templates of wordings hold one; compiled rules never do",
}


@functools.cache
def programs() -> dict[str, Loaded]:
    """All programs, compiled."""
    return {path.name: load_rules(str(path)) for path in GOOD}


@functools.cache
def nodes() -> tuple[core.Node, ...]:
    """All core objects and records of all programs, those of their variants among them."""
    found: list[core.Node] = []
    for loaded in programs().values():
        rules = [loaded.compiled.rules]
        rules += [mutants.overlay(loaded, [name]).compiled.rules for name in rules[0].variants]
        for each in rules:
            for part in vars(each).values():
                found += core.walk(list(part.values()) if isinstance(part, dict) else part)
    return tuple(found)


def test_every_kind_of_syntax_stands_in_a_program() -> None:
    """The grammar makes no kind of node that no program shows, the wordings it reads included."""
    written = [node for made in programs().values() for node in made.nodes]
    found = {part.kind for node in (*written, *declarations()) for part in node.walk()}
    assert sorted(node_kinds(parser()) - found - set(ELSEWHERE)) == []


def test_every_class_of_the_core_is_played() -> None:
    """Each class of expression and statement is in the rules or scenarios of a program."""
    found = {type(node) for node in nodes()}
    wanted = {*MEANINGS, *EFFECTS, core.Choose, core.Take, core.May, core.Maximize, core.Each}
    assert sorted(kind.__name__ for kind in wanted - found) == ["Slot"]


def test_every_word_and_operator_is_played() -> None:
    """Each built-in word, operator, line of a score, lifetime, ranking line and way of time."""
    found = nodes()
    words = {node.name for node in found if isinstance(node, core.Builtin)}
    assert sorted({record.name for record in authors_words()} - words) == []
    assert {n.op for n in found if isinstance(n, core.Compare)} == {"=", "!=", "<", "<=", ">", ">="}
    assert len({n.op for n in found if isinstance(n, core.Arith)}) == 5
    assert {n.mode for n in found if isinstance(n, core.At)} == {"before", "after", "supposing"}
    assert {n.mode for n in found if isinstance(n, core.Choose)} == {"one", "some", "order"}
    assert len({n.mode for n in found if isinstance(n, core.Each)}) == 3
    lines = {n.op for n in found if isinstance(n, mutants.Line)}
    assert lines >= {*OPERATIONS, "one", "slot"}
    extensions = [n for n in found if isinstance(n, mutants.Extension)]
    assert {e.lifetime for e in extensions} >= {"while", "until", "played"}
    assert {e.kind for e in extensions} >= {"score", "rules", "define", "reaction"}
    ranks = [n for n in found if isinstance(n, mutants.RankLine)]
    assert {(r.largest, r.cond is None) for r in ranks} >= {(True, True), (False, False)}
    assert any(loaded.compiled.rules.hurdles for loaded in programs().values())
    ends = [n for n in found if isinstance(n, mutants.Ending)]
    assert {e.unit is None for e in ends} == {True, False}


@pytest.mark.parametrize("name", [path.name for path in GOOD])
def test_scenarios_hold_in_the_reference(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What passes elsewhere passes without anything being kept, too."""
    monkeypatch.setattr(scenarios, "game_of", partial(game_of, keeps=False))
    told = [f"{o.name}: {o.message}" for o in scenarios.run_all(programs()[name]) if not o.passed]
    assert told == []


# Mutants that nobody noticed once, and are looked at in every run of the tests.
ONCE_UNNOTICED = (
    "At before: reads the present",
    "Latch: after every change",
    "Rank lowest: is highest",
    "Choose: a low bound off by one looking ahead",
    "Compare <: none counts",
    "Draw: from the bottom",
    "Table: running totals lag",
)


def test_mutants_of_the_semantics_are_noticed() -> None:
    """Those that once were not, and some that are drawn: `mutants.py` makes them all."""
    known = {m.name: m for m in mutants.all_mutants()}
    drawn = random.Random(14).sample(sorted(known), 8)
    wanted = [known[name] for name in dict.fromkeys((*ONCE_UNNOTICED, *drawn))]
    found = {v.mutant.name: v.killed for v in mutants.verdicts(wanted)}
    assert set(ONCE_UNNOTICED) <= set(found)
    assert [
        name for name, killed in found.items() if not killed and name not in mutants.SURVIVORS
    ] == []


def test_every_survivor_is_a_mutant() -> None:
    """A reason stands for a mutant that is made, and for no other."""
    assert set(mutants.SURVIVORS) <= {m.name for m in mutants.all_mutants()}
