"""Attempts: offered by what the player knows, refused by what he does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.game import log
from interpreter.game.game import Illegal, State, load
from interpreter.game.views import view
from tests.tools.compiling import findings

GUESSING = Path(__file__).resolve().parents[1] / "good" / "guessing"


def asking(seed: int = 3) -> State:
    """Player 1 of three has chosen to ask, of player 2."""
    state = load(GUESSING, players=3).start(seed)
    for name, value in (("action", "ask"), ("q", 1)):
        state = state.choose(state.option(0, name, value))
    return state


def cards(state: State) -> dict[str, int]:
    """The card in the hand of player 2, and another."""
    (held,) = state.position.places["hand", 1]
    (other,) = state.position.places["hand", 2]
    return {"held": held, "other": other}


def test_all_is_offered_that_the_player_cannot_know_to_be_wrong() -> None:
    state = asking()
    assert {option.value for option in state.decisions[0].options()} == {0, 1, 2}


@pytest.mark.parametrize(("which", "won", "misses"), [("held", 1, 0), ("other", 0, 1)])
def test_what_he_does_not_know_decides_what_happens(which: str, won: int, misses: int) -> None:
    """Both ways all read in the log that it was attempted, and nothing can be taken back."""
    state = asking()
    later = state.choose(state.option(0, "t", cards(state)[which]))
    assert len(later.position.places["won", 0]) == won
    assert later.position.vars["misses"].get(0, 0) == misses
    for viewer in (0, 1, 2, None):
        lines = [log.told(later, entry, viewer) for entry in later.log]
        assert any(line.startswith("attempt: player 1 takes") for line in lines)
        assert any(line.startswith("player 1 takes") for line in lines) == bool(won)
    with pytest.raises(Illegal):
        later.undo()


def test_views_before_it_are_the_same_whatever_the_others_hold() -> None:
    """The two states differ in who of the others holds which card."""
    views = {repr(view(asking(seed), 0)["decisions"]) for seed in range(12)}
    assert len(views) == 1


def test_why_not_tells_only_rules_that_he_knows() -> None:
    state = asking()
    later = state.choose(state.option(0, "t", cards(state)["held"]))
    asked = later.choose(later.option(1, "action", "ask"))
    again = asked.choose(asked.option(1, "q", 0))
    with pytest.raises(Illegal) as refused:
        again.choose(again.option(1, "t", cards_won(again)))
    assert [reason.label for reason in refused.value.reasons] == ["not won yet"]
    assert not [reason for reason in again.why_not(1, "no_such") if "attempt" in reason.need]


def cards_won(state: State) -> int:
    """The card that player 1 has won."""
    (won,) = state.position.places["won", 0]
    return int(won)


GAME = """
game fishing "Fishing"
  players: 2

component card
  worth: number
  pieces worth
    | 1..9

place deck: card, ordered, hidden, full
place hand of player: card, private
state misses of player: number = 0

event lay(p: player, x: card)
  move x to p's hand

rules of lay(p, x)
  "low"   x's worth < 5
  "room"  count of p's hand < 3

action top_one(p: player) "Take the top card"
  let x = first of deck
  attempt lay(p, x)
  otherwise
    add 1 to p's misses

flow
  each p in turn
    take one of top_one by p
"""


def test_a_value_he_does_not_know_is_not_judged_before_it_is_attempted() -> None:
    """The card on top is the attempted event's own, so rules about it wait."""
    found, _ = findings({"fishing.rules": GAME.encode()})
    assert found == []


def test_an_attempt_in_an_event_is_told() -> None:
    text = GAME.replace(
        "flow\n",
        "event wrong(p: player)\n  attempt lay(p, first of deck)\n  otherwise\n"
        "    do nothing\n\nflow\n",
    )
    found, _ = findings({"fishing.rules": text.encode()})
    assert [item.code for item in found] == ["T014"]
