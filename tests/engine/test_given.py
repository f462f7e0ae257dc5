"""What a procedure gives that comes to its end without `give`: nothing of its type."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.game.game import game_of
from interpreter.game.loading import load_rules

RULES = """
game gifts "Gifts"
  players: 1
state found: number = 5
procedure nothing_given gives number
  add 1 to found
flow
  let n = nothing_given()
  set found to found + n * 2
rank
  highest found
"""


@pytest.mark.parametrize("keeps", [False, True])
def test_nothing_is_given_by_default(tmp_path: Path, keeps: bool) -> None:
    """Both engines go on with 0 where a number was to be given."""
    (tmp_path / "gifts.rules").write_text(RULES, "utf-8")
    game = game_of(load_rules(str(tmp_path)), 1, (), {}, keeps=keeps)
    assert game.start(0).position.vars["found"] == {None: 6}
