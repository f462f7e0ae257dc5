"""Options of the native engine as rows of actions, for many games at once.

An option is a number of the engine, or one of a family of sets; its row is the actions by which it
is chosen. Rows stand one behind the other in one array, since they differ in length.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from interpreter.environments.numbering import DONE, Actions
from interpreter.environments.table import Rules
from interpreter.native.control import Decision
from interpreter.native.values import NONE, decoded
from rulelang import core
from rulelang.core.types import TRUTH, SetT, Type

Whole: TypeAlias = NDArray[np.int64]

_SMALL = 1 << 12


class Rows(NamedTuple):
    """Rows of actions: where each begins, and how many actions it has."""

    actions: Whole
    first: Whole
    length: Whole

    def chosen(self, which: Whole) -> Rows:
        """Some of the rows."""
        length, begin = self.length[which], self.first[which]
        if (length == 1).all():
            return Rows(self.actions[begin], np.arange(len(begin)), length)
        first = np.cumsum(length) - length
        within = np.arange(int(length.sum())) - np.repeat(first, length)
        return Rows(self.actions[np.repeat(begin, length) + within], first, length)


def joined(parts: Sequence[Rows]) -> Rows:
    """The rows of all, those of the first at the beginning."""
    if len(parts) == 1:
        return parts[0]
    before = np.cumsum([0, *(len(part.actions) for part in parts)])
    return Rows(
        np.concatenate([part.actions for part in parts]),
        np.concatenate([part.first + n for part, n in zip(parts, before[:-1], strict=True)]),
        np.concatenate([part.length for part in parts]),
    )


def rows_of(actions: Sequence[Actions]) -> Rows:
    """Rows of these actions."""
    length = np.array([len(row) for row in actions], np.int64)
    whole = np.array([action for row in actions for action in row], np.int64)
    return Rows(whole, np.cumsum(length) - length, length)


NO_ROWS = Rows(*(np.zeros(0, np.int64) for _ in range(3)))


class Coding:
    """The actions by which what may be chosen at one decision is chosen."""

    def __init__(self, rules: Rules, decision: Decision) -> None:
        """Options become rows when they are first met."""
        self.decision, self._rules = decision, rules
        self._rows = NO_ROWS
        self._row_of: dict[int, int] = {}  # by the number of an option
        self._row_of_small = np.full(_SMALL, NONE, np.int64)  # the same of numbers below this
        self._members = NO_ROWS  # of members, by their numbers
        self.done = rules.numbering.word(DONE)

    def of_numbers(self, options: Whole) -> Rows:
        """The rows of options that are numbers; an option past the bound on numbers has none."""
        small = bool(((options >= 0) & (options < _SMALL)).all())
        if small and (self._row_of_small[options] >= 0).all():
            return self._rows.chosen(self._row_of_small[options])
        found, back = np.unique(options, return_inverse=True)
        new = [number for number in found.tolist() if number not in self._row_of]
        if new:
            added = [self._encoded(number) or () for number in new]
            known = len(self._row_of)
            self._row_of.update({number: known + n for n, number in enumerate(new)})
            self._rows = joined([self._rows, rows_of(added)])
        places = np.array([self._row_of[number] for number in found.tolist()], np.int64)
        if small:
            self._row_of_small[found] = places
        return self._rows.chosen(places[back])

    def of_sets(self, sets: Whole) -> Rows:
        """The rows of options that are sets, each given by its words."""
        held = np.unpackbits(sets.view(np.uint8), axis=1, bitorder="little")
        row, member = np.nonzero(held)
        self._meet(int(member.max(initial=NONE)))
        parts = self._members.chosen(member)
        row = np.repeat(row, parts.length)
        length = 1 + np.bincount(row, minlength=len(sets))
        actions = np.full(int(length.sum()), self.done, np.int64)
        actions[np.arange(len(row)) + row] = parts.actions
        return Rows(actions, np.cumsum(length) - length, length)

    def member(self, number: int) -> int:
        """The action by which a member is chosen that takes one; -1 where it is past the bound."""
        self._meet(number)
        row = self._members
        return int(row.actions[row.first[number]]) if row.length[number] else NONE

    def _meet(self, number: int) -> None:
        """Know the rows of all members up to this one."""
        new = range(len(self._members.first), number + 1)
        if new:
            item = self._item()
            values = (decoded(self._rules.game.setup, item, one) for one in new)
            added = [self._rules.numbering.encode(value, item) or () for value in values]
            self._members = joined([self._members, rows_of(added)])

    def _item(self) -> Type:
        stmt = self.decision.stmt
        assert isinstance(stmt, core.Choose)
        return stmt.item.of if isinstance(stmt.item, SetT) else stmt.item

    def _encoded(self, number: int) -> Actions | None:
        stmt, numbering = self.decision.stmt, self._rules.numbering
        match stmt:
            case core.Take(actions=names):
                return numbering.encode_option("action", names[number], TRUTH)
            case core.May():
                return numbering.encode_option("may", bool(number), TRUTH)
            case core.Choose(item=item):
                value = decoded(self._rules.game.setup, item, number)
                return numbering.encode_option("one", value, item)
