"""The command that lets bots play many games: with one number of players or several, in one process
or several, or under every setting."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from interpreter.cli.conform import simulate_all
from interpreter.cli.interrupts import STOPPED, interruptible, stopped_early
from interpreter.cli.output import complain, deliver, give, progress, say, show
from interpreter.cli.rules import loaded_with, options_of
from interpreter.cli.studies import write_study
from interpreter.cli.usage import Usage
from interpreter.game.game import Game, game_of
from interpreter.game.loading import load_rules
from interpreter.simulation.engines import AUTO, ENGINES, NATIVE, Manner, Plays
from interpreter.simulation.simulate import INTERRUPTED, Simulation
from interpreter.simulation.simulate import simulate as run_games
from rulelang.diagnostics.english import counted

VARIABLE = "RULELANG_ENGINE"


def simulate(args: argparse.Namespace) -> int:
    """Many games by bots; with --all-options some under every setting."""
    if args.all_options:
        if (args.players is not None and len(args.players) > 1) or args.processes > 1:
            raise Usage(
                "--all-options plays with one number of players or all of them, in one process"
            )
        args.players = None if args.players is None else args.players[0]
        return simulate_all(args)
    args.engine = _engine(args)
    games, count = _games(args), args.games or 10
    settings = tuple(args.variant), options_of(args), tuple(args.added)
    make = partial(_made, args.game, *settings)
    if args.out is not None:
        return write_study(args, games, count, make)
    with interruptible(), progress("playing", len(games) * count) as advance:
        found = run_games(
            games,
            count,
            args.seed or 0,
            Manner(args.bot, args.engine, counts=args.json or args.seen),
            lambda done: advance(done, len(games) * count),
            args.processes,
            make,
        )
    _told_why(games[0], args, found)
    deliver(
        lambda: give(found.as_json()) if args.json else _told(games, found, args.bot, args.seen)
    )
    if found.stopped:
        complain(stopped_early(found.stopped, found.games, len(games) * count, "game"))
        return STOPPED if found.stopped == INTERRUPTED else 1
    return 1 if found.faults else 0


def _engine(args: argparse.Namespace) -> str:
    """The engine asked for by the option or the environment."""
    found = str(args.engine or os.environ.get(VARIABLE) or AUTO)
    if found not in ENGINES:
        raise Usage(f"{VARIABLE} is {found!r}, and the engines are {', '.join(ENGINES)}")
    return found


def _games(args: argparse.Namespace) -> list[Game]:
    """The game for each number of players asked for.

    Cards that are left out are told on standard error.
    """
    loaded, options = loaded_with(args), options_of(args)
    counts = [None] if args.players is None else list(args.players)
    games = [game_of(loaded, players, tuple(args.variant), options) for players in counts]
    if loaded.compiled.report.errors:
        show(loaded.compiled.report.errors, loaded.sources, error=True)
        complain(f"left out: {', '.join(loaded.compiled.refused)}")
    show(
        dict.fromkeys(item for game in games for item in game.advice if item.severity == "warning"),
        loaded.sources,
        error=True,
    )
    return games


def _made(
    name: str,
    variants: tuple[str, ...],
    options: dict[str, str | int],
    added: tuple[str, ...],
    players: int,
) -> Game:
    files = [(str(path), Path(path)) for path in added]
    loaded = load_rules(name, variants, files, tests=False)
    return game_of(loaded, players, variants, options)


def _told_why(game: Game, args: argparse.Namespace, found: Simulation) -> None:
    """Say why the native engine has not played, if it was asked to."""
    if args.engine == NATIVE and found.engine != NATIVE and found.games:
        plays = Plays(game, Manner(args.bot, NATIVE))
        plays.outcome(args.seed or 0)
        why = plays.why_not or "its module leaves every game to the usual engine"
        complain(f"the native engine cannot play this: {why}")


def _told(games: list[Game], found: Simulation, bot: str, seen: bool) -> None:
    """Write the results in words.

    With `seen`, how often each clause counted and title was played.
    """
    played = f"{counted(found.games, 'game')} by {bot} bots, {found.finished} finished"
    if found.not_decided:
        played += f", {found.not_decided} not decided"
    took = f"{counted(found.moves, 'choice')}, {found.seconds:.1f} s"
    say(f"{games[0].title}: {played}, {took}", "bold")
    if len(games) == 1:
        _tell_players(games[0], found)
    else:
        _tell_counts(found)
    if seen:
        _tell_seen(found)
    if not found.told:
        say("  which clauses counted is not told by the native engine")
    if found.never_fired:
        clauses = counted(len(found.never_fired), "clause")
        say(f"  {clauses} never counted: " + ", ".join(found.never_fired))
    say(f"  hash {found.hash}")
    for fault in found.faults:
        say(f"  not decided: {fault}", "bold red")


def _tell_players(game: Game, found: Simulation) -> None:
    """The scores of each player."""
    for player in range(game.players) if found.scores else ():
        own = [scores[player] for scores in found.scores]
        say(f"  player {player + 1}: {_average(own)} on average, {min(own)} to {max(own)}")


def _tell_counts(found: Simulation) -> None:
    """The games with each number of players."""
    for players, counts in found.by_players.items():
        each = [score for scores in found.scores if len(scores) == players for score in scores]
        said = f"{counted(counts['games'], 'game')}, {counts['finished']} finished"
        said += f", {counted(counts['moves'], 'choice')}"
        if each:
            said += f", {_average(each)} a player on average, {min(each)} to {max(each)}"
        say(f"  {counted(players, 'player')}: {said}")


def _average(scores: list[int]) -> str:
    return f"{sum(scores) / len(scores):.1f}"


def _tell_seen(found: Simulation) -> None:
    """In how many games each clause counted and each title was played, most first."""
    for clause, number in _most_first(found.seen):
        say(f"  {number:>6}  {clause}")
    for event, titles in found.played.items():
        for title, number in _most_first(titles):
            say(f"  {number:>6}  {event}: {title}")
    if found.never_played:
        titles_unplayed = counted(len(found.never_played), "title")
        say(f"  {titles_unplayed} never played: " + ", ".join(found.never_played))


def _most_first(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
