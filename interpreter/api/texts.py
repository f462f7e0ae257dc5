"""Rules and card texts checked and explained, as `rulelang check` and `rulelang explain` do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from interpreter.api.game import Game
from interpreter.authoring import check as checking
from interpreter.authoring import explain_card
from interpreter.game.loading import load_rules
from rulelang.diagnostics import Diagnostic


def check(
    paths: str | Path | Iterable[str | Path],
    *,
    rules: str | Path | None = None,
    players: int | None = None,
) -> list[Diagnostic]:
    """All findings about rulesets, card files, or games by id, in the order of files and lines.

    `rules` is where the game of a card file is, if it is none that comes along and not near it.
    """
    names = [paths] if isinstance(paths, str | Path) else list(paths)
    where = str(rules) if rules is not None else None
    return checking.check([str(name) for name in names], where, players=players).found


@dataclass(frozen=True)
class Reading:
    """One meaning of a sentence: in other words, and what it does, line by line."""

    text: str
    effects: tuple[str, ...]


@dataclass(frozen=True)
class Sentence:
    """A sentence of a card: its readings (one, if all is well) and what is to be said about it.

    `title` is that of the card it is read on, where that was given or is supposed from its words.
    """

    text: str
    readings: tuple[Reading, ...]
    findings: tuple[Diagnostic, ...]
    title: str = ""


def explain(game: Game | str, text: str, *, title: str = "") -> list[Sentence]:
    """How a card text, or the card of this title, is understood in a game.

    With a title, the text is read as on a card that is called so.
    """
    loaded = load_rules(game, tests=False) if isinstance(game, str) else game._inner.loaded
    said, _ = explain_card.explain(loaded, text, title=title)
    return [
        Sentence(s.text, tuple(map(Reading, s.readings, s.effects)), s.diagnostics, s.title)
        for s in said
    ]
