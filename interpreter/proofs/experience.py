"""What play has taught of which cards bring on what many requirements wait for.

Requirements read variables of the table that change seldom: gates. A gate changes by the event of
some card, or once a number has been reached. Both are learned by looking: how much less is lacking
for that number after a card was played, and after which cards a gate was another.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from interpreter.game.game import Game
from interpreter.model.position import Position
from interpreter.model.values import Fault
from interpreter.proofs.kinship import Key
from rulelang import core
from rulelang.analysis.reads import Reads
from rulelang.analysis.writes import writes
from rulelang.ruleset import Latch, Ruleset

SELDOM = 4  # changes of a gate in one game, at most
HELPERS, OPENERS = 8, 2  # titles that are put into a list


@dataclass
class Experience:
    """What was learned in the games of one ruleset so far."""

    gains: dict[Key, list[int]] = field(default_factory=dict)  # what a card brought, and how often
    opened: dict[str, Counter[Key]] = field(default_factory=dict)  # a gate, by cards

    def gain(self, key: Key) -> float:
        """What a card brings on average toward what is waited for."""
        total, number = self.gains.get(key, (0, 0))
        return total / number if number else 0.0

    def learn(self, key: Key, gain: int) -> None:
        """Note what a card that was played has brought."""
        known = self.gains.setdefault(key, [0, 0])
        known[0] += gain
        known[1] += 1

    def openers(self, gate: str) -> set[Key]:
        """The cards after which a gate was another."""
        return set(self.opened.get(gate, ()))

    def helpers(self) -> list[Key]:
        """The cards that bring most, and those that opened gates most often."""
        ranked = sorted(self.gains, key=lambda key: (-self.gain(key), key))
        found = dict.fromkeys(key for key in ranked[:HELPERS] if self.gain(key) > 0)
        for gate in sorted(self.opened):
            ordered = sorted(self.opened[gate].items(), key=lambda row: (-row[1], row[0]))
            found |= dict.fromkeys(key for key, _ in ordered[:OPENERS])
        return list(found)


class Waiting:
    """What one game waits for."""

    def __init__(self, game: Game, known: Experience) -> None:
        """Nothing has happened yet."""
        self.game, self.known = game, known
        self.gates = gates(game.rules_source)
        self.latches = waited_for(game.rules_source, self.gates)
        self.changes: dict[str, list[Key]] = {}

    def lacking(self, s: Position) -> int:
        """How much is lacking for what is waited for next; nothing if nothing is in sight."""
        open_ = (latch.cond for latch in self.latches if latch.name not in s.ever)
        return sum(self._lacking(s, cond) for cond in open_)

    def _lacking(self, s: Position, cond: core.Expr) -> int:
        """The differences of numbers that a condition compares, if all else of it holds."""
        found = 0
        try:
            for part in cond.of if isinstance(cond, core.All) else (cond,):
                if self.game.rules.holds(s, part):
                    continue
                if not isinstance(part, core.Compare) or part.op not in ("<", "<=", ">", ">="):
                    return 0
                left, right = (self.game.rules.number(e, s, {}) for e in (part.left, part.right))
                found += abs(left - right) + (part.op in ("<", ">"))
        except Fault:
            return 0
        return found

    def note(self, before: Position, after: Position, key: Key) -> None:
        """Learn from an event in which a card took part."""
        lacked = self.lacking(before)
        if lacked:
            happened = after.ever != before.ever
            self.known.learn(key, lacked - (0 if happened else self.lacking(after)))
        for gate in self.gates:
            if before.vars[gate] != after.vars[gate]:
                self.changes.setdefault(gate, []).append(key)

    def opens(self, key: Key) -> bool:
        """Has the card opened a gate in other games that is as it was in this one?"""
        closed = (gate for gate in self.known.opened if gate not in self.changes)
        return any(key in self.known.opened[gate] for gate in closed)

    def over(self) -> None:
        """Keep what opened gates, of those that changed seldom."""
        for gate, keys in self.changes.items():
            if len(keys) <= SELDOM:
                self.known.opened.setdefault(gate, Counter()).update(keys)
            else:
                self.known.opened.pop(gate, None)


def gates(rules: Ruleset) -> list[str]:
    """The variables that requirements of events read, but those of pieces and places."""
    reads = Reads(rules)
    read = {source for event in rules.events for source in reads.of("rules", event)}
    return [name for name in rules.states if f"state:{name}" in read]


def waited_for(rules: Ruleset, gates: list[str]) -> list[Latch]:
    """What happens once and changes a gate."""
    sources = {f"state:{gate}" for gate in gates}
    return [
        latch
        for latch in rules.latches
        if any(writes(rules, stmt) & sources for stmt in latch.body)
    ]
