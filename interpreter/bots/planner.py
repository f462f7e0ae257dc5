"""Plans of one player: sequences of his own choices, and his standing after each.

A plan ends where somebody else decides, something hidden comes up, or he decides anew.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from interpreter.engine.decisions import Decision, Option
from interpreter.engine.ranking import ranking
from interpreter.game.game import Game, Illegal, State
from interpreter.model.position import Position
from interpreter.model.values import Fault
from rulelang.analysis.writes import writes
from rulelang.builtins.record import ANYTHING
from rulelang.core.types import PieceT
from rulelang.core.values import members, number, text

MAX_PLANS = 200  # ends looked at for one action
MAX_DEEP = 8  # choices in a row that belong to one plan
MAX_LISTED = 60  # options of one decision looked at
MAX_ALIKE = 10  # options of one decision with one standing after which the rest is skipped
MIN_ALIKE = 2  # the same for an action that cannot change how anybody stands
MAX_CHANGES = 40  # changes tried on a choice of several
MAX_ON = 60  # choices of all players played on at random after a plan

Standing = tuple[int, ...]
Sort = tuple[str, ...]


@dataclass(frozen=True)
class Plan:
    """A sequence of choices, the actions and designs it names, its final state and standing."""

    steps: tuple[Option, ...]
    sort: Sort
    state: State
    standing: Standing


class Planner:
    """Makes the plans of one player from one state, which must be a determinization for him."""

    def __init__(self, root: State, player: int, rng: random.Random) -> None:
        """The root is a state in which he decides."""
        self.root, self.player, self.rng = root, player, rng
        self.decision = next(d for d in root.decisions if d.player == player)
        self.depth = len(root.acted_on_by(player).stack)
        self.left = MAX_PLANS

    def plans(self) -> list[Plan]:
        """Plans for the decision of the root; of actions to be chosen from, each has its share."""
        if self.decision.spec.mode != "action":
            return list(self._from(self.root, self.decision, (), (), MAX_ALIKE))
        found: list[Plan] = []
        for option in self.decision.options():
            self.left = MAX_PLANS
            alike = MAX_ALIKE if self.tells(text(option.value)) else MIN_ALIKE
            found += self._after(self.root, self.decision, option, (), (), alike)
        return found

    def tells(self, action: str) -> bool:
        """Whether this action can change the keys of the ranking."""
        rules, reads = self.root.game.rules_source, self.root.game.rules.reads
        read = reads.all([(line.key, line.cond) for line in rules.ranks])
        written = {
            source for stmt in rules.procedures[action].body for source in writes(rules, stmt)
        }
        return ANYTHING in read | written or bool(read & written)

    def _from(
        self, state: State, decision: Decision, steps: tuple[Option, ...], sort: Sort, alike: int
    ) -> Iterator[Plan]:
        """The plans that begin with these steps and then take this decision."""
        if decision.spec.mode in ("some", "order"):
            yield from self._several(state, decision, steps, sort, alike)
            return
        seen: set[Standing] = set()
        options = list(decision.options())
        self.rng.shuffle(options)
        for tried, option in enumerate(options, 1):
            found = list(self._after(state, decision, option, steps, sort, alike))
            yield from found
            seen |= {plan.standing for plan in found}
            if self.left <= 0 or tried >= MAX_LISTED or (tried >= alike and len(seen) <= 1):
                return

    def _after(
        self,
        state: State,
        decision: Decision,
        option: Option,
        steps: tuple[Option, ...],
        sort: Sort,
        alike: int,
    ) -> Iterator[Plan]:
        """The plans that begin with these steps and this option."""
        try:
            later = state.choose(option)
        except (Illegal, Fault):
            return
        steps, sort = (*steps, option), (*sort, *self._sort(decision, option))
        following = self._mine(later) if len(steps) < MAX_DEEP else None
        if following is None:
            self.left -= 1
            yield Plan(steps, sort, later, standing(later, self.player))
        else:
            yield from self._from(later, following, steps, sort, alike)

    def _sort(self, decision: Decision, option: Option) -> Sort:
        """What an option is an instance of: an action, or the design of a piece."""
        if decision.spec.mode == "action":
            return (text(option.value),)
        if decision.spec.mode == "one" and isinstance(decision.spec.item, PieceT):
            return (self.root.game.setup.pieces[number(option.value)].design.title,)
        return ()

    def _mine(self, state: State) -> Decision | None:
        """The player's next decision within his plan; none where the plan ends."""
        if state.over or state.acted_on_by(self.player).learned or self._again(state):
            return None
        return next((d for d in state.decisions if d.player == self.player), None)

    def _again(self, state: State) -> bool:
        """Whether the player faces the decision of the root again."""
        mine = next((d for d in state.decisions if d.player == self.player), None)
        return (
            mine is not None
            and mine.spec.stmt is self.decision.spec.stmt
            and len(state.acted_on_by(self.player).stack) <= self.depth
        )

    # ---------------------------------------------------------------- choices of several
    def _several(
        self, state: State, decision: Decision, steps: tuple[Option, ...], sort: Sort, alike: int
    ) -> Iterator[Plan]:
        """A plan for a choice of several things, by hill climbing: one thing changed at a time."""
        best = self._ended(state, decision.sample(self.rng), steps, sort)
        same = 0
        for _ in range(MAX_CHANGES):
            changed = None if best is None else self._changed(decision, best.steps[len(steps)])
            if best is None or changed is None or self.left <= 0 or same > alike + 1:
                break
            other = self._ended(state, changed, steps, sort)
            if other is None:
                continue
            same = same + 1 if other.standing == best.standing else 0
            if (other.standing, alikeness(other.state, self.player)) > (
                best.standing,
                alikeness(best.state, self.player),
            ):
                best = other
        if best is not None:
            yield best

    def _changed(self, decision: Decision, option: Option) -> Option | None:
        """A neighbor of the option: one thing added, removed or exchanged; none if there is none.

        In an order two things change places.
        """
        spec, value, rng = decision.spec, members(option.value), self.rng
        if spec.mode == "order":
            if len(value) < 2:
                return None
            listed = list(value)
            i, j = rng.sample(range(len(listed)), 2)
            listed[i], listed[j] = listed[j], listed[i]
            return replace(option, value=tuple(listed))
        inside, outside = (
            [x for x in spec.domain if x in value],
            [x for x in spec.domain if x not in value],
        )
        ways = [(1, 0)] if outside and len(inside) < spec.high else []
        ways += [(0, 1)] if len(inside) > max(spec.low, 0) else []
        ways += [(1, 1)] if inside and outside else []
        if not ways:
            return None
        come, go = rng.choice(ways)
        return replace(
            option,
            value=frozenset(value) - frozenset(rng.sample(inside, go))
            | frozenset(rng.sample(outside, come)),
        )

    def _ended(
        self, state: State, option: Option, steps: tuple[Option, ...], sort: Sort
    ) -> Plan | None:
        """A plan that goes on with this option and then random choices of his own."""
        try:
            later = state.choose(option)
            for _ in range(MAX_DEEP):
                mine = self._mine(later)
                if mine is None:
                    break
                later = later.choose(mine.sample(self.rng))
        except (Illegal, Fault):
            return None
        self.left -= 1
        return Plan((*steps, option), sort, later, standing(later, self.player))

    # --------------------------------------------------------------------------- playouts
    def played_on(self, plan: Plan, seed: int, to_the_end: bool) -> tuple[Standing | None, int]:
        """The standing after a plan and a random playout, and how many choices that took.

        The playout goes to the player's next fresh decision, or to the end. The standing is none
        if that is too far.
        """
        rng, state, count = random.Random(seed), plan.state, 0
        try:
            while not state.over and (to_the_end or not self._anew(state)):
                decisions = state.decisions
                if not decisions or count == MAX_ON:
                    return None, count
                state = state.choose(decisions[0].sample(rng))
                count += 1
        except (Illegal, Fault):
            return None, count  # the rules have a fault there
        return standing(state, self.player), count

    def _anew(self, state: State) -> bool:
        """Whether the player chooses an action, or faces the decision of the root again."""
        mine = next((d for d in state.decisions if d.player == self.player), None)
        return mine is not None and (mine.spec.mode == "action" or self._again(state))


def standing(state: State, player: int) -> Standing:
    """A player's standing: not beaten, his ranking keys, his lead over the others, won."""
    return stands(state.game, state.acted_on_by(player), player)


def stands(game: Game, s: Position, player: int) -> Standing:
    """The standing in a position, which in simultaneous play is the player's branch."""
    value, number = game.rules.value, game.rules.number
    keys: dict[int, list[int]] = {}
    for p in range(game.players):
        keys[p] = []
        for line in game.rules_source.ranks if p == player else game.rules_source.ranks[:1]:
            counts = line.cond is None or value(line.cond, s, {"player": p})
            keys[p].append(
                (1 if line.largest else -1) * number(line.key, s, {"player": p}) if counts else 0
            )
    own = keys.pop(player)
    lead = own[0] - max(k[0] for k in keys.values()) if own and keys else 0
    over = s.ended is not None
    won = over and player in ranking(game.rules, s)[0]
    return (0 if won or not over else -1, *own, lead, int(won))


def alikeness(state: State, player: int) -> float:
    """The mean number of pieces in a player's places that share a printed value with a piece."""
    s = state.acted_on_by(player)
    total = held = 0
    for place in s.setup.rules.places.values():
        pieces = s.places.get((place.name, player), ()) if str(place.of) == "player" else ()
        held += len(pieces)
        for values in s.setup.fields.values():
            counts: dict[object, int] = {}
            for piece in pieces:
                if values[piece] is not None:
                    counts[values[piece]] = counts.get(values[piece], 0) + 1
            total += sum(n * n for n in counts.values())
    return total / held if held else 0.0
