"""A decision taken factor by factor: which actions are legal next, and the option they come to."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import TypeAlias

from interpreter.engine.decisions import MAX_LISTED, Decision, Option
from interpreter.environments.bounds import Unbounded
from interpreter.environments.numbering import DONE, Actions, Numbering
from interpreter.model.position import Position
from interpreter.model.symmetry import twin
from rulelang.core.types import Basic, KindT, PieceT, SiteT, Type
from rulelang.core.values import Value


@dataclass(frozen=True)
class Listed:
    """A decision whose options are listed, each as a row of actions; `taken` are a first part."""

    options: tuple[tuple[Actions, Option], ...]
    taken: Actions = ()

    def legal(self) -> list[int]:
        """The actions that go on towards an option, in ascending order."""
        at = len(self.taken)
        return sorted({actions[at] for actions, _ in self.options})

    def after(self, action: int) -> Open | Option:
        """The decision after a legal action, or the option it comes to."""
        at, taken = len(self.taken), (*self.taken, action)
        left = tuple(item for item in self.options if item[0][at] == action)
        if len(left[0][0]) == len(taken):
            return left[0][1]
        return Listed(left, taken)


@dataclass(frozen=True)
class Several:
    """A choice of several members, one after the other in the order of the domain, then "done";
    or of all of them in any order. Of equal pieces the first ones are taken.
    """

    option: Option
    members: tuple[tuple[int, Value], ...]
    alike: tuple[int, ...]  # for each member the first one that it equals
    low: int
    high: int
    done: int | None  # none where all are put in order
    taken: Actions = ()
    chosen: tuple[int, ...] = ()  # by their ranks

    def legal(self) -> list[int]:
        """The actions that go on towards an option, in ascending order."""
        if self.done is None:
            return sorted(a for n, (a, _) in enumerate(self.members) if n not in self.chosen)
        found = [self.done] if len(self.chosen) >= self.low else []
        if len(self.chosen) < self.high:
            found += [self.members[n][0] for n in self._next()]
        return sorted(found)

    def _next(self) -> list[int]:
        """The members that may follow, so that each set is chosen in one way."""
        last = self.chosen[-1] if self.chosen else -1
        found = []
        for n in range(last + 1, len(self.members)):
            earlier = (m for m in range(n) if self.alike[m] == self.alike[n])
            if all(m in self.chosen for m in earlier) and self._enough(n):
                found.append(n)
        return found

    def _enough(self, n: int) -> bool:
        """Do enough members follow this one, of equal ones only those that may still be taken?"""
        gone = set(range(n)) - set(self.chosen)
        closed = {self.alike[m] for m in gone}
        free = sum(1 for m in range(n, len(self.members)) if self.alike[m] not in closed)
        return len(self.chosen) + free >= self.low

    def after(self, action: int) -> Open | Option:
        """The decision after a legal action, or the option it comes to."""
        if action == self.done:
            whole = frozenset(self.members[n][1] for n in self.chosen)
            return replace(self.option, value=whole)
        rank = next(n for n, (a, _) in enumerate(self.members) if a == action)
        chosen = (*self.chosen, rank)
        if self.done is None and len(chosen) == len(self.members):
            return replace(self.option, value=tuple(self.members[n][1] for n in chosen))
        return replace(self, taken=(*self.taken, action), chosen=chosen)


Open: TypeAlias = Listed | Several


def opened(numbering: Numbering, decision: Decision) -> Open:
    """An open decision, of which nothing is chosen yet.

    Raises Unbounded where no option has a number, or more than are looked at must be listed.
    """
    spec, decider = decision.spec, decision.decider
    at = decider.at(decision.position, spec)
    if spec.mode in ("some", "order") and decider.maximizing(at) is None and plain(spec.item):
        return _several(numbering, decision, at)
    listed = list(itertools.islice(decision.options(), MAX_LISTED + 1))
    if len(listed) > MAX_LISTED:
        raise Unbounded(f"“{spec.prompt}” has more than {MAX_LISTED} options to be listed")
    rows = []
    for option in listed:
        actions = numbering.encode_option(spec.mode, option.value, spec.item)
        if actions is not None:
            rows.append((actions, option))
    if not rows:
        why = decision.dead_end() or f"“{spec.prompt}” has no option within the bound on numbers"
        raise Unbounded(why)
    return Listed(tuple(rows))


def plain(item: Type) -> bool:
    """Is each member of a choice of several one action?"""
    return isinstance(item, PieceT | SiteT | KindT | Basic)


def _several(numbering: Numbering, decision: Decision, at: Position) -> Open:
    spec = decision.spec
    ranks: dict[object, int] = {}
    members: list[tuple[int, Value]] = []
    alike: list[int] = []
    for value in spec.domain:
        actions = numbering.encode(value, spec.item)
        if actions is None:
            continue
        same = twin(at, value) if isinstance(spec.item, PieceT) else value
        alike.append(ranks.setdefault(same, len(members)))
        members.append((actions[0], value))
    done = numbering.word(DONE) if spec.mode == "some" else None
    option = Option(spec.player, spec.name, None)
    made = Several(option, tuple(members), tuple(alike), spec.low, spec.high, done)
    if spec.mode == "order" and not members:
        return Listed((((numbering.word(DONE),), replace(option, value=())),))
    return made
