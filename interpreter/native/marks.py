"""Which clauses counted, and which pieces took part in which events: a byte for each, outside the
state.

The byte of a piece has a bit for taking part, and more for being played: of what an event names by
itself, or, where it names none by itself, of all that it names together. One for each of the first
players says who plays it, and one that the event names nobody.

Only what really happens is marked, not what is looked at to find what may be chosen.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.model.setup import Setup
from interpreter.native import bits, ir
from interpreter.native.builder import Builder
from interpreter.native.ir import op
from interpreter.native.values import Bits, Lowered, Members, Scalar
from rulelang.core.types import PLAYER, PieceT, Type, element, non_optional
from rulelang.ruleset import Event

TOOK, PLAYED = 1, 1 << 7
MOST_HOLDERS = 6  # players there are bits for


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
        params = [(t, value) for (_, t), value in zip(event.params, values, strict=True)]
        alone = any(isinstance(non_optional(t), PieceT) for t, _ in params)
        played = _played_by(params)
        for t, value in params:
            if isinstance(non_optional(t), PieceT) and isinstance(value, Scalar):
                with b.when(op("i32.ge_s", value.code, ir.i32(0))):
                    _mark(b, value.code, first, played)
            elif isinstance(element(t), PieceT):
                self._each(b, value, first, ir.i32(TOOK) if alone else played)

    def _each(self, b: Builder, value: Lowered, first: int, bits_set: ir.Code) -> None:
        def one(piece: Lowered) -> None:
            assert isinstance(piece, Scalar)
            _mark(b, piece.code, first, bits_set)

        if isinstance(value, Bits):
            bits.each_member(b, value, one)
        elif isinstance(value, Members):
            value.each(one)

    def read(self, raw: bytes) -> tuple[frozenset[str], frozenset[tuple[str, int]]]:
        """The clauses that counted, and the pieces that took part, each with its event."""
        clauses = frozenset(clause for clause, at in self.clauses.items() if raw[at])
        return clauses, frozenset((event, piece) for event, piece, _ in self._marked(raw))

    def played(self, raw: bytes) -> frozenset[tuple[int, int | None]]:
        """The pieces that were played, each with who played it; none where the event names nobody.

        Players beyond the first `MOST_HOLDERS` are left out.
        """
        return frozenset(
            (piece, holder)
            for _, piece, found in self._marked(raw)
            for holder in (*range(MOST_HOLDERS), None)
            if found & (PLAYED if holder is None else 2 << holder)
        )

    def _marked(self, raw: bytes) -> Iterator[tuple[str, int, int]]:
        """Each event with a piece that took part in it, and its byte."""
        for event, first in self.events.items():
            for piece, found in enumerate(raw[first : first + self.pieces]):
                if found:
                    yield event, piece, found


def _played_by(params: list[tuple[Type, Lowered]]) -> ir.Code:
    """The bits of what an event with these names as played."""
    holder = next((value for t, value in params if t == PLAYER), None)
    if not isinstance(holder, Scalar):
        return ir.i32(TOOK | PLAYED)
    few = op("i32.lt_s", holder.code, ir.i32(MOST_HOLDERS))
    mine = op("i32.shl", ir.i32(2), holder.code)
    return op("i32.or", ir.i32(TOOK), op("i32.mul", few, mine))


def _mark(b: Builder, piece: ir.Code, first: int, bits_set: ir.Code) -> None:
    """Set bits of the byte of a piece."""
    held = ir.load("i32.load8_u", piece, first)
    b.store("i32.store8", piece, first, op("i32.or", held, bits_set))
