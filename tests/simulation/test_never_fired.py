"""Which clauses count in simulated games, those among them that only the ranking reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.game.game import load
from interpreter.simulation.simulate import simulate

RULES = """
game race "Race"
  players: 2
state steps of player: number = 0
score worth(p: player)
  + p's steps "steps"  when p's steps > 0
score late(p: player)
  + 1 "last"  when p is p2
  + 5 "never"  when p's steps > 9
action walk(p: player) "Walk"
  add 1 to p's steps
flow
  repeat 2 times
    each p in turn
      take one of walk by p
  finish day
end evening at day when p1's steps > 1
rank
  highest worth(player)
  highest late(player)
"""


@pytest.mark.parametrize("bot", ["random", "hasty", "greedy"])
def test_what_only_the_ranking_reads_counts(tmp_path: Path, bot: str) -> None:
    """Lines of both tables count, and the one that never holds does not."""
    (tmp_path / "race.rules").write_text(RULES, "utf-8")
    found = simulate([load(str(tmp_path))], 2, 0, bot)
    assert found.never_fired == ["score late/never"] and found.finished == 2
    assert found.seen["score late/last"] == found.seen["score worth/steps"] == 2
