"""What players of the five games see at 80 x 24 and 120 x 40, held against snapshots that somebody
has looked at; and no line that is too long for its screen.
"""

from __future__ import annotations

import pytest
from screens import GAMES, SIZES, end_of, path_of, screens

from interpreter.game.game import load


@pytest.mark.parametrize("name", GAMES)
def test_screens_are_as_they_were_looked_at(name: str) -> None:
    """`python tests/tools/screens.py` writes them anew."""
    game = load(name, players=2)
    end = end_of(game)
    for width, height in SIZES:
        made = screens(game, width, height, end)
        assert max(map(len, made.splitlines())) <= width
        assert end is None or "After " in made.rpartition("~" * 20)[2]
        assert made == path_of(name, width, height).read_text("utf-8"), (name, width, height)
