"""The table of results at the end of a game, and a word on how it was won."""

from __future__ import annotations

from interpreter.game.game import State
from interpreter.game.introduction import aims
from interpreter.game.score_tree import ScoreTree
from interpreter.game.standing_tree import standing_tree
from interpreter.render.table import aligned

MOST_PARTS = 8  # of a score that are told of each player


def results(state: State) -> list[str]:
    """For each player, the first one first, what his score is made of."""
    if not any(abs(score) > 1 for score in state.scores()):
        return []  # who has won says all
    rows: list[list[str]] = []
    for tied in filter(None, state.ranking):
        for player in tied:
            said = _made_of(standing_tree(state, player, player))
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


def _made_of(tree: ScoreTree | None) -> str:
    """What a score is made of in one line: what was added under each label, together; nothing
    where that is not all there is to it, or where there is but one thing."""
    parts = _parts(tree)
    sums: dict[str, int] = {}
    for part in parts:
        if part.adds is None:
            return ""
        sums[part.label] = sums.get(part.label, 0) + part.adds
    if tree is None or sum(sums.values()) != tree.value:
        return ""
    if len(sums) == 1 and len(parts) > 1:
        return f"{parts[0].label}: {_alike([part.adds or 0 for part in parts])}"
    sums = {label: number for label, number in sums.items() if number}
    if len(sums) < 2:
        return ""
    told = sorted(sums.items(), key=lambda part: -part[1])
    if len(told) > MOST_PARTS:
        rest = sum(number for _, number in told[MOST_PARTS - 1 :])
        told = [*told[: MOST_PARTS - 1], ("others", rest)]
    return _added([(number, f" {label}") for label, number in told])


def _alike(numbers: list[int]) -> str:
    """Numbers of one sort as they are added, the largest first; of very many the last together."""
    ordered = sorted(numbers, reverse=True)
    if len(ordered) > MOST_PARTS:
        ordered = [*ordered[: MOST_PARTS - 1], sum(ordered[MOST_PARTS - 1 :])]
    return _added([(number, "") for number in ordered])


def _added(terms: list[tuple[int, str]]) -> str:
    """Numbers, each with what is said of it, as a sum is written."""
    told = " ".join(f"{'-' if n < 0 else '+'} {abs(n)}{said}" for n, said in terms)
    return told.removeprefix("+ ")


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
