"""People at one keyboard: what they type is given, and what they saw is kept."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.bots.agents import Agent, random_agent
from interpreter.game.game import Game
from interpreter.render.screen import Listener
from interpreter.table import commands
from interpreter.table.input import answer
from interpreter.table.saves import Keeper
from interpreter.table.session import Table

CLEARED = "~"


class Keyboard(Listener):
    """A keyboard that is passed round: these lines are typed, and it is seen when the screen is
    emptied.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        super().__init__()
        self.lines = iter(lines)

    def ask(self, prompt: str) -> str | None:
        self.said.append(prompt)
        return next(self.lines, None)

    def clear(self) -> None:
        self.said.append(CLEARED)

    def looks(self) -> list[str]:
        """What stood on the screen between one emptying and the next."""
        return "\n".join(self.said).split(CLEARED)


def seat(
    game: Game,
    screen: Listener,
    people: Iterable[int],
    seed: int = 3,
    keeper: Keeper | None = None,
    **bots: Agent,
) -> Table:
    agents = {p: bots.get(f"p{p}", random_agent(p)) for p in range(game.players) if p not in people}
    return Table(game.start(seed), agents, screen, keeper, commands.command, answer)
