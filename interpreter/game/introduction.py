"""What a game is for somebody who sits down to it: what is to be won, and what may be done."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.game.context import GameContext, PlayState
from interpreter.game.wording import filled
from rulelang import core
from rulelang.core.types import PLAYER
from rulelang.diagnostics.english import spoken
from rulelang.phrases.describe import Describer
from rulelang.ruleset import RankLine

MOST_AIMS = 3  # keys of the ranking that are told: the first decides, further ones break ties


@dataclass(frozen=True)
class Introduction:
    """The title of a game with what was set for it, what wins, what ends it, and its actions."""

    title: str
    settings: tuple[str, ...]
    aims: tuple[str, ...]
    ends: tuple[str, ...]
    actions: tuple[str, ...]


def introduce(state: PlayState) -> Introduction:
    """What is told of a game before its first choice."""
    game = state.game
    rules = game.rules_source
    actions = [p.title or spoken(p.name) for p in rules.procedures.values() if p.is_action]
    ends = [spoken(ending.name) for ending in rules.endings if not game.rules.gone(ending.clause)]
    return Introduction(
        game.title,
        chosen_settings(state),
        tuple(aims(state)),
        tuple(ends),
        tuple(dict.fromkeys(actions)),
    )


def chosen_settings(state: PlayState) -> tuple[str, ...]:
    """The variants and options a game is played with."""
    game = state.game
    options = (f"{spoken(name)} {spoken(str(value))}" for name, value in game.options.items())
    return (*(variant_title(game, name) for name in game.variants), *options)


def variant_title(game: GameContext, name: str) -> str:
    """The title of a variant of this game."""
    known = game.rules_source.variants.get(name)
    return known.title if known is not None else spoken(name)


def aims(state: PlayState) -> list[str]:
    """What the ranking asks for, key by key, as it holds at the beginning."""
    game, s = state.game, state.position
    found: list[str] = []
    for line in game.rules_source.ranks:
        applies = line.cond is None or any(
            game.rules.holds(s, line.cond, {"player": p}) for p in range(game.players)
        )
        if applies and not game.rules.gone(line.clause):
            found.append(_aim(game, line))
    return found[:MOST_AIMS]


def _aim(game: GameContext, line: RankLine) -> str:
    """One key of the ranking in words."""
    describer = Describer(
        game.rules_source, lambda var: "each player" if var.type == PLAYER else None
    )
    if isinstance(line.key, core.IfElse):
        return f"this: {describer.say(line.key.cond).replace('each player', 'a player')}"
    said = describer.say(line.key).replace("each player's ", "")
    return f"the {'most' if line.largest else 'least'} of this: {filled(said, {})}"
