"""The hasty bot: the best of a few sampled lines of its own choices, judged without search.

A line ends where somebody else decides.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from interpreter.bots.determinize import imagined
from interpreter.bots.lines import Line, begun
from interpreter.engine.decisions import Decision, Option
from interpreter.game.game import State
from interpreter.model.values import Fault

DRAWN = 9  # lines drawn for one decision
LOOKED_AT = 30  # lines drawn when curious
OWN = 16  # choices in a row of one line
# The share of decisions at which it takes any option, or the line with most clauses new to it.
CURIOSITY = 0.15

Steps = tuple[Option, ...]


@dataclass(frozen=True)
class Drawn:
    """A sampled line: its choices, the standing after them, and the clauses that counted."""

    steps: Steps
    worth: int
    met: frozenset[str]


class Hasty:
    """Samples a few lines of its own choices in a determinization and follows the best.

    Small numbers are drawn more often than large ones. When curious it follows the line that
    brings most clauses it has not met. It costs about as much as ten random agents. Where all
    decide at once it chooses at random.
    """

    def __init__(self, seed: int) -> None:
        """All it draws at random comes from the seed, so that a game can be played again."""
        self.rng = random.Random(seed)
        self.plan: Steps = ()
        self.met: set[str] = set()

    def __call__(self, state: State, decision: Decision) -> Option:
        """The option chosen."""
        if self.plan and self.plan[0].name == decision.name and decision.takes(self.plan[0]):
            step, *rest = self.plan
            self.plan = tuple(rest)
            return step
        self.plan = ()
        curious = self.rng.random() < CURIOSITY
        if curious and decision.spec.mode == "action" and self.rng.random() < 0.5:
            return decision.sample(self.rng)
        best = self._best(state, decision.player, curious)
        if best is None or not decision.takes(best.steps[0]):
            return decision.sample(self.rng)  # the determinization was wrong, or cannot be played
        self.met |= best.met
        self.plan = best.steps[1:]
        return best.steps[0]

    def _best(self, state: State, player: int, curious: bool) -> Drawn | None:
        """The best of the sampled lines; none where all decide at once."""
        start = begun(imagined(state, player, self.rng))
        if start is None:
            return None
        number = LOOKED_AT if curious else DRAWN
        lines = [self._drawn(start.copy(), player) for _ in range(number)]
        self.rng.shuffle(lines)  # so that ties are broken by chance
        return max(
            (line for line in lines if line.steps),
            key=lambda line: (len(line.met - self.met) if curious else 0, line.worth),
            default=None,
        )

    def _drawn(self, play: Line, player: int) -> Drawn:
        """A line of random choices until somebody else decides."""
        steps: list[Option] = []
        fired = play.game.rules.fired
        before = frozenset(fired)
        fired.clear()
        try:
            while len(steps) < OWN and play.open and play.player == player:
                draw = self._small if play.about_number else self.rng.random
                steps.append(Option(player, *play.take_any(draw)))
        except Fault:
            pass  # the rules have a fault there: the line ends
        finally:
            met = frozenset(fired)
            fired.update(before)
        return Drawn(tuple(steps), play.worth(player), met)

    def _small(self) -> float:
        """A random number in [0, 1) that favors small ones: half are below a sixteenth."""
        return self.rng.random() ** 4
