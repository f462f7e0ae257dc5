"""Cities played out: every level and number of players ends in whole cities, and the scores are
those of the tourists that stand there.
"""

from __future__ import annotations

import pytest

from interpreter.bots.agents import BOTS
from interpreter.game.game import load
from interpreter.simulation.outcome import play_out


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("players", [1, 2, 4, 6])
def test_random_play_ends_in_whole_cities(level: int, players: int) -> None:
    """Sixteen tiles of equal numbers for all, four by four, 13 rounds.

    The points kept for tourists add up to the score.
    """
    game = load("cities", players=players, options={"level": level})
    state = play_out(game.start(level), [BOTS["random"](level * 64 + p) for p in range(players)])
    s, info, fields = state.position, game.setup.boards["city"], game.setup.fields
    assert state.ended_by == "cities_complete"
    assert not s.places[("stack", None)] and len(s.places[("removed", None)]) == 8
    numbers = []
    for player in range(players):
        cells = s.present("city", player)
        columns, rows = {c % info.grid.width for c in cells}, {c // info.grid.width for c in cells}
        assert len(cells) == 64 and len(columns) == len(rows) == 8
        tiles = {
            tile for cell, (tile, _) in s.tiles["city"].items() if cell // info.cells == player
        }
        assert {game.setup.pieces[tile].owner for tile in tiles} == {player}
        numbers.append({fields["number"][tile] for tile in tiles})
        assert state.scores()[player] == sum(
            points
            for tourist, points in s.vars["points"].items()
            if game.setup.pieces[tourist or 0].owner == player
        )
    assert all(n == numbers[0] and len(n) == 16 for n in numbers)
