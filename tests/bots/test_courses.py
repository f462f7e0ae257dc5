"""Plays of a search: in each turn the best of a few lines, alike in a module and by the usual
engine.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from interpreter.bots.courses import ByState, Courses, leads
from interpreter.bots.search import modules_of
from interpreter.game.game import Game, State, load

THROWS = """game throws "Throws"
  players: 2
state points of player: number = 0
flow
  each p in turn
    choose m in {1 to 3} by p "once"
    choose n in {1 to 3} by p "again"
    add m + n to p's points
rank
  ORDER player's points
"""


def throws(folder: Path, order: str) -> Game:
    (folder / "throws.rules").write_text(THROWS.replace("ORDER", order), "utf-8")
    return load(str(folder / "throws.rules"), players=2)


def played(game: Game, turns: int, lines: int) -> dict[object, object]:
    play = ByState(game.start(0), 0)
    assert play.strive(random.Random(5), turns, lines) == 2 * turns
    return {**play.state.position.vars["points"]}


def test_a_turn_is_the_best_of_its_lines(tmp_path: Path) -> None:
    """Of 99 lines one takes 3 and 3, but for (8/9)^99, and where less is better 1 and 1; the other
    has done nothing yet. In the next turn he does as well.
    """
    game = throws(tmp_path, "highest")
    assert played(game, 1, 99) == {0: 6, 1: 0}
    assert played(game, 2, 99) == {0: 6, 1: 6}
    assert played(throws(tmp_path, "lowest"), 2, 99) == {0: 2, 1: 2}
    alone = [played(game, 1, 1)[0] for _ in range(2)]
    assert alone[0] == alone[1] and alone[0] != 6  # by these seeds the first line is another


POTS = """game pots "Pots"
  players: 2
state points of player: number = 0
state laid of player: number = 0
flow
  repeat 4 times
    each p at once sealed
      choose n in {1 to 3} by p "how much"
      set p's laid to n
    each p in turn
      choose m in {1 to 2} by p "anything"
    for each p in players
      add p's laid to p's points
    finish round
rank
  highest player's points
"""


def pots(folder: Path, rounds: bool) -> Game:
    (folder / "pots.rules").write_text(
        POTS
        if rounds
        else POTS.replace("    finish round\n", "").replace(
            '    each p in turn\n      choose m in {1 to 2} by p "anything"\n', ""
        ),
        "utf-8",
    )
    return load(str(folder / "pots.rules"), players=2)


@pytest.mark.parametrize("rounds", [True, False])
def test_a_line_is_judged_when_its_round_is_over(tmp_path: Path, rounds: bool) -> None:
    """What is laid counts when both have laid and, with rounds, chosen once more each; of 99 lines
    one lays 3. Without rounds it counts as soon as both have laid.
    """
    play = ByState(pots(tmp_path, rounds).start(0), 0)
    assert play.strive(random.Random(1), 2, 99) == 2
    assert play.state.position.vars["laid"] == {0: 3, 1: 3}


@pytest.mark.parametrize("rounds", [True, False])
def test_a_module_judges_lines_as_the_reference_does(tmp_path: Path, rounds: bool) -> None:
    pytest.importorskip("wasmtime", reason="the extra `native` is not installed")
    game = pots(tmp_path, rounds)
    modules, state = modules_of(game), game.start(0)
    assert not isinstance(modules, str)
    native = modules.courses(state, 0)
    assert native is not None
    plays = []
    for courses in (native, Courses(state, 0)):
        rng = random.Random(4)
        play = courses.begun(courses.drawn(rng))
        made = [(play.strive(rng, 1, 4), play.standing()) for _ in range(8)]
        plays.append((made, rng.getstate()))
    assert plays[0] == plays[1] and not modules.left and plays[0][0][-1][1][0] > [4, 4]


def test_one_leads_before_the_best_of_the_others() -> None:
    assert leads([7, 4, 9]) == [-2, -5, 2] and leads([3]) == [3]


def begun(game: Game, seed: int) -> State:
    rng, state = random.Random(seed), game.start(seed)
    for _ in range(seed % 9):
        if not state.over:
            state = state.choose(state.decisions[-1].sample(rng))
    return state


@pytest.mark.parametrize(
    "name", ["examples/classics/crazy_eights", "examples/classics/hex", "tests/good/sealed"]
)
def test_a_module_strives_as_the_reference_does(name: str) -> None:
    """The same is drawn and taken, as often, and what is drawn later is the same, too."""
    pytest.importorskip("wasmtime", reason="the extra `native` is not installed")
    game, told = load(name, players=2), 0
    modules = modules_of(game)
    assert not isinstance(modules, str)
    for seed in range(9):
        state = begun(game, seed)
        if state.over:
            continue
        player = state.decisions[0].player
        native, usual = modules.courses(state, player), Courses(state, player)
        assert native is not None
        found = []
        for courses in (native, usual):
            rng = random.Random(seed)
            play = courses.begun(courses.drawn(rng))
            made = [play.strive(rng, 3, 3), play.take_any(rng, 2), play.strive(rng, 4, 2)]
            found.append((made, play.standing(), play.over, rng.getstate()))
        assert found[0] == found[1]
        told += sum(found[0][0]) > 4
    assert told > 4 and not modules.left


def test_what_a_module_cannot_say_is_striven_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a module stops in a later turn the reference makes all turns anew, with the same
    chance.
    """
    pytest.importorskip("wasmtime", reason="the extra `native` is not installed")
    from interpreter.native.resuming import Resumed
    from interpreter.native.runtime import AskReference

    game = load("examples/classics/crazy_eights", players=2)
    modules, state, taken = modules_of(game), game.start(3), Resumed.strive
    assert not isinstance(modules, str)
    native = modules.courses(state, 0)
    assert native is not None
    found, asked = [], list[int]()

    def stopping(self: Resumed, rng: random.Random, *args: int) -> int:
        asked.append(len(asked))
        if len(asked) == 2:
            taken(self, rng, *args)
            raise AskReference("on purpose")
        return taken(self, rng, *args)

    monkeypatch.setattr(Resumed, "strive", stopping)
    for courses in (native, Courses(state, 0)):
        rng = random.Random(2)
        play = courses.begun(courses.drawn(rng))
        made = [play.strive(rng, 2, 3) for _ in range(3)]
        found.append((made, play.standing(), rng.getstate()))
    assert found[0] == found[1] and modules.left == 1 and asked == [0, 1]
