"""The commands of players: play a game, let bots play many, play a record again."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.text import Text

import rulesets
from interpreter.cli.output import complain, give, say, show
from interpreter.cli.rules import loaded_with, options_of
from interpreter.cli.usage import Usage
from interpreter.game import log
from interpreter.game.game import Game, State, game_of
from interpreter.game.loading import RulesError, shown
from interpreter.game.record_error import RecordError
from interpreter.render.board import draw_all
from interpreter.render.screen import Listener, Terminal
from interpreter.simulation.simulate import BotError
from interpreter.table import commands, saves
from interpreter.table.input import answer
from interpreter.table.saves import Keeper, NotKept
from interpreter.table.seats import NoSeat, Seats, seats_of
from interpreter.table.session import Table
from rulelang.core.values import Json
from rulelang.diagnostics import finding
from rulelang.diagnostics.english import counted
from rulelang.diagnostics.source import Span


def game_from(args: argparse.Namespace) -> Game:
    """The game a command line asks for; cards that are left out are told on standard error."""
    options = options_of(args)
    loaded = loaded_with(args)
    game = game_of(loaded, args.players, tuple(args.variant), options)
    if loaded.compiled.report.errors:
        show(loaded.compiled.report.errors, loaded.sources, error=True)
        complain(f"left out: {', '.join(loaded.compiled.refused)}")
    show((item for item in game.advice if item.severity == "warning"), loaded.sources, error=True)
    return game


# ------------------------------------------------------------------------------------------ records
@contextmanager
def refusals(file: str) -> Iterator[None]:
    """Where a record is read: what is wrong with it becomes a finding in its file."""
    name = shown(Path(file))
    try:
        yield
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        key, values = (
            ("not-found", {"path": file})
            if missing
            else ("unreadable", {"why": error.strerror or "unknown"})
        )
        raise RulesError([finding(key, Span(name, 0, 0, 0, 0), **values)], {}) from error
    except RecordError as error:
        raise RulesError(
            [finding("bad-save", Span(name, 1, 1, 1, 2), why=str(error))], {}
        ) from error


def _rules(game: str, rules: str | None, how: str) -> str:
    """Where the rules of a game are.

    Raises RecordError if they neither come along nor were named.
    """
    if rules is None and game not in rulesets.ids():
        raise RecordError(
            f"it is of the game {game}, which does not come along; say where it is with {how}"
        )
    return rules if rules is not None else game


def replay(args: argparse.Namespace) -> int:
    """Play a record again and see that it comes to the same end."""
    with refusals(args.file):
        record = saves.read(Path(args.file))
        state = saves.game_for(record, _rules(record.game, args.rules, "--rules PATH")).replay(
            record.model_dump()
        )
    game = state.game
    told = [log.told(state, entry, None) for entry in log.gathered(state.log)]
    if args.json:
        give({**_result(state, record.seed), "log": told})
        return 0
    for line in told:
        say(line)
    for row in [Text(), *draw_all(game, state.position), Text()]:
        say(row)
    say(
        f"{counted(state.moves, 'choice')}, "
        + ("the game is over." if state.over else "and the game is not over."),
        "bold",
    )
    for line in log.ranking(state):
        say(line)
    say(f"The record is right: state {state.digest()}")
    return 0


def _result(state: State, seed: int) -> dict[str, Json]:
    ranking = [[p + 1 for p in tied] for tied in state.ranking]
    return {
        "game": state.game.id,
        "players": state.game.players,
        "seed": seed,
        "moves": state.moves,
        "over": state.over,
        "ended": state.ended_by,
        "scores": state.scores(),
        "ranking": ranking,
        "digest": state.digest(),
    }


# --------------------------------------------------------------------------------------------- play
def play(args: argparse.Namespace) -> int:
    """Play a game on the terminal, go on with one that was kept, or watch bots play."""
    state, seats = _resumed(args) if args.resume is not None else _begun(args)
    if args.json and seats.people:
        raise Usage("--json is for games of bots alone")
    keeper = _keeper(args, state, seats)
    screen = Listener() if args.json else Terminal()
    table = Table(
        state,
        seats.agents(state.position.seed + state.moves),
        screen,
        keeper,
        commands.command,
        answer,
        tuple(commands.COMMANDS),
    )
    try:
        status = _played(table)
    finally:
        if args.record is not None:
            _keep(keeper, table.state)
    if isinstance(screen, Listener):
        give({**_result(table.state, state.position.seed), "log": screen.said})
    return status


def _keeper(args: argparse.Namespace, state: State, seats: Seats) -> Keeper:
    """Keeps the game in the file that is named, if one is; raises Usage if that cannot be."""
    if args.record is not None and not Path(args.record).absolute().parent.is_dir():
        raise Usage(f"{args.record} cannot be written: there is no such folder")
    file = args.record or args.resume
    rules = "" if args.game is None or args.game in rulesets.ids() else args.game
    before = state if args.resume else None
    return Keeper(state.game, seats, Path(file) if file is not None else None, rules, before)


def _played(table: Table) -> int:
    """Play to the end, or until somebody leaves; returns the exit status."""
    try:
        with hung_up():
            table.play()
    except BotError as error:
        complain(str(error))
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _begun(args: argparse.Namespace) -> tuple[State, Seats]:
    """A new game and its seats."""
    if args.game is None:
        raise Usage(
            "which game? Name one (`rulelang games` lists them), "
            "or go on with one that was kept: --resume FILE"
        )
    if args.players is None and args.seats is not None and args.bots is None:
        args.players = len(args.seats.split(","))
    game = game_from(args)
    return game.start(args.seed or 0), _seats(args, game.players)


def _resumed(args: argparse.Namespace) -> tuple[State, Seats]:
    """The game of a file, if it is what else the command line says, and who sat there unless that
    is said anew."""
    with refusals(args.resume):
        record = saves.read(Path(args.resume))
        wanted: dict[str, Json] = {
            "players": args.players,
            "seed": args.seed,
            "variants": args.variant or None,
            "options": options_of(args) or None,
        }
        if args.added:
            wanted["added"] = {
                name: Path(name).read_text("utf-8", "replace") for name in args.added
            }
        if args.game in rulesets.ids():
            wanted["game"] = args.game
        other = saves.differences(
            record, {name: value for name, value in wanted.items() if value is not None}
        )
        if other:
            raise RecordError("; ".join(other))
        state = saves.game_for(
            record, _rules(record.game, args.game, "`rulelang play PATH --resume FILE`")
        ).replay(record.model_dump())
        sat = saves.seats_in(record)
    return state, sat if sat is not None and args.seats is None and args.bots is None else _seats(
        args, state.game.players
    )


def _seats(args: argparse.Namespace, players: int) -> Seats:
    try:
        return seats_of(args.seats, args.bots, players, sys.stdin.isatty())
    except NoSeat as error:
        raise Usage(str(error)) from error


@contextmanager
def hung_up() -> Iterator[None]:
    """A terminal that is closed, or a program that is told to end, leaves the game as Control-C
    does."""

    def leave(*_: object) -> None:
        raise KeyboardInterrupt

    names = (
        [name for name in ("SIGHUP", "SIGTERM") if hasattr(signal, name)]
        if threading.current_thread() is threading.main_thread()
        else []
    )
    before = {getattr(signal, name): signal.signal(getattr(signal, name), leave) for name in names}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _keep(keeper: Keeper, state: State) -> None:
    try:
        complain(f"The game is kept in {keeper.keep(state)}.")
    except NotKept as error:
        complain(f"{str(error)[:1].upper()}{str(error)[1:]}.")
