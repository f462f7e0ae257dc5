"""The commands of players: play a game, let bots play many, play a record again."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import rulesets
from interpreter import logbook
from interpreter.agents import BOTS, Agent
from interpreter.commands import Usage, loaded_with
from interpreter.console import complain, counted, give, progress, say, show
from interpreter.game import Game, State, game_of
from interpreter.loading import RulesError, load_rules, shown
from interpreter.maps import draw_boards
from interpreter.records import Record, RecordError, read_record
from interpreter.simulate import BotError
from interpreter.simulate import simulate as run_games
from interpreter.terminal import Table
from rulelang.messages import finding
from rulelang.source import Span

MOST_BYTES = 50_000_000  # of a record


def game_from(args: argparse.Namespace) -> Game:
    """The game a command line asks for; cards that are left out are told on standard error."""
    options: dict[str, str | int] = {}
    for text in args.option:
        name, equals, value = text.partition("=")
        if not equals or not name or not value:
            raise Usage(f"--option takes NAME=VALUE, not {text!r}")
        options[name] = int(value) if value.isdecimal() and len(value) < 10 else value
    loaded = loaded_with(args)
    game = game_of(loaded, args.players, tuple(args.variant), options)
    if loaded.compiled.report.errors:
        show(loaded.compiled.report.errors, loaded.sources, error=True)
        complain(f"left out: {', '.join(loaded.compiled.refused)}")
    return game


# ------------------------------------------------------------------------------------------------ simulate
def simulate(args: argparse.Namespace) -> int:
    """Many games by bots."""
    game = game_from(args)
    with progress("playing", args.games) as advance:
        found = run_games(game, args.games, args.seed, args.bot, lambda number: advance(number, args.games))
    if args.json:
        give(found.as_json())
        return 1 if found.faults else 0
    say(
        f"{game.title}: {counted(found.games, 'game')} by {args.bot} bots, {found.finished} finished, {counted(found.moves, 'choice')}, {found.seconds:.1f} s",
        "bold",
    )
    for player in range(game.players) if found.scores else ():
        own = [scores[player] for scores in found.scores]
        say(f"  player {player + 1}: {sum(own) / len(own):.1f} on average, {min(own)} to {max(own)}")
    if found.never_fired:
        say(f"  {counted(len(found.never_fired), 'clause')} never counted: " + ", ".join(found.never_fired))
    say(f"  hash {found.hash}")
    for fault in found.faults:
        say(f"  fault: {fault}", "bold red")
    return 1 if found.faults else 0


# ------------------------------------------------------------------------------------------------ replay
def replay(args: argparse.Namespace) -> int:
    """Play a record again and see that it comes to the same end."""
    name = shown(Path(args.file))
    try:
        record = read_record(_plain_data(Path(args.file)))
        if args.rules is None and record.game not in rulesets.ids():
            raise RecordError(f"it is of the game {record.game}, which does not come along; say where it is with --rules")
        game = _game_of(record, args.rules)
        state = game.replay(record.model_dump())
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        key, values = ("not-found", {"path": args.file}) if missing else ("unreadable", {"why": error.strerror or "unknown"})
        raise RulesError([finding(key, Span(name, 0, 0, 0, 0), **values)], {}) from error
    except RecordError as error:
        raise RulesError([finding("bad-save", Span(name, 1, 1, 1, 2), why=str(error))], {}) from error
    log = [logbook.told(state, entry, None) for entry in state.log]
    if args.json:
        give({**_result(state, record.seed), "log": log})
        return 0
    for line in log:
        say(line)
    for line in ["", *draw_boards(game, state.position), ""]:
        say(line)
    say(
        f"{counted(state.moves, 'choice')}, " + ("the game is over." if state.over else "and the game is not over."),
        "bold",
    )
    for line in logbook.ranking(state):
        say(line)
    say(f"The record is right: state {state.digest()}")
    return 0


def _plain_data(path: Path) -> Any:
    """What a file of JSON holds; raises RecordError if it holds none."""
    if path.stat().st_size > MOST_BYTES:
        raise RecordError(f"it is larger than {MOST_BYTES} bytes")
    try:
        return json.loads(path.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        place = f" (line {error.lineno}, column {error.colno})" if isinstance(error, json.JSONDecodeError) else ""
        raise RecordError(f"it is no JSON text{place}") from error


def _game_of(record: Record, rules: str | None) -> Game:
    """The game of a record, with the texts it brings; raises RecordError if the rules do not take them."""
    loaded = load_rules(rules if rules is not None else record.game, record.variants, list(record.added.items()), tests=False)
    try:
        return game_of(loaded, record.players, tuple(record.variants), dict(record.options))
    except RulesError as error:
        raise RecordError("its settings do not fit the rules: " + "; ".join(item.message for item in error.found[:3])) from error


def _result(state: State, seed: int) -> dict[str, Any]:
    ranking = [[p + 1 for p in tied] for tied in state.ranking]
    return {
        "game": state.game.id, "players": state.game.players, "seed": seed, "moves": state.moves, "over": state.over,
        "ended": state.ended_by, "scores": state.scores(), "ranking": ranking, "digest": state.digest(),
    }  # fmt: skip


# ------------------------------------------------------------------------------------------------ play
def play(args: argparse.Namespace) -> int:
    """Play a game on the terminal, or watch bots play."""
    game = game_from(args)
    agents = _agents(args, game)
    if args.json and len(agents) < game.players:
        raise Usage("--json is for games of bots alone")
    if args.record is not None and not Path(args.record).absolute().parent.is_dir():
        raise Usage(f"{args.record} cannot be written: there is no such folder")
    lines: list[str] = []
    table = Table(game, agents, args.seed, lines.append if args.json else say, _ask)
    try:
        state = table.play()
    except BotError as error:
        complain(str(error))
        return 1
    finally:
        if args.record is not None:
            _save(Path(args.record), game, table.state)
    if args.json:
        give({**_result(state, args.seed), "log": lines})
    return 0


def _agents(args: argparse.Namespace, game: Game) -> dict[int, Agent]:
    """The bots by seat: as asked for; with nobody at the terminal all seats, else all but the first."""
    kinds = [kind for kind in (args.bots or "").split(",") if kind]
    for kind in kinds:
        if kind not in BOTS:
            raise Usage(f"there is no bot {kind}; bots are {', '.join(sorted(BOTS))}")
    seats = range(game.players)
    if args.human is not None:
        numbers = [word.strip() for word in args.human.split(",")]
        if not all(word.isdecimal() and 1 <= int(word) <= game.players for word in numbers):
            raise Usage(f"--human takes seats from 1 to {game.players}, as in 1,2")
        humans = {int(word) - 1 for word in numbers}
    elif len(kinds) >= game.players or not sys.stdin.isatty():
        humans = set()
    else:
        humans = set(seats) - set(list(seats)[-len(kinds) :]) if kinds else {0}
    bots = [p for p in seats if p not in humans]
    if len(kinds) > max(len(bots), 1):
        raise Usage(f"{len(kinds)} bots for {counted(len(bots), 'seat')}")
    return {p: BOTS[kinds[n % len(kinds)] if kinds else "greedy"](args.seed * 64 + p) for n, p in enumerate(bots)}


def _ask(prompt: str) -> str | None:
    try:
        line = input(prompt)
    except EOFError:
        return None
    if not sys.stdin.isatty():
        say(line)  # a terminal has shown what was typed
    return line


def _save(path: Path, game: Game, state: State) -> None:
    try:
        path.write_text(json.dumps(game.record(state), ensure_ascii=False) + "\n", "utf-8")
    except OSError as error:
        complain(f"{path} cannot be written: {error.strerror}")
    else:
        complain(f"The game is kept in {path}.")
