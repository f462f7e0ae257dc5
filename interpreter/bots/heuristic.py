"""Players in a hurry: a few lines of one's own choices drawn at random, judged where somebody else decides, without playing on."""

from __future__ import annotations

import random
from dataclasses import dataclass

from interpreter.bots.determinize import imagined
from interpreter.bots.handover import handed_over
from interpreter.bots.planner import stands
from interpreter.bots.playouts import Play, playouts_of
from interpreter.engine.decisions import Decision, Option
from interpreter.game.game import State
from interpreter.generated.blocks import Unwritten
from interpreter.model.values import Fault
from rulelang import core
from rulelang.core.types import NUMBER

DRAWN = 9  # lines drawn for one decision
LOOKED_AT = 30  # lines drawn when curious
OWN = 16  # choices in a row of one line
CURIOSITY = (
    0.15  # how often it takes what it comes upon, or what brings the most clauses it has not met
)

Steps = tuple[Option, ...]


@dataclass(frozen=True)
class Drawn:
    """Choices in a row, how well the player stands after them, and the clauses that counted on the way."""

    steps: Steps
    worth: int
    met: frozenset[str]


class Hasty:
    """Draws a few lines of its own choices in a state as it may imagine it, small numbers more often than large ones, and follows the one after which
    it stands best; when curious, the one that brings the most clauses that no line it followed has met.

    It costs about as much as ten random players and looks no further than to somebody else's decision. Where a game cannot be played in place
    it chooses at random.
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
        playouts = playouts_of(state.game)
        if playouts is None:
            return decision.sample(self.rng)
        curious = self.rng.random() < CURIOSITY
        if curious and decision.spec.mode == "action" and self.rng.random() < 0.5:
            return decision.sample(self.rng)
        try:
            start = handed_over(playouts, imagined(state, decision.player, self.rng))
            lines = [
                self._drawn(start.copy(), decision.player)
                for _ in range(LOOKED_AT if curious else DRAWN)
            ]
        except Unwritten:
            return decision.sample(self.rng)
        self.rng.shuffle(lines)  # in no order where they come to the same
        best = max(
            (line for line in lines if line.steps),
            key=lambda line: (len(line.met - self.met) if curious else 0, line.worth),
            default=None,
        )
        if best is None or not decision.takes(best.steps[0]):
            return decision.sample(self.rng)  # what it imagined is not so
        self.met |= best.met
        self.plan = best.steps[1:]
        return best.steps[0]

    def _drawn(self, play: Play, player: int) -> Drawn:
        """Choices by chance until another decides, and how well the player stands then."""
        steps: list[Option] = []
        fired = play.of.game.rules.fired
        before = frozenset(fired)
        fired.clear()
        try:
            while len(steps) < OWN and not play.over and not play.seats and play.player == player:
                steps.append(
                    Option(
                        player, *play.take_any(self._small if _is_number(play) else self.rng.random)
                    )
                )
        except Fault:
            pass  # chance led where the rules do not go: what it has come to counts
        finally:
            met = frozenset(fired)
            fired.update(before)
        beaten, *own, _, won = stands(play.of.game, play.s, player)
        return Drawn(tuple(steps), beaten + sum(own[:1]) + won, met)

    def _small(self) -> float:
        """Chance that favors what comes first: half of all is below a sixteenth."""
        return self.rng.random() ** 4


def _is_number(play: Play) -> bool:
    """Is a number to be chosen? Small ones come first."""
    stmt = play.open.choice.stmt
    return isinstance(stmt, core.Choose) and stmt.mode == "one" and stmt.item == NUMBER
