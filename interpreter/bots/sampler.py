"""Sampled lines for games in rounds: a player's next choices, judged by random playouts.

Lines are compared by successive halving: the better third is played on more often. A playout is
judged where the next round ends.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from interpreter.bots.courses import ahead
from interpreter.bots.lines import Line, begun
from interpreter.engine.decisions import Option
from interpreter.game.game import State
from interpreter.model.values import Fault

LINES = 24  # lines drawn for one decision
OWN = 16  # choices in a row of one line
ROUNDS = 2  # finished rounds after which a line is judged: the one under way and the next
AGAIN = 2  # times each line is played on before the better third of them is
FEW = 3  # lines that are not weeded out any more
MAX_LINE = 300  # choices of all after which a line is judged wherever it is
MAX_CHOICES = 4_000  # choices played for one decision


def sampled(root: State, player: int, rng: random.Random) -> list[tuple[Option, ...]]:
    """Lines of choices for the player whose turn it is, the most promising first.

    The root must be a determinization for him. Empty where play cannot be sampled. `maximize` is
    not enforced on the way, so the first choice of a line may still be refused.
    """
    start = begun(root) if ahead(root.game) else None
    if start is None:
        return []
    return [line.steps for line in _Sampler(start, player, rng).ranked()]


@dataclass
class _Line:
    """A line: the player's choices, the play after them, and the sum of its playouts' results."""

    steps: tuple[Option, ...]
    end: Line
    worth: float = 0.0
    times: int = 0


class _Sampler:
    """Draws lines, and plays on the better ones more often."""

    def __init__(self, start: Line, player: int, rng: random.Random) -> None:
        self.start, self.player, self.rng = start, player, rng
        self.until = start.rounds + ROUNDS
        self.left = MAX_CHOICES

    def ranked(self) -> list[_Line]:
        """All lines drawn, the best first; those compared share their random numbers."""
        lines = list({line.steps: line for line in (self._drawn() for _ in range(LINES))}.values())
        lines = best = [line for line in lines if line.steps]
        while best and self.left > 0:
            for _ in range(AGAIN):
                seed = self.rng.getrandbits(32)
                for line in best:
                    line.worth += self._played_on(line, seed)
                    line.times += 1
            best = sorted(best, key=lambda line: -line.worth / line.times)
            if len(best) <= FEW:
                break
            best = best[: len(best) // 3]
        return sorted(lines, key=lambda line: (-line.times, -line.worth / max(1, line.times)))

    def _drawn(self) -> _Line:
        """A line of the player's random choices until somebody else decides."""
        play = self.start.copy()
        steps: list[Option] = []
        while len(steps) < OWN and self._on(play) and play.player == self.player:
            try:
                step = play.take_any(self.rng.random)
            except Fault:
                break
            steps.append(Option(self.player, *step))
        self.left -= len(steps)
        return _Line(tuple(steps), play)

    def _played_on(self, line: _Line, seed: int) -> float:
        """The standing at the end of the next round after a random playout, as one number."""
        play, draw, count = line.end.copy(), random.Random(seed).random, 0
        play.reseed(seed)
        try:
            while count < MAX_LINE and self._on(play):
                play.take_any(draw)
                count += 1
        except Fault:
            pass  # the rules have a fault there: the line ends
        self.left -= count + 1
        return play.worth(self.player)

    def _on(self, play: Line) -> bool:
        """Whether a choice is made before the line is judged."""
        return play.open and play.rounds < self.until
