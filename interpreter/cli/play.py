"""The commands of players: play a game, let bots play many, play a record again."""

from __future__ import annotations

import argparse
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.text import Text

import rulesets
from interpreter.cli.interrupts import interruptible
from interpreter.cli.output import complain, give, say, show
from interpreter.cli.rules import loaded_with, options_of
from interpreter.cli.usage import MOST_PLAYERS, Usage
from interpreter.game import log
from interpreter.game.files import read_file
from interpreter.game.game import Game, State, game_of
from interpreter.game.gc_pause import gc_settling
from interpreter.game.loading import Loaded, RulesError, Unlawful, load_rules, shown
from interpreter.game.record_error import RecordError
from interpreter.model.values import Fault
from interpreter.render.board import draw_all
from interpreter.render.screen import Listener, Terminal
from interpreter.scenarios.course import NoCourse, course, played_on, scenario_of
from interpreter.scenarios.scenario import Runner
from interpreter.simulation.outcome import BotError
from interpreter.table import choosing, commands, saves
from interpreter.table.input import answer
from interpreter.table.patience import patient
from interpreter.table.saves import Keeper, NotKept
from interpreter.table.seats import NoSeat, Seats, seats_of
from interpreter.table.session import Table
from rulelang.core.values import Json
from rulelang.diagnostics import finding
from rulelang.diagnostics.english import counted
from rulelang.diagnostics.source import MAX_BYTES, NOWHERE, Span

MOST_TRIED = 8  # numbers of players above the one that is wanted


def game_from(args: argparse.Namespace) -> Game:
    """The game a command line asks for; cards that are left out are told on standard error.

    Where it does not say how many play, one plays against one bot; if the rules do not allow that,
    against as few as they do, or else alone.
    """
    loaded, options = loaded_with(args), options_of(args)
    if args.players is not None:
        game = game_of(loaded, args.players, tuple(args.variant), options)
    else:
        named = (args.bots or "").count(",") + 1
        game = _first_allowed(loaded, max(2, named), tuple(args.variant), options)
    if loaded.compiled.report.errors:
        show(loaded.compiled.report.errors, loaded.sources, error=True)
        complain(f"left out: {', '.join(loaded.compiled.refused)}")
    show((item for item in game.advice if item.severity == "warning"), loaded.sources, error=True)
    return game


def _first_allowed(
    loaded: Loaded, wanted: int, variants: tuple[str, ...], options: dict[str, str | int]
) -> Game:
    """The game for the number of players that is wanted, or for the nearest that the rules allow,
    rather more than fewer; raises RulesError if they allow none.
    """
    low, high = loaded.compiled.rules.players
    most = min(high if high is not None else MOST_PLAYERS, MOST_PLAYERS)
    more, fewer = range(max(low, wanted), most + 1), range(min(most, wanted - 1), low - 1, -1)
    refused: Unlawful | None = None
    for count in [*more[:MOST_TRIED], *fewer] or [low]:
        try:
            return game_of(loaded, count, variants, options)
        except Unlawful as error:
            refused = refused or error
    assert refused is not None
    raise refused


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
    why = "".join(letter for letter in record.not_decided if letter.isprintable())
    if args.json:
        give({**_result(state, record.seed), "log": told} | ({"not_decided": why} if why else {}))
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
    if why:
        say(f"The game is not decided: {why}.", "bold red")
    for line in log.ranking(state):
        say(line)
    say(f"The record is right: state {state.digest()}")
    return 0


def _result(state: State, seed: int) -> dict[str, Json]:
    """What a game came to; without scores where the rules cannot say them."""
    try:
        scores = state.scores()
        ranking = [[p + 1 for p in tied] for tied in state.ranking]
    except Fault:
        scores, ranking = [], []
    return {
        "game": state.game.id,
        "players": state.game.players,
        "seed": seed,
        "moves": state.moves,
        "over": state.over,
        "ended": state.ended_by,
        "scores": scores,
        "ranking": ranking,
        "digest": state.digest(),
    }


# --------------------------------------------------------------------------------------------- play
MOST_DRAWN = 1_000_000  # seeds that are drawn lie below: short enough to be typed


def play(args: argparse.Namespace) -> int:
    """Play a game on the terminal, go on with one that was kept, or watch bots play."""
    if args.scenario is not None:
        (state, seats), keeper = _from_scenario(args), None
    else:
        state, seats, identity = _resumed(args) if args.resume is not None else _begun(args)
        keeper = _keeper(args, state, seats, identity)
    if args.json and seats.people:
        raise Usage("--json is for games of bots alone")
    screen = Listener() if args.json else Terminal()
    agents = seats.agents(state.position.seed + state.moves)
    if seats.people:
        agents = {p: patient(agent, max(args.bot_time, 0.0)) for p, agent in agents.items()}
    table = Table(
        state,
        agents,
        screen,
        keeper,
        commands.command,
        answer,
        tuple(commands.COMMANDS),
    )
    with interruptible(), gc_settling() as table.settle:
        try:
            status = _played(table)
        finally:
            kept = args.record is None or keeper is None or _keep(keeper, table.state)
    if isinstance(screen, Listener):
        found: dict[str, object] = {
            **_result(table.state, state.position.seed),
            "log": list(screen.said),
        }
        if table.fault is not None:
            fault = finding("fault", NOWHERE, why=str(table.fault))
            found |= {"not_decided": str(table.fault), "diagnostics": [fault.as_json()]}
        give(found)
    return status if kept and not table.lost else 1


def _keeper(args: argparse.Namespace, state: State, seats: Seats, identity: str) -> Keeper:
    """Keeps the game in the file that is named, if one is; raises Usage if that cannot be."""
    if args.record is not None and not Path(args.record).absolute().parent.is_dir():
        raise Usage(f"{args.record} cannot be written: there is no such folder")
    file = args.record or args.resume
    rules = "" if args.game is None or args.game in rulesets.ids() else args.game
    before = state if args.resume else None
    path = Path(file) if file is not None else None
    keeper = Keeper(state.game, seats, path, rules, before, identity, recorded=bool(args.record))
    try:
        keeper.may_begin(state)
    except NotKept as error:
        raise Usage(
            f"{error}; name another file, or go on with a game that was kept by --resume FILE"
        ) from error
    return keeper


def _played(table: Table) -> int:
    """Play to the end, or until somebody leaves; returns the exit status."""
    try:
        table.play()
        if table.fault is not None:
            show([finding("fault", NOWHERE, why=str(table.fault))], {}, error=True)
            return 1
    except BotError as error:
        complain(str(error))
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _begun(args: argparse.Namespace) -> tuple[State, Seats, str]:
    """A new game and its seats; it has no identity yet."""
    if args.game is None and sys.stdin.isatty():
        return _chosen(args)
    if args.game is None:
        raise Usage(
            "which game? Name one (`rulelang games` lists them), "
            "or go on with one that was kept: --resume FILE"
        )
    if args.players is None and args.seats is not None and args.bots is None:
        args.players = len(args.seats.split(","))
    game = game_from(args)
    seed = args.seed if args.seed is not None else secrets.randbelow(MOST_DRAWN)
    return game.start(seed), _seats(args, game.players), ""


def _chosen(args: argparse.Namespace) -> tuple[State, Seats, str]:
    """The game that is chosen from a list: a new one, or one that was kept."""
    from interpreter.game import catalog

    found = choosing.choose(Terminal(), list(catalog.games()), choosing.kept_games(Path()))
    if found is None:
        raise Usage("no game was chosen; `rulelang play GAME` plays one that is named")
    if found.resume is not None:
        args.resume = str(found.resume)
        return _resumed(args)
    args.game, args.players = found.game, args.players or found.players
    args.variant = [*args.variant, *found.variants]
    args.option = [*args.option, *(f"{name}={value}" for name, value in found.options.items())]
    return _begun(args)


def _resumed(args: argparse.Namespace) -> tuple[State, Seats, str]:
    """The game of a file, if it is what else the command line says, who sat there unless that is
    said anew, and its identity."""
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
                name: read_file(Path(name), MAX_BYTES).decode("utf-8", "replace")
                for name in args.added
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
    anew = sat is None or args.seats is not None or args.bots is not None
    seats = _seats(args, state.game.players) if anew or sat is None else sat
    return state, seats, record.identity


def _from_scenario(args: argparse.Namespace) -> tuple[State, Seats]:
    """The state that a scenario comes to, and the seats; raises Usage where there is none.

    Such a game is not kept: a record begins at the start of a game.
    """
    if args.game is None or args.resume is not None or args.record is not None:
        raise Usage("--scenario is for a GAME that is named, without --resume and --record")
    if args.players or args.variant or args.option or args.deck or args.seed is not None:
        raise Usage("--scenario plays under the settings of the scenario")
    added = [(shown(Path(path)), Path(path)) for path in args.added]
    loaded = load_rules(args.game, (), added, tests=True)
    try:
        scenario = scenario_of(loaded, args.scenario)
        found = course(Runner(loaded), scenario)
        number = found.before(args.line) if args.line is not None else found.given()
        state = played_on(found, number)
    except NoCourse as error:
        raise Usage(str(error)) from error
    return state, _seats(args, state.game.players)


def _seats(args: argparse.Namespace, players: int) -> Seats:
    try:
        return seats_of(args.seats, args.bots, players, sys.stdin.isatty())
    except NoSeat as error:
        raise Usage(str(error)) from error


def _keep(keeper: Keeper, state: State) -> bool:
    """Keep a game where it was told to; says whether that could be."""
    try:
        complain(f"The game is kept in {keeper.keep(state)}.")
    except NotKept as error:
        complain(f"The game could not be kept: {error}.")
        return False
    return True
