"""Random playouts a second: games written by hand, the reference evaluator and generated code.

They are measured in turns, so that a busy machine slows all alike.

    python tests/benchmarks/playouts.py [--quick] [--json] [--game NAME]

Rates are per second of processor time, over all rounds of one run. Rates of two machines, or of two
runs, say nothing beside each other.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

import hand  # noqa: E402

from interpreter.bots.playouts import Playouts  # noqa: E402
from interpreter.game.game import Game, game_of  # noqa: E402
from interpreter.game.loading import load_rules  # noqa: E402
from interpreter.generated.blocks import Unwritten  # noqa: E402

Engine = Callable[[int], None]


@dataclass(frozen=True)
class Subject:
    """A game to be measured: its rules, players and options, and its like by hand if there is
    one.
    """

    name: str
    rules: str
    players: int
    options: tuple[tuple[str, int], ...] = ()
    by_hand: type[hand.TicTacToe] | type[hand.Hex] | None = None


SUBJECTS = [
    Subject("tic_tac_toe", "tests/good/tic_tac_toe", 2, by_hand=hand.TicTacToe),
    Subject("hex", "tests/good/hex", 2, (("size", 11),), hand.Hex),
    *(
        Subject(path.name, path.name, 3)
        for path in sorted((ROOT / "rulesets").iterdir())
        if (path / "scenarios").is_dir()
    ),
]


def state_by_state(game: Game) -> Engine:
    """Playouts through states, each choice giving a new one."""

    def play(seed: int) -> None:
        state, rng = game.start(seed), random.Random(seed)
        while not state.over:
            state = state.choose(state.decisions[0].sample(rng))

    return play


def in_place(game: Game) -> Engine:
    """Playouts by generated blocks; state by state where the rules are not written so."""
    try:
        playouts = Playouts(game)
    except Unwritten:
        return state_by_state(game)
    draw = random.Random(1).random

    def play(seed: int) -> None:
        playouts.playout(seed, draw)

    return play


def engines(subject: Subject) -> dict[str, Engine]:
    """The ways this game can be played here."""
    loaded = load_rules(
        subject.rules if "/" not in subject.rules else str(ROOT / subject.rules),
        (),
        [],
        tests=False,
    )
    players, options = max(subject.players, loaded.compiled.rules.players[0]), dict(subject.options)
    found: dict[str, Engine] = {}
    if subject.by_hand is not None:
        written, rng = subject.by_hand, random.Random(1)
        found["hand"] = lambda seed: hand.playout(written, rng)
    found["reference"] = state_by_state(game_of(loaded, players, (), options, reference=True))
    found["generated"] = in_place(game_of(loaded, players, (), options))
    return found


def run(engine: Engine, seconds: float, first: int) -> tuple[int, float]:
    """How many playouts in how many seconds of processor time: for at least so long, and at least
    one.
    """
    began, played = time.process_time(), 0
    while True:
        engine(first + played)
        played += 1
        spent = time.process_time() - began
        if spent >= seconds:
            return played, spent


def measure(subject: Subject, rounds: int, seconds: float) -> list[dict[str, str | float | None]]:
    """A row for each engine: its rate over all rounds, and its ratios to the engine by hand and to
    the reference.
    """
    known = engines(subject)
    for engine in known.values():
        engine(0)
    played, spent = dict.fromkeys(known, 0), dict.fromkeys(known, 0.0)
    for _ in range(rounds):
        for name, engine in known.items():
            more, took = run(
                engine, seconds, 1 + played[name]
            )  # each engine goes through the same seeds: games differ in length
            played[name] += more
            spent[name] += took
    rates = {name: played[name] / spent[name] for name in known}
    rows: list[dict[str, str | float | None]] = []
    for name, rate in rates.items():
        row: dict[str, str | float | None] = {
            "game": subject.name,
            "engine": name,
            "playouts_per_second": round(rate, 2),
        }
        for other in ("hand", "reference"):
            row[f"ratio_to_{other}"] = round(rate / rates[other], 3) if other in rates else None
        rows.append(row)
    return rows


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=(
            "Random playouts a second, by hand, by the reference evaluator, by generated code."
        )
    )
    parser.add_argument(
        "--quick", action="store_true", help="a fifth of the time, for a first impression"
    )
    parser.add_argument("--json", action="store_true", help="rows as JSON")
    parser.add_argument(
        "--game", action="append", metavar="NAME", help="only this game; may be repeated"
    )
    args = parser.parse_args()
    unknown = set(args.game or ()) - {s.name for s in SUBJECTS}
    if unknown:
        parser.error(
            f"no game {', '.join(sorted(unknown))}; there are {', '.join(s.name for s in SUBJECTS)}"
        )
    rounds, seconds = (4, 0.3) if args.quick else (8, 1.5)
    rows = []
    for subject in SUBJECTS:
        if args.game and subject.name not in args.game:
            continue
        if sys.stderr.isatty():
            print(f"{subject.name} …", file=sys.stderr)
        rows += measure(subject, rounds, seconds)
    if args.json:
        print(json.dumps(rows))
        return 0
    print(f"{'game':16} {'engine':12} {'playouts/s':>12} {'to hand':>9} {'to reference':>13}")
    for row in rows:
        ratios = [
            f"{row[key]:.2f}" if row[key] is not None else ""
            for key in ("ratio_to_hand", "ratio_to_reference")
        ]
        print(
            f"{row['game']:16} {row['engine']:12} {row['playouts_per_second']:12.2f} "
            f"{ratios[0]:>9} {ratios[1]:>13}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
