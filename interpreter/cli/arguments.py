"""What the command line takes, for argparse: each command with its arguments."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from interpreter.bots.names import BOT_NAMES
from interpreter.cli.usage import MOST_PLAYERS

EPILOG = (
    "Exit status: 0 all is well; 1 something was found, or could not be finished, written or kept; "
    "2 the command line is wrong; 3 a mistake of the program; "
    "4 it was not decided within the bounds; 130 it was interrupted."
)


Parser: TypeAlias = argparse.ArgumentParser
Parsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


@dataclass(frozen=True)
class Command:
    """A command: its name, "module:function" of what runs it, what it does, and what adds its
    arguments.
    """

    name: str
    run: str
    said: str
    arguments: Callable[[Parser], None] = lambda _: None

    def add_to(self, parsers: Parsers) -> None:
        """Add it to these commands."""
        said = f"{self.said[:1].upper()}{self.said[1:]}."
        one = parsers.add_parser(self.name, help=self.said, description=said, epilog=EPILOG)
        one.add_argument("--json", action="store_true", help="write plain data")
        one.set_defaults(run=self.run)
        self.arguments(one)


def parser() -> Parser:
    """All commands and what they take."""
    whole = argparse.ArgumentParser(
        prog="rulelang",
        description="Rules and cards of board games: check, explain, test and play them.",
        epilog=EPILOG,
    )
    whole.add_argument(
        "--version", action=_Version, nargs=0, help="show program's version number and exit"
    )
    found = whole.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in _COMMANDS:
        command.add_to(found)
    new = found.add_parser("new", help="write a file to start from", epilog=EPILOG)
    what = new.add_subparsers(dest="what", required=True, metavar="card|game")
    for command in _NEW:
        command.add_to(what)
    return whole


# ------------------------------------------------------------------------ arguments of a command
def _check(one: Parser) -> None:
    _test(one)
    one.add_argument(
        "--players",
        type=_positive,
        metavar="N",
        help="hold deck lists against what is advised for so many (all numbers they are for)",
    )


def _test(one: Parser) -> None:
    one.add_argument(
        "paths", nargs="+", metavar="PATH", help="a file, a folder, or the id of a game"
    )
    one.add_argument(
        "--rules",
        metavar="PATH",
        help="the game of files that begin with `for`, if it does not come along",
    )


def _fmt(one: Parser) -> None:
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


def _phrases(one: Parser) -> None:
    _game(one)
    one.add_argument("word", nargs="?", help="only what this word occurs in")


def _explain(one: Parser) -> None:
    _game(one)
    one.add_argument("text", help="sentences, or the title of a card")
    one.add_argument(
        "--title", default="", metavar="TITLE", help="read the text as on a card that is called so"
    )


def _diff(one: Parser) -> None:
    one.add_argument("game", metavar="GAME", help="the id of a game, or the path of its rules")
    what = "sentences, the title of a card, a file of cards, a variant, or `base` for none"
    one.add_argument("a", metavar="A", help=what)
    one.add_argument("b", metavar="B", help="the same")
    one.add_argument(
        "--under", action="append", default=[], metavar="VARIANT", help="compare under it"
    )


def _witness(one: Parser) -> None:
    _game(one)
    one.add_argument("card", metavar="CARD", help="the title of a card")
    one.add_argument("sentence", metavar="SENTENCE", nargs="?", help="its number or its words")
    one.add_argument("--out", metavar="FILE", help="write the game there, for `rulelang replay`")


def _interactions(one: Parser) -> None:
    _game(one)
    one.add_argument("card", metavar="CARD", help="the title of a card")
    one.add_argument("--most", type=_positive, default=12, metavar="N", help="how many are told")


def _rulings(one: Parser) -> None:
    _game(one)
    one.add_argument(
        "question", metavar="QUESTION", nargs="?", help="words, a clause, a statement or a card"
    )


def _mutate(one: Parser) -> None:
    _game(one)
    one.add_argument(
        "--cards", action="store_true", help="break what cards print and say, not the rules"
    )
    one.add_argument("--sample", type=_positive, metavar="N", help="how many mutants (all)")
    one.add_argument("--seed", type=int, default=0, metavar="S", help="which are drawn (0)")
    one.add_argument(
        "--out", metavar="FILE", help="write scenarios that would notice what survived there"
    )


def _coverage(one: Parser) -> None:
    one.add_argument("game", metavar="GAME")
    one.add_argument("--statement", metavar="ID", help="the clauses and scenarios of one statement")


def _simulate(one: Parser) -> None:
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
        "--out",
        metavar="FILE",
        help="write each game there (.sqlite, .parquet), and go on where it was left",
    )
    one.add_argument(
        "--backend", default="loky", metavar="NAME", help="with --out: loky, threading, dask or ray"
    )
    one.add_argument("--address", metavar="A", help="with --out: of the cluster that plays")
    one.add_argument(
        "--seen", action="store_true", help="tell in how many games each clause counted"
    )
    one.add_argument(
        "--all-options",
        action="store_true",
        help="under every combination of players, variants and options",
    )
    one.add_argument("--bot", choices=BOT_NAMES, default="random")
    one.add_argument(
        "--engine",
        choices=("auto", "reference", "native"),
        help="what plays; the games are the same (auto, or RULELANG_ENGINE: the quickest that can)",
    )


def _balance(one: Parser) -> None:
    _settings(one, players=_span)
    one.add_argument(
        "file", metavar="FILE", help="a file of cards or of variants, or the name of a variant"
    )
    one.add_argument(
        "--games", type=_positive, default=200, metavar="N", help="at most so many pairs (200)"
    )
    one.add_argument("--bot", choices=BOT_NAMES, default="hasty")
    one.add_argument(
        "--least", type=_amount, default=1.0, metavar="X", help="the least difference that matters"
    )
    one.add_argument("--like", metavar="TITLE", help="compare with this card alone")
    one.add_argument("--html", metavar="FILE", help="write the results as a page, with a chart")


def _conform(one: Parser) -> None:
    _settings(one)
    one.add_argument(
        "--games", type=_positive, default=2, metavar="N", help="how many under each setting (2)"
    )
    one.add_argument(
        "--processes",
        type=_positive,
        metavar="N",
        help="how many work side by side (for many settings as many as can)",
    )
    one.add_argument(
        "--all-options",
        action="store_true",
        help="under every combination of players, variants and options, not a sample of them",
    )


def _play(one: Parser) -> None:
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
    one.add_argument(
        "--bot-time",
        type=float,
        default=2.0,
        metavar="SECONDS",
        help="how long a bot may think while people wait (2; 0 for as long as it likes)",
    )
    one.add_argument("--record", metavar="FILE", help="keep the game in a file")
    one.add_argument("--resume", metavar="FILE", help="go on with a game that was kept")
    one.add_argument("--scenario", metavar="TITLE", help="play on from what a scenario is given")
    one.add_argument(
        "--line",
        type=_positive,
        metavar="N",
        help="with --scenario: from where it has come before this line of its file",
    )


def _book(one: Parser) -> None:
    _game(one)
    one.add_argument(
        "--variant",
        action="append",
        default=[],
        metavar="V",
        help="a variant; what is new is marked",
    )
    one.add_argument("--html", action="store_true", help="one HTML file (or Markdown)")
    one.add_argument("--paper", choices=("a4", "letter"), default="a4", help="of a PDF")
    one.add_argument(
        "--output",
        metavar="FILE",
        help="write it there (*.pdf: as PDF; *.svg, *.png: page by page), not on standard output",
    )


def _print(one: Parser) -> None:
    _game(one)
    one.add_argument("--rules", metavar="PATH", help="the game of a file of cards, if need be")
    one.add_argument(
        "--cards",
        action="append",
        default=[],
        metavar="NAMES",
        help="only cards of these titles or components, with commas between",
    )
    one.add_argument("--paper", choices=("a4", "letter"), default="a4")
    one.add_argument("--format", choices=("svg", "pdf", "png"), default="svg")
    one.add_argument(
        "--preset",
        choices=("home", "single", "inch"),
        default="home",
        help="many on a sheet to cut at home, or one a page with 3 mm or 1/8 inch of bleed",
    )
    one.add_argument("--no-backs", action="store_true", help="fronts alone")
    one.add_argument("--players", type=_positive, metavar="N", help="pieces of each for so many")
    one.add_argument("--deck", metavar="LIST", help="as many copies as this deck list says")
    one.add_argument(
        "--tag", metavar="NAME", help="keep the hashes of what is printed by this name"
    )
    one.add_argument("--since", metavar="NAME", help="only what is new or changed since that tag")
    one.add_argument("--output", metavar="PATH", help="the file (PDF) or folder to write")


def _which(one: Parser) -> None:
    one.add_argument("id", metavar="ID", help="what is printed at the bottom, with the hash or not")
    one.add_argument("paths", nargs="*", metavar="PATH", help="further files or games to look in")


def _wasm(one: Parser) -> None:
    _settings(one)
    one.add_argument("--out", metavar="FILE", help="write the binary module there, and no text")
    one.set_defaults(bots=None)


def _mcp(one: Parser) -> None:
    one.add_argument(
        "folders",
        nargs="*",
        default=["."],
        metavar="FOLDER",
        help="what may be read (the present folder); nothing is written",
    )


MOST_PROCESSES = 64


def _serve(one: Parser) -> None:
    one.add_argument("paths", nargs="*", metavar="PATH", help="further games: folders or files")
    one.add_argument(
        "--port", type=_port, default=8321, metavar="N", help="(8321; 0: any free one)"
    )
    one.add_argument(
        "--host", default="127.0.0.1", help="the address to listen at (only this machine)"
    )
    one.add_argument(
        "--name",
        action="append",
        default=[],
        metavar="HOST",
        help="a name by which browsers may call the server besides its address",
    )
    one.add_argument(
        "--database",
        metavar="URL",
        help="sqlite:///FILE or postgresql://… (a file in the user's own folder)",
    )
    one.add_argument(
        "--projects",
        metavar="FOLDER",
        help="where projects of cards are kept (a folder in the user's own folder)",
    )
    one.add_argument(
        "--bot-time",
        type=_amount,
        default=2.0,
        metavar="SECONDS",
        help="how long a bot may think about one choice (2)",
    )
    one.add_argument(
        "--processes",
        type=_processes,
        default=1,
        metavar="N",
        help="how many processes share the games (1)",
    )


def _processes(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text[:9]) <= MOST_PROCESSES:
        raise argparse.ArgumentTypeError(f"{text} is no number from 1 to {MOST_PROCESSES}")
    return int(text)


def _port(text: str) -> int:
    if not text.isdecimal() or len(text) > 5 or int(text) > 65_535:
        raise argparse.ArgumentTypeError(f"{text} is no port from 0 to 65535")
    return int(text)


def _replay(one: Parser) -> None:
    one.add_argument("file", metavar="FILE")
    one.add_argument("--rules", metavar="PATH", help="the game, if it does not come along")


def _new_card(one: Parser) -> None:
    one.add_argument("game", metavar="GAME")
    one.add_argument("--out", metavar="FILE", help="write it there, not on standard output")


def _new_game(one: Parser) -> None:
    one.add_argument("name", metavar="NAME")
    one.add_argument(
        "--out", metavar="FILE", help="write it there (a file, or a folder), not on standard output"
    )


_COMMANDS = (
    Command("games", "games:games", "list the games that come along"),
    Command("check", "author:check", "find what is wrong with files", _check),
    Command("test", "author:test", "run the scenarios of files", _test),
    Command("fmt", "fmt:fmt", "lay out files in the one way", _fmt),
    Command("phrases", "texts:phrases", "list what can be written on a card of a game", _phrases),
    Command("explain", "texts:explain", "say how a card's text reads and what it does", _explain),
    Command("diff", "diff:diff", "say whether two texts, cards or variants are the same", _diff),
    Command(
        "witness",
        "witness:witness",
        "find a game in which what a card says changes something",
        _witness,
    ),
    Command(
        "interactions",
        "interactions:interactions",
        "say which cards, rules and open questions a card touches",
        _interactions,
    ),
    Command("mutate", "mutate:mutate", "break rules, and see which tests notice", _mutate),
    Command("rulings", "rulings:find", "find what was decided about a question", _rulings),
    Command(
        "coverage",
        "coverage:cover",
        "say how much of a rulebook is encoded and exercised",
        _coverage,
    ),
    Command("simulate", "simulate:simulate", "let bots play many games", _simulate),
    Command(
        "balance",
        "balance:measure",
        "play with and without cards or a variant, and say what differs",
        _balance,
    ),
    Command(
        "conform",
        "conform:conform",
        "check the laws that every ruleset keeps while it is played",
        _conform,
    ),
    Command("play", "play:play", "play a game, or watch bots play", _play),
    Command("serve", "serve:serve", "serve games to browsers: friends by link, and bots", _serve),
    Command("book", "book:book", "write the rules of a game out as a rulebook", _book),
    Command("print", "printing:sheets", "write sheets of cards, tiles and boards", _print),
    Command("which", "printing:which", "say which card an id on paper is of", _which),
    Command("wasm", "wasm:write", "write a game as a WebAssembly module", _wasm),
    Command("mcp", "desk:mcp", "serve an assistant by the Model Context Protocol", _mcp),
    Command("lsp", "desk:lsp", "serve an editor by the language server protocol"),
    Command("replay", "play:replay", "play a record again and check it", _replay),
)
_NEW = (
    Command("card", "author:new_card", "write a card to start from", _new_card),
    Command("game", "author:new_game", "write a game to start from", _new_game),
)


# ------------------------------------------------------------------------ what several take
def _game(one: Parser, times: str | None = None) -> None:
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
    one: Parser,
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


def _amount(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0 < found < 1e9:
        raise argparse.ArgumentTypeError(f"{text} is no amount above 0")
    return found


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
