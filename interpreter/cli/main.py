"""The command line: parsed here with argparse; a command's own module is imported when it runs."""

from __future__ import annotations

import argparse
import contextlib
import errno
import gc
import importlib
import io
import os
import sys
from collections.abc import Callable

from interpreter.bots.names import BOT_NAMES
from interpreter.cli.usage import MOST_PLAYERS, Usage

EPILOG = (
    "Exit status: 0 all is well; 1 something was found, or could not be finished, written or kept; "
    "2 the command line is wrong; 3 a mistake of the program; 130 it was interrupted."
)

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def main(argv: list[str] | None = None) -> int:
    """Carry out a command line; gives the exit status."""
    _open_streams()
    try:
        return _delivered(argv)
    except KeyboardInterrupt:
        _complain("")
        return 130
    except BrokenPipeError:
        _write_nowhere()
        return 0


def _open_streams() -> None:
    """Every stream is there, if perhaps none reads or writes it, and takes any letter."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # as long as the program runs
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr, sys.stdin):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _delivered(argv: list[str] | None) -> int:
    """The exit status; where standard output takes nothing more that is told."""
    try:
        try:
            args = parser().parse_args(argv)
        except SystemExit as error:  # argparse has said what is wrong, or has helped
            sys.stdout.flush()
            return error.code if isinstance(error.code, int) else 2
        return _reported(args)
    except BrokenPipeError:
        raise
    except OSError as error:
        if not _is_of_output(error):
            raise
        _write_nowhere()
        with contextlib.suppress(OSError):
            _complain(f"rulelang: standard output cannot be written: {error.strerror}")
        return 1


def _is_of_output(error: OSError) -> bool:
    """Did it come of standard output, which takes nothing more, as on a full disk?

    Whoever writes a file tells its errors himself, and those of others name the file.
    """
    if isinstance(error, BrokenPipeError) or (error.filename is None and error.errno in _FULL):
        return True
    try:
        sys.stdout.flush()
    except OSError:
        return True
    return False


def _write_nowhere() -> None:
    """What is still to be written on standard output goes nowhere, for nobody reads on, or nothing
    takes it.
    """
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _reported(args: argparse.Namespace) -> int:
    """The exit status of a command; what it came to is told."""
    try:
        status = _command(args.run)(args)
        sys.stdout.flush()
        return status
    except Usage as error:
        _complain(f"rulelang {args.command}: {error}")
        return 2
    except Exception as error:
        if isinstance(error, OSError) and _is_of_output(error):
            raise
        from interpreter.cli.failures import report_failure

        return report_failure(error, args.json)


def _command(place: str) -> Callable[[argparse.Namespace], int]:
    """The function of a command, from "module:function"."""
    module, _, name = place.partition(":")
    found: Callable[[argparse.Namespace], int] = getattr(
        importlib.import_module(f"interpreter.cli.{module}"), name
    )
    return found


def _complain(text: str) -> None:
    from interpreter.cli.output import complain

    complain(text)


def parser() -> argparse.ArgumentParser:
    """All commands and what they take."""
    whole = argparse.ArgumentParser(
        prog="rulelang",
        description="Rules and cards of board games: check, explain, test and play them.",
        epilog=EPILOG,
    )
    whole.add_argument(
        "--version", action=_Version, nargs=0, help="show program's version number and exit"
    )
    sub = whole.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(
        name: str,
        run: str,
        said: str,
        within: argparse._SubParsersAction[argparse.ArgumentParser] = sub,
    ) -> argparse.ArgumentParser:
        made = within.add_parser(
            name, help=said, description=f"{said[:1].upper()}{said[1:]}.", epilog=EPILOG
        )
        made.add_argument("--json", action="store_true", help="write plain data")
        made.set_defaults(run=run)
        return made

    command("games", "games:games", "list the games that come along")
    for name, run, said in [
        ("check", "author:check", "find what is wrong with files"),
        ("test", "author:test", "run the scenarios of files"),
    ]:
        one = command(name, run, said)
        one.add_argument(
            "paths", nargs="+", metavar="PATH", help="a file, a folder, or the id of a game"
        )
        one.add_argument(
            "--rules",
            metavar="PATH",
            help="the game of files that begin with `for`, if it does not come along",
        )
        if name == "check":
            one.add_argument(
                "--players",
                type=_positive,
                metavar="N",
                help="hold deck lists against what is advised for so many "
                "(all numbers they are for)",
            )
    one = command("fmt", "fmt:fmt", "lay out files in the one way")
    one.add_argument(
        "paths",
        nargs="*",
        default=["."],
        metavar="PATH",
        help="a file, a folder, the id of a game, or - for standard input",
    )
    one.add_argument(
        "--check", action="store_true", help="change nothing, name the files that would change"
    )
    one.add_argument("--diff", action="store_true", help="change nothing, show what would change")
    one = command("phrases", "texts:phrases", "list what can be written on a card of a game")
    _game(one)
    one.add_argument("word", nargs="?", help="only what this word occurs in")
    one = command("explain", "texts:explain", "say how a card's text reads and what it does")
    _game(one)
    one.add_argument("text", help="sentences, or the title of a card")
    one = command(
        "coverage", "coverage:cover", "say how much of a rulebook is encoded and exercised"
    )
    one.add_argument("game", metavar="GAME")
    one.add_argument("--statement", metavar="ID", help="the clauses and scenarios of one statement")
    one = command("simulate", "simulate:simulate", "let bots play many games")
    _settings(one, players=_span)
    one.add_argument(
        "--games",
        type=_positive,
        metavar="N",
        help="how many with each number of players (10, or 1 under each setting)",
    )
    one.add_argument(
        "--processes",
        type=_positive,
        default=1,
        metavar="N",
        help="how many play side by side; the games are the same",
    )
    one.add_argument(
        "--seen", action="store_true", help="tell in how many games each clause counted"
    )
    one.add_argument(
        "--all-options",
        action="store_true",
        help="under every combination of players, variants and options",
    )
    one.add_argument("--bot", choices=BOT_NAMES, default="random")
    one = command(
        "conform", "conform:conform", "check the laws that every ruleset keeps while it is played"
    )
    _settings(one)
    one.add_argument(
        "--games", type=_positive, default=2, metavar="N", help="how many under each setting (2)"
    )
    one.add_argument(
        "--all-options",
        action="store_true",
        help="under every combination of players, variants and options, not a sample of them",
    )
    one = command("play", "play:play", "play a game, or watch bots play")
    _settings(one, "?")
    bots = f"known: {', '.join(BOT_NAMES)}"
    one.add_argument(
        "--seats",
        metavar="KINDS",
        help=f"who sits where, `me` for each person, as in me,greedy,me ({bots})",
    )
    one.add_argument(
        "--bots", metavar="KINDS", help=f"the bots of the last seats, as in greedy,random ({bots})"
    )
    one.add_argument("--record", metavar="FILE", help="keep the game in a file")
    one.add_argument("--resume", metavar="FILE", help="go on with a game that was kept")
    one = command("wasm", "wasm:write", "write a game as a WebAssembly module")
    _settings(one)
    one.add_argument("--out", metavar="FILE", help="write the binary module there, and no text")
    one.set_defaults(bots=None)
    one = command("replay", "play:replay", "play a record again and check it")
    one.add_argument("file", metavar="FILE")
    one.add_argument("--rules", metavar="PATH", help="the game, if it does not come along")
    new = sub.add_parser("new", help="write a file to start from", epilog=EPILOG).add_subparsers(
        dest="what", required=True, metavar="card|game"
    )
    one = command("card", "author:new_card", "write a card to start from", new)
    one.add_argument("game", metavar="GAME")
    one.add_argument("--out", metavar="FILE", help="write it there, not on standard output")
    one = command("game", "author:new_game", "write a game to start from", new)
    one.add_argument("name", metavar="NAME")
    one.add_argument(
        "--out", metavar="FILE", help="write it there (a file, or a folder), not on standard output"
    )
    return whole


def _game(one: argparse.ArgumentParser, times: str | None = None) -> None:
    one.add_argument(
        "game", metavar="GAME", nargs=times, help="the id of a game, or the path of its rules"
    )
    one.add_argument(
        "--with",
        action="append",
        default=[],
        dest="added",
        metavar="FILE",
        help="a file of cards or variants to add",
    )


def _settings(
    one: argparse.ArgumentParser,
    times: str | None = None,
    players: Callable[[str], object] | None = None,
) -> None:
    _game(one, times)
    if players is None:
        one.add_argument("--players", type=_positive, metavar="N")
    else:
        one.add_argument("--players", type=players, metavar="N", help="how many, as in 3 or 2-5")
    one.add_argument("--seed", type=int, metavar="S")
    one.add_argument("--variant", action="append", default=[], metavar="V")
    one.add_argument("--option", action="append", default=[], metavar="K=V")
    one.add_argument("--deck", metavar="LIST", help="the deck list, as --option deck=LIST")


def _positive(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text[:10]) < 10**9:
        raise argparse.ArgumentTypeError(f"{text} is no number from 1 on")
    return int(text)


def _span(text: str) -> range:
    low, dash, high = text.partition("-")
    first, last = _positive(low), _positive(high if dash else low)
    if last < first or last > MOST_PLAYERS:
        raise argparse.ArgumentTypeError(
            f"{text} is no number of players, nor numbers from one to another, as 2-5"
        )
    return range(first, last + 1)


class _Version(argparse.Action):
    """Prints the installed version, which is looked up only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Print it and exit."""
        from importlib.metadata import PackageNotFoundError, version

        try:
            found = version("rulelang")
        except PackageNotFoundError:
            found = "unknown"
        print(f"rulelang {found}")
        parser.exit()


def process() -> int:
    """The command line of a process of its own: what was made goes with the process, and is not
    looked through once more at its end."""
    status = main()
    gc.freeze()
    return status


if __name__ == "__main__":
    sys.exit(process())
