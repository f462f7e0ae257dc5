"""Whatever checks clean can be compiled and run; what is nested too deep is told at check."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.game.game import game_of
from interpreter.game.loading import load_rules
from rulelang.core.bounds import MAX_NESTED

HEAD = 'game deep "Deep"\n  players: 2\n  moves: 9\nstate m: number = 3\n'
TAIL = """
action go(p: player) "Go"
  do grow(p)
flow
  repeat
    each p in turn
      take one of go by p
end done when m > 5
rank
  highest m
"""
GROW = "event grow(p: player)\n  add 1 to m\n"


def somes(n: int) -> str:
    """A rule of so many `some` within one another."""
    inner = "".join(f"some x{i} in {{1 to 2}} where " for i in range(n))
    return f'{GROW}rules of grow(p)\n  "all" {inner}x{n - 1} = 2\n'


def chooses(n: int) -> str:
    """So many choices in a row."""
    rows = "".join(f"  choose y{i} in {{1 to 2}} by p\n" for i in range(n))
    return f"event bloom(p: player)\n  add 1 to m\nprocedure grow(p: player)\n{rows}  do bloom(p)\n"


def commas(n: int) -> str:
    """A rule of so many conditions."""
    conditions = ",\n    ".join(f"m > 0 - {i}" for i in range(n))
    return f'{GROW}rules of grow(p)\n  "all" {conditions}\n'


def signs(n: int) -> str:
    """A chain of so many signs."""
    return "event grow(p: player)\n  set m to 1 + " + " + ".join(["m"] * n) + f" - {n} * m + m\n"


def loops(n: int) -> str:
    """So many loops within one another."""
    rows = "".join("  " * (i + 1) + f"for each x{i} in {{1 to 1}}\n" for i in range(n))
    return f"event grow(p: player)\n{rows}{'  ' * (n + 1)}add 1 to m\n"


def sums(n: int) -> str:
    """So many sums within one another."""
    text = "m"
    for i in range(n):
        text = f"sum of ({text} for x{i} in {{1 to 1}})"
    return f"event grow(p: player)\n  set m to 1 + {text}\n"


def tables(n: int) -> str:
    """So many score tables, each in need of the one before."""
    rows = 'score s0(p: player)\n  + 1 "one"\n'
    rows += "".join(
        f'score s{i}(p: player)\n  + s{i - 1}(p) "one"\n  + 0 "no"\n' for i in range(1, n)
    )
    return f"{rows}event grow(p: player)\n  add s{n - 1}(p) to m\n"


def procedures(n: int) -> str:
    """So many procedures, each of which runs the one before."""
    rows = "event bloom(p: player)\n  add 1 to m\nprocedure q0(p: player)\n  do bloom(p)\n"
    rows += "".join(f"procedure q{i}(p: player)\n  do q{i - 1}(p)\n" for i in range(1, n))
    return f"{rows}procedure grow(p: player)\n  do q{n - 1}(p)\n"


def events(n: int) -> str:
    """So many events, each the answer to the next."""
    rows = "event q0(p: player)\n  add 1 to m\n"
    rows += "".join(
        f"event q{i}(p: player)\n  add 0 to m\nwhen q{i}(p)\n  do q{i - 1}(p)\n"
        for i in range(1, n)
    )
    return f"{rows}procedure grow(p: player)\n  do q{n - 1}(p)\n"


CLEAN = {
    "15 some": somes(15),
    "21 some": somes(21),
    "60 some": somes(60),
    "25 choices": chooses(25),
    "1,000 conditions": commas(1000),
    "80 signs": signs(80),
    "37 loops": loops(37),
    "21 sums": sums(21),
    "80 tables": tables(80),
    "110 procedures": procedures(110),
    "75 events": events(75),
}
TOO_DEEP = {
    "300 choices": chooses(300),
    "200 tables": tables(200),
    "400 procedures": procedures(400),
    "200 events": events(200),
}


def codes(folder: Path, body: str) -> list[str]:
    """What a check finds."""
    (folder / "deep.rules").write_text(HEAD + body + TAIL, "utf-8")
    return [found.code for found in load_rules(str(folder), tests=False).compiled.report.errors]


@pytest.mark.parametrize("case", CLEAN)
def test_what_checks_clean_runs_alike(tmp_path: Path, case: str) -> None:
    """Three times round, whether results are kept or not."""
    assert codes(tmp_path, CLEAN[case]) == []
    loaded = load_rules(str(tmp_path), tests=False)
    ends = []
    for keeps in (True, False):
        made = game_of(loaded, 2, (), {}, keeps=keeps)
        state = made.start(0)
        while not state.over and state.moves < made.rules_source.max_moves:
            state = state.choose(next(state.decisions[0].options()))
        ends.append((state.digest(), state.scores()))
    assert ends[0] == ends[1]


@pytest.mark.parametrize("case", TOO_DEEP)
def test_what_is_nested_too_deep_is_told_at_check(tmp_path: Path, case: str) -> None:
    """Once, with the bound."""
    assert codes(tmp_path, TOO_DEEP[case]) == ["F005"]
    assert MAX_NESTED == 250
