"""Work is bounded by counting in the terms of the language, alike in every engine."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from interpreter.cli.main import main
from interpreter.game.game import Game, State, game_of, load
from interpreter.game.loading import load_rules
from interpreter.game.refusals import why_not
from interpreter.model.values import Fault
from rulelang.core.bounds import LARGEST, MAX_STEPS, MAX_VISITS

STEPS, VISITS = 2_001, 60_000
HEAD = 'game big "Big"\n  players: 2\n  moves: 40\nstate m: number = 3\nstate n: number = 0\n'
HEAD += "state points of player: number = 0\n"
TAIL = """
action go(p: player) "Go"
  do grow(p)
flow
  repeat
    each p in turn
      take one of go by p
end done when m = 0 - 1
rank
  highest player's points
"""
SQUARES = "event grow(p: player)\n  set m to m * m + 9\n"
TURNS = "event grow(p: player)\n  repeat 999999999 times\n    add 1 to n\n"
TURNS_OF_PLAY = "procedure grow(p: player)\n  repeat 999999999 times\n    add 1 to n\n"
SUMS = (
    "define huge = sum of (sum of (sum of (sum of (f * b * c * d for d in {1 to 500}) for c in "
    "{1 to 500}) for b in {1 to 500}) for f in {1 to 500})\n"
    "event grow(p: player)\n  set m to huge\n"
)
RULE = (
    "event grow(p: player)\n  set m to 5\nrules of grow(p)\n"
    '  "odd" no e in {1 to 60} where (some b in {1 to 60} where (some c in {1 to 60} where '
    "e * b * c = 777777777))\n"
)
ENDLESS = "event grow(p: player)\n  repeat while m > 0\n    add 1 to n\n"
LINES = (
    'score worth(p: player)\n  start m "first"\n  times m "more" for each x in {1 to 100}\n'
    "event grow(p: player)\n  add worth(p) to p's points\n"
)
MANY_SMALL = (
    "event grow(p: player)\n  repeat 9000 times\n"
    "    set m to count of {x in {1 to 900} where x > m}\n"
)

# What never ends, or grows beyond all bounds; what is said of it, and in which clause.
CASES = {
    "squares": (SQUARES, "a number that 64 bits cannot hold", "event grow, line 8"),
    "turns": (TURNS, f"more than {STEPS} steps", "event grow, line 9"),
    "turns of play": (TURNS_OF_PLAY, f"more than {STEPS} steps", "procedure grow, line 9"),
    "sums": (SUMS, f"more than {VISITS} members", "define huge, line 7"),
    "a rule": (RULE, f"more than {VISITS} members", "rules of grow/odd, line 10"),
    "endless": (ENDLESS, f"more than {STEPS} steps", "event grow, line 9"),
    "lines": (LINES, "a number that 64 bits cannot hold", "score worth/more, line 9"),
    "many small": (MANY_SMALL, f"more than {VISITS} members", "event grow, line 9"),
}


def game(folder: Path, body: str, keeps: bool = True) -> Game:
    """A game whose one action is this; its bounds on work are low, to be passed soon."""
    (folder / "big.rules").write_text(HEAD + body + TAIL, "utf-8")
    made = game_of(load_rules(str(folder), tests=False), 2, (), {}, keeps=keeps)
    made.setup.work.most_steps, made.setup.work.most_visits = STEPS, VISITS
    return made


def played(made: Game) -> tuple[int, str]:
    """How many choices were made, state by state, and the fault that came then."""
    state: State | None = None
    try:
        state = made.start(0)
        while not state.over:
            state = state.choose(next(state.decisions[0].options()))
    except Fault as fault:
        return (state.moves if state is not None else -1), str(fault)
    return state.moves, ""


@pytest.mark.parametrize("case", CASES)
def test_what_passes_a_bound_is_a_fault_alike_kept_or_not(tmp_path: Path, case: str) -> None:
    """After the same choices, in the same words, which name the clause."""
    body, why, where = CASES[case]
    slow, fast = played(game(tmp_path, body, keeps=False)), played(game(tmp_path, body))
    assert slow == fast
    assert fast[1].startswith(why) and fast[1].endswith(f", in {where}"), fast


def test_the_bounds_are_those_that_are_stated(tmp_path: Path) -> None:
    """A game is made with them."""
    game(tmp_path, SQUARES)
    work = load(str(tmp_path)).setup.work
    assert (work.most_steps, work.most_visits) == (MAX_STEPS, MAX_VISITS)


def test_fourteen_squares(tmp_path: Path) -> None:
    """3, 18, 333 … : the seventh number has 67 bits, as 3 squared six times is about 2 ** 133."""
    values, m = [], 3
    for _ in range(14):
        m = m * m + 9
        values.append(m)
    fits = sum(1 for value in values if value <= LARGEST)
    assert played(game(tmp_path, SQUARES))[0] == fits == 4


LOOPS = {
    "in an event": "event grow(p: player)\n  repeat 7 times\n    add 1 to n\n",
    "in play": "procedure grow(p: player)\n  repeat 7 times\n    add 1 to n\n",
    "members": "procedure grow(p: player)\n  for each x in {1 to 7}\n    add x to n\n",
    "while": (
        "procedure grow(p: player)\n  set n to 0\n  repeat while n < 7\n"
        "    if n = 3\n      add 1 to n\n    otherwise\n      do one_more(p)\n"
        "event one_more(p: player)\n  add 1 to n\n"
    ),
    "players": "procedure grow(p: player)\n  each q in turn\n    add 1 to n\n",
    "an answer": (
        "event grow(p: player)\n  add 1 to n\n  if n > 0\n    add 1 to m\n"
        "when grow(p)\n  for each x in {1 to 3}\n    add 1 to n\n"
    ),
}


def least(run: Callable[[], tuple[int, str]], limit: Callable[[int], None]) -> int:
    """The least bound on steps under which the first turn can be played."""
    for steps in range(1, 60):
        limit(steps)
        if run()[0] > 0:
            return steps
    raise AssertionError("no bound will do")


@pytest.mark.parametrize("loop", LOOPS)
def test_steps_are_counted_alike(tmp_path: Path, loop: str) -> None:
    """The very same bound lets every engine pass, and one step less none."""
    found = {}
    for name, keeps in (("reference", False), ("keeping", True)):
        run, made = played, game(tmp_path, LOOPS[loop], keeps)
        found[name] = least(partial(run, made), partial(setattr, made.setup.work, "most_steps"))
    assert len(set(found.values())) == 1, found
    if loop == "in an event":  # take part: do, repeat, 7 rounds of one statement; the loop over p
        assert found["reference"] == 1 + 1 + 7 * 2 + 1


def test_a_game_that_is_not_decided_is_kept_and_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The clause is named; what was played stands in records, results and standings."""
    game(tmp_path, SQUARES)
    kept = tmp_path / "game.save"
    play = ("play", str(tmp_path), "--bots", "random,random", "--record", str(kept))
    assert main(play) == 1
    said = capsys.readouterr()
    assert "The game is not decided: a number that 64 bits cannot hold, in event grow" in said.out
    assert "P003" in said.err and "event grow" in said.err
    record = json.loads(kept.read_text("utf-8"))
    assert len(record["choices"]) == 4 and "event grow" in record["not_decided"]
    assert main(("replay", str(kept), "--rules", str(tmp_path))) == 0
    assert "The game is not decided: a number that 64 bits" in capsys.readouterr().out

    assert main((*play[:4], "--json")) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["moves"] == 4 and data["diagnostics"][0]["code"] == "P003"
    assert "event grow" in data["not_decided"]


def test_many_games_go_on_after_one_that_is_not_decided(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each is counted, with the choices made in it."""
    game(tmp_path, SQUARES)
    assert main(("simulate", str(tmp_path), "--games", "3", "--json")) == 1
    data = json.loads(capsys.readouterr().out)
    assert (data["games"], data["finished"], data["not_decided"], data["moves"]) == (3, 0, 3, 12)
    assert all("event grow" in fault for fault in data["faults"])
    assert main(("conform", str(tmp_path), "--games", "1")) == 1
    assert "the game is not decided: a number that 64 bits" in capsys.readouterr().out


def test_scenarios_go_on_after_one_that_is_not_decided(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One fails with the reason, the next passes."""
    play = "".join("  play p1: grow()\n" for _ in range(9)).replace("grow", "grown")
    tests = f'scenario "too far"\n  players 2\n{play}  expect m = 1\n'
    tests += 'scenario "near"\n  players 2\n  play p1: grown()\n  expect m = 18\n'
    more = "procedure grown(p: player)\n  do grow(p)\n"
    (tmp_path / "big.rules").write_text(HEAD + SQUARES + more + TAIL + tests, "utf-8")
    assert main(("test", str(tmp_path), "--json")) == 1
    data = json.loads(capsys.readouterr().out)
    assert (data["passed"], data["failed"]) == (1, 1)
    told = next(s["message"] for s in data["scenarios"] if s["name"] == "too far")
    assert told.startswith("the game is not decided: a number that 64 bits cannot hold")


def test_questions_do_not_add_up(tmp_path: Path) -> None:
    """Each evaluation that is asked for from outside begins to count anew."""
    made = load(str(_quiet(tmp_path)))
    state = made.start(0)
    work = made.setup.work
    before = []
    for _ in range(3):
        assert not why_not(state, 0, "go", {})
        before.append(work.visits)
    assert not work.open and len(set(before)) == 1


def _quiet(folder: Path) -> Path:
    game(folder, RULE.replace("777777777", "1000").replace("60", "9"))
    return folder
