"""What built-in words may ask: protocols of a ruleset, of a game and of a position."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, MutableMapping, Sequence
from typing import Protocol, TypeAlias

from rulelang.core.types import Type
from rulelang.core.values import Value
from rulelang.geometry.grid import Grid
from rulelang.geometry.shapes import Shape
from rulelang.ruleset import Board, Component, Design, Noun, Ruleset

# Where a piece is: laid on sites ("on", layer, sites), laid as a tile ("tile", board, cells), in a
# place (its name, and whose it is), or nowhere.
Whereabouts: TypeAlias = "tuple[str, str, tuple[int, ...]] | tuple[str, int | None] | None"


class Declarations(Protocol):
    """The declarations of a ruleset that types and wordings depend on."""

    @property
    def boards(self) -> Mapping[str, Board]:
        """The boards by name."""

    @property
    def components(self) -> Mapping[str, Component]:
        """The components by name."""


class Piece(Protocol):
    """One physical piece of a game."""

    @property
    def design(self) -> Design:
        """What is printed on it."""

    @property
    def owner(self) -> int | None:
        """The player it belongs to, if it is a player's."""


class NumberedBoard(Protocol):
    """A board of a game: each copy has its own stretch of numbers for the sites of every role."""

    @property
    def board(self) -> Board:
        """Its declaration."""

    @property
    def grid(self) -> Grid:
        """The grid of one copy."""

    @property
    def copies(self) -> int:
        """How many copies there are: one, or one for each player."""

    @property
    def cells(self) -> int:
        """How many cells one copy has."""

    @property
    def sides(self) -> int:
        """How many sides one copy has."""

    @property
    def corners(self) -> int:
        """How many corners one copy has."""

    def stride(self, role: str) -> int:
        """How many sites of a role one copy has."""


class Game(Protocol):
    """The fixed side of a game: what does not change while it is played."""

    @property
    def rules(self) -> Ruleset:
        """The compiled ruleset."""

    @property
    def players(self) -> int:
        """How many play."""

    @property
    def pieces(self) -> Sequence[Piece]:
        """All pieces, by their numbers."""

    @property
    def boards(self) -> Mapping[str, NumberedBoard]:
        """The boards by name."""

    @property
    def layer_board(self) -> Mapping[str, str]:
        """The board of each layer."""

    @property
    def fields(self) -> Mapping[str, Sequence[Value]]:
        """What each field is, by the numbers of the pieces."""

    def kind_size(self, name: str) -> int:
        """How many members a kind has."""

    def members(self, t: Type) -> Sequence[int]:
        """All members of a finite type."""

    def shape(self, text: str) -> Shape:
        """The cells of a picture of a shape."""

    def tile_shape(self, piece: int) -> Shape:
        """The cells of the shape printed on a tile."""

    def has(self, noun: Noun) -> bool:
        """Is some piece of the game what a text names, or may it come to be?"""


class Position(Protocol):
    """What a game has come to."""

    @property
    def setup(self) -> Game:
        """The fixed side of the game."""

    @property
    def on(self) -> Mapping[str, Mapping[int, tuple[int, ...]]]:
        """The pieces on each site of each layer, the top one last."""

    @property
    def tiles(self) -> Mapping[str, Mapping[int, tuple[int, int]]]:
        """For each cell of each grown board the tile and the number of the cell on it."""

    @property
    def where(self) -> Sequence[Whereabouts]:
        """Where each piece is."""

    @property
    def ever(self) -> frozenset[str]:
        """The latches and ends that have come true."""

    @property
    def geometry(self) -> MutableMapping[Hashable, object]:
        """A memo of what follows from the cells of the boards alone; emptied when they change."""

    def present(self, board: str, copy: int = 0) -> frozenset[int]:
        """The cells a copy of a board has now, numbered within the copy."""
