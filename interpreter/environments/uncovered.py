"""Who knows which piece, from the bytes of many states at once: what a choice has uncovered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from interpreter.model.setup import Setup
from interpreter.native.layout import STATE, Layout
from rulelang.core.types import PLAYER

Raw = NDArray[np.uint8]
_EVERYBODY = -1


class Seen(NamedTuple):
    """For each game and piece the number of where it lies, and who was shown it there."""

    where: NDArray[np.int64]
    known: NDArray[np.int64]


class Uncovered:
    """What can be told of the pieces in the states of one layout."""

    def __init__(self, setup: Setup, layout: Layout) -> None:
        """Nothing is looked at in a game without places that are not open to all."""
        self.setup, self.layout, self.pieces = setup, layout, len(setup.pieces)
        self._players = (1 << setup.players) - 1
        self._all = 1 | self._players << 1  # who only looks on is the first
        self._open_to = np.full(layout.numbers, _EVERYBODY, np.int64)
        self._ordered = [False] * layout.numbers
        for number, spot in enumerate(layout.places, 1):
            place = setup.rules.places[spot.key[0]]
            self._ordered[number] = place.ordered
            if place.visibility != "public":
                own = place.visibility == "private" and place.of == PLAYER
                self._open_to[number] = 1 << int(spot.key[1] or 0) if own else 0
        for number in range(1 + len(layout.places), layout.numbers):
            self._ordered[number] = True  # on a layer each piece stands for itself
        self.any = bool((self._open_to != _EVERYBODY).any()) and self.pieces > 0

    def seen(self, states: Raw, games: NDArray[np.int64]) -> Seen | None:
        """Where pieces lie in some of the states, and who was shown them; none if all is open."""
        return self._seen(states, games) if self.any else None

    def _seen(self, states: Raw, games: NDArray[np.int64]) -> Seen:
        where, known = (
            states[games, at - STATE : at - STATE + 2 * self.pieces].copy().view("<u2")
            for at in (self.layout.where, self.layout.known)
        )
        return Seen(where.astype(np.int64), known.astype(np.int64))

    def since(
        self, before: Seen | None, states: Raw, games: NDArray[np.int64], by: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """In which games anybody was shown a piece that the one who chose did not know: see
        `model.visibility.reveals`.
        """
        found = np.zeros(len(games), np.bool_)
        if before is None:
            return found
        after = self._seen(states, games)
        row, piece = np.nonzero((before.where != after.where) | (before.known != after.known))
        was, now = (
            self._knowers(s.where[row, piece], s.known[row, piece]) for s in (before, after)
        )
        found[row[(was >> (1 + by[row]) & 1 == 0) & (now & ~was != 0)]] = True
        return found

    def _knowers(self, where: NDArray[np.int64], known: NDArray[np.int64]) -> NDArray[np.int64]:
        """Who may know each piece, as bits: see `model.visibility.knowers`."""
        shown, open_to = known & self._players, self._open_to[where]
        everybody = (open_to == _EVERYBODY) | (shown == self._players)
        return np.where(everybody, self._all, (shown | open_to) << 1)

    def alike(self, raw: bytes, pieces: Sequence[int]) -> list[object]:
        """For each of some pieces what it has in common with those that nothing tells from it: see
        `model.symmetry.twin`.
        """
        where, known = (
            memoryview(raw)[at - STATE : at - STATE + 2 * self.pieces].cast("H")
            for at in (self.layout.where, self.layout.known)
        )
        twin = self.setup.twin
        return [
            piece if self._ordered[where[piece]] else (twin[piece], where[piece], known[piece])
            for piece in pieces
        ]
