"""The walker over bodies: what is met next, and that all who follow bodies go by it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from interpreter.engine.events import EFFECTS
from interpreter.engine.machine import CONTROL
from interpreter.engine.walker import (
    CHANGES,
    DECISIONS,
    FOLLOWED,
    Asked,
    Changed,
    Ended,
    Place,
    Proposed,
)
from interpreter.game.game import Game, game_of
from interpreter.game.loading import load_rules
from rulelang import core

RULES = """
game paths "Paths"
  players: 2
board meadow
  grid: square, 2 by 2
  cells: field
state owner of field: player or none = none
state taken of player: number = 0
event claim(p: player, f: field)
  set f's owner to p
rules of claim(p, f)
  "nobody's"  f's owner is none
procedure settle(p: player, f: field)
  let g = f
  do claim(p, g)
action guarded(p: player) "Guarded"
  if p's taken > 3
    add 1 to p's taken
  let least = 0
  if p's taken < least
    do settle(p, the {f in fields})
  choose f in fields by p "field"
  do settle(p, f)
action later(p: player) "Later"
  add 1 to p's taken
  choose f in fields by p "field"
  do claim(p, f)
action branch(p: player) "Branch"
  if p's taken = 0
    let x = 1
  choose f in {} by p "field"
  do claim(p, f)
flow
  repeat
    each p in turn
      take one of guarded, later, branch by p
end full when every f in fields: f's owner is not none
rank
  highest taken of player
"""


def statements() -> set[type]:
    """All classes of statements."""
    return {kind for kind in core.Stmt.__subclasses__() if kind.__module__ == core.Stmt.__module__}


def test_every_class_of_statement_is_in_every_table() -> None:
    """An effect, what it does to control, and what it is to the walker, each once."""
    assert set(EFFECTS) == set(CONTROL) == statements()
    assert Counter([*DECISIONS, *FOLLOWED, *CHANGES]) == Counter(statements())


@pytest.fixture(params=[True, False], ids=["keeping", "forgetting"])
def game(tmp_path: Path, request: pytest.FixtureRequest) -> Game:
    """A game whose actions have branches that are not taken."""
    (tmp_path / "paths.rules").write_text(RULES, "utf-8")
    return game_of(load_rules(str(tmp_path)), 2, (), {}, keeps=request.param)


def test_what_is_met(game: Game) -> None:
    """Names are given, untaken branches passed and procedures entered, up to what stops."""
    s, walker = game.start(0).position, game.lookahead.walker
    asked = walker.meet(s, walker.procedure("guarded", (0,)))
    assert isinstance(asked, Asked) and isinstance(asked.stmt, core.Choose)
    named = {name.split("~")[0]: value for name, value in asked.at.scope.items()}
    assert named == {"p": 0, "least": 0}
    met = walker.meet(s, asked.at.naming(asked.stmt.var, 2))
    assert isinstance(met, Proposed) and (met.event, met.values) == ("claim", (0, 2))
    assert met.at.clause == game.rules_source.procedures["settle"].clause
    assert isinstance(walker.meet(s, walker.procedure("later", (0,))), Changed)
    assert isinstance(walker.meet(s, walker.procedure("branch", (0,))), Ended)
    assert isinstance(walker.meet(s, Place((), 0, {})), Ended)


def test_a_branch_that_is_not_taken_hides_no_refusal(game: Game) -> None:
    """What stands against a play after it is told, whether the choices are given or open."""
    state = game.start(0).play(0, action="guarded", f="a1")
    (reason,) = state.why_not(1, "guarded", f="a1")
    assert reason.label == "nobody's"
    assert not state.why_not(1, "guarded", f="b2") and not state.why_not(1, "guarded")
    for cell in ("b1", "a2"):
        player = state.decisions[0].player
        state = state.play(player, action="guarded", f=cell)
    assert [reason.label for reason in state.why_not(1, "guarded", f="a2")] == ["nobody's"]


def test_options_agree_with_what_is_refused(game: Game) -> None:
    """Fields that are taken are not offered, after the branch as before it."""
    state = game.start(0).play(0, action="guarded", f="a1")
    later = state.choose(state.option(1, "action", "guarded"))
    assert [option.value for option in later.decisions[0].options()] == [1, 2, 3]
