"""Games as a Python programmer writes them by hand, to be measured against: no bit tricks, no other
library.

A move is a number. Where a player can do but one thing that is no choice of his (he passes, he
draws a card), it is `FORCED`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Protocol

FORCED = -1


class ByHand(Protocol):
    """A game being played: what may be done, doing it, and whether it is over."""

    def __init__(self, rng: random.Random) -> None:
        """A new game; what is left to chance is drawn by `rng`."""

    def legal(self) -> list[int]:
        """The moves that may be made."""

    def apply(self, move: int) -> None:
        """Make a move."""

    def over(self) -> bool:
        """Is it over?"""


class TicTacToe:
    """Three in a row on nine cells."""

    ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

    def __init__(self, rng: random.Random) -> None:
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

    def __init__(self, rng: random.Random) -> None:
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


class ConnectFour:
    """Discs fall down seven columns of six; four in a row win."""

    def __init__(self, rng: random.Random) -> None:
        """Empty columns, each a list from the bottom up."""
        self.columns: list[list[int]] = [[] for _ in range(7)]
        self.player, self.left, self.done = 1, 42, False

    def legal(self) -> list[int]:
        """The columns with room."""
        return [n for n, column in enumerate(self.columns) if len(column) < 6]

    def apply(self, move: int) -> None:
        """Drop a disc into a column."""
        row = len(self.columns[move])
        self.columns[move].append(self.player)
        self.left -= 1
        self.done = self.left == 0 or any(
            self._along(move, row, dx, dy) + self._along(move, row, -dx, -dy) >= 3
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
        )
        self.player = 3 - self.player

    def _along(self, x: int, y: int, dx: int, dy: int) -> int:
        """How many discs of the player lie on from a place in one direction."""
        count, columns, player = 0, self.columns, self.player
        x, y = x + dx, y + dy
        while 0 <= x < 7 and 0 <= y < len(columns[x]) and columns[x][y] == player:
            count, x, y = count + 1, x + dx, y + dy
        return count

    def over(self) -> bool:
        """Four in a row, or no room."""
        return self.done


class Breakthrough:
    """Two rows of pawns each on eight by eight cells; a move is 64 times its cell and its aim."""

    def __init__(self, rng: random.Random) -> None:
        """The first player's pawns below, going up."""
        self.cells = [2] * 16 + [0] * 32 + [1] * 16
        self.player, self.done, self.pawns = 1, False, [0, 16, 16]

    def legal(self) -> list[int]:
        """The pairs of a pawn's cell and one in the next row that it may go to."""
        cells, player, found = self.cells, self.player, []
        on = -8 if player == 1 else 8
        for cell in range(64):
            if cells[cell] != player:
                continue
            ahead = cell + on
            if not cells[ahead]:
                found.append(cell * 64 + ahead)
            if cell % 8 > 0 and cells[ahead - 1] != player:
                found.append(cell * 64 + ahead - 1)
            if cell % 8 < 7 and cells[ahead + 1] != player:
                found.append(cell * 64 + ahead + 1)
        return found

    def apply(self, move: int) -> None:
        """Move a pawn, and take what stands there."""
        cell, aim = divmod(move, 64)
        other = 3 - self.player
        self.pawns[other] -= self.cells[aim] == other
        self.cells[cell], self.cells[aim] = 0, self.player
        self.done = self.pawns[other] == 0 or aim // 8 == (0 if self.player == 1 else 7)
        self.player = other

    def over(self) -> bool:
        """A pawn on the last row, or none left."""
        return self.done


class Reversi:
    """Discs enclosed in a straight line are turned; who cannot lay a disc passes."""

    WAYS = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y)

    def __init__(self, rng: random.Random) -> None:
        """Four discs in the middle."""
        self.cells = [0] * 64
        self.cells[27] = self.cells[36] = 2
        self.cells[28] = self.cells[35] = 1
        self.player, self.done = 1, False

    def _turned(self, cell: int, player: int) -> list[int]:
        """The discs that one laid on a cell would turn."""
        cells, found = self.cells, []
        for dx, dy in self.WAYS:
            y, x = divmod(cell, 8)
            run = []
            x, y = x + dx, y + dy
            while 0 <= x < 8 and 0 <= y < 8 and cells[8 * y + x] == 3 - player:
                run.append(8 * y + x)
                x, y = x + dx, y + dy
            if run and 0 <= x < 8 and 0 <= y < 8 and cells[8 * y + x] == player:
                found += run
        return found

    def _moves(self, player: int) -> list[int]:
        cells = self.cells
        return [cell for cell in range(64) if not cells[cell] and self._turned(cell, player)]

    def legal(self) -> list[int]:
        """The free cells on which a disc turns others."""
        return self._moves(self.player) or [FORCED]

    def apply(self, move: int) -> None:
        """Lay a disc, or pass."""
        player = self.player
        if move != FORCED:
            for cell in self._turned(move, player):
                self.cells[cell] = player
            self.cells[move] = player
            self.done = not self._moves(3 - player) and not self._moves(player)
        self.player = 3 - player

    def over(self) -> bool:
        """Nobody can lay a disc."""
        return self.done


class CrazyEights:
    """Four players follow suit or rank; a card is 4 times its rank and its suit, a move 4 times a
    card and the suit to follow.
    """

    PLAYERS = 4
    EIGHT = 7

    def __init__(self, rng: random.Random) -> None:
        """Five cards each, one turned up."""
        self.rng, self.stock = rng, list(range(52))
        rng.shuffle(self.stock)
        self.hands = [[self.stock.pop() for _ in range(5)] for _ in range(self.PLAYERS)]
        self.pile = [self.stock.pop()]
        self.suit, self.player, self.done = self.pile[-1] % 4, 0, False

    def legal(self) -> list[int]:
        """The cards that follow, an eight once for each suit."""
        found, rank = [], self.pile[-1] // 4
        for card in self.hands[self.player]:
            if card // 4 == self.EIGHT:
                found += [card * 4 + suit for suit in range(4)]
            elif card % 4 == self.suit or card // 4 == rank:
                found.append(card * 4 + card % 4)
        return found or [FORCED]

    def apply(self, move: int) -> None:
        """Lay a card, or draw one."""
        hand = self.hands[self.player]
        if move == FORCED:
            if not self.stock:
                self.stock, self.pile = self.pile[:-1], self.pile[-1:]
                self.rng.shuffle(self.stock)
            if self.stock:
                hand.append(self.stock.pop())
        else:
            card, self.suit = divmod(move, 4)
            hand.remove(card)
            self.pile.append(card)
            self.done = not hand
        self.player = (self.player + 1) % self.PLAYERS

    def over(self) -> bool:
        """Somebody has no card left."""
        return self.done


class HareAndHounds:
    """Three hounds hunt a hare on eleven points; a move is 11 times a point and its aim."""

    PATHS: Sequence[Sequence[int]] = (
        (1, 2, 3),
        (0, 2, 4, 5),
        (0, 1, 3, 5),
        (0, 2, 5, 6),
        (1, 5, 7),
        (1, 2, 3, 4, 6, 7, 8, 9),
        (3, 5, 9),
        (4, 5, 8, 10),
        (5, 7, 9, 10),
        (5, 6, 8, 10),
        (7, 8, 9),
    )
    COLUMNS = (0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4)

    def __init__(self, rng: random.Random) -> None:
        """The hounds on the left, the hare on the right."""
        self.hounds, self.hare = {0, 1, 3}, 10
        self.to_move, self.dawdled, self.done = True, 0, False  # is it the hounds' move?

    def legal(self) -> list[int]:
        """The hounds' moves, on or across, or the hare's."""
        columns, paths = self.COLUMNS, self.PATHS
        if not self.to_move:
            return [11 * self.hare + p for p in paths[self.hare] if p not in self.hounds]
        return [
            11 * hound + p
            for hound in self.hounds
            for p in paths[hound]
            if columns[p] >= columns[hound] and p not in self.hounds and p != self.hare
        ] or [FORCED]

    def apply(self, move: int) -> None:
        """Move a hound or the hare; hounds that cannot move dawdle."""
        here, aim = divmod(move, 11)
        if not self.to_move:
            self.hare = aim
        elif move == FORCED:
            self.dawdled += 1
        else:
            self.hounds.remove(here)
            self.hounds.add(aim)
            on = self.COLUMNS[aim] > self.COLUMNS[here]
            self.dawdled = 0 if on else self.dawdled + 1
        self.to_move = not self.to_move
        self.done = (
            self.dawdled == 10
            or all(p in self.hounds for p in self.PATHS[self.hare])
            or all(self.COLUMNS[hound] > self.COLUMNS[self.hare] for hound in self.hounds)
        )

    def over(self) -> bool:
        """The hare is caught or away, or the hounds have dawdled."""
        return self.done


def playout(game: type[ByHand], rng: random.Random) -> int:
    """How many choices a game by chance has from its beginning to its end."""
    play, choice, choices = game(rng), rng.choice, 0
    while not play.over():
        move = choice(play.legal())
        choices += move != FORCED
        play.apply(move)
    return choices
