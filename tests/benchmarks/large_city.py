"""Legal moves in a large city of the city-building card game.

Asked is where each card of a hand of ten may lie, and what it would pay there.

    python tests/benchmarks/large_city.py [--blocks 30|150|300] [--forgetful] [--profile] [--json]

The city is put together side by side from the cards of the box, and one in twelve of its blocks is
a long card over two others. The hand holds standard and long cards. Each question is asked of a
position about which nothing is known yet. Times are of the processor; of two machines, or of two
runs, only the ratios may be compared.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import pstats
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import TypedDict

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from interpreter.game.game import Game, game_of  # noqa: E402
from interpreter.game.loading import Loaded, load_rules  # noqa: E402
from interpreter.model.position import Position  # noqa: E402
from rulelang.core.values import Value, members  # noqa: E402

SIZES = (30, 150, 300)
LONG_PART = 12  # of so many blocks one is a long card
HAND, LONG_IN_HAND = 10, 2
Move = tuple[int, frozenset[Value]]


class Row(TypedDict):
    """What was measured for one size and question."""

    blocks: int
    question: str
    moves: int
    ms: float
    ratio_to_forgetful: float | None


def crowded(game: Game, built: int, seed: int = 1) -> Position:
    """A metropolis of so many blocks side by side with long cards over some of them, and ten cards
    in the first player's hand.
    """
    rng, s, longs = random.Random(seed), game.start(seed).position.copy(), built // LONG_PART
    grid = game.setup.boards["town"].grid
    zones = game.rules_source.kinds["zone"].members
    values = {
        p: dict(piece.design.values)
        for p, piece in enumerate(game.setup.pieces)
        if piece.design.component == "block"
    }
    never_laid = {zones.index("event"), zones.index("politics")}
    blocks = [p for p, known in values.items() if known["zone"] not in never_laid]
    rng.shuffle(blocks)
    standard = [p for p in blocks if not values[p]["long"]]
    long_ones = [p for p in blocks if values[p]["long"]]
    lots = [grid.height // 2 * grid.width + grid.width // 2]
    beside = set(grid.neighbors[lots[0]])
    while len(lots) < built - longs:
        lots.append(rng.choice(sorted(beside)))
        beside = (beside | set(grid.neighbors[lots[-1]])) - set(lots)
    for lot in lots:
        s.put(standard.pop(), "stack", (lot,))
    free = set(lots)
    for _ in range(longs):
        left = rng.choice(sorted(x for x in free if x + 1 in free and (x + 1) % grid.width))
        s.put(long_ones.pop(), "stack", (left, left + 1))
        free -= {left, left + 1}
    for piece in s.places[("hand", 0)]:
        s.move(piece, ("deck", None))
    for piece in [*standard[: HAND - LONG_IN_HAND], *long_ones[:LONG_IN_HAND]]:
        s.move(piece, ("hand", 0))
    s.assign("phase", None, len(game.rules_source.kinds["stage"].members) - 1)
    s.assign("opened", None, True)
    return s


def legal(game: Game, s: Position) -> list[Move]:
    """Where each card of the hand may lie, of all that is offered for it."""
    places = game.rules.definition("places_for")
    return [
        (b, at)
        for b in s.places[("hand", 0)]
        for at in members(places(s, (b,)))
        if isinstance(at, frozenset)
        if game.rules.accepts(s, "place", (0, b, at))
    ]


def priced(game: Game, s: Position) -> list[int]:
    """What each legal placement pays."""
    return [game.rules.total(s, "worth", (0, b, at)) for b, at in legal(game, s)]


def anew(s: Position) -> Position:
    """The position with nothing known about it."""
    other = s.copy()
    other.memos, other.geometry = {}, {}
    return other


def city_game(loaded: Loaded, keeps: bool = True) -> Game:
    """The game for three with long cards and with every card of the box."""
    return game_of(loaded, 3, (), {"long_cards": "used"}, keeps=keeps)


QUESTIONS: dict[str, Callable[[Game, Position], Sequence[Hashable]]] = {
    "legal moves": legal,
    "legal moves and what they pay": priced,
}


def measure(sizes: tuple[int, ...], forgetful: bool) -> list[Row]:
    """A row for each size and question: the least of several runs."""
    loaded = load_rules("simcity", tests=False)
    fast, rows = city_game(loaded), list[Row]()
    slow = city_game(loaded, keeps=False) if forgetful else None
    for size in sizes:
        s = crowded(fast, size)
        for name, ask in QUESTIONS.items():
            ask(fast, anew(crowded(fast, size, seed=2)))  # functions are made when first asked
            took, found = list[float](), list[Hashable]()
            for _ in range(5):
                began = time.process_time()
                found = list(ask(fast, anew(s)))
                took.append(1000 * (time.process_time() - began))
            ratio = None
            if slow is not None:
                began = time.process_time()
                assert Counter(ask(slow, crowded(slow, size))) == Counter(found)
                ratio = round(1000 * (time.process_time() - began) / min(took), 1)
            rows.append(
                {
                    "blocks": size,
                    "question": name,
                    "moves": len(found),
                    "ms": round(min(took), 1),
                    "ratio_to_forgetful": ratio,
                }
            )
    return rows


def profiled(size: int) -> None:
    """Where the time of one question goes."""
    game = city_game(load_rules("simcity", tests=False))
    legal(game, anew(crowded(game, size, seed=2)))
    s, profile = anew(crowded(game, size)), cProfile.Profile()
    profile.enable()
    legal(game, s)
    profile.disable()
    pstats.Stats(profile).sort_stats("tottime").print_stats(30)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Legal moves of a hand of ten in a large city.")
    parser.add_argument(
        "--blocks",
        type=int,
        choices=SIZES,
        action="append",
        help="how many blocks the city has; may be repeated",
    )
    parser.add_argument(
        "--forgetful",
        action="store_true",
        help="ask without keeping anything, too, and compare what is found (slow)",
    )
    parser.add_argument("--profile", action="store_true", help="show where the time goes")
    parser.add_argument("--json", action="store_true", help="rows as JSON")
    args = parser.parse_args()
    sizes = tuple(args.blocks or SIZES[1:])
    if args.profile:
        profiled(sizes[-1])
        return 0
    rows = measure(sizes, args.forgetful)
    if args.json:
        print(json.dumps(rows))
        return 0
    print(f"{'blocks':>6} {'question':30} {'moves':>6} {'ms':>8} {'to reference':>13}")
    for row in rows:
        ratio = row["ratio_to_forgetful"]
        print(
            f"{row['blocks']:6} {row['question']:30} {row['moves']:6} {row['ms']:8.1f} "
            f"{ratio if ratio is not None else '':>13}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
