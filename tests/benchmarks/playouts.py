"""Random playouts a second: games written by hand, OpenSpiel where it is installed, the reference
evaluator, and the native engine where it can play the game.

They are measured in turns, so that a busy machine slows all alike.

    python tests/benchmarks/playouts.py [--quick] [--json] [--game NAME]

Rates are per second of processor time, over all rounds of one run. Rates of two machines, or of two
runs, say nothing beside each other.

    python tests/benchmarks/playouts.py --lengths GAMES [--json] [--game NAME]

plays so many games by the rules and by hand, and says how many choices they have: where that
differs, the rules differ, or some moves are likelier than others.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

import hand  # noqa: E402
import openspiel  # noqa: E402

from interpreter.game.game import Game, game_of  # noqa: E402
from interpreter.game.loading import load_rules  # noqa: E402
from interpreter.native.lowering import lowered  # noqa: E402
from interpreter.native.runtime import AskReference, Instance  # noqa: E402
from interpreter.native.values import NotLowered  # noqa: E402

Engine = Callable[[int], int]  # plays by a seed and says how many games those were
BATCH_SECONDS = 0.01  # that a module plays at a time, about
PEERS = ("hand", "openspiel", "reference")  # to which rates are put in a ratio


@dataclass(frozen=True)
class Subject:
    """A game to be measured: its rules, players and options, its like by hand if there is one, and
    what OpenSpiel calls it if it has it.
    """

    name: str
    rules: str
    players: int
    by_hand: type[hand.ByHand] | None = None
    openspiel: str = ""
    options: tuple[tuple[str, str], ...] = ()


def _classic(
    name: str, by_hand: type[hand.ByHand], openspiel: str = "", players: int = 2
) -> Subject:
    return Subject(name, f"examples/classics/{name}", players, by_hand, openspiel)


# Games that are played otherwise than by three with the usual options: more take long by chance.
PLAYED = {"simcity": (2, (("deck", "city_of_two"),))}
SUBJECTS = [
    _classic("tic_tac_toe", hand.TicTacToe, "tic_tac_toe"),
    _classic("connect_four", hand.ConnectFour, "connect_four"),
    _classic("breakthrough", hand.Breakthrough, "breakthrough"),
    _classic("hex", hand.Hex, "hex(board_size=11)"),
    _classic("reversi", hand.Reversi, "othello"),
    _classic("crazy_eights", hand.CrazyEights, players=hand.CrazyEights.PLAYERS),
    _classic("hare_and_hounds", hand.HareAndHounds),
    *(
        Subject(path.name, path.name, players, options=options)
        for path in sorted((ROOT / "rulesets").iterdir())
        if (path / "scenarios").is_dir()
        for players, options in [PLAYED.get(path.name, (3, ()))]
    ),
]


def state_by_state(game: Game) -> Engine:
    """Playouts through states, each choice giving a new one."""

    def play(seed: int) -> int:
        state, rng = game.start(seed), random.Random(seed)
        while not state.over:
            state = state.choose(state.decisions[0].sample(rng))
        return 1

    return play


def by_module(game: Game) -> Engine | None:
    """Playouts inside a module; none where the rules are not lowered."""
    try:
        native = Instance(lowered(game.engine))
    except NotLowered as found:
        print(f"{game.id}: not lowered: {found}", file=sys.stderr)
        return None

    def play(seed: int, count: int) -> int:
        """So many games; one that is left to the reference counts as none, for all its time."""
        native.seed(seed)
        try:
            native.playouts(count)
        except AskReference:
            return sum(play(seed * count + n, 1) for n in range(count)) if count > 1 else 0
        return count

    began, games = time.process_time(), 1
    while time.process_time() - began < BATCH_SECONDS:
        games *= 2
        began = time.process_time()
        play(1, games)

    return lambda seed: play(seed, games)


def by_hand(written: type[hand.ByHand]) -> Engine:
    """Playouts of a game written by hand."""
    rng = random.Random(1)

    def play(seed: int) -> int:
        hand.playout(written, rng)
        return 1

    return play


def game(subject: Subject) -> Game:
    """The game in the reference evaluator."""
    loaded = load_rules(
        subject.rules if "/" not in subject.rules else str(ROOT / subject.rules),
        (),
        [],
        tests=False,
    )
    players = max(subject.players, loaded.compiled.rules.players[0])
    options = dict(subject.options)
    return game_of(loaded, players, (), options)


def engines(subject: Subject) -> dict[str, Engine]:
    """The ways this game can be played here."""
    reference = game(subject)
    found: dict[str, Engine] = {}
    if subject.by_hand is not None:
        found["hand"] = by_hand(subject.by_hand)
    if subject.openspiel and openspiel.installed():
        found["openspiel"] = openspiel.rollouts(subject.openspiel)
    found["reference"] = state_by_state(reference)
    native = by_module(reference)
    if native is not None:
        found["native"] = native
    return found


def run(engine: Engine, seconds: float, first: int) -> tuple[int, float]:
    """How many playouts in how many seconds of processor time: for at least so long, and at least
    one.
    """
    began, played = time.process_time(), 0
    while True:
        played += engine(first + played)
        spent = time.process_time() - began
        if spent >= seconds:
            return played, spent


def measure(subject: Subject, rounds: int, seconds: float) -> list[dict[str, str | float | None]]:
    """A row for each engine: its rate over all rounds, and its ratios to those it is measured
    beside.
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
        for other in PEERS:
            row[f"ratio_to_{other}"] = round(rate / rates[other], 3) if other in rates else None
        rows.append(row)
    return rows


def length(subject: Subject, count: int) -> dict[str, str | float | None]:
    """How many choices so many games by chance have on average, by the rules and by hand, and how
    far apart these are in percent.
    """
    native, rng = Instance(lowered(game(subject).engine)), random.Random(1)
    native.seed(1)
    ours = native.playouts(count) / count
    row: dict[str, str | float | None] = {"game": subject.name, "choices": round(ours, 2)}
    if subject.by_hand is not None:
        theirs = statistics.mean(hand.playout(subject.by_hand, rng) for _ in range(count))
        row |= {"by_hand": round(theirs, 2), "apart": round(100 * abs(ours / theirs - 1), 2)}
    return row


def print_rates(rows: list[dict[str, str | float | None]]) -> None:
    """Rates as a table."""
    heads = " ".join(f"{'to ' + other:>13}" for other in PEERS)
    print(f"{'game':16} {'engine':12} {'playouts/s':>12} {heads}")
    for row in rows:
        ratios = [row[f"ratio_to_{other}"] for other in PEERS]
        shown = " ".join(f"{'' if ratio is None else f'{ratio:.2f}':>13}" for ratio in ratios)
        print(f"{row['game']:16} {row['engine']:12} {row['playouts_per_second']:12.2f} {shown}")


def print_lengths(rows: list[dict[str, str | float | None]]) -> None:
    """Lengths as a table for the documents."""
    print("| game | choices a game | by hand | apart |\n|---|---|---|---|")
    for row in rows:
        print(f"| {row['game']} | {row['choices']} | {row['by_hand']} | {row['apart']} % |")


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=(
            "Random playouts a second, by hand, by OpenSpiel where it is installed, by the "
            "reference evaluator, by the native engine."
        )
    )
    parser.add_argument(
        "--quick", action="store_true", help="a fifth of the time, for a first impression"
    )
    parser.add_argument(
        "--seconds", type=float, metavar="S", help="how long each engine plays in each round"
    )
    parser.add_argument("--json", action="store_true", help="rows as JSON")
    parser.add_argument(
        "--game", action="append", metavar="NAME", help="only this game; may be repeated"
    )
    parser.add_argument(
        "--lengths",
        type=int,
        metavar="GAMES",
        help="how long so many games are, by the rules and by hand, instead",
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
        if args.lengths and subject.by_hand is None:
            continue
        if sys.stderr.isatty():
            print(f"{subject.name} …", file=sys.stderr)
        if args.lengths:
            rows.append(length(subject, args.lengths))
        else:
            rows += measure(subject, rounds, args.seconds or seconds)
    if args.json:
        print(json.dumps(rows))
    elif args.lengths:
        print_lengths(rows)
    else:
        print_rates(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
