"""Which clauses counted, and which pieces took part in which events: a byte for each, outside the
state.

Only what really happens is marked, not what is looked at to find what may be chosen.
"""

from __future__ import annotations

from interpreter.model.setup import Setup
from interpreter.native import bits, ir
from interpreter.native.builder import Builder
from interpreter.native.ir import op
from interpreter.native.values import Bits, Lowered, Members, Scalar
from rulelang.core.types import PieceT, element, non_optional
from rulelang.ruleset import Event


class Marks:
    """The bytes of one program."""

    def __init__(self, setup: Setup, start: int, apart: ir.Global | None = None) -> None:
        """From `start` on clauses stand in the order of the rules, then pieces for each event.

        `apart` says whether what happens happens in a branch.
        """
        self.pieces, self.start, self.apart = len(setup.pieces), start, apart
        self.clauses = {clause: at for at, clause in enumerate(setup.rules.clauses)}
        self.events = {
            name: len(self.clauses) + at * self.pieces for at, name in enumerate(setup.rules.events)
        }

    @property
    def size(self) -> int:
        """How many bytes there are."""
        return len(self.clauses) + len(self.events) * self.pieces

    def clause(self, b: Builder, clause: str | None) -> None:
        """A clause counts here."""
        at = self.clauses.get(clause or "")
        if at is not None:
            b.store("i32.store8", ir.i32(0), self.start + at, ir.i32(1))

    def event(self, b: Builder, event: Event, values: tuple[Lowered, ...]) -> None:
        """An event happens with these values."""
        self.clause(b, event.clause)
        if any(isinstance(element(t) or non_optional(t), PieceT) for _, t in event.params):
            assert self.apart is not None
            with b.when(op("i32.eqz", ir.Get(self.apart))):  # what a branch does is done again
                self._took(b, event, values)

    def _took(self, b: Builder, event: Event, values: tuple[Lowered, ...]) -> None:
        """Pieces take part in an event."""
        first = self.start + self.events[event.name]
        for (_, t), value in zip(event.params, values, strict=True):
            if isinstance(non_optional(t), PieceT) and isinstance(value, Scalar):
                with b.when(op("i32.ge_s", value.code, ir.i32(0))):
                    b.store("i32.store8", value.code, first, ir.i32(1))
            elif isinstance(element(t), PieceT):
                self._each(b, value, first)

    def _each(self, b: Builder, value: Lowered, first: int) -> None:
        def one(piece: Lowered) -> None:
            assert isinstance(piece, Scalar)
            b.store("i32.store8", piece.code, first, ir.i32(1))

        if isinstance(value, Bits):
            bits.each_member(b, value, one)
        elif isinstance(value, Members):
            value.each(one)

    def read(self, raw: bytes) -> tuple[frozenset[str], frozenset[tuple[str, int]]]:
        """The clauses that counted, and the pieces that took part, each with its event."""
        clauses = frozenset(clause for clause, at in self.clauses.items() if raw[at])
        took = (
            (event, piece)
            for event, first in self.events.items()
            for piece in range(self.pieces)
            if raw[first + piece]
        )
        return clauses, frozenset(took)
