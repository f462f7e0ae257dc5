"""Games as a Python programmer writes them by hand, to be measured against: no bit tricks, no other
library.
"""

from __future__ import annotations

import random
from typing import Protocol


class ByHand(Protocol):
    """A game being played: what may be done, doing it, and whether it is over."""

    def legal(self) -> list[int]:
        """The moves that may be made."""

    def apply(self, move: int) -> None:
        """Make a move."""

    def over(self) -> bool:
        """Is it over?"""


class TicTacToe:
    """Three in a row on nine cells."""

    ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

    def __init__(self) -> None:
        """An empty board."""
        self.cells = [0] * 9
        self.player, self.left, self.done = 1, 9, False

    def legal(self) -> list[int]:
        """The free cells."""
        return [i for i, mark in enumerate(self.cells) if not mark]

    def apply(self, move: int) -> None:
        """Mark a cell."""
        cells, player = self.cells, self.player
        cells[move] = player
        self.left -= 1
        for a, b, c in self.ROWS:
            if cells[a] == player and cells[b] == player and cells[c] == player:
                self.done = True
                return
        self.done = self.left == 0
        self.player = 3 - player

    def over(self) -> bool:
        """A row, or no free cell."""
        return self.done


class Hex:
    """Two players join opposite edges of a rhombus of 11 by 11 hexes.

    The chain of the last stone is followed.
    """

    SIZE = 11
    NEAR = tuple(
        tuple(
            (r + dr) * 11 + c + dc
            for dr, dc in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))
            if 0 <= r + dr < 11 and 0 <= c + dc < 11
        )
        for r in range(11)
        for c in range(11)
    )

    def __init__(self) -> None:
        """An empty board."""
        self.cells = [0] * (self.SIZE * self.SIZE)
        self.player, self.done = 1, False

    def legal(self) -> list[int]:
        """The free cells."""
        return [i for i, mark in enumerate(self.cells) if not mark]

    def apply(self, move: int) -> None:
        """Mark a cell."""
        cells, player, size, near = self.cells, self.player, self.SIZE, self.NEAR
        cells[move] = player
        chain, rest, first, last = {move}, [move], False, False
        while rest:
            cell = rest.pop()
            line = cell // size if player == 1 else cell % size
            first, last = first or line == 0, last or line == size - 1
            if first and last:
                self.done = True
                return
            for other in near[cell]:
                if cells[other] == player and other not in chain:
                    chain.add(other)
                    rest.append(other)
        self.player = 3 - player

    def over(self) -> bool:
        """One of them has joined his edges."""
        return self.done


def playout(game: type[TicTacToe] | type[Hex], rng: random.Random) -> None:
    """A game from its beginning to its end by chance."""
    play, choice = game(), rng.choice
    while not play.over():
        play.apply(choice(play.legal()))
