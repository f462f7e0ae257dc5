"""Questions asked of a large board that is nearly full, and what a position of that size costs.

They are asked of the reference, as it keeps what it found and, if wanted, without.

    python tests/benchmarks/large_board.py [--size 6|15|20] [--forgetful] [--json]

Each question is asked of a position about which nothing is known yet, all over the board. Times
are of the processor; without keeping anything it takes long where the board is large. Of two
machines, or of two runs, only the ratios may be compared.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from interpreter.game.game import Game, State, game_of  # noqa: E402
from interpreter.game.loading import load_rules  # noqa: E402
from interpreter.model.position import Position  # noqa: E402
from rulelang.core.values import Value, numbers  # noqa: E402

COVERED = 3 / 5  # of the cells
STACKED = 1 / 4  # of the pieces
HAND = 10
Question = Callable[[Game, Position], object]


def filled(game: Game, seed: int = 1) -> State:
    """A state in which pieces lie side by side from the middle on, one in four on top of another,
    and a player holds a hand of them.
    """
    rng, state = random.Random(seed), game.start(seed)
    s, grid = state.position, game.setup.boards["land"].grid
    deck, used = list(s.places[("deck", None)]), [grid.width * grid.height // 2 + grid.width // 2]
    while len(used) < COVERED * grid.width * grid.height:
        beside = sorted({c for x in used for c in grid.neighbors[x]} - set(used))
        used.append(rng.choice(beside))
        s.put(deck.pop(), "stack", (used[-1],))
        if rng.random() < STACKED:
            s.put(deck.pop(), "stack", (rng.choice(used),))
    return state


def legality(game: Game, s: Position) -> object:
    """Which of the pieces in hand may lie where."""
    hand = s.places[("hand", 0)][:HAND]
    return [
        game.rules.accepts(s, "build", (0, piece, frozenset([cell])))
        for piece in hand
        for cell in range(game.setup.boards["land"].cells)
    ]


def worth(game: Game, s: Position) -> object:
    """What each of the pieces in hand would be worth where."""
    hand = s.places[("hand", 0)][:HAND]
    return [
        game.rules.total(s, "value", (piece, frozenset([cell])))
        for piece in hand
        for cell in range(game.setup.boards["land"].cells)
    ]


def asked(name: str, *values: Value) -> Question:
    """A definition with these values."""
    return lambda game, s: game.rules.definition(name)(s, values)


def everywhere(name: str, *more: Value) -> Question:
    """A definition of every cell."""
    return lambda game, s: [
        game.rules.definition(name)(s, (frozenset([c]), *more))
        for c in range(game.setup.boards["land"].cells)
    ]


def of_ports(game: Game, s: Position) -> object:
    """All that can be reached from each port."""
    reached = game.rules.definition("all_along")
    return [
        reached(s, (port,))
        for port in sorted(numbers(game.rules.definition("ports")(s, (frozenset(),))))
    ]


QUESTIONS: dict[str, Question] = {
    "legality": legality,
    "worth": worth,
    "networks": asked("networks", frozenset()),
    "networks without": everywhere("networks"),
    "reach": of_ports,
    "within 3": everywhere("within", 3),
    "patches": lambda game, s: [
        game.rules.definition("patches")(s, (color,)) for color in range(3)
    ],
    "until stable": asked("firm"),
    "unions": asked("unions"),
}
COSTS: dict[str, Callable[[Game, State], object]] = {
    "copy": lambda game, state: state.position.copy(),
    "digest": lambda game, state: state.position.digest(),
    "view": lambda game, state: state.view(0),
    "to_json": lambda game, state: state.to_json(),
}


def timed(act: Callable[[], object], least: float = 0.0) -> tuple[float, object]:
    """Milliseconds of the processor and the result, repeated until so many seconds are spent."""
    began, times = time.process_time(), 0
    while True:
        found = act()
        times += 1
        spent = time.process_time() - began
        if spent >= least:
            return 1000 * spent / times, found


def measure(size: int, forgetful: bool) -> list[dict[str, str | float | None]]:
    """A row for each question and each cost."""
    loaded = load_rules(str(ROOT / "tests/benchmarks/canals"), (), [], tests=False)
    fast, slow = (game_of(loaded, 2, (), {"size": size}, keeps=keeps) for keeps in (True, False))
    state, rows = filled(fast), list[dict[str, str | float | None]]()

    def anew() -> Position:
        s = state.position.copy()
        s.memos, s.geometry = {}, {}
        return s

    def fresh(ask: Question) -> object:
        return ask(fast, anew())

    def forgetting(ask: Question) -> object:
        return ask(slow, filled(slow).position)

    for name, ask in QUESTIONS.items():
        ask(fast, anew())  # functions are made when first asked
        took, found = timed(partial(fresh, ask), 0.2)
        other, same = timed(partial(forgetting, ask)) if forgetful else (None, found)
        assert found == same, name
        rows.append(
            {
                "size": size,
                "question": name,
                "ms": round(took, 2),
                "ratio_to_forgetful": round(other / took, 1) if other is not None else None,
            }
        )
    for name, cost in COSTS.items():
        rows.append(
            {
                "size": size,
                "question": name,
                "ms": round(timed(partial(cost, fast, state), 0.2)[0], 3),
                "ratio_to_forgetful": None,
            }
        )
    return rows


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=("Questions asked of a large board, with what was found kept and without.")
    )
    parser.add_argument(
        "--size", type=int, choices=(6, 15, 20), default=15, help="columns and rows of the board"
    )
    parser.add_argument(
        "--forgetful", action="store_true", help="ask without keeping anything, too"
    )
    parser.add_argument("--json", action="store_true", help="rows as JSON")
    args = parser.parse_args()
    rows = measure(args.size, args.forgetful)
    if args.json:
        print(json.dumps(rows))
        return 0
    print(f"{'size':>4} {'question':18} {'ms':>10} {'to forgetful':>13}")
    for row in rows:
        ratio = row["ratio_to_forgetful"]
        print(
            f"{row['size']:4} {row['question']:18} {row['ms']:10.3f} "
            f"{ratio if ratio is not None else '':>13}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
