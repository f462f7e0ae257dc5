"""`before` in reactions that propose events of their own, whether results are kept or not."""

from __future__ import annotations

import pytest

from interpreter.game.game import game_of
from interpreter.game.loading import load_rules


@pytest.mark.parametrize("keeps", [True, False])
def test_before_is_the_position_before_the_event_that_is_answered(keeps: bool) -> None:
    """After events of the reaction's own too, and where a definition looks back."""
    game = game_of(load_rules("tests/good/echoes"), 2, (), {}, keeps=keeps)
    state = game.start(0).play(0, action="up", n=3).play(1, action="up", n=1)
    values = state.play(0, action="up", n=2).position.vars
    assert values["height"] == {0: 5, 1: 1}
    assert values["was"] == values["was_by_name"] == {0: 3, 1: 0}
    assert values["rung_at"] == {0: 5, 1: 1}
    assert values["heard"] == {0: 2, 1: 1}
