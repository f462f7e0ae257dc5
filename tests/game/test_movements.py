"""Sentences on pieces that change their place: verbs agree, and nothing hidden is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.game import log
from interpreter.game.game import Game, State, load

RULES = """game stall "Stall"
  players: 2
kind color: red, blue
component ware "ware"
  pieces title, copies
    | "Fig"  2
    | "Nut"  1
    | "Silk" 3
place crate: ware, ordered, hidden, full
place pile of color: ware, ordered, hidden
place basket of player: ware, private
place row of player: ware
place counter: ware
flow
  shuffle crate
  for each c in colors
    shuffle pile of c
  draw 1 from crate to p1's basket
  draw 2 from crate to p1's basket
  draw 1 from crate to p2's row
  move {w in p1's basket where w is "Fig"} to counter
  draw 1 from crate to counter
  may "Go on" by p1
    do nothing
rank
  highest count of player's row
"""


@pytest.fixture(scope="module")
def stall(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("stall") / "stall.rules"
    path.write_text(RULES, "utf-8")
    return load(str(path))


def lines(state: State, viewer: int | None) -> list[str]:
    return [log.told(state, entry, viewer) for entry in log.gathered(state.log)]


def test_sentences_agree_and_hide(stall: Game) -> None:
    """One piece goes, two go; who draws is the subject; places of one name are told together."""
    for seed in range(20):
        state = stall.start(seed)
        held = [stall.presenter.piece(p) for entry in state.log[3:5] for p in entry.pieces()]
        told = lines(state, 1)
        assert told[:3] == [
            "the crate is shuffled",
            "the pile of each color is shuffled",
            "player 1 draws 3 wares from the crate",
        ]
        assert told[3].startswith("player 2 draws ") and told[3].endswith(" to the row")
        figs = held.count("Fig")
        went = {1: ["Fig goes to the counter"], 2: ["2 × Fig go to the counter"]}
        assert told[4:-1] == went.get(figs, [])
        assert told[-1].endswith(" is drawn from the crate to the counter")
    own = lines(stall.start(0), 0)[2]
    assert own.startswith("player 1 draws ") and "wares" not in own


def test_where_a_hidden_piece_stood_is_not_told(tmp_path: Path) -> None:
    """Of two wares one was shown; the other is told last, whichever it is."""
    flow = RULES.index("flow\n")
    path = tmp_path / "stall.rules"
    path.write_text(
        RULES[:flow]
        + """flow
  shuffle crate
  draw 2 from crate to p1's basket
  reveal first of p1's basket
  move p1's basket to p2's basket
  may "Go on" by p1
    do nothing
rank
  highest count of player's row
"""
    )
    game, told = load(str(path)), set()
    for seed in range(20):
        state = game.start(seed)
        log = state.view(None)["log"]
        moved = next(line["move"] for line in log if "move" in line)
        assert len(moved) == 2 and moved[1] == "hidden"
        told.add(moved[0])
    assert len(told) > 1
