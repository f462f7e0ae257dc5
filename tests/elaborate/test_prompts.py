"""Values in prompts: checked like any expression, worked out where they are asked, and nobody
reads what he may not know.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.game.game import Game, load
from interpreter.game.loading import RulesError
from interpreter.game.prompts import asked
from interpreter.game.views import view
from interpreter.render.table import section

RULES = """game orchard "Orchard"
  players: 2
component tree
  number: number
  kind: text
  pieces number, kind
    | 1 "Apple"
    | 2 "Pear"
    | 3 "Plum"
place hand of player: tree, private
place pile: tree, full
place cellar: tree, hidden
state baskets of player: number = 0 reads "{baskets} baskets"
state tired of player: truth = false reads "too tired to pick"
state secret of player: number = 7
event drop(p: player, t: tree, n: number) reads "{p} drops {t} and receives {n} baskets"
  move t to p's hand
  add n to p's baskets
action pick(p: player) "Pick"
  choose t in pile by p "Which of {count of pile} trees?"
  choose n in {1 to 3} by p "How many for {t}?"
  may "Drop {t}, {n * 2} in all?" by p
    do drop(p, t, n)
flow
  repeat
    each p in turn
      take one of pick by p
end full when pile is empty
rank
  highest player's baskets
"""


def made(tmp_path: Path, text: str) -> Game:
    path = tmp_path / "orchard.rules"
    path.write_text(text, "utf-8")
    return load(str(path))


def test_values_stand_in_prompts(tmp_path: Path) -> None:
    """Each is what it is when it is asked; a piece goes by the number that tells it apart."""
    state = made(tmp_path, RULES).start(1)
    state = state.choose(state.option(0, "action", "pick"))
    assert asked(state, state.specs[0], 0) == "Which of 3 trees?"
    assert asked(state, state.specs[0], 1) == "Which of … trees?"
    decisions = view(state, None)["decisions"]
    assert isinstance(decisions, list) and "Which of … trees?" in str(decisions)
    state = state.choose(state.option(0, "t", "tree 2 Pear"))
    assert asked(state, state.specs[0], 0) == "How many for tree 2?"
    state = state.choose(state.option(0, "n", 1))
    assert asked(state, state.specs[0], 0) == "Drop tree 2, 2 in all?"


def test_variables_are_told_by_their_wording(tmp_path: Path) -> None:
    """One without a wording is not told, and a 1 has its noun in the singular."""
    state = made(tmp_path, RULES).start(1)
    s = state.position.copy()
    s.assign("baskets", 0, 1)
    s.assign("secret", 0, 3)
    later = type(state)(state.game, s)
    assert section(later, 0, None) == ["player 1: 1 basket"]
    s.assign("baskets", 0, 2)
    s.assign("tired", 0, True)
    assert section(later, 0, None) == ["player 1: 2 baskets, too tired to pick"]


@pytest.mark.parametrize(
    ("prompt", "code", "column"),
    [
        ("Which of {count of pyle}?", "N001", 45),
        ("{count of cellar} and {first of cellar}?", "T023", 3),
        ("Which of {first of cellar}?", "T023", 3),
        ("Which of {count of pile?", "C009", 25),
    ],
)
def test_a_mistake_in_a_prompt(tmp_path: Path, prompt: str, code: str, column: int) -> None:
    """It is told like one anywhere else, and so is what who decides may not know."""
    text = RULES.replace("Which of {count of pile} trees?", prompt)
    with pytest.raises(RulesError) as error:
        made(tmp_path, text)
    assert [(d.code, d.span.column) for d in error.value.found] == [(code, column)]
