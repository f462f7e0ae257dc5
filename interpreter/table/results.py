"""The table of results at the end of a game, and a word on how it was won."""

from __future__ import annotations

from interpreter.game.game import State
from interpreter.game.introduction import aims
from interpreter.game.score_tree import ScoreTree
from interpreter.game.standing_tree import standing_tree
from interpreter.render.table import aligned

MOST_LINES = 4  # parts of a score that are told of each player


def results(state: State) -> list[str]:
    """For each player, the first one first, what his score is made of."""
    if not any(abs(score) > 1 for score in state.scores()):
        return []  # who has won says all
    rows: list[list[str]] = []
    for tied in filter(None, state.ranking):
        for player in tied:
            tree = standing_tree(state, player, player)
            said = " ".join(part.text for part in _parts(tree)[:MOST_LINES])
            said = said.replace(f"player {player + 1}'s ", "")
            rows.append([f"player {player + 1}", str(state.scores()[player]), said])
    found = aligned(rows, [True, False])
    won = won_by(state)
    return [*found, won] if won else found


def _parts(tree: ScoreTree | None) -> tuple[ScoreTree, ...]:
    """What a score is made of, if it is made of several parts."""
    parts = tree.parts if tree is not None else ()
    while len(parts) == 1:
        parts = parts[0].parts
    return parts


def won_by(state: State) -> str:
    """By how much the game was won, and in what; nothing where nobody won."""
    if not state.winners:
        return ""
    scores = state.scores()
    others = [scores[p] for p in range(state.game.players) if p not in state.winners]
    if not others:
        return "Everybody wins alike." if state.game.players > 1 else ""
    ahead = min(abs(scores[state.winners[0]] - other) for other in others)
    who = " and ".join(f"player {p + 1}" for p in state.winners)
    verb = "wins" if len(state.winners) == 1 else "win"
    what = next(iter(aims(state)), "").rpartition(": ")[2]
    if not ahead:
        return f"{who} {verb} by what breaks ties."
    return f"{who} {verb} by {ahead}; what counts is {what}."
