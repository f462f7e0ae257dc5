"""A variant against the rules without it: every clause that changes, each with a position that
shows it, or not decided."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from interpreter.game.game import Game
from interpreter.game.loading import Loaded, overlay
from interpreter.proofs.clause_parts import Change, changes
from interpreter.proofs.differences import DIFFERENT, NOT_DECIDED, SAME
from interpreter.proofs.lockstep import MOST_GAMES, MOST_MOVES, Parting, partings
from interpreter.proofs.playable import playable
from interpreter.proofs.sides import Under
from rulelang import core
from rulelang.core.values import Json
from rulelang.ruleset import Ruleset


@dataclass(frozen=True)
class Row:
    """A clause that is not the same, and the earliest position found that shows it."""

    change: Change
    shown: Parting | None
    through: str = ""  # the clause that shows it, if it is not the clause itself

    def as_json(self) -> dict[str, Json]:
        """The row as plain data."""
        shown = self.shown
        return {
            "clause": self.change.clause.id,
            "sort": self.change.sort,
            "change": self.change.how,
            "cites": list(self.change.clause.cites),
            "shown": shown is not None,
            "through": self.through,
            "where": shown.how if shown is not None else None,
            "outcomes": [shown.one, shown.two] if shown is not None else [],
        }


@dataclass(frozen=True)
class Overlays:
    """What came of two rulesets: the verdict, and a row for each clause that is not the same."""

    one: Under
    two: Under
    rows: tuple[Row, ...]

    @property
    def verdict(self) -> str:
        """The same if no clause changes; different if a position shows it."""
        if not self.rows:
            return SAME
        return DIFFERENT if any(row.shown is not None for row in self.rows) else NOT_DECIDED

    @property
    def tried(self) -> str:
        """How far was looked."""
        return f"{MOST_GAMES} games of up to {MOST_MOVES} choices, played side by side"

    def as_json(self) -> dict[str, Json]:
        """The comparison as plain data."""
        return {
            "a": self.one.label,
            "b": self.two.label,
            "verdict": self.verdict,
            "tried": self.tried,
            "clauses": [row.as_json() for row in self.rows],
        }


def compare_variants(loaded: Loaded, one: Under, two: Under) -> Overlays:
    """Hold the rules under two variants (or none) against each other, clause by clause."""
    first, second = _game(loaded, one), _game(loaded, two)
    rules = [game.loaded.compiled.rules for game in (first, second)]
    found = changes(*rules)
    if not found:
        return Overlays(one, two, ())
    met: list[Parting] = []
    wanted = {change.clause.id for change in found}
    for parting in partings(first, second):
        met.append(parting)
        wanted -= parting.clauses
        if not wanted:
            break
    met.sort(key=lambda parting: parting.state.moves)
    return Overlays(one, two, tuple(_row(change, met, rules) for change in found))


def _game(loaded: Loaded, side: Under) -> Game:
    if side.variant is None:
        return playable(loaded)
    return playable(overlay(loaded, (side.variant,)), (side.variant,))


def _row(change: Change, met: Sequence[Parting], rules: Sequence[Ruleset]) -> Row:
    """The change with the earliest position that shows it: itself, or a clause that calls it."""
    clause = change.clause.id
    direct = next((parting for parting in met if clause in parting.clauses), None)
    if direct is not None:
        return Row(change, direct)
    name = clause.partition("/")[0].rpartition(" ")[2]
    for parting in met:
        for other in sorted(parting.clauses):
            owner = other.partition("/")[0].rpartition(" ")[2]
            if any(name in _reached(known, owner) for known in rules):
                return Row(change, parting, other)
    return Row(change, None)


def _reached(rules: Ruleset, owner: str) -> frozenset[str]:
    """The names of all that an event, procedure, table or definition calls, reads or writes."""
    found, left = set[str](), [owner]
    while left:
        for name in _named(rules, left.pop()):
            if name not in found:
                found.add(name)
                left.append(name)
    return frozenset(found)


def _named(rules: Ruleset, owner: str) -> Iterable[str]:
    """The names in what bears this name."""
    known: list[core.Node] = [
        table[owner]
        for table in (rules.definitions, rules.tables, rules.events, rules.procedures)
        if owner in table
    ]
    for node in core.walk(known):
        for value in vars(node).values():
            for part in value if isinstance(value, tuple) else (value,):
                if isinstance(part, str):
                    yield part
