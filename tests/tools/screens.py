"""Screens of the games as players see them on a terminal of some size; a snapshot of each is kept.

`python tests/tools/screens.py` writes the snapshots in tests/table/screens anew; read the
differences, they are what people will see.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable
from pathlib import Path

from rich.text import Text

from interpreter.bots.agents import random_agent
from interpreter.game.game import Game, State, load
from interpreter.render.screen import Listener, wrapped
from interpreter.table import commands
from interpreter.table.input import answer
from interpreter.table.session import Table

GAMES = ("big_city", "card_city_xl", "cities", "simcity", "the_city")
SIZES = ((80, 24), (120, 40))
CHOICES = 12  # that are made before the last screen of a game that is played
TO_THE_END = ("card_city_xl", "cities", "the_city")  # of these the end is looked at, too
FOLDER = Path(__file__).resolve().parents[1] / "table" / "screens"


class Paper(Listener):
    """A screen of some size on which a person takes options at random."""

    def __init__(self, width: int, height: int, seed: int) -> None:
        """What was written since the last prompt is kept, wrapped as a terminal wraps it."""
        super().__init__()
        self._width, self._height = width, height
        self.rng, self.asked = random.Random(seed), 0
        self.opening: list[str] = []
        self.first: list[str] = []
        self.table: Table | None = None

    @property
    def width(self) -> int | None:  # type: ignore[override]
        """So many columns."""
        return self._width

    @property
    def height(self) -> int | None:  # type: ignore[override]
        """So many lines."""
        return self._height

    def say(self, text: str | Text, style: str = "") -> None:
        """Write a line, in as many rows as it needs."""
        line = Text(text) if isinstance(text, str) else text
        self.said += [part.plain for part in wrapped(line, self._width)]

    def ask(self, prompt: str) -> str | None:
        """Choose something, until enough was chosen."""
        assert self.table is not None
        self.say(prompt)
        if prompt.startswith("Press Enter"):
            self.opening = [*self.said, ""]
            self.said.clear()
            return ""
        if not self.first:
            self.first = list(self.said)
        if self.asked == CHOICES:
            return None
        self.asked += 1
        option = self.table.state.decisions[0].sample(self.rng)
        self.said.clear()
        self.table.choose(option)
        return ""

    def offer(self, words: Iterable[str]) -> None:
        """Nothing is completed."""


def end_of(game: Game) -> State | None:
    """The end of a game at random, if it is one that is looked at."""
    if game.id not in TO_THE_END:
        return None
    state, rng = game.start(5), random.Random(5)
    while not state.over:
        state = state.choose(state.decisions[0].sample(rng))
    return state


def screens(game: Game, width: int, height: int, end: State | None = None) -> str:
    """The first screen of a game, the one after some choices, and the last one if it is given."""
    paper = Paper(width, height, 5)
    table = Table(game.start(5), {1: random_agent(7)}, paper, None, commands.command, answer)
    paper.table = table
    table.play()
    last = [line for line in paper.said if line.strip() != "The input has ended."]
    shown = [*paper.opening, *paper.first, "", "~" * 20, "", *last]
    if end is not None:
        paper.said.clear()
        Table(end, {1: random_agent(7)}, paper).end()
        shown += ["", "~" * 20, "", *paper.said]
    return "\n".join(shown).rstrip() + "\n"


def path_of(name: str, width: int, height: int) -> Path:
    """Where the snapshot of a game at a size is kept."""
    return FOLDER / f"{name}-{width}x{height}.txt"


def main() -> None:
    """Write all snapshots."""
    FOLDER.mkdir(exist_ok=True)
    for name in sys.argv[1:] or GAMES:
        game = load(name, players=2)
        end = end_of(game)
        for size in SIZES:
            path_of(name, *size).write_text(screens(game, *size, end), "utf-8")


if __name__ == "__main__":
    main()
