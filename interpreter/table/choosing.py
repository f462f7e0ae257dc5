"""What `rulelang play` alone offers: games with what can be chosen, and kept games."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from interpreter.game.catalog import Entry, Named
from interpreter.game.record_error import RecordError
from interpreter.render.screen import Screen
from interpreter.table import saves
from interpreter.table.menu import Unclear, match
from rulelang.diagnostics.english import ranged

MOST_KEPT = 9  # kept games that are offered, the newest first


@dataclass(frozen=True)
class Kept:
    """A kept game: its file, which game it is, and how many choices were made."""

    path: Path
    game: str
    choices: int


@dataclass(frozen=True)
class Chosen:
    """What somebody chose: a file to go on with, or a game with its settings."""

    resume: Path | None = None
    game: str = ""
    players: int | None = None
    variants: tuple[str, ...] = ()
    options: dict[str, str] = field(default_factory=dict)


def kept_games(folder: Path) -> list[Kept]:
    """The kept games of a folder, the one written last first, without files that hold none."""
    found: list[Kept] = []
    paths = sorted(folder.glob("*.save"), key=lambda path: -path.lstat().st_mtime)
    for path in paths[:MOST_KEPT]:
        try:
            record = saves.read(path)
        except (OSError, RecordError):
            continue
        found.append(Kept(path, record.game, len(record.choices)))
    return found


def choose(screen: Screen, games: list[Entry], kept: list[Kept]) -> Chosen | None:
    """Ask which game to play, and how; none if nothing is chosen."""
    titles = {game.id: game.title for game in games}
    texts = [f"{game.title} ({ranged(*game.players, 'player')})" for game in games]
    texts += [
        f"go on with {titles.get(game.game, game.game)}, {game.choices} choices made "
        f"({game.path.name})"
        for game in kept
    ]
    number = _one_of(screen, texts, "Which game do you play?")
    if number is None:
        return None
    if number >= len(games):
        return Chosen(resume=kept[number - len(games)].path)
    game = games[number]
    players = _count(screen, game)
    variants = _several(screen, game.variants, "Which variants? (numbers as in `1 3`, or Enter)")
    return Chosen(None, game.id, players, variants, _options(screen, game))


def _options(screen: Screen, game: Entry) -> dict[str, str]:
    """The options that are not as usual."""
    if not game.options:
        return {}
    names = ", ".join(name.replace("_", " ") for name in game.options)
    line = screen.ask(f"Set anything besides ({names})? (yes, or Enter) ") or ""
    if not line.strip().lower().startswith("y"):
        return {}
    found = {name: _value(screen, name, values) for name, values in game.options.items()}
    return {name: value for name, value in found.items() if value is not None}


def _one_of(screen: Screen, texts: list[str], prompt: str) -> int | None:
    """The place of the text that is chosen, by number or name; none at the end of the input."""
    for number, text in enumerate(texts, 1):
        screen.say(f"{number:>4}  {text}")
    while (line := screen.ask(f"{prompt} ")) is not None:
        typed = line.strip().lower()
        if typed in ("quit", "exit"):
            return None
        if typed.isdecimal() and 0 < int(typed[:9]) <= len(texts):
            return int(typed) - 1
        if typed.isdecimal():
            screen.say(f"The numbers go to {len(texts)}.")
        elif typed:
            try:
                return match(typed, texts)
            except Unclear as error:
                screen.say(f"{str(error)[:1].upper()}{str(error)[1:]}.")
    return None


def _count(screen: Screen, game: Entry) -> int | None:
    """How many play; none for as many as the game takes against bots."""
    low, high = game.players
    if low == high:
        return low
    most = high if high is not None else low + 7
    while line := (screen.ask(f"How many play? ({low} to {most}, or Enter) ") or "").strip():
        if line.isdecimal() and low <= int(line[:9]) <= most:
            return int(line)
        screen.say(f"{low} to {most} can play.")
    return None


def _several(screen: Screen, named: tuple[Named, ...], prompt: str) -> tuple[str, ...]:
    """The variants that are chosen."""
    if not named:
        return ()
    for number, one in enumerate(named, 1):
        screen.say(f"{number:>4}  {one.title}")
    while line := (screen.ask(f"{prompt} ") or "").strip():
        typed = line.replace(",", " ").split()
        if all(word.isdecimal() and 0 < int(word[:9]) <= len(named) for word in typed):
            return tuple(dict.fromkeys(named[int(word) - 1].id for word in typed))
        screen.say(f"The numbers go to {len(named)}.")
    return ()


def _value(screen: Screen, name: str, values: tuple[str | int, ...]) -> str | None:
    """The value of an option; none for the usual one, which stands first."""
    told = [str(value) for value in values]
    shown = ", ".join(told[:12]) + (" …" if len(told) > 12 else "")
    said = name.replace("_", " ")
    while line := (screen.ask(f"Which {said}? ({shown}; Enter for {told[0]}) ") or "").strip():
        if line in told:
            return line
        screen.say(f"{line} is none of them.")
    return None
