"""Texts nobody would write: whatever is thrown at the compiler, it answers with findings in the
author's words, never with an exception.
"""

from __future__ import annotations

import functools
import os
import re
from pathlib import Path

from compiling import findings, inside, internal
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mutation import EDITS, Edit, mutated

ROOT = Path(__file__).resolve().parents[2]
LONG = int(
    os.environ.get("RULELANG_FUZZ", "0")
)  # how many times the usual number of examples; 0 is the usual, derandomised
BIG = "rulesets/big_city/*.rules"
SMALL = ["tests/good/tic_tac_toe/*.rules", "tests/good/hex/*.rules"]
MIDDLE = ["tests/good/sims/*.rules"]


@functools.cache
def texts(pattern: str) -> dict[str, str]:
    """The files of one ruleset."""
    return {path.name: path.read_text("utf-8") for path in sorted(ROOT.glob(pattern))}


def survives(files: dict[str, str]) -> None:
    """Compile; every finding quotes a stretch of a text, and speaks no machine's language."""
    found, sources = findings(
        {name: text.encode("utf-8", "surrogatepass") for name, text in files.items()}
    )
    for item in found:
        source = sources.get(item.span.file)
        assert inside(item.span, source), (item, files)
        assert internal(item, source) is None, item
        assert item.message.strip()


def mutate_one(pattern: str, which: int, edits: list[Edit]) -> None:
    """Spoil one file of a ruleset and compile the whole."""
    files = dict(texts(pattern))
    name = sorted(files)[which % len(files)]
    files[name] = mutated(files[name], edits)
    survives(files)


def many(usual: int) -> settings:
    """So many examples, the same in every run unless a longer search is asked for."""
    return settings(
        max_examples=usual * (LONG or 1),
        derandomize=not LONG,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow],
    )


@many(350)
@given(st.sampled_from(SMALL), EDITS)
def test_small_games(pattern: str, edits: list[Edit]) -> None:
    mutate_one(pattern, 0, edits)


@many(60)
@given(st.sampled_from(MIDDLE), EDITS)
def test_a_middle_sized_game(pattern: str, edits: list[Edit]) -> None:
    mutate_one(pattern, 0, edits)


@many(5)
@given(st.integers(0, 20), EDITS)
def test_a_large_game(which: int, edits: list[Edit]) -> None:
    mutate_one(BIG, which, edits)


@many(150)
@given(st.integers(0, 1 << 16), EDITS)
def test_one_block(which: int, edits: list[Edit]) -> None:
    """A single declaration of any game on its own, where nearly every name is unknown."""
    every = [
        part
        for p in [*SMALL, *MIDDLE, BIG]
        for text in texts(p).values()
        for part in re.split(r"\n(?=[a-z])", text)
    ]
    survives({"block.rules": 'game one "One"\n' + mutated(every[which % len(every)], edits)})


@functools.cache
def sentences() -> list[str]:
    """The sentences printed on the cards of the large game."""
    rows = [
        line
        for text in texts(BIG).values()
        for block in re.findall(r"\n  text\n((?:    \|[^\n]*\n)+)", text)
        for line in block.split("\n")
    ]
    return [row.split("|", 1)[1].split("[")[0].strip() for row in rows if "|" in row]


PAIRS = st.tuples(st.integers(0, 1 << 16), st.integers(0, 1 << 16), EDITS)


@many(3)
@given(st.lists(PAIRS, min_size=5, max_size=5))
def test_card_sentences(cards: list[tuple[int, int, list[Edit]]]) -> None:
    """Cards whose text is a sentence, or two, with words moved about: each in a file of its own, so
    that none is spoiled by another, and several compiled at once, for the game takes longest.
    """
    files, known = dict(texts(BIG)), sentences()
    for number, (one, two, edits) in enumerate(cards):
        text = mutated(
            f"{known[one % len(known)]} {known[two % len(known)] if two % 3 == 0 else ''}".strip(),
            edits,
        )
        rows = "".join(f"    | {line}\n" for line in text.split("\n"))
        files[f"own{number}.rules"] = (
            f'card "Fuzz {number}" of building\n  class: special\n  form: "X"\n  text\n{rows}'
        )
    survives(files)


@many(100)
@given(st.text(max_size=200))
def test_any_text(text: str) -> None:
    survives({"any.rules": text})
