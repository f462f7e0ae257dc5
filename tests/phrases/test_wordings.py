"""What a game's wordings meant they still mean, whatever declares them today."""

from __future__ import annotations

import pytest

from interpreter.game.loading import load_rules
from tests.tools.wordings import FOLDER, meaning_of, wordings_of

GAMES = sorted(path.stem for path in FOLDER.glob("*.toml"))


@pytest.mark.parametrize("game", GAMES)
def test_every_wording_means_what_it_meant(game: str) -> None:
    """By the normal form of one sentence for each; those that changed say why."""
    glossary = load_rules(game, tests=False).compiled.glossary
    changed = {
        wording.sentence: meant
        for wording in wordings_of(game)
        if not wording.differs
        and (meant := meaning_of(wording.sentence, glossary)) != wording.meaning
    }
    assert wordings_of(game) and changed == {}
