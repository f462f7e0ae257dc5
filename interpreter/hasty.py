"""Players in a hurry: a few lines of one's own choices drawn at random, judged where somebody else decides, without playing on."""
from __future__ import annotations

import random

from interpreter.decisions import Decision, Option
from interpreter.evaluate import Fault
from interpreter.game import State
from interpreter.generated.blocks import Unwritten
from interpreter.handover import handed_over
from interpreter.imagining import imagined
from interpreter.planning import stands
from interpreter.playouts import Play, playouts_of
from rulelang import core
from rulelang.types import NUMBER

DRAWN = 9  # lines drawn for one decision
GOOD = 3  # of them, those that a curious player chooses from
OWN = 16  # choices in a row of one line
CURIOSITY = 0.15  # how often it takes what it comes upon: of actions any, of other options one of the better ones

Steps = tuple[Option, ...]


class Hasty:
    """Draws a few lines of its own choices in a state as it may imagine it, small numbers more often than large ones, and follows the one after which
    it stands best.

    It costs about as much as ten random players and looks no further than to somebody else's decision. Where a game cannot be played in place
    it chooses at random.
    """

    def __init__(self, seed: int) -> None:
        """All it draws at random comes from the seed, so that a game can be played again."""
        self.rng = random.Random(seed)
        self.plan: Steps = ()

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
        if curious and decision.spec.mode == "action":
            return decision.sample(self.rng)
        try:
            lines = self._lines(handed_over(playouts, imagined(state, decision.player, self.rng)), decision.player)
        except Unwritten:
            return decision.sample(self.rng)
        steps = self.rng.choice(lines[:GOOD]) if curious and lines else lines[0] if lines else ()
        if not steps or not decision.takes(steps[0]):
            return decision.sample(self.rng)  # what it imagined is not so
        self.plan = steps[1:]
        return steps[0]

    def _lines(self, start: Play, player: int) -> list[Steps]:
        """Lines of the player's choices, the best first, in no order where they come to the same."""
        found = {steps: (worth, self.rng.random()) for steps, worth in (self._drawn(start.copy(), player) for _ in range(DRAWN)) if steps}
        return sorted(found, key=lambda steps: found[steps], reverse=True)

    def _drawn(self, play: Play, player: int) -> tuple[Steps, int]:
        """Choices by chance until another decides, and how well the player stands then."""
        steps: list[Option] = []
        try:
            while len(steps) < OWN and not play.over and not play.seats and play.player == player:
                steps.append(Option(player, *play.take_any(self._small if _is_number(play) else self.rng.random)))
        except Fault:
            pass  # chance led where the rules do not go: what it has come to counts
        beaten, *own, _, won = stands(play.of.game, play.s, player)
        return tuple(steps), beaten + sum(own[:1]) + won

    def _small(self) -> float:
        """Chance that favors what comes first: half of all is below a sixteenth."""
        return self.rng.random() ** 4


def _is_number(play: Play) -> bool:
    """Is a number to be chosen? Small ones come first."""
    stmt = play.open.choice.stmt
    return isinstance(stmt, core.Choose) and stmt.mode == "one" and stmt.item == NUMBER
