"""What the commands that prove have in common: their exit status, boards, tables, bad questions."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from interpreter.cli.output import give, show
from interpreter.cli.usage import Usage
from interpreter.game.game import Game
from interpreter.game.loading import RulesError
from interpreter.model.position import Position
from interpreter.proofs.sides import Unaskable
from interpreter.render.board import draw_all
from interpreter.render.look import Look

NOT_DECIDED = 4  # the exit status of what was not decided within the bounds
UNREADABLE = 2  # of a question that cannot be read


def asked(args: argparse.Namespace, answer: Callable[[], int]) -> int:
    """The exit status of an answer; a question that cannot be asked is told as such."""
    try:
        return answer()
    except Unaskable as error:
        raise Usage(str(error)) from error
    except RulesError as error:
        if args.json:
            give({"verdict": "unreadable", "diagnostics": [d.as_json() for d in error.found]})
        else:
            show(error.found, error.sources, error=True)
        return UNREADABLE


def drawn(game: Game, position: Position) -> list[str]:
    """The boards of a position, as far as something lies there."""
    return [line.plain.rstrip() for line in draw_all(game, position, Look(near=True))]


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows in columns as wide as they need."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
