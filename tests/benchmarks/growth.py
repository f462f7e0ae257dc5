"""How the time of a move grows with the board: random playouts in the native engine.

    python tests/benchmarks/growth.py [--seconds N] [--game hex|card_city_xl] [--json] [--plot FILE]

Hex is played on boards of 5 to 19 cells a side, Card City XL (by two) with squares of 5 to 12
plots a side on boards that have room for them. Rows are of processor time; the power by which the
time of a move grows with the cells is that of the line through all rows of a game, both in
logarithms. With `--plot` (and Altair, from the extra `study`) they are drawn there as SVG.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from interpreter.game.game import Game, game_of  # noqa: E402
from interpreter.game.loading import load_rules  # noqa: E402
from interpreter.native.lowering import lowered  # noqa: E402
from interpreter.native.runtime import AskReference, Instance  # noqa: E402

SIDES = {"hex": (5, 7, 9, 11, 13, 15, 17, 19), "card_city_xl": (5, 6, 7, 8, 9, 10, 11, 12)}
TOGETHER = 16  # games that are asked for at once


class Row(TypedDict):
    """What was measured on one board."""

    game: str
    side: int
    cells: int
    games: int
    left: int  # to the reference
    moves: float  # of a game
    us: float  # of a move


def hexes(side: int) -> Game:
    """Hex on a board of this side."""
    loaded = load_rules(str(ROOT / "examples/classics/hex"), (), [], tests=False)
    return game_of(loaded, 2, (), {"size": side})


def cities(side: int) -> Game:
    """Card City XL, whose cities are squares of this side."""
    with tempfile.TemporaryDirectory() as folder:
        rules = Path(folder) / "card_city_xl"
        shutil.copytree(ROOT / "rulesets/card_city_xl", rules)
        room = 2 * side - 1
        for path, old, new in (
            ("pieces.rules", "square, 11 by 11", f"square, {room} by {room}"),
            ("words.rules", "  5  when level is simplified", f"  {side}  when level is simplified"),
        ):
            text = (rules / path).read_text("utf-8")
            assert old in text
            (rules / path).write_text(text.replace(old, new), "utf-8")
        return game_of(load_rules(str(rules), (), [], tests=False), 2, (), {})


def together(made: Instance, seed: int) -> tuple[int, int]:
    """How many of so many random games a module played to the end, and their moves."""
    made.seed(seed)
    try:
        return TOGETHER, made.playouts(TOGETHER)
    except AskReference:
        return one_by_one(made, seed)


def one_by_one(made: Instance, seed: int) -> tuple[int, int]:
    """The same, where one of them is left to the reference."""
    games = moves = 0
    for number in range(TOGETHER):
        made.seed(TOGETHER * seed + number)
        try:
            moves += made.playouts(1)
            games += 1
        except AskReference:
            pass
    return games, moves


def measured(name: str, side: int, seconds: float) -> Row:
    """Random games on a board of this side, for so long."""
    made = Instance(lowered((hexes if name == "hex" else cities)(side).engine))
    games = left = moves = seed = 0
    spent = 0.0
    while spent < seconds:
        seed += 1
        began = time.process_time()
        played, made_moves = together(made, seed)
        spent += time.process_time() - began
        games, left, moves = games + played, left + TOGETHER - played, moves + made_moves
    return {
        "game": name,
        "side": side,
        "cells": side * side,
        "games": games,
        "left": left,
        "moves": round(moves / games, 1) if games else 0.0,
        "us": round(1e6 * spent / moves, 2) if moves else 0.0,
    }


def power(rows: Sequence[Row]) -> float:
    """By which power of the cells the time of a move grows."""
    points = [(math.log(row["cells"]), math.log(row["us"])) for row in rows if row["us"]]
    across, up = (sum(values) / len(points) for values in zip(*points, strict=True))
    rising: float = sum((x - across) * (y - up) for x, y in points)
    spread: float = sum((x - across) ** 2 for x, _ in points)
    return rising / spread


def drawn(rows: Sequence[Row], path: Path) -> None:
    """Write the plot."""
    import altair

    data = {"values": [dict(row) for row in rows]}
    axis = altair.Scale(type="log")
    chart = (
        altair.Chart(data)
        .mark_line(point=True)
        .encode(
            x=altair.X("cells:Q", scale=axis, title="cells"),
            y=altair.Y("us:Q", scale=axis, title="microseconds a move"),
            color=altair.Color("game:N", title=None),
        )
        .properties(width=420, height=260, background="white", padding=24)
    )
    chart.save(str(path))


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How the time of a move grows with the board.")
    parser.add_argument("--seconds", type=float, default=2.0, help="of each board")
    parser.add_argument("--game", action="append", choices=sorted(SIDES))
    parser.add_argument("--json", action="store_true", help="rows as JSON")
    parser.add_argument("--plot", type=Path, metavar="FILE")
    given = parser.parse_args()
    rows = [
        measured(name, side, given.seconds)
        for name in given.game or list(SIDES)
        for side in SIDES[name]
    ]
    if given.plot is not None:
        drawn(rows, given.plot)
    if given.json:
        print(json.dumps(rows))
        return 0
    print(f"{'game':14} {'side':>5} {'cells':>6} {'games':>7} {'left':>5} {'moves':>8} {'us':>8}")
    for row in rows:
        print(
            f"{row['game']:14} {row['side']:5} {row['cells']:6} {row['games']:7} {row['left']:5} "
            f"{row['moves']:8} {row['us']:8}"
        )
    for name in given.game or list(SIDES):
        found = power([row for row in rows if row["game"] == name])
        print(f"{name}: the time of a move grows with the cells to the power {found:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
