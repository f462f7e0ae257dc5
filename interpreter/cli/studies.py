"""Simulation that writes each game into a file, and goes on where it was left."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from interpreter.cli.interrupts import STOPPED, interruptible
from interpreter.cli.output import complain, deliver, give, progress, say
from interpreter.cli.rules import options_of
from interpreter.cli.usage import Usage
from interpreter.game.game import Game
from interpreter.game.loading import shown
from interpreter.model.errors import InputError
from interpreter.simulation.engines import Manner
from interpreter.simulation.processes import WorkerLost
from interpreter.simulation.results import Configuration, Results, ResultsError, results_at
from interpreter.simulation.simulate import INTERRUPTED, GameFactory
from interpreter.simulation.study import Batch, Where, study, tasks
from rulelang.core.values import Json
from rulelang.diagnostics.english import counted


def write_study(args: argparse.Namespace, games: list[Game], count: int, make: GameFactory) -> int:
    """Play what the file does not hold yet; tell what all games in it come to."""
    seed, players = args.seed or 0, [game.players for game in games]
    configuration = _configuration(args, games[0], seed)
    whole, began = len(players) * count, time.perf_counter()
    stopped = ""
    into: Results | None = None
    try:
        into = results_at(Path(args.out), configuration)
        batch = Batch(make, Manner(args.bot, args.engine))
        where = Where(args.processes, args.backend, args.address)
        with interruptible(), progress("playing", whole) as advance:
            try:
                study(
                    tasks(players, count, seed),
                    batch,
                    into,
                    configuration,
                    where,
                    lambda done: advance(done, whole),
                )
            except KeyboardInterrupt:
                stopped = INTERRUPTED
            except WorkerLost as error:
                stopped = str(error)
    except ResultsError as error:
        complain(str(error))
        return 1
    except InputError as error:
        raise Usage(str(error)) from error
    finally:
        if into is not None:
            into.close()
    found = _summary(results_at(Path(args.out), configuration), configuration)
    found["seconds"] = round(time.perf_counter() - began, 3)
    deliver(lambda: give(found) if args.json else _tell(found, args.out))
    if stopped:
        said = stopped[0].upper() + stopped[1:]
        complain(f"{said}; the same command goes on with the games that are missing.")
        return STOPPED if stopped == INTERRUPTED else 1
    return 1 if found["not_decided"] else 0


def _configuration(args: argparse.Namespace, game: Game, seed: int) -> Configuration:
    settings: dict[str, Json] = {
        "variants": sorted(args.variant),
        "options": dict(sorted(options_of(args).items())),
        "added": [shown(Path(path)) for path in args.added],
        "bot": args.bot,
        "seed": seed,
    }
    return Configuration(game.id, game.loaded.rules_hash, settings)


def _summary(results: Results, configuration: Configuration) -> dict[str, Json]:
    totals = results.totals()
    results.close()
    return {
        "game": configuration.game,
        "rules_hash": configuration.rules_hash,
        "games": totals.games,
        "finished": totals.finished,
        "not_decided": totals.not_decided,
        "moves": totals.moves,
        "means": {str(p): [round(x, 3) for x in means] for p, means in totals.means.items()},
    }


def _tell(found: dict[str, Json], out: str) -> None:
    say(
        f"{out}: {counted(int(str(found['games'])), 'game')} of {found['game']}, "
        f"{found['finished']} finished, {found['not_decided']} not decided, "
        f"{found['moves']} choices"
    )
    means = found["means"]
    assert isinstance(means, dict)
    for players, each in means.items():
        say(f"  with {players}: {', '.join(f'{x:.1f}' for x in each)} on average, by player")
