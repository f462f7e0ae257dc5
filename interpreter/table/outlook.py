"""What each option would bring whoever decides: the change of his score, one step ahead.

A step goes on through his own choices until he is through with what he does. It is taken in a
state that only looks like the real one to him, so that nothing hidden is told by it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from interpreter.bots.determinize import imagined
from interpreter.engine.decisions import Decision, Option
from interpreter.game.game import Illegal, State
from interpreter.model.position import Position
from interpreter.model.values import Fault
from interpreter.model.visibility import score_readers
from rulelang.core.values import Value

MOST_STEPS = 80  # choices made to look ahead for one list of options
_WORLDS = 2  # that must agree where something hidden comes up


@dataclass(frozen=True)
class Gain:
    """By how much the score changes; `best` where that hangs on further choices."""

    points: int
    best: bool = False

    @property
    def text(self) -> str:
        """As it stands beside an option; nothing where nothing changes."""
        if not self.points:
            return ""
        return f"{'up to ' if self.best else ''}{self.points:+}"


def gains(state: State, decision: Decision, values: Sequence[Value]) -> dict[Value, Gain]:
    """What options bring, as far as a bounded number of steps can tell and he may know it.

    Empty where no option is told from another by it.
    """
    spec = decision.spec
    if not can_weigh(state, decision, values):
        return {}
    if spec.player not in score_readers(state.game.rules_source, state.game.players, spec.player):
        return {}
    ahead = _Ahead(state, decision)
    found: dict[Value, Gain] = {}
    for place, value in enumerate(values):
        if ahead.left <= 0:
            break
        share = max(ahead.left // (len(values) - place), 1)
        gain = ahead.of(Option(spec.player, decision.name, value), share)
        if gain is not None:
            found[value] = gain
    told = {gain.points for gain in found.values()}
    return found if len(told) > 1 else {}


def can_weigh(state: State, decision: Decision, values: Sequence[Value]) -> bool:
    """Are options of a kind and number that it might be told what they bring?"""
    told_of = decision.spec.mode in ("one", "action", "may")
    return bool(state.game.rules_source.ranks) and told_of and 1 < len(values) <= MOST_STEPS


class _Ahead:
    """Looks ahead from one decision."""

    def __init__(self, state: State, decision: Decision) -> None:
        self.player, self.left = decision.player, MOST_STEPS
        self.stmt, self.depth = decision.spec.stmt, len(state.acted_on_by(decision.player).stack)
        rng = random.Random(state.moves)
        self.roots = [imagined(state, self.player, rng) for _ in range(_WORLDS)]

    def of(self, option: Option, share: int) -> Gain | None:
        """What one option brings within so many steps; none if that is not decided."""
        found: Gain | None = None
        for root in self.roots:
            used = self.left
            try:
                gain, certain = self._after(root, root, option, share)
            except (Illegal, Fault, _NotDecided):
                return None
            if certain:
                return gain
            if found is not None and gain != found:
                return None
            found, share = gain, max(share, used - self.left)
        return found

    def _after(self, root: State, state: State, option: Option, share: int) -> tuple[Gain, bool]:
        """What an option brings, and whether nothing hidden came up on the way."""
        self.left -= 1
        if share < 1:
            raise _NotDecided
        later = state.choose(option)
        decision, s = self._going_on(later), later.acted_on_by(self.player)
        if decision is None:
            before = self._score(root, root.acted_on_by(self.player))
            return Gain(self._score(later, s) - before), not s.learned
        if decision.spec.mode in ("some", "order"):
            raise _NotDecided
        options = list(islice(decision.options(), share))
        if not options or len(options) >= share:
            raise _NotDecided
        each = (share - 1) // len(options)
        found = [self._after(root, later, following, each) for following in options]
        points = max(gain.points for gain, _ in found)
        several = len({gain.points for gain, _ in found}) > 1 or any(g.best for g, _ in found)
        return Gain(points, several), all(certain for _, certain in found)

    def _going_on(self, state: State) -> Decision | None:
        """His next decision within what he does; none if he is through with it."""
        s = state.acted_on_by(self.player)
        found = next((d for d in state.decisions if d.player == self.player), None)
        if found is None or s.learned or found.spec.mode == "action":
            return None
        again = found.spec.stmt is self.stmt and len(s.stack) <= self.depth
        return None if again else found

    def _score(self, state: State, s: Position) -> int:
        """What the first line of the ranking comes to for whoever decides."""
        rules = state.game.rules
        return rules.number(state.game.rules_source.ranks[0].key, s, {"player": self.player})


class _NotDecided(Exception):
    """More steps would be needed."""
