"""The words the language brings: functions over boards, sets, lists, pieces and players, with the types they take and give."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rulelang.core.types import (
    DIRECTION,
    NUMBER,
    PLAYER,
    SHAPE,
    TEXT,
    TRUTH,
    UNKNOWN,
    BoardT,
    KindT,
    ListT,
    OptionalT,
    PieceT,
    SetT,
    SiteT,
    Type,
    element,
    fits,
)
from rulelang.elaborate.symbols import SymbolTable
from rulelang.ruleset import Ruleset


@dataclass(frozen=True)
class Word:
    """A built-in function: how many values it takes, what it gives (none: these values do not fit), and what it means in a line."""

    name: str
    arity: int
    result: Callable[[SymbolTable, tuple[Type, ...]], Type | None]
    meaning: str
    relation: bool = False


def _cells(t: Type) -> SiteT | None:
    inner = element(t) if isinstance(t, SetT | ListT) else t
    if isinstance(inner, OptionalT):
        inner = inner.of
    return inner if isinstance(inner, SiteT) and inner.role == "cell" else None


def role_of(names: SymbolTable, site: SiteT, role: str) -> Type:
    """The site type of the same board in another role."""
    for known, word in names.rules.boards[site.board].roles:
        if known == role:
            return SiteT(site.board, role, word)
    return SiteT(site.board, role, role)


def _around(names: SymbolTable, a: tuple[Type, ...]) -> Type | None:
    cell = _cells(a[0])
    return SetT(cell) if cell else None


def _sides(names: SymbolTable, a: tuple[Type, ...]) -> Type | None:
    cell = _cells(a[0])
    if cell:
        return SetT(role_of(names, cell, "side"))
    if isinstance(a[0], SiteT) and a[0].role == "corner":
        return SetT(role_of(names, a[0], "side"))
    return None


def _from_side(role: str) -> Callable[[SymbolTable, tuple[Type, ...]], Type | None]:
    def result(names: SymbolTable, a: tuple[Type, ...]) -> Type | None:
        return (
            SetT(role_of(names, a[0], role))
            if isinstance(a[0], SiteT) and a[0].role == "side"
            else None
        )

    return result


def _truth_of_side(names: SymbolTable, a: tuple[Type, ...]) -> Type | None:
    return TRUTH if isinstance(a[0], SiteT) and a[0].role == "side" else None


def _two_cells(result: Type) -> Callable[[SymbolTable, tuple[Type, ...]], Type | None]:
    def check(names: SymbolTable, a: tuple[Type, ...]) -> Type | None:
        one, two = _cells(a[0]), _cells(a[1])
        return result if one and one == two else None

    return check


def _across(names: SymbolTable, a: tuple[Type, ...]) -> Type | None:
    cell = _cells(a[0])
    return NUMBER if cell and cell == _cells(a[1]) and fits(a[2], SetT(SetT(cell))) else None


def _within(names: SymbolTable, a: tuple[Type, ...]) -> Type | None:
    cell = _cells(a[0])
    return SetT(cell) if cell and a[1] == NUMBER and fits(a[2], SetT(SetT(cell))) else None


def _footprints(names: SymbolTable, a: tuple[Type, ...]) -> Type | None:
    if a[0] == SHAPE and isinstance(a[1], BoardT):
        return SetT(SetT(_cell_of(names, a[1])))
    return None


def _spots(names: SymbolTable, a: tuple[Type, ...]) -> Type | None:
    tile = a[0].of if isinstance(a[0], OptionalT) else a[0]
    if (
        isinstance(a[1], BoardT)
        and isinstance(tile, PieceT)
        and names.rules.boards[a[1].name].grown_from == tile.name
    ):
        return SetT(ListT(_cell_of(names, a[1])))
    return None


def _least_cost(names: SymbolTable, a: tuple[Type, ...]) -> Type | None:
    link, end = element(a[2]), one_of(a[0])
    return (
        NUMBER
        if isinstance(link, PieceT)
        and end == one_of(a[1])
        and ends_and_cost(names.rules, link, end)
        else None
    )


def one_of(t: Type) -> Type:
    """The type of one thing, where it or a set of such or none may stand."""
    inner = element(t) or t
    return inner.of if isinstance(inner, OptionalT) else inner


def ends_and_cost(rules: Ruleset, link: PieceT, end: Type) -> tuple[str, str, str] | None:
    """The two fields of a link that name its ends and the one that is its cost; none where a piece has more or fewer of them."""
    fields = rules.components[link.name].fields
    between, costs = (
        [name for name, t in fields if t == end],
        [name for name, t in fields if t == NUMBER],
    )
    return (
        (between[0], between[1], costs[0])
        if end != NUMBER and len(between) == 2 and len(costs) == 1
        else None
    )


def _turned(names: SymbolTable, a: tuple[Type, ...]) -> Type | None:
    if a[0] == DIRECTION and a[1] == NUMBER:
        return DIRECTION
    lay = a[0].of if isinstance(a[0], OptionalT) else a[0]
    return (
        ListT(cell) if isinstance(lay, ListT) and (cell := _cells(lay)) and a[1] == NUMBER else None
    )


def _cell_of(names: SymbolTable, board: BoardT) -> SiteT:
    word = dict(names.rules.boards[board.name].roles)["cell"]
    return SiteT(board.name, "cell", word)


def _board_cells(names: SymbolTable, a: tuple[Type, ...]) -> Type | None:
    return SetT(_cell_of(names, a[0])) if isinstance(a[0], BoardT) else None


def _lines(names: SymbolTable, a: tuple[Type, ...]) -> Type | None:
    return (
        SetT(SetT(_cell_of(names, a[0]))) if isinstance(a[0], BoardT) and a[1] == NUMBER else None
    )


def _same_collection(names: SymbolTable, a: tuple[Type, ...]) -> Type | None:
    return a[0] if element(a[0]) is not None else None


def _item(names: SymbolTable, a: tuple[Type, ...]) -> Type | None:
    inner = element(a[0])
    return OptionalT(inner) if inner is not None and inner != UNKNOWN else inner


def _measure(names: SymbolTable, a: tuple[Type, ...]) -> Type | None:
    return NUMBER if element(a[0]) is not None or a[0] == SHAPE else None


def _numbers(names: SymbolTable, a: tuple[Type, ...]) -> Type | None:
    inner = element(a[0])
    return NUMBER if inner is not None and fits(inner, NUMBER) else None


def _emptiness(names: SymbolTable, a: tuple[Type, ...]) -> Type | None:
    return TRUTH if element(a[0]) is not None else None


def _player_word(names: SymbolTable, a: tuple[Type, ...]) -> Type | None:
    return PLAYER if fits(a[0], PLAYER) else None


def _step(names: SymbolTable, a: tuple[Type, ...]) -> Type | None:
    cell = _cells(a[0]) if element(a[0]) is None else None
    return OptionalT(cell) if cell and a[1] == DIRECTION else None


def _run(names: SymbolTable, a: tuple[Type, ...]) -> Type | None:
    cell = _cells(a[0]) if element(a[0]) is None else None
    return ListT(cell) if cell and a[1] == DIRECTION and fits(a[2], SetT(cell)) else None


def _side_to(names: SymbolTable, a: tuple[Type, ...]) -> Type | None:
    cell = _cells(a[0]) if element(a[0]) is None else None
    return role_of(names, cell, "side") if cell and a[1] == DIRECTION else None


def _coordinate(names: SymbolTable, a: tuple[Type, ...]) -> Type | None:
    return NUMBER if _cells(a[0]) and element(a[0]) is None else None


def _extent(names: SymbolTable, a: tuple[Type, ...]) -> Type | None:
    return NUMBER if isinstance(a[0], BoardT) or _cells(a[0]) else None


def _site_at(names: SymbolTable, a: tuple[Type, ...]) -> Type | None:
    return (
        OptionalT(_cell_of(names, a[0]))
        if isinstance(a[0], BoardT) and a[1] == NUMBER and a[2] == NUMBER
        else None
    )


def _owner(names: SymbolTable, a: tuple[Type, ...]) -> Type | None:
    t = a[0].of if isinstance(a[0], OptionalT) else a[0]
    return PLAYER if isinstance(t, SiteT | PieceT) else None


def _holder(names: SymbolTable, a: tuple[Type, ...]) -> Type | None:
    t = a[0].of if isinstance(a[0], OptionalT) else a[0]
    return OptionalT(PLAYER) if isinstance(t, SiteT | PieceT) else None


def _titled(names: SymbolTable, a: tuple[Type, ...]) -> Type | None:
    t = a[0].of if isinstance(a[0], OptionalT) else a[0]
    return TEXT if isinstance(t, PieceT | KindT) else None


def _texts_of_piece(names: SymbolTable, a: tuple[Type, ...]) -> Type | None:
    t = a[0].of if isinstance(a[0], OptionalT) else a[0]
    return SetT(TEXT) if isinstance(t, PieceT) else None


def _joined(names: SymbolTable, a: tuple[Type, ...]) -> Type | None:
    inner = element(a[0])
    return inner if isinstance(inner, SetT | ListT) else None


def _happened(names: SymbolTable, a: tuple[Type, ...]) -> Type | None:
    return TRUTH if a[0] == TEXT else None


WORDS: dict[str, Word] = {
    word.name: word
    for word in [
        Word(
            "neighbors",
            1,
            _around,
            "the cells that share a side with a cell, or with a set of cells and are not in it",
        ),
        Word(
            "surroundings",
            1,
            _around,
            "the cells that share a side or a corner with a cell or set of cells",
        ),
        Word(
            "sides", 1, _sides, "the sides of a cell, of a set of cells, or that meet at a corner"
        ),
        Word("inner_sides", 1, _sides, "the sides that two cells of a set share"),
        Word(
            "outer_sides",
            1,
            _sides,
            "the sides of a set of cells that face a cell outside the set, or nothing",
        ),
        Word("ends", 1, _from_side("corner"), "the two corners a side runs between"),
        Word("cells", 1, _from_side("cell"), "the cells on both hands of a side"),
        Word(
            "outer",
            1,
            _truth_of_side,
            "a side is outer when the outside of the board lies beyond it; a hole inside is not outside",
        ),
        Word("adjacent", 2, _two_cells(TRUTH), "two cells share a side", relation=True),
        Word(
            "touches_corner",
            2,
            _two_cells(TRUTH),
            "two cells share a corner but no side",
            relation=True,
        ),
        Word(
            "distance",
            2,
            _two_cells(NUMBER),
            "steps from side to side between two cells over the whole board",
        ),
        Word(
            "distance_across",
            3,
            _across,
            "steps between two cells or sets of cells, where the cells of each set of a set of sets count as one cell",
        ),
        Word(
            "cells_within",
            3,
            _within,
            "the cells so few steps or fewer from a cell or set of cells, counted as by distance_across",
        ),
        Word(
            "footprints",
            2,
            _footprints,
            "every set of cells of a board that a shape can cover, turned any way",
        ),
        Word(
            "spots",
            2,
            _spots,
            "every way to lay a tile beside what a board has grown to, cell by cell of the tile",
        ),
        Word(
            "spots_around",
            2,
            _spots,
            "like spots, but a corner in common is enough; on a board without cells, every way to turn the first tile",
        ),
        Word(
            "turned",
            2,
            _turned,
            "a direction after so many turns clockwise, from one direction to the next; "
            "where the cells of a tile that lies so come to lie after so many turns in its place",
        ),
        Word(
            "least_cost",
            3,
            _least_cost,
            "the least that a way along links costs, from one thing or set of things to another; "
            "links are pieces with two fields of that kind, which they join, and one number, their cost",
        ),
        Word("lines_of", 2, _lines, "every straight run of so many cells of a board"),
        Word("step", 2, _step, "the next cell in a direction, or none"),
        Word(
            "run",
            3,
            _run,
            "the cells from a cell straight on in a direction, as long as they are in a set",
        ),
        Word("side_to", 2, _side_to, "the side of a cell in a direction"),
        Word(
            "site_at",
            3,
            _site_at,
            "the cell of a board in a column and row, counted from 1 at the top left",
        ),
        Word("column", 1, _coordinate, "the column of a cell, from 1"),
        Word("row", 1, _coordinate, "the row of a cell, from 1"),
        Word("width", 1, _extent, "how many columns a board or a set of cells spans"),
        Word("height", 1, _extent, "how many rows a board or a set of cells spans"),
        Word("spaces", 1, _board_cells, "the cells a board has now"),
        Word("count", 1, _measure, "how many members or, of a shape, cells"),
        Word("sum", 1, _numbers, "the sum of numbers"),
        Word("largest", 1, _numbers, "the largest of numbers, 0 of none"),
        Word("smallest", 1, _numbers, "the smallest of numbers, 0 of none"),
        Word("empty", 1, _emptiness, "has no members"),
        Word(
            "first", 1, _item, "the first of a list, or of a set in its stable order; none if empty"
        ),
        Word(
            "last", 1, _item, "the last of a list, or of a set in its stable order; none if empty"
        ),
        Word(
            "top",
            1,
            _item,
            "the piece on top: the first of a pile, the last laid on a stack of a site",
        ),
        Word("joined", 1, _joined, "all members of the members of a set of sets"),
        Word("left", 1, _player_word, "the next player clockwise"),
        Word("right", 1, _player_word, "the previous player"),
        Word("owner", 1, _owner, "the player a piece or a site of a private board belongs to"),
        Word(
            "holder",
            1,
            _holder,
            "the player in whose place, or on whose board, a piece is; none if in nobody's",
        ),
        Word(
            "title",
            1,
            _titled,
            "the title printed on a piece, without its mark in square brackets; the word of a member of a kind",
        ),
        Word("named", 1, _texts_of_piece, "the titles that the text of a piece names"),
        Word(
            "missing",
            1,
            _texts_of_piece,
            "what the text of a piece names, by title, kind or group, and no piece of the game is",
        ),
        Word("ever", 1, _happened, "has this latch or end ever come true"),
    ]
}
