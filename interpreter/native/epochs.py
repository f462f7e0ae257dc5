"""Since when what is read has been as it is: what was worked out is kept until that changes.

There is a number for the whole state, and one for each set of sources that something which is
kept reads. Every change gives a number that was never given before to all that it concerns, so that
equal numbers mean equal sources; who puts a state back puts back its numbers, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from interpreter.native import ir
from interpreter.native.builder import Builder
from interpreter.native.ir import Code, op
from rulelang.builtins.record import ANYTHING

MOST_SETS = 63  # of sources that are told apart
SIZE = 8 * (1 + MOST_SETS)  # bytes in which all numbers are kept


class Epochs:
    """The numbers of one program."""

    def __init__(self, whole: ir.Global, newest: ir.Global, at: int) -> None:
        """`whole` is the number of the state, `newest` the last that was given; from `at` on there
        is room for the others.
        """
        self.whole, self.newest, self.at = whole, newest, at
        self._sets: dict[frozenset[str], int] = {}
        self._changes: list[tuple[list[ir.Stmt], frozenset[str] | None]] = []

    def since(self, sources: frozenset[str] | None) -> Code:
        """The number of these sources; without any of all there are."""
        if sources is None or ANYTHING in sources:
            return ir.Get(self.whole)
        if sources not in self._sets:
            if len(self._sets) >= MOST_SETS:
                return ir.Get(self.whole)
            self._sets[sources] = self.at + 8 * (1 + len(self._sets))
        return ir.load("i64.load", ir.i32(0), self._sets[sources])

    def changed(self, b: Builder, sources: Iterable[str]) -> None:
        """These sources are others from here on; without any all are."""
        b.set(self.newest, op("i64.add", ir.Get(self.newest), ir.i64(1)))
        b.set(self.whole, ir.Get(self.newest))
        # What is kept may read them though it is written later.
        body: list[ir.Stmt] = []
        b.add(ir.Block(ir.Label("since"), body))
        self._changes.append((body, frozenset(sources) or None))

    def finished(self, made: Callable[[str], ir.Function]) -> None:
        """Write what a change concerns, now that all is known that is kept."""
        everything = made("all_changed")
        everything.body += [*map(self._given, self._sets.values()), ir.Return()]
        for change, sources in self._changes:
            if sources is None:
                change.append(ir.Call(everything, (), ()))
                continue
            change += [self._given(at) for read, at in self._sets.items() if read & sources]

    def _given(self, at: int) -> ir.Stmt:
        return ir.Store("i64.store", ir.i32(0), at, ir.Get(self.newest))

    def keep(self, b: Builder, to: Code) -> None:
        """Write all numbers there."""
        b.store("i64.store", ir.i32(0), self.at, ir.Get(self.whole))
        b.add(ir.Copy(to, ir.i32(self.at), ir.i32(SIZE)))

    def put_back(self, b: Builder, source: Code) -> None:
        """All is again as when the numbers were written there."""
        b.add(ir.Copy(ir.i32(self.at), source, ir.i32(SIZE)))
        b.set(self.whole, ir.load("i64.load", ir.i32(0), self.at))
